-- Exactly-once stream instances with rebalance, fencing, zombies and transaction timeout.
-- Same states and transitions as streams.pml and Streams.tla.
const
  C: 3;          -- instances
  P: 2;          -- partitions
  G: 3;          -- highest generation
  M: 1;          -- records per partition
  STABLE: true;  -- a fetch waits for a pending transactional offset commit (KIP-447)
type
  inst: 0..C-1; part: 0..P-1; gen_t: 0..G; off_t: 0..M; rec_t: 0..M-1;
  phase_t: enum { Idle, Fetched, InTxn, Produced, Sent, Aborted };
var
  gen:    gen_t;                                -- group generation
  member: array [inst] of boolean;              -- in the group (coordinator's view)
  com:    array [part] of off_t;                -- committed offset
  outc:   array [part] of array [rec_t] of 0..2;  -- committed outputs per input record
  paused: array [inst] of boolean;
  myGen:  array [inst] of gen_t;                -- generation the instance believes in, 0 none
  asg:    array [inst] of array [part] of boolean;  -- assignment it was given
  phase:  array [inst] of phase_t;
  cur:    array [inst] of part;                 -- partition being worked on
  pos:    array [inst] of off_t;                -- offset fetched

function owns(c: inst; p: part): boolean;       -- round robin among members
var n: 0..C; var r: 0..C;
begin
  n := 0; r := 0;
  for d: inst do
    if member[d] then n := n + 1; if d < c then r := r + 1; end; end;
  end;
  return p % n = r;
end;

procedure forget(c: inst);                      -- fenced or aborted: start over
begin
  phase[c] := Idle; cur[c] := 0; pos[c] := 0; myGen[c] := 0;
  for p: part do asg[c][p] := false; end;
end;

startstate begin
  gen := 0;
  for p: part do com[p] := 0; for o: rec_t do outc[p][o] := 0; end; end;
  for c: inst do member[c] := false; paused[c] := false; forget(c); end;
end;

ruleset c: inst do
  rule "Join" !paused[c] & !member[c] & gen < G ==> begin
    member[c] := true; gen := gen + 1; end;
  rule "Kick" paused[c] & member[c] & gen < G ==> begin   -- session timeout
    member[c] := false; gen := gen + 1; end;
  rule "Sync" !paused[c] & member[c] & phase[c] = Idle & myGen[c] != gen ==> begin
    myGen[c] := gen; for p: part do asg[c][p] := owns(c, p); end; end;
  rule "Begin" !paused[c] & phase[c] = Fetched ==> begin phase[c] := InTxn; end;
  rule "Produce" !paused[c] & phase[c] = InTxn ==> begin phase[c] := Produced; end;
  rule "SendOffsets" !paused[c] & phase[c] = Produced ==> begin
    if member[c] & myGen[c] = gen then phase[c] := Sent; else forget(c); end; end;
  rule "Commit" !paused[c] & phase[c] = Sent ==> begin
    com[cur[c]] := pos[c] + 1; outc[cur[c]][pos[c]] := outc[cur[c]][pos[c]] + 1;
    phase[c] := Idle; cur[c] := 0; pos[c] := 0; end;
  rule "Pause" !paused[c] ==> begin paused[c] := true; end;
  rule "Resume" paused[c] ==> begin paused[c] := false; end;
  rule "TxnTimeout" paused[c] & (phase[c] = InTxn | phase[c] = Produced | phase[c] = Sent) ==> begin
    phase[c] := Aborted; end;
  rule "SeeAbort" !paused[c] & phase[c] = Aborted ==> begin forget(c); end;
  ruleset p: part do
    rule "Fetch" !paused[c] & phase[c] = Idle & asg[c][p] & com[p] < M
        & !(STABLE & exists d: inst do phase[d] = Sent & cur[d] = p end) ==> begin
      phase[c] := Fetched; cur[c] := p; pos[c] := com[p]; end;
  end;
end;

invariant "exactly once" forall p: part do forall o: rec_t do outc[p][o] <= 1 end end;
