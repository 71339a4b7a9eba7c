#include "model/names.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

TEST_CASE("threads, partitions, records and members have short names") {
    CHECK(thread_name(ThreadId{3}) == "D");
    CHECK(partition_name(PartitionId{2}) == "p2");
    CHECK(record_name(0) == "r1");
    CHECK(member_name(MemberId{1}) == "B");
    CHECK(member_name(MemberId{threads_max + 1}) == "B-former");
    CHECK(epoch_name(Epoch{}) == "none");
    CHECK(epoch_name(Epoch{1}) == "0");
}

TEST_CASE("sets are lists of names") {
    CHECK(partitions_name(0) == "none");
    CHECK(partitions_name(offsets_partition_bit | 3U) == "p0, p1, offsets");
    CHECK(members_name(0b10'0001) == "A, B-former");
    CHECK(records_name(0b10'00'01) == "r1, r3 twice");
}

TEST_CASE("transactional ids are called as Kafka Streams calls them") {
    Configuration v2;
    v2.bounds.threads = 2;
    v2.bounds.partitions = 2;
    CHECK(producer_name(v2, ProducerId{1}) == "app-B");
    v2.rules.transactional_id = IdScope::instance;
    CHECK(producer_name(v2, ProducerId{0}) == "app-instance");
    v2.rules.transactional_id = IdScope::random;
    CHECK(producer_name(v2, ProducerId{1}) == "app-B-random");
    CHECK(producer_name(v2, ProducerId{2}) == "app-A-random-former");

    Configuration v1 = v2;
    v1.rules.guarantee = Guarantee::exactly_once;
    v1.rules.transactional_id = IdScope::automatic;
    CHECK(producer_name(v1, ProducerId{1}) == "app-0_1");
    v1.rules.transactional_id = IdScope::thread;
    CHECK(producer_name(v1, ProducerId{2}) == "app-B-0_0");
    v1.rules.transactional_id = IdScope::random;
    CHECK(producer_name(v1, ProducerId{7}) == "app-B-0_1-random-former");
}

}  // namespace ringfence::model
