// What a commit makes visible was computed from the state that belongs to its start position.
// Asked of commits, not of every restore: a zombie may fetch an offset that its state does not fit,
// and is none the wiser; what counts is that it cannot commit.
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool holds(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (step.outcome.decided[p].wrong_records != 0) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Step& step) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const model::Work& work = step.outcome.decided[p];
        if (work.wrong_records == 0) { continue; }
        return "The commit of " + sender_name(model, step) + " on " +
               partition_name(PartitionId{p}) + " was decided. It begins at offset " +
               std::to_string(work.first) +
               ", but the local state from which it was computed differs from the committed "
               "changelog up to there by: " +
               model::records_of_bits(work.wrong_records) + ".";
    }
    return {};
}

bool has_changelog(const KafkaModel& model) { return model.configuration().has_changelog(); }

}  // namespace

Law no_stale_state() {
    return {.name = "no_stale_state",
            .sentence =
                "When a commit is decided, the local state that its work began with held the "
                "committed changelog records of exactly the input records before its start "
                "position.",
            .source = "KAFKA-10167",
            .kind = checker::PropertyKind::step,
            .is_applicable = has_changelog,
            .verbs = set_of(model::Verb::end_txn_commit, model::Verb::deliver_request),
            .holds_over = holds,
            .explain_step = explain};
}

}  // namespace ringfence::properties
