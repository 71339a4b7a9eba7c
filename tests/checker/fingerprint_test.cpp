#include "checker/fingerprint.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <utility>

namespace ringfence::checker {

namespace {

using Key = std::array<std::uint64_t, key_words_max>;

// Of three parts that take up to 100 values each, and are multiples of 3.
KeyCodec numbered_codec() {
    KeyCodec codec(KeyCodec::Kind::numbered, 3);
    for (std::uint64_t value = 0; value < 100; ++value) {
        codec.learn(std::array{3 * value, 3 * value, 3 * value}.data());
    }
    codec.use(codec.roomy_layout());
    return codec;
}

Key key_of(const KeyCodec& codec, const std::array<std::uint64_t, 3>& numbers) {
    Key key{};
    for (std::size_t part = 0; part < numbers.size(); ++part) {
        codec.layout().put(key.data(), part, static_cast<std::uint32_t>(numbers[part]));
    }
    return key;
}

}  // namespace

TEST_CASE("different keys have different fingerprints") {
    const KeyCodec codec = numbered_codec();
    const Fingerprinter fingerprinter(codec);
    std::set<std::pair<std::size_t, std::uint64_t>> seen;
    for (std::uint64_t number = 0; number < 100 * 100 * 100; ++number) {
        const Key key = key_of(codec, {number % 100, number / 100 % 100, number / 10'000});
        const Fingerprint found = fingerprinter.of(key.data());
        CHECK(found.shard < 64);
        CHECK(found.word != 0);
        seen.insert({found.shard, found.word});
    }
    CHECK(seen.size() == 100 * 100 * 100);
}

TEST_CASE("a fingerprint outlives layouts, new values and new parts") {
    KeyCodec codec = numbered_codec();
    Fingerprinter fingerprinter(codec);
    const auto fingerprint = [&] { return fingerprinter.of(key_of(codec, {7, 0, 99}).data()); };
    const Fingerprint before = fingerprint();
    for (std::uint64_t value = 1000; value < 9000; ++value) {
        codec.learn(std::array{value, std::uint64_t{0}, std::uint64_t{0}}.data());
    }
    codec.add_parts(4);
    for (std::uint64_t value = 0; value < 10; ++value) {
        codec.learn(std::array{std::uint64_t{0}, value, std::uint64_t{0}, value}.data());
    }
    const KeyLayout layout = codec.layout();
    codec.use(codec.roomy_layout());
    CHECK(codec.layout().field(2).shift != layout.field(2).shift);
    fingerprinter.use(codec);
    CHECK(fingerprint() == before);
}

TEST_CASE("a plain key keeps its fingerprint when it gets another word of zeros") {
    KeyCodec codec(KeyCodec::Kind::plain, 1);
    Fingerprinter fingerprinter(codec);
    const Key key{0x0123'4567'89AB'CDEFU};
    const Fingerprint before = fingerprinter.of(key.data());
    codec.add_parts(2);
    fingerprinter.use(codec);
    CHECK(fingerprinter.of(key.data()) == before);
    CHECK(fingerprinter.of(Key{0x89AB'CDEFU, 0x0123'4567U}.data()) != before);
}

TEST_CASE("fingerprints of few bits collide as often as their odds say") {
    constexpr std::uint32_t bits = 24;
    constexpr std::uint64_t keys = 100'000;
    const Fingerprinter fingerprinter(KeyCodec(KeyCodec::Kind::plain, 1), bits);
    std::mt19937_64 random(11);
    std::set<std::pair<std::size_t, std::uint64_t>> seen;
    for (std::uint64_t number = 0; number < keys; ++number) {
        const Fingerprint found = fingerprinter.of(Key{random()}.data());
        seen.insert({found.shard, found.word});
    }
    // 298 pairs are expected, so half of that and twice as many are many deviations away.
    CHECK(keys - seen.size() > 149);
    CHECK(keys - seen.size() < 596);
}

TEST_CASE("odds grow with the square of the states, and are never above certainty") {
    CHECK(odds_of_a_lost_state(0, 70) == 0);
    CHECK(odds_of_a_lost_state(1, 70) == 0);
    CHECK(odds_of_a_lost_state(2, 1) == doctest::Approx(0.5));
    CHECK(odds_of_a_lost_state(38'130'890, 70) == doctest::Approx(6.158e-7).epsilon(0.001));
    CHECK(odds_of_a_lost_state(381'308'900, 70) == doctest::Approx(6.158e-5).epsilon(0.001));
    CHECK(odds_of_a_lost_state(1'000'000, 16) == 1);
}

}  // namespace ringfence::checker
