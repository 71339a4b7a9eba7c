// Whole searches, by number of workers: the streams model and two-phase commit in three sizes, as
// peers were measured, and EOS v2 at two partitions with all laws. bench/measure reads them.
#include "checker/breadth_first.hpp"
#include "model/kafka_model.hpp"
#include "properties/catalogue.hpp"
#include "tests/models/streams.hpp"
#include "tests/models/two_phase.hpp"

#include <benchmark/benchmark.h>

namespace ringfence::tests {

namespace {

template <checker::Model M>
void search(benchmark::State& run, const M& model, std::span<const checker::Property<M>> laws,
            std::uint64_t states, bool uses_symmetry = false) {
    checker::SearchOptions options;
    options.workers = static_cast<unsigned>(run.range(0));
    options.uses_symmetry = uses_symmetry;
    for (auto _ : run) {
        const auto report = checker::search<M>(model, laws, {}, options);
        if (report.states != states) { run.SkipWithError("not the known number of states"); }
        const auto found = static_cast<double>(report.states);
        const auto taken = static_cast<double>(report.transitions);
        run.counters["states"] = found;
        run.counters["transitions"] = taken;
        run.counters["bytes_per_state"] = static_cast<double>(report.memory_bytes) / found;
        run.counters["states_rate"] = found / report.seconds;
        run.counters["transitions_rate"] = taken / report.seconds;
    }
}

void streams(benchmark::State& run, const Streams::Size& size, std::uint64_t states) {
    search<SplitStreams>(run, SplitStreams(size), std::span(&exactly_once_in<SplitStreams>, 1),
                         states);
}

void two_phase(benchmark::State& run, std::uint8_t managers, std::uint64_t states) {
    search<TwoPhase>(run, TwoPhase(managers), std::span(&two_phase_consistent, 1), states);
}

void kafka(benchmark::State& run, std::uint64_t states, bool uses_symmetry) {
    model::Bounds bounds;
    bounds.partitions = 2;
    const model::KafkaModel model(model::Rules{}, bounds, model::Disturbances{});
    search<model::KafkaModel>(run, model, properties::laws(), states, uses_symmetry);
}

void measure(benchmark::internal::Benchmark* search) {
    search->ArgName("workers")->Arg(1)->Arg(2)->Iterations(1);
    search->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

BENCHMARK_CAPTURE(streams, s, Streams::Size{3, 2, 3, 1, true}, 89'816)->Apply(measure);
BENCHMARK_CAPTURE(streams, m, Streams::Size{2, 2, 9, 2, true}, 1'058'204)->Apply(measure);
BENCHMARK_CAPTURE(streams, l, Streams::Size{3, 2, 5, 2, true}, 12'011'336)->Apply(measure);
BENCHMARK_CAPTURE(two_phase, s, 7, 296'448)->Apply(measure);
BENCHMARK_CAPTURE(two_phase, m, 8, 1'745'408)->Apply(measure);
BENCHMARK_CAPTURE(two_phase, l, 9, 10'340'352)->Apply(measure);
BENCHMARK_CAPTURE(kafka, v2, 38'130'890, false)->Apply(measure);
BENCHMARK_CAPTURE(kafka, v2_up_to_names, 9'583'689, true)->Apply(measure);

}  // namespace

}  // namespace ringfence::tests
