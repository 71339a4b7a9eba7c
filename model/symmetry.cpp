#include "model/symmetry.hpp"

#include "model/group_coordinator.hpp"
#include "model/network.hpp"

#include <cstddef>
#include <utility>

namespace ringfence::model {

namespace {

// All permutations of the first `count` names, the identity first; the others stay.
template <std::size_t Size>
std::vector<std::array<std::uint8_t, Size>> permutations_of(std::size_t count) {
    std::array<std::uint8_t, Size> names{};
    for (std::size_t i = 0; i < Size; ++i) { names[i] = static_cast<std::uint8_t>(i); }
    std::vector<std::array<std::uint8_t, Size>> all;
    const auto permute_from = [&](const auto& self, std::size_t place) -> void {
        if (place == count) {
            all.push_back(names);
            return;
        }
        for (std::size_t other = place; other < count; ++other) {
            std::swap(names[place], names[other]);
            self(self, place + 1);
            std::swap(names[place], names[other]);
        }
    };
    permute_from(permute_from, 0);
    return all;
}

// One cluster under new names, field by field.
class Renamer {
  public:
    Renamer(const Configuration& configuration, const Renaming& renaming, const Cluster& from)
        : configuration_(configuration), renaming_(renaming), from_(from) {}

    [[nodiscard]] Cluster renamed() const {
        Cluster to = from_;
        for (std::size_t t = 0; t < threads_max; ++t) {
            to.threads[renaming_.threads[t]] = renamed(from_.threads[t]);
        }
        for (std::size_t k = 0; k < configuration_.producers(); ++k) {
            const std::size_t into = producer(k);
            to.transactional_ids[into] = from_.transactional_ids[k];
            to.transactional_ids[into].partitions =
                partitions(from_.transactional_ids[k].partitions);
            to.transactional_ids[into].decided = partitions(from_.transactional_ids[k].decided);
            to.transactional_ids[into].changelogs =
                partitions(from_.transactional_ids[k].changelogs);
            to.group.offsets[into] = from_.group.offsets[k];
            for (std::size_t p = 0; p < partitions_max; ++p) {
                to.outputs[renaming_.partitions[p]][into] = from_.outputs[p][k];
                to.changelogs[renaming_.partitions[p]][into] = from_.changelogs[p][k];
                to.group.offsets[into].pending[renaming_.partitions[p]] =
                    from_.group.offsets[k].pending[p];
            }
        }
        rename_group(to.group);
        for (Request& message : to.in_flight) { rename_message(message); }
        sort_messages(to);
        for (std::size_t p = 0; p < partitions_max; ++p) {
            to.ghosts[renaming_.partitions[p]] = from_.ghosts[p];
        }
        return to;
    }

  private:
    [[nodiscard]] StreamThread renamed(const StreamThread& thread) const {
        StreamThread to = thread;
        for (std::size_t p = 0; p < partitions_max; ++p) {
            Task& task = to.tasks[renaming_.partitions[p]];
            task = thread.tasks[p];
            task.elders = threads(task.elders);
            task.awaited = renamed_set(task.awaited, configuration_.producers(),
                                       [&](std::size_t k) { return producer(k); });
        }
        for (std::size_t slot = 0; slot < configuration_.producer_slots(); ++slot) {
            Producer& producer = to.producers[renamed_slot(slot)];
            producer = thread.producers[slot];
            producer.added = partitions(producer.added);
            producer.verified = partitions(producer.verified);
            producer.overtaken = partitions(producer.overtaken);
            producer.unanswered = partitions(producer.unanswered);
            producer.appended = partitions(producer.appended);
            producer.decided = partitions(producer.decided);
        }
        return to;
    }

