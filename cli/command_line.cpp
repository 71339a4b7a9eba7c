#include "cli/command_line.hpp"

#include "cli/cost_flags.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace ringfence::cli {

namespace {

using counterexamples::Detail;

std::vector<Flag> operator+(std::vector<Flag> flags, std::vector<Flag> more) {
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

std::vector<Flag> output_flags() {
    return {{"json", FlagKind::truth, {}, "one JSON document on stdout"},
            {"color", FlagKind::choice, {}, "=auto, always or never", {"always", "auto", "never"}}};
}

std::vector<Flag> limit_flags() {
    return {{"workers", FlagKind::value, {}, "worker threads (default: one a processor)"},
            {"timeout", FlagKind::value, {}, "seconds for each search"},
            {"max-states", FlagKind::value, {}, "distinct states of each search"},
            {"max-depth", FlagKind::value, {}, "steps from the initial state"},
            {"memory", FlagKind::value, {}, "bytes of each search, such as 4G"}};
}

Flag symmetry_flag() {
    return {"symmetry", FlagKind::truth, {}, "visit states up to the names of threads, partitions"};
}

Flag store_flag() {
    return {"store",
            FlagKind::value,
            {},
            "exact, or fingerprint: less memory, and odds that a state is lost",
            {"exact", "fingerprint"}};
}

Flag trace_flag() {
    return {"trace",
            FlagKind::choice,
            {},
            "=diff, full or off: tell every refutation",
            {"diff", "full", "off"}};
}

OutputOptions output_of(const Flags& flags) {
    static constexpr std::array choices{ColourChoice::always, ColourChoice::automatic,
                                        ColourChoice::never};
    const auto choice = flags.choice("color");
    return {.is_json = flags.is_on("json"),
            .is_coloured = is_coloured(choice ? choices[*choice] : ColourChoice::automatic)};
}

LimitOptions limits_of(const Flags& flags) {
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t workers_max = 1024;
    const auto depth = flags.number("max-depth", 0, std::numeric_limits<std::uint32_t>::max());
    LimitOptions limits{
        .workers = static_cast<unsigned>(flags.number("workers", 1, workers_max).value_or(0)),
        .timeout_seconds = flags.seconds("timeout"),
        .states_max = flags.number("max-states", 1, any),
        .memory_bytes = flags.bytes("memory")};
    if (depth) { limits.depth_max = static_cast<std::uint32_t>(*depth); }
    return limits;
}

// Of a search that may be one of orbits.
LimitOptions limits_with_symmetry(const Flags& flags) {
    LimitOptions limits = limits_of(flags);
    limits.uses_symmetry = flags.is_on("symmetry");
    return limits;
}

std::optional<Detail> trace_of(const Flags& flags) {
    static constexpr std::array details{Detail::diff, Detail::full, Detail::off};
    const auto choice = flags.choice("trace");
    return choice ? std::optional(details[*choice]) : std::nullopt;
}

// Help without what a flag means alone, "--trace{diff}": that is how CLI11 is told.
class Help : public CLI::Formatter {
  public:
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
        const std::string name = Formatter::make_option_name(option, is_positional);
        return name.substr(0, name.find('{'));
    }
};

// The whole command line: a CLI11 command and the flags of each verb.
class Parser {
  public:
    Parser() {
        for (const Verb& verb : verbs()) { verb.command->formatter(std::make_shared<Help>()); }
        app_.set_version_flag("--version", std::string("ringfence ") + RINGFENCE_VERSION + "\n");
        check_->add_option("scenario", names_, "names and paths (default: one of v1, and v2)");
        why_->add_option("row", names_, "rows of the matrix (default: all)");
        cost_->add_option("scheme", names_, "named rule sets (default: v1, v2, at_least_once)");
        list_->add_option("topic", name_, "scenarios, rules, laws, ... (default: all)");
        show_->add_option("scenario", name_, "name or path")->required();
        replay_->add_option("file", name_, "saved trace")->required();
        explain_->add_option("file", name_, "saved trace")->required();
        init_->add_option("file", name_, "a new file (default: stdout)");
    }

    [[nodiscard]] Command parse(const std::vector<std::string>& arguments);

  private:
    [[nodiscard]] std::vector<std::string> with_choices_joined(
        const std::vector<std::string>& arguments) const;
    void refuse_unknown_verb(const std::vector<std::string>& arguments) const;
    void refuse_unknown_variables() const;
    [[noreturn]] void refuse_extras() const;
    [[nodiscard]] Command command() const;
    [[nodiscard]] CheckOptions check_options() const;
    [[nodiscard]] WhyOptions why_options() const;
    [[nodiscard]] CostOptions cost_options() const;

    struct Verb {
        CLI::App* command;
        const Flags& flags;
    };
    [[nodiscard]] std::array<Verb, 8> verbs() const {
        return {{{check_, check_flags_},
                 {why_, why_flags_},
                 {cost_, cost_flags_},
                 {list_, list_flags_},
                 {show_, show_flags_},
                 {replay_, replay_flags_},
                 {explain_, explain_flags_},
                 {init_, init_flags_}}};
    }

