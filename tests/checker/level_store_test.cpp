#include "checker/level_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace ringfence::checker {

namespace {

// Numbers, in the first of two words.
using State = std::array<std::uint64_t, 2>;
constexpr std::uint64_t all_bits = ~std::uint64_t{0};

// Two: the lowest byte of the number, and the rest.
std::vector<std::uint8_t> components() {
    std::vector<std::uint8_t> components(sizeof(State), 1);
    components[0] = 0;
    return components;
}

LevelStore empty_store(std::uint64_t mask, KeyCodec::Kind kind = KeyCodec::Kind::plain) {
    const State base{};
    const bool is_plain = kind == KeyCodec::Kind::plain;
    Packing packing(std::as_bytes(std::span(&base, 1)), Packing::Path::fastest,
                    is_plain ? std::vector<std::uint8_t>{} : components());
    packing.widen(State{mask, 0});
    return LevelStore(packing.compacted(), kind);
}

void add(LevelStore& store, std::uint64_t number) {
    static Workers workers(1);
    const State state{number, 0};
    store.add(bytes_of(state), workers);
}

std::uint64_t number_in(const LevelStore& store, const std::uint64_t* key) {
    std::array<std::uint64_t, parts_max> parts{};
    store.codec().decode(key, parts.data());
    State state{};
    store.packing().unpack(parts.data(), writable_bytes_of(state));
    return state[0];
}

std::set<std::uint64_t> states_in(const LevelStore& store, const Level& level) {
    std::set<std::uint64_t> states;
    level.for_each_key(store.visited(), 0, level.size(),
                       [&](const std::uint64_t* key) { states.insert(number_in(store, key)); });
    return states;
}

// In their order.
std::vector<std::uint64_t> sequence_left(const LevelStore& store) {
    std::vector<std::uint64_t> numbers;
    store.for_each_left(0, store.left(), [&](const std::uint64_t* key) {
        numbers.push_back(number_in(store, key));
    });
    return numbers;
}

std::set<std::uint64_t> states_left(const LevelStore& store) {
    const auto numbers = sequence_left(store);
    CHECK(numbers.size() == store.left());
    return {numbers.begin(), numbers.end()};
}

void add_all(LevelStore& store, const std::set<std::uint64_t>& states) {
    for (const std::uint64_t number : states) { add(store, number); }
}

// True if it is new.
bool insert_by_fingerprint(LevelStore& store, std::uint64_t number) {
    const State state{number, 0};
    std::array<std::uint64_t, parts_max> parts{};
    REQUIRE(store.packing().pack(bytes_of(state), parts.data()));
    store.learn(parts.data());
    Workers workers(1);
    if (!store.has_room_for_numbers()) { store.make_room_for_numbers(workers); }
    std::array<std::uint64_t, key_words_max> key{};
    REQUIRE(store.key_of(bytes_of(state), key.data()));
    const std::size_t shard = store.fingerprinter()->of(key.data()).shard;
    PerShard incoming{};
    incoming[shard] = 1;
    store.visited().make_room_for(incoming);
    const std::uint8_t label = 0;
    const KeyRun run{key.data(), 1, &label};
    NewKeys counts{};
    store.insert(shard, std::span(&run, 1), counts);
    return counts[label] == 1;
}

std::set<std::uint64_t> numbers(std::uint64_t first, std::uint64_t last) {
    std::set<std::uint64_t> result;
    for (std::uint64_t number = first; number <= last; ++number) { result.insert(number); }
    return result;
}

}  // namespace

TEST_CASE("what was added since the last level began becomes the next level") {
    LevelStore store = empty_store(0xFFF);
    CHECK_FALSE(store.begin_level());
    add_all(store, {1, 2, 3});
    CHECK(store.begin_level());
    CHECK(store.depth() == 0);
    add_all(store, {3, 4});  // 3 is known already
    CHECK(store.has_found());
    CHECK(store.begin_level());
    CHECK(states_left(store) == std::set<std::uint64_t>{4});
    CHECK_FALSE(store.begin_level());
    CHECK(store.levels().size() == 2);
}

