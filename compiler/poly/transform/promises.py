"""Loops that a person wants to run in vectors or in threads: marks that promise something.

    vectorize   the loop is the innermost one, and nothing is carried by it but sums in any order
    parallel    no values go from one iteration to another but sums in any order, or along the next
                loop, too (a pipeline); memory that each iteration writes anew may be had by each
                thread, which is for the threads' own stage to find out

A promise moves with its loop, and has to hold after every line of a script, whatever the line is
about: interchanged, a loop carries other dependences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.parallelism import LoopParallelism, judge_tree
from polyopt.poly.dependences import Dependences
from polyopt.poly.loops.loop_tree import THREADS, VECTORS
from polyopt.poly.schedule_tree import Sequence, Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names
from polyopt.poly.transform.outline import address_of
from polyopt.poly.transform.places import CannotTransform, Path, SingleLoop, as_loop, replace_loop
from polyopt.poly.violations import describe

PROMISES: Mapping[str, str] = {VECTORS: "in vectors", THREADS: "in threads"}
"""The marks, and how a loop with one is to run."""


def promise(tree: Tree, path: Path, mark: str) -> Tree:
    """The loop marked. Raises CannotTransform where its place forbids it; whether it holds is asked
    of the tree as a whole (`broken_promises`)."""

    def change(loop: SingleLoop) -> Tree:
        if mark in loop.marks:
            raise CannotTransform(f"the loop is to run {PROMISES[mark]} already")
        if mark == VECTORS and _has_loops(loop.body):
            raise CannotTransform(
                "there are loops inside it, and vectors are made of innermost loops",
                "interchange or permute moves it inside",
            )
        return replace(loop, marks=(*loop.marks, mark)).tree()

    return replace_loop(tree, path, change)


def broken_promises(scop: Scop, dependences: Dependences, tree: Tree) -> list[str]:
    """A sentence for each promise that the tree, of single loops, does not keep."""
    if not any(_promised(loop) for _, loop, _ in _loops(tree, (), dependences.validity)):
        return []
    judged = (one.parallelism for one in judge_tree(scop, dependences, tree))
    names = Names.of(scop, tree)
    broken = list[str]()
    for (path, loop, pending), found in zip(
        _loops(tree, (), dependences.validity), judged, strict=True
    ):
        for mark in _promised(loop):
            who = f"{_address(names, path)}, which is to run {PROMISES[mark]},"
            if mark == VECTORS and _has_loops(loop.body):
                broken.append(f"{who} has loops inside it")
            elif not _is_kept(mark, found):
                carried = pending.subtract(pending.eq_at_multi_union_pw_aff(_time(loop)))
                if mark == THREADS:
                    carried = carried.intersect(_values(dependences))
                broken += [
                    f"{who} carries the {one.dependence}: {one.shown}"
                    for one in describe(scop, dependences, carried)
                ]
    return broken


def _is_kept(mark: str, found: LoopParallelism) -> bool:
    if found.is_parallel:
        return True
    if found.pipeline is not None:
        return mark == THREADS
    return bool(found.reductions)


def _values(dependences: Dependences) -> isl.UnionMap:
    """What goes from one instance to another, but for sums whose order is free."""
    flow = dependences.flow
    return flow if dependences.reassociate else flow.union(dependences.reduction)


def _promised(loop: SingleLoop) -> list[str]:
    return [mark for mark in loop.marks if mark in PROMISES]


def _loops(
    tree: Tree, path: Path, pending: isl.UnionMap
) -> Iterator[tuple[Path, SingleLoop, isl.UnionMap]]:
    """Every loop, outer before inner, with the dependences that no loop around it carries."""
    loop = as_loop(tree)
    if loop is not None:
        yield path, loop, pending
        left = pending if pending.is_empty() else pending.eq_at_multi_union_pw_aff(_time(loop))
        yield from _loops(loop.body, (*path, 0), left)
    elif isinstance(tree, Sequence):
        for k, (instances, child) in enumerate(tree.children):
            inside = pending.intersect_domain(instances).intersect_range(instances)
            yield from _loops(child, (*path, k), inside)


def _time(loop: SingleLoop) -> isl.MultiUnionPwAff:
    return isl.MultiUnionPwAff.from_union_pw_aff(loop.function)


def _has_loops(tree: Tree) -> bool:
    if isinstance(tree, Sequence):
        return any(_has_loops(child) for _, child in tree.children)
    return as_loop(tree) is not None


def _address(names: Names, path: Path) -> str:
    parts = [part for part in names.parts if part.path[: len(path)] == path]
    known = (address_of(names, part, path) for part in parts)
    return next((address for address in known if address is not None), "the loop")
