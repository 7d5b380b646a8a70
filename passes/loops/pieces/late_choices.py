"""Of the greatest of several values, what an iteration waits for is compared last.

    h = max(max(max(x, e), f), 0)     =>     h = max(max(max(x, f), 0), e)

where `e` is made of what the iteration before has stored: then one comparison is on the way from
iteration to iteration, and the others may be lanes of vectors ahead of it (tree height reduction:
D. J. Kuck, Y. Muraoka, S.-C. Chen, On the number of operations simultaneously executable in
Fortran-like programs, IEEE Trans. Computers C-21(12), 1972). Of several that are waited for, the
one that is there last comes last. The greatest and the least of integers are the same in any order;
those of floating-point numbers where neither NaNs nor the signs of zeros count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeGuard

from xdsl.dialects import affine, arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.fast_math import permits
from polyopt.passes.loops.vectors.late_terms import carried_by
from polyopt.passes.loops.vectors.scan_model import latency_of

_INTEGERS = (arith.MaxSIOp, arith.MinSIOp, arith.MaxUIOp, arith.MinUIOp)
_FLOATS = (arith.MaximumfOp, arith.MinimumfOp, arith.MaxnumfOp, arith.MinnumfOp)
_FREE = (FastMathFlag.NO_NANS, FastMathFlag.NO_SIGNED_ZEROS)


def choose_late_last(op: affine.ForOp) -> None:
    """In each choice among three values or more of a loop's straight code."""
    block = op.body.block
    if any(one.regions for one in block.ops):
        return
    choices = [(one, _chosen_from(one)) for one in block.ops if _is_root(one)]
    choices = [(root, values) for root, values in choices if len(values) > 2]
    if not choices:
        return
    ready = _times(AffineLoop(op))
    for root, values in choices:
        inside = set(values)
        ordered = sorted(values, key=lambda one: ready.get(one, -1.0))
        if ordered != values and len(inside) == len(values):
            _write(root, ordered)


def _times(loop: AffineLoop) -> Mapping[SSAValue, float]:
    """How long after what the iteration before has left each value is there, if it needs that. What
    the iteration itself has stored and loads again is there with what it has stored."""
    since: dict[SSAValue, float] = {load.result: 0.0 for load, _ in carried_by(loop)}
    stored: dict[tuple[SSAValue, tuple[Linear, ...]], SSAValue] = {}
    for op in loop.block.ops:
        if isinstance(op, affine.LoadOp | affine.StoreOp):
            places = subscripts_of(op)
            if places is None:
                continue
            if isinstance(op, affine.StoreOp):
                stored[op.memref, places] = op.value
            elif (op.memref, places) in stored:
                value = stored[op.memref, places]
                since |= {op.result: since[value]} if value in since else {}
            continue
        known = [since[one] for one in op.operands if one in since]
        if known:
            since |= {one: max(known) + latency_of(op) for one in op.results}
    return since


def _is_choice(op: Operation | Block) -> bool:
    if isinstance(op, _FLOATS):
        return all(permits(op, one) for one in _FREE)
    return isinstance(op, _INTEGERS)


def _is_part(value: SSAValue, root: Operation) -> bool:
    """Is the value a choice of the same kind that only another one of the block takes?"""
    owner = value.owner
    is_same = isinstance(owner, type(root)) and owner.parent is root.parent
    return is_same and _is_choice(owner) and value.has_one_use()


def _is_root(op: Operation) -> bool:
    if not _is_choice(op):
        return False
    result = op.results[0]
    users = [one.operation for one in result.uses]
    return not (len(users) == 1 and _is_part(result, users[0]))


def _chosen_from(root: Operation) -> list[SSAValue]:
    """In the order of the source."""
    found: list[SSAValue] = []
    pending = list(root.operands)
    while pending:
        value = pending.pop(0)
        if _is_part(value, root):
            owner = value.owner
            assert isinstance(owner, Operation)
            pending = [*owner.operands, *pending]
        else:
            found.append(value)
    return found


def _write(root: Operation, values: Sequence[SSAValue]) -> None:
    block = root.parent
    assert block is not None
    best = values[0]
    for value in values[1:]:
        made = type(root).create(
            operands=[best, value], result_types=[best.type], properties=dict(root.properties)
        )
        made.location = root.location
        block.insert_op_before(made, root)
        best = made.results[0]
    best.name_hint = root.results[0].name_hint
    root.results[0].replace_all_uses_with(best)
    unused: list[Operation] = [root]
    while unused:
        op = unused.pop()
        before = [one.owner for one in dict.fromkeys(op.operands)]
        op.detach()
        op.erase()
        unused += [one for one in before if _is_left(one, block, type(root))]


def _is_left(op: Operation | Block, block: Block, kind: type[Operation]) -> TypeGuard[Operation]:
    """Was the operation a part of the choice, and is nothing's operand now?"""
    return isinstance(op, kind) and op.parent is block and not op.results[0].uses
