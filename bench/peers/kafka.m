-- Kafka's transactional fencing a second time, for Rumur: the base model, written from
-- model/README.md and from Kafka's protocol, with its own handlers. bench/peers/compare changes the
-- constants, and holds the number of states to that of `ringfence check`.
--
-- What is left out: crash and restart, a voluntary rebalance, changelogs, and all rules whose value
-- is not that of the schemes v2, v1 with clients up to 2.5, and v1 with clients 2.6 to 2.8.
const
  THREADS: 2;
  PARTITIONS: 1;
  RECORDS: 2;
  GENERATIONS: 3;
  EPOCHS: 8;             -- the largest epoch plus one: an epoch is stored raw, 0 is none
  EXPULSIONS: 1;
  TIMEOUTS: 1;
  V1: false;             -- a producer for each task, in place of one for each thread
  INIT_FIRST: false;     -- InitProducerId comes before OffsetFetch
  FULL_METADATA: true;   -- TxnOffsetCommit names the member and the generation
  GHOSTS: false;         -- what laws remember, and no actor reads
  LAW: 0;                -- 1 no_hanging_transaction; with ghosts also 2 exactly_once_output,
                         -- 3 no_stale_commit, 4 superseded_owner_is_fenced; 0 none

  OWNERS: THREADS + 1;   -- of a partition, nobody among them
  CHOICES: OWNERS * ((PARTITIONS > 1) ? OWNERS : 1) * ((PARTITIONS > 2) ? OWNERS : 1);
  PRODUCERS: V1 ? PARTITIONS : THREADS;  -- transactional ids
  SLOTS: V1 ? PARTITIONS : 1;            -- producers of a thread

type
  thread_t: 0..THREADS - 1;
  partition_t: 0..PARTITIONS - 1;
  producer_t: 0..PRODUCERS - 1;
  slot_t: 0..SLOTS - 1;
  owner_t: 0..THREADS;                   -- 1 + thread, 0 nobody
  choice_t: 0..CHOICES - 1;              -- owner_t of each partition
  record_t: 0..RECORDS - 1;
  offset_t: 0..RECORDS;
  generation_t: 0..GENERATIONS;
  epoch_t: 0..EPOCHS;
  count_t: 0..2;                         -- saturates

  error_t: enum { NONE, CONCURRENT_TRANSACTIONS, PRODUCER_FENCED, INVALID_PRODUCER_EPOCH,
                  UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION };
  group_phase_t: enum { empty, preparing, completing, stable };
  membership_t: enum { out, awaiting_join, awaiting_sync, in, closing };
  task_phase_t: enum { none, needs_fetch, running, revoking, needs_init, needs_both };
  client_t: enum { working, offsets_added, offsets_accepted, must_abort };
  transaction_t: enum { never, ongoing, prepare_commit, prepare_abort, complete_commit,
                        complete_abort };

  task: record
    phase: task_phase_t;
    first: offset_t;
    position: offset_t;
    elders: array [thread_t] of boolean;   -- ghost: owners before this one that still hold on
    superseded: boolean;                   -- ghost: a later owner has fetched
  end;
  producer: record
    epoch: epoch_t;
    phase: client_t;
    added: array [partition_t] of boolean;
    timed_out: boolean;                    -- ghost
  end;
  stream_thread: record
    membership: membership_t;
    generation: generation_t;
    tasks: array [partition_t] of task;
    producers: array [slot_t] of producer;
  end;
  transactional_id: record
    epoch: epoch_t;
    state: transaction_t;
    outputs: array [partition_t] of boolean;  -- in the transaction; once decided: marker is owed
    offsets: boolean;
  end;
  output_entry: record
    epoch: epoch_t;
    open: array [record_t] of count_t;
  end;
  offsets_entry: record
    epoch: epoch_t;
    pending: array [partition_t] of offset_t;
  end;
  partition_ghosts: record
    visible: array [record_t] of count_t;
    confirmed: array [record_t] of boolean;
    decided_end: offset_t;
  end;

