/* Kafka's transactional fencing once more, for Spin: the states and transitions of kafka.m, and so
 * those of `ringfence check`. bench/peers/compare holds all three to each other.
 *
 *   spin -o1 -o2 -DTHREADS=2 -DPARTITIONS=1 -DRECORDS=2 -DGENERATIONS=3 -DEXPULSIONS=1 -DTIMEOUTS=1
 *        -a kafka.pml
 *
 * and -DV1 (a producer for each task), -DINIT_FIRST (InitProducerId comes before OffsetFetch),
 * -DGROUP_ID_ONLY (TxnOffsetCommit names no member), -DGHOSTS (what laws remember).
 *
 * Each step is one d_step of the only process, so that every stored state is one of the model's.
 * Sets of threads and of partitions are the bits of a byte. */

#ifndef EPOCHS
#define EPOCHS 8                /* the largest epoch plus one: an epoch is stored raw, 0 is none */
#endif
#define OWNERS (THREADS + 1)    /* of a partition, nobody among them */
#define EVERYBODY ((1 << THREADS) - 1)

/* ---- what Promela has no words for: any, all and each of a range ---- */

#if THREADS == 2
#define ANY_T(f, x) (f(0, x) || f(1, x))
#define EACH_T(f) :: f(0) :: f(1)
#elif THREADS == 3
#define ANY_T(f, x) (f(0, x) || f(1, x) || f(2, x))
#define EACH_T(f) :: f(0) :: f(1) :: f(2)
#endif

#if PARTITIONS == 1
#define ANY_P(f, x) (f(x, 0))
#define ALL_P(f, x) (f(x, 0))
#define EACH_P(f, x) :: f(x, 0)
#elif PARTITIONS == 2
#define ANY_P(f, x) (f(x, 0) || f(x, 1))
#define ALL_P(f, x) (f(x, 0) && f(x, 1))
#define EACH_P(f, x) :: f(x, 0) :: f(x, 1)
#elif PARTITIONS == 3
#define ANY_P(f, x) (f(x, 0) || f(x, 1) || f(x, 2))
#define ALL_P(f, x) (f(x, 0) && f(x, 1) && f(x, 2))
#define EACH_P(f, x) :: f(x, 0) :: f(x, 1) :: f(x, 2)
#endif

#define THREE(f, t, c) :: f(t, c) :: f(t, c + 1) :: f(t, c + 2)
#define FOUR(f, t, c) THREE(f, t, c) :: f(t, c + 3)
#define NINE(f, t, c) THREE(f, t, c) THREE(f, t, c + 3) THREE(f, t, c + 6)
#if THREADS == 2 && PARTITIONS == 1
#define EACH_CHOICE(f, t) THREE(f, t, 0)
#elif THREADS == 2 && PARTITIONS == 2
#define EACH_CHOICE(f, t) NINE(f, t, 0)
#elif THREADS == 2 && PARTITIONS == 3
#define EACH_CHOICE(f, t) NINE(f, t, 0) NINE(f, t, 9) NINE(f, t, 18)
#elif THREADS == 3 && PARTITIONS == 1
#define EACH_CHOICE(f, t) FOUR(f, t, 0)
#elif THREADS == 3 && PARTITIONS == 2
#define EACH_CHOICE(f, t) FOUR(f, t, 0) FOUR(f, t, 4) FOUR(f, t, 8) FOUR(f, t, 12)
#endif

/* Transactional ids, and a thread's producers, here called slots. */
#ifdef V1
#define PRODUCERS PARTITIONS
#define SLOTS PARTITIONS
#define ID(t, s) (s)
#define SLOT(p) (p)
#define ALL_S ALL_P
#define EACH_S EACH_P
#if PARTITIONS == 1
#define EACH_ID(f) :: f(0)
#elif PARTITIONS == 2
#define EACH_ID(f) :: f(0) :: f(1)
#elif PARTITIONS == 3
#define EACH_ID(f) :: f(0) :: f(1) :: f(2)
#endif
#else
#define PRODUCERS THREADS
#define SLOTS 1
#define ID(t, s) (t)
#define SLOT(p) 0
#define ALL_S(f, x) (f(x, 0))
#define EACH_S(f, x) :: f(x, 0)
#define EACH_ID EACH_T
#endif

