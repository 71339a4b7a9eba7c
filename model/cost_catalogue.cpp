// What each cost is called, and how it grows.
#include "model/cost.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

using D = const Deployment&;

constexpr CostFormula none{"0", [](D) { return std::uint64_t{0}; }};
constexpr CostFormula one{"1", [](D) { return std::uint64_t{1}; }};
constexpr CostFormula two{"2", [](D) { return std::uint64_t{2}; }};
constexpr CostFormula tasks{"P", [](D d) { return d.tasks; }};
constexpr CostFormula threads{"W", [](D d) { return d.threads_at_work(); }};
constexpr CostFormula handed_over{"K", [](D d) { return d.tasks_of_thread; }};
constexpr CostFormula tasks_twice{"P + K", [](D d) { return d.tasks + d.tasks_of_thread; }};

constexpr CostOfScheme nothing{none, none, "no transactions"};

constexpr CostEntry producers{
    .name = "producers",
    .what = "producers in use at one time: initialised ones; at least once, threads with a task",
    .source = "KIP-447; StreamsProducer of the task (exactly_once) or of the StreamThread",
    .kind = CostKind::state,
    .schemes = {{{threads, threads, "one a thread; the expelled one keeps its own"},
                 {tasks, tasks_twice, "one a task; an expelled thread keeps those of its K tasks"},
                 {threads, threads, "one a thread, without transactions"}}},
    .in = producers_in};

constexpr CostEntry connections{
    .name = "connections",
    .what =
        "pairs of a producer and somebody it talks to in a transaction: its transaction "
        "coordinator, the leaders of its outputs, the group coordinator. The model has no "
        "brokers: a client has one connection to each of them, so on B brokers these are at "
        "most B times the producers, and where each partner is on a broker of its own they "
        "are the connections. The consumers' come on top, the same under every scheme",
    .source = "KIP-98 (who a transaction talks to); NetworkClient (one connection a broker)",
    .kind = CostKind::state,
    .schemes = {{{{"2 W + P", [](D d) { return 2 * d.threads_at_work() + d.tasks; }},
                  {"2 W + P + K",
                   [](D d) { return 2 * d.threads_at_work() + d.tasks + d.tasks_of_thread; }},
                  "two coordinators a thread, one leader a task"},
                 {{"3 P", [](D d) { return 3 * d.tasks; }},
                  {"3 (P + K)", [](D d) { return 3 * (d.tasks + d.tasks_of_thread); }},
                  "two coordinators and one leader a producer"},
                 {tasks, tasks_twice, "one leader a task; offsets go by the consumer"}}},
    .in = connections_in};

constexpr CostEntry coordinator_entries{
    .name = "coordinator_entries",
    .what =
        "transactional ids that the transaction coordinators know; Kafka forgets one after "
        "transactional.id.expiration.ms without use (7 days), the model never",
    .source = "KIP-98; ids are application-task (exactly_once) or application-process-thread",
    .kind = CostKind::state,
    .schemes = {{{threads, threads, "one a thread that has ever had a task"},
                 {tasks, tasks, "one a task, whoever has it"},
                 nothing}},
    .in = coordinator_entries_in};

constexpr CostEntry init_calls_at_start_entry{
    .name = "init_calls_at_start",
    .what =
        "InitProducerId calls that the first assignment makes necessary; each is sent again "
        "as often as it is refused",
    .source = "StreamTask (exactly_once), StreamThread at its first task (exactly_once_v2)",
    .kind = CostKind::step,
    .schemes = {{{{"min(T, P)", [](D d) { return std::min(d.threads, d.tasks); }},
                  {"min(T, P)", [](D d) { return std::min(d.threads, d.tasks); }},
                  "one a thread with tasks"},
                 {tasks, tasks, "one a task"},
                 nothing}},
    .of = init_calls_at_start};

constexpr CostEntry init_calls_of_rebalance_entry{
    .name = "init_calls_of_rebalance",
    .what = "InitProducerId calls that a later assignment makes necessary",
    .source = "StreamTask (exactly_once), StreamThread at its first task (exactly_once_v2)",
    .kind = CostKind::step,
    .schemes = {{{none,
                  {"min(N, K)", [](D d) { return std::min(d.producerless, d.tasks_of_thread); }},
                  "one a thread that takes tasks and has no producer; a thread with a producer "
                  "goes on with it, whichever tasks it gets"},
                 {none, handed_over, "one a task that changes hands"},
                 nothing}},
    .of = init_calls_of_rebalance};

constexpr CostEntry tasks_rolled_back_entry{
    .name = "tasks_rolled_back",
    .what = "tasks whose appended output one abort takes back",
    .source = "KIP-447: a transaction is a task's (exactly_once), or all tasks' of the thread",
    .kind = CostKind::step,
    .schemes = {{{none, handed_over, "all tasks of the thread are in one transaction"},
                 {none, one, "each task has its own transaction"},
                 nothing}},
    .of = tasks_rolled_back};

