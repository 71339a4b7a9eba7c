// A scenario: which question is asked of the model, and which answer is expected.
//
//   name = "v2"                       # letters, digits and . _ -
//   what = "one producer a thread"    # one line
//   source = "KIP-447"
//   scheme = "v2"                     # or: kafka = "3.5", or broker, client, transaction_version
//   guarantee = "exactly_once_v2"
//   force = true                      # checks what Kafka refuses
//   laws = ["exactly_once_output"]    # all of them where absent
//   witnesses = ["..."]               # steps that must be reached
//   [rules]                           # single rules on top
//   member_test = "off"
//   [bounds]
//   threads = 3
//   [disturbances]
//   expulsion = "unlimited"
//   [expect]
//   states = 12345
//   never = ["..."]                   # witnesses that must not be reached
//   [expect.exactly_once_output]      # a law without a table must hold, or not apply
//   verdict = "refuted"
//   steps = 25
#pragma once

#include "model/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::model {

enum class ExpectedVerdict : std::uint8_t { holds, refuted, not_applicable };

[[nodiscard]] std::string_view name_of(ExpectedVerdict verdict);

struct Expectation {
    std::string law;
    ExpectedVerdict verdict = ExpectedVerdict::holds;
    std::optional<std::uint32_t> steps;  // length of the shortest trace, where it is pinned

    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct Expectations {
    std::vector<Expectation> laws;
    std::vector<std::string> never;       // witnesses
    std::optional<std::uint64_t> states;  // distinct ones
};

// What a scenario's name is made of: it is a part of file names, and no two names make one.
inline constexpr std::string_view scenario_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
inline constexpr std::size_t scenario_name_bytes_max = 100;

// A file as it was read: every name in it is known, but rules and bounds are not put together yet.
struct ScenarioFile {
    std::string path;  // as in messages
    std::string name;
    std::string what;
    std::string source;
    Layer settings;
    std::optional<Expectations> expectations;
};

// Throws ConfigurationError.
[[nodiscard]] ScenarioFile read_scenario(std::string_view text, std::string_view path,
                                         const KnownNames& known);

struct Scenario {
    std::string path;
    std::string name;
    std::string what;
    std::string source;
    Resolved asked;
    std::optional<Expectations> expectations;  // none: every law must hold
    bool requires_witnesses = true;            // false: asked.witnesses are looked for, no more
    std::vector<Layer> settings{};             // that `asked` came from
};

// The scenario of a file with `layers` on top. They drop its expectations if they change rules,
// bounds or disturbances, unless `keeps_expectations`, and with them the demand that the file's
// witnesses be reached; fewer laws drop what is expected of the others, and the number of states,
// since a ghost that no law reads is not kept.
// Throws ConfigurationError, also for rules that Kafka refuses.
[[nodiscard]] Scenario scenario_of(const ScenarioFile& file, std::span<const Layer> layers,
                                   const KnownNames& known, bool keeps_expectations);

}  // namespace ringfence::model
