// Which threads and partitions are called what does not matter: the permutations of names under
// which the model stays the same.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ringfence::model {

// The new name of each thread and partition.
struct Renaming {
    std::array<std::uint8_t, threads_max> threads{};
    std::array<std::uint8_t, partitions_max> partitions{};
};

// All but the identity: every permutation of the threads with every one of the partitions, names
// beyond the bounds staying as they are. No rule treats a thread or a partition specially.
[[nodiscard]] std::vector<Renaming> renamings(const Configuration& configuration);

void rename(const Configuration& configuration, const Renaming& renaming, Cluster& cluster);

}  // namespace ringfence::model
