// The composition root: command line -> verb -> exit status. All trouble that is thrown ends here.
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/saved.hpp"
#include "model/settings.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace ringfence;

struct Run {
    cli::Conclusion operator()(const cli::Information& information) const {
        cli::print_result(information.text);
        return {};
    }
    cli::Conclusion operator()(const cli::CheckOptions& options) const {
        return cli::check(options);
    }
    cli::Conclusion operator()(const cli::WhyOptions& options) const { return cli::why(options); }
    cli::Conclusion operator()(const cli::CostOptions& options) const { return cli::cost(options); }
    cli::Conclusion operator()(const cli::ListOptions& options) const { return cli::list(options); }
    cli::Conclusion operator()(const cli::ShowOptions& options) const { return cli::show(options); }
    cli::Conclusion operator()(const cli::ReplayOptions& options) const {
        return cli::replay(options);
    }
    cli::Conclusion operator()(const cli::ExplainOptions& options) const {
        return cli::explain(options);
    }
    cli::Conclusion operator()(const cli::InitOptions& options) const { return cli::init(options); }
};

cli::Conclusion conclusion_of(const std::vector<std::string>& arguments) {
    using cli::Trouble;
    try {
        return std::visit(Run{}, cli::parse_command_line(arguments));
    } catch (const model::ConfigurationError& error) {
        cli::print_error(error.what());
        return cli::Conclusion{}.add(Trouble::usage_error);
    } catch (const counterexamples::MalformedTrace& error) {
        cli::print_error(error.what());
        return cli::Conclusion{}.add(Trouble::usage_error);
    } catch (const counterexamples::FileError& error) {
        cli::print_error(error.what());
        return cli::Conclusion{}.add(Trouble::file_error);
    } catch (const std::length_error& error) {  // states too wide for the search
        cli::print_error(error.what());
        return cli::Conclusion{}.add(Trouble::usage_error);
    } catch (const std::exception& error) {
        cli::print_error(std::string("internal error: ") + error.what());
        return cli::Conclusion{}.add(Trouble::internal_error);
    }
}

}  // namespace

int main(int argc, char** argv) {
    cli::install_signal_handlers();
    return cli::exit_status(conclusion_of({argv + 1, argv + argc}));
}
