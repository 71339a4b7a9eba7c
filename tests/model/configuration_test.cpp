#include "model/configuration.hpp"

#include <doctest/doctest.h>

#include <set>

namespace ringfence::model {

namespace {

Configuration configuration_of(Guarantee guarantee, IdScope scope = IdScope::automatic) {
    Configuration configuration;
    configuration.rules.guarantee = guarantee;
    configuration.rules.transactional_id = scope;
    configuration.bounds = {.threads = 2, .partitions = 3};
    return configuration;
}

// How many ids the producers of all threads and tasks have between them.
std::size_t distinct_ids(const Configuration& configuration) {
    std::set<ProducerId> ids;
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            ids.insert(configuration.producer_id(ThreadId{t}, PartitionId{slot}));
        }
    }
    return ids.size();
}

}  // namespace

TEST_CASE("without transactions there are no producers and no ids") {
    const Configuration configuration = configuration_of(Guarantee::at_least_once);
    CHECK(configuration.producer_slots() == 0);
    CHECK(configuration.current_producers() == 0);
    CHECK(configuration.producers() == 0);
    CHECK(configuration.producer_id(ThreadId{1}, PartitionId{2}) == ProducerId{0});
    const Configuration of_tasks = configuration_of(Guarantee::at_least_once, IdScope::task);
    CHECK(of_tasks.current_producers() == 0);
    CHECK(of_tasks.producer_id(ThreadId{1}, PartitionId{2}) == ProducerId{0});
}

TEST_CASE("v2 has one producer and one id for each thread") {
    const Configuration configuration = configuration_of(Guarantee::exactly_once_v2);
    CHECK(configuration.producer_slots() == 1);
    CHECK(configuration.producer_slot(PartitionId{2}) == 0);
    CHECK(configuration.current_producers() == 2);
    CHECK(configuration.producers() == 2);
    CHECK(distinct_ids(configuration) == 2);
}

TEST_CASE("v1 has one producer and one id for each task, whoever runs it") {
    const Configuration configuration = configuration_of(Guarantee::exactly_once);
    CHECK(configuration.producer_slots() == 3);
    CHECK(configuration.producer_slot(PartitionId{2}) == 2);
    CHECK(configuration.current_producers() == 3);
    CHECK(configuration.producers() == 3);
    CHECK(distinct_ids(configuration) == 3);
    CHECK(configuration.producer_id(ThreadId{0}, PartitionId{1}) ==
          configuration.producer_id(ThreadId{1}, PartitionId{1}));
}

TEST_CASE("ids may name threads or one instance instead") {
    CHECK(distinct_ids(configuration_of(Guarantee::exactly_once, IdScope::thread)) == 6);
    CHECK(distinct_ids(configuration_of(Guarantee::exactly_once, IdScope::instance)) == 1);
    CHECK(configuration_of(Guarantee::exactly_once_v2, IdScope::instance).current_producers() == 1);
}

TEST_CASE("a random id leaves room for the one before it") {
    const Configuration v1 = configuration_of(Guarantee::exactly_once, IdScope::random);
    CHECK(v1.current_producers() == 6);
    CHECK(v1.producers() == 12);
    CHECK(configuration_of(Guarantee::exactly_once_v2, IdScope::random).producers() == 4);
}

}  // namespace ringfence::model
