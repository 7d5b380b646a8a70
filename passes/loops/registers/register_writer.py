"""Writes nests whose results stay in registers (`register_nest.py`) as tiles of rows and vectors.

    for i: for j:                       for i step R: for j step V * lanes:
      s[i, j] = a                         R * V vectors = a
      for k: s[i, j] += f(i, j, k)   =>   for k, R * V vectors carried: each += f
      b[i, j] = s[i, j]                   R * V vectors are stored

A loop of known length ends with a tile of what is left; else tiles of fewer and fewer rows
(`rest_heights`), and single vectors of which the last one is masked, do the rest. A tile that is
a little too high for the rows that are left computes the last of them several times: it reads
before it stores, and stores the same values there.
"""

from __future__ import annotations

from dataclasses import field

from xdsl.ir import SSAValue

from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, floor
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.folded_rows import arrays_as_lines
from polyopt.passes.loops.registers.register_nest import RegisterNest, moves_with
from polyopt.passes.loops.registers.register_plan import Plan, extent_of
from polyopt.passes.loops.registers.register_ranges import (
    Iterators,
    TileRows,
    TileStrip,
    bounds_at,
)
from polyopt.passes.loops.registers.register_tile import RegisterTile
from polyopt.passes.loops.registers.tile_body import least_rows
from polyopt.passes.loops.registers.tile_loops import write_tile
from polyopt.support.record import record

_ONE_ROW = TileRows(1)