var
  -- stream threads
  threads: array [thread_t] of stream_thread;
  -- transaction coordinator
  ids: array [producer_t] of transactional_id;
  -- leaders of the output partitions
  outputs: array [partition_t] of array [producer_t] of output_entry;
  -- group coordinator, and leader of the offsets partition
  phase: group_phase_t;
  generation: generation_t;
  members: array [thread_t] of boolean;
  joined: array [thread_t] of boolean;
  claims: array [thread_t] of array [partition_t] of boolean;
  assignment: array [partition_t] of owner_t;
  committed: array [partition_t] of offset_t;
  offsets: array [producer_t] of offsets_entry;
  -- what laws remember
  ghosts: array [partition_t] of partition_ghosts;
  -- disturbances left
  expulsions: 0..EXPULSIONS;
  timeouts: 0..TIMEOUTS;

-- ---- words ----

-- The transactional id behind a producer of a thread.
function id_of(t: thread_t; s: slot_t): producer_t;
begin
  if V1 then return s; else return t; end;
end;

-- The producer of a task.
function slot_of(p: partition_t): slot_t;
begin
  if V1 then return p; else return 0; end;
end;

function has_progress(t: thread_t; p: partition_t): boolean;
begin
  return threads[t].tasks[p].first < threads[t].tasks[p].position;
end;

-- The next commit of this producer has the work of this partition in it.
function is_content(t: thread_t; s: slot_t; p: partition_t): boolean;
begin
  return slot_of(p) = s & has_progress(t, p);
end;

function has_open_transaction(t: thread_t; s: slot_t): boolean;
begin
  return threads[t].producers[s].phase != working
      | exists p: partition_t do threads[t].producers[s].added[p] end;
end;

-- The partition is in the transaction, nothing was produced there yet, and the produce follows.
function is_half_done(t: thread_t; p: partition_t): boolean;
begin
  return threads[t].producers[slot_of(p)].added[p] & !has_progress(t, p)
      & threads[t].tasks[p].phase = running;
end;

-- The task is to be given up, and its part of the transaction is not ended yet.
function must_end_first(t: thread_t; p: partition_t): boolean;
begin
  return threads[t].tasks[p].phase = revoking
      & (threads[t].producers[slot_of(p)].added[p] | has_progress(t, p));
end;

-- Neither a commit nor the abort of a dirty close is under way.
function is_at_rest(t: thread_t): boolean;
begin
  return forall s: slot_t do threads[t].producers[s].phase = working end;
end;

function is_preparing(i: producer_t): boolean;
begin
  return ids[i].state = prepare_commit | ids[i].state = prepare_abort;
end;

-- ---- ghosts ----

procedure forget_elder(t: thread_t; p: partition_t);
begin
  for u: thread_t do threads[u].tasks[p].elders[t] := false; end;
end;

procedure remember_assignment(t: thread_t; p: partition_t);
begin
  if GHOSTS then
    for u: thread_t do
      threads[t].tasks[p].elders[u] := u != t & threads[u].tasks[p].phase != none;
    end;
  end;
end;

procedure remember_fetch(t: thread_t; p: partition_t);
begin
  for u: thread_t do
    if threads[t].tasks[p].elders[u] then threads[u].tasks[p].superseded := true; end;
  end;
end;

-- The commit of the thread's work in this partition was decided, and the client was told so.
procedure remember_commit(t: thread_t; p: partition_t);
begin
  if GHOSTS then
    alias task: threads[t].tasks[p] do
      assert LAW = 3 -> task.first = ghosts[p].decided_end "no_stale_commit";
      assert LAW = 4 -> !task.superseded "superseded_owner_is_fenced";
      for r: record_t do
        if task.first <= r & r < task.position then ghosts[p].confirmed[r] := true; end;
      end;
      ghosts[p].decided_end := task.position;
    end;
  end;
end;

-- A commit marker is about to be written behind the open records.
procedure remember_visible(p: partition_t; i: producer_t);
begin
  if GHOSTS then
    for r: record_t do
      alias visible: ghosts[p].visible[r] do
        visible := (visible + outputs[p][i].open[r] > 2) ? 2 : visible + outputs[p][i].open[r];
      end;
    end;
  end;