    CLI::App app_{"Explicit-state model checker for Kafka's transactional fencing", "ringfence"};
    CLI::App* check_ = app_.add_subcommand("check", "search scenarios exhaustively");
    CLI::App* why_ = app_.add_subcommand("why", "which mechanism carries which guarantee");
    CLI::App* cost_ = app_.add_subcommand("cost", "what the schemes cost, found and scaled");
    CLI::App* list_ = app_.add_subcommand("list", "names of scenarios, rules, laws, ...");
    CLI::App* show_ = app_.add_subcommand("show", "one scenario with its rules and sources");
    CLI::App* replay_ = app_.add_subcommand("replay", "take the steps of a saved trace again");
    CLI::App* explain_ =
        app_.add_subcommand("explain", "tell a saved trace again, as it was saved");
    CLI::App* init_ = app_.add_subcommand("init", "a commented scenario file to start from");
    Flags check_flags_{
        *check_,
        setting_flags() + limit_flags() + output_flags() +
            std::vector<Flag>{
                symmetry_flag(),
                store_flag(),
                {"witness", FlagKind::list, "witnesses", "a step that must be reached"},
                {"streams-config", FlagKind::value, {}, "a Kafka Streams .properties file"},
                {"keep-expect", FlagKind::truth, {}, "keep expectations whatever flags change"},
                {"strict", FlagKind::truth, {}, "an action that never fires is an error"},
                {"save-traces", FlagKind::value, {}, "directory for the trace of each refutation"},
                trace_flag()}};
    Flags why_flags_{
        *why_, setting_flags() + limit_flags() + output_flags() +
                   std::vector<Flag>{
                       symmetry_flag(),
                       {"all-laws", FlagKind::truth, {}, "a column for every law"},
                       {"save-traces", FlagKind::value, {}, "directory for traces (./traces)"}}};
    Flags cost_flags_{*cost_, cost_flags() + limit_flags() + output_flags()};
    Flags list_flags_{*list_, output_flags()};
    Flags show_flags_{*show_, output_flags()};
    Flags replay_flags_{*replay_, output_flags() + std::vector<Flag>{trace_flag()}};
    Flags explain_flags_{*explain_, output_flags() + std::vector<Flag>{trace_flag()}};
    Flags init_flags_{*init_, output_flags()};
    std::vector<std::string> names_;
    std::string name_;
};

CheckOptions Parser::check_options() const {
    LimitOptions limits = limits_with_symmetry(check_flags_);
    limits.keeps_fingerprints = check_flags_.choice("store").value_or(0) == 1;
    return {.scenarios = names_,
            .settings = check_flags_.settings(),
            .limits = limits,
            .output = output_of(check_flags_),
            .keeps_expectations = check_flags_.is_on("keep-expect"),
            .is_strict = check_flags_.is_on("strict"),
            .trace = trace_of(check_flags_),
            .traces_directory = check_flags_.text("save-traces"),
            .streams_config = check_flags_.text("streams-config")};
}

WhyOptions Parser::why_options() const {
    WhyOptions options{.rows = names_,
                       .settings = why_flags_.settings(),
                       .limits = limits_with_symmetry(why_flags_),
                       .output = output_of(why_flags_),
                       .has_all_laws = why_flags_.is_on("all-laws")};
    options.traces_directory = why_flags_.text("save-traces", options.traces_directory);
    return options;
}

CostOptions Parser::cost_options() const {
    CostOptions options{.schemes = names_,
                        .scale = scale_of(cost_flags_),
                        .limits = limits_of(cost_flags_),
                        .output = output_of(cost_flags_)};
    for (const model::BoundEntry& bound : cost_bounds()) {
        const auto number = cost_flags_.number(bound.name, bound.min, bound.max);
        if (number) { options.bounds.*bound.member = static_cast<std::uint8_t>(*number); }
    }
    return options;
}

Command Parser::command() const {
    if (check_->parsed()) { return check_options(); }
    if (why_->parsed()) { return why_options(); }
    if (cost_->parsed()) { return cost_options(); }
    if (list_->parsed()) { return ListOptions{.topic = name_, .output = output_of(list_flags_)}; }
    if (show_->parsed()) {
        return ShowOptions{.scenario = name_, .output = output_of(show_flags_)};
    }
    if (explain_->parsed()) {
        return ExplainOptions{.file = name_,
                              .output = output_of(explain_flags_),
                              .trace = trace_of(explain_flags_).value_or(Detail::diff)};
    }
    if (init_->parsed()) { return InitOptions{.file = name_, .output = output_of(init_flags_)}; }
    return ReplayOptions{.file = name_,
                         .output = output_of(replay_flags_),
                         .trace = trace_of(replay_flags_).value_or(Detail::diff)};
}

// "--color always" becomes "--color=always", as for any flag with a value: CLI11 would take the
// word for a name, since these flags may also stand alone, last or before another flag.
std::vector<std::string> Parser::with_choices_joined(
    const std::vector<std::string>& arguments) const {
    const auto is_choice = [this](std::string_view word) {
        return std::ranges::any_of(verbs(), [word](const Verb& verb) {
            return std::ranges::any_of(verb.flags.all(), [word](const Flag& flag) {
                return flag.kind == FlagKind::choice && word == "--" + flag.name;
            });
        });
    };
    std::vector<std::string> joined;
    for (const std::string& argument : arguments) {
        if (!joined.empty() && is_choice(joined.back()) && !argument.starts_with('-')) {
            joined.back() += "=" + argument;
        } else {
            joined.push_back(argument);
        }
    }
    return joined;
}

void Parser::refuse_unknown_verb(const std::vector<std::string>& arguments) const {
    std::vector<std::string_view> known;
    for (const Verb& verb : verbs()) { known.push_back(verb.command->get_name()); }
    if (arguments.empty()) {
        throw model::ConfigurationError(
            fmt::format("command line: no verb, expected one of {}; `ringfence check` is the one "
                        "to begin with, `ringfence --help` says more",
                        fmt::join(known, ", ")));
    }
    const std::string& first = arguments.front();
    if (first.starts_with('-')) { return; }
    if (std::ranges::find(known, std::string_view(first)) != known.end()) { return; }
    throw model::ConfigurationError(fmt::format("command line: unknown verb \"{}\"{}",
                                                model::shortened(first),
                                                model::expected_names(first, known)));
}

void Parser::refuse_unknown_variables() const {
    constexpr std::string_view prefix = "RINGFENCE_";
    std::vector<std::string> variables;
    for (const Verb& verb : verbs()) {
        for (const Flag& flag : verb.flags.all()) { variables.push_back(variable_of(flag)); }
    }
    const std::vector<std::string_view> known(variables.begin(), variables.end());
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view entry = *variable;
        const std::string_view name = entry.substr(0, entry.find('='));
        if (!name.starts_with(prefix)) { continue; }
        if (std::ranges::find(known, name) != known.end()) { continue; }
        throw model::ConfigurationError(
            fmt::format("{}: unknown environment variable{}", name,
                        model::expected_names(name, known, "ringfence check --help")));
    }
}