/* ---- values; 0 is what a variable has at the start, or when it is reset ---- */

#define AWAITING_JOIN 0         /* membership */
#define AWAITING_SYNC 1
#define IN 2
#define CLOSING 3
#define OUT 4

#define NO_TASK 0               /* task */
#define NEEDS_FETCH 1
#define NEEDS_INIT 2
#define NEEDS_BOTH 3
#define RUNNING 4
#define REVOKING 5

#define WORKING 0               /* client: how far with ending its transaction */
#define OFFSETS_ADDED 1
#define OFFSETS_ACCEPTED 2
#define MUST_ABORT 3

#define NEVER 0                 /* state of a transactional id */
#define ONGOING 1
#define PREPARE_COMMIT 2
#define PREPARE_ABORT 3
#define COMPLETE_COMMIT 4
#define COMPLETE_ABORT 5

#define PREPARING 0             /* phase of the group */
#define COMPLETING 1
#define STABLE 2
#define EMPTY 3

/* ---- the state ---- */

#define TP(t, p) ((t) * PARTITIONS + (p))
#define TS(t, s) ((t) * SLOTS + (s))
#define PI(p, i) ((p) * PRODUCERS + (i))
#define PR(p, r) ((p) * RECORDS + (r))
#define PIR(p, i, r) (PI(p, i) * RECORDS + (r))
#define HAS(set, x) (((set) >> (x)) & 1)
#define WITH(set, x) ((set) | (1 << (x)))
#define WITHOUT(set, x) ((set) & (255 - (1 << (x))))

/* stream threads */
byte membership[THREADS];
byte known_generation[THREADS];
byte task[THREADS * PARTITIONS];
byte first[THREADS * PARTITIONS];
byte position[THREADS * PARTITIONS];
byte epoch[THREADS * SLOTS];
byte client[THREADS * SLOTS];
byte added[THREADS * SLOTS];            /* bit per output partition */
/* transaction coordinator */
byte id_epoch[PRODUCERS];
byte state[PRODUCERS];
byte outputs[PRODUCERS];                /* bit per output: in the transaction; then: marker owed */
byte offsets[PRODUCERS];                /* the same of the offsets partition: 0 or 1 */
/* leaders of the output partitions */
byte leader_epoch[PARTITIONS * PRODUCERS];
byte open[PARTITIONS * PRODUCERS * RECORDS];
/* group coordinator, and leader of the offsets partition */
byte phase;
byte generation;
byte members = EVERYBODY;               /* bit per thread */
byte joined = EVERYBODY;
byte claims[THREADS];                   /* bit per partition */
byte assignment[PARTITIONS];            /* 1 + thread, 0 nobody */
byte committed[PARTITIONS];
byte offsets_epoch[PRODUCERS];
byte pending[PARTITIONS * PRODUCERS];
/* disturbances left */
byte expulsions = EXPULSIONS;
byte timeouts = TIMEOUTS;
#ifdef GHOSTS
byte visible[PARTITIONS * RECORDS];
byte confirmed[PARTITIONS];             /* bit per record */
byte decided_end[PARTITIONS];
byte elders[THREADS * PARTITIONS];      /* bit per thread: an earlier owner that still holds on */
byte superseded[THREADS * PARTITIONS];  /* a later owner has fetched */
byte timed_out[THREADS * SLOTS];
#endif

/* Loop variables, one for each inline that loops: no part of the state. (Spin's breadth-first
 * search refuses hidden variables.) */
hidden byte drop_u, close_p, close_s, join_p, remove_p, adopt_p, elder_u, fetch_u;
hidden byte step_p, step_u, rest, timeout_t, timeout_s, visible_r, commit_r;

/* ---- words ---- */

