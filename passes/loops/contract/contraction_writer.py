"""Writes a contraction as blocked, packed, register-tiled vector loops.

    for kb in k by depth                         the panels' depth; a last short block is none
      for jb in j by column_block
        pack the column panels of (kb, jb)       (`kept_panels`: or find them packed)
        for batch
          for ib in i by row_block
            pack the row panels of (kb, ib)
            for jt, it                           tiles of rows x columns
              X tile into registers              (`pointwise`: as the nest before would leave it)
              for k in kb: tile += row panel (broadcast) * column panel (vectors)
              X tile back                        (and to where the nest behind would put it)

Every bound is a projection of the nest's domain, so no shape is special.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import field

from xdsl.ir import SSAValue

from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.constraints import Bounds, Constraints
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder, ceiling, floor
from polyopt.passes.loops.contract.blocking import Blocking
from polyopt.passes.loops.contract.contraction import Contraction
from polyopt.passes.loops.contract.panels import (
    PanelBuffer,
    PanelShape,
    PanelWriter,
    allocate_panels,
    free_panels,
)
from polyopt.passes.loops.contract.pointwise import Beside
from polyopt.passes.loops.contract.tile_writer import DepthBlock, Place, TileWriter
from polyopt.support.record import entity, record


@record
class Keeping:
    """The loop that keeps the column panels, and what is written in front of it and behind."""

    loop: AffineLoop
    ahead: AffineBuilder
    behind: AffineBuilder


@entity
class ContractionWriter:
    contraction: Contraction
    domain: Constraints
    blocking: Blocking
    builder: AffineBuilder
    beside: Beside
    keeping: Keeping | None = None
    renamed: dict[SSAValue, Linear] = field(default_factory=dict[SSAValue, Linear])

    @property
    def i(self) -> SSAValue:
        return self.contraction.rows.iv

    @property
    def j(self) -> SSAValue:
        return self.contraction.columns.iv

    @property
    def k(self) -> SSAValue:
        return self.contraction.depth.iv

    @property
    def batch(self) -> list[SSAValue]:
        return [loop.iv for loop in self.contraction.batch]

    def write(self) -> None:
        """The blocked form; raises NotRepresentable before anything outside is changed."""
        sizes = self.blocking
        k_extent = self._extent(self.k, sizes.longest)
        i_extent = self._extent(self.i, sizes.row_block)
        b = self.builder
        columns = self._allocate_columns()
        rows = allocate_panels(b, self.contraction.row_panels, (i_extent, k_extent), sizes.rows)
        self._write_depth_blocks(rows, columns)
        if self.keeping is None:
            free_panels(b, [*columns, *rows])
        else:
            free_panels(b, rows)
            free_panels(self.keeping.behind, columns)
        self._write_left_behind()

    def _allocate_columns(self) -> list[PanelBuffer]:
        """In front of the loop that keeps them, whose bounds may leave nothing of their sizes."""
        sizes, panels = self.blocking, self.contraction.column_panels
        inside, self.builder = self.builder, self.keeping.ahead if self.keeping else self.builder
        extents = [
            self._extent(iv, most)
            for iv, most in ((self.j, sizes.column_block), (self.k, sizes.longest))
        ]
        if self.keeping is not None:
            extents = [self.builder.maximum([extent, Linear()]) for extent in extents]
        j_extent, k_extent = extents
        buffers = allocate_panels(self.builder, panels, (j_extent, k_extent), sizes.columns)
        self.builder = inside
        return buffers

    def _is_packed(self, loop: AffineLoop) -> list[Linear]:
        """Not negative where the panels hold what an iteration before has packed."""
        assert loop.lowers is not None
        (first,) = loop.lowers
        later = Linear.of(loop.iv) - first - 1
        return [later, *self._room(), *self._at_most(self.k, self.blocking.longest)]

    def _extents(self, iv: SSAValue) -> list[Linear]:
        return extents_in(self.contraction, self.domain, iv)

    def _extent(self, iv: SSAValue, most: int) -> Linear:
        return self.builder.minimum([*self._extents(iv), Linear((), most)])

    def _write_left_behind(self) -> None:
        """Where there are several blocks of columns, nests that they must not take in follow."""
        left = [one for one in self.beside.after if one.reads_back]
        room = self._room() if left else []
        if not room:
            return
        several = self.builder.branch([-form - 1 for form in room])
        with several.then():
            for one in left:
                self.builder.insert(one.root.clone())
        several.close()

    def _room(self) -> list[Linear]:
        """Not negative where there is one block of columns."""
        return self._at_most(self.j, self.blocking.column_block)

    def _at_most(self, iv: SSAValue, most: int) -> list[Linear]:
        """Not negative where there are no more values than that; none where that is known."""
        form = Linear((), most) - self.builder.minimum(self._extents(iv))
        return [form] if form.terms or form.constant < 0 else []

    def _write_depth_blocks(self, rows: list[PanelBuffer], columns: list[PanelBuffer]) -> None:
        """Every block loads and stores X once: where at most half of one would be left over, the
        last block takes it in.

            last - half - k0 > depth:  k1 = k0 + depth        else:  k1 = last <= k0 + depth + half
        """
        b, depth = self.builder, self.blocking.depth
        half = self.blocking.longest - depth
        bounds = self.domain.without([self.i, self.j, *self.batch]).bounds(self.k)
        first, last = b.maximum(bounds.lowers), b.minimum(bounds.uppers)
        room = self._room() if any(one.reads_back for one in self.beside.after) else []
        starts = b.maximum([last - half, first + 1])
        with b.loop([first], [last, starts], step=depth, name="kb") as loop:
            k0 = loop.index
            stretch = b.maximum([Linear(), k0 + (depth + half + 1) - last])
            k1 = b.minimum([last, k0 + depth + stretch * half])
            known = Constraints() & [
                *_inside(bounds, k0),
                *(upper - k1 for upper in bounds.uppers),
                k1 - k0 - 1,
                k0 + (depth + half) - k1,
            ]
            here = self.domain & [Linear.of(self.k) - k0, k1 - 1 - Linear.of(self.k)]
            depth = DepthBlock(k0, (first - k0,), (k1 - last,), tuple(room))
            self._write_column_blocks(here, depth, known, rows, columns)

    def _write_column_blocks(
        self,
        domain: Constraints,
        depth: DepthBlock,
        known: Constraints,
        rows: list[PanelBuffer],
        columns: list[PanelBuffer],
    ) -> None:
        bounds = domain.without([self.k, self.i, *self.batch], known).bounds(self.j)
        with self._blocks(bounds, self.blocking.column_block, "jb", known) as (j0, known):
            j_counts = _counts(bounds, j0, self.blocking.column_block)
            domain = domain & _block(self.j, j0, self.blocking.column_block)
            writer = PanelWriter(
                self.builder,
                self.contraction.root,
                PanelShape(self.j, self.k, self.blocking.columns, self.blocking.lanes),
                domain.without([self.i, *self.batch], known),
                j0,
                depth.start,
                j_counts,
                {},
                known,
            )
            self._pack_columns(writer, columns)
            with ExitStack() as loops:
                for loop in self.contraction.batch:
                    others = [iv for iv in self.batch if iv is not loop.iv]
                    inner = domain.without([self.i, self.j, self.k, *others], known)
                    bounds = inner.bounds(loop.iv)
                    opened = loops.enter_context(
                        self.builder.loop(bounds.lowers, bounds.uppers, name=loop.iv.name_hint)
                    )
                    self.renamed[loop.iv] = opened.index
                    domain = domain.substitute({loop.iv: opened.index})
                    known = known & _inside(bounds, opened.index)
                self._write_row_blocks(domain, depth, j0, j_counts, known, rows, columns)

    def _pack_columns(self, writer: PanelWriter, columns: list[PanelBuffer]) -> None:
        if self.keeping is None:
            for buffer in columns:
                writer.pack(buffer)
            return
        branch = self.builder.branch(self._is_packed(self.keeping.loop))
        with branch.then():
            pass
        with branch.orelse():
            for buffer in columns:
                writer.pack(buffer)
        branch.close()

    def _write_row_blocks(
        self,
        domain: Constraints,
        depth: DepthBlock,
        j0: Linear,
        j_counts: Sequence[Linear],
        known: Constraints,
        rows: list[PanelBuffer],
        columns: list[PanelBuffer],
    ) -> None:
        b, sizes = self.builder, self.blocking
        bounds = domain.without([self.j, self.k], known).bounds(self.i)
        with self._blocks(bounds, sizes.row_block, "ib", known) as (i0, known):
            domain = domain & _block(self.i, i0, sizes.row_block)
            writer = PanelWriter(
                b,
                self.contraction.root,
                PanelShape(self.i, self.k, sizes.rows, sizes.lanes),
                domain.without([self.j], known),
                i0,
                depth.start,
                _counts(bounds, i0, sizes.row_block),
                self.renamed,
                known,
            )
            for buffer in rows:
                writer.pack(buffer)
            tiles = [ceiling(count, sizes.columns) for count in j_counts]
            with b.loop([Linear()], tiles, name="jt") as jt:
                j1 = j0 + jt.index * sizes.columns
                left = [count - jt.index * sizes.columns - 1 for count in j_counts]
                known = known & [jt.index, *left]
                near = domain & _block(self.j, j1, sizes.columns)
                i_bounds = near.without([self.j, self.k], known).bounds(self.i)
                lowers = [floor(form - i0, sizes.rows) for form in i_bounds.lowers]
                uppers = [ceiling(form - i0, sizes.rows) for form in i_bounds.uppers]
                with b.loop([Linear(), *lowers], uppers, name="it") as it:
                    i1 = i0 + it.index * sizes.rows
                    known = known & [it.index, *(upper - i1 - 1 for upper in i_bounds.uppers)]
                    place = Place(it.index, i1, jt.index, j1, depth)
                    TileWriter(
                        b,
                        self.contraction,
                        sizes,
                        domain,
                        known,
                        place,
                        rows,
                        columns,
                        self.renamed,
                        self.beside,
                    ).write()

    def _blocks(
        self, bounds: Bounds, size: int, name: str, known: Constraints | None = None
    ) -> _BlockLoop:
        return _BlockLoop(self.builder, bounds, size, name, known or Constraints())


def extents_in(contraction: Contraction, domain: Constraints, iv: SSAValue) -> list[Linear]:
    """The least of these is the number of values of an iterator in the domain."""
    others = [loop.iv for loop in contraction.nest.loops if loop.iv is not iv]
    bounds = domain.without(others).bounds(iv)
    return [upper - lower for upper in bounds.uppers for lower in bounds.lowers]


@entity
class _BlockLoop:
    """`for x0 = max(lowers) to min(uppers) step size`, with what holds inside."""

    builder: AffineBuilder
    bounds: Bounds
    size: int
    name: str
    known: Constraints
    _stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> tuple[Linear, Constraints]:
        loop = self._stack.enter_context(
            self.builder.loop(
                self.bounds.lowers, self.bounds.uppers, step=self.size, name=self.name
            )
        )
        return loop.index, self.known & _inside(self.bounds, loop.index)

    def __exit__(self, *exception: object) -> None:
        self._stack.close()


def _inside(bounds: Bounds, index: Linear) -> list[Linear]:
    return [index - form for form in bounds.lowers] + [form - index - 1 for form in bounds.uppers]


def _block(value: SSAValue, start: Linear, size: int) -> list[Linear]:
    """`start <= value < start + size`."""
    here = Linear.of(value)
    return [here - start, start + (size - 1) - here]


def _counts(bounds: Bounds, start: Linear, most: int) -> list[Linear]:
    """The extent of a block from `start` on is the least of these."""
    return [*(upper - start for upper in bounds.uppers), Linear((), most)]
