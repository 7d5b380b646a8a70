"""Distribution (fission) and statement reordering: what stands in a sequence, apart or elsewhere.

    distribute  for i { S; T }     =>     for i { S }  for i { T }
    reorder     S; T               =>     T; S

isl's terms: a band over a sequence becomes a sequence of bands; the children of a sequence are
permuted. Legal if no dependence goes from what now runs later to what runs earlier.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import pairwise

import islpy as isl

from polyopt.poly.schedule_tree import Band, Member, Sequence, Tree, on_statements_of
from polyopt.poly.transform.fusing import common_sequence
from polyopt.poly.transform.places import (
    CannotTransform,
    Child,
    Path,
    SingleLoop,
    replace_at,
    replace_loop,
    sequence,
    sequence_at,
    union_of,
)


def distribute(tree: Tree, loop: Path, before: Collection[int] | None = None) -> Tree:
    """A loop of its own for each child of the sequence that is the loop's body; given `before`,
    cut only in front of the children at these positions."""

    def change(one: SingleLoop) -> Tree:
        if not isinstance(one.body, Sequence):
            raise CannotTransform(
                "the loop's body is not several statements or loops", "distribute the loop inside"
            )
        children = one.body.children
        cuts = [k for k in range(1, len(children)) if before is None or k in before]
        bounds = [0, *cuts, len(children)]
        parts = [children[a:b] for a, b in pairwise(bounds)]
        return sequence(tuple(_around(one, part) for part in parts))

    return replace_loop(tree, loop, change)


def _around(loop: SingleLoop, part: tuple[Child, ...]) -> Child:
    instances, band = loop_around(Member(loop.function), part)
    return instances, loop.marked(band)


def loop_around(member: Member, part: tuple[Child, ...]) -> tuple[isl.UnionSet, Band]:
    """The loop of `member` around some of what stands in it."""
    instances = union_of(part)
    own = replace(member, function=on_statements_of(member.function, instances))
    return instances, Band((own,), sequence(part))


def reorder(tree: Tree, places: Seq[Path]) -> Tree:
    """The places of these children of one sequence taken by the same children in the order in
    which they are listed."""
    parent = common_sequence(places)
    around = sequence_at(tree, parent)
    children = list(around.children)
    for position, path in zip(sorted(path[-1] for path in places), places, strict=True):
        children[position] = around.children[path[-1]]
    return replace_at(tree, parent, lambda _: sequence(tuple(children)))