#define HAS_PROGRESS(t, p) (first[TP(t, p)] < position[TP(t, p)])
#define IS_CONTENT(t, s, p) (SLOT(p) == (s) && HAS_PROGRESS(t, p))
#define IS_ADDED(t, p) HAS(added[TS(t, SLOT(p))], p)
#define HAS_OPEN_TRANSACTION(t, s) (added[TS(t, s)] != 0 || client[TS(t, s)] != WORKING)
#define IS_WORKING(t, s) (client[TS(t, s)] == WORKING)
#define IS_AT_REST(t) ALL_S(IS_WORKING, t)
#define IS_HALF_DONE(t, p) (IS_ADDED(t, p) && !HAS_PROGRESS(t, p) && task[TP(t, p)] == RUNNING)
#define IS_REVOKING(t, p) (task[TP(t, p)] == REVOKING)
#define MUST_END_FIRST(t, p) (IS_REVOKING(t, p) && (IS_ADDED(t, p) || HAS_PROGRESS(t, p)))
#define CAN_INITIALISE_FOR(t, p) (task[TP(t, p)] == NEEDS_FETCH || task[TP(t, p)] == RUNNING)
#define CAN_PROCESS(t, p) (task[TP(t, p)] == RUNNING && position[TP(t, p)] < RECORDS)
#define IS_PREPARING(i) (state[i] == PREPARE_COMMIT || state[i] == PREPARE_ABORT)

/* The same of the tasks of one producer only. */
#ifdef V1
#define ANY_TASK(f, t, s) f(t, s)
#else
#define ANY_TASK(f, t, s) ANY_P(f, t)
#endif

/* ---- stream thread: how it closes ---- */

inline drop_task(t, p) {
#ifdef GHOSTS
    elders[TP(t, p)] = 0; superseded[TP(t, p)] = 0;
    for (drop_u : 0 .. THREADS - 1) {
        elders[TP(drop_u, p)] = WITHOUT(elders[TP(drop_u, p)], t)
    }
#endif
    task[TP(t, p)] = NO_TASK; first[TP(t, p)] = 0; position[TP(t, p)] = 0;
}

inline reset_producer(t, s) {
#ifdef GHOSTS
    timed_out[TS(t, s)] = 0;
#endif
    epoch[TS(t, s)] = 0; client[TS(t, s)] = WORKING; added[TS(t, s)] = 0
}

/* All tasks are closed, open transactions are still to be aborted. */
inline close_dirty(t) {
    for (close_p : 0 .. PARTITIONS - 1) { drop_task(t, close_p) }
    for (close_s : 0 .. SLOTS - 1) {
        if
        :: HAS_OPEN_TRANSACTION(t, close_s) -> client[TS(t, close_s)] = MUST_ABORT
        :: else -> reset_producer(t, close_s)
        fi
    }
    known_generation[t] = 0
}

/* An answer that ends the thread's membership: it will leave, and join as a new member. */
inline close_after_error(t) { close_dirty(t); membership[t] = CLOSING }

/* The producer was told that it is fenced, and may not even abort any more. */
inline close_after_fence(t, s) { reset_producer(t, s); close_after_error(t) }

/* ---- group coordinator ---- */

inline join(t) {
    members = WITH(members, t);
    joined = WITH(joined, t);
    phase = PREPARING;
    claims[t] = 0;
    for (join_p : 0 .. PARTITIONS - 1) {
        if
        :: task[TP(t, join_p)] != NO_TASK -> claims[t] = WITH(claims[t], join_p)
        :: else
        fi
    }
    membership[t] = AWAITING_JOIN
}

inline remove_member(t) {
    members = WITHOUT(members, t);
    joined = WITHOUT(joined, t);
    claims[t] = 0;
    for (remove_p : 0 .. PARTITIONS - 1) {
        if
        :: assignment[remove_p] == 1 + t -> assignment[remove_p] = 0
        :: else
        fi
    }
    phase = PREPARING
}

/* What the first member to sync may choose: a cooperative assignor gives what is claimed to the
 * claimant, or to nobody until the claimant has given it up. */
