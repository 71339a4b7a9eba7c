// How little of a cluster the most frequent steps depend on (checker::HasFootprints): a marker, for
// instance, on its transactional id, on what is open at the leader that it goes to, and on what
// readers have seen of that partition. They hold where KafkaModel has scopes: there are no
// changelogs then, and nothing is in flight. None are told where ids are random: those that are
// left behind make these steps depend on more.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::model {

class Footprints {
  public:
    explicit Footprints(const Configuration& configuration);

    // By number: of each byte of a cluster whether it is in (not 0).
    [[nodiscard]] const std::vector<std::vector<std::uint8_t>>& all() const { return all_; }
    // The number of an action's footprint, or `none`.
    static constexpr std::uint16_t none = 0xFFFF;
    [[nodiscard]] std::size_t of(const Action& action) const {
        const bool is_of_coordinator = (coordinator_steps >> to_index(action.verb) & 1U) != 0;
        const std::uint8_t owner = is_of_coordinator ? action.producer.value : action.thread.value;
        return numbers_[to_index(action.verb)][owner][action.partition.value];
    }

  private:
    [[nodiscard]] static std::size_t to_index(Verb verb) { return static_cast<std::size_t>(verb); }
    static constexpr std::uint64_t coordinator_steps =
        set_of(Verb::write_marker, Verb::write_offsets_marker, Verb::complete_txn);

    std::vector<std::vector<std::uint8_t>> all_;
    // By verb, thread or transactional id, and partition.
    std::array<std::array<std::array<std::uint16_t, partitions_max>, producers_max>, verbs>
        numbers_;
};

}  // namespace ringfence::model
