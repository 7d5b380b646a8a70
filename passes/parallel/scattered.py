"""Lines that threads take here and there from the last cache, which are no faster in two threads.

    for i { for j { t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; } }     rows of a; columns are not
    for i { o[i] = v[x[i]]; }                                            rows of o and x; v is not

What is gone through in rows is fetched ahead, by each core for itself. What is not has to be found
first, in the last cache or in those of the core that has made it, and one core has as many lines on
their way as two: gathers from 4 MB that the other core has made take 2.6 nanoseconds each, from the
last cache 0.9 to 1.9, in one thread 0.9; columns of 8 MB take as long in two threads as in one
(measured on Zen 4 and Zen 5). Beyond the last cache, lines come from memory, twice as many to two
cores as to one; and so do columns beyond a core's own caches where the last one is far away
(`Target.distant_last`; gathers of 360,000 floats there 0.8 to 1.2, of a million 1.4 to 1.8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.dialects import affine
from xdsl.ir import OpResult, SSAValue

from polyopt.dialects.cmem import memref_type
from polyopt.ir.affine.affine_nest import Access, access_of, enclosing_loops, is_defined_inside
from polyopt.passes.parallel.code import Amount
from polyopt.passes.parallel.traffic import bytes_of, lines_of_access, lines_touched
from polyopt.passes.parallel.work import Work
from polyopt.support.core_model import CORE
from polyopt.support.target import LINE_BYTES, Target


def among_scattered(work: Work, nest: affine.ForOp) -> Amount:
    """Cycles that threads lose by lines of `nest` that are in no rows: none, where all that it
    touches is more than the last cache holds. Contractions, which pack theirs, have none."""
    code, costs = work.code, CORE.threads
    columns: Amount = 0.0
    gathered: Amount = 0.0
    for access in _scattered(nest):
        lines = _lines(work, access, nest)
        if _is_indirect(access, nest):
            gathered = code.sum(gathered, lines)
        else:
            columns = code.sum(columns, lines)
    all_lines = code.sum(columns, gathered)
    if all_lines == 0.0:
        return 0.0
    touched = code.greatest_of(all_lines, lines_touched(work, None, nest))
    total: Amount = 0.0
    for lines, most in ((columns, work.last_lines), (gathered, costs.last_lines)):
        cycles = code.product(lines, costs.moved_line)
        held = 0.0 if lines == 0.0 else code.where_less(touched, float(most), cycles, 0.0)
        total = code.sum(total, held)
    return total


def last_lines_of(target: Target) -> int:
    """Of how many lines that are touched, those in columns come no faster to two threads."""
    return target.l2_bytes // LINE_BYTES if target.distant_last else CORE.threads.last_lines


def _lines(work: Work, access: Access, nest: affine.ForOp) -> Amount:
    """Different ones: data may say the same place again and again where there are few."""
    if not _is_indirect(access, nest):
        return lines_of_access(work, None, access, nest)
    count: Amount = 1.0
    for trips in work.trips([one.op for one in enclosing_loops(access.op, nest)]):
        count = work.code.product(count, trips)
    type_ = memref_type(access.array)
    if not type_.has_static_shape():
        return count
    size = bytes_of(access.array) * prod(type_.get_shape())
    return work.code.at_most(count, size / LINE_BYTES)


def _scattered(nest: affine.ForOp) -> Iterator[Access]:
    """Each of those that differ in more than a number once."""
    seen = set[tuple[object, ...]]()
    for loop in (op for op in nest.walk() if isinstance(op, affine.ForOp)):
        if any("contract" in one.facts.marks for one in enclosing_loops(loop, nest)):
            continue
        own = [one for one in map(access_of, loop.body.block.ops) if one is not None]
        for access in _out_of_rows(own, nest):
            key = access.array, _terms(access)
            if key not in seen:
                seen.add(key)
                yield access


def _out_of_rows(accesses: Sequence[Access], nest: affine.ForOp) -> list[Access]:
    """Those of a body that are in no rows of the loop along which most of them are."""
    indirect = [one for one in accesses if _is_indirect(one, nest)]
    others = [one for one in accesses if one not in indirect and one.subscripts]
    loops = enclosing_loops(accesses[0].op, nest) if accesses else []
    across: list[list[Access]] = [
        [one for one in others if _goes_across(one, loop.iv)] for loop in loops
    ]
    return indirect + (min(across, key=len) if across else [])


def _goes_across(access: Access, iterator: SSAValue) -> bool:
    """Whether each iteration takes it to another line."""
    *outer, last = access.subscripts or (None,)
    if any(form is not None and form.coefficient(iterator) for form in outer):
        return True
    step = 0 if last is None else abs(last.coefficient(iterator))
    return step * bytes_of(access.array) >= LINE_BYTES


def _terms(access: Access) -> tuple[object, ...]:
    return tuple(None if form is None else form.terms for form in access.subscripts or ())


def _is_indirect(access: Access, nest: affine.ForOp) -> bool:
    """Whether what is loaded in the nest says where."""
    return any(
        _is_of_data(value, nest)
        for form in access.subscripts or ()
        if form is not None
        for value in form.values
    )


def _is_of_data(value: SSAValue, nest: affine.ForOp) -> bool:
    """Whether it is computed from what is loaded within the nest."""
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        one = waiting.pop()
        if one in seen or not isinstance(one, OpResult) or not is_defined_inside(one, nest):
            continue
        seen.add(one)
        access = access_of(one.op)
        if access is not None:
            return True
        waiting += one.op.operands
    return False
