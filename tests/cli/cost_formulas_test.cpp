// The formulas of `ringfence cost` against its search, at every bound that the search can reach in
// a few seconds, and the search against other ways to count.
#include "cli/cost_search.hpp"
#include "cli/kafka_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace ringfence;
using model::Bounds;
using model::CostEntry;
using model::CostKind;
using model::Situation;

namespace {

constexpr model::Ghosts no_ghosts{.visible = false,
                                  .decided_end = false,
                                  .elders = false,
                                  .stray = false,
                                  .confirmed = false,
                                  .timed_out = false};

const model::Rules& rules_of(std::string_view scheme) {
    return std::ranges::find(model::scheme_catalogue(), scheme, &model::Scheme::name)->rules;
}

model::KafkaModel model_of(std::string_view scheme, Bounds bounds, Situation situation) {
    bounds.generations = model::generations_of(situation);
    return {rules_of(scheme), bounds, model::disturbances_of(situation), no_ghosts};
}

Bounds bounds_of(unsigned threads, unsigned partitions, unsigned records) {
    Bounds bounds;
    bounds.threads = static_cast<std::uint8_t>(threads);
    bounds.partitions = static_cast<std::uint8_t>(partitions);
    bounds.records = static_cast<std::uint8_t>(records);
    return bounds;
}

std::string text_of(const Bounds& bounds) {
    return std::to_string(bounds.threads) + " threads, " + std::to_string(bounds.partitions) +
           " partitions, " + std::to_string(bounds.records) + " records";
}

bool is_wait(const CostEntry& entry) {
    return entry.kind == CostKind::init_wait || entry.kind == CostKind::fetch_wait;
}

// A complete search finds what the formulas say; one that is cut short finds no more than that.
bool check_formulas(std::string_view scheme, const Bounds& bounds, Situation situation,
                    std::uint64_t states_max) {
    const auto report =
        cli::search_costs(model_of(scheme, bounds, situation), {.states_max = states_max});
    CHECK(report.waits_for_ever == 0);
    const auto catalogue = model::cost_catalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
        const auto& formula = catalogue[i].of_scheme(rules_of(scheme)).in(situation);
        const std::uint64_t said = formula.value(model::searched(bounds, situation));
        const std::uint64_t found = report.costs[i].value;
        const std::string where =
            std::string(scheme) + ", " + text_of(bounds) + ", " + std::string(name_of(situation)) +
            ": " + std::string(catalogue[i].name) + " = " + std::string(formula.text);
        if (report.is_complete()) { CHECK_MESSAGE(found == said, where); }
        CHECK_MESSAGE(found <= said, where);
    }
    return report.is_complete();
}

// All bounds, but for those that are larger in every respect than one out of reach.
std::size_t check_all_bounds(std::string_view scheme, Situation situation,
                             std::uint64_t states_max) {
    std::vector<Bounds> out_of_reach;
    std::size_t reached = 0;
    for (unsigned threads = 2; threads <= model::threads_max; ++threads) {
        for (unsigned partitions = 1; partitions <= model::partitions_max; ++partitions) {
            for (unsigned records = 1; records <= model::records_max; ++records) {
                const Bounds bounds = bounds_of(threads, partitions, records);
                const bool is_hopeless =
                    std::ranges::any_of(out_of_reach, [&bounds](const Bounds& other) {
                        return bounds.threads >= other.threads &&
                               bounds.partitions >= other.partitions &&
                               bounds.records >= other.records;
                    });
                if (is_hopeless) { continue; }
                if (check_formulas(scheme, bounds, situation, states_max)) {
                    ++reached;
                } else {
                    out_of_reach.push_back(bounds);
                }
            }
        }
    }
    return reached;
}

constexpr std::uint64_t few_states = 40'000;

// Fewest steps that end a wait, forward from one state and without any graph.
std::uint32_t naive_wait(const model::KafkaModel& model, const model::Cluster& from,
                         model::ThreadId thread, CostKind kind) {
    const auto waits = [&](const model::Cluster& cluster) {
        checker::Enabled<model::Action> enabled;
        model.actions(cluster, enabled);
        return std::ranges::any_of(enabled, [&](const model::Action& action) {
            model::Cluster after = cluster;
            const auto outcome = model.apply(after, action);
            return action.thread == thread &&
                   model::shows_wait({cluster, action, outcome, after}, kind);
        });
    };
    std::vector<model::Cluster> level{from};
    std::vector<model::Cluster> seen{from};
    for (std::uint32_t distance = 0;; ++distance) {
        std::vector<model::Cluster> next;
        for (const model::Cluster& cluster : level) {
            if (model::would_show_wait(cluster, thread) && !waits(cluster)) { return distance; }
            checker::Enabled<model::Action> enabled;
            model.actions(cluster, enabled);
            for (const model::Action& action : enabled) {
                if (!model::may_end_wait(action)) { continue; }
                model::Cluster after = cluster;
                static_cast<void>(model.apply(after, action));
                if (std::ranges::find(seen, after) != seen.end()) { continue; }
                seen.push_back(after);
                next.push_back(after);
            }
        }
        REQUIRE(!next.empty());
        level = std::move(next);
    }
}

}  // namespace

TEST_CASE("v2: the formulas are what the search finds") {
    CHECK(check_all_bounds("v2", Situation::undisturbed, few_states) >= 20);
    CHECK(check_all_bounds("v2", Situation::member_expelled, few_states) >= 5);
}

