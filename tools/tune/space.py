"""The programs that a search may try: what the steps allow and every dependence permits.

A point says which scheduler goes first and what is then done to each SCoP by hand. Its script is
checked line by line as `--schedule=` does it; what it gives is known by the text of its loops, so
that two ways to the same loops are tried once. What is illegal is remembered, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise

from polyopt.dialects.poly import ScopOp
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.module_texts import module_text
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import Unit, lower, parse
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.schedule.apply_steps import apply_script, scop_addresses
from polyopt.poly.cost.work import estimated_work
from polyopt.poly.schedule_tree import Sequence as SequenceNode
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, read_tree
from polyopt.poly.transform.by_hand import run_section
from polyopt.poly.transform.names import Names, Part
from polyopt.poly.transform.outline import address_of
from polyopt.poly.transform.places import Path, as_loop, single_loops
from polyopt.poly.transform.script import parse_script
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.record import record
from polyopt.tools.tune.plans import Change, Plan, Shape
from polyopt.tools.tune.treatment import TreatedNest
from polyopt.tools.tune.turns import in_proportion

SCRIPT = "<polyopt-tune>"
KEPT_NOT = " is not kept"
"""How the reason ends that a dependence stands against a step."""


@record
class Point:
    """`base` is what `--poly=` names; `plans` has one for each SCoP that is tuned."""

    base: str
    plans: tuple[Plan, ...]


class Base:
    """The module as one scheduler leaves it for a script, and its SCoPs in the functions that are
    tuned. Where a script goes on no SCoP is there twice."""

    def __init__(self, source: Source, settings: Settings, functions: Sequence[str]):
        skipped = (*settings.skipped_passes, "poly-keep-small", "poly-tile-written")
        self.unit = parse(source, replace(settings, skipped_passes=skipped), SourceMap())
        lower(self.unit, "schedule")
        scops = [op for op in self.unit.module.walk() if isinstance(op, ScopOp)]
        pairs = zip(scop_addresses(scops), scops, strict=True)
        self.scops = {
            address: op
            for address, op in pairs
            if not functions or address.split()[1].partition(":")[0] in functions
        }
        self._shapes: dict[tuple[str, tuple[str, ...]], Shape | None] = {}
        self.ruled_out = dict[str, str]()
        """Why, by the script."""

    @cached_property
    def _problems(self) -> dict[str, Problem]:
        return {address: read_problem(op) for address, op in self.scops.items()}

    def shape(self, address: str, structure: tuple[str, ...]) -> Shape | None:
        """What the lines make of the SCoP; None if they are illegal."""
        key = address, structure
        if key not in self._shapes:
            try:
                self._shapes[key] = _shape(self._problems[address], structure)
            except CompileError as error:
                self._shapes[key] = None
                self.ruled_out["\n".join((address, *structure, ""))] = _reason(error)
        return self._shapes[key]

    def loops(self, script: str) -> str | None:
        """What tells the loops that the script gives from others; None if it is illegal."""
        unit = Unit(self.unit.module.clone(), self.unit.settings, self.unit.sources)
        unit.level = self.unit.level
        try:
            apply_script(unit.module, parse_script(script, SCRIPT))
        except CompileError as error:
            self.ruled_out[script] = _reason(error)
            return None
        lower(unit, "affine")
        return sha256(module_text(unit.module).encode()).hexdigest()


class Space:
    """The points of one source file. The first of `bases` with nothing done is the baseline."""

    def __init__(
        self,
        source: Source,
        settings: Settings,
        bases: Sequence[str],
        functions: Sequence[str] = (),
    ):
        self.bases = {name: Base(source, replace(settings, poly=name), functions) for name in bases}
        self._loops = dict[Point, str | None]()
        known = {
            address.split()[1].partition(":")[0] for b in self.bases.values() for address in b.scops
        }
        for name in functions:
            if name not in known:
                raise CompileError(
                    f"no loop nest to tune in a function '{name}'",
                    hint="polyopt-cc --remarks says what became of each loop nest",
                )
        if not known:
            raise CompileError(
                "no loop nest here became a SCoP: there is nothing to tune",
                hint="polyopt-cc --remarks says why",
            )

    @property
    def ruled_out(self) -> Mapping[str, str]:
        """Why, by the script, of what was asked for and is illegal."""
        return {script: why for b in self.bases.values() for script, why in b.ruled_out.items()}

    def starts(self) -> list[Point]:
        """The schedulers' own guesses, the baseline first."""
        return [Point(name, tuple(Plan() for _ in base.scops)) for name, base in self.bases.items()]

    def script(self, point: Point) -> str:
        """The sections of the SCoPs that something is done to."""
        base, text = self.bases[point.base], list[str]()
        for address, plan in zip(base.scops, point.plans, strict=True):
            shape = base.shape(address, plan.structure)
            assert shape is not None, "only legal structures are neighbours"
            if lines := plan.lines(shape):
                text += [address, *lines]
        return "".join(f"{line}\n" for line in text)

    def neighbours(self, point: Point) -> Iterator[Point]:
        """Those that change the SCoPs with most of the work come first."""
        base = self.bases[point.base]

        def changed(k: int, address: str, shape: Shape) -> Iterator[Point]:
            for other in point.plans[k].neighbours(shape):
                if base.shape(address, other.structure) is not None:
                    plans = (*point.plans[:k], other, *point.plans[k + 1 :])
                    yield Point(point.base, plans)

        streams = list[tuple[float, Iterator[Point]]]()
        for k, (address, plan) in enumerate(zip(base.scops, point.plans, strict=True)):
            shape = base.shape(address, plan.structure)
            if shape is not None:
                streams.append((shape.work, changed(k, address, shape)))
        yield from in_proportion(*streams)

    def loops(self, point: Point) -> str | None:
        if point not in self._loops:
            self._loops[point] = self.bases[point.base].loops(self.script(point))
        return self._loops[point]


