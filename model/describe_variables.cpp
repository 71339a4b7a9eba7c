// States as lists of variables.
#include "model/describe.hpp"
#include "model/describe_reasons.hpp"
#include "model/names.hpp"
#include "model/partition_leader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringfence::model {

namespace {

std::string yes_or_no(bool is_so) { return is_so ? "yes" : "no"; }

// Of a set of threads, a bit each.
std::string threads_name(std::uint8_t threads) {
    constexpr auto all = (1U << threads_max) - 1;
    return members_name(static_cast<std::uint8_t>(threads & all));
}

std::string owner_name(std::uint8_t owner) {
    return owner == 0 ? "nobody" : member_name(MemberId{owner - 1U});
}

// "running at 1, uncommitted from 0"
std::string task_value(const Task& task) {
    std::string value(name_of(task.phase));
    const bool has_position = task.phase != TaskPhase::none &&
                              task.phase != TaskPhase::needs_fetch &&
                              task.phase != TaskPhase::needs_both;
    if (has_position || task.position != 0) { value += " at " + std::to_string(task.position); }
    if (task.first != task.position) {
        value += ", uncommitted from " + std::to_string(task.first);
    }
    return value;
}

std::string pending_value(const PendingOffset& pending) {
    if (pending.offset == 0) { return "none"; }
    const std::string offset = "offset " + std::to_string(pending.offset);
    if (pending.position == PendingOffset::overtaken) { return offset + ", overtaken"; }
    // Most often it is the only one, and its place in the order needs no word.
    if (pending.position == 0) { return offset; }
    return offset + ", behind " + std::to_string(pending.position) + " other";
}

std::string queue_value(std::uint8_t queue) {
    if (queue == 0) { return "none"; }
    std::string value;
    for (; queue != 0; queue = static_cast<std::uint8_t>(queue >> 2U)) {
        value += value.empty() ? "" : ", ";
        value += (queue & 3U) == 1 ? "commit" : "abort";
    }
    return value;
}

class Collector {
  public:
    Collector(const Configuration& configuration, const Cluster& cluster)
        : configuration_(configuration), cluster_(cluster) {}

    [[nodiscard]] std::vector<Variable> variables() {
        add_group();
        add_offsets();
        for (std::size_t t = 0; t < configuration_.bounds.threads; ++t) { add_thread(t); }
        for (std::size_t k = 0; k < configuration_.producers(); ++k) { add_id(ProducerId{k}); }
        for (std::size_t p = 0; p < partitions(); ++p) { add_output(p); }
        for (std::size_t p = 0; p < partitions(); ++p) { add_changelog(p); }
        add_network();
        for (std::size_t p = 0; p < partitions(); ++p) { add_ghosts(p); }
        add_budgets();
        return std::move(variables_);
    }

  private:
    [[nodiscard]] std::size_t partitions() const { return configuration_.bounds.partitions; }
    [[nodiscard]] std::string name_of_id(ProducerId producer) const {
        return producer_name(configuration_, producer);
    }
    // v1 writes to output p with producers of task p alone.
    [[nodiscard]] bool may_write(std::size_t producer, std::size_t partition) const {
        const bool is_bound = configuration_.has_producer_per_task() &&
                              configuration_.id_scope() != IdScope::instance;
        return !is_bound || producer % partitions() == partition;
    }

    void own(std::string owner) { owner_ = std::move(owner); }
    void add(std::string name, std::string value) {
        variables_.push_back({owner_, std::move(name), std::move(value)});
    }
    void add(std::string name, std::string_view value) { add(std::move(name), std::string(value)); }
    void add(std::string name, unsigned value) { add(std::move(name), std::to_string(value)); }

    // That a leader knows from the last marker.
    void add_coordinator_epoch(const std::string& id, std::uint8_t epoch) {
        if (!configuration_.counts_coordinator_epochs()) { return; }
        add("coordinator epoch of " + id, epoch);
    }

    void add_group() {
        const GroupCoordinator& group = cluster_.group;
        own("group");
        add("phase", name_of(group.phase));
        add("generation", group.generation);
        add("members", members_name(group.members));
        add("joined", members_name(group.joined));
        for (std::size_t p = 0; p < partitions(); ++p) {
            add(partition_name(PartitionId{p}) + " assigned to", owner_name(group.assignment[p]));
        }
        for (std::size_t slot = 0; slot < members_max; ++slot) {
            const bool is_former = slot >= threads_max;
            const bool can_be = slot % threads_max < configuration_.bounds.threads &&
                                (!is_former || configuration_.disturbances.restart != 0);
            if (!can_be) { continue; }
            add("claims of " + member_name(MemberId{slot}), partitions_name(group.claims[slot]));
        }
    }

