// How many cores take part in a search of the Kafka model changes nothing but the time it takes.
#include "tests/oracle/comparison.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

namespace ringfence::tests {

namespace {

using model::KafkaModel;

void check_workers(const KafkaModel& model) {
    checker::SearchOptions options;
    const KafkaReport alone = search_all(model, options);
    for (const unsigned workers : {2U, 4U}) {
        CAPTURE(workers);
        options.workers = workers;
        check_identical(alone, search_all(model, options));
    }
}

}  // namespace

TEST_CASE("one, two and four workers give the same report about v2") {
    check_workers(KafkaModel(rules_of_scheme("v2"), {}, {}));
}

TEST_CASE("one, two and four workers give the same report about v1") {
    check_workers(KafkaModel(rules_of_scheme("v1_clients_3.0_to_3.9"), {}, {}));
}

TEST_CASE("one, two and four workers give the same traces where many laws fall") {
    check_workers(KafkaModel(rules_of("v1_no_bumps"), {}, {}));
    check_workers(KafkaModel(rules_of("v2_timeout_does_not_bump"), {}, {}));
}

TEST_CASE("one, two and four workers give the same report about two partitions") {
    const model::Bounds bounds{.threads = 2, .partitions = 2, .records = 1, .generations = 2};
    check_workers(KafkaModel(rules_of_scheme("v2"), bounds, {}));  // half a million states
}

TEST_CASE("one, two and four workers give the same report about messages in flight") {
    // 4.4 million states keep four workers busy; a second record makes them 36 million, in minutes.
    const model::Bounds bounds{.threads = 1, .partitions = 1, .records = 1, .generations = 2};
    const model::Disturbances disturbances{
        .late_request = 1, .duplicated_request = 1, .lost_answer = 1, .duplicated_marker = 1};
    for (const auto version : {model::TransactionVersion::one, model::TransactionVersion::two}) {
        model::Rules rules = rules_of_scheme("v2");
        rules.transaction_version = version;
        rules.verification = model::Verification::guarded;
        check_workers(KafkaModel(rules, bounds, disturbances));
    }
}

TEST_CASE("one, two and four workers stop at the same state when states are limited") {
    const KafkaModel model(rules_of_scheme("v2"), {}, {});
    checker::SearchOptions options;
    options.states_max = 100'000;
    const KafkaReport alone = search_all(model, options);
    CHECK(alone.ending == checker::Ending::states);
    options.workers = 4;
    check_identical(alone, search_all(model, options));
}

}  // namespace ringfence::tests
