#include "model/settings.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace ringfence::model;

namespace {

const KnownNames known{.laws = {"exactly_once_output", "no_stale_commit"},
                       .witnesses = {"member_refused"}};

Resolved resolved(const std::vector<Layer>& layers) { return resolve(layers, known); }

std::string refusal_of(const Layer& layer) {
    try {
        static_cast<void>(resolved({layer}));
    } catch (const ConfigurationError& error) { return error.what(); }
    return "accepted";
}

}  // namespace

TEST_CASE("without settings the question is v2 on the default bounds") {
    const Resolved asked = resolved({});
    CHECK(asked.scheme == "v2");
    CHECK(asked.rules == Rules{});
    CHECK(asked.bounds == Bounds{});
    CHECK(asked.disturbances == Disturbances{});
    CHECK(asked.laws.empty());
}

TEST_CASE("single rules stand on top of a scheme") {
    const Resolved asked = resolved(
        {{{"scheme", "v1_clients_up_to_2.5", "here"}, {"rules.fence_bumps_epoch", "no", "here"}}});
    CHECK(asked.rules.guarantee == Guarantee::exactly_once);
    CHECK(asked.rules.start_order == StartOrder::init_then_fetch);
    CHECK(asked.rules.fence_bumps_epoch == AbortBump::no);
}

TEST_CASE("a later layer wins, name by name") {
    const Resolved asked =
        resolved({{{"bounds.threads", "3", "file"}, {"bounds.records", "1", "file"}},
                  {{"bounds.threads", "4", "flag"}}});
    CHECK(asked.bounds.threads == 4);
    CHECK(asked.bounds.records == 1);
}

TEST_CASE("a later scheme replaces releases, and rules stay on top") {
    const Resolved asked =
        resolved({{{"kafka", "3.5", "file"}, {"rules.member_test", "off", "file"}},
                  {{"scheme", "v2", "flag"}}});
    CHECK(asked.scheme == "v2");
    CHECK(asked.broker.empty());
    CHECK(asked.rules.marker_acknowledged == MarkerAcknowledged::on_materialisation);
    CHECK(asked.rules.member_test == Test::off);
}

TEST_CASE("kafka sets broker and client, and each may be set apart") {
    const Resolved both = resolved({{{"kafka", "3.5", "file"}}});
    CHECK(both.broker == "3.5");
    CHECK(both.client == "3.5");
    CHECK(both.scheme.empty());
    const Resolved apart = resolved({{{"kafka", "3.5", "file"}, {"client", "2.8", "file"}}});
    CHECK(apart.broker == "3.5");
    CHECK(apart.client == "2.8");
}

TEST_CASE("a release and a guarantee choose the rules together") {
    const Resolved asked =
        resolved({{{"kafka", "3.5", "file"}, {"guarantee", "exactly_once", "file"}}});
    CHECK(asked.rules.guarantee == Guarantee::exactly_once);
    CHECK(asked.rules.group_metadata == GroupMetadata::group_id_only);
}

TEST_CASE("a budget may be unlimited") {
    const Resolved asked = resolved({{{"disturbances.expulsion", "unlimited", "file"}}});
    CHECK(asked.disturbances.expulsion == Disturbances::unlimited);
    CHECK(budget_text(asked.disturbances.expulsion) == "unlimited");
}

TEST_CASE("the last layer that names laws names all of them") {
    const Resolved asked = resolved(
        {{{"laws", "exactly_once_output", "file"}}, {{"laws", "no_stale_commit", "flag"}}});
    CHECK(asked.laws == std::vector<std::string>{"no_stale_commit"});
}

TEST_CASE("unknown names are refused with the nearest known one") {
    CHECK(refusal_of({{"rules.memeber_test", "off", "f:1:2"}}) ==
          "f:1:2: unknown rule \"memeber_test\", expected a name from `ringfence list rules`, "
          "nearest is \"member_test\"");
    CHECK(refusal_of({{"bounds.thread", "2", "f:1:2"}}).find("nearest is \"threads\"") !=
          std::string::npos);
    CHECK(refusal_of({{"disturbances.explusion", "2", "f:1:2"}}).find("\"expulsion\"") !=
          std::string::npos);
    CHECK(refusal_of({{"scheme", "v3", "f:1:2"}}).find("nearest is \"v2\"") != std::string::npos);
    CHECK(refusal_of({{"kafka", "3.55", "f:1:2"}}).find("nearest is \"3.5\"") != std::string::npos);
    CHECK(refusal_of({{"laws", "exactly_once", "f:1:2"}}).find("\"exactly_once_output\"") !=
          std::string::npos);
    CHECK(refusal_of({{"colour", "red", "f:1:2"}}).starts_with("f:1:2: unknown key \"colour\""));
}

