// Inserting into the set of states: new keys while it grows, and keys that are there already.
#include "checker/visited.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace ringfence::checker {

namespace {

// Rounds of keys, sorted into shards as the search does it.
class Rounds {
  public:
    Rounds(std::size_t key_words, std::uint64_t keys) : key_words_(key_words) {
        for (std::uint64_t first = 0; first < keys; first += round_keys) {
            rounds_.emplace_back(shards);
            for (std::uint64_t key = first; key < std::min(first + round_keys, keys); ++key) {
                std::vector<std::uint64_t> words(key_words_);
                words.front() = key * 0x9E3779B97F4A7C15U;
                words.back() ^= key;
                auto& into = rounds_.back()[Sharding().shard_of(words.data(), key_words_)];
                into.insert(into.end(), words.begin(), words.end());
            }
        }
    }

    void insert_all(Visited& visited) const {
        const std::vector<std::uint8_t> labels(round_keys * key_words_);
        NewKeys counts{};
        for (const auto& round : rounds_) {
            PerShard incoming{};
            for (std::size_t shard = 0; shard < shards; ++shard) {
                incoming[shard] = static_cast<std::uint32_t>(round[shard].size() / key_words_);
            }
            visited.make_room_for(incoming);
            for (std::size_t shard = 0; shard < shards; ++shard) {
                const KeyRun run{round[shard].data(), incoming[shard], labels.data()};
                visited.insert(shard, std::span(&run, 1), counts);
            }
        }
    }

  private:
    static constexpr std::uint64_t round_keys = 200'000;
    std::size_t key_words_;
    std::vector<std::vector<std::vector<std::uint64_t>>> rounds_;
};

void insert_new(benchmark::State& run) {
    const auto key_words = static_cast<std::size_t>(run.range(0));
    const auto keys = static_cast<std::uint64_t>(run.range(1));
    const Rounds rounds(key_words, keys);
    double bytes = 0;
    for (auto _ : run) {
        Visited visited{KeyFormat(key_words)};
        rounds.insert_all(visited);
        bytes = static_cast<double>(visited.bytes());
    }
    run.SetItemsProcessed(run.iterations() * run.range(1));
    run.counters["bytes_per_key"] = bytes / static_cast<double>(keys);
}

void insert_known(benchmark::State& run) {
    const auto key_words = static_cast<std::size_t>(run.range(0));
    const Rounds rounds(key_words, static_cast<std::uint64_t>(run.range(1)));
    Visited visited{KeyFormat(key_words)};
    rounds.insert_all(visited);
    for (auto _ : run) { rounds.insert_all(visited); }
    run.SetItemsProcessed(run.iterations() * run.range(1));
}

constexpr std::int64_t million = 1'000'000;

BENCHMARK(insert_new)
    ->ArgNames({"words", "keys"})
    ->ArgsProduct({{1, 2, 4}, {million, 10 * million}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(insert_known)
    ->ArgNames({"words", "keys"})
    ->ArgsProduct({{1, 2, 4}, {million, 10 * million}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace ringfence::checker