@record
class RegisterTileWriter:
    builder: AffineBuilder
    nest: RegisterNest
    plan: Plan
    lines: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The arrays as rows, where vectors hold several (`folded_rows.py`)."""

    @property
    def is_moving(self) -> bool:
        """Do ranges of serial loops move from column to column?"""
        loops = (loop for group in self.nest.groups for loop in group.loops)
        return any(moves_with(loop, self.plan.columns) for loop in loops)

    def write(self) -> None:
        rows = self.plan.row_loop
        if rows is not None and self.plan.most_folded > 1:
            self.lines.update(arrays_as_lines(self.builder, self.nest, rows))
        self._write_outer(0, {}, _ONE_ROW, TileStrip(()))

    def _write_outer(self, depth: int, at: Iterators, rows: TileRows, strip: TileStrip) -> None:
        if depth == len(self.nest.outer):
            self._write_body(at, rows, strip)
            return
        loop = self.nest.outer[depth]
        if loop is self.plan.columns:
            self._write_strips(loop, depth, at, rows)
        elif loop is self.plan.row_loop:
            self._write_rows(loop, depth, at, strip)
        else:
            lowers, uppers = bounds_at(loop, at)
            name = loop.iv.name_hint
            with self.builder.loop(
                lowers, uppers, step=loop.step, name=name, facts=_facts(loop)
            ) as opened:
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, rows, strip)

    def _range(self, loop: AffineLoop, at: Iterators) -> tuple[Linear, Linear]:
        """Its bounds, of which the strongest are values in front of it."""
        lowers, uppers = bounds_at(loop, at)
        b = self.builder
        lower = lowers[0] if len(lowers) == 1 else b.named(b.maximum(lowers), "first")
        return lower, uppers[0] if len(uppers) == 1 else b.named(b.minimum(uppers), "end")

    def _write_rows(self, loop: AffineLoop, depth: int, at: Iterators, strip: TileStrip) -> None:
        b, rows = self.builder, self.plan.rows
        lower, upper = self._range(loop, at)
        extent = extent_of(loop)
        whole = upper if extent is None else lower + extent // rows * rows
        if extent is None and _is_at_most(loop, rows - 1):
            self._write_rest_rows(loop, depth, at, strip, (lower, upper))
            return
        with b.loop(
            [lower], [whole - (rows - 1)], step=rows, name=loop.iv.name_hint, facts=_facts(loop)
        ) as opened:
            self._write_outer(depth + 1, {**at, loop.iv: opened.index}, TileRows(rows), strip)
        if extent is not None:
            if extent % rows:
                left = TileRows(extent % rows)
                self._write_outer(depth + 1, {**at, loop.iv: whole}, left, strip)
        elif rows > 1:
            done = b.named(floor(upper - lower, rows), "tiles") * rows
            self._write_rest_rows(loop, depth, at, strip, (b.maximum([lower, lower + done]), upper))

    def _write_rest_rows(
        self,
        loop: AffineLoop,
        depth: int,
        at: Iterators,
        strip: TileStrip,
        left: tuple[Linear, Linear],
    ) -> None:
        """What is left of the rows, in tiles that are less and less high."""
        b, (start, upper) = self.builder, left
        for rows in self.plan.rests:
            least = least_rows(rows, repeats=self.plan.repeats)
            end = upper - (least - 1)
            with b.loop(
                [start], [end], step=rows, name=loop.iv.name_hint, facts=_facts(loop)
            ) as opened:
                tile = TileRows(rows)
                if least < rows:
                    whole = [opened.index + n for n in range(least)]
                    at_most = [b.minimum([opened.index + n, upper - 1]) for n in range(least, rows)]
                    tile = TileRows(rows, (*whole, *at_most))
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, tile, strip)
            if rows > 1:
                done = b.named(floor(end - start + (rows - 1), rows), "tiles") * rows
                start = b.maximum([start, start + done])

    def _write_strips(self, loop: AffineLoop, depth: int, at: Iterators, rows: TileRows) -> None:
        b, lanes = self.builder, self.plan.lanes
        width = lanes * self.plan.vectors
        lower, upper = self._range(loop, at)
        extent = extent_of(loop)
        name, facts = loop.iv.name_hint, _facts(loop)
        whole = upper if extent is None else lower + extent // width * width
        is_one_vector = extent is None and _is_at_most(loop, lanes)
        if not is_one_vector and (extent is None or extent >= width):
            with b.loop(
                [lower], [whole - (width - 1)], step=width, name=name, facts=facts
            ) as opened:
                strip = TileStrip((None,) * self.plan.vectors, Linear((), width - 1))
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, rows, strip)
        if extent is not None:
            if rest := extent % width:
                masks: list[SSAValue | None] = [None] * (rest // lanes)
                if rest % lanes:
                    masks.append(b.lanes_between(Linear(), Linear((), rest % lanes), lanes))
                strip = TileStrip(tuple(masks), Linear((), rest - 1))
                self._write_outer(depth + 1, {**at, loop.iv: whole}, rows, strip)
            return
        starts = [lower]
        if not is_one_vector:
            starts.append(lower + b.named(floor(upper - lower, width), "strips") * width)
        with b.loop(starts, [upper], step=lanes, name=name, facts=facts) as opened:
            mask = b.lanes_between(Linear(), upper - opened.index, lanes)
            left = upper - opened.index - 1
            last = b.minimum([left, Linear((), lanes - 1)]) if self.is_moving else left
            inside = {**at, loop.iv: opened.index}
            self._write_outer(depth + 1, inside, rows, TileStrip((mask,), last))

    def _write_body(self, at: Iterators, rows: TileRows, strip: TileStrip) -> None:
        tile = RegisterTile.of(self.builder, self.nest, self.plan, at, rows, strip, self.lines)
        if not self.nest.guards:
            write_tile(tile)
            return
        branch = self.builder.branch([guard.substitute(at) for guard in self.nest.guards])
        with branch.then():
            write_tile(tile)
        with branch.orelse():
            pass
        branch.close()


def _is_at_most(loop: AffineLoop, most: int) -> bool:
    """Whether the bounds of a loop show that it takes no more steps than that: one vector under a
    mask is all that its rows need."""
    found = loop.greatest_extent
    return found is not None and found <= most


def _facts(loop: AffineLoop) -> LoopFacts:
    """What is still true of the loop; that its body updates arrays is not, registers do."""
    facts = loop.facts
    return facts if facts.is_parallel else LoopFacts(iterator=facts.iterator)
