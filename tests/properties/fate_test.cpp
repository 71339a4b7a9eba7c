// No request is spared: whichever a producer sends may come late, come twice, or lose its answer,
// and the search finds by itself which of them does harm.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

namespace ringfence::tests {

namespace {

using model::Disturbances;
using model::Fate;
using model::KafkaModel;
using model::Verb;
using Step = checker::Step<KafkaModel>;
using properties::Witness;

template <Verb verb>
bool is_accepted_late(const KafkaModel&, const Step& step) {
    return step.before.in_flight[step.action.message].verb == verb &&
           step.outcome.error == model::Error::none;
}

template <Verb verb>
bool is_unanswered(const KafkaModel&, const Step& step) {
    return step.action.fate == Fate::unanswered;
}

// A request, and whether a copy of it may be accepted under either transaction version.
struct Row {
    Verb verb;
    std::string_view scheme;
    Witness late;
    Witness unanswered;
};

template <Verb verb>
constexpr Row row(std::string_view scheme) {
    return {verb,
            scheme,
            {"late", "late", is_accepted_late<verb>, model::set_of(Verb::deliver_request)},
            {"unanswered", "unanswered", is_unanswered<verb>, model::set_of(verb)}};
}

constexpr std::array rows{
    row<Verb::init_producer_id>("v2"),  row<Verb::add_partition>("v2"),
    row<Verb::produce>("v2"),           row<Verb::add_offsets>("v2"),
    row<Verb::txn_offset_commit>("v2"), row<Verb::end_txn_commit>("v2"),
    row<Verb::end_txn_abort>("v2"),     row<Verb::offset_commit>("at_least_once"),
};

bool is_met(const Witness& witness, const model::Rules& rules, std::uint8_t Disturbances::*budget) {
    constexpr model::Bounds bounds{.threads = 1, .partitions = 1, .records = 2, .generations = 2};
    Disturbances disturbances{.expulsion = 0, .transaction_timeout = 0};
    disturbances.*budget = 1;
    const KafkaModel model(rules, bounds, disturbances);
    return cli::search(model, {}, std::span(&witness, 1), {}).witnesses[0].is_reached;
}

}  // namespace

TEST_CASE("every request of a producer may be late, repeated, or without an answer") {
    for (const Row& row : rows) {
        CAPTURE(static_cast<int>(row.verb));
        const model::Rules rules = with(rules_of_scheme(row.scheme), {"aborts_at_will=yes"});
        CHECK(is_met(row.late, rules, &Disturbances::late_request));
        CHECK(is_met(row.late, rules, &Disturbances::duplicated_request));
        CHECK(is_met(row.unanswered, rules, &Disturbances::lost_answer));
    }
}

TEST_CASE("an epoch that its client made up is refused, or up to 2.5 stops the coordinator") {
    // KAFKA-9600
    constexpr model::Bounds bounds{.threads = 1, .partitions = 1, .records = 1, .generations = 2};
    const Disturbances loses{.expulsion = 0, .transaction_timeout = 0, .lost_answer = 1};
    const auto report_of = [&](std::initializer_list<std::string_view> rules) {
        return search_all(KafkaModel(with(rules_of_scheme("v2"), rules), bounds, loses));
    };
    const std::size_t hangs = index_of_law("no_hanging_transaction");
    const std::size_t stops = index_of_law("deadlock_free");
    const KafkaReport equal = report_of({"bumps_after_abort=by_itself"});
    CHECK(equal.properties[hangs].verdict == checker::Verdict::holds);
    CHECK(equal.properties[stops].verdict == checker::Verdict::holds);
    const KafkaReport at_least =
        report_of({"bumps_after_abort=by_itself", "end_txn_epoch_test=at_least"});
    CHECK(at_least.properties[hangs].verdict == checker::Verdict::refuted);
    CHECK(at_least.properties[stops].verdict == checker::Verdict::refuted);
    // No other client ever has an epoch that the coordinator has not.
    const KafkaReport asks = report_of({"bumps_after_abort=yes", "end_txn_epoch_test=at_least"});
    CHECK(asks.states == report_of({"bumps_after_abort=yes"}).states);
    CHECK(asks.properties[hangs].verdict == checker::Verdict::holds);
}

TEST_CASE("under version 2 the sequences of the next epoch begin anew") {
    // A copy of a batch is appended, and its transaction aborted: the next one's is no duplicate.
    constexpr model::Bounds bounds{.threads = 1, .partitions = 1, .records = 2, .generations = 2};
    const Disturbances repeats{.expulsion = 0, .transaction_timeout = 0, .duplicated_request = 1};
    const model::Rules rules =
        with(rules_of_scheme("v2"),
             {"transaction_version=2", "verification=guarded", "aborts_at_will=yes"});
    const KafkaReport report = search_all(KafkaModel(rules, bounds, repeats));
    for (const std::string_view law :
         {"atomic_outcome", "confirmed_commit_is_kept", "no_aborted_read", "deadlock_free"}) {
        CAPTURE(law);
        CHECK(report.properties[index_of_law(law)].verdict == checker::Verdict::holds);
    }
}

}  // namespace ringfence::tests
