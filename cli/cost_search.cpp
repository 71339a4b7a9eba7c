#include "cli/cost_search.hpp"

#include "checker/state_graph.hpp"

#include <algorithm>
#include <chrono>

namespace ringfence::cli {

namespace {

using model::CostEntry;
using model::CostKind;
using Graph = checker::StateGraph<model::KafkaModel>;
using Step = checker::Step<model::KafkaModel>;

void raise(FoundCost& found, unsigned value, std::uint32_t depth) {
    if (value > found.value) { found = {value, depth}; }
}

// Who waits in a state for what: bit t for thread t and InitProducerId, bit 4 + t for OffsetFetch.
std::uint8_t wait_bit(CostKind kind, std::size_t thread) {
    const std::size_t shift = kind == CostKind::init_wait ? 0 : model::threads_max;
    return static_cast<std::uint8_t>(1U << (shift + thread));
}

class CostSearch {
  public:
    explicit CostSearch(const model::KafkaModel& model) : model_(model) {
        report_.costs.resize(model::cost_catalogue().size());
    }

    CostReport run(const checker::SearchOptions& options) {
        const auto started = std::chrono::steady_clock::now();
        report_.ending = graph_.explore(
            model_, options, [this](Graph::Number number) { visit(number); },
            [this](Graph::Number number, const Step& step) { return keeps(number, step); });
        report_.states = graph_.size();
        report_.transitions = graph_.transitions();
        report_.depth = graph_.depth();
        report_.memory_bytes = graph_.memory_bytes();
        if (report_.is_complete()) {
            measure_waits(CostKind::init_wait);
            measure_waits(CostKind::fetch_wait);
        }
        const auto ended = std::chrono::steady_clock::now();
        report_.seconds = std::chrono::duration<double>(ended - started).count();
        return report_;
    }

  private:
    void visit(Graph::Number number) {
        waits_.push_back(0);
        for_each_of_kind(CostKind::state, [&](const CostEntry& entry, FoundCost& found) {
            raise(found, entry.in(model_, graph_.state(number)), graph_.depth());
        });
    }

    bool keeps(Graph::Number number, const Step& step) {
        for_each_of_kind(CostKind::step, [&](const CostEntry& entry, FoundCost& found) {
            raise(found, entry.of(model_, step), graph_.depth() + 1);
        });
        for (const CostKind kind : {CostKind::init_wait, CostKind::fetch_wait}) {
            if (model::shows_wait(step, kind)) {
                const std::uint8_t bit = wait_bit(kind, step.action.thread.value);
                waits_[number] = static_cast<std::uint8_t>(waits_[number] | bit);
            }
        }
        return model::may_end_wait(step.action);
    }

    template <class Ask>
    void for_each_of_kind(CostKind kind, const Ask& ask) {
        const auto catalogue = model::cost_catalogue();
        for (std::size_t i = 0; i < catalogue.size(); ++i) {
            if (catalogue[i].kind == kind) { ask(catalogue[i], report_.costs[i]); }
        }
    }

    void measure_waits(CostKind kind) {
        for (std::size_t t = 0; t < model_.bounds().threads; ++t) {
            const std::uint8_t bit = wait_bit(kind, t);
            const auto distances = graph_.distances_to([&](Graph::Number number) {
                return (waits_[number] & bit) == 0 &&
                       model::would_show_wait(graph_.state(number), model::ThreadId{t});
            });
            for (Graph::Number number = 0; number < graph_.size(); ++number) {
                if ((waits_[number] & bit) != 0) { note_wait(kind, number, distances[number]); }
            }
        }
    }

    void note_wait(CostKind kind, Graph::Number number, std::uint32_t distance) {
        ++report_.waits;
        if (distance == Graph::unreachable) {
            ++report_.waits_for_ever;
            return;
        }
        for_each_of_kind(kind, [&](const CostEntry&, FoundCost& found) {
            raise(found, distance, graph_.depth_of(number));
        });
    }

    const model::KafkaModel& model_;
    Graph graph_;
    std::vector<std::uint8_t> waits_;  // by state
    CostReport report_;
};

}  // namespace

CostReport search_costs(const model::KafkaModel& model, const checker::SearchOptions& options) {
    return CostSearch(model).run(options);
}

}  // namespace ringfence::cli
