// Names of threads and partitions do not matter: what the search relies on when it visits one state
// for all that differ only by them.
#include "checker/trace.hpp"
#include "tests/model/clusters.hpp"
#include "tests/model/disturbances.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace ringfence::tests {

namespace {

using model::Bounds;
using model::Cluster;
using model::Disturbances;
using model::KafkaModel;
using model::Rules;

// What a state leads to, with all that is asked about it, under names that `rename` gives.
struct Picture {
    struct Arrow {
        Cluster after;
        std::size_t verb;
        std::size_t result;
        bool is_healing;
        std::uint64_t laws;       // a bit for each that holds over the step
        std::uint64_t witnesses;  // a bit for each that it reaches

        friend bool operator==(const Arrow&, const Arrow&) = default;
        friend bool operator<(const Arrow& left, const Arrow& right) {
            const int order = std::memcmp(&left.after, &right.after, sizeof left.after);
            if (order != 0) { return order < 0; }
            const auto rest = [](const Arrow& arrow) {
                return std::tuple(arrow.verb, arrow.result, arrow.is_healing, arrow.laws,
                                  arrow.witnesses);
            };
            return rest(left) < rest(right);
        }
    };
    std::uint64_t laws = 0;
    bool has_work = false;
    bool is_cut = false;
    std::array<std::uint16_t, checker::cut_kinds_max> cuts{};
    std::vector<Arrow> arrows;  // sorted

