// `ringfence init`: a scenario file to start from. It is written from the catalogues, so that it
// names every rule, bound and disturbance there is, with its values; `check` finds it as expected.
#include "cli/output.hpp"
#include "cli/settings_json.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/saved.hpp"
#include "model/scenario.hpp"
#include "properties/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ringfence::cli {

namespace {

// A line that says what a setting is, and the setting with its default, commented out.
std::string rules_text() {
    std::string text =
        "# Single rules on top: each is a safety mechanism, or a habit of the client. Take the #\n"
        "# away from one, give it another value, and see which law falls. These are v2's values.\n"
        "[rules]\n";
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        text += fmt::format("# {}\n#{} = \"{}\"  # {}\n", rule.what, rule.name,
                            model::value_of(rule, model::Rules{}), fmt::join(rule.values, ", "));
    }
    return text;
}

std::string bounds_text() {
    std::string text =
        "\n# How large the cluster is. A larger bound may need many times the states.\n[bounds]\n";
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        text +=
            fmt::format("{} = {}  # {} to {}: {}\n", bound.name,
                        unsigned{model::Bounds{}.*bound.member}, bound.min, bound.max, bound.what);
    }
    text += fmt::format("\n# How often each disturbance may strike: 0 to {}, or \"unlimited\".\n",
                        model::Disturbances::budget_max);
    text += "[disturbances]\n";
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        text += fmt::format("{} = {}  # {}\n", disturbance.name,
                            unsigned{model::Disturbances{}.*disturbance.member}, disturbance.what);
    }
    return text;
}

// Under v2 a zombie may still append, invisibly: the one law that falls.
constexpr std::string_view law_that_falls = "single_appender_per_partition";

std::string expectations_text() {
    std::string text =
        "\n# What you expect. A verdict that differs gives status 4; a law without a line must "
        "not\n"
        "# fall. Pin more with  steps = N  beside \"refuted\" (the length of the shortest trace)\n"
        "# and with  states = N. Without this table every law must hold, and status 12 says that\n"
        "# one does not.\n[expect]\n";
    const model::KafkaModel model({}, {}, {});
    for (const properties::Law& law : properties::laws()) {
        const std::string_view verdict = law.name == law_that_falls ? "refuted"
                                         : law.is_applicable(model) ? "holds"
                                                                    : "not_applicable";
        text += fmt::format("{} = {{ verdict = \"{}\" }}\n", law.name, verdict);
    }
    return text;
}

std::string scenario_text(std::string_view name) {
    std::string text = fmt::format(
        "# A scenario: which question is asked of the model, and which answer is expected.\n"
        "# Search it with  ringfence check ./{0}.toml ; docs/scenarios.md has every key.\n"
        "name = \"{0}\"\n"
        "what = \"one line about the question that this scenario asks\"\n"
        "source = \"where it comes from: a ticket, a KIP, an incident\"\n\n"
        "# The rules that everything below is put on top of: a named scheme, or a Kafka release\n"
        "# (kafka = \"3.5\" with guarantee = \"exactly_once_v2\") in place of it.\n"
        "scheme = \"v2\"\n\n"
        "# The laws to check; all of them without this line.\n"
        "#laws = [\"exactly_once_output\"]\n\n"
        "# Steps that must be reached, or \"holds\" says little: status 5 if one is not.\n"
        "witnesses = [\"member_refused\", \"waited_for_stable_offset\", \"zombie_appended\"]\n\n",
        name);
    return text + rules_text() + bounds_text() + expectations_text();
}

std::string name_of(const std::string& file) {
    std::string stem = std::filesystem::path(file).stem().string();
    stem.resize(std::min(stem.size(), model::scenario_name_bytes_max));
    std::ranges::replace_if(
        stem,
        [](char letter) {
            return model::scenario_name_letters.find(letter) == std::string_view::npos;
        },
        '_');
    return stem.empty() ? "my_scenario" : stem;
}

}  // namespace

Conclusion init(const InitOptions& options) {
    const std::string text = scenario_text(name_of(options.file));
    if (!options.file.empty()) { counterexamples::write_new(options.file, text); }
    if (options.output.is_json) {
        nlohmann::ordered_json json;
        json["format"] = "ringfence.init";
        json["version"] = 1;
        json["file"] = options.file;
        json["text"] = text;
        print_result(document_text(json));
    } else if (options.file.empty()) {
        print_result(text);
    } else {
        print_result(fmt::format("{0} is written; search it with  ringfence check {1}{0}\n",
                                 options.file,
                                 options.file.find('/') == std::string::npos ? "./" : ""));
    }
    return {};
}

}  // namespace ringfence::cli
