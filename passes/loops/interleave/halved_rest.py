"""What whole vectors leave of a row, in vectors of half as many lanes, of a quarter, … of one.

    rest = stop - at, less than L
    L/2 lanes at `at`, if the rest has them; L/4 behind these, if what is left has them; …

What is stored under a mask is not there for a load that comes soon: where a row is short, and what
it writes is read again by the next one, each run waits for the one before (`is_awaited`). Vectors
without masks hand on what they store. It takes a copy of the step for each of the widths, so steps
are short (`may_be_halved`). Rows that are read from the other end (recursions over orders) are in
no vector at all where they are short (`least_in_vectors`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import cast

from xdsl.dialects import affine, arith, func, math, memref, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, floor
from polyopt.ir.control.cfg import Cycles, enclosing_block
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.copies import Copier, CopyScope
from polyopt.passes.loops.interleave.masked_loop import MaskedLoop
from polyopt.support.core_model import CORE
from polyopt.support.record import entity

_BY_LANES = (
    pvec.SelectOp,
    pvec.CmpfOp,
    pvec.CmpiOp,
    pvec.ConvertOp,
    pvec.QuotientOp,
    math.SqrtOp,
    math.AbsFOp,
)
_READS = (ReadOp, pvec.GatherOp, affine.LoadOp, affine.VectorLoadOp, memref.LoadOp)
_WRITES = (WriteOp, affine.StoreOp, affine.VectorStoreOp, memref.StoreOp)
_ALONE = LoopFacts(marks=("no_vector",))


def may_be_halved(source: MaskedLoop) -> bool:
    """Whether fewer lanes do the same, in steps of which there may be so many copies."""
    widths = source.lanes.bit_length() - 1
    return len(source.operations) * widths <= CORE.code.halved and has_fewer_lanes(source)


def has_fewer_lanes(source: MaskedLoop) -> bool:
    """Whether fewer lanes do the same: each is on its own, and nothing is carried. All rows begin
    at one place and end at one."""
    return (
        not source.yielded
        and len({(one.low, one.high) for one in source.masks}) == 1
        and source.lanes & (source.lanes - 1) == 0
        and all(map(_is_by_lanes, source.operations))
        and all(_fewer_lanes(one) is not None for one in _from_outside(source))
    )


def is_awaited(source: MaskedLoop, called: frozenset[str]) -> bool:
    """Whether the loop runs over and over, in its function or because that is one of the `called`,
    and what it writes side by side is read in the function: then it may be by the next run."""
    written = [one.memref for one in source.operations if isinstance(one, WriteOp) and one.is_unit]
    op = source.loop.op
    function = _function_around(op)
    is_again = runs_again(op) or (function is not None and function.sym_name.data in called)
    return is_again and _are_touched(op, written, _READS)


def called_in_loops(module: ModuleOp) -> frozenset[str]:
    """The functions that the module calls in loops: LLVM may put them there. (Elimination by
    columns, which calls an update of each: 0.9 of the time.)"""
    calls, cycles = operations_in(module, func.CallOp), Cycles()
    return frozenset(one.callee.string_value() for one in calls if runs_again(one, cycles))


def least_in_vectors(source: MaskedLoop) -> int:
    """How long a row is at least for vectors to pay that are read again: from the other end they
    are parts of two that have been stored, and wait until both are in memory. Where other loops
    read vectors of these arrays, those would wait as long for elements that are stored alone."""
    backward = [
        one.memref
        for one in source.operations
        if isinstance(one, ReadOp) and one.distances[-1:] == (-1,) and not any(one.distances[:-1])
    ]
    if not backward or not _are_touched(source.loop.op, backward, _WRITES):
        return 0
    if _are_touched(source.loop.op, backward, (ReadOp,), is_inside=False):
        return 0
    return ceil(CORE.strided.handed_on * CORE.nests.issue / len(source.operations))


def _are_touched(
    op: Operation,
    arrays: Sequence[SSAValue],
    by: tuple[type[Operation], ...],
    *,
    is_inside: bool = True,
) -> bool:
    """Is any element of them, in the function, by such an operation, in the loop `op` or not?"""
    function = _function_around(op)
    return function is not None and any(
        isinstance(one, by) and any(may_overlap(_array_of(one), array) for array in arrays)
        for one in function.walk()
        if is_inside or not op.is_ancestor(one)
    )


def _function_around(op: Operation) -> func.FuncOp | None:
    around = op.parent_op()
    while around is not None and not isinstance(around, func.FuncOp):
        around = around.parent_op()
    return around


def _array_of(access: Operation) -> SSAValue:
    (array,) = [one for one in access.operands if isinstance(one.type, MemRefType)]
    return array


def runs_again(op: Operation, cycles: Cycles | None = None) -> bool:
    """Are there loops around? `cycles` keeps what is found for who asks of several."""
    around = op.parent_op()
    while around is not None and not isinstance(around, func.FuncOp):
        if isinstance(around, affine.ForOp):
            return True
        op, around = around, around.parent_op()
    return around is not None and enclosing_block(op) in (cycles or Cycles())


def _is_by_lanes(op: Operation) -> bool:
    if not any(isinstance(one.type, VectorType) for one in (*op.operands, *op.results)):
        return not op.regions
    if isinstance(op, (ReadOp, WriteOp)):
        return not isinstance(op, ReadOp) or not op.within
    return isinstance(op, (*_BY_LANES, vector.BroadcastOp)) or op.name.startswith("arith.")


def _from_outside(source: MaskedLoop) -> list[SSAValue]:
    """The vectors that the step takes from in front of the loop."""
    block = source.loop.block
    own = {one.value for one in source.masks}
    used = [value for op in source.operations for value in op.operands]
    return [
        value
        for value in dict.fromkeys(used)
        if isinstance(value.type, VectorType)
        and value not in own
        and value.owner.parent is not block
    ]


def _fewer_lanes(value: SSAValue) -> Operation | None:
    """The operation that makes it, if that makes as well fewer lanes of it."""
    owner = value.owner
    is_spread = isinstance(owner, vector.BroadcastOp) and not isinstance(
        owner.source.type, VectorType
    )
    is_constant = isinstance(owner, arith.ConstantOp) and isinstance(
        owner.value, DenseIntOrFPElementsAttr
    )
    return owner if isinstance(owner, Operation) and (is_spread or is_constant) else None


@entity
class HalvedRest:
    builder: AffineBuilder
    source: MaskedLoop

    def write(self, start: Linear, stop: Linear) -> None:
        """The iterations from `start` to `stop`, fewer than there are lanes, and not less than
        none."""
        b, lanes = self.builder, self.source.lanes
        at = start
        while lanes > 1:
            lanes //= 2
            branch = b.branch([stop - at - lanes])
            with branch.then():
                self._step(at, lanes)
            with branch.orelse():
                pass
            branch.close()
            if lanes > 1:
                at = start + b.named(floor(stop - start, lanes), "done") * lanes

    def one_by_one(self, start: Linear, stop: Linear) -> None:
        with self.builder.loop([start], [stop], name="v", facts=_ALONE) as loop:
            self._step(loop.index, 1)

    def _step(self, at: Linear, lanes: int) -> None:
        source = self.source
        copier = _FewerLanes(self.builder.insert, source.loop.op, lanes)
        scope = CopyScope({}, {source.loop.iv: at}, frozenset(one.value for one in source.masks))
        for value in _from_outside(source):
            maker = _fewer_lanes(value)
            assert maker is not None
            copier.copy(maker, scope)
        for op in source.operations:
            copier.copy(op, scope)
            made = self.builder.block.last_op
            if isinstance(made, WriteOp):
                # Only whole vectors begin where non-temporal stores must.
                made.nontemporal = None


@entity
class _FewerLanes(Copier):
    lanes: int = 1

    def shaped(self, op: Operation) -> Operation:
        types = [self._type(one.type) for one in op.results]
        if types == [one.type for one in op.results]:
            return op
        properties = dict(op.properties)
        value = properties.get("value")
        if isinstance(op, arith.ConstantOp) and isinstance(value, DenseIntOrFPElementsAttr):
            # Of either kind of element; the stated one only tells the type checker a kind.
            type_ = cast("VectorType[IntegerType]", types[0])
            elements = cast("Sequence[int]", value.get_values()[: self.lanes])
            properties["value"] = DenseIntOrFPElementsAttr.from_list(type_, elements)
        made = type(op).create(
            operands=op.operands,
            properties=properties,
            attributes=op.attributes,
            result_types=types,
        )
        op.drop_all_references()
        return made

    def _type(self, type_: Attribute) -> Attribute:
        if not isinstance(type_, VectorType):
            return type_
        element = cast("VectorType[Attribute]", type_).element_type
        return VectorType(element, [self.lanes])