    void add_offsets() {
        own("offsets");
        for (std::size_t p = 0; p < partitions(); ++p) {
            add(partition_name(PartitionId{p}) + " committed", cluster_.group.committed[p]);
        }
        for (std::size_t k = 0; k < configuration_.producers(); ++k) {
            const OffsetsEntry& entry = cluster_.group.offsets[k];
            const std::string id = name_of_id(ProducerId{k});
            add("epoch of " + id, epoch_name(entry.epoch));
            if (asks_ever(configuration_.rules)) {
                add("open transaction of " + id, yes_or_no(entry.is_open != 0));
            }
            add_coordinator_epoch(id, entry.coordinator_epoch);
            if (configuration_.rules.marker_acknowledged == MarkerAcknowledged::on_append) {
                add("queued markers of " + id, queue_value(entry.queue));
            }
            for (std::size_t p = 0; p < partitions(); ++p) {
                if (!may_write(k, p)) { continue; }
                add(partition_name(PartitionId{p}) + " pending of " + id,
                    pending_value(entry.pending[p]));
            }
        }
    }

    void add_thread(std::size_t index) {
        const StreamThread& thread = cluster_.threads[index];
        own(thread_name(ThreadId{index}));
        add("life", name_of(thread.life));
        add("membership", name_of(thread.membership));
        add("generation", thread.generation);
        if (configuration_.rules.commits_kept_offsets == Switch::yes) {
            add("metadata is stale", yes_or_no(thread.metadata_is_stale != 0));
        }
        for (std::size_t p = 0; p < partitions(); ++p) {
            const std::string name = partition_name(PartitionId{p});
            add("task " + name, task_value(thread.tasks[p]));
            if (configuration_.ghosts.elders) {
                const std::uint8_t elders = thread.tasks[p].elders;
                const std::uint8_t self = ThreadId{index}.bit();
                add("elders of task " + name, threads_name(without(elders, self)));
                add("superseded at " + name, yes_or_no((elders & Task::superseded) != 0));
            }
            if (configuration_.disturbs_network()) {
                add("decided unheard at " + name, thread.tasks[p].decided);
            }
            if (configuration_.has_changelog()) {
                add("state of task " + name, local_state(thread.tasks[p]));
            }
        }
        for (std::size_t slot = 0; slot < configuration_.producer_slots(); ++slot) {
            add_producer(slot, thread.producers[slot]);
        }
    }

    // "awaits app-A, holds r1", "does not fit: r1"
    [[nodiscard]] std::string local_state(const Task& task) const {
        if (task.phase == TaskPhase::none) { return "none"; }
        if ((task.restore & Task::restore_due) != 0) { return "to be restored"; }
        const std::string records = records_of_bits(task.restore);
        if (task.is_restored() && task.phase != TaskPhase::needs_fetch) {
            return task.restore == 0 ? "fits" : "does not fit: " + records;
        }
        std::string awaited;
        for (std::size_t k = 0; k < configuration_.producers(); ++k) {
            if ((task.awaited >> k & 1U) == 0) { continue; }
            awaited += (awaited.empty() ? "awaits " : ", ") + name_of_id(ProducerId{k});
        }
        if (!configuration_.ghosts.restored) { return awaited.empty() ? "restored" : awaited; }
        return awaited + (awaited.empty() ? "holds " : ", holds ") + records;
    }

    void add_producer(std::size_t slot, const Producer& producer) {
        const bool per_task = configuration_.has_producer_per_task();
        const std::string prefix =
            "producer " + (per_task ? partition_name(PartitionId{slot}) + " " : "");
        add(prefix + "epoch", epoch_name(producer.epoch));
        add(prefix + "phase", name_of(producer.phase));
        add(prefix + "added", partitions_name(producer.added));
        if (asks_ever(configuration_.rules)) {
            add(prefix + "verified", partitions_name(producer.verified));
        }
        if (configuration_.rules.verification == Verification::guarded) {
            add(prefix + "overtaken", partitions_name(producer.overtaken));
        }
        if (configuration_.ghosts.timed_out) {
            add(prefix + "timed out", yes_or_no(producer.timed_out != 0));
        }
        if (configuration_.disturbs_network()) {
            add(prefix + "unanswered", partitions_name(producer.unanswered));
            add(prefix + "of these appended", partitions_name(producer.appended));
            add(prefix + "decided unheard", partitions_name(producer.decided));
        }
    }