def _reason(error: CompileError) -> str:
    """Without the step, which stands beside it, and without the pair of iterations in numbers."""
    first, *rest = error.diagnostic.message.splitlines()
    if rest:
        return f"{rest[0].strip().partition(KEPT_NOT)[0]}{KEPT_NOT}"
    return first.partition(" cannot be done: ")[2] or first


def _shape(problem: Problem, structure: tuple[str, ...]) -> Shape | None:
    """Raises CompileError where a line is illegal."""
    if not problem.is_understood:
        return None if structure else Shape((), ())
    schedule = problem.scop.schedule
    try:
        for section in parse_script("\n".join(structure), SCRIPT).sections:
            schedule = run_section(problem.scop, problem.dependences, section).scop.schedule
        tree = single_loops(read_tree(schedule))
    except UnsupportedTree:
        return Shape((), ())
    view = _View(Names.of(problem.scop, tree), estimated_work(problem.scop))
    return Shape(tuple(view.nests(tree, ())), tuple(view.changes(tree, ())))


@record
class _View:
    """A tree of single loops with the names in it and the work of each statement."""

    names: Names
    works: Mapping[str, float]

    def nests(self, tree: Tree, path: Path) -> Iterator[TreatedNest]:
        """The longest chains of loops right inside each other."""
        loops, top = list[str](), path
        while (loop := as_loop(tree)) is not None:
            address = self._address(path)
            if address is not None:
                loops.append(address)
            tree, path = loop.body, (*path, 0)
        if loops:
            yield TreatedNest(tuple(loops), self._work_of(top, len(loops)))
        if isinstance(tree, SequenceNode):
            for k, (_, child) in enumerate(tree.children):
                yield from self.nests(child, (*path, k))

    def changes(self, tree: Tree, path: Path, around: str | None = None) -> Iterator[Change]:
        """Distribution of each loop around a sequence; fusion of neighbours, also one apart."""
        loop = as_loop(tree)
        if loop is not None:
            yield from self.changes(loop.body, (*path, 0), self._address(path))
        elif isinstance(tree, SequenceNode):
            if around is not None:
                yield Change(f"distribute {around}", self._work_below(path))
            children = [(child, (*path, k)) for k, (_, child) in enumerate(tree.children)]
            loops = [(self._address(p) if as_loop(child) else None, p) for child, p in children]
            for (first, one), (second, other) in pairwise(loops):
                if first is not None and second is not None:
                    work = self._work_below(one) + self._work_below(other)
                    yield Change(f"fuse {first} {second}", work)
                    yield Change(f"fuse {first} {second}; shift {second} 1", work)
            for child, place in children:
                yield from self.changes(child, place)

    def _parts(self, path: Path) -> Iterator[Part]:
        return (part for part in self.names.parts if part.path[: len(path)] == path)

    def _work_below(self, path: Path) -> float:
        return sum(self.works[part.statement] for part in self._parts(path))

    def _work_of(self, path: Path, loops: int) -> float:
        """A statement's work belongs to the nests around it by how many of its loops each has."""
        return sum(
            self.works[part.statement] * loops / len(part.loops) for part in self._parts(path)
        )

    def _address(self, path: Path) -> str | None:
        found = (address_of(self.names, part, path) for part in self.names.parts)
        return next((one for one in found if one is not None), None)
