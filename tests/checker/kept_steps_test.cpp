#include "checker/kept_steps.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

namespace {

constexpr std::size_t key_words = 1;
using Numbers = std::vector<std::uint32_t>;

// A record whose key is its number. A block holds 17 of them.
void add(ChunkSteps& steps, std::uint32_t number) {
    const std::uint64_t key = number;
    const std::vector<std::uint64_t> moves(100);
    const std::vector<std::uint8_t> verbs(100 + StepRecord::bytes_behind);
    const StepRecord::Content<int> content{moves.data(), std::span(verbs).first(100), {}, {}};
    StepRecord::write({}, {}, &key, key_words, content,
                      steps.append(content.words(key_words), number));
}

Numbers known(const KeptSteps& kept, std::uint32_t first, std::uint32_t last) {
    Numbers numbers;
    const auto number_of = [](const std::uint64_t* key) {
        return static_cast<std::uint32_t>(*key);
    };
    kept.for_each(first, last, key_words, number_of,
                  [&](const StepRecord& record) { numbers.push_back(number_of(record.key())); });
    return numbers;
}

}  // namespace

TEST_CASE("the steps of a level are found in the next, by the range of their numbers") {
    KeptSteps kept;
    ChunkSteps first;
    ChunkSteps second;
    for (std::uint32_t number = 0; number < 40; ++number) { add(first, number); }
    for (std::uint32_t number = 39; number < 60; number += 2) { add(second, number); }
    kept.add(first);
    kept.add(second);
    CHECK(known(kept, 0, 100).empty());  // those of a level are for the next one

    kept.begin_level();
    CHECK(known(kept, 0, 100).size() == 40 + 11);
    CHECK(known(kept, 37, 43) == Numbers{37, 38, 39, 39, 41, 43});
    CHECK(known(kept, 12, 12) == Numbers{12});
    CHECK(known(kept, 58, 58).empty());
    CHECK(known(kept, 60, 99).empty());

    kept.begin_level();
    CHECK(known(kept, 0, 100).empty());
}

TEST_CASE("blocks that the level has come past are used again, and no others") {
    KeptSteps kept;
    ChunkSteps chunk;
    for (std::uint32_t number = 0; number < 100; ++number) { add(chunk, number); }
    kept.add(chunk);
    kept.begin_level();
    CHECK(kept.bytes() == 6 * sizeof(StepBlock));
    for (std::uint32_t number = 0; number < 50; ++number) { add(chunk, number); }
    kept.add(chunk);
    kept.release();
    CHECK(known(kept, 49, 99).size() == 51);
    CHECK(known(kept, 0, 33).empty());
    CHECK(known(kept, 34, 34) == Numbers{34});  // in a block with 49, where the level may still be
    CHECK(kept.bytes() == 9 * sizeof(StepBlock));
    CHECK(chunk.bytes() == 0);

    add(chunk, 50);
    kept.add(chunk);
    CHECK(chunk.bytes() == sizeof(StepBlock));  // one for the one that it gave
    add(chunk, 51);
    CHECK(kept.bytes() + chunk.bytes() == 10 * sizeof(StepBlock));
}

TEST_CASE("a chunk that is done again begins with no steps") {
    KeptSteps kept;
    ChunkSteps chunk;
    add(chunk, 1);
    chunk.clear();
    add(chunk, 2);
    kept.add(chunk);
    kept.begin_level();
    CHECK(known(kept, 0, 9) == Numbers{2});
}

TEST_CASE("steps are forgotten when keys are written anew") {
    KeptSteps kept;
    ChunkSteps chunk;
    kept.use_keys(3);
    add(chunk, 1);
    kept.add(chunk);
    kept.use_keys(3);
    kept.begin_level();
    CHECK(known(kept, 0, 9) == Numbers{1});
    kept.use_keys(4);
    CHECK(known(kept, 0, 9).empty());
}

TEST_CASE("blocks that a chunk has to spare are given back, and those that it filled are not") {
    KeptSteps kept;
    ChunkSteps chunk;
    add(chunk, 1);
    chunk.clear();
    CHECK(chunk.bytes() > 0);
    chunk.trim();
    CHECK(chunk.bytes() == 0);
    add(chunk, 2);
    chunk.trim();
    kept.add(chunk);
    kept.begin_level();
    CHECK(known(kept, 0, 9) == Numbers{2});
}

TEST_CASE("what is kept can be forgotten") {
    KeptSteps kept;
    ChunkSteps chunk;
    add(chunk, 1);
    kept.add(chunk);
    kept.clear();
    CHECK(kept.bytes() == 0);
    kept.begin_level();
    CHECK(known(kept, 0, 9).empty());
}

}  // namespace ringfence::checker
