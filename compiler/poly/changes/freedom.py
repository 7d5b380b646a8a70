"""How much the dependences leave open: which loops around a statement commute, and which carry
nothing, when all loops are distributed as far as may be."""

from __future__ import annotations

from collections.abc import Collection

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition, merge_bands
from polyopt.poly.changes.components import distribute
from polyopt.poly.schedule_tree import Tree, bands, statements_of
from polyopt.support.record import record


@record
class Freedom:
    """Sums over statements: `band`, the members of the largest permutable band of two or more
    around each; `parallel`, the loops around each that carry no dependence."""

    band: int
    parallel: int


def freedom(tree: Tree, dependences: isl.UnionMap, statements: Collection[str]) -> Freedom:
    """That of `statements` in a tree that keeps the dependences."""
    band = dict.fromkeys(statements, 0)
    parallel = dict.fromkeys(statements, 0)
    for one in bands(merge_bands(distribute(tree, dependences), TreePosition((), dependences))):
        size = len(one.members) if len(one.members) > 1 else 0
        coincident = sum(member.coincident for member in one.members)
        for name in statements_of(one):
            if name in band:
                band[name] = max(band[name], size)
                parallel[name] += coincident
    return Freedom(sum(band.values()), sum(parallel.values()))
