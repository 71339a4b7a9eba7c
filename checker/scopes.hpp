// The scopes of a model (HasScopes), as the keys of the moment show them.
#pragma once

#include "checker/key_codec.hpp"
#include "checker/packing.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ringfence::checker {

class Scopes {
  public:
    // `components`: of each scope, as bits. Keys must be numbered.
    Scopes(std::span<const std::uint32_t> components, const Packing& packing,
           const KeyLayout& layout) {
        for (const std::uint32_t of_scope : components) {
            Scope& scope = scopes_.emplace_back();
            scope.parts = packing.parts_of(of_scope);
            scope.own_parts = scope.parts & ~all_parts_;
            scope.mask = layout.mask_of(scope.parts);
            all_parts_ |= scope.parts;
        }
    }

    [[nodiscard]] std::size_t size() const { return scopes_.size(); }
    // Its parts, as bits.
    [[nodiscard]] std::uint32_t parts(std::size_t scope) const { return scopes_[scope].parts; }
    // Those that lie in no scope before it.
    [[nodiscard]] std::uint32_t own_parts(std::size_t scope) const {
        return scopes_[scope].own_parts;
    }
    // Those that lie in any scope.
    [[nodiscard]] std::uint32_t all_parts() const { return all_parts_; }
    // The bits of a key that tell states apart which differ in the scope.
    [[nodiscard]] const KeyLayout::Mask& mask(std::size_t scope) const {
        return scopes_[scope].mask;
    }
    // A part that lies in all scopes: states that agree there are best expanded together.
    [[nodiscard]] std::optional<std::size_t> common_part() const {
        std::uint32_t common = ~std::uint32_t{0};
        for (const Scope& scope : scopes_) { common &= scope.parts; }
        if (scopes_.empty() || common == 0) { return std::nullopt; }
        return static_cast<std::size_t>(std::countr_zero(common));
    }

  private:
    struct Scope {
        std::uint32_t parts = 0;
        std::uint32_t own_parts = 0;
        KeyLayout::Mask mask{};
    };
    std::vector<Scope> scopes_;
    std::uint32_t all_parts_ = 0;
};

}  // namespace ringfence::checker