#define WEIGHT_0 1
#define WEIGHT_1 OWNERS
#define WEIGHT_2 (OWNERS * OWNERS)
#define OWNER(choice, p) (((choice) / WEIGHT_##p) % OWNERS)
#define CLAIMS(t, p) HAS(claims[t], p)
#define MAY_OWN(choice, p) \
    (ANY_T(CLAIMS, p) -> (OWNER(choice, p) == 0 && (members & (members - 1)) != 0 \
                          || OWNER(choice, p) != 0 && HAS(claims[OWNER(choice, p) - 1], p)) \
                       : OWNER(choice, p) != 0 && HAS(members, OWNER(choice, p) - 1))

inline adopt_assignment(t) {
    for (adopt_p : 0 .. PARTITIONS - 1) {
        if
        :: assignment[adopt_p] == 1 + t && task[TP(t, adopt_p)] == NO_TASK ->
#ifdef GHOSTS
            for (elder_u : 0 .. THREADS - 1) {
                if
                :: elder_u != t && task[TP(elder_u, adopt_p)] != NO_TASK ->
                    elders[TP(t, adopt_p)] = WITH(elders[TP(t, adopt_p)], elder_u)
                :: else
                fi
            }
#endif
#ifdef V1
            task[TP(t, adopt_p)] = NEEDS_BOTH
#else
            task[TP(t, adopt_p)] = NEEDS_FETCH
#endif
        :: assignment[adopt_p] != 1 + t && task[TP(t, adopt_p)] != NO_TASK ->
            task[TP(t, adopt_p)] = REVOKING;
            /* A task with nothing to commit will not use its position again. */
            if
            :: !HAS_PROGRESS(t, adopt_p) ->
                first[TP(t, adopt_p)] = 0; position[TP(t, adopt_p)] = 0
            :: else
            fi
        :: else
        fi
    }
    membership[t] = IN;
    known_generation[t] = generation
}

/* ---- steps of the group ---- */

inline sync_first(t, choice) {
    d_step {
        membership[t] == AWAITING_SYNC && HAS(members, t) && phase == COMPLETING && IS_AT_REST(t) &&
        ALL_P(MAY_OWN, choice) ->
        rest = choice;
        for (step_p : 0 .. PARTITIONS - 1) {
            assignment[step_p] = rest % OWNERS;
            rest = rest / OWNERS
        }
        for (step_u : 0 .. THREADS - 1) { claims[step_u] = 0 }
        phase = STABLE;
        adopt_assignment(t);
        rest = 0
    }
}

inline steps_of_member(t) {
    if
    :: d_step {  /* join_group */
        membership[t] == OUT && IS_AT_REST(t) && generation < GENERATIONS ->
        join(t)
       }
    :: d_step {  /* rejoin_group, asked to */
        (membership[t] == IN || membership[t] == AWAITING_SYNC) && HAS(members, t) &&
        phase == PREPARING && !HAS(joined, t) && IS_AT_REST(t) && !ANY_P(IS_REVOKING, t) ->
        join(t)
       }
    :: d_step {  /* rejoin_group, follow-up */
        membership[t] == IN && HAS(members, t) && generation < GENERATIONS && IS_AT_REST(t) &&
        ANY_P(IS_REVOKING, t) && !ANY_P(MUST_END_FIRST, t) ->
        for (step_p : 0 .. PARTITIONS - 1) {
            if
            :: IS_REVOKING(t, step_p) ->
                drop_task(t, step_p);
#ifdef V1
                reset_producer(t, step_p)
#endif
            :: else
            fi
        }
        join(t)
       }
    EACH_CHOICE(sync_first, t)
    :: d_step {  /* sync_group */
        membership[t] == AWAITING_SYNC && HAS(members, t) && phase == STABLE && IS_AT_REST(t) ->
        adopt_assignment(t)
       }
    :: d_step {  /* leave_group */
        membership[t] == CLOSING && IS_AT_REST(t) &&
        (!HAS(members, t) || generation < GENERATIONS) ->
        if
        :: HAS(members, t) -> remove_member(t)
        :: else
        fi
        membership[t] = OUT
       }
    :: d_step {  /* learn_of_expulsion */
        membership[t] != OUT && membership[t] != CLOSING && !HAS(members, t) && IS_AT_REST(t) ->
        close_dirty(t);
        membership[t] = OUT
       }
    :: d_step {  /* expel_member: not one whose JoinGroup is parked */
        HAS(members, t) && !HAS(joined, t) && generation < GENERATIONS && expulsions > 0 ->
        expulsions--;
        remove_member(t)
       }
    fi
}

