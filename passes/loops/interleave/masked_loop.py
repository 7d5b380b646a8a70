"""Loops over vectors under masks, as the vectoriser writes them.

    for v = low to high step L {interleave = n} { m = the lanes l < high - v; S(v) under m }

The lanes of a step are iterations v, v + 1, …, v + L - 1 of a loop that runs one after the other,
in any order: where vectors begin is free, as long as each iteration is in one lane. In a step of
several rows each has a mask of its own; the loop runs from the least low to the greatest high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects import affine, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.ir.affine.affine_set import AffineConstraintKind

from polyopt.dialects import pvec
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.inside import operations_in
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, linear_forms, linear_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.support.record import record


@record
class LaneMask:
    """The iterations `low` to `high` of a row."""

    value: SSAValue
    low: Linear
    high: Linear


@record
class MaskedLoop:
    loop: AffineLoop
    low: Linear
    high: Linear
    masks: tuple[LaneMask, ...]

    @property
    def lanes(self) -> int:
        return self.loop.step

    @property
    def interleave(self) -> int:
        return self.loop.facts.interleave

    @property
    def is_thin(self) -> bool:
        """Are several vectors wanted in a step of what carries nothing? LLVM makes them of one."""
        return self.interleave > 1 and not self.yielded

    @property
    def greatest_extent(self) -> int | None:
        """A constant that the iterations of the shortest row do not exceed, if its ends show one
        or arrays whose rows are as long."""
        apart = [
            high - low
            for row in self.masks
            for low in greatest_of(row.low)
            for high in least_of(row.high)
        ]
        known = [form.constant for form in apart if not form.terms]
        for op in self.operations:
            if isinstance(op, (ReadOp, WriteOp)) and op.is_unit:
                extent = memref_type(op.memref).get_shape()[-1]
                known += [] if extent == DYNAMIC_INDEX else [extent]
        return min(known, default=None)

    @property
    def operations(self) -> list[Operation]:
        """What a step does under its masks."""
        own = {one.value.owner for one in self.masks}
        terminator = self.loop.block.last_op
        return [op for op in self.loop.block.ops if op is not terminator and op not in own]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        terminator = self.loop.block.last_op
        assert isinstance(terminator, affine.YieldOp)
        return terminator.arguments


def find_masked_loop(op: Operation) -> MaskedLoop | None:
    """The loop with its masks, if it says that it is one and its bounds are those of its masks."""
    if not isinstance(op, affine.ForOp):
        return None
    loop = AffineLoop(op)
    if not loop.facts.interleave or loop.lowers is None or loop.uppers is None:
        return None
    if len(loop.lowers) != 1 or len(loop.uppers) != 1 or any(one.regions for one in loop.block.ops):
        return None
    (low,), (high,) = loop.lowers, loop.uppers
    masks = tuple(_masks(loop, low))
    lows, highs = {one.low for one in masks}, {one.high for one in masks}
    if not masks or lows not in ({low}, {*least_of(low)}):
        return None
    if highs not in ({high}, {*greatest_of(high)}):
        return None
    return MaskedLoop(loop, low, high, masks)


def _masks(loop: AffineLoop, low: Linear) -> Iterable[LaneMask]:
    """Those whose lanes move with the loop."""
    here = Linear.of(loop.iv)
    for op in loop.block.ops:
        if isinstance(op, vector.CreateMaskOp):
            begin, end = low, linear_of(op.mask_dim_sizes[0]) + here
        elif isinstance(op, pvec.RangeMaskOp):
            begin, end = linear_of(op.lower) + here, linear_of(op.upper) + here
        else:
            continue
        if not begin.uses([loop.iv]) and not end.uses([loop.iv]):
            yield LaneMask(op.results[0], begin, end)


def least_of(form: Linear) -> list[Linear]:
    """The forms of which this one is the least, each once."""
    if form.constant or len(form.terms) != 1 or form.terms[0][1] != 1:
        return [form]
    owner = form.values[0].owner
    if not isinstance(owner, affine.MinOp):
        return [form]
    forms = linear_forms(owner.map.data, owner.arguments)
    return [form] if forms is None else list(dict.fromkeys(forms))


def greatest_of(form: Linear) -> list[Linear]:
    """The forms of which this one is the greatest, each once."""
    return [-one for one in least_of(-form)]


def is_nonempty(loop: MaskedLoop) -> bool:
    """Does the loop have iterations wherever it is reached?"""
    extent = loop.high - loop.low
    if not extent.terms:
        return extent.constant > 0
    around = loop.loop.op.parent_op()
    if not isinstance(around, affine.IfOp) or loop.loop.op.parent is not around.then_region.block:
        return False
    beyond = (extent - 1 - one for one in conditions_of(around) or ())
    return any(not form.terms and form.constant >= 0 for form in beyond)


def conditions_of(op: affine.IfOp) -> list[Linear] | None:
    """The forms that must not be negative; None where one divides, or must be zero."""
    found = op.condition.data
    forms: list[Linear] = []
    for one in found.constraints:
        if one.kind is not AffineConstraintKind.ge:
            return None
        map = AffineMap(found.num_dims, found.num_symbols, (one.lhs, one.rhs))
        sides = linear_forms(map, op.args)
        if sides is None:
            return None
        forms.append(sides[0] - sides[1])
    return forms


def masked_loops(module: ModuleOp) -> list[MaskedLoop]:
    found = map(find_masked_loop, operations_in(module, affine.ForOp))
    return [loop for loop in found if loop is not None]


Limits = Callable[[LaneMask], tuple[Linear | None, ...]]
"""Where the lanes of a row begin, and the ends of which the least counts."""


def row_masks(
    builder: AffineBuilder, source: MaskedLoop, at: Linear, limits: Limits
) -> dict[SSAValue, SSAValue]:
    """The lanes of each row at `at`; rows with the same limits share them."""
    known: dict[tuple[Linear | None, ...], SSAValue] = {}
    masks: dict[SSAValue, SSAValue] = {}
    for row in source.masks:
        limit = limits(row)
        if limit not in known:
            begin, *ends = limit
            first = Linear() if begin is None else begin - at
            end = builder.minimum([form - at for form in ends if form is not None])
            known[limit] = builder.lanes_between(first, end, source.lanes)
        masks[row.value] = known[limit]
    return masks