end;

procedure remember_timeout(i: producer_t);
begin
  if GHOSTS then
    for t: thread_t do
      for s: slot_t do
        if id_of(t, s) = i & threads[t].producers[s].epoch = ids[i].epoch then
          threads[t].producers[s].timed_out := true;
        end;
      end;
    end;
  end;
end;

-- ---- stream thread: how it closes ----

procedure drop_task(t: thread_t; p: partition_t);
begin
  clear threads[t].tasks[p];
  forget_elder(t, p);
end;

procedure reset_producer(t: thread_t; s: slot_t);
begin
  clear threads[t].producers[s];
end;

-- All tasks are closed, open transactions are still to be aborted.
procedure close_dirty(t: thread_t);
begin
  for p: partition_t do drop_task(t, p); end;
  threads[t].generation := 0;
  for s: slot_t do
    if has_open_transaction(t, s) then
      threads[t].producers[s].phase := must_abort;
    else
      reset_producer(t, s);
    end;
  end;
end;

-- An answer that ends the thread's membership: it will leave, and join as a new member.
procedure close_after_error(t: thread_t);
begin
  close_dirty(t);
  threads[t].membership := closing;
end;

-- The producer was told that it is fenced, and may not even abort any more.
procedure close_after_fence(t: thread_t; s: slot_t);
begin
  reset_producer(t, s);
  close_after_error(t);
end;

-- ---- group coordinator ----

-- The member waits for the end of the join phase.
procedure join(t: thread_t);
begin
  members[t] := true;
  joined[t] := true;
  phase := preparing;
  for p: partition_t do
    claims[t][p] := threads[t].tasks[p].phase != none;
  end;
  threads[t].membership := awaiting_join;
end;

procedure remove_member(t: thread_t);
begin
  members[t] := false;
  joined[t] := false;
  for p: partition_t do
    claims[t][p] := false;
    if assignment[p] = 1 + t then assignment[p] := 0; end;
  end;
  phase := preparing;
end;

-- May the first member to sync give partition p to this owner? A cooperative assignor gives what
-- is claimed to the claimant, or to nobody until the claimant has given it up.
function may_own(p: partition_t; owner: owner_t): boolean;
begin
  if exists t: thread_t do claims[t][p] end then
    if owner = 0 then
      return exists t: thread_t do exists u: thread_t do t != u & members[t] & members[u] end end;
    end;
    return claims[owner - 1][p];
  end;
  return owner != 0 & members[owner - 1];
end;

function owner_in(choice: choice_t; p: partition_t): owner_t;
var rest: choice_t;
begin
  rest := choice;
  for q: partition_t do
    if q = p then return rest % OWNERS; end;
    rest := rest / OWNERS;
  end;
end;

procedure adopt_assignment(t: thread_t);
begin
  threads[t].membership := in;
  threads[t].generation := generation;
  for p: partition_t do
    if assignment[p] = 1 + t then
      if threads[t].tasks[p].phase = none then
        remember_assignment(t, p);
        if V1 then
          threads[t].tasks[p].phase := needs_both;
        else
          threads[t].tasks[p].phase := needs_fetch;
        end;
      end;
    elsif threads[t].tasks[p].phase != none then
      threads[t].tasks[p].phase := revoking;
      -- A task with nothing to commit will not use its position again.
      if !has_progress(t, p) then
        threads[t].tasks[p].first := 0;
        threads[t].tasks[p].position := 0;
      end;
    end;
  end;
end;

-- ---- transaction coordinator ----

function add_error(i: producer_t; epoch: epoch_t): error_t;
begin
  if epoch != ids[i].epoch then return PRODUCER_FENCED; end;
  if is_preparing(i) then return CONCURRENT_TRANSACTIONS; end;
  return NONE;
end;

