// What steps did lately, by the bits that they depend on. Most of a state makes no difference to an
// action: where a state agrees with an earlier one in the action's *footprint* (HasFootprints), the
// action changes the same bits, and is neither taken nor asked about again.
//
//     place    [ action, cell ][ part under the footprint .. ][ bits of the part that change .. ]
//
// Exact: an effect is found only if all these bits are equal. A place has room for one; of two
// whose hashes say the same place the later one stays.
#pragma once

#include "checker/model.hpp"
#include "checker/packing.hpp"
#include "checker/pages.hpp"
#include "checker/sharding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

// The footprints of a model, as the packing of the moment shows them.
class Footprints {
  public:
    Footprints() = default;
    // Of each the bytes of a state, marked by something other than 0.
    Footprints(std::span<const std::vector<std::uint8_t>> bytes, const Packing& packing) {
        for (const std::vector<std::uint8_t>& marked : bytes) {
            packing.mark(marked, masks_.emplace_back().data());
        }
    }

    [[nodiscard]] std::size_t size() const { return masks_.size(); }
    // By part: the bits that are in the footprint.
    [[nodiscard]] const std::uint64_t* mask(std::size_t footprint) const {
        return masks_[footprint].data();
    }

  private:
    std::vector<std::array<std::uint64_t, parts_max>> masks_;
};

class RecentEffects {
  public:
    // An action on a packed state.
    struct Question {
        std::uint64_t action;        // its code
        const std::uint64_t* mask;   // its footprint
        const std::uint64_t* parts;  // of the state
    };

    struct Lookup {
        Question question;
        std::uint64_t* place;  // nullptr: not asked
    };

    // Forgets all; states have so many parts now.
    void clear(std::size_t parts) {
        parts_ = parts;
        place_words_ = std::bit_ceil(1 + 2 * parts);
        const std::size_t places = bytes / (place_words_ * sizeof(std::uint64_t));
        shift_ = 64U - static_cast<unsigned>(std::bit_width(places - 1));
        if (words_.bytes() == 0) {
            words_ = Pages(bytes);
        } else {
            words_.zero();
        }
    }

    // Where the answer is, if it is known; its memory is on its way.
    [[nodiscard, gnu::always_inline]] std::uint64_t* place_of(const Question& question) const {
        std::uint64_t hash = question.action * detail::odd;
        for_each_part([&](std::size_t part) {
            hash = (hash ^ (question.parts[part] & question.mask[part])) * detail::odd;
            hash ^= hash >> 32U;
        });
        std::uint64_t* const place =
            words_.as<std::uint64_t>() + (hash * detail::odd >> shift_) * place_words_;
        __builtin_prefetch(place);
        return place;
    }
    [[nodiscard, gnu::always_inline]] bool is_known(const Question& question,
                                                    const std::uint64_t* place) const {
        std::uint64_t difference = head_of(question.action, 0) ^ (place[0] & ~cell_mask);
        for_each_part([&](std::size_t part) {
            difference |= (question.parts[part] & question.mask[part]) ^ place[1 + part];
        });
        return difference == 0;
    }
    // Of a place that answers: the cell that counts the step.
    [[nodiscard]] static std::size_t cell(const std::uint64_t* place) {
        return place[0] & cell_mask;
    }
    // The parts after the step, and which of them change.
    [[gnu::always_inline]] std::uint32_t apply(const Question& question, const std::uint64_t* place,
                                               std::uint64_t* after) const {
        const std::uint64_t* const change = place + 1 + parts_;
        std::uint32_t changed = 0;
        for_each_part([&](std::size_t part) {
            after[part] = question.parts[part] ^ change[part];
            changed |= static_cast<std::uint32_t>(change[part] != 0) << part;
        });
        return changed;
    }

    void learn(const Question& question, std::size_t cell, const std::uint64_t* after,
               std::uint64_t* place) const {
        place[0] = head_of(question.action, cell);
        for_each_part([&](std::size_t part) {
            place[1 + part] = question.parts[part] & question.mask[part];
            place[1 + parts_ + part] = question.parts[part] ^ after[part];
        });
    }

  private:
    template <class Visit>
    [[gnu::always_inline]] void for_each_part(const Visit& visit) const {
        constexpr std::size_t usual_parts = 3;  // so many the compiler knows
        if (parts_ == usual_parts) {
            for (std::size_t part = 0; part < usual_parts; ++part) { visit(part); }
        } else {
            for (std::size_t part = 0; part < parts_; ++part) { visit(part); }
        }
    }

    static constexpr std::size_t bytes = std::size_t{256} << 10U;
    static constexpr unsigned cell_bits = 16;
    static constexpr std::uint64_t cell_mask = (std::uint64_t{1} << cell_bits) - 1;
    // Never that of an empty place.
    [[nodiscard]] static std::uint64_t head_of(std::uint64_t action, std::size_t cell) {
        return std::uint64_t{1} << (action_code_bits + cell_bits) | action << cell_bits | cell;
    }

    std::size_t parts_ = 0;
    std::size_t place_words_ = 0;
    unsigned shift_ = 0;  // of a hash, to the number of a place
    Pages words_;
};

}  // namespace ringfence::checker
