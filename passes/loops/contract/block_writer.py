"""Writes a contraction as affine loops over blocks, with packs and tiles in them.

    for kb in k by depth                         the panels' depth; a last short block is none
      for jb in j by column_block
        pack the column panels of (kb, jb)       (`kept`: or find them packed;
                                                  `shared`: with the other threads)
        for batch
          for ib in i by row_block
            pack the row panels of (kb, ib)
            for jt, it                           tiles of rows x columns
              tile

Every bound is a projection of the nest's domain, so no shape is special.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import field
from functools import cached_property

from xdsl.ir import SSAValue

from polyopt.dialects import team
from polyopt.dialects.contract_forms import Blocking
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.constraints import Bounds, Constraints
from polyopt.ir.affine.linear import Linear, ceiling, floor
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.block_ops import BlockOps, Corner, DepthBlock, PackPlace
from polyopt.passes.loops.contract.room import at_most
from polyopt.passes.loops.contract.shared_panels import dealt_anew, shares_in
from polyopt.passes.loops.contract.structured import Structured
from polyopt.support.record import entity


@entity
class BlockWriter:
    """`keeping` is the loop whose first iteration packs the column panels for all."""

    nest: Structured
    blocking: Blocking
    builder: AffineBuilder
    ops: BlockOps
    keeping: AffineLoop | None
    renamed: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    @property
    def i(self) -> SSAValue:
        return self.nest.rows

    @property
    def j(self) -> SSAValue:
        return self.nest.columns

    @property
    def k(self) -> SSAValue:
        return self.nest.depth

    @property
    def batch(self) -> Sequence[SSAValue]:
        return self.nest.batch

    def write(self) -> None:
        """The blocked form; raises NotRepresentable before anything outside is changed."""
        sizes = self.blocking
        nest = self.nest
        i, j, k = (nest.whole.extents(iv, nest.iterators) for iv in (self.i, self.j, self.k))
        if not self._is_dealt_anew:
            i = nest.extents(self.i)
        deep = [*k, Linear((), sizes.longest)]
        self.ops.reserve_columns(
            [*j, Linear((), sizes.column_block)], deep, is_kept=self.keeping is not None
        )
        self.ops.reserve_rows([*i, Linear((), sizes.row_block)], deep)
        self._write_depth_blocks()
        if self._is_dealt_anew:
            self.builder.insert(team.BarrierOp())

    @cached_property
    def _is_dealt_anew(self) -> bool:
        """Whether each block's rows are shared out: of a nest whose depth decides which rows there
        are, but not how many columns they have. What goes behind the updates is done by whom the
        rows belong to in the end."""
        nest = self.nest
        if not nest.is_shared or self.keeping is not None or self.batch or nest.finishes:
            return False
        of_rows = nest.whole.involving([self.i])
        return any(form.uses([self.k]) for form in of_rows) and not any(
            form.uses([self.j]) for form in of_rows
        )

    def _is_packed(self, loop: AffineLoop) -> list[Linear]:
        """Not negative where the panels hold what an iteration before has packed."""
        assert loop.lowers is not None
        (first,) = loop.lowers
        later = Linear.of(loop.iv) - first - 1
        one = at_most(self.builder, self.nest.extents(self.k), self.blocking.longest)
        return [later, *self._room(), *one]

    def _room(self) -> list[Linear]:
        """Not negative where there is one block of columns."""
        return at_most(self.builder, self.nest.extents(self.j), self.blocking.column_block)

    def _write_depth_blocks(self) -> None:
        """Every block loads and stores X once: where at most half of one would be left over, the
        last block takes it in.

            last - half - k0 > depth:  k1 = k0 + depth        else:  k1 = last <= k0 + depth + half
        """
        b, depth = self.builder, self.blocking.depth
        half = self.blocking.longest - depth
        bounds = self.nest.whole.without([self.i, self.j, *self.batch]).bounds(self.k)
        first, last = b.maximum(bounds.lowers), b.minimum(bounds.uppers)
        reads_back = any(one.reads_back is not None for one in self.nest.finishes)
        room = self._room() if reads_back else []
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
            here = [Linear.of(self.k) - k0, k1 - 1 - Linear.of(self.k)]
            block = DepthBlock(k0, (first - k0,), (k1 - last,), tuple(room))
            self._write_column_blocks(here, block, known)

    def _write_column_blocks(
        self, within: Sequence[Linear], depth: DepthBlock, known: Constraints
    ) -> None:
        """`within`: the block of depth."""
        size = self.blocking.column_block
        domain, whole = self.nest.domain & within, self.nest.whole & within
        bounds = whole.without([self.k, self.i, *self.batch], known).bounds(self.j)
        with self.builder.loop(bounds.lowers, bounds.uppers, step=size, name="jb") as loop:
            j0, known = loop.index, known & _inside(bounds, loop.index)
            j_counts = _counts(bounds, j0, size)
            here = _block(self.j, j0, size)
            domain, whole = domain & here, whole & here
            points = whole.without([self.i, *self.batch], known)
            self._pack_columns(PackPlace(points, known, j0, depth.start, j_counts))
            if self._is_dealt_anew:
                domain = self._deal_anew(domain, whole.without([self.j, self.k], known))
            with ExitStack() as loops:
                for iv in self.batch:
                    others = [other for other in self.batch if other is not iv]
                    inner = domain.without([self.i, self.j, self.k, *others], known)
                    bounds = inner.bounds(iv)
                    opened = loops.enter_context(
                        self.builder.loop(bounds.lowers, bounds.uppers, name=iv.name_hint)
                    )
                    self.renamed[iv] = opened.iv
                    domain = domain.substitute({iv: opened.index})
                    known = known & _inside(bounds, opened.index)
                self._write_row_blocks(domain, depth, j0, j_counts, known)

    def _deal_anew(self, domain: Constraints, whole: Constraints) -> Constraints:
        """The points of a block, where the member's rows are its part of those that `whole` has."""
        (share,) = shares_in(domain.forms)
        rows = whole.bounds(self.i)
        ends = dealt_anew(self.builder, self.nest.op, share, rows, self.blocking.rows)
        return domain.substitute(ends)

    def _pack_columns(self, place: PackPlace) -> None:
        if self.keeping is None:
            self.ops.pack_columns(place)
            return
        branch = self.builder.branch(self._is_packed(self.keeping))
        with branch.then():
            pass
        with branch.orelse():
            self.ops.pack_columns(place)
        branch.close()

    def _write_row_blocks(
        self,
        domain: Constraints,
        depth: DepthBlock,
        j0: Linear,
        j_counts: Sequence[Linear],
        known: Constraints,
    ) -> None:
        size = self.blocking.row_block
        bounds = domain.without([self.j, self.k], known).bounds(self.i)
        with self.builder.loop(bounds.lowers, bounds.uppers, step=size, name="ib") as loop:
            i0, known = loop.index, known & _inside(bounds, loop.index)
            domain = domain & _block(self.i, i0, size)
            points = domain.without([self.j], known)
            counts = _counts(bounds, i0, size)
            self.ops.pack_rows(PackPlace(points, known, i0, depth.start, counts), self.renamed)
            self._write_tiles(domain, depth, (i0, j0), j_counts, known)

    def _write_tiles(
        self,
        domain: Constraints,
        depth: DepthBlock,
        start: tuple[Linear, Linear],
        j_counts: Sequence[Linear],
        known: Constraints,
    ) -> None:
        b, sizes = self.builder, self.blocking
        i0, j0 = start
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
                corner = Corner(it.index, i1, jt.index, j1, depth)
                self.ops.tile(corner, domain, known, self.renamed)


def _inside(bounds: Bounds, index: Linear) -> list[Linear]:
    return [index - form for form in bounds.lowers] + [form - index - 1 for form in bounds.uppers]


def _block(value: SSAValue, start: Linear, size: int) -> list[Linear]:
    """`start <= value < start + size`."""
    here = Linear.of(value)
    return [here - start, start + (size - 1) - here]


def _counts(bounds: Bounds, start: Linear, most: int) -> list[Linear]:
    """The extent of a block from `start` on is the least of these."""
    return [*(upper - start for upper in bounds.uppers), Linear((), most)]
