"""A sum of running sums is a sum of products, of which each iteration has its own.

    for (i = l; i < h; i++) {             b += (h - l) * a;
        a += x[i];                        for (i = l; i < h; i++) {
        b += a;                  =>           a += x[i];
    }                                         b += (h - i) * x[i]; }

Element i is in as many of the sums as there are iterations from i on; where `b` takes what `a` was
before, in one less. So check sums (Fletcher's, Adler's) run in lanes. Of integers only, which are
the same modulo their bits; what is made here may wrap, whatever the source says of its own sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import set_facts
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import stride_of, subscripts_of
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import tell
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record
class _Sum:
    """`store` of `add`, which is `load` and `term`."""

    load: affine.LoadOp
    add: arith.AddiOp
    store: affine.StoreOp
    term: SSAValue


def close_sums(op: affine.ForOp) -> None:
    """A sum of a running sum in straight code, where nothing else takes that. A remark says so."""
    loop = AffineLoop(op)
    body = [one for one in loop.block.ops if not isinstance(one, affine.YieldOp)]
    extent = loop.greatest_extent
    if op.inits or loop.step != 1 or any(one.regions for one in body):
        return
    if extent is not None and extent < CORE.parts.least:
        return
    sums = [found for one in body if (found := _sum(one, body, loop)) is not None]
    for inner in sums:
        again = _loaded_again(inner, body)
        now = {inner.add.result, *(one.result for one in again)}
        before = inner.load.result
        for outer in sums:
            is_now = outer.term in now
            if outer is inner or not (is_now or outer.term is before):
                continue
            is_there = not any(inner.term.owner is one for one in body[body.index(outer.add) :])
            if is_there and _is_taken_by(outer, inner, again) and _is_sum_alone(outer, body):
                _close(op, inner, outer, again, is_now=is_now)
                tell("sums-of-sums", op, "a sum of running sums is one of products")
                return


def _sum(op: Operation, body: Sequence[Operation], loop: AffineLoop) -> _Sum | None:
    """A variable that this operation stores, of which one load stands ahead."""
    if not isinstance(op, affine.StoreOp) or stride_of(op, loop) != 0:
        return None
    add = op.value.owner
    if not isinstance(add, arith.AddiOp) or not isinstance(add.result.type, IntegerType):
        return None
    near = [one for one in body if isinstance(one, ElementAccess) and one is not op]
    near = [one for one in near if may_overlap(one.memref, op.memref)]
    is_one_place = all(
        isinstance(one, affine.LoadOp)
        and one.memref is op.memref
        and subscripts_of(one) == subscripts_of(op)
        for one in near
    )
    place = {one: k for k, one in enumerate(body)}
    ahead = [one for one in near if place[one] < place[op]]
    if not is_one_place or len(ahead) != 1 or add not in place:
        return None
    (load,) = ahead
    assert isinstance(load, affine.LoadOp)
    if (add.lhs is load.result) == (add.rhs is load.result):
        return None
    return _Sum(load, add, op, add.rhs if add.lhs is load.result else add.lhs)


def _loaded_again(one: _Sum, body: Sequence[Operation]) -> list[affine.LoadOp]:
    loads = [op for op in body if isinstance(op, affine.LoadOp) and op is not one.load]
    return [op for op in loads if op.memref is one.store.memref]


def _is_taken_by(outer: _Sum, inner: _Sum, again: Sequence[affine.LoadOp]) -> bool:
    """Is what the inner sum was, or is, taken by nothing but it and the outer one?"""
    own: set[Operation] = {inner.add, inner.store, outer.add}
    values = [inner.load.result, inner.add.result, *(one.result for one in again)]
    taken = [use.operation for value in values for use in value.uses]
    return all(one in own for one in taken) and taken.count(outer.add) == 1


def _is_sum_alone(outer: _Sum, body: Sequence[Operation]) -> bool:
    values = outer.load.result, outer.add.result
    return all(one.has_one_use() for one in values) and not _loaded_again(outer, body)


def _close(
    op: affine.ForOp, inner: _Sum, outer: _Sum, again: Sequence[affine.LoadOp], *, is_now: bool
) -> None:
    block, type_ = op.body.block, outer.add.result.type
    ahead, within = AffineBuilder(Block(), op), AffineBuilder(Block(), op)
    low, high = ahead.range_of(op)
    # Where the loop does not run, it touches nothing.
    branch = ahead.branch([high - low - 1])
    with branch.then():
        _add_what_was(ahead, high - low, inner, outer)
    with branch.orelse():
        pass
    branch.close()
    end = ahead.insert(arith.IndexCastOp(ahead.value(high - (0 if is_now else 1)), type_)).result
    here = within.insert(arith.IndexCastOp(block.args[0], type_)).result
    times = within.insert(arith.SubiOp(end, here)).result
    part = within.insert(arith.MuliOp(times, inner.term)).result
    new = arith.AddiOp(outer.load.result, part)
    within.insert(new)
    outer.add.result.replace_all_uses_with(new.result)
    _move(ahead, op)
    _move(within, outer.add)
    block.erase_op(outer.add)
    for one in again:
        block.erase_op(one)
    set_facts(op, AffineLoop(op).facts.of_unknown_order())


def _add_what_was(builder: AffineBuilder, count: Linear, inner: _Sum, outer: _Sum) -> None:
    """What the inner sum is in front of the loop, which is in each of the sums."""
    type_ = outer.add.result.type
    places = subscripts_of(inner.store) or (), subscripts_of(outer.store) or ()
    many = builder.insert(arith.IndexCastOp(builder.value(count), type_)).result
    old = builder.load(inner.store.memref, places[0])
    whole = builder.insert(arith.MuliOp(many, old)).result
    total = builder.load(outer.store.memref, places[1])
    builder.store(builder.insert(arith.AddiOp(total, whole)).result, outer.store.memref, places[1])


def _move(builder: AffineBuilder, before: Operation) -> None:
    block = before.parent
    assert block is not None
    for one in list(builder.block.ops):
        one.detach()
        one.location = before.location
        block.insert_op_before(one, before)
