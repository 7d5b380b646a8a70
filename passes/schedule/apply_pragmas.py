"""poly-apply-pragmas: what the source asks of its loops, done and checked like a script's steps."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.loop_pragmas import LoopPragma, loop_pragmas_of
from polyopt.dialects.poly import ScopOp
from polyopt.support.diagnostics import CompileError, Diagnostic, raise_all
from polyopt.support.record import record
from polyopt.support.warnings import warn


@record
class PolyApplyPragmasPass(ModulePass):
    """Do what `#pragma polyopt` asks of loops: its clauses are steps of a script
    (docs/schedules.md) on the loop behind it and those inside.

    Ensures: every dependence is kept; a pragma that breaks one is an error at its place. What was
    done so is marked `poly.by_hand`: no pass chooses another order, and no judge takes it back.
    A pragma whose loop is in no SCoP, or whose dependences cost too much, is warned of.

        #pragma polyopt tile(32, 32)
        for i, for j      =>      for i step 32, for j step 32, for i in tile, for j in tile

    `threads` false: nothing will run in threads; `parallel` is only checked, and told of by a
    remark.
    """

    name = "poly-apply-pragmas"

    threads: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pragmas = [one for one in loop_pragmas_of(op) if not one.is_off]
        if not pragmas:
            return
        from polyopt.passes.schedule.pragma_steps import obey

        obeyed: set[LoopPragma] = set()
        wrong: list[CompileError] = []
        for scop_op in [inner for inner in op.walk() if isinstance(inner, ScopOp)]:
            try:
                obeyed |= obey(scop_op, pragmas, threads=self.threads)
            except CompileError as error:
                wrong.append(error)
        raise_all(wrong)
        _leave_unjudged(op)
        for pragma in pragmas:
            if pragma not in obeyed:
                message = f"the loop over {pragma.loop} is in no static control part: "
                message += "nothing of what its pragma asks for is done"
                hint = "'--remarks=loops' says what stands against it"
                warn(Diagnostic("warning", message, pragma.at, hint, "pass-failed"))


def _leave_unjudged(module: ModuleOp) -> None:
    """What is done by hand is compared with nothing: it runs."""
    from polyopt.dialects.inside import operations_in
    from polyopt.dialects.poly import BY_HAND, PaysOp

    scops = operations_in(module, ScopOp)
    by_hand = {one.scop_name for one in scops if BY_HAND in one.attributes}
    for pays in operations_in(module, PaysOp):
        if pays.scop_name in by_hand:
            for known in ("expected", "source", "span", "shorter", "shorter_source", "shares"):
                pays.properties.pop(known, None)
