"""Which innermost loops have iterations that can be lanes.

A vector loop has straight-line code; every access steps a few elements on or back, or stays where
it is, and iterations are independent but for accumulations `x[f] = x[f] op e` whose order is free.
Functions with vector forms are called for all lanes where there are such accumulations along a row,
or elements that later iterations load again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import (
    FixedBitwidthType,
    IndexType,
    IntegerType,
)
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.pvec_accesses import is_table
from polyopt.dialects.shaped_types import is_memref
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import linear_of
from polyopt.ir.affine.subscripts import is_known, stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes, is_element, is_quotient
from polyopt.ir.vector_calls import is_in_library
from polyopt.passes.loops.vectors.accumulations import Accumulation, find_accumulation
from polyopt.passes.loops.vectors.bests import find_bests
from polyopt.passes.loops.vectors.distances import distances_between, never_meet
from polyopt.passes.loops.vectors.iteration_order import put_in_order
from polyopt.passes.loops.vectors.looked_up_rows import finds_row, row_of
from polyopt.passes.loops.vectors.scan import Scan, find_scans
from polyopt.passes.loops.vectors.vector_loop import (
    INDEX_OPERATIONS,
    VectorLoop,
    flattened,
    shift_of,
)
from polyopt.passes.loops.vectors.windows import loads_again
from polyopt.support.core_model import CORE


def find_vector_loop(
    op: affine.ForOp,
    *,
    is_strided: bool = False,
    may_leave_out: bool = False,
    may_carry: bool = False,
    in_order: int = 0,
) -> VectorLoop | None:
    """The loop as one whose iterations can be lanes, if they can; where `is_strided`, also with
    lanes that are strided in memory, by steps or as an array says, with iterators as numbers and
    with conditionals; where `may_carry`, if they can at some distances (`distances.py`); as up to
    `in_order` lanes, if they can in another order of their operations (`iteration_order.py`),
    which these are then in."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    operations = [inner for inner in loop.block.ops if not isinstance(inner, affine.YieldOp)]
    strided = partial(_may_be_strided_lanes, masks_all=may_leave_out)
    may_be_lanes = strided if is_strided else _may_be_lanes
    if not operations or not all(may_be_lanes(inner, loop) for inner in operations):
        return None
    stores = [inner for inner in flattened(operations) if isinstance(inner, affine.StoreOp)]
    if not stores:
        return None
    accumulations: list[Accumulation] = []
    for store in stores:
        if stride_of(store, loop) == 0:
            if store.parent is not loop.block:
                return None
            found = find_accumulation(store, operations)
            if found is None:
                return None
            accumulations.append(found)
    if any(map(is_in_library, operations)):
        if not (accumulations and _is_row(loop)) and not loads_again(loop):
            return None
    candidate = VectorLoop(loop, tuple(accumulations), may_leave_out=may_leave_out)
    if not all(_has_place(store, candidate) for store in candidate.stores):
        return None
    if may_carry:
        return _with_distances(candidate)
    if in_order:
        return _in_order(candidate, in_order)
    return candidate if _is_independent(candidate) else None


def _in_order(candidate: VectorLoop, lanes: int) -> VectorLoop | None:
    loop = candidate.loop
    if candidate.accumulations or candidate.groups or candidate.lookups:
        return None
    if loop.facts.is_final or loop.facts.carried not in (None, "serial", "pipeline"):
        return None
    return VectorLoop(loop, ()) if put_in_order(loop, lanes) else None


def _with_distances(candidate: VectorLoop) -> VectorLoop | None:
    """None where nothing is left open until the loop runs: LLVM knows such distances."""
    facts = candidate.loop.facts
    if (
        candidate.accumulations
        or facts.is_final
        or facts.carried not in (None, "serial", "pipeline")
    ):
        return None
    distances = distances_between(candidate)
    if distances is None or not any(one.form.terms for one in distances):
        return None
    return replace(candidate, distances=distances)


