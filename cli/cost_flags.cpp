#include "cli/cost_flags.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ringfence::cli {

std::vector<model::BoundEntry> cost_bounds() {
    std::vector<model::BoundEntry> bounds;
    for (model::BoundEntry bound : model::bound_catalogue()) {
        if (bound.name == "generations" || bound.name == "epoch") { continue; }
        if (bound.name == "threads") { bound.min = 2; }
        bounds.push_back(bound);
    }
    return bounds;
}

// Of the scale, those that have no default are the first two.
std::vector<Flag> cost_flags() {
    std::vector<Flag> flags{
        {"scale-partitions", FlagKind::value, {}, "input partitions of a deployment to scale to"},
        {"scale-threads", FlagKind::value, {}, "its stream threads in each instance"},
        {"scale-instances", FlagKind::value, {}, "its instances (default: 1)"},
        {"scale-records", FlagKind::value, {}, "records of a task in one transaction"}};
    for (const model::BoundEntry& bound : cost_bounds()) {
        flags.push_back({std::string(bound.name),
                         FlagKind::value,
                         {},
                         fmt::format("{} ({} to {})", bound.what, bound.min, bound.max)});
    }
    return flags;
}

std::optional<ScaleOptions> scale_of(const Flags& flags) {
    constexpr std::uint64_t number_max = 1'000'000;
    const auto number = [&flags](std::string_view name) {
        return flags.number(name, 1, number_max);
    };
    const auto partitions = number("scale-partitions");
    const auto threads = number("scale-threads");
    for (const std::string_view name :
         {"scale-partitions", "scale-threads", "scale-instances", "scale-records"}) {
        const auto given = flags.given(name);
        if (!given || (partitions && threads)) { continue; }
        throw model::ConfigurationError(
            fmt::format("{}: a deployment needs more than that, expected {} too", given->where,
                        partitions ? "--scale-threads"
                        : threads  ? "--scale-partitions"
                                   : "--scale-partitions and --scale-threads"));
    }
    if (!partitions) { return std::nullopt; }
    ScaleOptions scale{.partitions = *partitions,
                       .threads = *threads,
                       .instances = number("scale-instances").value_or(1),
                       .records = number("scale-records")};
    if (scale.threads * scale.instances < 2) {
        throw model::ConfigurationError(
            fmt::format("{}: one thread in all has nobody to take over from it, expected 2 or more",
                        flags.given("scale-threads")->where));
    }
    return scale;
}

}  // namespace ringfence::cli
