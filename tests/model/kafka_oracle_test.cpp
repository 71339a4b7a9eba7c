// The naive search against the real one on small bounds of the Kafka model: distinct states,
// transitions, levels, results of every kind of step, cuts, verdicts, shortest lengths, witnesses.
#include "tests/oracle/comparison.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace ringfence::tests {

namespace {

using model::Bounds;
using model::Disturbances;
using model::Guarantee;
using model::KafkaModel;
using model::RuleEntry;
using model::Rules;

struct Size {
    Bounds bounds;
    Disturbances disturbances;
};

// A thread is expelled or its transaction times out, and another takes over.
constexpr Size takeover{
    .bounds = {.threads = 2, .partitions = 1, .records = 1, .generations = 2, .epoch = 2},
    .disturbances = {.expulsion = 1, .transaction_timeout = 1}};
// One thread, and everything that can happen to it.
constexpr Size lonely{
    .bounds = {.threads = 1, .partitions = 1, .records = 1, .generations = 2, .epoch = 2},
    .disturbances = {.expulsion = 1,
                     .transaction_timeout = 1,
                     .voluntary_rebalance = 1,
                     .crash = 1,
                     .restart = 1}};
// The same for longer.
constexpr Size long_life{
    .bounds = {.threads = 1, .partitions = 1, .records = 2, .generations = 3, .epoch = 7},
    .disturbances = lonely.disturbances};
// So few epochs that most bumps are cut.
constexpr Size few_epochs{
    .bounds = {.threads = 2, .partitions = 1, .records = 1, .generations = 2, .epoch = 1},
    .disturbances = {.expulsion = 1, .transaction_timeout = 1}};
// Two tasks of one thread: a transaction over both in v2, one for each in v1.
constexpr Size two_tasks{.bounds = {.threads = 1, .partitions = 2, .records = 1, .generations = 2},
                         .disturbances = {.expulsion = 1, .transaction_timeout = 1}};
// Incarnations beside one another.
constexpr Size restarts{
    .bounds = {.threads = 2, .partitions = 1, .records = 1, .generations = 2},
    .disturbances = {.expulsion = 1, .transaction_timeout = 0, .crash = 1, .restart = 1}};

// One message of one thread is disturbed, and what then may come of it.
constexpr Bounds short_life{
    .threads = 1, .partitions = 1, .records = 2, .generations = 1, .epoch = 3};
constexpr std::array<Size, 5> disturbed{{
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .late_request = 1}},
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .duplicated_request = 1}},
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .lost_answer = 1}},
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .late_marker = 1}},
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .duplicated_marker = 1}},
}};
// Leaders and coordinators that forget.
constexpr std::array<Size, 3> forgetful{{
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .producer_expiry = 1}},
    {short_life, {.expulsion = 0, .transaction_timeout = 1, .transaction_coordinator_failover = 1}},
    {short_life,
     {.expulsion = 0,
      .transaction_timeout = 0,
      .duplicated_marker = 1,
      .transaction_coordinator_failover = 1}},
}};
// Two at a time, so that what is in flight has an order.
constexpr Size pair_in_flight{
    .bounds = {.threads = 1, .partitions = 1, .records = 1, .generations = 1, .epoch = 3},
    .disturbances = {.expulsion = 0,
                     .transaction_timeout = 0,
                     .late_request = 1,
                     .duplicated_request = 1,
                     .lost_answer = 1,
                     .late_marker = 1}};

void compare(const Rules& rules, const Size& size) {
    const KafkaModel model(rules, size.bounds, size.disturbances);
    check_against_oracle<KafkaModel>(model, properties::laws(), properties::witnesses(),
                                     search_all(model));
}

// "guarantee=exactly_once_v2 group_metadata=full ...", to repeat a failure.
std::string text_of(const Rules& rules) {
    std::string text;
    for (const RuleEntry& rule : model::rule_catalogue()) {
        text += std::string(rule.name) + "=" + std::string(rule.values[rule.get(rules)]) + " ";
    }
    return text;
}

// The constructor refuses a producer for each task where there is one for each thread.
bool is_refused(const Rules& rules) {
    return rules.guarantee == Guarantee::exactly_once_v2 &&
           rules.transactional_id == model::IdScope::task;
}

// ---- a covering set: any two values of any two rules meet in some row ----

class Pairs {
  public:
    using Value = std::pair<std::size_t, std::size_t>;  // a rule and one of its values

    // All pairs of values of rules other than `guarantee`, which is the same in all rows: a pair
    // that met only under at_least_once would have met in vain.
    explicit Pairs(Guarantee guarantee) : base_{.guarantee = guarantee} {
        const auto rules = model::rule_catalogue();
        for (std::size_t left = 1; left < rules.size(); ++left) {
            for (std::size_t right = left + 1; right < rules.size(); ++right) {
                add_pairs(left, right);
            }
        }
    }

    [[nodiscard]] std::size_t size() const { return open_.size(); }

    // Covers all of them, taking for each rule in turn the value that closes most pairs.
    [[nodiscard]] std::vector<Rules> rows() {
        std::vector<Rules> rows;
        while (!open_.empty()) { rows.push_back(next_row()); }
        return rows;
    }

  private:
    void add_pairs(std::size_t left, std::size_t right) {
        const auto rules = model::rule_catalogue();
        for (std::size_t i = 0; i < rules[left].values.size(); ++i) {
            for (std::size_t j = 0; j < rules[right].values.size(); ++j) {
                const bool is_possible = is_allowed({left, i}) && is_allowed({right, j});
                if (is_possible) { open_.insert({{left, i}, {right, j}}); }
            }
        }
    }

