/* Two-phase commit, N resource managers.
 * Same states and same transitions as twophase.m and TwoPhase.tla.
 * spin -DN=7 -a twophase.pml */
#ifndef N
#define N 7
#endif
#define WORKING 0
#define PREPARED 1
#define COMMITTED 2
#define ABORTED 3
#define TINIT 0
#define TCOMMIT 1
#define TABORT 2
byte rm[N];        /* state of each resource manager */
byte tm;           /* state of the transaction manager */
bool tmPrep[N];    /* TM has heard "prepared" from rm */
bool msgPrep[N];   /* "prepared" message of rm is in flight (for ever) */
bool msgC, msgA;   /* "commit" / "abort" was broadcast */

#define U3(f) f(0) f(1) f(2)
#if N==3
#define U(f) U3(f)
#elif N==4
#define U(f) U3(f) f(3)
#elif N==5
#define U(f) U3(f) f(3) f(4)
#elif N==6
#define U(f) U3(f) f(3) f(4) f(5)
#elif N==7
#define U(f) U3(f) f(3) f(4) f(5) f(6)
#elif N==8
#define U(f) U3(f) f(3) f(4) f(5) f(6) f(7)
#elif N==9
#define U(f) U3(f) f(3) f(4) f(5) f(6) f(7) f(8)
#elif N==10
#define U(f) U3(f) f(3) f(4) f(5) f(6) f(7) f(8) f(9)
#endif
#define ANDP(i) && tmPrep[i]
#define ORA(i)  || rm[i] == ABORTED
#define ORC(i)  || rm[i] == COMMITTED

/* One process per resource manager; every step is one d_step back to the loop head,
 * so a process has one control state and adds none to the state space. */
active [N] proctype RM() {
  do
  :: d_step { tm == TINIT && msgPrep[_pid] -> tmPrep[_pid] = true }
  :: d_step { rm[_pid] == WORKING -> rm[_pid] = PREPARED; msgPrep[_pid] = true }
  :: d_step { rm[_pid] == WORKING -> rm[_pid] = ABORTED }
  :: d_step { msgC -> rm[_pid] = COMMITTED }
  :: d_step { msgA -> rm[_pid] = ABORTED }
  od
}

/* The transaction manager, and the invariant as a step that is never enabled when it holds
 * (evaluated once in every state that is expanded, as the other checkers do). */
active proctype TM() {
  do
  :: d_step { tm == TINIT && (true U(ANDP)) -> tm = TCOMMIT; msgC = true }
  :: d_step { tm == TINIT -> tm = TABORT; msgA = true }
  :: d_step { (false U(ORA)) && (false U(ORC)) -> assert(false) }
  od
}
