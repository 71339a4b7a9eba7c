-- Two-phase commit, N resource managers.
-- Same states and same transitions as twophase.pml and TwoPhase.tla.
const N: 7;
type
  rm_t: scalarset(N);
  rs_t: enum { working, prepared, committed, aborted };
  ts_t: enum { tinit, tcommit, tabort };
var
  rm:      array [rm_t] of rs_t;
  tm:      ts_t;
  tmPrep:  array [rm_t] of boolean;  -- TM has heard "prepared" from rm
  msgPrep: array [rm_t] of boolean;  -- "prepared" message of rm is in flight (for ever)
  msgC:    boolean;                  -- "commit" was broadcast
  msgA:    boolean;                  -- "abort" was broadcast

startstate begin
  for i: rm_t do rm[i] := working; tmPrep[i] := false; msgPrep[i] := false; end;
  tm := tinit; msgC := false; msgA := false;
end;

rule "TMCommit" tm = tinit & forall i: rm_t do tmPrep[i] end ==> begin
  tm := tcommit; msgC := true; end;
rule "TMAbort" tm = tinit ==> begin tm := tabort; msgA := true; end;

ruleset i: rm_t do
  rule "TMRcvPrepared" tm = tinit & msgPrep[i] ==> begin tmPrep[i] := true; end;
  rule "RMPrepare" rm[i] = working ==> begin rm[i] := prepared; msgPrep[i] := true; end;
  rule "RMChooseAbort" rm[i] = working ==> begin rm[i] := aborted; end;
  rule "RMRcvCommit" msgC ==> begin rm[i] := committed; end;
  rule "RMRcvAbort" msgA ==> begin rm[i] := aborted; end;
end;

invariant "consistent"
  !(exists i: rm_t do rm[i] = aborted end & exists j: rm_t do rm[j] = committed end);