TEST_CASE("chunks of a level cover every state once") {
    LevelStore store = empty_store(0xFFF);
    add_all(store, numbers(0, 999));
    REQUIRE(store.begin_level());
    std::vector<std::uint64_t> seen;
    for (std::uint64_t first = 0; first < 1000; first += 37) {
        store.for_each_left(first, std::min<std::uint64_t>(first + 37, 1000),
                            [&](const std::uint64_t* key) { seen.push_back(*key); });
    }
    CHECK(seen.size() == 1000);
    CHECK(std::set<std::uint64_t>(seen.begin(), seen.end()).size() == 1000);
}

TEST_CASE("widening keeps levels, what is left, and membership") {
    // One bit more, and so many that a second and a third part are needed.
    for (const State& mask : {State{0x1000, 0}, State{all_bits, all_bits}})
        for (const auto kind : {KeyCodec::Kind::plain, KeyCodec::Kind::numbered}) {
            LevelStore store = empty_store(0xFFF, kind);
            Workers workers(2);
            add_all(store, numbers(0, 99));
            REQUIRE(store.begin_level());
            add_all(store, numbers(100, 999));
            REQUIRE(store.begin_level());
            const auto level = states_left(store);
            store.advance(300);
            const auto left = states_left(store);
            add_all(store, numbers(1000, 1999));

            store.widen(mask, workers);

            CHECK(left.size() >= 600);  // a share of every shard, rounded down
            CHECK(left.size() < 600 + shards);
            CHECK(states_left(store) == left);
            REQUIRE(store.levels().size() == 3);
            CHECK(states_in(store, store.levels()[0]) == numbers(0, 99));
            CHECK(states_in(store, store.levels()[1]) == level);
            CHECK(states_in(store, store.levels()[2]) == numbers(1000, 1999));
            add_all(store, numbers(0, 1999));
            CHECK(store.visited().size() == 2000);
            add(store, 0x1000);
            CHECK(store.visited().size() == 2001);
        }
}

