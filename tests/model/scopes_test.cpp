// What a thread does depends on nothing but its own part of the state and what is common to all,
// and its most frequent steps on even less: what the search relies on when it takes a step once for
// all states that agree there.
#include "model/action_code.hpp"
#include "tests/model/clusters.hpp"
#include "tests/model/disturbances.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringfence::tests {

namespace {

using model::Bounds;
using model::Cluster;
using model::Disturbances;
using model::KafkaModel;
using model::Rules;

// All but the network's: with those there are no scopes.
Disturbances local_disturbances() {
    Disturbances disturbances = of_each(1);
    disturbances.late_request = disturbances.duplicated_request = disturbances.lost_answer = 0;
    disturbances.late_marker = disturbances.duplicated_marker = 0;
    return disturbances;
}

// The laws on states that fall in this one: in all of them their claims meet.
std::set<std::string_view> laws_that_fall(const KafkaModel& model, const Cluster& cluster) {
    std::set<std::string_view> fallen;
    for (const properties::Law& law : properties::laws()) {
        const bool is_asked = law.kind == checker::PropertyKind::state && law.is_applicable(model);
        if (!is_asked || law.holds_in(model, cluster)) { continue; }
        CAPTURE(law.name);
        const bool has_claims = law.claims_in != nullptr;
        REQUIRE(has_claims);
        checker::JointClaims claims;
        for (std::size_t scope = 0; scope < model.scopes().size(); ++scope) {
            claims.add(checker::placed(law.claims_in(model, cluster, scope), 0));
        }
        REQUIRE(claims.are_met());
        fallen.insert(law.name);
    }
    return fallen;
}

// What a scope's actions are and do, as bytes to be compared.
class ScopePictures {
  public:
    explicit ScopePictures(const KafkaModel& model)
        : model_(model), scopes_(model.scopes()), components_(model.components()) {}

    [[nodiscard]] std::size_t scopes() const { return scopes_.size(); }
    [[nodiscard]] std::size_t shared() const { return shared_; }
    [[nodiscard]] std::size_t footprints_shared() const { return footprints_shared_; }
    // Laws on states that fell in some state.
    [[nodiscard]] const std::set<std::string_view>& fallen() const { return fallen_; }

    // States that agree in a scope show the same picture of it.
    void check(const Cluster& cluster) {
        others_[states_seen_++ * 7 % others_.size()] = cluster;
        std::vector<model::Action> listed;
        for (std::size_t scope = 0; scope < scopes_.size(); ++scope) {
            checker::Enabled<model::Action> enabled;
            model_.actions_in(scope, cluster, enabled);
            listed.insert(listed.end(), enabled.begin(), enabled.end());
            const std::string picture =
                picture_of(cluster, scope, enabled) + claims_picture(cluster, scope);
            const auto [known, is_new] =
                pictures_.emplace(std::pair(scope, bytes_in(cluster, scope)), picture);
            if (is_new) { continue; }
            ++shared_;
            REQUIRE(known->second == picture);
        }
        checker::Enabled<model::Action> joint;
        model_.joint_actions(cluster, joint);
        REQUIRE(!joint.has_counts());
        listed.insert(listed.end(), joint.begin(), joint.end());
        checker::Enabled<model::Action> enabled;
        model_.actions(cluster, enabled);
        for (const model::Action& action : enabled) { check_footprint(cluster, action); }
        std::vector<model::Action> all(enabled.begin(), enabled.end());
        std::ranges::sort(all);
        std::ranges::sort(listed);
        REQUIRE(all == listed);
        fallen_.merge(laws_that_fall(model_, cluster));
    }

  private:
    // States that agree in the footprint of an action show the same picture of what it does: those
    // that were met, and one that is like another everywhere else, be it reachable or not.
    void check_footprint(const Cluster& cluster, const model::Action& action) {
        const std::size_t footprint = model_.footprint_of(action);
        if (footprint >= model_.footprints().size()) { return; }
        const std::vector<std::uint8_t>& is_inside = model_.footprints()[footprint];
        std::string inside = bytes_of(cluster);
        std::string mixed = bytes_of(others_[footprints_seen_++ % others_.size()]);
        for (std::size_t at = 0; at < inside.size(); ++at) {
            (is_inside[at] == 0 ? inside[at] = '\0' : mixed[at] = inside[at]);
        }
        Cluster other;
        std::memcpy(&other, mixed.data(), sizeof other);
        const std::string picture = effect_picture(cluster, action);
        CAPTURE(model::encode(action));
        REQUIRE(effect_picture(other, action) == picture);
        const auto [known, is_new] = effects_.emplace(model::encode(action) + inside, picture);
        if (is_new) { return; }
        ++footprints_shared_;
        REQUIRE(known->second == picture);
    }

