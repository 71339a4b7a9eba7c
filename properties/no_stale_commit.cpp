// A decided commit continues where the last decided one ended: nobody committed in between, nothing
// is skipped, offsets never go back.
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool is_stale(const Step& step, std::size_t p) {
    const model::Work& work = step.outcome.decided[p];
    return work.is_some() && work.first != step.before.ghosts[p].decided_end;
}

bool holds(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (is_stale(step, p)) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (!is_stale(step, p)) { continue; }
        const model::Work& work = step.outcome.decided[p];
        if (work.is_repeated()) {
            return "The commit of " + sender_name(model, step) + " was taken once more for " +
                   partition_name(PartitionId{p}) + ", up to offset " +
                   std::to_string(work.position) +
                   ", but the last decided commit of this partition had ended at " +
                   std::to_string(step.before.ghosts[p].decided_end) + ".";
        }
        return "The commit of " + sender_name(model, step) + " was decided for " +
               partition_name(PartitionId{p}) + " from offset " + std::to_string(work.first) +
               " to " + std::to_string(work.position) +
               ", but the last decided commit of this partition had ended at " +
               std::to_string(step.before.ghosts[p].decided_end) +
               (work.first < step.before.ghosts[p].decided_end
                    ? ": records in between are processed twice."
                    : ": records in between are skipped.");
    }
    return {};
}

}  // namespace

Law no_stale_commit() {
    return {.name = "no_stale_commit",
            .sentence =
                "When a commit is decided, its work on each input partition begins where "
                "the last decided commit of that partition ended.",
            .source = "KIP-129, KIP-447",
            .kind = checker::PropertyKind::step,
            .is_applicable = always,
            .verbs = set_of(model::Verb::end_txn_commit, model::Verb::offset_commit,
                            model::Verb::deliver_request),
            .holds_over = holds,
            .explain_step = explain};
}

}  // namespace ringfence::properties