constexpr CostEntry records_rolled_back_entry{
    .name = "records_rolled_back",
    .what = "records whose output one abort takes back",
    .source = "KIP-447, as above; R is what a task processes between two commits",
    .kind = CostKind::step,
    .schemes = {{{none,
                  {"K R", [](D d) { return d.tasks_of_thread * d.records; }},
                  "those of all tasks of the thread"},
                 {none, {"R", [](D d) { return d.records; }}, "those of one task"},
                 nothing}},
    .of = records_rolled_back};

constexpr CostEntry init_wait{
    .name = "init_wait",
    .what =
        "steps in the shortest schedule after which no InitProducerId of an owner is refused "
        "(CONCURRENT_TRANSACTIONS), from the worst state; steps of producers, transaction "
        "coordinators and leaders count, different tasks' one after another",
    .source = "TransactionCoordinator: every marker of the former transaction comes first",
    .kind = CostKind::init_wait,
    .schemes = {{{none,
                  {"K + 2", [](D d) { return d.tasks_of_thread + 2; }},
                  "only a thread that comes back waits, for its own last transaction: a marker "
                  "for each of its outputs and one for the offsets, and the completion"},
                 {none,
                  {"3 K + 1", [](D d) { return 3 * d.tasks_of_thread + 1; }},
                  "a new owner waits for each of its K tasks: the fence (or, if it was decided, "
                  "the offsets marker), the output marker and the completion; one task was being "
                  "committed and has both a fence and an offsets marker"},
                 nothing}}};

constexpr CostEntry fetch_wait{
    .name = "fetch_wait",
    .what =
        "the same for OffsetFetch (UNSTABLE_OFFSET_COMMIT): from the worst state until no "
        "offset of the owner's tasks is pending",
    .source = "KIP-447 (requireStable); TransactionCoordinator",
    .kind = CostKind::fetch_wait,
    .schemes = {{{none, two, "EndTxn of the expelled thread, and one marker for all its offsets"},
                 {none,
                  {"K + 1", [](D d) { return d.tasks_of_thread + 1; }},
                  "an offsets marker for each of K tasks, and the end or fence of the one that "
                  "is not decided yet"},
                 nothing}}};

}  // namespace

std::span<const CostEntry> cost_catalogue() {
    static constexpr std::array entries{producers,
                                        connections,
                                        coordinator_entries,
                                        init_calls_at_start_entry,
                                        init_calls_of_rebalance_entry,
                                        tasks_rolled_back_entry,
                                        records_rolled_back_entry,
                                        init_wait,
                                        fetch_wait};
    return entries;
}

std::span<const CostSymbol> cost_symbols() {
    static constexpr std::array<CostSymbol, 6> symbols{{
        {"P", "tasks: input partitions"},
        {"T", "threads of all instances"},
        {"W",
         "threads with tasks, as they believe: min(T, P), or 1 + min(T - 1, P) with the "
         "expelled one"},
        {"K",
         "tasks of one thread, which it may hand over: found with all P, scaled with an even "
         "share"},
        {"N",
         "threads in a rebalance that have no producer: found with all T, scaled with the expelled "
         "one"},
        {"R", "records of one task in one transaction"},
    }};
    return symbols;
}

std::string_view name_of(Situation situation) {
    switch (situation) {
        case Situation::undisturbed: return "undisturbed";
        case Situation::member_expelled: return "member_expelled";
    }
    return {};
}

Disturbances disturbances_of(Situation situation) {
    const bool is_disturbed = situation == Situation::member_expelled;
    return {.expulsion = is_disturbed ? std::uint8_t{1} : std::uint8_t{0},
            .transaction_timeout = 0};
}

std::uint8_t generations_of(Situation situation) {
    return situation == Situation::undisturbed ? 1 : 2;
}

std::uint64_t Deployment::threads_at_work() const {
    if (situation == Situation::undisturbed) { return std::min(threads, tasks); }
    return 1 + std::min(threads - 1, tasks);
}

Deployment searched(const Bounds& bounds, Situation situation) {
    return {.tasks = bounds.partitions,
            .threads = bounds.threads,
            .tasks_of_thread = bounds.partitions,
            .producerless = bounds.threads,
            .records = bounds.records,
            .situation = situation};
}

Deployment at_work(std::uint64_t tasks, std::uint64_t threads, std::uint64_t records,
                   Situation situation) {
    return {.tasks = tasks,
            .threads = threads,
            .tasks_of_thread = (tasks + threads - 1) / threads,
            .producerless = 1,  // the expelled one, once it has come back
            .records = records,
            .situation = situation};
}

}  // namespace ringfence::model