    // Which bits an action changes, and what is answered about it.
    [[nodiscard]] std::string effect_picture(const Cluster& before,
                                             const model::Action& action) const {
        Cluster after = before;
        const model::Outcome outcome = model_.apply(after, action);
        std::string picture = bytes_of(after);
        std::ranges::transform(picture, bytes_of(before), picture.begin(), std::bit_xor{});
        return picture + answers({before, action, outcome, after});
    }

    [[nodiscard]] static std::string bytes_of(const Cluster& cluster) {
        std::string bytes(sizeof cluster, '\0');
        std::memcpy(bytes.data(), &cluster, sizeof cluster);
        return bytes;
    }

    // Those of the scope's components; of all others if `outside`.
    [[nodiscard]] std::string bytes_in(const Cluster& cluster, std::size_t scope,
                                       bool outside = false) const {
        std::string bytes = bytes_of(cluster);
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            const bool is_inside = (scopes_[scope] >> components_[at] & 1U) != 0;
            if (is_inside == outside) { bytes[at] = '\0'; }
        }
        return bytes;
    }

    [[nodiscard]] std::string picture_of(const Cluster& cluster, std::size_t scope,
                                         const checker::Enabled<model::Action>& enabled) const {
        std::string picture = enabled.is_cut() ? "cut" : "";
        for (const std::uint16_t count : enabled.cuts()) { picture += std::to_string(count) + ' '; }
        for (const model::Action& action : enabled) {
            picture += model::encode(action) + (model_.is_healing(action) ? 'h' : '-');
            picture += step_picture(cluster, scope, action);
        }
        checker::Enabled<model::Action> joint;
        model_.joint_actions(cluster, joint);
        for (const model::Action& action : joint) {
            picture += model::encode(action) + (model_.is_healing(action) ? 'h' : '-');
            picture += joint_picture(cluster, scope, action);
        }
        return picture;
    }

    [[nodiscard]] std::string claims_picture(const Cluster& cluster, std::size_t scope) const {
        std::string picture;
        for (const properties::Law& law : properties::laws()) {
            if (law.claims_in == nullptr || !law.is_applicable(model_)) { continue; }
            picture += std::to_string(law.claims_in(model_, cluster, scope).bits) + ' ';
        }
        return picture;
    }

    [[nodiscard]] std::string step_picture(const Cluster& before, std::size_t scope,
                                           const model::Action& action) const {
        Cluster after = before;
        const model::Outcome outcome = model_.apply(after, action);
        const checker::Step<KafkaModel> step{before, action, outcome, after};
        REQUIRE(bytes_in(before, scope, true) == bytes_in(after, scope, true));
        return bytes_in(after, scope) + answers(step);
    }

    // What it does in the scope. That all of its doing lies in some scope is seen elsewhere: each
    // component does.
    [[nodiscard]] std::string joint_picture(const Cluster& before, std::size_t scope,
                                            const model::Action& action) const {
        Cluster after = before;
        const model::Outcome outcome = model_.apply(after, action);
        return bytes_in(after, scope) + std::to_string(KafkaModel::result_of(outcome));
    }

    // Of the laws and witnesses that are asked about a step, if they do not look further.
    [[nodiscard]] std::string answers(const checker::Step<KafkaModel>& step) const {
        std::string picture = std::to_string(KafkaModel::result_of(step.outcome));
        const std::size_t verb = KafkaModel::verb_of(step.action);
        for (const properties::Law& law : properties::laws()) {
            const bool is_asked = law.kind == checker::PropertyKind::step &&
                                  law.is_applicable(model_) && (law.verbs >> verb & 1U) != 0;
            if (is_asked && !law.looks_beyond_scope) {
                picture += law.holds_over(model_, step) ? '+' : '-';
            }
        }
        for (const properties::Witness& witness : properties::witnesses()) {
            const bool is_asked = (witness.verbs >> verb & 1U) != 0;
            if (is_asked && !witness.looks_beyond_scope) {
                picture += witness.is_reached_by(model_, step) ? '+' : '-';
            }
        }
        return picture;
    }

    const KafkaModel& model_;
    std::vector<std::uint32_t> scopes_;
    std::vector<std::uint8_t> components_;
    std::map<std::pair<std::size_t, std::string>, std::string> pictures_;
    std::map<std::string, std::string> effects_;
    std::size_t shared_ = 0;
    std::size_t footprints_shared_ = 0;
    std::array<Cluster, 1009> others_{};  // met lately
    std::size_t states_seen_ = 0;
    std::size_t footprints_seen_ = 0;
    std::set<std::string_view> fallen_;
};