def find_scan_loop(op: affine.ForOp) -> VectorLoop | None:
    """The loop as one that carries nothing but recurrences whose iterations can be taken together
    (`scan.py`), if what each iteration leaves is wanted of one of them: sums of which only the
    last is cost no steps within a vector, neither as lanes nor where LLVM makes these."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    operations = [inner for inner in loop.block.ops if not isinstance(inner, affine.YieldOp)]
    if not operations or not all(_may_be_lanes(inner, loop) for inner in operations):
        return None
    scans = find_scans(loop, operations)
    if scans is None or all(_is_last_wanted(one, loop, operations) for one in scans):
        return None
    return VectorLoop(loop, (), scans)


def find_best_loop(op: affine.ForOp) -> VectorLoop | None:
    """The loop as one that stores to nothing but the best values that it keeps (`bests.py`)."""
    loop = AffineLoop(op)
    if op.inits or loop.step != 1 or loop.lowers is None or loop.uppers is None:
        return None
    operations = [inner for inner in loop.block.ops if not isinstance(inner, affine.YieldOp)]
    everything = list(flattened(operations))
    if not all(_may_be_searched(inner, loop) for inner in everything):
        return None
    bests = find_bests(loop, everything)
    return VectorLoop(loop, (), bests=bests) if bests else None


def _may_be_searched(op: Operation, loop: AffineLoop) -> bool:
    if isinstance(op, affine.LoadOp) and op.parent is not loop.block:
        is_side_by_side = stride_of(op, loop) in (1, -1) or not op.map.data.results
        return is_side_by_side and _may_be_lanes(op, loop) and _is_gathered(op.memref)
    if isinstance(op, arith.IndexCastOp) and isinstance(op.result.type, IntegerType):
        return is_known(linear_of(op.input), loop)
    return _may_be_lanes(op, loop) and not is_in_library(op)


def _is_last_wanted(scan: Scan, loop: AffineLoop, operations: Sequence[Operation]) -> bool:
    """All iterations write the same element, and none uses what another one leaves there but to
    add to it."""
    is_read_once = len(scan.taken) == 1 and not scan.again
    is_one_place = is_read_once and stride_of(scan.store, loop) == 0
    return is_one_place and find_accumulation(scan.store, operations) is not None


def _may_be_lanes(op: Operation, loop: AffineLoop) -> bool:
    if isinstance(op, (affine.LoadOp, affine.StoreOp)):
        subscripts = subscripts_of(op)
        stride = stride_of(op, loop)
        if subscripts is None or stride is None:
            return False
        if abs(stride) > (1 if isinstance(op, affine.StoreOp) else CORE.strided.near_stride):
            return False
        return all(is_known(form, loop) for form in subscripts)
    return has_lanes(op) or is_in_library(op)


def _is_row(loop: AffineLoop) -> bool:
    """Loops around it run it over and over. LLVM makes vectors of calls, too, four of them in a
    step, and what they leave over runs one by one: with a sum that is slower where rows are short.
    """
    return isinstance(loop.op.parent_op(), affine.ForOp)


def _has_place(store: affine.StoreOp, loop: VectorLoop) -> bool:
    """Are the lanes side by side, scattered by elements, or in a group with others?"""
    stride = stride_of(store, loop.loop)
    return stride in (1, -1) or _is_gathered(store.memref) or store in loop.grouped


def _may_be_strided_lanes(op: Operation, loop: AffineLoop, *, masks_all: bool) -> bool:
    """`masks_all`: there are masked loads and stores of elements of any size."""
    if _may_be_lanes(op, loop) or is_quotient(op):
        return True
    if isinstance(op, affine.StoreOp) and (stride_of(op, loop) or 0) > 1:
        return all(is_known(form, loop) for form in subscripts_of(op) or ())
    if isinstance(op, (affine.LoadOp, affine.StoreOp)):
        subscripts = subscripts_of(op)
        return (
            subscripts is not None
            and all(is_known(form, loop) for form in subscripts)
            and _is_gathered(op.memref)
        )
    if isinstance(op, scf.IfOp):
        return gives_elements(op) and all(
            _may_be_masked(inner, loop, masks_all=masks_all) for inner in flattened([op])
        )
    if isinstance(op, memref.LoadOp):
        if row_of(op, loop) is not None:
            return True
        is_near = _is_gathered(op.memref) or is_table(op.memref.type)
        return is_near and all(_is_lookup(index, loop) for index in op.indices)
    if isinstance(op, arith.IndexCastOp) and isinstance(op.result.type, IntegerType):
        return is_known(linear_of(op.input), loop)
    return len(op.results) == 1 and (finds_row(op, loop) or _is_lookup(op.results[0], loop))


def gives_elements(op: scf.IfOp) -> bool:
    """Is what it gives, and conditionals in it, held by lanes?"""
    given = (one for inner in op.walk() if isinstance(inner, scf.IfOp) for one in inner.results)
    return all(is_element(one.type) for one in given)


def _may_be_masked(op: Operation, loop: AffineLoop, *, masks_all: bool) -> bool:
    """In a conditional nothing is loaded or stored that the condition does not let be."""
    if isinstance(op, (affine.LoadOp, affine.StoreOp)):
        stride = stride_of(op, loop)
        is_one_place = isinstance(op, affine.StoreOp) and stride == 0
        has_mask = _is_gathered(op.memref) or (masks_all and stride in (0, 1))
        if is_one_place or not has_mask:
            return False
    return _may_be_strided_lanes(op, loop, masks_all=masks_all)


def _is_lookup(index: SSAValue, loop: AffineLoop) -> bool:
    """Can the index be computed as a number, in each lane?"""
    if is_known(linear_of(index), loop):
        return True
    owner = index.owner
    if isinstance(owner, arith.IndexCastOp):
        return isinstance(owner.result.type, IndexType)
    if isinstance(owner, arith.FloorDivSIOp) and shift_of(owner) is None:
        return False
    return isinstance(owner, (*INDEX_OPERATIONS, arith.FloorDivSIOp)) and all(
        isinstance(operand.type, IndexType) and _is_lookup(operand, loop)
        for operand in owner.operands
    )


def _is_gathered(array: SSAValue) -> bool:
    """Are there instructions for strided elements of this type?"""
    assert is_memref(array.type)
    element = array.type.element_type
    return isinstance(element, FixedBitwidthType) and element.size in (4, 8)


def _is_independent(candidate: VectorLoop) -> bool:
    """Does the loop carry nothing but the accumulations? Loops that come from a schedule say so;
    for others the dependences are computed. Accumulations are carried, each in an array of its
    own: where as many arrays are said to be reduced, they are these."""
    arrays = [one.store.memref for one in candidate.accumulations]
    if len(set(arrays)) != len(arrays) or not all(
        _is_apart(one.store, candidate) for one in candidate.accumulations
    ):
        return False
    facts = candidate.loop.facts
    match facts.carried:
        case "parallel":
            return not candidate.accumulations
        case "reduction":
            return len(facts.reduces) == len(candidate.accumulations)
        case "serial" | "pipeline":
            return False
        case None:
            return not facts.is_final and _carries_only_accumulations(candidate)


def _is_apart(store: affine.StoreOp, candidate: VectorLoop) -> bool:
    """Does nothing else in the loop touch what it is added up in?"""
    if any(op.memref is store.memref for op in candidate.lookups):
        return False
    near = (op for op in (*candidate.loads, *candidate.stores) if op.memref is store.memref)
    return all(never_meet(op, store, candidate.loop) for op in near)


def _carries_only_accumulations(candidate: VectorLoop) -> bool:
    op = candidate.loop.op
    dependences = dependences_below(op)
    if not dependences.is_complete:
        return False
    own = {o for one in candidate.accumulations for o in (one.load, one.store)}
    return all(
        dependence.source.op in own and dependence.sink.op in own
        for dependence in dependences.carried_by(candidate.loop)
    )
