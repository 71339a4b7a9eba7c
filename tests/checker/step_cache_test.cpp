#include "checker/step_cache.hpp"

#include "tests/models/painters.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace ringfence::checker {

namespace {

using tests::Painters;
using Key = std::vector<std::uint64_t>;

Scopes scopes_in(const KeyLayout& layout) {
    const Painters model(5);
    const Painters::State base{};
    const Packing packing(std::as_bytes(std::span(&base, 1)), Packing::Path::fastest,
                          model.components(false));
    return {model.scopes(false), packing, layout};
}

// A record of steps that do nothing.
std::vector<std::uint64_t> record_of(const Key& key, std::uint8_t scope) {
    const StepRecord::Content<Painters::Action> content{nullptr, {}, {}, {}};
    std::vector<std::uint64_t> words(content.words(key.size()));
    StepRecord::write({}, {.scope = scope}, key.data(), key.size(), content, words.data());
    return words;
}

}  // namespace

TEST_CASE("states share steps exactly if they agree in the scope, whatever the width of keys") {
    StepCache<Painters> cache;
    std::mt19937_64 random(1);
    struct Case {
        std::uint32_t size;
        std::uint32_t states;
        std::uint32_t groups;  // by the common part
    };
    constexpr std::uint32_t wide = 1U << 30U;
    for (const auto& [size, states, groups] : {Case{4, 50, 1},
                                               {wide, 40, 1},
                                               {4, 3000, 1},
                                               {1024, 3000, 3},
                                               {1024, 3000, 500},
                                               {wide, 5000, 1},
                                               {wide, 5000, 800},
                                               {4, 7, 1}}) {
        const std::vector<std::uint32_t> sizes(3, size);
        const KeyLayout layout(sizes);
        const std::size_t words = layout.key_words();
        REQUIRE(words == (size == wide ? 2 : 1));
        CAPTURE(words);
        CAPTURE(states);
        CAPTURE(groups);
        const Scopes scopes = scopes_in(layout);
        std::vector<std::uint64_t> keys(states * words);
        // The first is the largest.
        const auto group_of = [&](std::size_t state) {
            const std::size_t first = states / 3;
            const std::size_t rest =
                state < first ? 0 : 1 + (state - first) * (groups - 1) / states;
            return static_cast<std::uint32_t>(rest);
        };
        for (std::size_t state = 0; state < states; ++state) {
            for (std::size_t part = 0; part < 3; ++part) {
                const bool is_group = groups > 1 && part == 2;
                const auto drawn = static_cast<std::uint32_t>(random() % 4) * (size / 4);
                const auto number = is_group ? group_of(state) : drawn;
                layout.put(keys.data() + state * words, part, number);
            }
        }
        const auto masked = [&](std::size_t state, std::size_t scope) {
            Key key(words);
            for (std::size_t word = 0; word < words; ++word) {
                key[word] = keys[state * words + word] & scopes.mask(scope)[word];
            }
            return key;
        };
        const auto known = record_of(masked(0, 1), 1);

        cache.clear(words);
        cache.add_known(StepRecord(known.data(), words));
        cache.use_states(keys.data(), states);
        cache.share(scopes, [&](const std::uint64_t* key) {
            return groups > 1 ? layout.number(key, 2) : std::uint32_t{0};
        });

        std::map<std::pair<std::size_t, Key>, std::uint32_t> expected;
        std::map<std::uint32_t, std::uint32_t> sharing;
        for (std::size_t state = 0; state < states; ++state) {
            for (std::size_t scope = 0; scope < scopes.size(); ++scope) {
                const std::uint32_t steps = cache.steps_of(state)[scope];
                CHECK(expected.try_emplace({scope, masked(state, scope)}, steps).first->second ==
                      steps);
                CHECK(cache.at(steps).scope == scope);
                const std::uint64_t* const key = cache.scope_key(steps);
                CHECK(Key(key, key + words) == masked(state, scope));
                ++sharing[steps];
            }
        }
        CHECK(expected.size() == sharing.size());
        CHECK(cache.used().size() == sharing.size());
        for (const auto& [steps, count] : sharing) { CHECK(cache.at(steps).states == count); }
        CHECK(cache.new_steps().size() == sharing.size() - 1);
        CHECK(cache.record(cache.steps_of(0)[1]) == known.data());
        CHECK(cache.record(cache.steps_of(0)[0]) == nullptr);
    }
}

}  // namespace ringfence::checker
