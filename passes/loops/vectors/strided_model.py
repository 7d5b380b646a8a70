"""Whether vectors pay whose lanes are strided in memory."""

from __future__ import annotations

from math import ceil

from xdsl.dialects import affine, arith, math, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import steps_of, stride_of, subscripts_of
from polyopt.ir.elementwise import has_lanes, is_quotient
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.stretches import steps_until_met
from polyopt.passes.loops.vectors.taken_over import is_taken_over_too_late
from polyopt.passes.loops.vectors.vector_loop import VectorLoop
from polyopt.support.core_model import CORE
from polyopt.support.target import LANE_BYTES, Target


def pays_strided(loop: VectorLoop, target: Target) -> bool:
    """Where lanes are strided in memory: are vectors faster than one iteration after the other? In
    cycles for each iteration (`StridedModel`)."""
    scattered = scattered_stores(loop)
    if any(size > target.table_bytes for size in _table_sizes(loop)):
        return False
    looked_up = len(loop.gathers) - len(loop.tables)
    gathered = sum(1 for op in loop.loads if not loop.is_near(op)) + looked_up
    is_wide = target.vector_bits >= CORE.strided.wide_bits
    if not is_wide and (looked_up or not (gathered or scattered or loop.rows or loop.tables)):
        if not looked_up and _fills_words(loop, target):
            return steps_until_handed_on(loop, target) is None
        divides = _divides(loop) and target.vector_bits > 8 * LANE_BYTES
        if not (divides or is_taken_over_too_late(loop)):
            return _writes_back(loop)
    is_near = not gathered and not scattered and (target.shuffles_bytes or not loop.tables)
    if is_near and steps_until_handed_on(loop, target) is None:
        return True
    return _together(loop, target) < CORE.strided.gain * _serial(loop)


def _divides(loop: VectorLoop) -> bool:
    """Are there quotients by what is not known? One after the other keeps the divider busy for six
    cycles (Zen 4 with AVX2, 20,000 quotients and rests of ints: 42.6 us, 8.7 in vectors; hue and
    saturation of 60,000 pixels: 1300 and 87)."""
    return any(map(is_quotient, loop.everything))


def _writes_back(loop: VectorLoop) -> bool:
    """Are only stores of elements side by side left out, each iteration having read its element?
    Vectors are then blended with what was there (`transfers/written_back`)."""
    branches = [op for op in loop.operations if isinstance(op, scf.IfOp)]
    if not branches or loop.gathers or loop.lookups or loop.groups:
        return False
    read = {
        (op.memref, tuple(subscripts_of(op) or ()))
        for op in loop.loads
        if op.parent is loop.loop.block
    }
    return all(
        (op.memref, tuple(subscripts_of(op) or ())) in read and stride_of(op, loop.loop) in (1, -1)
        for branch in branches
        for op in branch.walk()
        if isinstance(op, affine.StoreOp)
    ) and not any(isinstance(op, affine.LoadOp) for branch in branches for op in branch.walk())


def ends_one_by_one(loop: VectorLoop, lanes: int, target: Target) -> bool:
    """Is what fills no vector better taken one by one, half of one as a rule? Under a mask it takes
    as long as a whole one, and it need not be foreseen how much it is."""
    left = _serial(loop) * (lanes - 1) / 2 + _unforeseen()
    masked = _together(loop, target, masked=True)
    return lanes * masked >= CORE.strided.gain * left


def least_row(loop: VectorLoop, lanes: int, target: Target, *, whole: bool) -> int:
    """From how many elements on does a sum of gathered ones pay in vectors, which may all be
    `whole`? What they gain must be more than their lanes take to become one number."""
    serial, model = _serial(loop), CORE.strided
    together = _together(loop, target, masked=not whole)
    to_one = model.singly_to_one if target.gathers_apart else model.lanes_to_one
    many = lanes * model.vectors_of_sum
    if whole:
        gain = lanes * max(serial - together, 0.0)
        return min(lanes * ceil(to_one / gain), many) if gain else many
    alone = lanes * together + to_one - _unforeseen()
    return max(1, min(ceil(alone / serial), many))


def _table_sizes(loop: VectorLoop) -> list[int]:
    return [size for op in loop.tables for size in memref_type(op.memref).get_shape()]


def _looking_up(loop: VectorLoop, target: Target) -> int:
    """Operations on vectors that look up in tables by halves of registers: a shuffle for each half,
    and a comparison and a choice between any two."""
    if target.shuffles_bytes:
        return 0
    return sum(3 * ceil(size / LANE_BYTES) - 2 for size in _table_sizes(loop))


def _unforeseen() -> float:
    """The cycles that it takes as a rule that nobody knows where a row ends."""
    return CORE.strided.unforeseen_end * CORE.nests.mispredicted


