"""Nests beside a `contract.nest` that visit each of its elements once.

    before    X[f(i, j)] = g(X[f(i, j)])          what an accumulator starts from
    after     Y[h(i, j)] = g(X[f(i, j)])          where its result goes, X itself included

By itself such a nest is a pass over memory. In the contraction it works on the tile in registers:
`before` with the first block of k, `after` with the last.

Legal are, for a contraction that has the same k for all (i, j):
 1. nests of the same instances (i, j), so that each is still run, and once;
 2. `before`, if nobody else touches X on the way, and no panel reads it;
 3. `after`, if nobody else touches Y or writes X on the way, what it takes is there before, Y is
    another array or the element of X that it takes, and a panel that reads Y is packed before the
    element is written: a row panel that reads no other row's elements is packed with its own block
    of rows, a column panel with its own block of columns. That takes one block of columns
    (`reads_back`), and no batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations

from xdsl.dialects import affine
from xdsl.ir import Operation, SSAValue

from polyopt.ir.affine.affine_nest import (
    Access,
    AffineNest,
    access_of,
    accesses_in,
    is_defined_inside,
    perfect_nest,
)
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import has_lanes
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.contract.structured import Element, Structured
from polyopt.support.record import record


@record
class Pointwise:
    """`store` puts a value that depends on one element of an accumulator, read by `loads`, at
    `subscripts`, forms over the contraction's iterators."""

    root: affine.ForOp
    store: affine.StoreOp
    subscripts: tuple[Linear, ...]
    accumulator: int
    loads: tuple[SSAValue, ...]
    reads_back: bool = False

    @property
    def array(self) -> SSAValue:
        return self.store.memref

    @property
    def operations(self) -> list[Operation]:
        """Those that compute the value."""
        body = perfect_nest(self.root).operations
        return [op for op in body if op is not self.store and not isinstance(op, affine.LoadOp)]


@record
class Beside:
    """What is fused with a contraction: `before` by accumulator. No nest is beside two."""

    before: Mapping[int, Pointwise]
    after: tuple[Pointwise, ...]


def find_beside(nest: Structured, place: Operation, large: Constraints) -> Beside:
    """The nests that may be fused where all of `large` holds, beside `place`: the contraction or
    what tests whether it is to run."""
    tile = [iv for iv in nest.iterators if iv is not nest.depth]
    if any(form.uses([nest.depth]) and form.uses(tile) for form in nest.domain.forms):
        return Beside({}, ())
    elements = nest.domain.without([nest.depth])
    begun = {op.element for op in nest.begins}
    before: dict[int, Pointwise] = {}
    for one in _neighbours(place, lambda op: op.prev_op):
        found = _pointwise(one, nest, elements, large)
        if found is None or nest.updated[found.accumulator].argument in begun:
            continue
        if found.accumulator not in before and _may_go_in(found, nest, place):
            before[found.accumulator] = found
    after: list[Pointwise] = []
    for one in _neighbours(place, lambda op: op.next_op):
        found = _pointwise(one, nest, elements, large)
        if found is not None and all(found.array is not other.array for other in after):
            found = _may_come_out(found, nest, place)
            after += [found] if found is not None else []
    return Beside(before, tuple(after))


def _neighbours(
    place: Operation, step: Callable[[Operation], Operation | None]
) -> Iterator[AffineNest]:
    op = step(place)
    while op is not None:
        if isinstance(op, affine.ForOp):
            yield perfect_nest(op)
        op = step(op)


def _pointwise(
    nest: AffineNest, contraction: Structured, elements: Constraints, large: Constraints
) -> Pointwise | None:
    """The nest as one of a contraction's elements, whatever is on the way."""
    loops = [iv for iv in contraction.iterators if iv is not contraction.depth]
    own = Constraints.of_loops(nest.loops)
    stores = [op for op in nest.operations if isinstance(op, affine.StoreOp)]
    if own is None or len(nest.loops) != len(loops) or len(stores) != 1:
        return None
    others = [op for op in nest.operations if op is not stores[0]]
    if not all(isinstance(op, affine.LoadOp) or has_lanes(op) for op in others):
        return None
    for order in permutations(loops):
        renaming: dict[SSAValue, Linear] = {
            mine.iv: Linear.of(its) for mine, its in zip(nest.loops, order, strict=True)
        }
        if _is_same(own.substitute(renaming), elements, large):
            found = _in_place(nest, stores[0], contraction, renaming)
            if found is not None:
                return found
    return None


