"""What an iteration waits for is added last.

    a[i] = (a[i] + a[i - 1] * b[i]) + a[i - 2] * c[i]     =>
    a[i] = (a[i] + a[i - 2] * c[i]) + a[i - 1] * b[i]

Where the order of a sum is free, the terms that the iteration before has only just made come behind
the others: then one addition, or one fused product, is on the way from iteration to iteration (tree
height reduction: D. J. Kuck, Y. Muraoka, S.-C. Chen, On the number of operations simultaneously
executable in Fortran-like programs, IEEE Trans. Computers C-21(12), 1972). The order is kept from
there on: LLVM would sort the terms by where they are computed. A loop that carries nothing but sums
of which only the last is wanted is left alone: in an order that is free LLVM has lanes for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import affine, arith
from xdsl.ir import Block, Operation, OpResult, SSAValue

from polyopt.dialects.loop_facts import restrict_rounding
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.fast_math import may_reassociate
from polyopt.passes.loops.replacement import tell
from polyopt.support.record import record

_SUMS = (arith.AddfOp, arith.SubfOp)


@record
class _Term:
    value: SSAValue
    is_added: bool


def add_late_terms_last(op: affine.ForOp) -> None:
    """In each sum of a loop's straight code whose order is free. A remark says so."""
    loop = AffineLoop(op)
    if any(one.regions for one in loop.block.ops):
        return
    carried = list(carried_by(loop))
    if all(_is_accumulation(load, store) for load, store in carried):
        return
    is_changed = False
    for root in [one for one in loop.block.ops if isinstance(one, _SUMS) and _is_root(one)]:
        terms = _terms(root, loop.block)
        made = reach(loop.block, root.results)
        before = [load.result for load, store in carried if store.value in made]
        late = reach(loop.block, before)
        last = [one for one in terms if one.value in late]
        first = [one for one in terms if one.value not in late]
        if last and len(first) > 1 and any(one.is_added for one in first):
            first = _added_first(first)
            is_changed |= [*first, *last] != terms
            _write(root, first, last)
    if is_changed:
        tell("late-terms", op, "what earlier iterations give is added last")


def carried_by(loop: AffineLoop) -> Iterable[tuple[affine.LoadOp, affine.StoreOp]]:
    """Loads of what the iteration before has stored, with the stores."""
    stores = [one for one in loop.block.ops if isinstance(one, affine.StoreOp)]
    loads = [one for one in loop.block.ops if isinstance(one, affine.LoadOp)]
    for store in stores:
        places = subscripts_of(store)
        if places is None:
            continue
        earlier: dict[SSAValue, Linear] = {loop.iv: Linear.of(loop.iv) - loop.step}
        before = [form.substitute(earlier) for form in places]
        for load in loads:
            if load.memref is store.memref and list(subscripts_of(load) or ()) == before:
                if before != list(places) or load.is_before_in_block(store):
                    yield load, store


def _is_accumulation(load: affine.LoadOp, store: affine.StoreOp) -> bool:
    """Does the place where `store` stands get what `load` took from there plus terms that know
    nothing of it, in any order?"""
    total, block = store.value, store.parent
    if block is None or subscripts_of(load) != subscripts_of(store):
        return False
    root = _free_sum(total.owner, block)
    if root is None or not total.has_one_use() or not load.result.has_one_use():
        return False
    others = [one.value for one in _terms(root, block) if one.value is not load.result]
    return not reach(block, [load.result]).intersection(others)


def _is_root(op: Operation) -> bool:
    if not may_reassociate(op):
        return False
    uses = list(op.results[0].uses)
    return len(uses) != 1 or _free_sum(uses[0].operation, op.parent) is None


def _free_sum(op: Operation | Block, block: Block | None) -> Operation | None:
    is_one = isinstance(op, _SUMS) and op.parent is block and may_reassociate(op)
    return op if is_one and isinstance(op, Operation) else None


def _terms(root: Operation, block: Block) -> list[_Term]:
    """In the order of the source."""
    found: list[_Term] = []
    pending = [_Term(one, k == 0 or isinstance(root, arith.AddfOp)) for k, one in _numbered(root)]
    while pending:
        term = pending.pop(0)
        owner = _free_sum(term.value.owner, block)
        if owner is None or not term.value.has_one_use():
            found.append(term)
            continue
        pending = [
            *(
                _Term(one, term.is_added == (k == 0 or isinstance(owner, arith.AddfOp)))
                for k, one in _numbered(owner)
            ),
            *pending,
        ]
    return found


def _numbered(op: Operation) -> list[tuple[int, SSAValue]]:
    return list(enumerate(op.operands))


def reach(block: Block, values: Iterable[SSAValue]) -> set[SSAValue]:
    """They, and all that is computed of them."""
    found = set(values)
    for op in block.ops:
        if not isinstance(op, affine.LoadOp) and any(one in found for one in op.operands):
            found.update(op.results)
    return found


def _added_first(terms: Sequence[_Term]) -> list[_Term]:
    head = next(one for one in terms if one.is_added)
    return [head, *(one for one in terms if one is not head)]


def _write(root: Operation, first: Sequence[_Term], last: Sequence[_Term]) -> None:
    block = root.parent
    assert block is not None
    total = first[0].value
    for number, term in enumerate([*first[1:], *last], start=1):
        kind = arith.AddfOp if term.is_added else arith.SubfOp
        made = kind.create(
            operands=[total, term.value],
            result_types=[total.type],
            properties=dict(root.properties),
        )
        made.location = root.location
        if number >= len(first):
            restrict_rounding(made.attributes, "in_order")
        block.insert_op_before(made, root)
        total = made.results[0]
    old: OpResult = root.results[0]
    total.name_hint = old.name_hint
    old.replace_all_uses_with(total)
    unused: list[Operation] = [root]
    while unused:
        op = unused.pop()
        before = [one.owner for one in op.operands]
        block.erase_op(op)
        unused += [
            one
            for one in dict.fromkeys(before)
            if isinstance(one, _SUMS) and one.parent is block and not one.results[0].uses
        ]