inline complete_join() {
    d_step {
        phase == PREPARING && members == joined ->
        generation++;
        for (step_u : 0 .. THREADS - 1) {
            if
            :: HAS(joined, step_u) && membership[step_u] == AWAITING_JOIN ->
                membership[step_u] = AWAITING_SYNC
            :: else  /* one that closes did not wait for the answer */
            fi
        }
        joined = 0;
        for (step_p : 0 .. PARTITIONS - 1) { assignment[step_p] = 0 }
        if
        :: members == 0 -> phase = EMPTY
        :: else -> phase = COMPLETING
        fi
    }
}

/* ---- steps of a task ---- */

#define IS_PENDING(i, p) (pending[PI(p, i)] != 0)
#ifdef V1
#define IS_UNSTABLE(p) IS_PENDING(p, p)  /* no other producer commits there */
#define NEEDS_PRODUCER(t, p) (task[TP(t, p)] == NEEDS_BOTH || task[TP(t, p)] == NEEDS_INIT)
#else
#define IS_UNSTABLE(p) ANY_T(IS_PENDING, p)
#define NEEDS_PRODUCER(t, p) (p == 0 && ANY_P(CAN_INITIALISE_FOR, t))
#endif
#ifdef INIT_FIRST
#define NEEDS_OFFSET(t, p) (task[TP(t, p)] == NEEDS_FETCH)
#else
#define NEEDS_OFFSET(t, p) (task[TP(t, p)] == NEEDS_FETCH || task[TP(t, p)] == NEEDS_BOTH)
#endif

/* AddPartitionsToTxn and AddOffsetsToTxn are refused, or retried, alike. */
#define IS_FENCED(t, s) (epoch[TS(t, s)] != id_epoch[ID(t, s)])

/* A fence or a timeout: the transaction is aborted under the next epoch. */
inline abort_under_next_epoch(i) { id_epoch[i]++; state[i] = PREPARE_ABORT }

inline steps_of_task(t, p) {
    if
    :: d_step {  /* init_producer_id */
        IS_AT_REST(t) && epoch[TS(t, SLOT(p))] == 0 && NEEDS_PRODUCER(t, p) &&
        (IS_PREPARING(ID(t, SLOT(p))) || id_epoch[ID(t, SLOT(p))] < EPOCHS) ->
        if
        :: IS_PREPARING(ID(t, SLOT(p)))  /* CONCURRENT_TRANSACTIONS */
        :: state[ID(t, SLOT(p))] == ONGOING -> abort_under_next_epoch(ID(t, SLOT(p)))
        :: else ->
            id_epoch[ID(t, SLOT(p))]++;
            state[ID(t, SLOT(p))] = NEVER;
            epoch[TS(t, SLOT(p))] = id_epoch[ID(t, SLOT(p))];
            if
            :: task[TP(t, p)] == NEEDS_BOTH -> task[TP(t, p)] = NEEDS_FETCH
            :: task[TP(t, p)] == NEEDS_INIT -> task[TP(t, p)] = RUNNING
            :: else
            fi
        fi
       }
    :: d_step {  /* fetch_offset */
        IS_AT_REST(t) && NEEDS_OFFSET(t, p) ->
        if
        :: IS_UNSTABLE(p)  /* UNSTABLE_OFFSET_COMMIT */
        :: else ->
#ifdef GHOSTS
            for (fetch_u : 0 .. THREADS - 1) {
                if
                :: HAS(elders[TP(t, p)], fetch_u) -> superseded[TP(fetch_u, p)] = 1
                :: else
                fi
            }
#endif
            first[TP(t, p)] = committed[p];
            position[TP(t, p)] = committed[p];
            if
            :: task[TP(t, p)] == NEEDS_BOTH -> task[TP(t, p)] = NEEDS_INIT
            :: else -> task[TP(t, p)] = RUNNING
            fi
        fi
       }
    :: d_step {  /* add_partition */
        IS_AT_REST(t) && CAN_PROCESS(t, p) && epoch[TS(t, SLOT(p))] != 0 && !IS_ADDED(t, p) ->
        if
        :: IS_FENCED(t, SLOT(p)) -> close_after_fence(t, SLOT(p))
        :: else ->
            if
            :: IS_PREPARING(ID(t, SLOT(p)))  /* CONCURRENT_TRANSACTIONS */
            :: else ->
                state[ID(t, SLOT(p))] = ONGOING;
                outputs[ID(t, SLOT(p))] = WITH(outputs[ID(t, SLOT(p))], p);
                added[TS(t, SLOT(p))] = WITH(added[TS(t, SLOT(p))], p)
            fi
        fi
       }
    :: d_step {  /* produce */
        IS_AT_REST(t) && CAN_PROCESS(t, p) && IS_ADDED(t, p) ->
        if
        :: epoch[TS(t, SLOT(p))] < leader_epoch[PI(p, ID(t, SLOT(p)))] ->
            close_after_error(t)  /* INVALID_PRODUCER_EPOCH: the transaction may be aborted */
        :: else ->
            leader_epoch[PI(p, ID(t, SLOT(p)))] = epoch[TS(t, SLOT(p))];
            if
            :: open[PIR(p, ID(t, SLOT(p)), position[TP(t, p)])] < 2 ->
                open[PIR(p, ID(t, SLOT(p)), position[TP(t, p)])]++
            :: else
            fi
            position[TP(t, p)]++
        fi
       }
    fi
}