def _is_same(own: Constraints, elements: Constraints, large: Constraints) -> bool:
    return all((own & large).implies(form) for form in elements.forms) and all(
        (elements & large).implies(form) for form in own.forms
    )


def _in_place(
    nest: AffineNest,
    store: affine.StoreOp,
    contraction: Structured,
    renaming: dict[SSAValue, Linear],
) -> Pointwise | None:
    """The nest with its iterators renamed, if all that it touches is one element of X, and in Y
    consecutive elements along j."""
    written = _element(access_of(store), renaming, nest)
    if written is None:
        return None
    *others, last = [form.coefficient(contraction.columns) for form in written] or [0]
    if last != 1 or any(others):
        return None
    loads = [op for op in nest.operations if isinstance(op, affine.LoadOp)]
    for number, accumulator in enumerate(contraction.updated):
        if all(
            load.memref is accumulator.array
            and _element(access_of(load), renaming, nest) == accumulator.subscripts
            for load in loads
        ) and (loads or store.memref is accumulator.array):
            results = tuple(load.result for load in loads)
            return Pointwise(nest.loops[0].op, store, written, number, results)
    return None


def _element(
    access: Access | None, renaming: dict[SSAValue, Linear], nest: AffineNest
) -> tuple[Linear, ...] | None:
    if access is None or access.subscripts is None:
        return None
    known = [form.substitute(renaming) for form in access.subscripts if form is not None]
    inside = any(is_defined_inside(v, nest.loops[0].op) for form in known for v in form.values)
    return None if inside or len(known) != len(access.subscripts) else tuple(known)


def _may_go_in(one: Pointwise, nest: Structured, place: Operation) -> bool:
    own = nest.updated[one.accumulator]
    if one.array is not own.array or one.subscripts != own.subscripts:
        return False
    others = (other for other in (*nest.updated, *nest.taken) if other is not own)
    if any(may_overlap(other.array, one.array) for other in others):
        return False
    return not _is_touched(one.root, place, lambda access: may_overlap(access.array, one.array))


def _may_come_out(one: Pointwise, nest: Structured, place: Operation) -> Pointwise | None:
    """With `reads_back` as it is; None if it has to stay where it is."""
    own = nest.updated[one.accumulator]
    is_in_place = one.array is own.array and one.subscripts == own.subscripts
    updated = (a for a in nest.updated if not is_in_place or a is not own)
    written = [*(a.array for a in updated), *(op.array for op in nest.finishes)]
    if any(may_overlap(one.array, array) for array in written):
        return None
    source = own.array
    if any(may_overlap(op.array, source) for op in nest.finishes):
        return None

    def is_in_the_way(access: Access) -> bool:
        return may_overlap(access.array, one.array) or (
            access.is_write and may_overlap(access.array, source)
        )

    if _takes_from_between(place, one.root):
        return None
    if _is_touched(place, one.root, is_in_the_way):
        return None
    reads = [read for read in nest.taken if may_overlap(read.array, one.array)]
    if not reads:
        return one
    if nest.batch or not all(_is_packed_in_time(one, read, nest) for read in reads):
        return None
    return Pointwise(one.root, one.store, one.subscripts, one.accumulator, one.loads, True)


def _is_packed_in_time(one: Pointwise, read: Element, nest: Structured) -> bool:
    """Is it of a column panel, or of the row whose elements are written?"""
    if read.array is not one.array:
        return False
    if any(form.uses([nest.columns]) for form in read.subscripts):
        return True
    return any(
        read_at == written_at
        and written_at.uses([nest.rows])
        and not written_at.uses([nest.columns, nest.depth])
        for read_at, written_at in zip(read.subscripts, one.subscripts, strict=True)
    )


def _takes_from_between(first: Operation, last: Operation) -> bool:
    """Does `last` use a value that is made after `first`, in the same block?"""
    return any(
        isinstance(operand.owner, Operation)
        and operand.owner.parent is first.parent
        and first.is_before_in_block(operand.owner)
        for op in last.walk()
        for operand in op.operands
    )


def _is_touched(first: Operation, last: Operation, is_bad: Callable[[Access], bool]) -> bool:
    """Does anything between two operations of a block have such an access?"""
    op = first.next_op
    while op is not None and op is not last:
        for access in accesses_in(op):
            if access is None or is_bad(access):
                return True
        op = op.next_op
    return False