-- Whether EndTxn of a client that takes part in an ongoing transaction is refused.
function end_error(i: producer_t; epoch: epoch_t): error_t;
begin
  if epoch != ids[i].epoch then return PRODUCER_FENCED; end;
  if ids[i].state != ongoing then error "EndTxn without a transaction"; end;
  return NONE;
end;

-- A fence or a timeout: the transaction is aborted under the next epoch.
procedure abort_under_next_epoch(i: producer_t);
begin
  ids[i].epoch := ids[i].epoch + 1;
  ids[i].state := prepare_abort;
end;

-- ---- steps of the group ----

ruleset t: thread_t do

  rule "join_group" threads[t].membership = out & is_at_rest(t) & generation < GENERATIONS ==>
  begin
    join(t);
  end;

  rule "rejoin_group, asked to"
      (threads[t].membership = in | threads[t].membership = awaiting_sync)
      & members[t] & phase = preparing & !joined[t] & is_at_rest(t)
      & forall p: partition_t do threads[t].tasks[p].phase != revoking end ==>
  begin
    join(t);
  end;

  rule "rejoin_group, follow-up"
      threads[t].membership = in & members[t] & generation < GENERATIONS & is_at_rest(t)
      & exists p: partition_t do threads[t].tasks[p].phase = revoking end
      & forall p: partition_t do !must_end_first(t, p) end ==>
  begin
    for p: partition_t do
      if threads[t].tasks[p].phase = revoking then
        drop_task(t, p);
        if V1 then reset_producer(t, slot_of(p)); end;
      end;
    end;
    join(t);
  end;

  rule "sync_group" threads[t].membership = awaiting_sync & members[t] & phase = stable
      & is_at_rest(t) ==>
  begin
    adopt_assignment(t);
  end;

  ruleset choice: choice_t do
    rule "sync_group, first" threads[t].membership = awaiting_sync & members[t]
        & phase = completing & is_at_rest(t)
        & forall p: partition_t do may_own(p, owner_in(choice, p)) end ==>
    begin
      for p: partition_t do
        assignment[p] := owner_in(choice, p);
        for u: thread_t do claims[u][p] := false; end;
      end;
      phase := stable;
      adopt_assignment(t);
    end;
  end;

  rule "leave_group" threads[t].membership = closing & is_at_rest(t)
      & (members[t] -> generation < GENERATIONS) ==>
  begin
    if members[t] then remove_member(t); end;
    threads[t].membership := out;
    threads[t].generation := 0;
  end;

  rule "learn_of_expulsion" threads[t].membership != out & threads[t].membership != closing
      & !members[t] & is_at_rest(t) ==>
  begin
    close_dirty(t);
    threads[t].membership := out;
  end;

  rule "expel_member" members[t] & !joined[t] & generation < GENERATIONS & expulsions > 0 ==>
  begin
    expulsions := expulsions - 1;
    remove_member(t);
  end;

end;

rule "complete_join" phase = preparing & forall t: thread_t do members[t] -> joined[t] end ==>
begin
  generation := generation + 1;
  phase := empty;
  for t: thread_t do
    if members[t] then phase := completing; end;
    if joined[t] & threads[t].membership = awaiting_join then  -- it may be closing by now
      threads[t].membership := awaiting_sync;
    end;
    joined[t] := false;
  end;
  for p: partition_t do assignment[p] := 0; end;
end;

-- ---- steps of a task ----

