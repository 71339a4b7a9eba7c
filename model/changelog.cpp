#include "model/changelog.hpp"

#include "model/verification.hpp"

namespace ringfence::model {

namespace {

// Producers with an open transaction on the changelog.
std::uint8_t open_on(const Cluster& cluster, PartitionId partition) {
    std::uint8_t open = 0;
    for (std::size_t k = 0; k < producers_max; ++k) {
        const bool is_open = cluster.changelogs[partition.value][k].open() != 0;
        if (is_open) { open = with(open, ProducerId{k}.bit()); }
    }
    return open;
}

}  // namespace

Error append_to_changelog(const Rules& rules, ChangelogEntry& entry, const Batch& batch,
                          Offset record) {
    const Error error = append_error(rules, Log::output, state_of(entry), batch);
    if (error != Error::none) { return error; }
    const std::uint8_t coordinator_epoch = entry.coordinator_epoch;
    entry = {batch.epoch, with(entry.open(), static_cast<std::uint8_t>(1U << record))};
    entry.coordinator_epoch = coordinator_epoch;
    return Error::none;
}

void begin_restore(const Configuration& configuration, Cluster& cluster, ThreadId thread,
                   PartitionId partition) {
    Task& task = cluster.threads[thread.value].tasks[partition.value];
    const bool waits = configuration.rules.changelog == Changelog::restored_to_end_offset;
    task.awaited = waits ? open_on(cluster, partition) : std::uint8_t{0};
    task.restore = cluster.ghosts[partition.value].logged;
    compare_restored(configuration, task);
}

Error close_on_changelog(const Configuration& configuration, Cluster& cluster,
                         const Request& marker) {
    const std::size_t p = marker.partition.value;
    const ProducerId producer = marker.producer;
    ChangelogEntry& entry = cluster.changelogs[p][producer.value];
    const Error error = marker_error(configuration.rules, state_of(entry), marker_in(marker));
    if (error != Error::none) { return error; }
    overtake(configuration, cluster, producer, marker.partition.bit(), marker.epoch);
    const bool is_kept = configuration.ghosts.restored && marker.is_commit;
    const std::uint8_t kept = is_kept ? entry.open() : std::uint8_t{0};
    entry = {marker.epoch, 0};
    entry.coordinator_epoch = marker.coordinator_epoch;
    std::uint8_t& logged = cluster.ghosts[p].logged;
    logged = with(logged, kept);
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        Task& task = cluster.threads[t].tasks[p];
        if ((task.awaited & producer.bit()) == 0) { continue; }
        task.awaited = without(task.awaited, producer.bit());
        task.restore = with(task.restore, kept);
        compare_restored(configuration, task);
    }
    return Error::none;
}

void compare_restored(const Configuration& configuration, Task& task) {
    const bool is_asked = configuration.has_changelog() && configuration.ghosts.restored;
    if (!is_asked || !task.may_process()) { return; }
    const unsigned records_before_start = (1U << task.first) - 1;
    task.restore = static_cast<std::uint8_t>(task.restore ^ records_before_start);
}

}  // namespace ringfence::model