def _lane_costs(target: Target, *, masked: bool) -> tuple[float, float]:
    """The cycles of a lane that is gathered, and of one that is scattered."""
    model = CORE.strided
    if target.vector_bits < model.wide_bits:
        return model.narrow_gathered, model.narrow_scattered
    if not target.gathers_apart:
        return model.gathered, model.scattered
    return model.singly_masked if masked else model.singly_gathered, model.scattered


def _together(loop: VectorLoop, target: Target, *, masked: bool = False) -> float:
    """The cycles of an iteration as a lane, under a mask or in a whole vector."""
    scattered, model = scattered_stores(loop), CORE.strided
    looked_up = len(loop.gathers) - len(loop.tables)
    gathered = sum(1 for op in loop.loads if not loop.is_near(op)) + looked_up
    gather, scatter = _lane_costs(target, masked=masked)
    memory = gathered * gather + scattered * scatter
    lanes = target.lanes(loop.element_bytes)
    computed = _computed(loop) / (model.per_cycle * lanes)
    computed += _looking_up(loop, target) / (model.per_cycle * max(lanes, LANE_BYTES))
    steps = steps_until_handed_on(loop, target)
    waiting = model.handed_on / (steps * lanes) if steps else 0.0
    return max(memory, computed, waiting, model.slow_in_vectors * _slow(loop)) + model.loop


def steps_until_handed_on(loop: VectorLoop, target: Target) -> int | None:
    """After how many vectors are there loads that meet what was stored with gaps, and wait for it
    though no element is handed on (`stretches`)? None for never."""
    lanes = target.lanes(loop.element_bytes)
    found: list[int] = []
    for group in loop.groups:
        places = [subscripts_of(op) or [] for op in group]
        first, stride = places[0], stride_of(group[0], loop.loop) or 1
        offsets = [(at[-1] - first[-1]).constant for at in places]
        for load in loop.loads:
            if load.memref is group[0].memref and stride_of(load, loop.loop) == stride:
                *outer, last = (
                    a - b for a, b in zip(first, subscripts_of(load) or [], strict=True)
                )
                is_row = not last.terms and not any(form != Linear() for form in outer)
                if is_row and loop.is_near(load):
                    steps = steps_until_met(last.constant, offsets, stride, lanes)
                    found += [steps] if steps else []
    return min(found, default=None)


def least_distance(loop: VectorLoop, lanes: int) -> int:
    """From how many iterations on, that what one leaves is taken up by another, do vectors of
    `lanes` pay? What a load takes up from two vectors must have reached the cache by then."""
    return max(lanes, ceil(CORE.strided.handed_on / _serial(loop)))


def _serial(loop: VectorLoop) -> float:
    """The cycles of an iteration after the other."""
    own = 2 * len(loop.accumulations)
    accesses = len(loop.loads) + len(loop.lookups) + 2 * len(loop.stores) + own
    model = CORE.strided
    return max((accesses + _computed(loop) + 1) / model.issue, model.slow * _slow(loop))


def _computed(loop: VectorLoop) -> int:
    return sum(1 for op in loop.everything if op.operands and has_lanes(op))


def _slow(loop: VectorLoop) -> int:
    return sum(1 for op in loop.everything if isinstance(op, (arith.DivfOp, math.SqrtOp)))


_TRIPLE = 3


def is_for_llvm(loop: VectorLoop, target: Target) -> bool:
    """Are there stores that fill rows together, or with few elements between them, for which LLVM
    has shuffles, or elements whose distance may turn out to be one, for which it has a version?
    Where stores may leave elements out, ours are better for words and longer ones (1.2 to 2 times
    on products of complex numbers, crosses, colours, sums and differences by turns), and for all
    that it would take two elements at a time: what is changed in place, or in part. Four bytes
    are one word to it (colours blended with an opacity: 187 us, our shuffles 261); where one
    instruction shuffles bytes across a register, ours of three and more are better (Golden Cove,
    pixels in L2: opacities multiplied 17.1 us by LLVM, 9.9 by ours; laid over others 22.1 and 8.9;
    channels exchanged and scaled 13.5 and 8.9), and of two not (sums and differences 7.9, 9.2).
    Of what it takes over too late, and of quotients, LLVM has no vectors. What goes across the
    halves of AVX2's registers it shuffles in more steps than ours (`shuffles_by_halves`)."""
    if is_taken_over_too_late(loop) or _divides(loop):
        return False
    sizes = {element_bytes(op.value.type) or 0 for op in loop.stores}
    strided = [op for op in loop.stores if stride_of(op, loop.loop) not in (1, -1)]
    has_words = bool(sizes) and min(sizes) >= CORE.strided.word_bytes
    if loop.may_leave_out and has_words and strided and loop.grouped.issuperset(strided):
        return False
    if _fills_words(loop, target):
        return False
    if target.shuffles_bytes and sizes == {1} and strided and loop.grouped.issuperset(strided):
        return any(len(group) < CORE.strided.many_bytes for group in loop.groups)
    if loop.groups and all(_changes_in_place(loop, op) for op in loop.stores):
        return 1 in sizes
    stores: dict[tuple[SSAValue, int], int] = {}
    for op in (*loop.loads, *loop.stores):
        *others, last = steps_of(op, loop.loop) or [0]
        *_, column = subscripts_of(op) or [Linear()]
        if any(others) and column == Linear() and (_may_be_one_long(op) or not _stays(op)):
            return True
        if isinstance(op, affine.StoreOp) and not any(others) and abs(last) > 1:
            stores[op.memref, last] = stores.get((op.memref, last), 0) + 1
    return any(abs(k) <= CORE.strided.llvm_stride or n >= abs(k) for (_, k), n in stores.items())


