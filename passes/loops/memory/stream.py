"""affine-stream: rows that are only written, and that no cache would keep, are stored
non-temporally."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from math import prod

from xdsl.context import Context
from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.inside import operations_in
from polyopt.dialects.loop_facts import facts_of, set_facts
from polyopt.dialects.team import ShareOp
from polyopt.ir.affine.affine_dependence import meets_itself
from polyopt.ir.affine.affine_nest import (
    AffineLoop,
    ElementAccess,
    accesses_in,
    enclosing_loops,
    is_defined_inside,
    is_for_little,
)
from polyopt.ir.affine.linear import Linear, linear_of
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import INDEX, AffineBuilder
from polyopt.passes.loops.replacement import tell
from polyopt.passes.loops.vectors.find_vector_loop import find_vector_loop
from polyopt.passes.loops.vectors.forwarding import forward_stores, loads_of_stored
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import Target


@record
class AffineStreamPass(ModulePass):
    """Mark the stores of loops as `nontemporal` where a nest writes an array, each element
    once, does not read it but right behind, in the same iteration, and touches `bytes` or more by
    the way (0: as the model says), `row` of them side by side; of threads that share a loop out,
    all together. What has been written has left the caches before the nest ends: to bring it there
    first would take a part of the memory's time for nothing.

    Requires: nothing; what is not known of the extents is looked at when the nest runs.
    Ensures: only what is computed is marked; a copy or a filling is the C library's affair.

        affine.for %i = 0 to %n {            scf.if %n * %m * 16 >= 64 MiB && %m * 8 >= 1 KiB {
          affine.for %j = 0 to %m {            affine.for %i … affine.for %j …
            %b = affine.load %B[%i, %j]            …
            %x = arith.mulf %b, %b     =>      {poly.loop = #poly.loop<nontemporal = [0]>}
            affine.store %x, %A[%i, %j]      } else {
          }                                    affine.for %i … affine.for %j …
        }                                    }
    """

    name = "affine-stream"

    march: str = "native"
    bytes: int = 0
    row: int = CORE.streams.least_row

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = Target.named(self.march)
        least = self.bytes or max(
            CORE.streams.least_bytes, CORE.streams.least_of_l2 * target.l2_bytes, target.l3_share
        )
        nests = operations_in(op, affine.ForOp)
        for nest in nests:
            if not _is_inside_another(nest) and not is_for_little(nest):
                self._stream(nest, least, target)

    def _stream(self, nest: affine.ForOp, least: int, target: Target) -> None:
        found = [one for one in _streams(nest, target) if not one.is_shorter(self.row)]
        known = [one for one in found if one.is_known and one.bytes >= least]
        for one in known:
            _mark(one.store)
        if known:
            tell(self.name, nest, "stores are non-temporal")
            return
        unknown = [one for one in found if not one.is_known]
        if not unknown or sum(1 for _ in nest.walk()) > CORE.streams.greatest_nest:
            return
        first = unknown[0]
        tell(self.name, nest, "stores are non-temporal where they are many")
        clone = _insert_version(nest, first, least, self.row)
        for one in unknown:
            if one.extents == first.extents:
                _mark(clone[one.store])


def _is_inside_another(nest: affine.ForOp) -> bool:
    """What stands under a condition in a loop is a part of that loop, too."""
    around = nest.parent_op()
    while isinstance(around, (affine.IfOp, scf.IfOp)):
        around = around.parent_op()
    return isinstance(around, affine.ForOp)


@record
class _Stream:
    """A store in loops of these extents, of all threads, divided by `steps`; each time it touches
    `each` bytes, with what is loaded on the way. `length`: of the innermost loop, in one thread."""

    store: affine.StoreOp
    extents: tuple[Linear, ...]
    length: Linear
    steps: int
    each: int

    @property
    def is_known(self) -> bool:
        return not any(extent.terms for extent in self.extents)

    @property
    def bytes(self) -> int:
        """Of those loops whose extents are known."""
        known = [extent.constant for extent in self.extents if not extent.terms]
        return self.each * prod(max(0, one) for one in known) // self.steps

    @property
    def row(self) -> Linear:
        """How many bytes are written side by side."""
        return self.length * _bytes_of(self.store.value)

    def is_shorter(self, row: int) -> bool:
        return not self.row.terms and self.row.constant < row


def _streams(nest: affine.ForOp, target: Target) -> Iterator[_Stream]:
    accesses = list(accesses_in(nest))
    again = _loads_of_stored(nest)
    known = [one for one in accesses if one is not None and one.op not in again]
    if len(known) + len(again) < len(accesses):
        return
    for access in known:
        store = access.op
        if not isinstance(store, affine.StoreOp) or not _is_computed(store.value):
            continue
        others = [one for one in known if one is not access]
        if any(may_overlap(one.array, access.array) for one in others):
            continue
        loops = enclosing_loops(store, nest)
        extents = [_extent(loop, nest) for loop in loops]
        length = extents[-1]
        if stride_of(store, loops[-1]) != 1 or length is None or not all(extents):
            continue
        found = find_vector_loop(loops[-1].op)
        if found is None:
            continue
        if (
            target.lanes(found.element_bytes) * _bytes_of(store.value)
            < CORE.streams.least_vector_bytes
        ):
            continue
        if all(loop.is_marked_parallel for loop in loops) or not meets_itself(nest, access):
            steps = prod(loop.step for loop in loops)
            sizes = tuple(_of_all_threads(one) for one in extents if one is not None)
            each = _bytes_each(store, found, loops, again)
            yield _Stream(store, sizes, length, steps, each)


def _loads_of_stored(nest: affine.ForOp) -> frozenset[Operation]:
    """What iterations load that they have just stored: that is a value."""
    inner = (op for op in nest.walk() if isinstance(op, affine.ForOp))
    return frozenset(load for op in inner for load, _ in loads_of_stored(op.body.block))


def _of_all_threads(extent: Linear) -> Linear:
    """Of a share of a range, the extent of the range."""
    for value in extent.values:
        share = value.owner
        if isinstance(share, ShareOp):
            first, last = Linear.of(share.first), Linear.of(share.last)
            if not (extent - last + first).terms:
                whole = linear_of(share.upper) - linear_of(share.lower)
                return whole + extent.constant
    return extent


def _bytes_each(
    store: affine.StoreOp,
    found: VectorLoop,
    loops: Sequence[AffineLoop],
    again: Container[Operation],
) -> int:
    """What an iteration stores, and loads from arrays through which all loops move that move
    through the one that is written."""
    iterators = {loop.iv for loop in loops}

    def moves(op: ElementAccess) -> set[SSAValue]:
        return {value for form in subscripts_of(op) or () for value in form.values} & iterators

    widest = moves(store)
    loads = (one for one in found.loads if moves(one) >= widest and one not in again)
    loaded = {load.memref: load.result for load in loads}
    return _bytes_of(store.value) + sum(_bytes_of(value) for value in loaded.values())


def _bytes_of(value: SSAValue) -> int:
    size = element_bytes(value.type)
    assert size is not None
    return size


def _mark(store: Operation) -> None:
    loop = store.parent_op()
    assert isinstance(loop, affine.ForOp)
    forward_stores(loop.body.block)
    stores = [op for op in loop.body.block.ops if isinstance(op, affine.StoreOp)]
    facts = facts_of(loop)
    numbers = {*facts.nontemporal, *(k for k, one in enumerate(stores) if one is store)}
    set_facts(loop, replace(facts, nontemporal=tuple(sorted(numbers))))


def _is_computed(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and not isinstance(
        value.op, (affine.LoadOp, arith.ConstantOp)
    )


def _extent(loop: AffineLoop, nest: affine.ForOp) -> Linear | None:
    """The distance of the bounds: a constant, else what is known before the nest."""
    distances = [upper - lower for lower in loop.lowers or () for upper in loop.uppers or ()]
    constants = [one.constant for one in distances if not one.terms]
    if constants:
        return Linear((), min(constants))
    outside = [one for one in distances if not any(is_defined_inside(v, nest) for v in one.values)]
    return outside[0] if outside else None


def _insert_version(
    nest: affine.ForOp, stream: _Stream, least: int, row: int
) -> dict[Operation, Operation]:
    """The nest once more, for the case that it writes so much: its operations by the old ones."""
    block = nest.parent
    assert block is not None
    builder = AffineBuilder(Block(), nest)
    total = builder.value(Linear((), stream.bytes))
    for extent in stream.extents:
        if extent.terms:
            total = builder.insert(arith.MuliOp(total, builder.value(extent), INDEX)).result
    is_much = _at_least(builder, total, least)
    if stream.row.terms:
        is_long = _at_least(builder, builder.value(stream.row), row)
        is_much = builder.insert(arith.AndIOp(is_much, is_long)).result
    clone = nest.clone()
    copies = dict(zip(nest.walk(), clone.walk(), strict=True))
    choice = scf.IfOp(is_much, [], Region(Block([clone, scf.YieldOp()])), Region(Block()))
    builder.insert(choice)
    for new in list(builder.block.ops):
        new.detach()
        block.insert_op_before(new, nest)
    nest.detach()
    choice.false_region.block.add_ops([nest, scf.YieldOp()])
    return copies


def _at_least(builder: AffineBuilder, value: SSAValue, bound: int) -> SSAValue:
    limit = builder.value(Linear((), bound))
    return builder.insert(arith.CmpiOp(value, limit, "sge")).result
