"""The tiles of `poly-tile` that are no boxes: hexagons, a lattice's, stripes of hyperplanes.

A nest is tiled if it is a perfect one of as many loops as the tiles have dimensions. What cannot
be tiled is an error, of which the pass makes a remark where nobody asked for this SCoP.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyopt.ir.problem import Problem
from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.scanning.tile_functions import Tiles
from polyopt.poly.schedule_tree import Sequence, Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.transform.bands import join_loops
from polyopt.poly.transform.partition import Inside, tile_by
from polyopt.poly.transform.places import CannotTransform, Path, as_loop, single_loops
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000


def tile_problem(problem: Problem, tiles: Tiles, inside: Inside) -> None:
    """Every nest of loops that has the tiles' dimensions, tiled. CompileError, at the SCoP, if
    there is none, or if that breaks a dependence, which it names."""
    schedule = problem.scop.schedule
    try:
        before = tree = single_loops(read_tree(schedule))
        pairs = problem.dependences.validity.intersect_params(problem.scop.known)
        domain = problem.scop.domain.intersect_params(problem.scop.known)
        with budget("tiles", OPERATIONS):
            for nest in list(_nests(tree, (), tiles.dimensions)):
                tree = tile_by(tree, nest, tiles, domain, pairs, inside)
    except (UnsupportedTree, BudgetExceeded) as error:
        raise CompileError(f"not tiled: {error}", problem.span) from None
    except CannotTransform as error:
        raise CompileError(f"not tiled: {error.reason}", problem.span, error.hint) from None
    if tree is before:
        raise CompileError(f"not tiled: no nest of {tiles.dimensions} loops", problem.span)
    tiled = build_schedule(schedule.get_domain(), tree)
    violations = problem.violations(tiled)
    if violations:
        raise CompileError(
            f"not tiled: {violations[0]}",
            problem.span,
            "no side of a tile may be crossed by dependences in both directions",
        )
    try:
        with budget("bands", OPERATIONS):
            tree = join_loops(tree, TreePosition((), pairs))
    except BudgetExceeded:
        remark("missed", "band-budget", "which loops commute costs too much to say", problem.span)
    problem.accept(build_schedule(schedule.get_domain(), tree))


def _nests(tree: Tree, path: Path, loops: int) -> Iterator[tuple[Path, ...]]:
    """The paths of the outermost perfect nests of `loops` loops."""
    found = list[Path]()
    here = tree
    while (loop := as_loop(here)) is not None and len(found) < loops:
        found.append((*path, *(0 for _ in found)))
        here = loop.body
    if len(found) == loops:
        yield tuple(found)
    elif isinstance(here, Sequence):
        inner = (*path, *(0 for _ in found))
        for k, (_, child) in enumerate(here.children):
            yield from _nests(child, (*inner, k), loops)
