"""A SCoP on several processors that live in this process: each has memory of its own, in which an
element holds the instance that wrote it, and what they send each other is counted.

Nothing here asks for dependences: a value that did not arrive shows as one that is too old.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product

import islpy as isl
from oracles.polyhedral import Point, Sizes, accesses_of, execution_order, instances_of

from polyopt.poly.notation import parse_scop
from polyopt.poly.placement.grid import ITS, OWN, Axis, Who, end, first, place
from polyopt.poly.placement.ownership import Placement, place_by_writes
from polyopt.poly.placement.steps import Compute, Exchange, ProcessStep, Repeat
from polyopt.poly.schedule_tree import build_schedule
from polyopt.poly.scop import Scop

Memory = dict[Point, Point]
Cell = tuple[int, ...]


def value_at(bound: isl.PwAff, sizes: Sizes) -> int | None:
    """None where there is none."""
    found = list(instances_of(isl.UnionSet.from_set(isl.Set.from_pw_aff(bound)), sizes))
    return found[0][1][0] if found else None


def part_of(placement: Placement, counts: Sequence[int], cell: Cell, who: Who, sizes: Sizes):
    """The parameters of one processor, as a program would compute them."""
    values = {place(who, axis): coordinate for axis, coordinate in enumerate(cell)}
    for (axis, number), one in placement.ranges.items():
        lower, upper = value_at(one.first, sizes), value_at(one.last, sizes)
        count, coordinate = counts[axis], cell[axis]
        if placement.is_total and (lower is None or upper is None):
            lower, upper = 0, -1
        assert lower is not None
        assert upper is not None
        length = max(upper - lower + 1, 0)
        start = lower + coordinate * length // count
        stop = lower + (coordinate + 1) * length // count
        if placement.is_total:
            start = -FAR if coordinate == 0 else start
            stop = FAR if coordinate == count - 1 else stop
        values[first(who, axis, number)] = start
        values[end(who, axis, number)] = stop
    return values


FAR = 1000
"""Further than any element."""


class Processors:
    """`memories` by processor; `sent` counts the elements that went from one to another."""

    def __init__(self, placement: Placement, counts: Sequence[int], sizes: Sizes):
        self.scop = placement.scop
        self.sizes = sizes
        self.cells: list[Cell] = list(product(*map(range, counts)))
        self.memories: Mapping[Cell, Memory] = {cell: {} for cell in self.cells}
        self.own = {c: part_of(placement, counts, c, OWN, sizes) for c in self.cells}
        self.its = {c: part_of(placement, counts, c, ITS, sizes) for c in self.cells}
        self.sent: dict[tuple[Cell, Cell], int] = defaultdict(int)
        self.reads = dict[tuple[Point, int], Point | None]()
        self.ran = list[tuple[Cell, Point]]()
        self._accesses = accesses_of(self.scop, sizes)

    def run(self, steps: Sequence[ProcessStep], at: Sizes | None = None) -> None:
        """All processors take each step together."""
        at = at or self.sizes
        for step in steps:
            match step:
                case Compute():
                    for cell in self.cells:
                        self._compute(cell, step, {**at, **self.own[cell]})
                case Exchange():
                    self._exchange(step, at)
                case Repeat(name, lower, upper, body):
                    start, last = value_at(lower, at), value_at(upper, at)
                    if start is not None and last is not None:
                        for value in range(start, last + 1):
                            self.run(body, {**at, name: value})

    def _compute(self, cell: Cell, step: Compute, at: Sizes) -> None:
        schedule = build_schedule(step.instances, step.tree)
        memory = self.memories[cell]
        for instance in execution_order(schedule, at):
            self.ran.append((cell, instance))
            accesses = self._accesses[instance]
            for number, (access, element) in enumerate(accesses):
                if not access.is_write:
                    self.reads[instance, number] = memory.get(element)
            for access, element in accesses:
                if access.is_write:
                    memory[element] = instance

    def _exchange(self, step: Exchange, at: Sizes) -> None:
        """What everybody sends is what it has before anything is computed meanwhile, or arrives."""
        arriving = list[tuple[Cell, Point, Point]]()
        for own, its in product(self.cells, self.cells):
            if own == its:
                continue
            bound = {**at, **self.own[own], **self.its[its]}
            for elements in step.elements.values():
                for element in instances_of(isl.UnionSet.from_set(elements), bound):
                    arriving.append((its, element, self.memories[own][element]))
                    self.sent[own, its] += 1
        if step.meanwhile is not None:
            for cell in self.cells:
                self._compute(cell, step.meanwhile, {**at, **self.own[cell]})
        for cell, element, value in arriving:
            self.memories[cell][element] = value


def serial_run(scop: Scop, sizes: Sizes) -> tuple[dict[tuple[Point, int], Point | None], Memory]:
    """What each access reads, and what there is at the end."""
    accesses, memory = accesses_of(scop, sizes), Memory()
    reads = dict[tuple[Point, int], Point | None]()
    for instance in execution_order(scop.schedule, sizes):
        for number, (access, element) in enumerate(accesses[instance]):
            if not access.is_write:
                reads[instance, number] = memory.get(element)
        for access, element in accesses[instance]:
            if access.is_write:
                memory[element] = instance
    return reads, memory


def least_traffic(
    scop: Scop, sizes: Sizes, home: Mapping[Point, Cell]
) -> dict[tuple[Cell, Cell], int]:
    """How many values a processor reads that another one has made: each has to come over once."""
    needed = set[tuple[Point, Point, Cell]]()
    reads, _ = serial_run(scop, sizes)
    accesses = accesses_of(scop, sizes)
    for (instance, number), maker in reads.items():
        if maker is not None and home[maker] != home[instance]:
            needed.add((maker, accesses[instance][number][1], home[instance]))
    found: dict[tuple[Cell, Cell], int] = defaultdict(int)
    for maker, _, reader in needed:
        found[home[maker], reader] += 1
    return found


def sent_by_program(text: str, sizes: Sizes, counts: Sequence[int]) -> tuple[int, int]:
    """By enumeration: how many values have to cross while a SCoP runs by rows, and how many more
    for everybody to have what it leaves."""
    scop = parse_scop(text)
    placement = place_by_writes(scop, [Axis(None)] * len(counts))
    cells = Processors(placement, counts, sizes)
    home = dict[Point, Cell]()
    for cell in cells.cells:
        for instance in instances_of(placement.run_by(OWN), {**sizes, **cells.own[cell]}):
            home[instance] = cell
    crossing = sum(least_traffic(scop, sizes, home).values())
    accesses, reads = accesses_of(scop, sizes), serial_run(scop, sizes)[0]
    has = {(maker, accesses[i][k][1], home[i]) for (i, k), maker in reads.items() if maker}
    results = 0
    for element, maker in serial_run(scop, sizes)[1].items():
        others = [cell for cell in cells.cells if cell != home[maker]]
        results += sum((maker, element, cell) not in has for cell in others)
    return crossing, results