TEST_CASE("widening a large store within the same parts keeps its keys as they are") {
    for (const auto kind : {KeyCodec::Kind::plain, KeyCodec::Kind::numbered}) {
        LevelStore store = empty_store(0xFFFFF, kind);
        Workers workers(1);
        add_all(store, numbers(0, 299'999));
        REQUIRE(store.begin_level());
        store.widen(State{std::uint64_t{1} << 40U, 0}, workers);
        // Numbers stay what they are: only dictionaries are packed again.
        CHECK(store.packing().is_compact() == (kind == KeyCodec::Kind::numbered));
        add_all(store, numbers(0, 299'999));
        CHECK_FALSE(store.has_found());
        add(store, std::uint64_t{1} << 40U);
        CHECK(store.has_found());
    }
}

TEST_CASE("a large numbered store that gets another part keeps its states") {
    LevelStore store = empty_store(0xFFFFF, KeyCodec::Kind::numbered);
    Workers workers(2);
    add_all(store, numbers(0, 299'999));
    REQUIRE(store.begin_level());
    const State all{all_bits, all_bits};
    const std::uint64_t foretold = store.bytes_to_widen(all);
    store.widen(all, workers);
    CHECK(store.bytes() <= foretold);
    CHECK(store.packing().parts() == 3);
    CHECK(store.codec().key_words() == 1);
    add_all(store, numbers(0, 299'999));
    CHECK_FALSE(store.has_found());
    add(store, all_bits);
    CHECK(store.has_found());
}

TEST_CASE("a sorted level has its states in the order of a part, and keeps them when widened") {
    for (const State& mask : {State{0x1000, 0}, State{all_bits, all_bits}}) {
        LevelStore store = empty_store(0xFFF, KeyCodec::Kind::numbered);
        Workers workers(2);
        add_all(store, numbers(0, 1));
        REQUIRE(store.begin_level());
        add_all(store, numbers(2, 1999));
        REQUIRE(store.begin_level());
        CHECK(store.bytes_to_sort_level(0) > store.bytes());
        store.sort_level(0);
        // The lowest byte of the number is part 0: each value came in the order of the numbers.
        const auto sorted = sequence_left(store);
        CHECK(
            std::ranges::is_sorted(sorted, {}, [](std::uint64_t number) { return number & 255U; }));
        CHECK(states_left(store) == numbers(2, 1999));
        store.advance(500);
        const auto left = sequence_left(store);
        CHECK(std::ranges::equal(left, std::span(sorted).subspan(500)));
        add_all(store, numbers(2000, 2999));

        store.widen(mask, workers);

        CHECK(sequence_left(store) == left);
        CHECK(states_in(store, store.levels()[1]) == numbers(2, 1999));
        store.advance(left.size());
        CHECK(store.left() == 0);
        REQUIRE(store.begin_level());
        CHECK(states_left(store) == numbers(2000, 2999));
    }
}

TEST_CASE("a group of a sorted level ends where the number in the part changes") {
    LevelStore store = empty_store(0xFFF, KeyCodec::Kind::numbered);
    add_all(store, numbers(0, 0));
    REQUIRE(store.begin_level());
    add_all(store, numbers(1, 1024));
    REQUIRE(store.begin_level());
    CHECK(store.end_of_group(5, 100) == 5);  // not sorted
    store.sort_level(0);
    // Four of each lowest byte, but for 0, which came last.
    CHECK(store.end_of_group(4, 3) == 4);
    CHECK(store.end_of_group(5, 4) == 8);
    CHECK(store.end_of_group(5, 3) == 5);  // too far
    CHECK(store.end_of_group(1022, 100) == 1024);
    CHECK(store.end_of_group(1024, 100) == 1024);
    store.advance(2);
    CHECK(store.end_of_group(3, 100) == 6);
}

TEST_CASE("states that agree in the part that shards go by are in one shard, whatever is widened") {
    // One bit more, more numbers than keys have room for, and another part.
    for (const State& mask : {State{0x1000, 0}, State{0xFFFFFF, 0}, State{all_bits, all_bits}}) {
        LevelStore store = empty_store(0xFFF, KeyCodec::Kind::numbered);
        Workers workers(2);
        add_all(store, numbers(0, 99));
        REQUIRE(store.begin_level());
        add_all(store, numbers(100, 3999));
        REQUIRE(store.begin_level());
        store.advance(1000);
        const auto left = states_left(store);
        CHECK_FALSE(store.is_sharded_by_part());
        const std::uint64_t foretold = store.bytes_to_shard();

        store.shard_by(0, workers);

        CHECK(store.is_sharded_by_part());
        CHECK(store.bytes() <= foretold);
        CHECK(states_left(store) == left);
        store.widen(mask, workers);
        CHECK(states_left(store) == left);
        REQUIRE(store.levels().size() == 2);
        CHECK(states_in(store, store.levels()[0]) == numbers(0, 99));
        CHECK(states_in(store, store.levels()[1]) == numbers(100, 3999));
        add_all(store, numbers(0, 3999));
        CHECK_FALSE(store.has_found());
        for (std::uint64_t number = 0x800; number < 0x100000; number += 0x801) {
            if ((number & ~mask[0] & ~std::uint64_t{0xFFF}) == 0) { add(store, number); }
        }
        // The lowest byte of the number is part 0.
        std::array<std::set<std::size_t>, 256> shards_of;
        const PerShard sizes = store.visited().sizes();
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (std::uint32_t position = 0; position < sizes[shard]; ++position) {
                std::array<std::uint64_t, key_words_max> key{};
                store.visited().read(shard, position, key.data());
                shards_of[number_in(store, key.data()) & 255U].insert(shard);
            }
        }
        CHECK(std::ranges::all_of(shards_of, [](const auto& of) { return of.size() == 1; }));
        CHECK(std::ranges::count_if(sizes, [](std::uint32_t size) { return size > 0; }) > 48);
    }
}

TEST_CASE("a store of fingerprints has forgotten what shards went by") {
    LevelStore store = empty_store(0xFFFFF, KeyCodec::Kind::numbered);
    Workers workers(1);
    add_all(store, numbers(0, 9'999));
    REQUIRE(store.begin_level());
    store.shard_by(0, workers);
    store.keep_fingerprints(fingerprint_bits);
    CHECK(states_left(store) == numbers(0, 9'999));
    CHECK_FALSE(insert_by_fingerprint(store, 9'999));
    CHECK(insert_by_fingerprint(store, 10'000));
}

TEST_CASE("a store with components keeps numbers instead of values") {
    LevelStore store = empty_store(0xFFFFFF, KeyCodec::Kind::numbered);
    add_all(store, numbers(0, 99'999));
    REQUIRE(store.begin_level());
    CHECK(states_left(store) == numbers(0, 99'999));
    CHECK(store.codec().key_words() == 1);
    CHECK(store.codec().layout().bits() == 24);
    CHECK(store.visited().format().bytes() == 3);
}

TEST_CASE("a wider key in a large store packs everything again and finds it again") {
    LevelStore store = empty_store(0xFFFFF);
    Workers workers(2);
    add_all(store, numbers(0, 299'999));
    REQUIRE(store.begin_level());
    const State all{all_bits, all_bits};
    const std::uint64_t foretold = store.bytes_to_widen(all);
    store.widen(all, workers);
    CHECK(store.bytes() <= foretold);
    CHECK(store.codec().key_words() == 2);
    CHECK(store.packing().is_compact());
    add_all(store, numbers(0, 299'999));
    CHECK_FALSE(store.has_found());
}

TEST_CASE("once fingerprints are kept, only the states that are left can be read") {
    for (const auto kind : {KeyCodec::Kind::plain, KeyCodec::Kind::numbered}) {
        LevelStore store = empty_store(0xFFFFF, kind);
        add_all(store, numbers(0, 99'999));
        REQUIRE(store.begin_level());
        add_all(store, numbers(100'000, 299'999));
        REQUIRE(store.begin_level());

        const std::uint64_t foretold = store.bytes_to_keep_fingerprints();
        store.keep_fingerprints(fingerprint_bits);

        CHECK(store.bytes() <= foretold);
        REQUIRE(store.levels().size() == 2);
        CHECK(store.levels()[0].size() == 100'000);
        CHECK(store.visited().size() == 300'000);
        CHECK(states_left(store) == numbers(100'000, 299'999));
    }
}

TEST_CASE("a store of fingerprints is widened without its keys, and knows its states still") {
    using enum KeyCodec::Kind;
    for (const auto& [kind, is_sorted] :
         {std::pair(plain, false), std::pair(numbered, false), std::pair(numbered, true)}) {
        LevelStore store = empty_store(0xFFFFF, kind);
        Workers workers(1);
        add_all(store, numbers(0, 9'999));
        REQUIRE(store.begin_level());
        add_all(store, numbers(10'000, 299'999));
        REQUIRE(store.begin_level());
        store.keep_fingerprints(fingerprint_bits);
        if (is_sorted) { store.sort_level(0); }
        store.advance(100'000);
        const auto left = states_left(store);

        // Another bit, then a second and a third part.
        for (const State& mask : {State{std::uint64_t{1} << 40U, 0}, State{all_bits, all_bits}}) {
            const std::uint64_t foretold = store.bytes_to_widen(mask);
            store.widen(mask, workers);
            CHECK(store.bytes() <= foretold);
            CHECK(states_left(store) == left);
        }
        for (const std::uint64_t number : {0U, 5U, 9'999U, 10'000U, 250'000U, 299'999U}) {
            CHECK_FALSE(insert_by_fingerprint(store, number));
        }
        CHECK(insert_by_fingerprint(store, 300'000));
        CHECK(insert_by_fingerprint(store, all_bits));
        CHECK_FALSE(insert_by_fingerprint(store, all_bits));
        CHECK(states_in(store, store.levels().back()) ==
              std::set<std::uint64_t>{300'000, all_bits});
    }
}

}  // namespace ringfence::checker
