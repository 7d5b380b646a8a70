"""Conditionals in inner loops as selections, where both of their arms store to the same element, or
to none and give values.

    if (a[i] == b[j]) L[i, j] = f(L[i - 1, j - 1])        x = f(L[i - 1, j - 1])
    else              L[i, j] = g(L[i - 1, j])      =>    y = g(L[i - 1, j])
                                                          L[i, j] = a[i] == b[j] ? x : y

An arm's load then runs always, which is harmless where its element lies between the array's first
one and one that is touched in every iteration, in each dimension: the memory in between is there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, scf
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.elementwise import has_lanes

IsThere = Callable[[affine.LoadOp], bool]
"""Is the element that it loads touched for another reason, whatever the conditions are?"""


def with_selections(
    loop: affine.ForOp, is_there: IsThere = lambda load: False
) -> affine.ForOp | None:
    """A copy, next to the loop, in which the conditionals of inner loops are selections; None, and
    nothing changes, where there are none or one cannot be."""
    conditionals = [op for op in loop.walk() if isinstance(op, scf.IfOp)]
    if not conditionals or not all(_may_be_selection(op) for op in conditionals):
        return None
    copy = loop.clone()
    assert loop.parent is not None
    loop.parent.insert_op_before(copy, loop)
    # Inner ones first: then the arms around them are straight.
    for op in reversed([op for op in copy.walk() if isinstance(op, scf.IfOp)]):
        if not _replace(op, is_there):
            copy.detach()
            copy.erase()
            return None
    return copy


def _may_be_selection(op: scf.IfOp) -> bool:
    """As far as can be seen without those inside of it."""
    return bool(op.false_region.blocks) and _is_straight(op)


def _is_straight(op: scf.IfOp) -> bool:
    return all(
        isinstance(inner, (affine.LoadOp, affine.StoreOp, scf.IfOp, scf.YieldOp))
        or has_lanes(inner)
        for region in op.regions
        for inner in region.block.ops
    )


def _replace(op: scf.IfOp, is_there: IsThere) -> bool:
    """By what is in its arms and selections, if it can be."""
    arms = [
        [one for one in region.block.ops if one is not region.block.last_op]
        for region in op.regions
    ]
    stores = _last_stores(op, arms)
    assert op.parent is not None
    if stores is None:
        return False
    always: list[ElementAccess] = [*stores[:1], *_touches_around(op)]
    loads = [one for arm in arms for one in arm if isinstance(one, affine.LoadOp)]
    if not all(_is_there(load, always) or is_there(load) for load in loads):
        return False
    for one in (*arms[0], *arms[1]):
        if one not in stores:
            one.detach()
            op.parent.insert_op_before(one, op)
    chosen = [[one.value] for one in stores] or [_yielded(region.block) for region in op.regions]
    choices = [arith.SelectOp(op.cond, *pair) for pair in zip(*chosen, strict=True)]
    for choice, value in zip(choices, chosen[0], strict=True):
        choice.location = op.location
        choice.result.name_hint = value.name_hint
    op.parent.insert_ops_before(choices, op)
    for result, choice in zip(op.results, choices, strict=not stores):
        result.replace_all_uses_with(choice.result)
    if stores:
        store = stores[0].clone({stores[0].value: choices[0].result})
        op.parent.insert_op_before(store, op)
    op.detach()
    op.erase()
    return True


def _last_stores(op: scf.IfOp, arms: Sequence[Sequence[Operation]]) -> list[affine.StoreOp] | None:
    """What the arms end in: a store each, to the same element, or none, and values; None where they
    do anything else."""
    stores = [[one for one in arm if isinstance(one, affine.StoreOp)] for arm in arms]
    if not any(stores):
        return []
    if op.results or [len(one) for one in stores] != [1, 1]:
        return None
    (then,), (orelse,) = stores
    is_same = then.memref is orelse.memref and subscripts_of(then) == subscripts_of(orelse)
    is_last = then is arms[0][-1] and orelse is arms[1][-1]
    return [then, orelse] if is_same and is_last else None


def _yielded(block: Block) -> list[SSAValue]:
    assert block.last_op is not None
    return list(block.last_op.operands)


def _touches_around(op: scf.IfOp) -> list[ElementAccess]:
    """What each iteration of the innermost loop touches in which the conditional runs."""
    touches: list[ElementAccess] = []
    inside: Operation | None = op
    while inside is not None and not isinstance(inside, affine.ForOp):
        assert inside.parent is not None
        touches += [
            one for one in inside.parent.ops if isinstance(one, (affine.LoadOp, affine.StoreOp))
        ]
        inside = inside.parent_op()
    return touches


def _is_there(load: affine.LoadOp, always: Sequence[ElementAccess]) -> bool:
    """Does the element lie between the array's first one and one that is touched anyway?"""
    forms = subscripts_of(load)
    if forms is None:
        return False
    loops = enclosing_loops(load)
    if not all(_is_never_negative(form, loops) for form in forms):
        return False
    for touch in always:
        others = subscripts_of(touch)
        if touch.memref is not load.memref or others is None:
            continue
        difference = [other - form for form, other in zip(forms, others, strict=True)]
        if not any(form.terms or form.constant < 0 for form in difference):
            return True
    return False


def _is_never_negative(form: Linear, loops: Sequence[AffineLoop]) -> bool:
    least = form.constant
    for value, factor in form.terms:
        lowers = [
            low.constant
            for loop in loops
            if loop.iv is value and loop.step > 0
            for low in loop.lowers or ()
            if not low.terms
        ]
        if factor < 0 or not lowers:
            return False
        least += factor * max(lowers)
    return least >= 0