    // A partition that a message does not name stays 0.
    void rename_message(Request& message) const {
        if (message.is_none()) { return; }
        const Request from = message;
        if (configuration_.is_transactional()) {
            message.producer = ProducerId{producer(from.producer.value)};
        }
        if (names_partition(from.verb)) {
            message.partition = PartitionId{renaming_.partitions[from.partition.value]};
        }
        if (from.member.is_in_slot()) {
            message.member = GivenMember::in(MemberId{member(from.member.slot().value)});
        }
        for (std::size_t p = 0; p < partitions_max; ++p) {
            Work& work = message.work[renaming_.partitions[p]];
            work = from.work[p];
            work.elders = threads(work.elders);
        }
    }

    void rename_group(GroupCoordinator& to) const {
        const GroupCoordinator& from = from_.group;
        to.members = members(from.members);
        to.joined = members(from.joined);
        for (std::size_t slot = 0; slot < members_max; ++slot) {
            to.claims[member(slot)] = partitions(from.claims[slot]);
        }
        for (std::size_t p = 0; p < partitions_max; ++p) {
            const std::uint8_t owner = from.assignment[p];
            to.assignment[renaming_.partitions[p]] =
                owner == 0 ? owner : static_cast<std::uint8_t>(1 + member(owner - 1U));
            to.committed[renaming_.partitions[p]] = from.committed[p];
        }
    }

    // ---- names ----

    [[nodiscard]] std::size_t member(std::size_t slot) const {
        return slot / threads_max * threads_max + renaming_.threads[slot % threads_max];
    }
    [[nodiscard]] std::size_t renamed_slot(std::size_t slot) const {
        return configuration_.has_producer_per_task() ? renaming_.partitions[slot] : slot;
    }
    [[nodiscard]] std::size_t producer(std::size_t id) const {
        const std::size_t current = configuration_.current_producers();
        const std::size_t former = id / current * current;
        const std::size_t number = id % current;
        switch (configuration_.id_scope()) {
            case IdScope::task: return former + renaming_.partitions[number];
            case IdScope::automatic:
            case IdScope::instance: return id;
            case IdScope::thread:
            case IdScope::random: break;
        }
        const std::size_t slots = configuration_.producer_slots();
        return former + renaming_.threads[number / slots] * slots + renamed_slot(number % slots);
    }

    // ---- sets of names, a bit each; higher bits mean something else and stay ----

    template <class Name>
    static std::uint8_t renamed_set(std::uint8_t set, std::size_t names, const Name& name) {
        unsigned result = static_cast<unsigned>(set) >> names << names;
        for (std::size_t i = 0; i < names; ++i) {
            if ((set >> i & 1U) != 0) { result |= 1U << name(i); }
        }
        return static_cast<std::uint8_t>(result);
    }
    [[nodiscard]] std::uint8_t threads(std::uint8_t set) const {
        return renamed_set(set, threads_max, [&](std::size_t t) { return renaming_.threads[t]; });
    }
    [[nodiscard]] std::uint8_t partitions(std::uint8_t set) const {
        return renamed_set(set, partitions_max,
                           [&](std::size_t p) { return renaming_.partitions[p]; });
    }
    [[nodiscard]] std::uint8_t members(std::uint8_t set) const {
        return renamed_set(set, members_max, [&](std::size_t slot) { return member(slot); });
    }

    const Configuration& configuration_;
    const Renaming& renaming_;
    const Cluster& from_;
};

}  // namespace

std::vector<Renaming> renamings(const Configuration& configuration) {
    std::vector<Renaming> all;
    for (const auto& threads : permutations_of<threads_max>(configuration.bounds.threads)) {
        for (const auto& partitions :
             permutations_of<partitions_max>(configuration.bounds.partitions)) {
            all.push_back({threads, partitions});
        }
    }
    all.erase(all.begin());  // the identity comes first
    return all;
}

void rename(const Configuration& configuration, const Renaming& renaming, Cluster& cluster) {
    const Cluster from = cluster;
    cluster = Renamer(configuration, renaming, from).renamed();
}

}  // namespace ringfence::model