TEST_CASE("wrong values are refused with what was expected") {
    CHECK(
        refusal_of({{"rules.member_test", "of", "--rule"}}) ==
        "--rule: rule \"member_test\" has no value \"of\", expected \"on\" or \"off\", nearest is "
        "\"on\"");
    CHECK(refusal_of({{"bounds.threads", "5", "--threads"}}) ==
          "--threads: bound \"threads\" is \"5\", expected a whole number from 1 to 4");
    CHECK(refusal_of({{"bounds.threads", "2x", "--threads"}}).find("expected a whole number") !=
          std::string::npos);
    CHECK(refusal_of({{"disturbances.crash", "-1", "f"}}).find("\"unlimited\"") !=
          std::string::npos);
    CHECK(refusal_of({{"force", "maybe", "f"}}).find("\"true\" or \"false\"") != std::string::npos);
}

TEST_CASE("what is not built yet is refused by name and never approximated") {
    CHECK(refusal_of({{"rules.static_members", "yes", "f"}}) ==
          "f: rule \"static_members\" is not built yet and never approximated");
    CHECK(refusal_of({{"disturbances.leader_change", "1", "f"}}) ==
          "f: disturbance \"leader_change\" is not built yet and never approximated");
}

TEST_CASE("the transaction version is that of both releases, or a lower one") {
    CHECK(resolved({{{"kafka", "4.2", "f"}}}).rules.transaction_version == TransactionVersion::two);
    const Layer newer_broker = {{"broker", "4.2", "f"}, {"client", "3.9", "f"}};
    CHECK(resolved({newer_broker}).rules.transaction_version == TransactionVersion::one);
    const Layer lower = {{"kafka", "4.2", "f"}, {"transaction_version", "1", "f"}};
    CHECK(resolved({lower}).rules.transaction_version == TransactionVersion::one);
    const Layer of_a_scheme = {{"scheme", "v2", "f"}, {"transaction_version", "2", "f"}};
    CHECK(resolved({of_a_scheme}).rules.transaction_version == TransactionVersion::two);
}

TEST_CASE("transaction version 2 needs releases that have it") {
    Layer higher = {
        {"broker", "4.2", "f"}, {"client", "3.9", "f"}, {"transaction_version", "2", "g"}};
    CHECK(refusal_of(higher).find("transaction version 2 needs brokers and clients of 4.0") !=
          std::string::npos);
    higher.push_back({"force", "true", "f"});
    CHECK(refusal_of(higher) == "accepted");
    CHECK(refusal_of({{"transaction_version", "3", "f"}}).starts_with("f: rule "));
}

TEST_CASE("what Kafka refuses is refused with its reason, unless it is forced") {
    const Layer old_broker = {{"broker", "2.4", "f"}, {"client", "3.5", "f"}};
    CHECK(refusal_of(old_broker).find("2.5") != std::string::npos);
    Layer forced = old_broker;
    forced.push_back({"force", "true", "f"});
    CHECK(refusal_of(forced) == "accepted");

    const std::vector<Layer> eager = {{{"rules.closes_before_rejoin", "eager", "f:3:1"}}};
    CHECK_THROWS_AS(refuse_impossible(eager, known, "f"), ConfigurationError);
}

TEST_CASE("a scheme and a release in one layer are too much") {
    CHECK(
        refusal_of({{"scheme", "v2", "f:1:1"}, {"kafka", "3.5", "f:2:1"}}).starts_with("f:2:1: "));
}

TEST_CASE("a release of one side says nothing about the other") {
    CHECK(
        refusal_of({{"broker", "3.5", "--broker"}}) ==
        "--broker: \"broker\" is the release of one side alone, expected \"client\" beside it, or "
        "\"kafka\" for both");
    CHECK(refusal_of({{"client", "3.5", "--client"}}).find("expected \"broker\" beside it") !=
          std::string::npos);
    const Resolved asked = resolved({{{"kafka", "3.5", "file"}}, {{"broker", "2.8", "flag"}}});
    CHECK(asked.broker == "2.8");
    CHECK(asked.client == "3.5");
}

TEST_CASE("the last setting that makes the difference is to blame") {
    const auto place = [](const std::vector<Layer>& layers) {
        try {
            refuse_impossible(layers, known, "otherwise");
        } catch (const ConfigurationError& error) { return std::string(error.what()); }
        return std::string("accepted");
    };
    const Setting eager{"rules.closes_before_rejoin", "eager", "file:3:1"};
    CHECK(place({{eager}}).starts_with("file:3:1: "));
    CHECK(place({{eager}, {{"bounds.threads", "3", "--threads"}}}).starts_with("file:3:1: "));
    CHECK(place({{{"guarantee", "exactly_once", "file:2:1"}, eager},
                 {{"guarantee", "exactly_once_v2", "--guarantee"}}})
              .starts_with("--guarantee: "));
    CHECK(refusal_of({{"broker", "2.4", "--broker"}, {"client", "3.5", "--client"}})
              .starts_with("--broker: "));
    CHECK(refusal_of({{"broker", "3.5", "--broker"}, {"client", "2.4", "--client"}})
              .starts_with("--client: "));
}