/* ---- steps of a commit ---- */

inline steps_of_commit(t, s) {
    if
    :: d_step {  /* add_offsets */
        IS_AT_REST(t) && ANY_TASK(HAS_PROGRESS, t, s) && !ANY_TASK(IS_HALF_DONE, t, s) ->
        if
        :: IS_FENCED(t, s) -> close_after_fence(t, s)
        :: else ->
            if
            :: IS_PREPARING(ID(t, s))  /* CONCURRENT_TRANSACTIONS */
            :: else ->
                state[ID(t, s)] = ONGOING;
                offsets[ID(t, s)] = 1;
                client[TS(t, s)] = OFFSETS_ADDED
            fi
        fi
       }
    :: d_step {  /* txn_offset_commit */
        client[TS(t, s)] == OFFSETS_ADDED ->
        if
#ifndef GROUP_ID_ONLY
        :: !HAS(members, t) || known_generation[t] != generation ->
            close_after_error(t)  /* UNKNOWN_MEMBER_ID or ILLEGAL_GENERATION */
        :: HAS(members, t) && known_generation[t] == generation &&
           epoch[TS(t, s)] < offsets_epoch[ID(t, s)] ->
#else
        :: epoch[TS(t, s)] < offsets_epoch[ID(t, s)] ->
#endif
            close_after_fence(t, s)  /* INVALID_PRODUCER_EPOCH */
        :: else ->
            offsets_epoch[ID(t, s)] = epoch[TS(t, s)];
            for (step_p : 0 .. PARTITIONS - 1) {
                if
                :: IS_CONTENT(t, s, step_p) ->
                    pending[PI(step_p, ID(t, s))] = position[TP(t, step_p)]
                :: else
                fi
            }
            client[TS(t, s)] = OFFSETS_ACCEPTED
        fi
       }
    :: d_step {  /* end_txn_commit */
        client[TS(t, s)] == OFFSETS_ACCEPTED ->
        if
        :: IS_FENCED(t, s) -> close_after_fence(t, s)
        :: else ->
            assert(state[ID(t, s)] == ONGOING);
            state[ID(t, s)] = PREPARE_COMMIT;
            for (step_p : 0 .. PARTITIONS - 1) {
                if
                :: IS_CONTENT(t, s, step_p) ->
#ifdef GHOSTS
                    for (commit_r : first[TP(t, step_p)] .. position[TP(t, step_p)] - 1) {
                        confirmed[step_p] = WITH(confirmed[step_p], commit_r)
                    }
                    decided_end[step_p] = position[TP(t, step_p)];
#endif
                    first[TP(t, step_p)] = position[TP(t, step_p)]
                :: else
                fi
            }
            added[TS(t, s)] = 0;
            client[TS(t, s)] = WORKING
        fi
       }
    :: d_step {  /* end_txn_abort of a transaction in which nothing was produced */
        IS_AT_REST(t) && ANY_TASK(MUST_END_FIRST, t, s) && !ANY_TASK(HAS_PROGRESS, t, s) &&
        !ANY_TASK(IS_HALF_DONE, t, s) ->
        if
        :: IS_FENCED(t, s) -> close_after_fence(t, s)
        :: else ->
            assert(state[ID(t, s)] == ONGOING);
            state[ID(t, s)] = PREPARE_ABORT;
            added[TS(t, s)] = 0
        fi
       }
    :: d_step {  /* end_txn_abort after a dirty close */
        client[TS(t, s)] == MUST_ABORT ->
        if
        :: IS_FENCED(t, s)  /* PRODUCER_FENCED: swallowed */
        :: else ->
            assert(state[ID(t, s)] == ONGOING);
            state[ID(t, s)] = PREPARE_ABORT
        fi
        reset_producer(t, s)
       }
    fi
}

