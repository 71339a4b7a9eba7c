// Laws and witnesses, as the search sees them: names, prose, and plain function pointers.
//
// `holds_*` is asked billions of times and only decides; `explain_*` is asked once, about the end
// of a trace, and tells a person what went wrong. A witness is the opposite of a law: a step that
// must be reachable for a verdict "holds" to be worth anything.
#pragma once

#include "checker/claims.hpp"
#include "checker/model.hpp"

#include <string>
#include <string_view>

namespace ringfence::checker {

enum class PropertyKind : std::uint8_t {
    state,  // holds_in is asked about every reachable state
    step,   // holds_over is asked about every step from a reachable state
    // The search itself decides: work is left, no healing step changes the state, none was cut.
    deadlock,
};

// Verbs as a set of bits (bit v: the verb of that number). A step law or a witness names those that
// can concern it, so that the search asks about no others; a test asks about all of them.
using VerbSet = std::uint64_t;
inline constexpr VerbSet all_verbs = ~VerbSet{0};
inline constexpr std::size_t verbs_max = 64;

template <class M>
struct Property {
    std::string_view name;      // snake_case, as in scenario files
    std::string_view sentence;  // the law in one sentence
    std::string_view source;    // KIP, ticket or paper
    PropertyKind kind;
    bool (*is_applicable)(const M&);
    VerbSet verbs = all_verbs;  // of a step law
    // Does a step law read what lies beyond the scope of the step (HasScopes)?
    bool looks_beyond_scope = false;
    bool (*holds_in)(const M&, const typename M::State&) = nullptr;
    // What a scope (HasScopes) has to do with a state law, from what lies in it alone. Without this
    // the law is asked in every state.
    Claims (*claims_in)(const M&, const typename M::State&, std::size_t scope) = nullptr;
    bool (*holds_over)(const M&, const Step<M>&) = nullptr;
    std::string (*explain_state)(const M&, const typename M::State&) = nullptr;
    std::string (*explain_step)(const M&, const Step<M>&) = nullptr;
};

template <class M>
struct Witness {
    std::string_view name;
    std::string_view sentence;
    bool (*is_reached_by)(const M&, const Step<M>&);
    VerbSet verbs = all_verbs;
    bool looks_beyond_scope = false;  // as in Property
};

}  // namespace ringfence::checker
