// `ringfence cost`: what a scheme costs, found by search at small bounds and scaled by formulas.
#include "cli/cost_report.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/run.hpp"
#include "cli/settings_json.hpp"
#include "cli/verbs.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringfence::cli {

namespace {

constexpr std::array<std::string_view, 3> schemes_by_default{"v1_clients_2.6_to_2.8", "v2",
                                                             "at_least_once"};

const model::Scheme& scheme_named(std::string_view name) {
    const auto catalogue = model::scheme_catalogue();
    const auto found = std::ranges::find(catalogue, name, &model::Scheme::name);
    if (found != catalogue.end()) { return *found; }
    std::vector<std::string_view> known;
    for (const model::Scheme& scheme : catalogue) { known.push_back(scheme.name); }
    throw model::ConfigurationError(
        fmt::format("command line: unknown scheme \"{}\"{}", model::shortened(name),
                    model::expected_names(name, known, "ringfence list schemes")));
}

std::vector<SchemeCosts> schemes_of(const CostOptions& options) {
    std::vector<std::string> names = options.schemes;
    if (names.empty()) { names.assign(schemes_by_default.begin(), schemes_by_default.end()); }
    std::vector<SchemeCosts> schemes;
    for (const std::string& name : names) {
        if (std::ranges::find(schemes, name, &SchemeCosts::name) != schemes.end()) {
            throw model::ConfigurationError(
                fmt::format("command line: scheme \"{}\" is given twice, expected it once", name));
        }
        schemes.push_back({.name = name, .rules = scheme_named(name).rules, .searches = {}});
    }
    return schemes;
}

CostReport searched(const SchemeCosts& scheme, const CostOptions& options,
                    model::Situation situation) {
    model::Bounds bounds = options.bounds;
    bounds.generations = model::generations_of(situation);
    constexpr model::Ghosts no_ghosts{.visible = false,
                                      .decided_end = false,
                                      .elders = false,
                                      .stray = false,
                                      .confirmed = false,
                                      .timed_out = false};
    const model::KafkaModel model(scheme.rules, bounds, model::disturbances_of(situation),
                                  no_ghosts);
    checker::SearchOptions limits = search_options(options.limits);
    const ProgressLine progress(fmt::format("{}, {}", scheme.name, name_of(situation)), limits);
    return search_costs(model, limits);
}

Conclusion conclusion_of(const CostResult& result) {
    Conclusion conclusion;
    if (result.stopped_by) {
        const bool is_interrupt = *result.stopped_by == StopSignal::interrupt;
        conclusion.add(is_interrupt ? Trouble::interrupted : Trouble::terminated);
    }
    for (const SchemeCosts& scheme : result.schemes) {
        for (const model::Situation situation : model::situations) {
            for (std::size_t i = 0; i < model::cost_catalogue().size(); ++i) {
                switch (agreement(result, scheme, i, situation)) {
                    case Agreement::agrees: break;
                    case Agreement::differs: conclusion.add(Trouble::expectation_not_met); break;
                    case Agreement::undecided: conclusion.add(Trouble::inconclusive); break;
                }
            }
        }
    }
    return conclusion;
}

void search_all(CostResult& result, const CostOptions& options) {
    for (SchemeCosts& scheme : result.schemes) {
        for (const model::Situation situation : model::situations) {
            scheme.searches.push_back(searched(scheme, options, situation));
            if (scheme.searches.back().ending == checker::Ending::interrupted) {
                result.stopped_by = stopped_by();
                return;
            }
        }
    }
}

}  // namespace

Conclusion cost(const CostOptions& options) {
    CostResult result{.bounds = options.bounds, .scale = {}, .schemes = schemes_of(options)};
    if (options.scale) {
        result.scale = {.partitions = options.scale->partitions,
                        .threads = options.scale->threads,
                        .instances = options.scale->instances,
                        .records = options.scale->records.value_or(options.bounds.records)};
    }
    search_all(result, options);
    const Conclusion conclusion = conclusion_of(result);
    print_result(options.output.is_json ? document_text(cost_json(result, exit_status(conclusion)))
                                        : cost_text(result, options.output.is_coloured));
    return conclusion;
}

}  // namespace ringfence::cli
