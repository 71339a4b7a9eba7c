#include "model/footprints.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

// A footprint in the making.
class Marks {
  public:
    explicit Marks(const Configuration& configuration) : configuration_(configuration) {}

    // None if the verb has no footprint: `bytes` is empty then.
    [[nodiscard]] std::vector<std::uint8_t> of(Verb verb, std::size_t owner,
                                               std::size_t partition) {
        switch (verb) {
            case Verb::write_marker: mark_marker(owner, partition); break;
            case Verb::write_offsets_marker: mark_offsets_marker(owner); break;
            case Verb::complete_txn: mark(cluster_.transactional_ids[owner]); break;
            case Verb::complete_join: mark_end_of_join(); break;
            case Verb::sync_group: mark_sync(owner); break;
            case Verb::learn_of_expulsion: mark_thread(owner); break;
            case Verb::fetch_offset: mark_fetch(owner, partition); break;
            case Verb::init_producer_id: mark_init(owner, partition); break;
            default: return {};
        }
        return bytes_;
    }

  private:
    template <class Field>
    void mark(const Field& field) {
        const auto first = reinterpret_cast<const std::byte*>(&field) -
                           reinterpret_cast<const std::byte*>(&cluster_);
        std::fill_n(bytes_.begin() + first, sizeof field, std::uint8_t{1});
    }

    // ---- what they have in common ----

    // Whenever a thread has dropped a task, it is nobody's elder any more.
    void mark_elders() {
        for (const StreamThread& thread : cluster_.threads) {
            for (const Task& task : thread.tasks) { mark(task.elders); }
        }
    }
    void mark_thread(std::size_t thread) {
        mark(cluster_.threads[thread]);
        mark_elders();
    }
    // Batches that wait at leaders are overtaken by markers.
    void mark_waiting_batches() {
        if (configuration_.rules.verification != Verification::guarded) { return; }
        for (const StreamThread& thread : cluster_.threads) { mark(thread.producers); }
    }

    // ---- step by step ----

    void mark_marker(std::size_t producer, std::size_t partition) {
        mark(cluster_.transactional_ids[producer]);
        mark(cluster_.outputs[partition][producer]);
        mark(cluster_.ghosts[partition].visible);
        mark(cluster_.ghosts[partition].tainted);
        mark_waiting_batches();
    }

    void mark_offsets_marker(std::size_t producer) {
        mark(cluster_.transactional_ids[producer]);
        mark(cluster_.group.offsets[producer]);
        for (const OffsetsEntry& entry : cluster_.group.offsets) { mark(entry.pending); }
        mark(cluster_.group.committed);
        mark_waiting_batches();
    }

    void mark_end_of_join() {
        for (const StreamThread& thread : cluster_.threads) { mark(thread.membership); }
        mark(cluster_.group.phase);
        mark(cluster_.group.generation);
        mark(cluster_.group.members);
        mark(cluster_.group.joined);
        mark(cluster_.group.assignment);
    }

    void mark_sync(std::size_t thread) {
        mark_thread(thread);
        mark(cluster_.group.phase);
        mark(cluster_.group.generation);
        mark(cluster_.group.assignment);
        mark(cluster_.group.claims);
    }

    void mark_fetch(std::size_t thread, std::size_t partition) {
        const auto& tasks = cluster_.threads[thread].tasks;
        for (const Task& task : tasks) { mark(task.phase); }
        mark(tasks[partition]);
        mark_elders();
        for (const OffsetsEntry& entry : cluster_.group.offsets) { mark(entry.pending[partition]); }
        mark(cluster_.group.committed[partition]);
    }

    // Whether the thread is the rightful owner of its id is asked with it.
    void mark_init(std::size_t thread, std::size_t partition) {
        mark_thread(thread);
        mark(cluster_.group.members);
        mark(cluster_.group.generation);
        const ProducerId id = configuration_.producer_id(ThreadId{thread}, PartitionId{partition});
        mark(cluster_.transactional_ids[id.value]);
    }

    const Configuration& configuration_;
    static inline const Cluster cluster_{};  // only where its fields are matters
    std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(sizeof(Cluster));
};

}  // namespace

Footprints::Footprints(const Configuration& configuration) {
    for (auto& of_verb : numbers_) {
        for (auto& of_owner : of_verb) { of_owner.fill(none); }
    }
    if (configuration.id_scope() == IdScope::random) { return; }
    for (std::size_t verb = 0; verb < verbs; ++verb) {
        const bool is_of_coordinator = (coordinator_steps >> verb & 1U) != 0;
        const std::size_t owners =
            is_of_coordinator ? configuration.producers() : configuration.bounds.threads;
        for (std::size_t owner = 0; owner < owners; ++owner) {
            for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
                auto bytes = Marks(configuration).of(static_cast<Verb>(verb), owner, p);
                if (bytes.empty()) { continue; }
                auto known = std::ranges::find(all_, bytes);
                if (known == all_.end()) { known = all_.insert(known, std::move(bytes)); }
                numbers_[verb][owner][p] = static_cast<std::uint16_t>(known - all_.begin());
            }
        }
    }
}

}  // namespace ringfence::model