    friend bool operator==(const Picture&, const Picture&) = default;
};

Picture::Arrow arrow_of(const KafkaModel& model, const Cluster& before,
                        const model::Action& action) {
    Cluster after = before;
    const model::Outcome outcome = model.apply(after, action);
    const checker::Step<KafkaModel> step{before, action, outcome, after};
    Picture::Arrow arrow{after,
                         KafkaModel::verb_of(action),
                         KafkaModel::result_of(outcome),
                         model.is_healing(action),
                         0,
                         0};
    const auto laws = properties::laws();
    for (std::size_t law = 0; law < laws.size(); ++law) {
        const bool is_asked = laws[law].kind == checker::PropertyKind::step &&
                              laws[law].is_applicable(model) &&
                              (laws[law].verbs >> arrow.verb & 1U) != 0;
        if (is_asked && laws[law].holds_over(model, step)) { arrow.laws |= 1ULL << law; }
    }
    const auto witnesses = properties::witnesses();
    for (std::size_t witness = 0; witness < witnesses.size(); ++witness) {
        const bool is_asked = (witnesses[witness].verbs >> arrow.verb & 1U) != 0;
        if (is_asked && witnesses[witness].is_reached_by(model, step)) {
            arrow.witnesses |= 1ULL << witness;
        }
    }
    return arrow;
}

Picture picture_of(const KafkaModel& model, const Cluster& cluster) {
    Picture picture;
    const auto laws = properties::laws();
    for (std::size_t law = 0; law < laws.size(); ++law) {
        const bool is_asked =
            laws[law].kind == checker::PropertyKind::state && laws[law].is_applicable(model);
        if (is_asked && laws[law].holds_in(model, cluster)) { picture.laws |= 1ULL << law; }
    }
    picture.has_work = model.work_is_left(cluster);
    checker::Enabled<model::Action> enabled;
    model.actions(cluster, enabled);
    picture.is_cut = enabled.is_cut();
    picture.cuts = enabled.cuts();
    for (const model::Action& action : enabled) {
        picture.arrows.push_back(arrow_of(model, cluster, action));
    }
    std::ranges::sort(picture.arrows, std::less<>());
    return picture;
}

void check_renaming(const KafkaModel& model, const Cluster& cluster, std::size_t permutation) {
    Picture expected = picture_of(model, cluster);
    for (Picture::Arrow& arrow : expected.arrows) { model.permute(arrow.after, permutation); }
    std::ranges::sort(expected.arrows, std::less<>());
    Cluster renamed = cluster;
    model.permute(renamed, permutation);
    REQUIRE(picture_of(model, renamed) == expected);
}

// Random walks, and at each state a random renaming.
void check_walks(const Rules& rules, const Bounds& bounds, int walks) {
    constexpr unsigned seed = 20'261'129;
    std::mt19937 random(seed);
    const KafkaModel model(rules, bounds, of_each(1));
    for (int walk = 0; walk < walks; ++walk) {
        Cluster cluster = model.initial_states().front();
        for (int step = 0; step < 100; ++step) {
            check_renaming(model, cluster, random() % model.permutations());
            checker::Enabled<model::Action> enabled;
            model.actions(cluster, enabled);
            if (enabled.size() == 0) { break; }
            (void)model.apply(cluster, *(enabled.begin() +
                                         static_cast<std::ptrdiff_t>(random() % enabled.size())));
        }
    }
}

constexpr Bounds squares{.threads = 2, .partitions = 2, .records = 2, .generations = 4};

std::size_t count_orbits(const KafkaModel& model) {
    const auto smallest_image = [&](const Cluster& cluster) {
        Cluster smallest = cluster;
        for (std::size_t permutation = 0; permutation < model.permutations(); ++permutation) {
            Cluster image = cluster;
            model.permute(image, permutation);
            smallest = std::min(smallest, image, ByBytes{});
        }
        return smallest;
    };
    constexpr auto all = std::numeric_limits<std::size_t>::max();
    return visit_states(model, all, smallest_image, [](const Cluster&) {});
}

KafkaReport search_orbits(const KafkaModel& model, unsigned workers = 1) {
    checker::SearchOptions options;
    options.workers = workers;
    options.uses_symmetry = true;
    return search_all(model, options);
}

void check_trace(const KafkaModel& model, const properties::Law& law,
                 const checker::Trace<KafkaModel>& trace) {
    const auto replayed = checker::replay(model, trace);
    REQUIRE(replayed.is_complete());
    const auto& states = replayed.states;
    switch (law.kind) {
        case checker::PropertyKind::state: CHECK_FALSE(law.holds_in(model, states.back())); return;
        case checker::PropertyKind::step:
            CHECK_FALSE(law.holds_over(model, {states[states.size() - 2], trace.actions.back(),
                                               replayed.outcomes.back(), states.back()}));
            return;
        case checker::PropertyKind::deadlock: CHECK(model.work_is_left(states.back())); return;
    }
}

// The same verdicts in as many steps from fewer states, and traces of concrete runs.
void check_against_all_states(const KafkaModel& model) {
    const KafkaReport all = search_all(model);
    const KafkaReport orbits = search_orbits(model);
    const std::size_t order = model.permutations() + 1;
    CHECK(orbits.permutations == order);
    CHECK(orbits.ending == all.ending);
    CHECK(orbits.depth == all.depth);
    CHECK(orbits.states <= all.states);
    CHECK(orbits.states * order >= all.states);
    for (std::size_t i = 0; i < all.properties.size(); ++i) {
        CAPTURE(properties::laws()[i].name);
        REQUIRE(orbits.properties[i].verdict == all.properties[i].verdict);
        if (!all.properties[i].trace) { continue; }
        CHECK(orbits.properties[i].trace->actions.size() ==
              all.properties[i].trace->actions.size());
        check_trace(model, properties::laws()[i], *orbits.properties[i].trace);
    }
    for (std::size_t i = 0; i < all.witnesses.size(); ++i) {
        CAPTURE(properties::witnesses()[i].name);
        CHECK(orbits.witnesses[i].is_reached == all.witnesses[i].is_reached);
        CHECK(orbits.witnesses[i].depth == all.witnesses[i].depth);
    }
}

}  // namespace

TEST_CASE("under every scheme renamed states lead to renamed states and get the same answers") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        CAPTURE(scheme.name);
        check_walks(scheme.rules, squares, 200);
        check_walks(scheme.rules,
                    {.threads = 3, .partitions = 2, .records = 1, .generations = 4, .epoch = 2},
                    200);
    }
}

TEST_CASE("under every value of every rule renamed states get the same answers") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        for (const model::RuleEntry& rule : model::rule_catalogue()) {
            for (std::size_t value = 0; value < rule.values.size(); ++value) {
                CAPTURE(scheme.name);
                CAPTURE(rule.name);
                CAPTURE(rule.values[value]);
                Rules rules = scheme.rules;
                rule.set(rules, value);
                const bool is_refused = rules.guarantee == model::Guarantee::exactly_once_v2 &&
                                        rules.transactional_id == model::IdScope::task;
                if (!is_refused) { check_walks(rules, squares, 20); }
            }
        }
    }
}

