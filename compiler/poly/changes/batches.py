"""Batches: one loop around small problems that know nothing of each other, each a recurrence.

    for b { for k { for i > k { a[b, i, k] /= a[b, k, k]
                                for j > k { a[b, i, j] -= a[b, i, k] * a[b, k, j] } } } }

Inside, the loops are short and wait for each other; across them nothing waits. Such a nest is for
lanes: as many problems at once as a vector holds, in the order of the source
(`passes/loops/batches`). Any other order of what is inside keeps them from it.

A single sweep down the columns of arrays is none: `a[j, b] = a[j - 1, b] + x[j, b]` goes through
whole rows when its loops are interchanged, where lanes step from row to row (256 x 256 floats: 6.3
and 20.5 us, Zen 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.isl.lists import maps
from polyopt.poly.isl.numbers import val
from polyopt.poly.schedule_tree import Band, Leaf, Sequence, Tree
from polyopt.poly.scop import Scop, Statement
from polyopt.support.core_model import CORE


def has_small_problems(scop: Scop, tree: Tree) -> bool:
    """Is the order of `tree` that of the source, one loop around all, of which each iteration is a
    small problem of known size? Nothing is asked of dependences, which few SCoPs are worth."""
    if not isinstance(tree, Band) or not all(
        _leads(tree, one) and one.domain.dim(isl.dim_type.set) for one in scop.statements
    ):
        return False
    if max(one.domain.dim(isl.dim_type.set) for one in scop.statements) < 2:
        return False
    if not any(map(_is_small, _with_sizes(scop))):
        return False
    return not (_is_one_loop(tree) and _lies_in_rows(scop))


def is_batch(scop: Scop, dependences: Dependences) -> bool:
    """Does no small problem take a value from another, and is each no product?"""
    flows = maps(dependences.value_flow)
    return not any(map(_goes_on, flows)) and _is_recurrence(scop, flows)


def _is_one_loop(tree: Tree) -> bool:
    """Is there one loop in the outermost one, around all statements?"""
    members = 0
    while isinstance(tree, Band):
        members += len(tree.members)
        tree = tree.child
    parts = [part for _, part in tree.children] if isinstance(tree, Sequence) else [tree]
    return members == 2 and all(isinstance(part, Leaf) for part in parts)


def _lies_in_rows(scop: Scop) -> bool:
    """Are neighbouring problems neighbours in rows that a step inside leads across?"""
    return all(_is_row(access.relation) for one in scop.statements for access in one.accesses)


def _is_row(relation: isl.Map) -> bool:
    """Does the problem's number decide on the last subscript alone, and nothing else on that?"""
    if not relation.involves_dims(isl.dim_type.in_, 0, 1):
        return True
    last = relation.dim(isl.dim_type.out) - 1
    others = relation.project_out(isl.dim_type.out, last, 1)
    own = relation.project_out(isl.dim_type.out, 0, last)
    return not (
        others.involves_dims(isl.dim_type.in_, 0, 1) or own.involves_dims(isl.dim_type.in_, 1, 1)
    )


def _leads(band: Band, statement: Statement) -> bool:
    """Does the outermost loop count the statement's first iterator?"""
    factors = band.members[0].factors(statement.name)
    return factors is not None and bool(factors) and factors[0] == 1 and not any(factors[1:])


def _with_sizes(scop: Scop) -> Iterator[list[isl.Set]]:
    """The instances of one problem, by statement: as they are, and with each extent of an array as
    the one size that there is."""
    inner = [_of_one(one) for one in scop.statements]
    yield [one.project_out(isl.dim_type.param, 0, one.dim(isl.dim_type.param)) for one in inner]
    texts = {text for array in scop.arrays for text in array.extents if text is not None}
    for extent in sorted((int(text) for text in texts if text.isdecimal()), reverse=True):
        yield [_with_size(one, extent) for one in inner]


def _of_one(statement: Statement) -> isl.Set:
    return statement.domain.project_out(isl.dim_type.set, 0, 1)


def _with_size(instances: isl.Set, size: int) -> isl.Set:
    count = instances.dim(isl.dim_type.param)
    for number in range(count):
        if _bounds_inside(instances, number):
            instances = instances.fix_val(isl.dim_type.param, number, val(size))
    return instances.project_out(isl.dim_type.param, 0, count)


def _bounds_inside(instances: isl.Set, number: int) -> bool:
    """Does a parameter say how many instances one problem has?"""
    dims = instances.dim(isl.dim_type.set)
    return any(
        one.involves_dims(isl.dim_type.param, number, 1)
        for dim in range(dims)
        for one in (instances.dim_min(dim), instances.dim_max(dim))
    )


def _is_small(problem: Iterable[isl.Set]) -> bool:
    sizes = [_instances(one) for one in problem]
    known = [size for size in sizes if size is not None]
    return len(known) == len(sizes) and 0 < sum(known) <= CORE.batches.most_instances


def _instances(inner: isl.Set) -> int | None:
    """Those of the box around; None where that is not known."""
    count = 1
    for dim in range(inner.dim(isl.dim_type.set)):
        low, high = inner.dim_min_val(dim), inner.dim_max_val(dim)
        if not (low.is_int() and high.is_int()):
            return None
        count *= high.to_python() - low.to_python() + 1
    return count


def _goes_on(flow: isl.Map) -> bool:
    """From one problem to another?"""
    same = isl.Map.universe(flow.get_space()).equate(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    return not flow.is_subset(same)


def _is_recurrence(scop: Scop, flows: Iterable[isl.Map]) -> bool:
    """Does a statement wait for itself by other elements than the one that it updates, which are
    the problem's own? What waits in a variable, or in a window that each problem fills anew (a
    median is sorted there), is straight code with lanes around it for LLVM."""
    after: dict[str, set[str]] = {}
    crossing: set[tuple[str, str]] = set()
    for flow in flows:
        ends = flow.get_tuple_name(isl.dim_type.in_), flow.get_tuple_name(isl.dim_type.out)
        after.setdefault(ends[0], set()).add(ends[1])
        if _writes_its_own(scop.statement(ends[0])) and not _stays(scop, flow, *ends):
            crossing.add(ends)
    return any(source in _reached(after, sink) for source, sink in crossing)


def _writes_its_own(statement: Statement) -> bool:
    """Is it another element for each problem?"""
    writes = (access.relation for access in statement.accesses if access.is_write)
    return any(one.involves_dims(isl.dim_type.in_, 0, 1) for one in writes)


def _stays(scop: Scop, flow: isl.Map, source: str, sink: str) -> bool:
    """Does the sink only go on with what the source has written, in the same element?"""
    written = isl.UnionMap.from_map(flow.reverse()).apply_range(_writes(scop, source))
    return written.is_subset(_writes(scop, sink))


def _writes(scop: Scop, name: str) -> isl.UnionMap:
    result = isl.UnionMap.empty(scop.context.get_space())
    for access in scop.statement(name).accesses:
        if access.is_write:
            result = result.union(isl.UnionMap.from_map(access.relation))
    return result


def _reached(after: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    left: list[str] = [start]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left.extend(after.get(one, ()))
    return found
