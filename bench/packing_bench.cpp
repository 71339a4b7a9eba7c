// What packing costs a state, by the number of 64-bit words in it and the bits in use.
#include "checker/packing.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ringfence::checker {

namespace {

// One-byte members of which three bits are in use each, as a model has them.
struct Sample {
    explicit Sample(std::size_t words, Packing::Path path)
        : base(words), packing(std::as_bytes(std::span(base)), path) {
        const std::vector<std::uint64_t> masks(words, 0x0707070707070707U);
        packing.widen(masks);
        packing = packing.compacted();
        std::mt19937_64 random(1);
        for (std::size_t index = 0; index < count; ++index) {
            for (std::size_t word = 0; word < words; ++word) {
                states.push_back(random() & masks[word]);
            }
        }
        keys.resize(count * packing.parts());
        for (std::size_t index = 0; index < count; ++index) {
            (void)packing.pack(state(index), keys.data() + index * packing.parts());
        }
    }

    [[nodiscard]] const std::byte* state(std::size_t index) const {
        return std::as_bytes(std::span(states)).data() +
               index % count * base.size() * sizeof(std::uint64_t);
    }

    static constexpr std::size_t count = 1024;
    std::vector<std::uint64_t> base;
    std::vector<std::uint64_t> states;
    std::vector<std::uint64_t> keys;
    Packing packing;
};

Packing::Path path_of(const benchmark::State& run) {
    return run.range(1) != 0 ? Packing::Path::fastest : Packing::Path::portable;
}

void pack(benchmark::State& run) {
    const Sample sample(static_cast<std::size_t>(run.range(0)), path_of(run));
    std::array<std::uint64_t, parts_max> key{};
    std::size_t index = 0;
    for (auto _ : run) {
        benchmark::DoNotOptimize(sample.packing.pack(sample.state(index++), key.data()));
        benchmark::DoNotOptimize(key);
    }
}

void unpack(benchmark::State& run) {
    const Sample sample(static_cast<std::size_t>(run.range(0)), path_of(run));
    std::vector<std::uint64_t> state(sample.base.size());
    std::byte* const to = std::as_writable_bytes(std::span(state)).data();
    std::size_t index = 0;
    for (auto _ : run) {
        const std::size_t from = index++ % Sample::count * sample.packing.parts();
        sample.packing.unpack(sample.keys.data() + from, to);
        benchmark::DoNotOptimize(state.data());
    }
}

BENCHMARK(pack)->ArgNames({"words", "pext"})->ArgsProduct({{4, 12, 24}, {1, 0}});
BENCHMARK(unpack)->ArgNames({"words", "pext"})->ArgsProduct({{4, 12, 24}, {1, 0}});

}  // namespace

}  // namespace ringfence::checker