TEST_CASE("renamings are a group of all permutations") {
    const KafkaModel model(rules_of_scheme("v2"), {.threads = 3, .partitions = 2}, {});
    CHECK(model.permutations() == 11);
    const KafkaModel alone(rules_of_scheme("v2"), {.threads = 1, .partitions = 1}, {});
    CHECK(alone.permutations() == 0);
}

TEST_CASE("the search visits one state of every orbit") {
    const Bounds small{.threads = 2, .partitions = 2, .records = 1, .generations = 2};
    for (const char* scheme : {"at_least_once", "v1_clients_2.6_to_2.8", "v2"}) {
        CAPTURE(scheme);
        const KafkaModel model(rules_of_scheme(scheme), small,
                               {.expulsion = 1, .transaction_timeout = 0});
        CHECK(search_orbits(model).states == count_orbits(model));
    }
    const KafkaModel three(rules_of_scheme("v2"),
                           {.threads = 3, .partitions = 1, .records = 1, .generations = 2}, {});
    CHECK(search_orbits(three).states == count_orbits(three));
}

TEST_CASE("symmetry changes neither verdicts nor lengths of any rule set") {
    for (const RuleSet& rules : rule_sets()) {
        CAPTURE(rules.name);
        check_against_all_states(KafkaModel(rules.rules, {}, {}));
    }
}

TEST_CASE("symmetry changes nothing where threads crash and restart, or with two partitions") {
    for (const char* scheme : {"at_least_once", "v1_clients_3.0_to_3.9", "v2"}) {
        CAPTURE(scheme);
        const Rules rules = rules_of_scheme(scheme);
        check_against_all_states(
            KafkaModel(rules, {.threads = 2, .partitions = 2, .records = 1, .generations = 2},
                       {.expulsion = 1, .transaction_timeout = 0}));
        check_against_all_states(
            KafkaModel(with(rules, {"transactional_id=random"}),
                       {.threads = 2, .partitions = 1, .records = 1, .generations = 2},
                       {.expulsion = 1, .transaction_timeout = 0, .crash = 1, .restart = 1}));
    }
}

TEST_CASE("symmetry changes nothing where messages are late, repeated or lost") {
    const Bounds small{.threads = 2, .partitions = 1, .records = 1, .generations = 2};
    const Disturbances requests{
        .expulsion = 1, .transaction_timeout = 0, .late_request = 1, .duplicated_request = 1};
    const Disturbances answers{.expulsion = 1,
                               .transaction_timeout = 0,
                               .lost_answer = 1,
                               .late_marker = 1,
                               .duplicated_marker = 1};
    for (const char* scheme : {"at_least_once", "v1_clients_up_to_2.5", "v2"}) {
        CAPTURE(scheme);
        const Rules rules = rules_of_scheme(scheme);
        check_against_all_states(KafkaModel(rules, small, answers));
        const KafkaModel squared(rules,
                                 {.threads = 2, .partitions = 2, .records = 1, .generations = 1},
                                 {.expulsion = 0, .transaction_timeout = 0, .late_request = 1});
        check_against_all_states(squared);
    }
    check_against_all_states(KafkaModel(rules_of_scheme("v1_clients_up_to_2.5"), small, requests));
}

TEST_CASE("where components are too wide for symmetry, finer ones are taken") {
    // A thread with its producer has more than 64 bits here.
    const KafkaModel model(rules_of("v2_no_tests"),
                           {.threads = 2, .partitions = 3, .records = 2, .generations = 3}, {});
    checker::SearchOptions options;
    options.states_max = 300'000;
    options.uses_symmetry = true;
    const KafkaReport orbits = search_all(model, options);
    CHECK(orbits.permutations == 12);
    CHECK(orbits.ending == checker::Ending::states);
}

TEST_CASE("a search of orbits is the same for one, two and four workers") {
    const KafkaModel model(rules_of("v1_no_bumps"), {}, {});
    const KafkaReport alone = search_orbits(model);
    for (const unsigned workers : {2U, 4U}) {
        check_identical(alone, search_orbits(model, workers));
    }
}

}  // namespace ringfence::tests
