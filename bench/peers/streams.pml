/* Exactly-once stream instances with rebalance, fencing, zombies and transaction timeout.
 * Same states and transitions as streams.m and Streams.tla.
 * spin -DC=3 -DP=2 -DG=3 -DM=1 -a streams.pml     (-DUNSTABLE: the variant with the bug) */
#define Idle 0
#define Fetched 1
#define InTxn 2
#define Produced 3
#define Sent 4
#define Aborted 5
#define I _pid
byte gen;
bool member[C];
byte com[P];
byte outc[P*M];
bool paused[C];
byte myGen[C];
bool asg[C*P];
byte phase[C];
byte cur[C];
byte pos[C];

#if C==2
#define ANYD(f) (f(0) || f(1))
#define SUMD(f) (f(0) + f(1))
#elif C==3
#define ANYD(f) (f(0) || f(1) || f(2))
#define SUMD(f) (f(0) + f(1) + f(2))
#elif C==4
#define ANYD(f) (f(0) || f(1) || f(2) || f(3))
#define SUMD(f) (f(0) + f(1) + f(2) + f(3))
#endif
#if P==1
#define DOP(f) f(0)
#elif P==2
#define DOP(f) f(0); f(1)
#elif P==3
#define DOP(f) f(0); f(1); f(2)
#endif
#if P*M==2
#define ANYO(f) (f(0) || f(1))
#elif P*M==3
#define ANYO(f) (f(0) || f(1) || f(2))
#elif P*M==4
#define ANYO(f) (f(0) || f(1) || f(2) || f(3))
#elif P*M==6
#define ANYO(f) (f(0) || f(1) || f(2) || f(3) || f(4) || f(5))
#endif
#ifdef UNSTABLE
#define FREE(f)
#else
#define FREE(f) && !ANYD(f)   /* a fetch waits for a pending transactional offset commit (KIP-447) */
#endif
#define PEND0(d) (phase[d] == Sent && cur[d] == 0)
#define PEND1(d) (phase[d] == Sent && cur[d] == 1)
#define PEND2(d) (phase[d] == Sent && cur[d] == 2)
#define TWICE(o) (outc[o] > 1)

#define MEMB(d) member[d]
#define RANK(d) (member[d] && d < I)
#define NOASG(p) asg[I*P+p] = false
#define GIVE(p) asg[I*P+p] = ((p % SUMD(MEMB)) == SUMD(RANK))

inline forget() {
  phase[I] = Idle; cur[I] = 0; pos[I] = 0; myGen[I] = 0; DOP(NOASG)
}
inline sync() {       /* round robin among members */
  DOP(GIVE); myGen[I] = gen
}

active [C] proctype Inst() {
  do
  :: d_step { !paused[I] && !member[I] && gen < G -> member[I] = true; gen++ }
  :: d_step { paused[I] && member[I] && gen < G -> member[I] = false; gen++ }
  :: d_step { !paused[I] && member[I] && phase[I] == Idle && myGen[I] != gen -> sync() }
  :: d_step { !paused[I] && phase[I] == Fetched -> phase[I] = InTxn }
  :: d_step { !paused[I] && phase[I] == InTxn -> phase[I] = Produced }
  :: d_step { !paused[I] && phase[I] == Produced && member[I] && myGen[I] == gen -> phase[I] = Sent }
  :: d_step { !paused[I] && phase[I] == Produced && !(member[I] && myGen[I] == gen) -> forget() }
  :: d_step { !paused[I] && phase[I] == Sent ->
       com[cur[I]] = pos[I] + 1; outc[cur[I]*M+pos[I]]++;
       phase[I] = Idle; cur[I] = 0; pos[I] = 0 }
  :: d_step { !paused[I] -> paused[I] = true }
  :: d_step { paused[I] -> paused[I] = false }
  :: d_step { paused[I] && (phase[I] == InTxn || phase[I] == Produced || phase[I] == Sent) -> phase[I] = Aborted }
  :: d_step { !paused[I] && phase[I] == Aborted -> forget() }
  :: d_step { !paused[I] && phase[I] == Idle && asg[I*P+0] && com[0] < M FREE(PEND0) ->
       phase[I] = Fetched; cur[I] = 0; pos[I] = com[0] }
#if P>1
  :: d_step { !paused[I] && phase[I] == Idle && asg[I*P+1] && com[1] < M FREE(PEND1) ->
       phase[I] = Fetched; cur[I] = 1; pos[I] = com[1] }
#endif
#if P>2
  :: d_step { !paused[I] && phase[I] == Idle && asg[I*P+2] && com[2] < M FREE(PEND2) ->
       phase[I] = Fetched; cur[I] = 2; pos[I] = com[2] }
#endif
  :: d_step { I == 0 && ANYO(TWICE) -> assert(false) }   /* the invariant */
  od
}