TEST_CASE("v2: the formulas are what the search finds where one thread has two tasks") {
    CHECK(check_formulas("v2", bounds_of(2, 2, 1), Situation::member_expelled, 150'000));
    CHECK(check_formulas("v2", bounds_of(4, 1, 1), Situation::member_expelled, 200'000));
}

TEST_CASE("v1, clients up to 2.5: the formulas are what the search finds") {
    const std::string_view scheme = "v1_clients_up_to_2.5";
    CHECK(check_all_bounds(scheme, Situation::undisturbed, few_states) >= 20);
    CHECK(check_all_bounds(scheme, Situation::member_expelled, few_states) >= 5);
    CHECK(check_formulas(scheme, bounds_of(2, 2, 1), Situation::member_expelled, 300'000));
}

TEST_CASE("v1, clients 2.6 to 2.8: the formulas are what the search finds") {
    const std::string_view scheme = "v1_clients_2.6_to_2.8";
    CHECK(check_all_bounds(scheme, Situation::undisturbed, few_states) >= 20);
    CHECK(check_all_bounds(scheme, Situation::member_expelled, few_states) >= 5);
    CHECK(check_formulas(scheme, bounds_of(2, 2, 1), Situation::member_expelled, 450'000));
}

TEST_CASE("v1, clients 3.0 to 3.9: the formulas are what the search finds") {
    const std::string_view scheme = "v1_clients_3.0_to_3.9";
    CHECK(check_all_bounds(scheme, Situation::undisturbed, few_states) >= 20);
    CHECK(check_all_bounds(scheme, Situation::member_expelled, few_states) >= 5);
    CHECK(check_formulas(scheme, bounds_of(2, 2, 1), Situation::member_expelled, 450'000));
}

TEST_CASE("at least once: the formulas are what the search finds") {
    CHECK(check_all_bounds("at_least_once", Situation::undisturbed, few_states) >= 30);
    CHECK(check_all_bounds("at_least_once", Situation::member_expelled, few_states) >= 10);
}

TEST_CASE("two threads, two partitions, one record: what is found is pinned") {
    const auto found = [](std::string_view scheme, Situation situation) {
        const auto report = cli::search_costs(model_of(scheme, bounds_of(2, 2, 1), situation), {});
        std::vector<std::uint64_t> values;
        for (const auto& cost : report.costs) { values.push_back(cost.value); }
        return values;
    };
    using Values = std::vector<std::uint64_t>;
    // producers, connections, entries, calls at start, of a rebalance; tasks, records rolled back;
    // waits of InitProducerId and of OffsetFetch
    CHECK(found("v2", Situation::undisturbed) == Values{2, 6, 2, 2, 0, 0, 0, 0, 0});
    CHECK(found("v2", Situation::member_expelled) == Values{2, 8, 2, 2, 2, 2, 2, 4, 2});
    const std::string_view v1 = "v1_clients_up_to_2.5";
    CHECK(found(v1, Situation::undisturbed) == Values{2, 6, 2, 2, 0, 0, 0, 0, 0});
    CHECK(found(v1, Situation::member_expelled) == Values{4, 12, 2, 2, 2, 1, 1, 7, 3});
}

TEST_CASE("the search for costs visits the states and steps that `check` visits") {
    for (const std::string_view scheme : {"v2", "v1_clients_3.0_to_3.9", "at_least_once"}) {
        CAPTURE(scheme);
        const auto model = model_of(scheme, bounds_of(2, 1, 2), Situation::member_expelled);
        const auto costs = cli::search_costs(model, {});
        const auto usual = cli::search(model, {}, {}, {});
        CHECK(costs.states == usual.states);
        CHECK(costs.transitions == usual.transitions);
        CHECK(costs.depth == usual.depth);
    }
}

TEST_CASE("a wait is as long as a search forward from the state where it is longest says") {
    for (const std::string_view scheme : {"v2", "v1_clients_2.6_to_2.8"}) {
        CAPTURE(scheme);
        const auto model = model_of(scheme, bounds_of(2, 1, 1), Situation::member_expelled);
        const auto report = cli::search_costs(model, {});
        std::array<std::uint64_t, 2> longest{};
        std::vector<model::Cluster> states = model.initial_states();
        std::uint64_t waits = 0;
        for (std::size_t next = 0; next < states.size(); ++next) {
            const model::Cluster before = states[next];
            checker::Enabled<model::Action> enabled;
            model.actions(before, enabled);
            for (const model::Action& action : enabled) {
                model::Cluster after = before;
                const auto outcome = model.apply(after, action);
                for (const CostKind kind : {CostKind::init_wait, CostKind::fetch_wait}) {
                    if (!model::shows_wait({before, action, outcome, after}, kind)) { continue; }
                    ++waits;
                    std::uint64_t& most = longest[kind == CostKind::init_wait ? 0 : 1];
                    most = std::max<std::uint64_t>(most,
                                                   naive_wait(model, before, action.thread, kind));
                }
                if (std::ranges::find(states, after) == states.end()) { states.push_back(after); }
            }
        }
        CHECK(states.size() == report.states);
        CHECK(waits == report.waits);
        const auto catalogue = model::cost_catalogue();
        for (std::size_t i = 0; i < catalogue.size(); ++i) {
            if (!is_wait(catalogue[i])) { continue; }
            CHECK(report.costs[i].value ==
                  longest[catalogue[i].kind == CostKind::init_wait ? 0 : 1]);
        }
    }
}

TEST_CASE("a search that a limit ended knows no waits, and says so by 0") {
    const auto model = model_of("v2", bounds_of(2, 2, 1), Situation::member_expelled);
    const auto report = cli::search_costs(model, {.states_max = 1'000});
    CHECK(report.ending == checker::Ending::states);
    CHECK(report.waits == 0);
}
