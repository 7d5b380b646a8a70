"""The classic tests asked of all pairs of accesses of a SCoP that may conflict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import islpy as isl

from polyopt.poly.classic.pair_test import PairVerdict, compare_references
from polyopt.poly.classic.references import Reference, classify, reference_of
from polyopt.poly.isl.lists import sets
from polyopt.poly.linear.linear_forms import function_of
from polyopt.poly.schedule_tree import Band, Mark, Sequence, Tree, read_tree
from polyopt.poly.scop import Access, Scop, Statement
from polyopt.support.record import record


@record
class Pair:
    """Two accesses to one array, one of them a write; `common`: the iterators, of the source, of
    the loops around both. `kinds`: "ziv", "siv" or "miv" for each subscript, "?" where it is not
    affine."""

    source: tuple[Statement, Access]
    sink: tuple[Statement, Access]
    common: tuple[str, ...]
    kinds: tuple[str, ...]
    verdict: PairVerdict


def pairs_of(scop: Scop) -> Iterator[Pair]:
    """In the order of the statements. Raises UnsupportedTree."""
    tree = read_tree(scop.schedule)
    accesses = [
        (statement, access, reference_of(scop, statement, access))
        for statement in scop.statements
        for access in statement.accesses
    ]
    for one, other in combinations_with_replacement(accesses, 2):
        if one[1].array != other[1].array or not (one[1].is_write or other[1].is_write):
            continue
        if one is other and not one[0].iterators:
            continue
        common = _common(tree, one[0].name, other[0].name)
        yield Pair(
            one[:2],
            other[:2],
            one[0].iterators[:common],
            _kinds(one[2], other[2]),
            compare_references(one[2], other[2], common),
        )


def _kinds(source: Reference, sink: Reference) -> tuple[str, ...]:
    return tuple(
        "?" if one is None or other is None else classify(one, other)
        for one, other in zip(source.subscripts, sink.subscripts, strict=True)
    )


def _common(tree: Tree, source: str, sink: str) -> int:
    """How many loops are around both, each along an iterator of theirs at its place."""
    common = 0
    while True:
        match tree:
            case Mark(child=child):
                tree = child
            case Band(members=members, child=child):
                for member in members:
                    rows = [function_of(member.function, name) for name in (source, sink)]
                    if not all(row is not None and _is_along(row, common) for row in rows):
                        return common
                    common += 1
                tree = child
            case Sequence(children=children):
                wanted = {source, sink}
                inside = [child for part, child in children if wanted <= _names(part)]
                if len(inside) != 1:
                    return common
                tree = inside[0]
            case _:
                return common


def _names(instances: isl.UnionSet) -> set[str | None]:
    return {one.get_tuple_name() for one in sets(instances)}


def _is_along(row: tuple[int, ...], place: int) -> bool:
    return all(abs(factor) == (k == place) for k, factor in enumerate(row))
