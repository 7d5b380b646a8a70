"""affine-isolate-calls: calls that have vector forms apart from what keeps a loop serial.

    for i { a[i] = a[i - 1] * b[i] + log(c[i]) }
      =>
    for s in steps of a strip {
      for i in the strip { t[i - s] = log(c[i]) }             lanes of vectors
      for i in the strip { a[i] = a[i - 1] * b[i] + t[i - s] }
    }

Loop distribution (K. Kennedy, K. McKinley, Loop distribution with arbitrary control flow, SC 1990)
for the reason that D. Berlin, D. Edelsohn, S. Pop give (High-Level Loop Optimizations for GCC, GCC
Summit 2004, figure 14): a function that exists for whole vectors. What goes from one loop to the
other lives in a strip that stays in the nearest cache.

Free is what depends on nothing that the loop carries: operations without effects on free values,
and loads of elements that no store has written in this run of the loop, in an earlier iteration or
in its own. These run ahead of the strip's stores, and nothing that they read is changed by that;
the stores keep their order.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine_dependence import dependences_below
from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.effects import is_speculatable
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import replace_loop, tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


@record
class AffineIsolateCallsPass(ModulePass):
    """Cut serial innermost loops with calls of libm that have vector forms into strips of two
    loops: the calls with what they are made of, and the rest.

    Requires: nothing. Ensures: the same values are stored in the same order. A loop that may run
    in vectors as it is stays, and so does one whose calls wait for what is carried; so do all
    where approximations are not allowed, which vector forms are.

        affine.for %i = 1 to %n {                    affine.for %s = 1 to %n step 256 {
          %c = affine.load %C[%i]                      affine.for %i = %s to min(%s + 256, %n) {
          %l = math.log %c                               … affine.store %l, %t[%i - %s] }
          … affine.load %A[%i - 1]            =>       affine.for %i = %s to min(%s + 256, %n) {
          … arith.addf %x, %l                            … affine.load %t[%i - %s] …
          affine.store %y, %A[%i] }                      affine.store %y, %A[%i] } }
    """

    name = "affine-isolate-calls"

    strip: int = CORE.scans.call_strip

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in operations_in(op, affine.ForOp):
            if any(is_in_library(inner) for inner in loop.body.block.ops):
                passed = _passed(loop, self.strip)
                if passed:
                    _write(loop, passed, self.strip)


def _passed(op: affine.ForOp, strip: int) -> list[OpResult]:
    """The free values, computed by calls, that the rest of the loop waits for; none where there is
    no rest, or nothing is carried."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.facts.is_final:
        return []
    if _trips(loop, strip) < CORE.scans.call_least:
        return []
    if loop.facts.carried not in (None, "serial", "pipeline"):
        return []
    if any(isinstance(inner, affine.ForOp) for inner in op.body.walk()):
        return []
    dependences = dependences_below(op)
    if not dependences.is_complete:
        return []
    flows = [one for one in dependences.dependences if one.kind == "RAW"]
    if not any(one.has_distance("d0 > 0") for one in flows):
        return []
    waiting = {one.sink.op for one in flows}
    free = set[Operation]()
    called = set[Operation]()
    for inner in op.body.block.ops:
        sources = [one.owner for one in inner.operands if isinstance(one, OpResult)]
        inside = [one for one in sources if one.parent is op.body.block]
        if not _is_pure(inner) or inner in waiting or not free.issuperset(inside):
            continue
        free.add(inner)
        if is_in_library(inner) or not called.isdisjoint(inside):
            called.add(inner)
    in_order = (inner for inner in op.body.block.ops if inner in called)
    return [result for one in in_order for result in one.results if _leaves(result, called)]


def _trips(loop: AffineLoop, unknown: int) -> int:
    """At most so many iterations, `unknown` where no bounds are apart by a number."""
    spans = [
        (upper - lower).constant
        for lower in loop.lowers or ()
        for upper in loop.uppers or ()
        if not (upper - lower).terms
    ]
    return min(spans, default=unknown)


def _is_pure(op: Operation) -> bool:
    if isinstance(op, affine.LoadOp):
        return True
    return not op.regions and bool(op.results) and is_speculatable(op)


def _leaves(value: OpResult, called: set[Operation]) -> bool:
    return any(_at_top(use.operation, value) not in called for use in value.uses)


def _at_top(user: Operation, value: OpResult) -> Operation:
    """The operation of the loop's body that the use is in."""
    while user.parent is not value.op.parent:
        above = user.parent_op()
        assert above is not None
        user = above
    return user


def _write(op: affine.ForOp, passed: list[OpResult], strip: int) -> None:
    builder, facts = AffineBuilder(Block(), op), AffineLoop(op).facts
    low, high = builder.range_of(op)
    buffers = [
        builder.insert(memref.AllocaOp.get(one.type, LINE_BYTES, [strip])).memref for one in passed
    ]
    needed = _slice(passed, op.body.block)
    body, iv = list(op.body.block.ops), op.body.block.args[0]
    with builder.loop([low], [high], step=strip, name="strip") as around:
        bounds = [around.index], [around.index + strip, high]
        free = LoopFacts(carried="parallel", iterator=facts.iterator)
        with builder.loop(*bounds, name=iv.name_hint, facts=free) as one:
            values: dict[SSAValue, SSAValue] = {iv: one.iv}
            for inner in body:
                if inner in needed:
                    builder.block.add_op(inner.clone(values))
            for value, buffer in zip(passed, buffers, strict=True):
                builder.store(values[value], buffer, [one.index - around.index])
        with builder.loop(*bounds, name=iv.name_hint, facts=facts) as other:
            values = {iv: other.iv}
            for inner in body:
                if inner in needed and all(result in passed for result in inner.results):
                    buffer = buffers[passed.index(inner.results[0])]
                    values[inner.results[0]] = builder.load(buffer, [other.index - around.index])
                elif not isinstance(inner, affine.YieldOp):
                    builder.block.add_op(inner.clone(values))
            _drop_unused(builder.block)
    names = " and ".join(dict.fromkeys(one.name for one in needed if is_in_library(one)))
    tell("affine-isolate-calls", op, f"{names} of {strip} iterations at a time, ahead of the rest")
    replace_loop(op, builder.block)


def _slice(values: Collection[OpResult], block: Block) -> set[Operation]:
    """The operations of the block that compute these values."""
    found = set[Operation]()
    pending: list[Operation] = [one.op for one in values]
    while pending:
        op = pending.pop()
        if op not in found:
            found.add(op)
            owners = [one.owner for one in op.operands]
            pending += [one for one in owners if isinstance(one, Operation) and one.parent is block]
    return found


def _drop_unused(block: Block) -> None:
    for op in reversed(list(block.ops)):
        if _is_pure(op) and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
