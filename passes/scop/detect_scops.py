"""The pass that raises static control parts to `poly`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_pragmas import LEFT_ALONE, LoopPragma, loop_pragmas_of
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.team import IN_TEAM
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import is_access
from polyopt.ir.functions import functions_near_loops, is_far_from_loops
from polyopt.ir.idioms.unknown_calls import UnknownCalls
from polyopt.passes.scop.rejection import Rejection
from polyopt.passes.scop.taken_before import places_taken_before
from polyopt.support.diagnostics import Span
from polyopt.support.effort import part_of_function
from polyopt.support.record import record
from polyopt.support.remarks import are_collected, count, remark

if TYPE_CHECKING:
    from polyopt.passes.check.runtime_calls import CheckedScop
    from polyopt.passes.scop.overlap_checks import AddressRange
    from polyopt.passes.scop.plan import ScopPlan


@record
class DetectScopsPass(ModulePass):
    """Maximal static control parts become `poly.scop` operations in their original order.

    Requires: variables that steer control flow or subscripts are SSA values (promote-scalars),
    each loop is entered by one edge and has one latch (simplify-loops).
    Ensures: each SCoP satisfies the invariants of `poly.scop`; where something is assumed, the
    original code stays behind a run-time check. A loop that is in no SCoP gives a remark of kind
    "missed" that says why, of kind "analysis" if it never ends.

    `check`: each SCoP also runs in the source's order, as a function of its own that later passes
    leave alone, and the results are compared by the calls that are put around it
    (docs/checking.md). The SCoP itself is what it is without.

    `on_trial`: the original code of each SCoP stays beside it; `poly.pays` stands for the choice,
    which `keep-what-pays` makes. With `check` only SCoPs that were chosen are compared.

    `declared`: sizes for which a subscript would be beyond what its array is declared with do not
    occur (`declared_sizes`).

        ^header(%i: i32):                            poly.scop "f" params(%n) ["n"]
          %c = arith.cmpi slt, %i, %n                  arrays(%A : memref<?xf64>) ["A"] …
          cf.cond_br %c, ^body, ^exit          ->      poly.stmt "S0" domain <"{ S0[i] : … }"> {
        ^body:                                           poly.write %zero, %A <"{ S0[i] -> A[i] }">
          memref.store %zero, %A[%i]                   }
    """

    name = "detect-scops"

    check: bool = False
    on_trial: bool = False
    declared: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        checked: list[CheckedScop] = []
        if are_collected():
            _tell_of_unknown_calls(op)
        off = [one for one in loop_pragmas_of(op) if one.is_off]
        for function in functions_near_loops(op):
            if "optnone" in linker_marks(function):
                name = function.sym_name.data
                remark("missed", "optnone", "the function is optnone", span_of(function), name)
                continue
            _leave_alone(function, off)
            self._detect_in(function, checked if self.check else None)
        for inner in op.walk() if off else ():
            inner.attributes.pop(LEFT_ALONE, None)
        if checked:
            from polyopt.passes.check.runtime_calls import put_calls

            put_calls(op, checked)

    def _detect_in(self, function: func.FuncOp, checked: list[CheckedScop] | None) -> None:
        loops = ControlFlow(function.body).loops
        if not loops.top_level and not loops.irreducible:
            return
        from polyopt.passes.scop.build import build_checked_scop, build_scop
        from polyopt.passes.scop.detection import find_scops
        from polyopt.passes.scop.isolation import isolate_effects

        isolate_effects(function.body)
        name = function.sym_name.data
        with part_of_function(name):
            flow = ControlFlow(function.body)
            findings = find_scops(flow)
            rejections = findings.rejections(flow) if are_collected() else []
            taken = places_taken_before(flow) if rejections else set[Span]()
        # The last one first: what a SCoP takes from an earlier region is still there.
        for number, plan in reversed(list(enumerate(findings.plans))):
            scop_name = f"{name}_{number}" if number else name
            if checked is None:
                scop = build_scop(plan, scop_name, on_trial=self.on_trial, declared=self.declared)
            else:
                symbol = f"{name}.{number}"
                checked.append(
                    build_checked_scop(
                        plan, scop_name, symbol, on_trial=self.on_trial, declared=self.declared
                    )
                )
                scop = checked[-1].scop
            _tell(scop, name, bool(plan.overlaps or plan.assumed is not None))
            _tell_overlaps(scop, name, plan)
            if plan.candidate.coarse:
                message = "subscripts with too many quotients to be compared may meet anywhere"
                remark("missed", "subscript-quotients", message, span_of(scop), name)
        for rejection in rejections:
            if IN_TEAM in function.attributes and _deals_out(rejection):
                continue
            if rejection.span in taken:
                continue
            # No order of what never ends is better than another.
            kind = "analysis" if rejection.reason.value == "scop-endless-loop" else "missed"
            remark(kind, rejection.reason.value, rejection.message, rejection.span, name)


def _tell_of_unknown_calls(module: ModuleOp) -> None:
    """Of the loops of functions that nobody has looked at because of these."""
    unknown = UnknownCalls(module)
    for function in module.ops:
        if isinstance(function, func.FuncOp) and is_far_from_loops(function):
            for op in unknown.around(function).calls:
                _tell_of(op, function.sym_name.data)


def _tell_of(op: Operation, function: str) -> None:
    from polyopt.passes.scop.candidate import obstacle_of

    assert op.parent is not None
    found = obstacle_of(op, op.parent)
    if found is not None:
        why = found.rejection
        remark("missed", why.reason.value, why.message, why.span, function)


def _deals_out(rejection: Rejection) -> bool:
    """It is of a loop around shares of one, which no source has."""
    return rejection.reason.value == "scop-call" and "GOMP_loop_" in rejection.developer


def _leave_alone(function: func.FuncOp, off: Sequence[LoopPragma]) -> None:
    """Mark what stands in loops that the source wants to keep as they are."""
    for op in function.walk() if off else ():
        if is_access(op) and any(one.holds(span_of(op)) for one in off):
            op.attributes[LEFT_ALONE] = UnitAttr()


def _tell(scop: ScopOp, function: str, is_checked: bool) -> None:
    count("scops")
    statements = scop.statements()
    depth = max(len(statement.body.block.args) for statement in statements)
    message = (
        f"static control part: {_counted(len(statements), 'statement')}, "
        f"{_counted(len(scop.arrays), 'array')}, loops nested {depth} deep"
        + (", behind a run-time check" if is_checked else "")
    )
    remark("analysis", "detect-scops", message, span_of(scop), function)


MOST_PAIRS = 3
"""More pairs of arrays are not named one by one."""


def _tell_overlaps(scop: ScopOp, function: str, plan: ScopPlan) -> None:
    if not plan.overlaps:
        return
    named_ones = {frozenset((a.name, b.name)): (a, b) for a, b in plan.overlaps if _named(a, b)}
    pairs = [f"'{a.name}' and '{b.name}'" for a, b in named_ones.values()]
    more = len(pairs) - MOST_PAIRS
    named = ", ".join([*pairs[:MOST_PAIRS], *([f"and {more} more pairs"] if more > 0 else [])])
    named = named or "arrays whose addresses are read from memory"
    promise = "'restrict' promises it"
    if not all(a.is_parameter or b.is_parameter for a, b in plan.overlaps):
        promise = "a function of their own with 'restrict' parameters promises it"
    message = f"behind a run-time check that {named} do not overlap: {promise}"
    remark("analysis", "checked-overlap", message, span_of(scop), function)


def _named(a: AddressRange, b: AddressRange) -> bool:
    """Whether the two have names, and not the same one."""
    return a.name is not None and b.name is not None and a.name != b.name


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
