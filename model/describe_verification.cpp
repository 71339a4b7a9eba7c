// Reasons of what KIP-890 adds: the leader's question to the transaction coordinator, and what its
// answer is worth once the batch comes to the log.
#include "model/describe_reasons.hpp"
#include "model/names.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

namespace ringfence::model {

namespace {

std::string log_name(const Request& request) {
    return request.verb == Verb::produce ? "output " + partition_name(request.partition)
                                         : "the offsets partition";
}

ProducerState state_at_leader(const Taken& taken, const Request& request) {
    const std::size_t k = request.producer.value;
    return request.verb == Verb::produce
               ? state_of(taken.before.outputs[request.partition.value][k])
               : state_of(taken.before.group.offsets[k]);
}

std::string older_than(Epoch given, Epoch known, std::string_view whose) {
    return "epoch " + epoch_name(given) + (given < known ? " is older than " : " is not ") +
           std::string(whose) + " " + epoch_name(known);
}

std::string refused(const Taken& taken, const Request& request) {
    const TransactionalId& id = id_in(taken);
    const std::string error = refusal(taken.outcome.error);
    const Log log = request.verb == Verb::produce ? Log::output : Log::offsets;
    const ProducerState state = state_at_leader(taken, request);
    const Rules& rules = taken.configuration.rules;
    if (question_error(rules, log, state, request.epoch) != Error::none) {
        return older_than(request.epoch, state.epoch, "the leader's") +
               ", and nobody is asked about it" + error;
    }
    const std::string asks = "the leader asks the coordinator: ";
    if (id.is_preparing()) {
        return asks + "the former transaction is in " + std::string(name_of(id.state)) +
               refusal_for_now(taken);
    }
    if (taken.outcome.error == Error::invalid_producer_epoch) {
        return asks + older_than(request.epoch, id.epoch, "the coordinator's") + error;
    }
    return asks + log_name(request) + " is in no transaction of the producer" + error;
}

}  // namespace

std::string question_reason_of(const Taken& taken) {
    const Request request = request_in(taken);
    if (taken.outcome.error != Error::none) { return refused(taken, request); }
    const std::string waits = "; the batch waits for the log";
    if (!taken.configuration.is_version_2()) {
        return "the leader asks the coordinator: " + log_name(request) + " is in the transaction" +
               waits;
    }
    const bool is_ongoing = id_in(taken).state == TransactionState::ongoing;
    return "the leader has the coordinator add " + log_name(request) +
           (is_ongoing ? ", which joins the transaction" : ", which begins a transaction") + waits;
}

std::string guard_reason_of(const Taken& taken) {
    const Request request = request_in(taken);
    const std::string what =
        request.guard == Guard::overtaken
            ? "an append or a marker of the producer came to the log since the coordinator was "
              "asked"
            : "the coordinator was not asked about this batch";
    return what + refusal(taken.outcome.error);
}

std::string failover_reason_of(const Taken& taken) {
    const TransactionalId& after = taken.after.transactional_ids[taken.action.producer.value];
    const std::string text =
        "another broker reads the log of the id: its state is " + std::string(name_of(after.state));
    if (!after.is_preparing() || after.decided == 0) { return text; }
    return text + ", and markers are sent again to " + partitions_name(after.decided);
}

std::string expiry_reason_of(const Taken& taken) {
    const std::size_t k = taken.action.producer.value;
    const bool is_output = taken.action.verb == Verb::expire_producer;
    const Epoch epoch = is_output ? taken.before.outputs[taken.action.partition.value][k].epoch
                                  : taken.before.group.offsets[k].epoch;
    return "nothing of the producer was open there for producer.id.expiration.ms: its epoch " +
           epoch_name(epoch) + " is forgotten";
}

}  // namespace ringfence::model
