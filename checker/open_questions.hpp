// Which laws and witnesses a search still asks about.
#pragma once

#include "checker/findings.hpp"
#include "checker/property.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace ringfence::checker {

// The laws and witnesses that are still worth asking about, by their numbers.
template <Model M>
class OpenQuestions {
  public:
    OpenQuestions(const M& model, std::span<const Property<M>> properties,
                  std::span<const Witness<M>> witnesses)
        : properties_(properties), witnesses_(witnesses) {
        for (std::size_t index = 0; index < properties.size(); ++index) {
            if (properties[index].is_applicable(model)) {
                of(properties[index].kind).push_back(index);
            }
        }
        for (std::size_t index = 0; index < witnesses.size(); ++index) {
            open_witnesses_.push_back(index);
        }
        laws_ = laws_open();
        place_of_.assign(properties.size(), no_place);
        std::size_t places = 0;
        for (const std::size_t law : laws(PropertyKind::state)) {
            const bool has_place = properties[law].claims_in != nullptr && places < no_place;
            if (has_place) { place_of_[law] = places++; }
        }
        sort();
    }

    void close_refuted(const Findings<M>& findings) {
        const auto is_refuted = [&](std::size_t index) {
            return findings.violation(index).has_value();
        };
        for (auto& laws : open_laws_) { std::erase_if(laws, is_refuted); }
        sort();
    }
    void close_reached(const Findings<M>& findings) {
        std::erase_if(open_witnesses_,
                      [&](std::size_t index) { return findings.is_reached(index); });
        sort();
    }

    [[nodiscard]] bool are_all_refuted() const { return laws_ > 0 && laws_open() == 0; }
    [[nodiscard]] const std::vector<std::size_t>& laws(PropertyKind kind) const {
        return open_laws_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const std::vector<std::size_t>& witnesses() const { return open_witnesses_; }

    // What is to be asked about a step of this verb.
    struct AboutSteps {
        std::vector<std::size_t> laws;
        std::vector<std::size_t> witnesses;
        bool looks_beyond_scope = false;
    };
    [[nodiscard]] const AboutSteps& about_steps(std::size_t verb) const { return by_verb_[verb]; }
    // Of the laws on states, in this scope.
    [[nodiscard]] AllClaims claims_in(const M& model, const typename M::State& state,
                                      std::size_t scope) const {
        AllClaims claims = claims_everywhere_;
        for (const ClaimingLaw& law : claiming_laws_) {
            claims |= placed(law.claims_in(model, state, scope), law.place);
        }
        return claims;
    }
    [[nodiscard]] const Property<M>& property(std::size_t index) const {
        return properties_[index];
    }
    [[nodiscard]] const Witness<M>& witness(std::size_t index) const { return witnesses_[index]; }

  private:
    [[nodiscard]] std::vector<std::size_t>& of(PropertyKind kind) {
        return open_laws_[static_cast<std::size_t>(kind)];
    }
    // What is open, as it is asked for.
    void sort() {
        claiming_laws_.clear();
        claims_everywhere_ = 0;
        for (const std::size_t law : laws(PropertyKind::state)) {
            if (place_of_[law] == no_place) {
                claims_everywhere_ = placed({Claims::alone}, 0);
            } else {
                claiming_laws_.push_back({property(law).claims_in, place_of_[law]});
            }
        }
        sort_by_verb();
    }
    void sort_by_verb() {
        const auto concerning = [](auto entries, const std::vector<std::size_t>& open,
                                   std::size_t verb) {
            std::vector<std::size_t> found;
            std::ranges::copy_if(open, std::back_inserter(found), [&](std::size_t index) {
                return (entries[index].verbs >> verb & 1U) != 0;
            });
            return found;
        };
        const auto& step_laws = laws(PropertyKind::step);
        for (std::size_t verb = 0; verb < verbs_max; ++verb) {
            AboutSteps& about = by_verb_[verb];
            about.laws = concerning(properties_, step_laws, verb);
            about.witnesses = concerning(witnesses_, open_witnesses_, verb);
            const auto looks = [](auto entries) {
                return [entries](std::size_t index) { return entries[index].looks_beyond_scope; };
            };
            about.looks_beyond_scope = std::ranges::any_of(about.laws, looks(properties_)) ||
                                       std::ranges::any_of(about.witnesses, looks(witnesses_));
        }
    }
    [[nodiscard]] std::size_t laws_open() const {
        return open_laws_[0].size() + open_laws_[1].size() + open_laws_[2].size();
    }

    std::span<const Property<M>> properties_;
    std::span<const Witness<M>> witnesses_;
    std::array<std::vector<std::size_t>, 3> open_laws_;  // by PropertyKind
    std::vector<std::size_t> open_witnesses_;
    std::array<AboutSteps, verbs_max> by_verb_;
    static constexpr std::size_t no_place = claiming_laws_max;
    std::vector<std::size_t> place_of_;  // by law: of its claims
    struct ClaimingLaw {
        Claims (*claims_in)(const M&, const typename M::State&, std::size_t scope);
        std::size_t place;
    };
    std::vector<ClaimingLaw> claiming_laws_;
    AllClaims claims_everywhere_ = 0;  // of laws that have no place, if there are any
    std::size_t laws_ = 0;             // applicable ones
};

}  // namespace ringfence::checker
