// Telling a person about states and steps, in Kafka's words: what counterexamples/from_trace.hpp
// asks a model for. Cold code: nothing here is called while states are searched.
//
// Every actor speaks under one name, as the owner of variables and as the one who acts or is asked:
//   "A"          a stream thread (its consumer, tasks and producers)
//   "group"      the group coordinator
//   "offsets"    the leader of the offsets partition, which is the group coordinator's broker
//   "app-A"      the transaction coordinator's entry for that transactional id (see names.hpp)
//   "output p0"  the leader of an output partition
//   "network"    delivers what is in flight
// "ghosts p0" and "budgets" own what laws remember and what disturbances are left.
#pragma once

#include "model/action_code.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ringfence::model {

class KafkaModel;

struct Variable {
    std::string actor;
    std::string name;
    std::string value;

    friend bool operator==(const Variable&, const Variable&) = default;
};

struct StepText {
    std::string actor;
    std::string verb;
    std::string target;
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string answer;  // "success", Kafka's error name, or empty where nobody is asked
    std::string reason;  // one line: which check passed or refused
};

// All variables in use under the rules and bounds, always the same ones in the same order. Two
// states that differ differ in one of them.
[[nodiscard]] std::vector<Variable> variables_of(const KafkaModel& model, const Cluster& cluster);

// What no single actor knows: what holds back readers, who is a member at the current generation,
// who holds the current epoch, who holds the commit right.
[[nodiscard]] std::vector<Variable> computed_columns(const KafkaModel& model,
                                                     const Cluster& cluster);

[[nodiscard]] StepText text_of(const KafkaModel& model, const Cluster& before, const Action& action,
                               const Outcome& outcome, const Cluster& after);

// ---- the same without a model object; the three above forward to these ----

[[nodiscard]] std::vector<Variable> variables_under(const Configuration& configuration,
                                                    const Cluster& cluster);
[[nodiscard]] std::vector<Variable> columns_under(const Configuration& configuration,
                                                  const Cluster& cluster);

// A step with the state before and after it.
struct Taken {
    const Configuration& configuration;
    const Cluster& before;
    const Action& action;
    const Outcome& outcome;
    const Cluster& after;
    const Request* delivered = nullptr;  // what was in flight, if that is what is handled
};
[[nodiscard]] StepText step_text(const Taken& taken);

}  // namespace ringfence::model