/* ---- steps of the transaction coordinator ---- */

inline write_marker(i, p) {
    d_step {
        IS_PREPARING(i) && HAS(outputs[i], p) ->
        assert(leader_epoch[PI(p, i)] <= id_epoch[i]);
        leader_epoch[PI(p, i)] = id_epoch[i];
        for (visible_r : 0 .. RECORDS - 1) {
#ifdef GHOSTS
            if
            :: state[i] == PREPARE_COMMIT ->
                visible[PR(p, visible_r)] = visible[PR(p, visible_r)] + open[PIR(p, i, visible_r)];
                if
                :: visible[PR(p, visible_r)] > 2 -> visible[PR(p, visible_r)] = 2
                :: else
                fi
            :: else
            fi
#endif
            open[PIR(p, i, visible_r)] = 0
        }
        outputs[i] = WITHOUT(outputs[i], p)
    }
}

inline steps_of_id(i) {
    if
    EACH_P(write_marker, i)
    :: d_step {  /* write_offsets_marker */
        IS_PREPARING(i) && offsets[i] ->
        assert(offsets_epoch[i] <= id_epoch[i]);
        offsets_epoch[i] = id_epoch[i];
        for (step_p : 0 .. PARTITIONS - 1) {
            if
            :: state[i] == PREPARE_COMMIT && pending[PI(step_p, i)] != 0 ->
                committed[step_p] = pending[PI(step_p, i)]
            :: else
            fi
            pending[PI(step_p, i)] = 0
        }
        offsets[i] = 0
       }
    :: d_step {  /* complete_txn */
        IS_PREPARING(i) && outputs[i] == 0 && !offsets[i] ->
        state[i] = (state[i] == PREPARE_COMMIT -> COMPLETE_COMMIT : COMPLETE_ABORT)
       }
    :: d_step {  /* time_out_txn */
        state[i] == ONGOING && timeouts > 0 && id_epoch[i] < EPOCHS ->
        timeouts--;
#ifdef GHOSTS
        for (timeout_t : 0 .. THREADS - 1) {
            for (timeout_s : 0 .. SLOTS - 1) {
                if
                :: ID(timeout_t, timeout_s) == i &&
                   epoch[TS(timeout_t, timeout_s)] == id_epoch[i] ->
                    timed_out[TS(timeout_t, timeout_s)] = 1
                :: else
                fi
            }
        }
#endif
        abort_under_next_epoch(i)
       }
    fi
}

inline steps_of_thread(t) {
    if
    :: steps_of_member(t)
    EACH_P(steps_of_task, t)
    EACH_S(steps_of_commit, t)
    fi
}

active proctype kafka() {
    do
    :: complete_join()
    EACH_T(steps_of_thread)
    EACH_ID(steps_of_id)
    od
}