    [[nodiscard]] bool is_allowed(Value value) const {
        Rules rules = base_;
        model::rule_catalogue()[value.first].set(rules, value.second);
        return !is_refused(rules);
    }

    [[nodiscard]] Rules next_row() {
        const auto rules = model::rule_catalogue();
        const auto [first, second] = *open_.begin();
        std::vector<Value> row{first, second};
        for (std::size_t rule = 1; rule < rules.size(); ++rule) {
            if (rule != first.first && rule != second.first) {
                row.push_back(best_value(rule, row));
            }
        }
        Rules result = base_;
        for (const Value& value : row) { rules[value.first].set(result, value.second); }
        for (const Value& left : row) {
            for (const Value& right : row) { open_.erase({left, right}); }
        }
        return result;
    }

    // The value that meets most values of the row for the first time; the first of these.
    [[nodiscard]] Value best_value(std::size_t rule, const std::vector<Value>& row) const {
        Value best{rule, 0};
        std::ptrdiff_t best_count = -1;
        for (std::size_t i = 0; i < model::rule_catalogue()[rule].values.size(); ++i) {
            const Value value{rule, i};
            const auto count = std::ranges::count_if(
                row, [&](const Value& other) { return open_.contains(std::minmax(other, value)); });
            if (is_allowed(value) && count > best_count) {
                best = value;
                best_count = count;
            }
        }
        return best;
    }

    Rules base_;
    std::set<std::pair<Value, Value>> open_;  // the smaller rule first
};

void compare_covering_set(Guarantee guarantee) {
    const auto started = std::chrono::steady_clock::now();
    Pairs pairs(guarantee);
    const std::size_t all = pairs.size();
    const std::vector<Rules> rows = pairs.rows();
    for (const Rules& rules : rows) {
        CAPTURE(text_of(rules));
        compare(rules, takeover);
        compare(rules, lonely);
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    MESSAGE(all, " pairs in ", rows.size(), " rows at two sizes, ", seconds.count(), " s");
}

// Every value of every rule but the guarantee, one at a time.
void compare_single_values(std::string_view scheme) {
    const auto rules = model::rule_catalogue().subspan(1);
    for (const RuleEntry& rule : rules) {
        for (std::size_t value = 0; value < rule.values.size(); ++value) {
            Rules changed = rules_of_scheme(scheme);
            if (rule.get(changed) == value) { continue; }
            rule.set(changed, value);
            if (is_refused(changed)) { continue; }
            CAPTURE(text_of(changed));
            compare(changed, takeover);
            compare(changed, lonely);
        }
    }
}

}  // namespace

TEST_CASE("the naive search agrees on every scheme") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        CAPTURE(scheme.name);
        for (const Size& size : {takeover, lonely, long_life, few_epochs, two_tasks, restarts}) {
            compare(scheme.rules, size);
        }
    }
}

TEST_CASE("the naive search agrees on every single rule on top of v2") {
    compare_single_values("v2");
}

TEST_CASE("the naive search agrees on every single rule on top of v1 with clients up to 2.5") {
    compare_single_values("v1_clients_up_to_2.5");
}

TEST_CASE("the naive search agrees on every single rule on top of v1 with clients 2.6 to 2.8") {
    compare_single_values("v1_clients_2.6_to_2.8");
}

TEST_CASE("the naive search agrees on every single rule on top of v1 with clients 3.0 to 3.9") {
    compare_single_values("v1_clients_3.0_to_3.9");
}

TEST_CASE("the naive search agrees on every single rule on top of at_least_once") {
    compare_single_values("at_least_once");
}

TEST_CASE("the naive search agrees on each disturbance of the network and of brokers") {
    const Rules version_2 =
        with(rules_of_scheme("v2"), {"transaction_version=2", "verification=guarded"});
    for (const Rules& rules : {rules_of_scheme("v2"), rules_of_scheme("v1_clients_up_to_2.5"),
                               version_2, rules_of_scheme("at_least_once")}) {
        CAPTURE(text_of(rules));
        for (const Size& size : disturbed) { compare(rules, size); }
        for (const Size& size : forgetful) { compare(rules, size); }
        compare(rules, pair_in_flight);
    }
}

TEST_CASE("the only single value that a scheme refuses is an id for each task under v2") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        for (const RuleEntry& rule : model::rule_catalogue()) {
            for (std::size_t value = 0; value < rule.values.size(); ++value) {
                Rules changed = scheme.rules;
                rule.set(changed, value);
                if (is_refused(changed)) {
                    CHECK_THROWS_AS(KafkaModel(changed, {}, {}), std::invalid_argument);
                } else {
                    CHECK_NOTHROW(KafkaModel(changed, {}, {}));
                }
            }
        }
    }
}

TEST_CASE("the naive search agrees on a pairwise covering set of all rules under v2") {
    compare_covering_set(Guarantee::exactly_once_v2);
}

TEST_CASE("the naive search agrees on a pairwise covering set of all rules under v1") {
    compare_covering_set(Guarantee::exactly_once);
}

TEST_CASE("the naive search agrees on a pairwise covering set of all rules without transactions") {
    compare_covering_set(Guarantee::at_least_once);
}

}  // namespace ringfence::tests
