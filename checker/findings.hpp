// What expanding states brings to light, apart from new states: counts, violations, witnesses.
// Every chunk of work fills its own findings; they are merged in any order with the same result.
#pragma once

#include "checker/property.hpp"

#include <array>
#include <cstdint>
#include <cstring>
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
          fired_(M::verb_names().size() * results_),
          violations_(properties),
          is_reached_(witnesses) {}

    void count_step(const typename M::Action& action, const typename M::Outcome& outcome) {
        ++transitions_;
        ++fired_[M::verb_of(action) * results_ + M::result_of(outcome)];
    }

    void count_cuts(const std::array<std::uint16_t, cut_kinds_max>& cuts) {
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) { cuts_[kind] += cuts[kind]; }
    }

    void add_violation(std::size_t property, const Violation<M>& violation) {
        std::optional<Violation<M>>& smallest = violations_[property];
        if (!smallest || violation.is_smaller_than(*smallest)) { smallest = violation; }
    }

    void add_witness(std::size_t witness) { is_reached_[witness] = 1; }

    void clear() {
        transitions_ = 0;
        fired_.assign(fired_.size(), 0);
        cuts_.fill(0);
        for (auto& violation : violations_) { violation.reset(); }
        is_reached_.assign(is_reached_.size(), 0);
    }

    void merge(const Findings& other) {
        transitions_ += other.transitions_;
        for (std::size_t cell = 0; cell < fired_.size(); ++cell) {
            fired_[cell] += other.fired_[cell];
        }
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) {
            cuts_[kind] += other.cuts_[kind];
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

    [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
    [[nodiscard]] const std::array<std::uint64_t, cut_kinds_max>& cuts() const { return cuts_; }
    [[nodiscard]] bool is_reached(std::size_t witness) const { return is_reached_[witness] != 0; }
    [[nodiscard]] const std::optional<Violation<M>>& violation(std::size_t property) const {
        return violations_[property];
    }

    // fired()[verb][result]
    [[nodiscard]] std::vector<std::vector<std::uint64_t>> fired() const {
        std::vector<std::vector<std::uint64_t>> rows;
        for (std::size_t verb = 0; verb * results_ < fired_.size(); ++verb) {
            const auto row = fired_.begin() + static_cast<std::ptrdiff_t>(verb * results_);
            rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(results_));
        }
        return rows;
    }

  private:
    std::size_t results_;
    std::uint64_t transitions_ = 0;
    std::vector<std::uint64_t> fired_;  // verb * results_ + result
    std::array<std::uint64_t, cut_kinds_max> cuts_{};
    std::vector<std::optional<Violation<M>>> violations_;  // the smallest of each property
    std::vector<std::uint8_t> is_reached_;                 // each witness
};

}  // namespace ringfence::checker
