// Distinct one-byte types, so that the compiler tells threads, partitions and producers apart.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ringfence::model {

template <class Tag>
struct Index {
    std::uint8_t value = 0;

    constexpr Index() = default;
    constexpr explicit Index(std::size_t index) : value(static_cast<std::uint8_t>(index)) {}

    [[nodiscard]] constexpr std::uint8_t bit() const {
        return static_cast<std::uint8_t>(1U << value);
    }
    friend constexpr auto operator<=>(Index, Index) = default;
};

using ThreadId = Index<struct ThreadTag>;        // a stream thread, 0 to threads - 1
using PartitionId = Index<struct PartitionTag>;  // an input partition, its task and its output
using ProducerId = Index<struct ProducerTag>;    // a transactional.id and the producer id behind it
using MemberId = Index<struct MemberTag>;        // a slot of the group, see group_coordinator.hpp

// A number that Kafka counts up, with -1 ("none") stored as 0 so that an untouched field is zero.
template <class Tag>
struct Counter {
    std::uint8_t raw = 0;  // Kafka's number plus one

    [[nodiscard]] constexpr bool is_known() const { return raw != 0; }
    [[nodiscard]] constexpr int number() const { return raw - 1; }  // as Kafka prints it
    [[nodiscard]] constexpr Counter next() const {
        return Counter{static_cast<std::uint8_t>(raw + 1)};
    }
    friend constexpr auto operator<=>(Counter, Counter) = default;
};

using Epoch = Counter<struct EpochTag>;

// Sets of bits in a byte.
[[nodiscard]] constexpr std::uint8_t with(std::uint8_t set, std::uint8_t bits) {
    return static_cast<std::uint8_t>(set | bits);
}
[[nodiscard]] constexpr std::uint8_t without(std::uint8_t set, std::uint8_t bits) {
    return static_cast<std::uint8_t>(set & ~bits);
}

// These count from 0 upwards as they are.
using Generation = std::uint8_t;  // 0 before the first rebalance is complete
using Offset = std::uint8_t;      // 0 to records

}  // namespace ringfence::model