def _fills_words(loop: VectorLoop, target: Target) -> bool:
    """Are there strided stores in vectors of two halves, all in groups of words that leave nothing
    out? (Zen 3, in L1 and L2, by LLVM and ours: groups of 4 floats out of rows 2.1 times as long,
    out of groups 2.8 and 1.4, of 8 floats 1.9, of 3 1.2, pairs changed in place 2.1 and, of
    doubles, 2.8, products of complex numbers 1.5 and 2.1, sums and differences 1.0.)"""
    strided = [op for op in loop.stores if stride_of(op, loop.loop) not in (1, -1)]
    return (
        target.shuffles_halves
        and bool(strided)
        and loop.grouped.issuperset(strided)
        and all(len(group) == stride_of(group[0], loop.loop) for group in loop.groups)
        and all(
            (element_bytes(op.value.type) or 0) >= CORE.strided.word_bytes for op in loop.stores
        )
    )


def takes_triples(loop: VectorLoop, target: Target) -> bool:
    """Are all strided elements bytes of triples, and all of each loaded, as they lie? LLVM has
    whole registers of AVX2 for these, by rotations within their halves (Zen 4, grey of 150,000
    pixels: 24.6 us, ours 31.3)."""
    if target.vector_bits >= CORE.strided.wide_bits:
        return False
    taken: dict[tuple[SSAValue, tuple[Linear, ...]], set[int]] = {}
    for op in (*loop.loads, *loop.stores):
        subscripts = subscripts_of(op)
        if not subscripts:
            return False
        *rows, last = steps_of(op, loop.loop)
        if not any(rows) and last in (-1, 0, 1):
            continue
        is_member = not any(rows[:-1]) and (*rows[-1:], last) == (1, 0)
        is_triple = last == _TRIPLE if not any(rows) else is_member and _has_triples(op)
        if not is_triple or not isinstance(op, affine.LoadOp) or element_bytes(op.result.type) != 1:
            return False
        *around, column = subscripts
        start = column - column.constant
        taken.setdefault((op.memref, (*around, start)), set()).add(column.constant)
    return bool(taken) and all(
        len(one) == _TRIPLE and max(one) - min(one) == _TRIPLE - 1 for one in taken.values()
    )


def _has_triples(op: affine.LoadOp | affine.StoreOp) -> bool:
    return memref_type(op.memref).get_shape()[-1] == _TRIPLE


def _may_be_one_long(op: affine.LoadOp | affine.StoreOp) -> bool:
    """Is the length of the array's rows not known?"""
    return memref_type(op.memref).get_shape()[-1] == DYNAMIC_INDEX


def _stays(op: affine.LoadOp | affine.StoreOp) -> bool:
    """Are the elements the same in all iterations of some loop around, so that they are gathered
    once? Else LLVM loads whole rows (a product of 8 x 8 doubles and a vector: 27 cycles, with
    columns gathered 37)."""
    subscripts = subscripts_of(op) or ()
    return any(not any(form.uses([loop.iv]) for form in subscripts) for loop in enclosing_loops(op))


def _changes_in_place(loop: VectorLoop, store: affine.StoreOp) -> bool:
    if store not in loop.grouped:
        return False
    (group,) = (one for one in loop.groups if store in one)
    at = subscripts_of(store)
    own = [load for load in loop.loads if load.memref is store.memref]
    is_part = len(group) != stride_of(store, loop.loop)
    return is_part or any(subscripts_of(load) == at for load in own)


def scattered_stores(loop: VectorLoop) -> int:
    """The number of stores that are not to elements side by side."""
    alone = [op for op in loop.stores if op not in loop.grouped]
    return sum(1 for op in alone if stride_of(op, loop.loop) not in (1, -1))
