"""Whether LLVM would run iterations of a loop side by side, in the lanes of its vectors.

It needs operations that have lanes, no store that another access of another iteration may meet,
and of what goes round from one iteration to the next nothing but accumulations that may be done
in any order.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from itertools import pairwise

from xdsl.dialects import affine, arith, memref, scf
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import COMBINERS
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.judge.carried_values import CarriedValues, yielded
from polyopt.passes.judge.counter_conditions import is_left_over, stores_by_counter
from polyopt.passes.judge.loop_body import LoopBody
from polyopt.passes.judge.operation_costs import bits_of, cost_of
from polyopt.passes.judge.taken_over import is_local, is_taken_over_too_late
from polyopt.passes.judge.typical_access import TypicalAccess
from polyopt.support.core_model import CoreCosts
from polyopt.support.record import entity

_CHOICE = "choice"


@entity
class LlvmLanes:
    """`any_order`: floating-point operations may be reassociated. `as_written`: the loops are those
    of the source, in which variables are what they were. `deciding`: conditions on the counter."""

    body: LoopBody
    carried: CarriedValues
    core: CoreCosts
    any_order: bool
    as_written: bool = False
    deciding: Collection[Operation] = ()
    _known: dict[Operation, tuple[Linear, ...] | None] = field(
        default_factory=dict[Operation, "tuple[Linear, ...] | None"]
    )
    """The subscripts of accesses."""

    def may_be_lanes(self) -> bool:
        """Whether LLVM would run iterations side by side, as far as legality goes."""
        assert self.body.loop is not None
        if facts_of(self.body.loop).is_final or self.body.loop.body.block.args[1:]:
            return False
        if stores_by_counter(self.body, self.deciding):
            return False
        if not self.as_written and is_left_over(self.body):
            return False
        core = self.core
        for op in self.body.operations:
            if isinstance(op, scf.IfOp):
                continue
            if op in self.body.accesses or op.name in ("affine.yield", "scf.yield"):
                continue
            if any(value in self.body.changing for value in op.results):
                if not cost_of(op, core, self.core.llvm_bits).has_lanes:
                    return False
        if not facts_of(self.body.loop).is_parallel and self._meets():
            return False
        if any(is_taken_over_too_late(one, self.body) for one in self.body.accesses.values()):
            return False
        if any(map(self._changes_on_the_way, self.body.accesses.values())):
            return False
        return not self._waits_in_order() and not (
            any(map(is_in_library, self.body.operations)) and (self._sums() or self._slides())
        )

    def _changes_on_the_way(self, load: TypicalAccess) -> bool:
        """Whether it loads one element all through an unrolled loop that stores to it, too, among
        others: y[j] += b[j] * y[0]. The stores in front of the one that it waits for are in no
        group with those behind, and each lane of them is stored alone: LLVM is seen to do that, and
        takes longer than one iteration after the other (rows of 8 floats: 55 cycles, 17), but not
        of so few that lanes are moved in registers (rows of 4: 4), nor of an array that is values
        once the loop is unrolled (medians by a network, 2.5 us in lanes and 1260 not)."""
        if load.is_write or is_local(load):
            return False
        code, here = self.body.code, self.body.depth + 1
        return any(
            code.inner[k] > self.core.short_moves
            and not any(load.by(here + k))
            and k in code.within.get(store.op, ())
            and _is_among(load, store, here + k, code.inner[k])
            for k in code.within.get(load.op, ())
            for store in self.body.stores.get(load.array, ())
        )

    def _sums(self) -> bool:
        """Whether an element of an array is written over and over: beside calls that have lanes
        LLVM was seen to leave these as they are then (a softmax, four times slower than in lanes).
        """
        written = [one for one in self.body.accesses.values() if one.is_write]
        return any(one.subscripts and not self.body.moves(one) for one in written)

    def _slides(self) -> bool:
        """Whether it loads what the next iterations load again: LLVM carries that on, and was seen
        to make the calls beside it one by one then (a filter of seven elements with a weight
        exp(-d*d) for each, 88 us for 4000, 16 in lanes)."""
        reads = [
            [one for one in accesses if not one.is_write and self.body.moves(one)]
            for accesses in self.body.by_array.values()
        ]
        return any(
            one.iterations_after(other, self.body.depth)
            for accesses in reads
            for one, other in pairwise(accesses)
        )

    def _meets(self) -> bool:
        """Whether a load may read, by another step or at a distance that is known when the loop
        runs, what a store writes: LLVM asks then whether they are quite apart, which rows are."""
        for store in self.body.accesses.values():
            if not store.is_write or not store.subscripts:
                continue
            for other in self.body.by_array[store.array]:
                if other is not store:
                    if isinstance(other.op, (memref.LoadOp, memref.StoreOp)):
                        return True
                    if isinstance(store.op, memref.StoreOp):
                        return True
                    if other.by(self.body.depth) != store.by(self.body.depth):
                        return True
                    if self._goes_back(store, other) or self._differ_by_values(store, other):
                        return True
                    if self._come_nearer(store, other):
                        return True
        return False

    def _come_nearer(self, one: TypicalAccess, other: TypicalAccess) -> bool:
        """Are they in rows of which one goes up with a loop around, and the other down? LLVM asks
        once, before that loop, whether all rows of both are quite apart, and takes them to overlap:
        p[y][x] and p[h - 1 - y][x], y < h / 2 (rows of an image exchanged: 109 us, 5.9 in vectors).
        """
        return any(
            up * down < 0
            for depth in range(self.body.depth)
            for up, down in zip(one.by(depth), other.by(depth), strict=True)
        )

    def _goes_back(self, store: TypicalAccess, other: TypicalAccess) -> bool:
        """Do both touch one element, a few iterations apart, the one that stands later in the text
        first? LLVM leaves accesses in the order of the text: a[i] = ..., ... = a[i + 1]."""
        apart = other.iterations_after(store, self.body.depth)
        if not apart:
            return False
        lanes = self.core.llvm_bits // self.body.element_bits
        is_store_first = self.body.order[store.op] < self.body.order[other.op]
        return 2 * abs(apart) < lanes and is_store_first == (apart < 0)

    def _differ_by_values(self, one: TypicalAccess, other: TypicalAccess) -> bool:
        """Are they apart by something that is no number, and as far as shows not by rows, nor by
        all that the loop goes over?"""
        here, there = self._subscripts(one), self._subscripts(other)
        if here is None or there is None:
            return False
        apart = [a - b for a, b in zip(here, there, strict=True)]
        steps = [place.by(self.body.depth) for place in one.spelt]
        if any(by.terms and not step for by, step in zip(apart, steps, strict=True)):
            return False
        moving = [(by, step) for by, step in zip(apart, steps, strict=True) if by.terms]
        return bool(moving) and not any(
            _is_between_places(by) or self._is_beyond(by, int(step)) for by, step in moving
        )

    def _subscripts(self, access: TypicalAccess) -> tuple[Linear, ...] | None:
        op = access.op
        if op not in self._known:
            is_affine = isinstance(op, (affine.LoadOp, affine.StoreOp))
            self._known[op] = subscripts_of(op) if is_affine else None
        return self._known[op]

    def _is_beyond(self, distance: Linear, step: int) -> bool:
        """Whether it is as long as what the loop goes over, but for members of one element."""
        op = self.body.loop
        if not isinstance(op, affine.ForOp):
            return False
        loop = AffineLoop(op)
        spans = [
            (upper - lower) * (abs(step) // loop.step)
            for lower in loop.lowers or ()
            for upper in loop.uppers or ()
        ]
        return any(
            not (left := by - span).terms and left.constant > -abs(step)
            for span in spans
            for by in (distance, -distance)
        )

    def _waits_in_order(self) -> bool:
        """Whether what is carried is more than accumulations in any order."""
        ready = self.carried.ready
        for access in self.body.accesses.values():
            if not access.is_write:
                continue
            value = access.stored
            if value in ready and (
                self.body.moves(access)
                or self.body.goes_round(access)
                or self.body.waits_in_memory(access)
                or not self._is_accumulation(value)
            ):
                return True
        return False

    def _is_accumulation(self, value: SSAValue) -> bool:
        """Whether the way to `value` from what is carried is made of combinations of one kind, in
        any order, and begins at one variable: where the least was found is chosen by what was the
        least until then, and waits for it. Whether anything is combined may depend on what is not
        carried: LLVM selects then, but of the least of floating-point numbers."""
        kinds: set[str] = set()
        sources: set[SSAValue] = set()
        is_conditional = is_float = False
        pending = [value]
        while pending:
            one = pending.pop()
            op = one.owner
            if not isinstance(op, Operation):
                continue
            if op in self.body.accesses:
                sources.add(self.body.accesses[op].array)
                continue
            operands = op.operands
            if isinstance(op, (arith.SelectOp, scf.IfOp)) and operands[0] not in self.carried.ready:
                is_conditional = True
                operands = yielded(one) if isinstance(op, scf.IfOp) else operands
            elif isinstance(op, (arith.SelectOp, arith.CmpfOp, arith.CmpiOp)):
                kinds.add(_CHOICE)
                is_float = is_float or isinstance(op, arith.CmpfOp)
            elif type(op) in COMBINERS:
                kinds.add(COMBINERS[type(op)])
            else:
                return False
            if bits_of(one.type) > 1 and _is_float(op) and not self.any_order:
                return False
            pending += [operand for operand in operands if operand in self.carried.ready]
        if is_conditional and is_float and _CHOICE in kinds:
            return False
        return len(kinds) == 1 and len(sources) <= 1


def _is_among(one: TypicalAccess, others: TypicalAccess, depth: int, trips: float) -> bool:
    """Does the loop at `depth` go over the element `one` by `others`, in the middle of which they
    are?"""
    iterations = set[float]()
    for here, there in zip(one.subscripts, others.subscripts, strict=True):
        if [move for move in there.moves if move[0] != depth] != list(here.moves):
            return False
        distance, step = here.number - there.number, there.by(depth)
        if step == 0 and distance:
            return False
        if step:
            iterations.add(distance / step)
    return len(iterations) == 1 and abs(iterations.pop()) <= trips / 2


def _is_between_places(distance: Linear) -> bool:
    """Is it from one place to another, each a value of its own, as of two rows of a matrix that is
    counted in elements? One value alone is a lag, and may be short."""
    return len(distance.terms) > 1 and not sum(factor for _, factor in distance.terms)


def _is_float(op: Operation) -> bool:
    return op.name.endswith("f") and op.name.startswith("arith.")
