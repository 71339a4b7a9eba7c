// What the command line and the environment ask for, as plain values: one struct a verb.
#pragma once

#include "counterexamples/text.hpp"
#include "model/settings.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ringfence::cli {

// Results go to stdout, as text or as one JSON document.
struct OutputOptions {
    bool is_json = false;
    bool is_coloured = false;
};

struct LimitOptions {
    unsigned workers = 0;                   // 0: one for each processor
    std::optional<double> timeout_seconds;  // for each scenario
    std::optional<std::uint64_t> states_max;
    std::optional<std::uint32_t> depth_max;
    std::optional<std::uint64_t> memory_bytes;  // none: most of the machine's
    bool uses_symmetry = false;                 // states up to the names of threads and partitions
    bool keeps_fingerprints = false;            // of states, in place of their keys
};

// Rules, bounds, budgets, laws and witnesses, on top of scenario files: the environment's, then
// the command line's.
using SettingLayers = std::vector<model::Layer>;

struct CheckOptions {
    std::vector<std::string> scenarios;  // names and paths; none: the two schemes
    SettingLayers settings;
    LimitOptions limits;
    OutputOptions output;
    bool keeps_expectations = false;
    bool is_strict = false;
    // How refutations are told; none: the surprising ones, as differences.
    std::optional<counterexamples::Detail> trace;
    std::string traces_directory;  // where every trace is saved, if anywhere
    std::string streams_config;    // a .properties file below the settings, if any
};

struct WhyOptions {
    std::vector<std::string> rows;  // none: all
    SettingLayers settings;         // bounds and budgets for all rows; a scheme and rules add a row
    LimitOptions limits;
    OutputOptions output;
    bool has_all_laws = false;
    std::string traces_directory = "traces";
};

struct ScaleOptions {
    std::uint64_t partitions = 0;
    std::uint64_t threads = 0;  // of each instance
    std::uint64_t instances = 1;
    std::optional<std::uint64_t> records;  // none: those of the bounds
};

struct CostOptions {
    std::vector<std::string> schemes;  // none: v1, v2 and at_least_once
    // Larger than for `check` in partitions, where costs differ, and smaller elsewhere.
    model::Bounds bounds{.threads = 2, .partitions = 2, .records = 1};
    std::optional<ScaleOptions> scale;
    LimitOptions limits;
    OutputOptions output;
};

struct ListOptions {
    std::string topic;  // none: all
    OutputOptions output;
};

struct ShowOptions {
    std::string scenario;
    OutputOptions output;
};

struct ReplayOptions {
    std::string file;
    OutputOptions output;
    counterexamples::Detail trace = counterexamples::Detail::diff;
};

struct ExplainOptions {
    std::string file;
    OutputOptions output;
    counterexamples::Detail trace = counterexamples::Detail::diff;
};

struct InitOptions {
    std::string file;  // a new one; none: stdout
    OutputOptions output;
};

}  // namespace ringfence::cli
