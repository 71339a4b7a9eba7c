// From a trace of any model to its document: takes the steps again and writes down what a teller,
// who knows the model's words, says about each. The only place where a model and the telling of
// its traces meet; counterexamples/ itself includes no model.
#pragma once

#include "checker/property.hpp"
#include "checker/verdict.hpp"
#include "counterexamples/document.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ringfence::counterexamples {

// What a model says about itself. V has string members actor, name, value; S has those of Step up
// to reason, but for number and action. Usually
//     Teller{model::variables_of, model::computed_columns, model::text_of, model::encode}
template <class M, class V, class S>
struct Teller {
    std::vector<V> (*variables_of)(const M&, const typename M::State&);
    std::vector<V> (*computed_columns)(const M&, const typename M::State&);
    S(*text_of)
    (const M&, const typename M::State& before, const typename M::Action&,
     const typename M::Outcome&, const typename M::State& after);
    std::string (*encode)(const typename M::Action&);
};

template <class M, class V, class S>
Teller(std::vector<V> (*)(const M&, const typename M::State&),
       std::vector<V> (*)(const M&, const typename M::State&),
       S (*)(const M&, const typename M::State&, const typename M::Action&,
             const typename M::Outcome&, const typename M::State&),
       std::string (*)(const typename M::Action&)) -> Teller<M, V, S>;

namespace detail {

template <class V>
std::vector<Variable> converted(std::vector<V> variables) {
    std::vector<Variable> result;
    result.reserve(variables.size());
    for (V& variable : variables) {
        result.push_back(
            {std::move(variable.actor), std::move(variable.name), std::move(variable.value)});
    }
    return result;
}

template <class M, class V, class S>
Situation situation_of(const M& model, const typename M::State& state,
                       const Teller<M, V, S>& teller) {
    return {.variables = converted(teller.variables_of(model, state)),
            .columns = converted(teller.computed_columns(model, state))};
}

template <class M>
std::size_t initial_index(const M& model, const typename M::State& initial) {
    const auto states = model.initial_states();
    const auto found = std::ranges::find(states, initial);
    if (found == states.end()) { throw std::logic_error("a trace begins in no initial state"); }
    return static_cast<std::size_t>(found - states.begin());
}

// What the law says about the last step, or about the state in which the trace ends.
template <class M>
std::string explanation_of(const M& model, const checker::Property<M>& law,
                           const checker::Step<M>* last, const typename M::State& end) {
    if (law.explain_step != nullptr && last != nullptr) { return law.explain_step(model, *last); }
    if (law.explain_state != nullptr) { return law.explain_state(model, end); }
    return {};
}

}  // namespace detail

// `law` is the one that the end of the trace breaks, or null; its prose goes into the header.
// Every action must be enabled where it stands (see checker/trace.hpp for a trace that may not
// be).
template <class M, class V, class S>
[[nodiscard]] Document from_trace(const M& model, const checker::Trace<M>& trace,
                                  const checker::Property<M>* law, Header header,
                                  const Teller<M, V, S>& teller) {
    Document document;
    document.header = std::move(header);
    if (law != nullptr) {
        document.header.law = {std::string(law->name), std::string(law->sentence),
                               std::string(law->source)};
    }
    document.initial_state = detail::initial_index(model, trace.initial);
    document.initial = detail::situation_of(model, trace.initial, teller);
    typename M::State state = trace.initial;
    for (std::size_t i = 0; i < trace.actions.size(); ++i) {
        const typename M::Action& action = trace.actions[i];
        const typename M::State before = state;
        const typename M::Outcome outcome = model.apply(state, action);
        S text = teller.text_of(model, before, action, outcome, state);
        document.steps.push_back({.number = i + 1,
                                  .action = teller.encode(action),
                                  .actor = std::move(text.actor),
                                  .verb = std::move(text.verb),
                                  .target = std::move(text.target),
                                  .arguments = std::move(text.arguments),
                                  .answer = std::move(text.answer),
                                  .reason = std::move(text.reason),
                                  .after = detail::situation_of(model, state, teller)});
        if (law != nullptr && i + 1 == trace.actions.size()) {
            const checker::Step<M> last{before, action, outcome, state};
            document.explanation = detail::explanation_of(model, *law, &last, state);
        }
    }
    if (law != nullptr && trace.actions.empty()) {
        document.explanation = detail::explanation_of<M>(model, *law, nullptr, state);
    }
    return document;
}

}  // namespace ringfence::counterexamples
