// What expanding states brings to light, apart from new states: counts, violations, witnesses.
// Every chunk of work fills its own findings; they are merged in any order with the same result.
#pragma once

#include "checker/property.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

namespace ringfence::checker {

// Where a law falls. Of all violations in a level the smallest one is told, so that the choice does
// not depend on who found what first.
template <Model M>
struct Violation {
    typename M::State state;      // in which the law does not hold, or before the offending step
    typename M::Action action{};  // the offending step, for a step law

    [[nodiscard]] bool is_smaller_than(const Violation& other) const {
        const int order = std::memcmp(&state, &other.state, sizeof state);
        return order != 0 ? order < 0 : action < other.action;
    }
};

template <Model M>
class Findings {
  public:
    Findings(std::size_t properties, std::size_t witnesses)
        : results_(M::result_names().size()),
          step_cells_(M::verb_names().size() * results_),
          counts_(step_cells_ + cut_kinds_max),
          violations_(properties),
          is_reached_(witnesses) {}

    // Whatever is counted has a cell: steps by verb and result, then cuts by kind.
    [[nodiscard]] std::size_t cell_of(const typename M::Action& action,
                                      const typename M::Outcome& outcome) const {
        return M::verb_of(action) * results_ + M::result_of(outcome);
    }
    [[nodiscard]] std::size_t cell_of_cut(std::size_t kind) const { return step_cells_ + kind; }
    void count(std::size_t cell, std::uint64_t times = 1) { counts_[cell] += times; }

    void count_cuts(const std::array<std::uint16_t, cut_kinds_max>& cuts) {
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) {
            counts_[cell_of_cut(kind)] += cuts[kind];
        }
    }

    void add_violation(std::size_t property, const Violation<M>& violation) {
        std::optional<Violation<M>>& smallest = violations_[property];
        if (!smallest || violation.is_smaller_than(*smallest)) { smallest = violation; }
    }

    void add_witness(std::size_t witness) { is_reached_[witness] = 1; }

    void clear() {
        std::ranges::fill(counts_, 0);
        for (auto& violation : violations_) { violation.reset(); }
        is_reached_.assign(is_reached_.size(), 0);
    }

    void merge(const Findings& other) {
        for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
            counts_[cell] += other.counts_[cell];
        }
        for (std::size_t property = 0; property < violations_.size(); ++property) {
            if (other.violations_[property]) {
                add_violation(property, *other.violations_[property]);
            }
        }
        for (std::size_t witness = 0; witness < is_reached_.size(); ++witness) {
            is_reached_[witness] |= other.is_reached_[witness];
        }
    }

    [[nodiscard]] std::uint64_t transitions() const {
        return std::accumulate(counts_.begin(), first_cut(), std::uint64_t{0});
    }
    [[nodiscard]] std::array<std::uint64_t, cut_kinds_max> cuts() const {
        std::array<std::uint64_t, cut_kinds_max> cuts;
        std::copy_n(first_cut(), cut_kinds_max, cuts.begin());
        return cuts;
    }
    [[nodiscard]] bool is_reached(std::size_t witness) const { return is_reached_[witness] != 0; }
    [[nodiscard]] const std::optional<Violation<M>>& violation(std::size_t property) const {
        return violations_[property];
    }

    // fired()[verb][result]
    [[nodiscard]] std::vector<std::vector<std::uint64_t>> fired() const {
        std::vector<std::vector<std::uint64_t>> rows;
        for (auto row = counts_.begin(); row != first_cut();) {
            const auto end = row + static_cast<std::ptrdiff_t>(results_);
            rows.emplace_back(row, end);
            row = end;
        }
        return rows;
    }

  private:
    [[nodiscard]] auto first_cut() const {
        return counts_.begin() + static_cast<std::ptrdiff_t>(step_cells_);
    }

    std::size_t results_;
    std::size_t step_cells_;
    std::vector<std::uint64_t> counts_;                    // by cell
    std::vector<std::optional<Violation<M>>> violations_;  // the smallest of each property
    std::vector<std::uint8_t> is_reached_;                 // each witness
};

}  // namespace ringfence::checker
