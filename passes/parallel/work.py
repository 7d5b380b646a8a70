"""How many cycles a loop takes, as far as that can be said before it runs.

A nest is its innermost bodies, each run as often as its loops say; a trip count that depends on a
loop around is taken at that loop's middle. Sizes that are unknown become arithmetic in front of the
nest, so that what comes out is a number or a value:

    for i < n { for j < i { A[i][j] = B[j][i] } }   ->   n * (n / 2) * 1.5 / lanes

It is a coarse measure: it has to tell microseconds from milliseconds, not one loop from another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import field

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.effects import is_speculatable
from polyopt.passes.parallel.code import Amount, Code, Index
from polyopt.passes.parallel.code import known as known_constant
from polyopt.passes.parallel.operation_costs import (
    cycles_in_registers,
    cycles_of,
    is_of_contraction,
    lines_of,
    may_be_vectors,
    narrower_than_lanes,
)
from polyopt.support.core_model import CORE
from polyopt.support.record import entity

_COSTS = CORE.threads


@entity
class Notes:
    """Of what was measured: whether a trip count was guessed, and whether one depended on where the
    loops around are."""

    has_guessed: bool = False
    has_moved: bool = False


@entity
class Work:
    """Measures what stands below `root`, which is not changed; `code` is where arithmetic goes.
    `lanes`: how many elements of eight bytes run at once in loops that may be vectors. `lines`: not
    cycles are asked for but cache lines that rows of accesses go through, each time they do;
    contractions, which pack theirs, have none. `behind`: the arithmetic goes in front of this
    block, which holds `root`, and what is computed in it is not there yet; `around`: what iterators
    of loops around `root` are then taken to be; `notes`: what the answers rest on. `last_lines`: of
    so many lines that are touched, those in columns come no faster to two threads."""

    code: Code
    root: Operation
    lanes: int
    lines: bool = False
    behind: Block | None = None
    around: Mapping[SSAValue, Index] = field(default_factory=dict[SSAValue, Index])
    notes: Notes = field(default_factory=Notes)
    last_lines: int = _COSTS.last_lines

    def of_loop(self, loop: affine.ForOp) -> Amount:
        """All iterations."""
        return self._loop(loop, {})

    def of_step(self, outer: affine.ForOp, inner: affine.ForOp) -> Amount:
        """One iteration of `inner`, which is all that `outer` holds, in the middle of both."""
        known: dict[SSAValue, Index] = {}
        for loop in (outer, inner):
            found = self._bounds(loop, known)
            if found is None:
                break
            known[loop.body.block.args[0]] = self._middle(loop, *found)
        return self._block(inner.body.block, known)

    def of_loops_within(self, outer: affine.ForOp, loops: Sequence[affine.ForOp]) -> Amount:
        """All iterations of loops right inside of `outer`, in the middle of that one."""
        known: dict[SSAValue, Index] = {}
        found = self._bounds(outer, known)
        if found is not None:
            known[outer.body.block.args[0]] = self._middle(outer, *found)
        total: Amount = 0.0
        for loop in loops:
            total = self.code.sum(total, self._loop(loop, known))
        return total

    def steps_of(self, loop: affine.ForOp) -> Amount:
        """How many iterations a loop has whose bounds are there before `root`, or within one of
        whose middle it is asked."""
        around = loop.parent_op()
        if loop is self.root or not isinstance(around, affine.ForOp):
            return self.trips([loop])[-1]
        return self.trips([around, loop])[-1]

    def trips(self, loops: Sequence[affine.ForOp]) -> list[Amount]:
        """How many iterations each of them has, one in another, in the middle of those around."""
        known: dict[SSAValue, Index] = {}
        trips = list[Amount]()
        for loop in loops:
            found = self._bounds(loop, known)
            if found is None:
                trips.append(float(_COSTS.unknown_trips))
                continue
            known[loop.body.block.args[0]] = self._middle(loop, *found)
            trips.append(self.code.as_amount(self._trips(loop, *found)))
        return trips

    def of_iteration(self, loop: affine.ForOp, iterator: Index) -> Amount:
        """One."""
        return self._block(loop.body.block, {loop.body.block.args[0]: iterator})

    def length_in(self, outer: affine.ForOp, iterator: Index, inner: affine.ForOp) -> Index | None:
        """What `inner` goes through in that iteration of `outer`."""
        found = self._bounds(inner, {outer.body.block.args[0]: iterator})
        if found is None:
            return None
        return self.code.greatest(self.code.subtract(found[1], found[0]), 0)

    def bounds(self, loop: affine.ForOp) -> tuple[Index, Index]:
        """The first iterator and the end, of a loop whose bounds are there before `root`."""
        found = self._bounds(loop, {})
        assert found is not None
        return found

    def range_of(self, loop: affine.ForOp) -> tuple[Index, Index, Index] | None:
        """The first iterator, the one in the middle, the last one; None where that is unknown."""
        found = self._bounds(loop, {})
        if found is None:
            return None
        last = self.code.subtract(found[1], 1)
        return found[0], self._middle(loop, *found), last

    def elsewhere(
        self,
        code: Code,
        loop: affine.ForOp,
        behind: Block | None = None,
        around: Mapping[SSAValue, Index] | None = None,
    ) -> Work:
        """What measures a loop for the same machine, with arithmetic of its own."""
        lanes, last_lines = self.lanes, self.last_lines
        return Work(code, loop, lanes, False, behind, around or {}, last_lines=last_lines)

    def at(self, loop: affine.ForOp, *, lines: bool = False) -> Work:
        """What measures this loop as this one measures its own."""
        found = copy(self)
        found.root, found.lines = loop, lines
        return found

    def _bounds(
        self, loop: affine.ForOp, known: Mapping[SSAValue, Index]
    ) -> tuple[Index, Index] | None:
        code = self.code
        lowers = self._results(loop.lowerBoundMap.data, loop.lowerBoundOperands, known)
        uppers = self._results(loop.upperBoundMap.data, loop.upperBoundOperands, known)
        if lowers is None or uppers is None:
            return None
        lower, upper = lowers[0], uppers[0]
        for other in lowers[1:]:
            lower = code.greatest(lower, other)
        for other in uppers[1:]:
            upper = code.least(upper, other)
        return lower, upper

    def _results(
        self,
        map: AffineMap,
        operands: tuple[SSAValue, ...],
        known: Mapping[SSAValue, Index],
    ) -> list[Index] | None:
        values = [self._value(operand, known) for operand in operands]
        given = [value for value in values if value is not None]
        return self.code.results(map, given) if len(given) == len(values) else None

    def _value(self, value: SSAValue, known: Mapping[SSAValue, Index]) -> Index | None:
        """What the value is where the iterators are as `known`; None where that is computed within
        the nest in other ways than by maps."""
        if value in known:
            return known[value]
        if value in self.around:
            self.notes.has_moved = True
            return self.around[value]
        constant = known_constant(value)
        if isinstance(constant, int):
            return constant
        if self._is_there(value):
            return value
        if not isinstance(value, OpResult):
            return None
        if isinstance(value.op, affine.ApplyOp):
            found = self._results(value.op.map.data, value.op.mapOperands, known)
            return None if found is None else found[0]
        return self._again(value, known)

    def _is_there(self, value: SSAValue) -> bool:
        """Whether it is computed before the arithmetic."""
        if self.behind is None:
            return not is_defined_inside(value, self.root)
        owner = value.owner
        return not self.behind.is_ancestor(owner)

    def _again(self, value: OpResult, known: Mapping[SSAValue, Index]) -> Index | None:
        """The same computed from what the operands are here."""
        op = value.op
        if not is_speculatable(op) or not isinstance(value.type, IndexType):
            return None
        operands = [self._value(operand, known) for operand in op.operands]
        given = [operand for operand in operands if operand is not None]
        if len(given) != len(operands):
            return None
        clone = op.clone()
        clone.operands = [self.code.index(operand) for operand in given]
        return self.code.insert(clone)

    def _loop(self, loop: affine.ForOp, known: Mapping[SSAValue, Index]) -> Amount:
        code = self.code
        if "batch" in facts_of(loop).marks and self.lanes > 1 and not self.lines:
            apart = copy(self)
            apart.lanes = 1
            at_once = max(1.0, self.lanes * _COSTS.rows_as_lanes)
            return code.product(apart._loop(loop, known), 1.0 / at_once)
        found = self._bounds(loop, known)
        if found is None:
            self.notes.has_guessed = True
            trips: Index = _COSTS.unknown_trips
            middle: Index | None = None
        else:
            trips = self._trips(loop, *found)
            middle = self._middle(loop, *found)
        inside = known if middle is None else {**known, loop.body.block.args[0]: middle}
        each = self._block(loop.body.block, inside)
        return code.product(code.as_amount(trips), each)

    def _trips(self, loop: affine.ForOp, lower: Index, upper: Index) -> Index:
        span = self.code.greatest(self.code.subtract(upper, lower), 0)
        return self.code.quotient_up(span, loop.step.value.data)

    def _middle(self, loop: affine.ForOp, lower: Index, upper: Index) -> Index:
        code = self.code
        before = code.quotient(self._trips(loop, lower, upper), 2)
        return code.add(lower, code.multiply(before, loop.step.value.data))

    def _block(self, block: Block, known: Mapping[SSAValue, Index]) -> Amount:
        code = self.code
        simple, total, divisions = 0.0, 0.0, 0.0
        inner: Amount = 0.0
        has_loops = False
        is_packed = is_of_contraction(block.parent_op())
        for op in block.ops:
            match op:
                case affine.ForOp():
                    has_loops = True
                    inner = code.sum(inner, self._loop(op, known))
                case affine.IfOp() | scf.IfOp():
                    inner = code.sum(inner, self._branch(op, known))
                case affine.LoadOp() | affine.StoreOp() if is_packed:
                    continue
                case arith.DivfOp() if not self.lines:
                    divisions += cycles_of(op)
                case _:
                    simple += lines_of(op) if self.lines else cycles_of(op)
        around = block.parent_op()
        if not has_loops and not self.lines and isinstance(around, affine.ForOp):
            simple -= 0.0 if is_packed else cycles_in_registers(around)
            at_once = self._at_once(around)
            simple /= at_once
            divisions /= min(at_once, _COSTS.divisions_at_once)
        total += simple + divisions
        return code.sum(inner, total)

    def _at_once(self, innermost: affine.ForOp) -> float:
        """How many of its bodies run at once: a row in vectors, or rows of a loop around."""
        lanes = self.lanes * narrower_than_lanes(innermost) if self.lanes > 1 else 1
        if may_be_vectors(innermost) or is_of_contraction(innermost):
            return lanes
        around = innermost.parent_op()
        while isinstance(around, affine.ForOp) and innermost is not self.root:
            if facts_of(around).is_parallel:
                return max(1.0, lanes * _COSTS.rows_as_lanes)
            if around is self.root:
                break
            around = around.parent_op()
        return 1.0

    def _branch(self, op: Operation, known: Mapping[SSAValue, Index]) -> Amount:
        sides = [self._block(region.block, known) for region in op.regions if region.blocks]
        total: Amount = 0.0
        for side in sides:
            total = self.code.sum(total, side)
        return self.code.product(total, 0.5) if len(sides) == 2 else total
