// The client's part of a request (KafkaProducer's TransactionManager and Sender, Kafka Streams'
// StreamsProducer): what it sends, and what an answer makes of it. It reads nothing but what the
// thread knows and what the answer says.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/request.hpp"

namespace ringfence::model {

// The request that a step of a thread is about: version 2's adds and the leaders' questions are
// steps of a Produce or a TxnOffsetCommit.
[[nodiscard]] Verb request_in(const Configuration& configuration, Verb step);

// What the thread sends in a step that is a request of its producer, or a plain commit.
[[nodiscard]] Request request_of(const Configuration& configuration, const Cluster& cluster,
                                 const Action& action);

// Work of the transaction of the producer in `slot`: what EndTxn ends, whose offsets are committed.
[[nodiscard]] Works works_of(const Configuration& configuration, const StreamThread& thread,
                             std::size_t slot);

// The same without what was decided before, and the client has not heard of: what a decision now
// adds to it.
[[nodiscard]] Works undecided_works_of(const Configuration& configuration,
                                       const StreamThread& thread, std::size_t slot);


// What an error means to the client: a table by request and error.
enum class Reaction : std::uint8_t {
    retry,    // the identical request is sent again
    abort,    // abortable: EndTxn(abort) is all that is left to send
    give_up,  // fatal: the producer may not even abort
    end,      // fatal, and Kafka Streams does not survive it
};
[[nodiscard]] Reaction reaction_to(const Rules& rules, Verb request, Error error);

// The thread hears the answer to what it sent by `action`.
void hear(const Configuration& configuration, StreamThread& thread, const Action& action,
          const Outcome& answer);
// It hears nothing, and does as its rule says (UnknownOutcome).
void hear_nothing(const Configuration& configuration, StreamThread& thread, const Action& action);

// Has the producer of `action` an epoch left to take without asking, where it would do so?
[[nodiscard]] bool may_bump_by_itself(const Configuration& configuration, const Cluster& cluster,
                                      const Action& action);

}  // namespace ringfence::model
