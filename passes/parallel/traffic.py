"""Cache lines that go from core to core: what is shared out otherwise than it was left, and what
lies between two threads' parts of a row.

A core that goes along a row fetches what lies ahead of it: `CORE.threads.fetched_ahead` lines
behind the end of its part, which are another thread's. Each time, that one gets them back.

    for t { for j { y[t, j] = f(y[t - 1, j]) } }    thread 0  y[t, first half  ~~~~]
                                                    thread 1          y[t, ~~~~ second half]

Rows that are short are lost that way: of 250 doubles, in 300 rows, two threads take five times as
long as one (measured: 0.06 to 0.2 microseconds a row). Where a thread's part, and as much that it
fetches, is more than its caches hold, the other one's lines have left these before they are
fetched: of 4 MiB and more 0.003 to 0.015 microseconds a row are lost.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import affine
from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr

from polyopt.dialects.cmem import element_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.ir.affine.affine_nest import Access, AffineLoop, accesses_in, enclosing_loops
from polyopt.ir.affine.linear import Linear
from polyopt.passes.parallel.code import Amount, Code
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES


def lines_touched(
    work: Work,
    around: affine.ForOp | None,
    nest: affine.ForOp,
    arrays: Container[SSAValue] | None = None,
) -> Amount:
    """Lines (of these arrays) that are touched in all iterations of `nest`, in the middle of
    `around`: each once, however often; a subscript that is no sum moves with all loops.
    Contractions, which pack theirs, have none."""
    total: Amount = 0.0
    seen = set[tuple[SSAValue, tuple[object, ...]]]()
    for access in accesses_in(nest):
        if access is None or not access.subscripts:
            continue
        if arrays is not None and access.array not in arrays:
            continue
        forms = access.subscripts
        key = access.array, tuple(_way(access, number) for number in range(len(forms)))
        loops = enclosing_loops(access.op, nest)
        if key in seen or any("contract" in loop.facts.marks for loop in loops):
            continue
        seen.add(key)
        total = work.code.sum(total, _lines_of(work, around, loops, forms, access.array))
    return total


def lines_of_access(
    work: Work, around: affine.ForOp | None, access: Access, nest: affine.ForOp
) -> Amount:
    """Lines that this one touches in all iterations of `nest`, in the middle of `around`."""
    loops = enclosing_loops(access.op, nest)
    return _lines_of(work, around, loops, access.subscripts or (), access.array)


def _way(access: Access, number: int) -> object:
    """What is equal of two subscripts that differ by a number."""
    form = (access.subscripts or ())[number]
    if form is not None:
        return form.terms
    assert isinstance(access.op, affine.LoadOp | affine.StoreOp)
    expression = access.op.map.data.results[number]
    if isinstance(expression, AffineBinaryOpExpr) and isinstance(
        expression.rhs, AffineConstantExpr
    ):
        expression = expression.lhs if expression.kind is AffineBinaryOpKind.Add else expression
    return expression, tuple(access.op.indices)


def _lines_of(
    work: Work,
    around: affine.ForOp | None,
    loops: Sequence[AffineLoop],
    forms: Sequence[Linear | None],
    array: SSAValue,
) -> Amount:
    used = {value for form in forms if form is not None for value in form.values}
    if None in forms:
        used |= {one.iv for one in loops}
    lines: Amount = 1.0
    trips = work.trips([*([around] if around is not None else []), *(one.op for one in loops)])
    for loop, count in reversed(list(zip(loops, trips[-len(loops) :], strict=True))):
        if loop.iv in used:
            used.update(loop.op.operands)
            lines = work.code.product(lines, count)
    last = forms[-1]
    steps = [abs(c) for one in loops if last is not None and (c := last.coefficient(one.iv))]
    part = min(steps) * bytes_of(array) / LINE_BYTES if steps else 1.0
    return work.code.product(lines, min(1.0, part))


def at_memory_speed(
    work: Work,
    around: affine.ForOp | None,
    nest: affine.ForOp,
    arrays: Container[SSAValue] | None = None,
) -> Amount:
    """The least number of cycles in which one core gets what all iterations touch (of these
    arrays), where its own caches do not hold that."""
    code, costs = work.code, CORE.threads
    lines = lines_touched(work, around, nest, arrays)
    cycles = code.product(lines, costs.line_from_afar)
    return code.where_less(float(costs.own_lines), lines, cycles, 0.0)


def crossing(
    work: Work,
    around: affine.ForOp,
    shared: Sequence[affine.ForOp],
    threads: Amount,
    touched: Amount,
) -> Amount:
    """Cycles that one of `threads` waits for lines that were fetched ahead by another one: once for
    each part of a row of what is written, where there are several rows, as far as caches hold the
    parts of the lines that are `touched`. In an iteration of `around` where that is not what is
    shared out itself."""
    code, costs = work.code, CORE.threads
    accesses = [one for one in accesses_in(around) if one is not None]
    written = {one.array for one in accesses if one.is_write}
    total: Amount = 0.0
    for loop in shared:
        for access, weight in _along_rows(loop, around, written):
            loops = [one.op for one in enclosing_loops(access.op, around)]
            rows: Amount = 1.0
            length: Amount = 1.0
            for one, count in zip(loops, work.trips(loops), strict=True):
                if one is loop:
                    length = count
                elif one is not around and (_is_used(one, access) or one.is_ancestor(loop)):
                    rows = code.product(rows, count)
            lines = code.product(length, bytes_of(access.array) / LINE_BYTES)
            fetched = code.at_most(code.ratio(lines, threads), costs.fetched_ahead)
            each = code.product(fetched, costs.moved_line * weight)
            total = code.sum(total, code.product(rows, each))
    return code.product(total, _still_there(code, code.ratio(touched, threads)))


def _still_there(code: Code, part: Amount) -> Amount:
    """Which share of the lines of its part a thread still has when another one fetches them."""
    costs = CORE.threads
    filled = code.product(part, 2.0 / costs.own_lines)
    left = code.ratio(code.difference(costs.overfilled, filled), costs.overfilled - 1.0)
    return code.at_most(code.at_least(left, 0.0), 1.0)


def goes_along_rows(around: affine.ForOp, shared: Sequence[affine.ForOp]) -> bool:
    """Whether there is anything that threads would fetch from one another."""
    written = {one.array for one in accesses_in(around) if one is not None and one.is_write}
    return any(_along_rows(loop, around, written) for loop in shared)


def _along_rows(
    loop: affine.ForOp, around: affine.ForOp, written: set[SSAValue]
) -> list[tuple[Access, float]]:
    """Of what is written in `around`, an access to each array of whose rows the loop, or lanes of
    it, go along a part. Who only reads them there takes a line, and leaves the other one a copy:
    that is half of what it is to write."""
    found = dict[SSAValue, tuple[Access, float]]()
    if "contract" in facts_of(loop).marks:
        return []
    for access in accesses_in(loop):
        if access is not None and access.array in written and _is_of_rows(access, loop, around):
            best = found.get(access.array)
            if best is None or (access.is_write and best[1] < 1.0):
                found[access.array] = (access, 1.0 if access.is_write else 0.5)
    return list(found.values())


def _is_of_rows(access: Access, loop: affine.ForOp, around: affine.ForOp) -> bool:
    if not access.subscripts:
        return False
    last = access.subscripts[-1]
    others = [one.op for one in enclosing_loops(access.op, around) if one.op is not loop]
    is_along = last is not None and abs(last.coefficient(AffineLoop(loop).iv)) == 1
    return is_along and any(_is_used(one, access) for one in others)


def bytes_of_a_step(rows: affine.ForOp, steps: affine.ForOp) -> int | None:
    """How long a stretch of memory's rows an iteration of `steps` writes, in the loops whose range
    goes with it; None where it writes no rows along them, or all of them at once."""
    moving = {AffineLoop(steps).iv}
    found = list[int]()
    for access in accesses_in(steps):
        if access is None or not access.subscripts:
            continue
        loops = enclosing_loops(access.op, steps)
        for loop in loops:
            if any(operand in moving for operand in loop.op.lowerBoundOperands):
                moving.add(loop.iv)
        last = access.subscripts[-1]
        others = [one.op for one in enclosing_loops(access.op, rows) if one.iv not in moving]
        is_along = last is not None and any(abs(last.coefficient(iv)) == 1 for iv in moving)
        if access.is_write and is_along and any(_is_used(one, access) for one in others):
            found.append(steps.step.value.data * bytes_of(access.array))
    return min(found, default=None)


def _is_used(loop: affine.ForOp, access: Access) -> bool:
    """Whether the access moves with the loop: a subscript that is no sum does."""
    iterator = AffineLoop(loop).iv
    return any(form is None or form.coefficient(iterator) for form in access.subscripts or ())


def bytes_of(array: SSAValue) -> int:
    element = element_type(array)
    return element.size if isinstance(element, FixedBitwidthType) else 8