ruleset t: thread_t; p: partition_t do

  rule "init_producer_id"
      is_at_rest(t) & threads[t].producers[slot_of(p)].epoch = 0
      & (V1 ? threads[t].tasks[p].phase = needs_both | threads[t].tasks[p].phase = needs_init
            : p = 0 & exists q: partition_t do
                threads[t].tasks[q].phase = needs_fetch | threads[t].tasks[q].phase = running
              end)
      & (is_preparing(id_of(t, slot_of(p))) | ids[id_of(t, slot_of(p))].epoch < EPOCHS) ==>
  begin
    alias id: ids[id_of(t, slot_of(p))] do
      if is_preparing(id_of(t, slot_of(p))) then
        -- CONCURRENT_TRANSACTIONS: tried again
      elsif id.state = ongoing then
        abort_under_next_epoch(id_of(t, slot_of(p)));
      else
        id.epoch := id.epoch + 1;
        id.state := never;
        threads[t].producers[slot_of(p)].epoch := id.epoch;
        if threads[t].tasks[p].phase = needs_both then
          threads[t].tasks[p].phase := needs_fetch;
        elsif threads[t].tasks[p].phase = needs_init then
          threads[t].tasks[p].phase := running;
        end;
      end;
    end;
  end;

  rule "fetch_offset" is_at_rest(t)
      & (threads[t].tasks[p].phase = needs_fetch
         | threads[t].tasks[p].phase = needs_both & !INIT_FIRST) ==>
  begin
    if forall i: producer_t do offsets[i].pending[p] = 0 end then
      threads[t].tasks[p].first := committed[p];
      threads[t].tasks[p].position := committed[p];
      if threads[t].tasks[p].phase = needs_both then
        threads[t].tasks[p].phase := needs_init;
      else
        threads[t].tasks[p].phase := running;
      end;
      remember_fetch(t, p);
    end;  -- else UNSTABLE_OFFSET_COMMIT: tried again
  end;

  rule "add_partition" is_at_rest(t) & threads[t].tasks[p].phase = running
      & threads[t].tasks[p].position < RECORDS & threads[t].producers[slot_of(p)].epoch != 0
      & !threads[t].producers[slot_of(p)].added[p] ==>
  begin
    alias s: slot_of(p); i: id_of(t, s); do
      switch add_error(i, threads[t].producers[s].epoch)
        case NONE:
          ids[i].state := ongoing;
          ids[i].outputs[p] := true;
          threads[t].producers[s].added[p] := true;
        case PRODUCER_FENCED:
          close_after_fence(t, s);
      end;
    end;
  end;

  rule "produce" is_at_rest(t) & threads[t].tasks[p].phase = running
      & threads[t].tasks[p].position < RECORDS & threads[t].producers[slot_of(p)].added[p] ==>
  var r: record_t;
  begin
    alias entry: outputs[p][id_of(t, slot_of(p))]; epoch: threads[t].producers[slot_of(p)].epoch do
      if epoch < entry.epoch then
        close_after_error(t);  -- INVALID_PRODUCER_EPOCH: the transaction may be aborted
      else
        r := threads[t].tasks[p].position;
        entry.epoch := epoch;
        if entry.open[r] < 2 then entry.open[r] := entry.open[r] + 1; end;
        threads[t].tasks[p].position := r + 1;
      end;
    end;
  end;

end;

-- ---- steps of a commit ----

