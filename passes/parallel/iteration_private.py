"""Variables and arrays of which each iteration makes what it reads: every thread has its own.

    for i { for j { t[j] = f(i, j) }  for j { A[i, j] = t[j] * t[0] } }

Iterations of i depend on each other in memory, by the places of t; not by values. An array is
private to a loop if nobody uses it who may run after the loop and each of its reads finds what the
same iteration has written: by a store of the same subscripts earlier in the same or a surrounding
block, or by earlier parts of the iteration that write all that is read (in isl's words: the image
of the read is within the union of the images of the writes, iteration by iteration).

An array that somebody may use behind the loop (a global one that is room to compute in) is private,
too, if all iterations write the same of it: then what the last one leaves is what is left. It runs
in the array itself, whoever's part it is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import islpy as isl
from xdsl.dialects import affine, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, FixedBitwidthType, IntegerAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_dependence import (
    dependences_below,
    elements_by_iteration,
    is_touched_alike,
    reads_own_writes,
)
from polyopt.ir.affine.affine_nest import Access, AffineLoop, ElementAccess, accesses_in
from polyopt.ir.control.cfg import may_run_later, part_of
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.parallel.code import Code
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES

_OPERATIONS = 100_000
"""isl operations that it may take to see whether a loop's reads find its own writes."""


@record(eq=False)
class Own:
    """Arrays that each thread needs for itself: then the loop's iterations are independent. `kept`:
    those that hold behind the loop what its last iteration has left there."""

    arrays: tuple[SSAValue, ...]
    kept: frozenset[SSAValue] = frozenset()


_ACCESSES = (affine.LoadOp, affine.StoreOp, memref.LoadOp, memref.StoreOp)


def find_own(loop: affine.ForOp) -> Own | None:
    """The arrays that are private to the loop, if it carries no dependence but theirs."""
    accesses = list[Access]()
    for access in accesses_in(loop):
        if access is None:
            return None
        accesses.append(access)
    every = list(dict.fromkeys(access.array for access in accesses))
    local = [one for one in every if _is_local(one, loop)]
    room = [one for one in every if one not in local and _may_be_copied(one, loop, every)]
    try:
        with budget("private arrays", _OPERATIONS):
            arrays = tuple(one for one in local if _finds_its_own(loop, one, accesses))
            kept = tuple(one for one in room if _is_made_alike(loop, one, accesses))
    except BudgetExceeded:
        return None
    if not arrays and not kept:
        return None
    dependences = dependences_below(loop, private=arrays + kept)
    if not dependences.is_complete or dependences.carried_by(AffineLoop(loop)):
        return None
    return Own(arrays + kept, frozenset(kept))


def _may_be_copied(array: SSAValue, loop: affine.ForOp, every: Sequence[SSAValue]) -> bool:
    """Is it of known size, small enough for a copy in each thread, and none of the others?"""
    type_ = memref_type(array)
    if loop.step.value.data != 1 or DYNAMIC_INDEX in type_.get_shape():
        return False
    if any(one is not array and may_overlap(one, array) for one in every):
        return False
    element = type_.element_type
    size = element.size if isinstance(element, FixedBitwidthType) else LINE_BYTES
    return prod(type_.get_shape()) * size <= CORE.threads.copied_bytes


def _is_made_alike(loop: affine.ForOp, array: SSAValue, accesses: Sequence[Access]) -> bool:
    """Does each iteration find what it has written itself, and write what all the others do?"""
    writes = [access for access in accesses if access.array is array and access.is_write]
    if not writes or any(_is_conditional(loop, one.op) for one in writes):
        return False
    touches = [one.op for one in writes if isinstance(one.op, ElementAccess)]
    return (
        len(touches) == len(writes)
        and is_touched_alike(loop, touches)
        and _finds_its_own(loop, array, accesses)
    )


def _is_local(array: SSAValue, loop: affine.ForOp) -> bool:
    """Is it allocated outside of the loop, and what is in it no matter to anybody who may run after
    the loop? In the loop it has this one name, and accesses that are known."""
    made = _allocation(array)
    if made is None or loop.is_ancestor(made):
        return False
    if isinstance(made, memref.AllocaOp) and DYNAMIC_INDEX in memref_type(array).get_shape():
        return False
    function = made.parent_op()
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    names = [made.memref]
    for name in names:
        for use in name.uses:
            op = use.operation
            if isinstance(op, cmem.DistinctObjectsOp):
                names.append(op.res[use.index])
            elif loop.is_ancestor(op):
                if name is not array or not isinstance(op, ElementAccess):
                    return False
            elif isinstance(op, memref.DeallocOp):
                continue
            elif not isinstance(op, _ACCESSES) or function is None:
                return False
            elif may_run_later(loop, op, function.body):
                return False
    return True