// Of the first states that a breadth-first search finds, and of as many that lie deeper.
void check_scopes(const Rules& rules, const Bounds& bounds, std::size_t states) {
    const KafkaModel model(rules, bounds, local_disturbances());
    if (model.scopes().empty()) { return; }
    ScopePictures pictures(model);
    const std::size_t seen = visit_states(model, states, std::identity{},
                                          [&](const Cluster& cluster) { pictures.check(cluster); });
    // Of those that each state has, one for each thread: without transactions few agree so early.
    CHECK(pictures.shared() > seen / 4);
    CHECK((pictures.footprints_shared() > seen / 4 || model.footprints().empty()));
    walk_at_random(model, states / 100, 100,
                   [&](const Cluster& cluster) { pictures.check(cluster); });
}

constexpr Bounds squares{.threads = 2, .partitions = 2, .records = 2, .generations = 4};
constexpr Bounds three{.threads = 3, .partitions = 2, .records = 1, .generations = 4, .epoch = 3};

}  // namespace

TEST_CASE("under every scheme what happens in a scope depends on the scope alone") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        CAPTURE(scheme.name);
        check_scopes(scheme.rules, squares, 10'000);
        check_scopes(scheme.rules, three, 10'000);
    }
}

TEST_CASE("under every value of every rule what happens in a scope depends on the scope alone") {
    for (const char* scheme : {"at_least_once", "v1_clients_2.6_to_2.8", "v2"}) {
        for (const model::RuleEntry& rule : model::rule_catalogue()) {
            for (std::size_t value = 0; value < rule.values.size(); ++value) {
                CAPTURE(scheme);
                CAPTURE(rule.name);
                CAPTURE(rule.values[value]);
                Rules rules = rules_of_scheme(scheme);
                rule.set(rules, value);
                const bool is_refused = rules.guarantee == model::Guarantee::exactly_once_v2 &&
                                        rules.transactional_id == model::IdScope::task;
                if (!is_refused) { check_scopes(rules, squares, 1'000); }
            }
        }
    }
}

TEST_CASE("every law on states falls where its claims meet, with two threads and with three") {
    const std::vector<std::pair<std::string_view, Rules>> rows{
        {"single_writer_per_partition",
         with(rules_of_scheme("v2"), {"member_test=off", "generation_test=off"})},
        {"exactly_once_output", with(rules_of_scheme("v2"), {"offset_fetch=any"})},
        {"single_appender_per_partition", rules_of_scheme("v2")},
        {"no_hanging_transaction", with(rules_of_scheme("v2"), {"timeout_bumps_epoch=no"})},
        {"no_aborted_read", with(rules_of_scheme("v2"), {"timeout_bumps_epoch=no"})},
        {"atomic_outcome", with(rules_of_scheme("v2"), {"after_refused_offsets=may_commit"})},
        {"confirmed_commit_is_kept",
         with(rules_of_scheme("v2"), {"after_refused_offsets=may_commit"})}};
    for (const std::uint8_t threads : {std::uint8_t{2}, std::uint8_t{3}}) {
        for (const auto& [law, rules] : rows) {
            CAPTURE(law);
            CAPTURE(threads);
            const Bounds bounds{
                .threads = threads, .partitions = 1, .records = 1, .generations = 3};
            const KafkaModel model(rules, bounds, {.expulsion = 1, .transaction_timeout = 1});
            ScopePictures pictures(model);
            visit_states(model, 40'000, std::identity{},
                         [&](const Cluster& cluster) { pictures.check(cluster); });
            const bool is_deep = threads > 2;  // some fall beyond so many states
            CHECK((is_deep || pictures.fallen().contains(law)));
        }
    }
}

TEST_CASE("sharing steps changes nothing that is reported") {
    // Large enough for levels to be sorted.
    const Bounds bounds{.threads = 2, .partitions = 2, .records = 1, .generations = 3};
    const Disturbances disturbances{.expulsion = 1, .transaction_timeout = 1};
    Rules untested = rules_of_scheme("v2");
    untested.generation_test = untested.member_test = model::Test::off;
    for (const Rules& rules : {rules_of_scheme("at_least_once"), rules_of_scheme("v2"), untested}) {
        const KafkaModel model(rules, bounds, disturbances);
        checker::SearchOptions options;
        const KafkaReport shared = search_all(model, options);
        options.workers = 3;
        const KafkaReport by_three = search_all(model, options);
        check_identical(by_three, shared);
        options.shares_steps = false;
        check_same_answers(shared, search_all(model, options));
    }
}

TEST_CASE("sharing steps changes nothing that is reported about canonical states") {
    const Bounds bounds{.threads = 3, .partitions = 1, .records = 1, .generations = 3};
    const KafkaModel model(rules_of_scheme("v2"), bounds, {.expulsion = 1});
    checker::SearchOptions options;
    options.uses_symmetry = true;
    const KafkaReport shared = search_all(model, options);
    options.shares_steps = false;
    check_same_answers(shared, search_all(model, options));
}

}  // namespace ringfence::tests
