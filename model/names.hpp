// What a person calls the things of the model: threads A to D, partitions p0 to p3, records r1 to
// r4, transactional ids as Kafka Streams builds them ("app" stands for the application.id). For
// traces and for the prose of laws.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringfence::model {

[[nodiscard]] std::string thread_name(ThreadId thread);           // "A"
[[nodiscard]] std::string partition_name(PartitionId partition);  // "p0"
[[nodiscard]] std::string record_name(Offset record);             // "r1" for the record at offset 0

// "A" for the member that thread A's present incarnation is, "A-former" for the one that an
// incarnation before its restart has left behind.
[[nodiscard]] std::string member_name(MemberId member);

// The transactional id: "app-0_1" (of a task), "app-A" (of a thread), "app-A-0_1" (of a thread's
// task), "app-instance", "app-A-random" and, left behind by a restart, "app-A-random-former".
[[nodiscard]] std::string producer_name(const Configuration& configuration, ProducerId producer);

[[nodiscard]] std::string epoch_name(Epoch epoch);  // "none", "0", "1", ...

// "p0, p1", with "offsets" for offsets_partition_bit; "none" for the empty set.
[[nodiscard]] std::string partitions_name(std::uint8_t partitions);
// "A, B-former", "none".
[[nodiscard]] std::string members_name(std::uint8_t members);
// Counts of two bits a record: "r1, r2 twice", "none".
[[nodiscard]] std::string records_name(std::uint8_t counts);

// The same for sets, a bit a record.
[[nodiscard]] std::string records_of_bits(std::uint8_t records);

// Kafka's own names for the states of its actors.
[[nodiscard]] std::string_view name_of(GroupPhase phase);        // "PreparingRebalance", ...
[[nodiscard]] std::string_view name_of(TransactionState state);  // "PrepareCommit", ...
// The model's names for what a thread is at.
[[nodiscard]] std::string_view name_of(Life life);
[[nodiscard]] std::string_view name_of(Membership membership);
[[nodiscard]] std::string_view name_of(TaskPhase phase);
[[nodiscard]] std::string_view name_of(TransactionPhase phase);

}  // namespace ringfence::model