def _allocation(array: SSAValue) -> memref.AllocOp | memref.AllocaOp | None:
    """Where the array is made; it may have been told apart from others since."""
    owner = array.owner
    while isinstance(owner, cmem.DistinctObjectsOp) and isinstance(array, OpResult):
        array = owner.memrefs[array.index]
        owner = array.owner
    return owner if isinstance(owner, memref.AllocOp | memref.AllocaOp) else None


def _finds_its_own(loop: affine.ForOp, array: SSAValue, accesses: Sequence[Access]) -> bool:
    """Does the same iteration of the loop write whatever it reads, before? Where it is not known
    what a read reads, it does not, unless the write stands right above."""
    mine = [access for access in accesses if access.array is array]
    writes = [access for access in mine if access.is_write]
    reads = [
        access
        for access in mine
        if not access.is_write and not any(_is_right_above(write, access) for write in writes)
    ]
    if not reads:
        return True
    wanting = [access.op for access in reads if isinstance(access.op, ElementAccess)]
    writing = [access for access in writes if isinstance(access.op, ElementAccess)]
    making = [access.op for access in writing if isinstance(access.op, ElementAccess)]
    if len(wanting) < len(reads):
        return False
    maps = elements_by_iteration(loop, [*wanting, *making])
    made = dict(zip(writing, maps[len(reads) :], strict=True))
    box = _box(array)
    maps = [None if one is None else one.intersect_range(box) for one in maps[: len(reads)]]
    if all(_is_made(loop, read, wanted, made) for read, wanted in zip(reads, maps, strict=True)):
        return True
    inner = _loop_around(loop, mine)
    if inner is not None:
        return _finds_its_own(inner, array, accesses)
    sure = [op for op in making if not _is_conditional(loop, op)]
    return reads_own_writes(loop, wanting, sure, box)


def _box(array: SSAValue) -> isl.Set:
    """The elements that there are, as far as the array's dimensions are known."""
    shape = memref_type(array).get_shape()
    names = [f"e{dim}" for dim in range(len(shape))]
    bounds = [
        f"0 <= {name} < {extent}"
        for name, extent in zip(names, shape, strict=True)
        if extent != DYNAMIC_INDEX
    ]
    return isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(bounds) or 'true'} }}")


def _loop_around(loop: affine.ForOp, accesses: Sequence[Access]) -> affine.ForOp | None:
    """The loop right inside of `loop` that all of the accesses are in: an iteration of `loop` makes
    what it reads if each of that one's does."""
    parts = {part_of(loop.body.block, access.op) for access in accesses}
    only = parts.pop()
    return only if isinstance(only, affine.ForOp) and not parts else None


def _is_made(
    loop: affine.ForOp, read: Access, wanted: isl.Map | None, made: Mapping[Access, isl.Map | None]
) -> bool:
    here, total = part_of(loop.body.block, read.op), None
    for write, elements in made.items():
        if elements is None or _is_conditional(loop, write.op):
            continue
        if part_of(loop.body.block, write.op).is_before_in_block(here):
            total = elements if total is None else total.union(elements)
    return wanted is not None and total is not None and wanted.is_subset(total)


def _is_right_above(write: Access, read: Access) -> bool:
    """The same element, written in a block that the read is in, before it."""
    if write.subscripts is None or write.subscripts != read.subscripts or None in write.subscripts:
        return False
    block = write.op.parent
    around = block.find_ancestor_op_in_block(read.op) if block is not None else None
    return around is not None and write.op.is_before_in_block(around)


def _is_conditional(loop: affine.ForOp, op: Operation) -> bool:
    around = op.parent_op()
    while around is not None and around is not loop:
        if isinstance(around, affine.IfOp | scf.IfOp):
            return True
        around = around.parent_op()
    return False


def own_copies(region: Code, own: Own, loops: Sequence[affine.ForOp]) -> list[SSAValue]:
    """The thread's copies, made at the end of `region`; the loops use them from now on."""
    copies = list[SSAValue]()
    for array in own.arrays:
        made = _allocation(array)
        if made is None or array in own.kept:
            type_, align = memref_type(array), IntegerAttr(LINE_BYTES, i64)
            if type_.get_shape():
                made = memref.AllocOp([], [], type_, align)
            else:
                made = memref.AllocaOp.get(type_.element_type, shape=[])
        else:
            made = made.clone()
        copy = region.insert(made)
        copy.name_hint = array.name_hint
        copies.append(copy)
        for loop in loops:
            for op in loop.walk():
                for number, operand in enumerate(op.operands):
                    if operand is array:
                        op.operands[number] = copy
    return copies


def free_copies(region: Code, copies: Sequence[SSAValue]) -> None:
    for copy in copies:
        if isinstance(copy.owner, memref.AllocOp):
            free = memref.DeallocOp.get(copy)
            free.location = region.like.location
            region.block.add_op(free)
