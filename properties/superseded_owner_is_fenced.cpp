// Once a later owner has fetched its start position, nothing an earlier owner did is committed.
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

// To send a commit again decides no work.
bool is_of_elder(const model::Work& work) { return work.is_superseded() && !work.is_repeated(); }

bool holds(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (is_of_elder(step.outcome.decided[p])) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (!is_of_elder(step.outcome.decided[p])) { continue; }
        return "The commit of " + sender_name(model, step) + " on " +
               partition_name(PartitionId{p}) +
               " was decided, but a later owner of the partition had already fetched its start "
               "position, and knows nothing of this work.";
    }
    return {};
}

}  // namespace

Law superseded_owner_is_fenced() {
    return {.name = "superseded_owner_is_fenced",
            .sentence =
                "Once a later ownership term of a partition has fetched its offset, no "
                "work done under an earlier term is decided as a commit.",
            .source = "KIP-447",
            .kind = checker::PropertyKind::step,
            .is_applicable = always,
            .verbs = set_of(model::Verb::end_txn_commit, model::Verb::offset_commit,
                            model::Verb::deliver_request),
            .holds_over = holds,
            .explain_step = explain};
}

}  // namespace ringfence::properties
