"""mark-changing-steps: LLVM is not to ask whether a step is one that is so at most once."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import HIDDEN_STEP
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Expr, Unknown
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.objects.bases import are_disjoint, object_of
from polyopt.passes.judge.element_steps import is_perhaps_one, place_of
from polyopt.passes.judge.keep_as_written import kept_functions
from polyopt.support.record import record


@record
class MarkChangingStepsPass(ModulePass):
    """Mark loads of innermost loops whose step is a number of elements that a loop around changes:
    of several such numbers one at most is 1, and for that alone LLVM would have vectors
    (`collectStridedAccess`). Where it does not see the step it gathers, where that is worth it.

    Only beside stores to other objects than those loads: else LLVM asks whether they meet, and
    cannot without the step.

    Requires: nothing. Ensures: nothing but marks on loads is changed, of these and, by their places
    in the source, of the functions as they were written.

        for (len = 2; len <= n; len *= 2) {
          st = n / len;
          for (j = 0; j < len / 2; j++) x[j] = … w[j * st] …    w[j * st] {cmem.hidden_step}
    """

    name = "mark-changing-steps"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        written = kept_functions(op)
        for function in functions_near_loops(op):
            if len(function.body.blocks) < 2:
                continue
            loads = list(_loads(ControlFlow(function.body)))
            places = {one.location for one in loads}
            kept = written.get(function.sym_name.data)
            for other in kept.body.walk() if kept is not None and places else ():
                if isinstance(other, memref.LoadOp) and other.location in places:
                    loads += [other] if other.indices else []
            for load in loads:
                load.attributes[HIDDEN_STEP] = UnitAttr()


def _loads(flow: ControlFlow) -> Iterable[memref.LoadOp]:
    evolution: Evolution | None = None
    for loop in flow.loops.all_loops():
        if loop.children or loop.parent is None:
            continue
        body = [op for block in loop.blocks for op in block.ops]
        loads = [op for op in body if isinstance(op, memref.LoadOp) and op.indices]
        for load in loads:
            evolution = evolution or Evolution(flow)
            if _is_apart(load, body) and _changes(load, loop, evolution):
                yield load


def _is_apart(load: memref.LoadOp, body: list[Operation]) -> bool:
    base = object_of(load.memref)
    stores = (op for op in body if isinstance(op, memref.StoreOp))
    return all(are_disjoint(base, object_of(store.memref)) for store in stores)


def _changes(load: memref.LoadOp, loop: NaturalLoop, evolution: Evolution) -> bool:
    block = load.parent
    place = None if block is None else place_of(load, block, loop, evolution)
    if place is None or place.step.as_constant is not None:
        return False
    if not is_perhaps_one(place.step, place.size, loop, evolution):
        return False
    return _is_changed_around(place.step, loop)


def _is_changed_around(step: Expr, loop: NaturalLoop) -> bool:
    """Is something that the step is read from computed in a loop around?"""
    outermost = loop
    while outermost.parent is not None:
        outermost = outermost.parent
    known = (atom.value for atom in step.all_atoms() if isinstance(atom, Unknown))
    return any(defining_block(value) in outermost for value in known)
