// Whole searches, by number of workers: the streams model in three sizes, as peers were measured.
#include "checker/breadth_first.hpp"
#include "tests/models/streams.hpp"

#include <benchmark/benchmark.h>

namespace ringfence::tests {

namespace {

void search_streams(benchmark::State& run, const Streams::Size& size, std::uint64_t states) {
    checker::SearchOptions options;
    options.workers = static_cast<unsigned>(run.range(0));
    const Streams model(size);
    double transitions = 0;
    double bytes_per_state = 0;
    for (auto _ : run) {
        const auto report =
            checker::search<Streams>(model, std::span(&streams_exactly_once, 1), {}, options);
        if (report.states != states) { run.SkipWithError("not the known number of states"); }
        transitions += static_cast<double>(report.transitions);
        bytes_per_state =
            static_cast<double>(report.memory_bytes) / static_cast<double>(report.states);
    }
    run.counters["transitions"] = benchmark::Counter(transitions, benchmark::Counter::kIsRate);
    run.counters["bytes_per_state"] = bytes_per_state;
}

void measure(benchmark::internal::Benchmark* search) {
    search->ArgName("workers")->Arg(1)->Arg(2);
    search->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

BENCHMARK_CAPTURE(search_streams, small, Streams::Size{3, 2, 3, 1, true}, 89'816)->Apply(measure);
BENCHMARK_CAPTURE(search_streams, medium, Streams::Size{2, 2, 9, 2, true}, 1'058'204)
    ->Apply(measure);
BENCHMARK_CAPTURE(search_streams, large, Streams::Size{3, 2, 5, 2, true}, 12'011'336)
    ->Apply(measure);

}  // namespace

}  // namespace ringfence::tests
