#include "counterexamples/from_trace.hpp"

#include <doctest/doctest.h>

namespace ringfence::counterexamples {

namespace {

// Two counters; a step raises one of them.
struct Counters {
    struct State {
        std::uint64_t left;
        std::uint64_t right;
        friend bool operator==(const State&, const State&) = default;
    };
    enum class Action : std::uint8_t { left, right };
    struct Outcome {
        bool is_even;
    };

    [[nodiscard]] std::vector<State> initial_states() const { return {{5, 5}, {0, 0}}; }
    void actions(const State&, checker::Enabled<Action>& enabled) const {
        enabled.add(Action::left);
        enabled.add(Action::right);
    }
    Outcome apply(State& state, const Action& action) const {
        const std::uint64_t now = action == Action::left ? ++state.left : ++state.right;
        return {now % 2 == 0};
    }
    [[nodiscard]] bool is_healing(const Action&) const { return true; }
    [[nodiscard]] bool work_is_left(const State&) const { return false; }
    static std::size_t verb_of(const Action&) { return 0; }
    static std::size_t result_of(const Outcome&) { return 0; }
    static std::size_t actor_of(const Action& action) { return static_cast<std::size_t>(action); }
    static std::vector<std::string> verb_names() { return {"raise"}; }
    static std::vector<std::string> result_names() { return {"NONE"}; }
    static std::vector<std::string> cut_names() { return {}; }
};
static_assert(checker::Model<Counters>);

struct Value {
    std::string actor, name, value;
};
struct Text {
    std::string actor, verb, target;
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string answer, reason;
};

std::string name_of(const Counters::Action& action) {
    return action == Counters::Action::left ? "left" : "right";
}

std::vector<Value> values(const Counters&, const Counters::State& state) {
    return {{"left", "count", std::to_string(state.left)},
            {"right", "count", std::to_string(state.right)}};
}

std::vector<Value> sums(const Counters&, const Counters::State& state) {
    return {{"both", "sum", std::to_string(state.left + state.right)}};
}

Text tell(const Counters&, const Counters::State& before, const Counters::Action& action,
          const Counters::Outcome& outcome, const Counters::State& after) {
    return {.actor = name_of(action),
            .verb = "raise",
            .target = "itself",
            .arguments = {{"sum", std::to_string(before.left + before.right)}},
            .answer = outcome.is_even ? "success" : "ODD",
            .reason = "sum is now " + std::to_string(after.left + after.right)};
}

bool is_always_applicable(const Counters&) { return true; }

constexpr checker::Property<Counters> state_law{
    .name = "small",
    .sentence = "The sum stays small.",
    .source = "nowhere",
    .kind = checker::PropertyKind::state,
    .is_applicable = is_always_applicable,
    .explain_state = [](const Counters&, const Counters::State& state) {
        return "it ends with " + std::to_string(state.left) + " and " + std::to_string(state.right);
    }};

constexpr checker::Property<Counters> step_law{
    .name = "left_first",
    .sentence = "Left goes first.",
    .source = "nowhere",
    .kind = checker::PropertyKind::step,
    .is_applicable = is_always_applicable,
    .explain_step = [](const Counters&, const checker::Step<Counters>& step) {
        return "right rose from " + std::to_string(step.before.right) + " to " +
               std::to_string(step.after.right);
    }};

const checker::Trace<Counters> trace{.initial = {0, 0},
                                     .actions = {Counters::Action::left, Counters::Action::right}};

const Teller teller{values, sums, tell, name_of};

}  // namespace

TEST_CASE("a trace becomes a document step by step") {
    Header header;
    header.program = "p";
    const Document document = from_trace(Counters{}, trace, &state_law, header, teller);
    CHECK(document.header.program == "p");
    CHECK(document.header.law == Law{"small", "The sum stays small.", "nowhere"});
    CHECK(document.initial_state == 1);
    CHECK(document.initial.variables ==
          std::vector<Variable>{{"left", "count", "0"}, {"right", "count", "0"}});
    REQUIRE(document.steps.size() == 2);
    const Step& last = document.steps[1];
    CHECK(last.number == 2);
    CHECK(last.action == "right");
    CHECK(last.actor == "right");
    CHECK(last.verb == "raise");
    CHECK(last.target == "itself");
    CHECK(last.arguments == std::vector<std::pair<std::string, std::string>>{{"sum", "1"}});
    CHECK(last.answer == "ODD");
    CHECK(last.reason == "sum is now 2");
    CHECK(last.after.columns == std::vector<Variable>{{"both", "sum", "2"}});
    CHECK(document.explanation == "it ends with 1 and 1");
}

TEST_CASE("a step law explains the last step") {
    const Document document = from_trace(Counters{}, trace, &step_law, {}, teller);
    CHECK(document.explanation == "right rose from 0 to 1");
}

TEST_CASE("a law that falls in an initial state explains that state") {
    const checker::Trace<Counters> empty{.initial = {5, 5}, .actions = {}};
    const Document document = from_trace(Counters{}, empty, &state_law, {}, teller);
    CHECK(document.steps.empty());
    CHECK(document.explanation == "it ends with 5 and 5");
}

TEST_CASE("a trace without a law has no explanation") {
    const checker::Property<Counters>* no_law = nullptr;
    const Document document = from_trace(Counters{}, trace, no_law, {}, teller);
    CHECK(document.header.law == Law{});
    CHECK(document.explanation.empty());
}

TEST_CASE("a trace that begins nowhere is refused") {
    const checker::Trace<Counters> lost{.initial = {1, 2}, .actions = {}};
    CHECK_THROWS_AS(static_cast<void>(from_trace(Counters{}, lost, &state_law, {}, teller)),
                    std::logic_error);
}

}  // namespace ringfence::counterexamples
