#include "model/action_code.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

TEST_CASE("every verb comes back from its code, with and without fields") {
    for (std::size_t index = 0; index < verbs; ++index) {
        const Action bare{.verb = static_cast<Verb>(index)};
        const Action full{.verb = static_cast<Verb>(index),
                          .thread = ThreadId{3},
                          .partition = PartitionId{2},
                          .producer = ProducerId{7},
                          .member = MemberId{5},
                          .spends_budget = true,
                          .assignment = 0x8021,
                          .fate = Fate::unanswered,
                          .gives_up = true,
                          .message = 3};
        CAPTURE(encode(full));
        CHECK(decode(encode(bare)) == bare);
        CHECK(decode(encode(full)) == full);
    }
}

TEST_CASE("a code names the fields of its verb and those that are not zero") {
    CHECK(encode({.verb = Verb::txn_offset_commit}) == "txn_offset_commit thread=0 producer=0");
    CHECK(encode({.verb = Verb::complete_join}) == "complete_join");
    CHECK(encode({.verb = Verb::expel_member,
                  .thread = ThreadId{1},
                  .member = MemberId{5},
                  .spends_budget = true}) == "expel_member thread=1 member=5 disturbance=1");
    CHECK(encode({.verb = Verb::produce, .fate = Fate::late, .gives_up = true}) ==
          "produce thread=0 partition=0 fate=1 gives_up=1");
    CHECK(encode({.verb = Verb::deliver_marker}) == "deliver_marker message=0");
    CHECK(encode({.verb = Verb::sync_group, .assignment = 33}) ==
          "sync_group thread=0 assignment=33");
}

TEST_CASE("what encode never writes is refused") {
    CHECK_FALSE(decode(""));
    CHECK_FALSE(decode("sync"));
    CHECK_FALSE(decode("sync_group"));
    CHECK_FALSE(decode("sync_group thread"));
    CHECK_FALSE(decode("sync_group thread="));
    CHECK_FALSE(decode("sync_group thread=x"));
    CHECK_FALSE(decode("sync_group thread=0x"));
    CHECK_FALSE(decode("sync_group thread=-1"));
    CHECK_FALSE(decode("sync_group thread=00"));
    CHECK_FALSE(decode("sync_group thread=4"));
    CHECK_FALSE(decode("sync_group thread=0 "));
    CHECK_FALSE(decode("sync_group  thread=0"));
    CHECK_FALSE(decode("sync_group thread=0 thread=0"));
    CHECK_FALSE(decode("sync_group thread=0 colour=1"));
    CHECK_FALSE(decode("sync_group thread=0 assignment=65536"));
    CHECK_FALSE(decode("sync_group thread=0 assignment=99999999999"));
    CHECK_FALSE(decode("write_marker producer=0 partition=0"));
    CHECK_FALSE(decode("join_group thread=0 disturbance=2"));
    CHECK_FALSE(decode("produce thread=0 partition=0 fate=4"));
    CHECK_FALSE(decode("deliver_request message=4"));
}

}  // namespace ringfence::model
