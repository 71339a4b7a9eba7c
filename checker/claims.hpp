// What the scopes of a state (HasScopes) have to do with its laws: a law on states often falls only
// where several scopes are at odds, or by the doing of one, and that can be seen scope by scope.
// What is seen is kept with the scope's steps, and most states need not be looked at themselves.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

// Of one law in one scope, as bits of the law's own choice. The law can fall only in a state where
// two scopes claim the same bit, or one claims `alone`.
struct Claims {
    std::uint8_t bits = 0;

    static constexpr std::uint8_t alone = 0x80;
};

// Those of all laws in one scope: a byte for each.
using AllClaims = std::uint64_t;
inline constexpr std::size_t claiming_laws_max = sizeof(AllClaims);

[[nodiscard]] constexpr AllClaims placed(Claims claims, std::size_t place) {
    return AllClaims{claims.bits} << 8U * place;
}

// Of the scopes of one state together.
class JointClaims {
  public:
    void add(AllClaims claims) {
        met_ |= claims & (claimed_ | all_alone);
        claimed_ |= claims;
    }
    // Is there a law to be asked about the state?
    [[nodiscard]] bool are_met() const { return met_ != 0; }

  private:
    static constexpr AllClaims all_alone = 0x8080808080808080U;

    AllClaims claimed_ = 0;
    AllClaims met_ = 0;
};

}  // namespace ringfence::checker
