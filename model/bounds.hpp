// Every limit of the state space: how large the cluster is, and how often it is disturbed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ringfence::model {

inline constexpr std::size_t threads_max = 4;
inline constexpr std::size_t partitions_max = 4;
inline constexpr std::size_t records_max = 4;
inline constexpr std::size_t generations_max = 6;
inline constexpr std::size_t epoch_max = 7;

// The generation bound forbids what would *start* a rebalance at the last generation (join, leave,
// expulsion, trigger), never its completion. A bump beyond the largest epoch is forbidden too.
struct Bounds {
    std::uint8_t threads = 2;      // stream threads, 1 to threads_max
    std::uint8_t partitions = 1;   // input partitions, one task and one output partition each
    std::uint8_t records = 2;      // per input partition
    std::uint8_t generations = 3;  // highest generation of the group
    std::uint8_t epoch = 7;        // largest producer epoch

    friend bool operator==(const Bounds&, const Bounds&) = default;
};

struct BoundEntry {
    std::string_view name;  // as in [bounds] and in --NAME
    std::string_view what;
    std::uint8_t Bounds::*member;
    std::uint8_t min, max;
};

[[nodiscard]] std::span<const BoundEntry> bound_catalogue();

// How often each disturbance may strike in one run. Healing work (ordinary requests, and the
// session and transaction timeouts of a crashed thread or a producer that is gone) has no budget.
struct Disturbances {
    static constexpr std::uint8_t unlimited = 255;
    static constexpr std::uint8_t budget_max = 15;

    std::uint8_t expulsion = 1;            // of a live member (session or rebalance timeout)
    std::uint8_t transaction_timeout = 1;  // of a live producer's transaction
    std::uint8_t voluntary_rebalance = 0;  // a healthy member triggers one, or leaves
    std::uint8_t crash = 0;
    std::uint8_t restart = 0;
    std::uint8_t late_request = 0;
    std::uint8_t duplicated_request = 0;
    std::uint8_t lost_answer = 0;  // of a request or a marker
    std::uint8_t late_marker = 0;
    std::uint8_t duplicated_marker = 0;
    std::uint8_t transaction_coordinator_failover = 0;
    std::uint8_t producer_expiry = 0;  // a leader forgets a producer id

    friend bool operator==(const Disturbances&, const Disturbances&) = default;
};

[[nodiscard]] constexpr bool has_left(std::uint8_t budget, std::uint8_t left) {
    return budget == Disturbances::unlimited || left > 0;
}

struct DisturbanceEntry {
    std::string_view name;  // as in [disturbances] and --disturb NAME=N
    std::string_view what;
    std::uint8_t Disturbances::*member;
};

[[nodiscard]] std::span<const DisturbanceEntry> disturbance_catalogue();

// Disturbances of later work, refused by name.
[[nodiscard]] std::span<const std::string_view> disturbances_not_built();

}  // namespace ringfence::model
