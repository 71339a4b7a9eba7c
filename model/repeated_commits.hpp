// A plain OffsetCommit that is sent again decides nothing new: it names records whose commit is
// decided already. Nobody answers for that but ghosts: the coordinator takes it as it takes any
// other, and stores its offset once more.
//
// In a repeated commit the work begins where it ends (Work::is_repeated), so it is no second commit
// of the same records, and still a stale one where somebody has moved the offset since. Which
// commits are the same one is told by their sender: member and generation.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/request.hpp"

namespace ringfence::model {

// The work of a plain commit, sent now: without the part that was decided already.
[[nodiscard]] Works works_to_commit(const Configuration& configuration, const StreamThread& thread);

// `commit` was just decided: copies of it, and its client that may send it again, repeat it.
void remember_plain_commit(const Configuration& configuration, Cluster& cluster,
                           const Request& commit);

}  // namespace ringfence::model