    void add_id(ProducerId producer) {
        const TransactionalId& id = cluster_.transactional_ids[producer.value];
        own(name_of_id(producer));
        add("epoch", epoch_name(id.epoch));
        add("state", name_of(id.state));
        const std::string partitions = partitions_name(id.partitions);
        const bool has_refused = id.gave_up == GaveUp::on_a_marker;
        add("partitions", (id.is_preparing() ? "markers owed: " : "") + partitions +
                              (has_refused ? ", and one was refused" : ""));
        if (configuration_.has_changelog()) {
            add("changelog markers owed", partitions_name(id.changelogs));
        }
        if (configuration_.rules.bumps_after_abort == BumpsAfterAbort::yes) {
            add("last epoch", epoch_name(id.last_epoch));
        }
        if (configuration_.rules.bumps_after_abort == BumpsAfterAbort::by_itself) {
            add("sends no marker", yes_or_no(id.gave_up == GaveUp::before_markers));
        }
        if (configuration_.fails_over()) { add("decided", partitions_name(id.decided)); }
        if (configuration_.counts_coordinator_epochs()) {
            add("coordinator epoch", id.coordinator_epoch);
        }
        if (configuration_.rules.init_waits == Switch::no) {
            add("marker epoch", epoch_name(id.marker_epoch));
        }
    }

    void add_output(std::size_t partition) {
        own("output " + partition_name(PartitionId{partition}));
        for (std::size_t k = 0; k < configuration_.producers(); ++k) {
            if (!may_write(k, partition)) { continue; }
            const OutputEntry& entry = cluster_.outputs[partition][k];
            const std::string id = name_of_id(ProducerId{k});
            add("epoch of " + id, epoch_name(entry.epoch));
            add("open of " + id, records_name(entry.open));
            add_coordinator_epoch(id, entry.coordinator_epoch);
            if (configuration_.ghosts.stray) { add("stray of " + id, yes_or_no(entry.stray != 0)); }
        }
    }

    void add_changelog(std::size_t partition) {
        if (!configuration_.has_changelog()) { return; }
        own("changelog " + partition_name(PartitionId{partition}));
        for (std::size_t k = 0; k < configuration_.producers(); ++k) {
            if (!may_write(k, partition)) { continue; }
            const ChangelogEntry& entry = cluster_.changelogs[partition][k];
            const std::string id = name_of_id(ProducerId{k});
            add("epoch of " + id, epoch_name(entry.epoch()));
            add("open of " + id, records_of_bits(entry.open()));
            add_coordinator_epoch(id, entry.coordinator_epoch);
        }
        if (configuration_.ghosts.restored) {
            add("committed", records_of_bits(cluster_.ghosts[partition].logged));
        }
    }

    void add_network() {
        if (!configuration_.disturbs_network()) { return; }
        own("network");
        for (std::size_t place = 0; place < messages_max; ++place) {
            add("message " + std::to_string(place),
                message_value(configuration_, cluster_.in_flight[place]));
        }
    }

    void add_ghosts(std::size_t partition) {
        const PartitionGhosts& ghosts = cluster_.ghosts[partition];
        const Ghosts& kept = configuration_.ghosts;
        own("ghosts " + partition_name(PartitionId{partition}));
        if (kept.visible) { add("visible", records_name(ghosts.visible)); }
        if (kept.confirmed) { add("confirmed", records_of_bits(ghosts.confirmed)); }
        if (kept.stray) { add("visible stray", yes_or_no(ghosts.tainted != 0)); }
        if (kept.decided_end) { add("decided end", ghosts.decided_end); }
    }

    void add_budget(std::string name, std::uint8_t budget, std::uint8_t left) {
        const bool is_counted = budget != 0 && budget != Disturbances::unlimited;
        if (is_counted) { add(std::move(name), left); }
    }

    void add_budgets() {
        const Disturbances& all = configuration_.disturbances;
        const Budgets& left = cluster_.budgets;
        own("budgets");
        add_budget("late_request", all.late_request, left.late_request);
        add_budget("duplicated_request", all.duplicated_request, left.duplicated_request);
        add_budget("lost_answer", all.lost_answer, left.lost_answer);
        add_budget("late_marker", all.late_marker, left.late_marker);
        add_budget("duplicated_marker", all.duplicated_marker, left.duplicated_marker);
        add_budget("transaction_coordinator_failover", all.transaction_coordinator_failover,
                   left.transaction_coordinator_failover);
        add_budget("producer_expiry", all.producer_expiry, left.producer_expiry);
        add_budget("expulsion", all.expulsion, left.expulsion);
        add_budget("transaction_timeout", all.transaction_timeout, left.transaction_timeout);
        add_budget("voluntary_rebalance", all.voluntary_rebalance, left.voluntary_rebalance);
        add_budget("crash", all.crash, left.crash);
        add_budget("restart", all.restart, left.restart);
    }

    const Configuration& configuration_;
    const Cluster& cluster_;
    std::string owner_;
    std::vector<Variable> variables_;
};

}  // namespace

std::vector<Variable> variables_under(const Configuration& configuration, const Cluster& cluster) {
    return Collector(configuration, cluster).variables();
}

}  // namespace ringfence::model