// CLI11 has found words that it cannot place: names the first one and the nearest flag.
void Parser::refuse_extras() const {
    std::vector<std::string> flags;
    std::string verb = "--help";
    for (const Verb& candidate : verbs()) {
        if (!candidate.command->parsed()) { continue; }
        verb = candidate.command->get_name() + " --help";
        for (const Flag& flag : candidate.flags.all()) { flags.push_back("--" + flag.name); }
    }
    flags.emplace_back("--help");
    const std::vector<std::string_view> known(flags.begin(), flags.end());
    const std::string extra = app_.remaining(true).front();
    const std::string name = extra.substr(0, extra.find('='));
    if (!name.starts_with('-')) {
        throw model::ConfigurationError(fmt::format(
            "command line: unexpected \"{}\", expected no more names", model::shortened(extra)));
    }
    for (const Verb& other : verbs()) {
        const auto has_name = [&name](const Flag& flag) { return name == "--" + flag.name; };
        if (std::ranges::none_of(other.flags.all(), has_name)) { continue; }
        throw model::ConfigurationError(fmt::format(
            "command line: unknown flag \"{}\": `ringfence {}` has it, this verb has not; expected "
            "one of those in `ringfence {}`",
            name, other.command->get_name(), verb));
    }
    throw model::ConfigurationError(
        fmt::format("command line: unknown flag \"{}\"{}", model::shortened(name),
                    model::expected_names(name, known, "ringfence " + verb)));
}

Command Parser::parse(const std::vector<std::string>& arguments) {
    refuse_unknown_verb(arguments);
    try {
        std::vector<std::string> words = with_choices_joined(arguments);
        std::ranges::reverse(words);
        app_.parse(words);
    } catch (const CLI::CallForHelp&) {
        return Information{app_.help()};
    } catch (const CLI::CallForVersion& version) {
        return Information{version.what()};
    } catch (const CLI::ExtrasError&) {
        refuse_extras();  // throws
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string what = error.what();  // "--threads: 1 required ..."
        throw model::ConfigurationError(fmt::format("command line: {} has no value, expected one",
                                                    what.substr(0, what.find(':'))));
    } catch (const CLI::ParseError& error) {
        std::string what = error.what();
        std::ranges::replace(what, '\n', ' ');
        throw model::ConfigurationError("command line: " + what);
    }
    refuse_unknown_variables();
    return command();
}

}  // namespace

Command parse_command_line(const std::vector<std::string>& arguments) {
    return Parser().parse(arguments);
}

}  // namespace ringfence::cli
