#include "checker/fingerprint_table.hpp"

#include <bit>
#include <cmath>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace ringfence::checker {

namespace {

constexpr double first_lines = 64;
constexpr double growth = 1.25;

// A bit for each place of a line that holds this word.
std::uint32_t places_with(const std::uint64_t* line, std::uint64_t word) {
    std::uint32_t found = 0;
#ifdef __AVX2__
    const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(word));
    for (unsigned half = 0; half < 2; ++half) {
        const __m256i words = _mm256_load_si256(reinterpret_cast<const __m256i*>(line) + half);
        const __m256d equal = _mm256_castsi256_pd(_mm256_cmpeq_epi64(words, wanted));
        found |= static_cast<std::uint32_t>(_mm256_movemask_pd(equal)) << half * 4;
    }
#else
    for (unsigned place = 0; place < 8; ++place) {
        found |= static_cast<std::uint32_t>(line[place] == word) << place;
    }
#endif
    return found;
}

}  // namespace

void FingerprintTable::begin(double share) {
    lines_ = static_cast<std::uint32_t>(first_lines * std::pow(growth, share));
    table_ = Pages(lines_ * line_bytes);
}

std::uint64_t FingerprintTable::bytes_to_hold(std::uint64_t words) const {
    return words <= words_for(lines_) ? 0 : Pages::rounded(lines_for(words) * line_bytes);
}

void FingerprintTable::make_room_for(std::uint64_t words) {
    if (words <= words_for(lines_)) { return; }
    const std::uint32_t lines = lines_for(words);
    grown_ = Pages(lines * line_bytes);
    grown_lines_ = lines;
}

std::uint32_t FingerprintTable::lines_for(std::uint64_t words) const {
    std::uint32_t larger = lines_;
    while (words > words_for(larger)) { larger += larger / 4; }
    return larger;
}

void FingerprintTable::use_grown() {
    if (grown_lines_ == 0) { return; }
    const Pages old = std::exchange(table_, std::exchange(grown_, Pages()));
    table_.touch();
    const std::size_t old_words =
        std::exchange(lines_, std::exchange(grown_lines_, 0)) * line_words;
    const auto* const words = old.as<std::uint64_t>();
    for (std::size_t index = 0; index < old_words; ++index) {
        if (words[index] != 0) { put(words[index]); }
    }
}

// One that is not there, into the first empty place on its way.
void FingerprintTable::put(std::uint64_t word) {
    std::uint64_t* const line = home_of(word);
    const std::uint32_t empty = places_with(line, 0);
    if (empty != 0) {
        line[std::countr_zero(empty)] = word;
    } else {
        add_away(word);
    }
}

void FingerprintTable::insert(std::span<const KeyRun> runs, const Fingerprinter& fingerprinter,
                              KeyLog& log, NewKeys& counts) {
    use_grown();
    constexpr std::size_t lag = 16;
    const std::size_t key_words = log.format().words();
    std::array<Pending, lag> at_home;
    std::array<Pending, lag> away;
    std::size_t begun = 0;
    std::size_t sent_away = 0;
    const auto keep = [&](const Pending& pending) {
        log.append(pending.key);
        ++counts[pending.label];
    };
    const auto decide_away = [&](const Pending& pending) {
        if (add_away(pending.word)) { keep(pending); }
    };
    const auto decide_at_home = [&](const Pending& pending) {
        const Found found = add_to(home_of(pending.word), pending.word);
        if (found == Found::added) { keep(pending); }
        if (found != Found::no_room) { return; }
        __builtin_prefetch(line_at(second_of(pending.word)), 1);
        Pending& place = away[sent_away % lag];
        if (sent_away >= lag) { decide_away(place); }
        place = pending;
        ++sent_away;
    };
    for (const KeyRun& run : runs) {
        for (std::size_t item = 0; item < run.count; ++item, ++begun) {
            Pending& pending = at_home[begun % lag];
            if (begun >= lag) { decide_at_home(pending); }
            const std::uint64_t* const key = run.keys + item * key_words;
            pending = {key, fingerprinter.of(key).word, run.labels[item * key_words]};
            __builtin_prefetch(home_of(pending.word), 1);
        }
    }
    for (std::size_t item = begun - std::min(begun, lag); item < begun; ++item) {
        decide_at_home(at_home[item % lag]);
    }
    for (std::size_t item = sent_away - std::min(sent_away, lag); item < sent_away; ++item) {
        decide_away(away[item % lag]);
    }
}

bool FingerprintTable::add(std::uint64_t word) {
    use_grown();
    const Found found = add_to(home_of(word), word);
    return found == Found::no_room ? add_away(word) : found == Found::added;
}

bool FingerprintTable::add_away(std::uint64_t word) {
    for (std::uint64_t line = second_of(word);; line = line + 1 == lines_ ? 0 : line + 1) {
        const Found found = add_to(line_at(line), word);
        if (found != Found::no_room) { return found == Found::added; }
    }
}

// All words are compared, without a branch: there is no telling where a word stands.
FingerprintTable::Found FingerprintTable::add_to(std::uint64_t* line, std::uint64_t word) {
    const std::uint32_t empty = places_with(line, 0);
    if (places_with(line, word) != 0) { return Found::known; }
    if (empty == 0) { return Found::no_room; }
    line[std::countr_zero(empty)] = word;
    return Found::added;
}

}  // namespace ringfence::checker
