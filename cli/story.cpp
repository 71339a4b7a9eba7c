#include "cli/story.hpp"

#include "counterexamples/from_trace.hpp"
#include "counterexamples/saved.hpp"
#include "model/describe.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ringfence::cli {

namespace {

counterexamples::Header header_of(const model::Scenario& scenario) {
    const model::Resolved& asked = scenario.asked;
    counterexamples::Header header{.program = "ringfence",
                                   .version = RINGFENCE_VERSION,
                                   .scenario = scenario.name,
                                   .source = scenario.source,
                                   .scheme = asked.scheme};
    const model::Rules usual{};
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        header.rules.push_back({.name = std::string(rule.name),
                                .value = std::string(model::value_of(rule, asked.rules)),
                                .is_usual = rule.get(asked.rules) == rule.get(usual)});
    }
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        const unsigned value = asked.bounds.*bound.member;
        header.bounds.push_back({.name = std::string(bound.name), .value = std::to_string(value)});
    }
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        header.disturbances.push_back(
            {.name = std::string(disturbance.name),
             .value = model::budget_text(asked.disturbances.*disturbance.member)});
    }
    return header;
}

}  // namespace

counterexamples::Document story_of(const model::Scenario& scenario, const Law& law,
                                   const Trace& trace) {
    const counterexamples::Teller teller{model::variables_of, model::computed_columns,
                                         model::text_of, model::encode};
    return counterexamples::from_trace(story_model(scenario.asked), trace, &law,
                                       header_of(scenario), teller);
}

model::KafkaModel story_model(const model::Resolved& asked) {
    return {asked.rules, asked.bounds, asked.disturbances};
}

std::string save_story(const counterexamples::Document& story, const std::string& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw counterexamples::FileError("cannot make the directory " + directory + ": " +
                                         error.message());
    }
    const std::string name =
        file_name_of(story.header.scenario) + "." + file_name_of(story.header.law.name) + ".json";
    const std::filesystem::path path = std::filesystem::path(directory) / name;
    counterexamples::save(story, path);
    return path.string();
}

std::string file_name_of(std::string_view name) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+=-";
    std::string result(name);
    std::ranges::replace_if(
        result, [plain](char letter) { return plain.find(letter) == plain.npos; }, '_');
    return result;
}

}  // namespace ringfence::cli
