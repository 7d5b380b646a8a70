"""What the poly-ast scheduler knows of each statement: its loops in the source, and the order that
memory would like best (`memory_cost`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.strides import AccessMatrices
from polyopt.poly.changes.retiming import Direction
from polyopt.poly.cost.distinct_lines import Reference, distinct
from polyopt.poly.cost.memory_cost import Body, Level, loop_order
from polyopt.poly.schedule_tree import Tree, members_below, read_tree
from polyopt.poly.scop import Scop, Statement
from polyopt.support.record import record


@record
class Model:
    """What the algorithm knows of each statement: the directions of its loops in the source,
    outermost first, and the same ones in the order of its memory cost."""

    scop: Scop
    matrices: AccessMatrices
    levels: tuple[Level, ...]
    source: Mapping[str, tuple[Direction, ...]]
    best: Mapping[str, tuple[Direction, ...]]

    @staticmethod
    def of(scop: Scop, levels: tuple[Level, ...]) -> Model:
        tree = read_tree(scop.schedule)
        running = [one for one in scop.statements if not one.domain.is_empty()]
        source = {one.name: _source_directions(one, tree) for one in running}
        model = Model(scop, AccessMatrices(scop), levels, source, source)
        return replace(model, best={name: model._best_order(name) for name in source})

    def _best_order(self, name: str) -> tuple[Direction, ...]:
        loops = self.source[name]
        order = loop_order(self._references(name, loops), len(loops), self.levels)
        return tuple(loops[k] for k in order)

    def body(self, name: str, outer: Sequence[Direction]) -> Body:
        """The statement in a nest with the loops `outer`, of which one along an iterator that has
        a loop already is none; the others inside, the best first."""
        along: dict[int, Direction] = {}
        for one in outer:
            if one.axis is not None:
                along.setdefault(one.axis, one)
        own = [one for one in self.best[name] if one.axis not in along]
        loops = [*along.values(), *own]
        return Body(self._references(name, loops), len(loops), len(loops) - len(own))

    def _references(self, name: str, loops: Sequence[Direction]) -> tuple[Reference, ...]:
        found = list[Reference]()
        for access in self.scop.statement(name).accesses:
            rows = self.matrices.subscripts(name, access)
            if rows is not None:
                moves = tuple(_along(row, loops) for row in rows)
                size = self.scop.array(access.array).element_bytes
                found.append(Reference(access.array, moves, access.is_write, size))
        return distinct(found)


def _along(row: Sequence[int], loops: Sequence[Direction]) -> tuple[int, ...]:
    return tuple(one.sign * row[one.axis] for one in loops if one.axis is not None)


def _source_directions(statement: Statement, tree: Tree) -> tuple[Direction, ...]:
    """The iterators in the order of the loops around the statement; those that no loop runs
    along by itself come last."""
    found: dict[int, Direction] = {}
    for member in members_below(tree, statement.name):
        row = member.factors(statement.name) or ()
        axes = [k for k, factor in enumerate(row) if factor]
        if len(axes) == 1:
            sign = 1 if row[axes[0]] > 0 else -1
            found.setdefault(axes[0], Direction(axes[0], sign))
    for axis in range(statement.domain.dim(isl.dim_type.set)):
        found.setdefault(axis, Direction(axis))
    return tuple(found.values())
