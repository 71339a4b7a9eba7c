// Interchangeable actors: of all states that differ only by who is called what, one is kept.
//
// A permutation of threads or partitions carries components into components, and values of the one
// into values of the other, whatever the rest of the state holds. So what it makes of a key is
// looked up, number by number:
//
//     part            0        1        2                 image of part 1 under g: part 0,
//     key          [ n0 ]   [ n1 ]   [ n2 ]               number images[g][1][n1]
//     g(key)       [ .. ]   [ .. ]   [ .. ]
//
// The canonical state of an orbit is the one whose numbers come first in the order of parts. Most
// permutations are settled by the first part that they are compared in.
//
// Sound where the model is symmetric: its steps, and what is asked about them, do not depend on
// names (Clarke, Enders, Filkorn, Jha: Exploiting symmetry in temporal logic model checking, 1996).
// The tables are filled by numbering.hpp between the phases, and only read while states are
// expanded.
#pragma once

#include "checker/key_codec.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

class Symmetry {
  public:
    explicit Symmetry(std::size_t parts) : parts_(parts) {}

    // So many permutations besides the identity; with it they must be a group.
    void use(std::size_t permutations) {
        images_.assign(permutations * parts_, {0});  // the base is its own image
        sources_.resize(permutations * parts_);
        for (std::size_t entry = 0; entry < sources_.size(); ++entry) {
            sources_[entry] = static_cast<std::uint8_t>(entry % parts_);
        }
    }
    [[nodiscard]] bool is_trivial() const { return images_.empty(); }
    [[nodiscard]] std::size_t permutations() const { return images_.size() / parts_; }

    // Values of this part whose images are known: those with smaller numbers.
    [[nodiscard]] std::uint32_t known(std::size_t part) const {
        return static_cast<std::uint32_t>(images_[part].size());
    }
    // The next value of `part`: its image under a permutation is a value of `image_part`.
    void add_image(std::size_t permutation, std::size_t part, std::size_t image_part,
                   std::uint32_t image) {
        images_[permutation * parts_ + part].push_back(image);
        sources_[permutation * parts_ + image_part] = static_cast<std::uint8_t>(part);
    }

    // Makes the key that of the canonical state of the same orbit. All images must be known.
    void canonicalize(const KeyLayout& layout, std::uint64_t* key) const {
        std::array<std::uint32_t, parts_max> numbers;
        for (std::size_t part = 0; part < parts_; ++part) {
            numbers[part] = layout.number(key, part);
        }
        std::array<std::uint32_t, parts_max> best = numbers;
        bool is_better = false;
        for (std::size_t entry = 0; entry < images_.size(); entry += parts_) {
            for (std::size_t part = 0; part < parts_; ++part) {
                const std::uint32_t image = image_at(entry, part, numbers.data());
                if (image == best[part]) { continue; }
                if (image > best[part]) { break; }
                for (; part < parts_; ++part) {
                    best[part] = image_at(entry, part, numbers.data());
                }
                is_better = true;
            }
        }
        if (!is_better) { return; }
        std::fill_n(key, layout.key_words(), 0);
        for (std::size_t part = 0; part < parts_; ++part) { layout.put(key, part, best[part]); }
    }

    [[nodiscard]] std::uint64_t bytes() const {
        std::uint64_t bytes = 0;
        for (const auto& images : images_) { bytes += images.capacity() * sizeof(std::uint32_t); }
        return bytes;
    }

  private:
    // What stands in `part` of the image under the permutation whose tables begin at `entry`.
    [[nodiscard]] std::uint32_t image_at(std::size_t entry, std::size_t part,
                                         const std::uint32_t* numbers) const {
        const std::size_t source = sources_[entry + part];
        return images_[entry + source][numbers[source]];
    }

    std::size_t parts_;
    // By permutation and part: the image of every number, and which part's image stands there.
    std::vector<std::vector<std::uint32_t>> images_;
    std::vector<std::uint8_t> sources_;
};

}  // namespace ringfence::checker