ruleset t: thread_t; s: slot_t do

  rule "add_offsets" is_at_rest(t) & exists p: partition_t do is_content(t, s, p) end
      & forall p: partition_t do slot_of(p) = s -> !is_half_done(t, p) end ==>
  begin
    alias i: id_of(t, s) do
      switch add_error(i, threads[t].producers[s].epoch)
        case NONE:
          ids[i].state := ongoing;
          ids[i].offsets := true;
          threads[t].producers[s].phase := offsets_added;
        case PRODUCER_FENCED:
          close_after_fence(t, s);
      end;
    end;
  end;

  rule "txn_offset_commit" threads[t].producers[s].phase = offsets_added ==>
  begin
    alias entry: offsets[id_of(t, s)]; epoch: threads[t].producers[s].epoch do
      if FULL_METADATA & (!members[t] | threads[t].generation != generation) then
        close_after_error(t);  -- UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION
      elsif epoch < entry.epoch then
        close_after_fence(t, s);  -- INVALID_PRODUCER_EPOCH
      else
        entry.epoch := epoch;
        for p: partition_t do
          if is_content(t, s, p) then entry.pending[p] := threads[t].tasks[p].position; end;
        end;
        threads[t].producers[s].phase := offsets_accepted;
      end;
    end;
  end;

  rule "end_txn_commit" threads[t].producers[s].phase = offsets_accepted ==>
  begin
    alias i: id_of(t, s) do
      if end_error(i, threads[t].producers[s].epoch) = NONE then
        ids[i].state := prepare_commit;
        for p: partition_t do
          if is_content(t, s, p) then
            remember_commit(t, p);
            threads[t].tasks[p].first := threads[t].tasks[p].position;
          end;
          threads[t].producers[s].added[p] := false;
        end;
        threads[t].producers[s].phase := working;
      else
        close_after_fence(t, s);
      end;
    end;
  end;

  -- A transaction in which nothing was produced, for tasks that are to be given up.
  rule "end_txn_abort, empty" is_at_rest(t)
      & exists p: partition_t do slot_of(p) = s & must_end_first(t, p) end
      & forall p: partition_t do
          slot_of(p) = s -> !has_progress(t, p) & !is_half_done(t, p)
        end ==>
  begin
    alias i: id_of(t, s) do
      if end_error(i, threads[t].producers[s].epoch) = NONE then
        ids[i].state := prepare_abort;
        for p: partition_t do
          threads[t].producers[s].added[p] := false;
        end;
      else
        close_after_fence(t, s);
      end;
    end;
  end;

  rule "end_txn_abort" threads[t].producers[s].phase = must_abort ==>
  begin
    alias i: id_of(t, s) do
      if end_error(i, threads[t].producers[s].epoch) = NONE then
        ids[i].state := prepare_abort;
      end;  -- else PRODUCER_FENCED: swallowed
      reset_producer(t, s);
    end;
  end;

end;

-- ---- steps of the transaction coordinator ----

ruleset i: producer_t do

  ruleset p: partition_t do
    rule "write_marker" is_preparing(i) & ids[i].outputs[p] ==>
    begin
      alias entry: outputs[p][i] do
        if ids[i].epoch < entry.epoch then error "a marker is refused"; end;
        entry.epoch := ids[i].epoch;
        if ids[i].state = prepare_commit then remember_visible(p, i); end;
        clear entry.open;
      end;
      ids[i].outputs[p] := false;
    end;
  end;

  rule "write_offsets_marker" is_preparing(i) & ids[i].offsets ==>
  begin
    alias entry: offsets[i] do
      if ids[i].epoch < entry.epoch then error "an offsets marker is refused"; end;
      entry.epoch := ids[i].epoch;
      for p: partition_t do
        if ids[i].state = prepare_commit & entry.pending[p] != 0 then
          committed[p] := entry.pending[p];
        end;
        entry.pending[p] := 0;
      end;
    end;
    ids[i].offsets := false;
  end;

  rule "complete_txn" is_preparing(i) & !ids[i].offsets
      & forall p: partition_t do !ids[i].outputs[p] end ==>
  begin
    if ids[i].state = prepare_commit then
      ids[i].state := complete_commit;
    else
      ids[i].state := complete_abort;
    end;
  end;

  rule "time_out_txn" ids[i].state = ongoing & timeouts > 0 & ids[i].epoch < EPOCHS ==>
  begin
    timeouts := timeouts - 1;
    remember_timeout(i);
    abort_under_next_epoch(i);
  end;

end;

startstate begin
  clear threads;
  clear ids;
  clear outputs;
  clear offsets;
  clear ghosts;
  clear claims;
  clear assignment;
  clear committed;
  generation := 0;
  phase := preparing;
  for t: thread_t do
    members[t] := true;
    joined[t] := true;
    threads[t].membership := awaiting_join;
  end;
  expulsions := EXPULSIONS;
  timeouts := TIMEOUTS;
end;

-- ---- laws that read a state ----

invariant "no_hanging_transaction" LAW = 1 ->
  forall p: partition_t do forall i: producer_t do
    ((exists r: record_t do outputs[p][i].open[r] != 0 end) -> ids[i].outputs[p])
    & (offsets[i].pending[p] != 0 -> ids[i].offsets)
  end end;

invariant "exactly_once_output" LAW = 2 ->
  forall p: partition_t do forall r: record_t do ghosts[p].visible[r] < 2 end end;
