#include "model/repeated_commits.hpp"

#include "model/client.hpp"
#include "model/group_coordinator.hpp"
#include "model/network.hpp"

#include <algorithm>

namespace ringfence::model {

Works works_to_commit(const Configuration& configuration, const StreamThread& thread) {
    Works works = works_of(configuration, thread, 0);
    for (std::size_t p = 0; p < partitions_max; ++p) {
        Work& work = works[p];
        work.first = std::clamp(thread.tasks[p].decided, work.first, work.position);
    }
    return works;
}

namespace {

bool asks_for_commits(const Configuration& configuration) {
    return configuration.disturbs_network() &&
           (configuration.ghosts.decided_end || configuration.ghosts.elders);
}

bool is_same_sender(const Request& one, const Request& other) {
    return one.verb == other.verb && one.member == other.member &&
           one.generation == other.generation;
}

// In what was sent earlier, or again, the records before `decided` are no new work.
void cut(Work& work, Offset decided) {
    work.first = std::clamp(decided, work.first, work.position);
}

}  // namespace

void remember_plain_commit(const Configuration& configuration, Cluster& cluster,
                           const Request& commit) {
    // Nobody can tell whose commit it is that names no member.
    if (!asks_for_commits(configuration) || !commit.member.is_in_slot()) { return; }
    const MemberId member = commit.member.slot();
    StreamThread& thread = cluster.threads[thread_of(member).value];
    const bool is_its = member == current_member(thread_of(member)) &&
                        commit.generation.number() == thread.generation;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const Offset decided = commit.work[p].position;
        for (Request& message : cluster.in_flight) {
            if (is_same_sender(message, commit)) { cut(message.work[p], decided); }
        }
        Task& task = thread.tasks[p];
        const bool is_open = is_its && task.first < decided;
        if (is_open) { task.decided = std::max(task.decided, decided); }
    }
    sort_messages(cluster);
}

}  // namespace ringfence::model
