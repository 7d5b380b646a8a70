"""Packs for sums in groups: steps of k that lie side by side in a panel.

    panel[t, g, l * steps + s] = value(x0 + t * width + l, k0 + g * steps + s)

All x have the same k here. A group that is cut off by the last k holds zeros behind it, a tile that
is cut off by the last x likewise.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, VectorType
from xdsl.ir import SSAValue

from polyopt.ir.affine.constraints import Bounds, Constraints
from polyopt.ir.affine.linear import Form, Linear, ceiling, floor
from polyopt.passes.loops.affine_builder import ROLLED
from polyopt.passes.loops.contract.pack_writer import PackWriter, least_over
from polyopt.passes.loops.lane_shuffles import in_turns, transposed
from polyopt.passes.loops.vector_memory import vector_store
from polyopt.support.record import entity, record


@record
class _Depth:
    """Behind the last step, and the number of whole groups in front of it."""

    last: Linear
    whole: Linear


@entity
class GroupPackWriter(PackWriter):
    @property
    def steps(self) -> int:
        return self.op.steps

    def pack_tile(self, tile: Linear, start: Linear, known: Constraints) -> None:
        b, x = self.builder, self.x
        within = self.points & self.box(start)
        bounds = within.without([x], known).bounds(self.k)
        last = b.minimum(bounds.uppers)
        depth = _Depth(last, b.named(floor(last - self.k0, self.steps), "groups"))
        ragged = self.points.simplified(known & self.box(start)).involving([x])
        x_bounds = within.without([self.k], known).bounds(x)
        if not ragged:
            self._pack(tile, start, depth, x_bounds, ())
            return
        branch = b.branch([least_over(form, x, start, self.width) for form in ragged])
        with branch.then():
            self._pack(tile, start, depth, x_bounds, ())
        with branch.orelse():
            self._pack(tile, start, depth, x_bounds, ragged)
        branch.close()

    def _pack(
        self,
        tile: Linear,
        start: Linear,
        depth: _Depth,
        x_bounds: Bounds,
        ragged: Sequence[Linear],
    ) -> None:
        """`ragged`: what cuts the tile off in x."""
        has_vectors = self.is_even and self.has_unit_stride(self.x)
        is_clear = ragged and not has_vectors
        self._clear(tile, Linear() if is_clear else depth.whole, depth)
        first = Linear()
        if has_vectors:
            self._interleave(tile, start, depth, ragged)
            first = depth.whole
        elif self.has_unit_stride(self.k):
            if self.is_even and not ragged:
                first = self._transpose_groups(tile, start, depth)
            self._copy_groups(tile, start, (first, depth.whole), x_bounds)
            first = depth.whole
        self._copy_elements(tile, start, (self.k0 + first * self.steps, depth.last), x_bounds)

    def _clear(self, tile: Linear, first: Linear, depth: _Depth) -> None:
        """From this group on, the one that is cut off among them."""
        b, end = self.builder, ceiling(depth.last - self.k0, self.steps)
        element = self.value.type
        with b.loop([first], [end], name="g", facts=ROLLED) as group:
            for corner, size in self.chunks:
                zeros = b.zero(VectorType(element, [size * self.steps]))
                at = [tile, group.index, Linear((), corner * self.steps)]
                vector_store(b, zeros, self.op.panel, at)

    def _interleave(
        self, tile: Linear, start: Linear, depth: _Depth, ragged: Sequence[Linear]
    ) -> None:
        """Rows of steps, whose elements take turns."""
        b, x, k = self.builder, self.x, self.k
        masks: list[SSAValue | None] = []
        x_bounds = Constraints(tuple(ragged)).bounds(x)
        for corner, size in self.chunks:
            at = start + corner
            masks.append(self.mask_of(x_bounds, at, size) if ragged else None)
        with b.loop([Linear()], [depth.whole], name="g", facts=ROLLED) as group:
            for (corner, size), mask in zip(self.chunks, masks, strict=True):
                places = [
                    {k: self.k0 + group.index * self.steps + s, x: start + corner}
                    for s in range(self.steps)
                ]
                rows = [self.evaluate(place, x, size, mask) for place in places]
                at = [tile, group.index, Linear((), corner * self.steps)]
                vector_store(b, in_turns(b, rows), self.op.panel, at)

    def _transpose_groups(self, tile: Linear, start: Linear, depth: _Depth) -> Linear:
        """Squares of groups, each as one word; says which group comes next."""
        b, side = self.builder, self.chunks[0][1]
        squares = b.named(floor(depth.whole, side), "squares") * side
        with b.loop([Linear()], [squares], step=side, name="g", facts=ROLLED) as group:
            for corner, size in self.chunks:
                for g in range(0, side, size):
                    self._transpose_words(tile, start, (corner, size), group.index + g)
        return squares

    def _transpose_words(
        self, tile: Linear, start: Linear, chunk: tuple[int, int], group: Linear
    ) -> None:
        b, (corner, size) = self.builder, chunk
        first = self.k0 + group * self.steps
        element = self.value.type
        assert isinstance(element, FixedBitwidthType)
        words = VectorType(IntegerType(8 * element.size * self.steps), [size])
        narrow = VectorType(element, [size * self.steps])
        rows: list[SSAValue] = []
        for row in range(size):
            place = {self.k: first, self.x: start + (corner + row)}
            value = self.evaluate(place, self.k, size * self.steps, None)
            rows.append(b.insert(vector.BitcastOp(value, words)).result)
        for step, column in enumerate(transposed(b, rows)):
            value = b.insert(vector.BitcastOp(column, narrow)).result
            at = [tile, group + step, Linear((), corner * self.steps)]
            vector_store(b, value, self.op.panel, at)

    def _copy_groups(
        self, tile: Linear, start: Linear, groups: tuple[Linear, Linear], x_bounds: Bounds
    ) -> None:
        """One after the other, for each x."""
        b = self.builder
        with b.loop(x_bounds.lowers, x_bounds.uppers, name="x") as lane:
            with b.loop([groups[0]], [groups[1]], name="g", facts=ROLLED) as group:
                place = {self.x: lane.index, self.k: self.k0 + group.index * self.steps}
                value = self.evaluate(place, self.k, self.steps, None)
                at = [tile, group.index, (lane.index - start) * self.steps]
                vector_store(b, value, self.op.panel, at)

    def _copy_elements(
        self, tile: Linear, start: Linear, steps: tuple[Form, Linear], x_bounds: Bounds
    ) -> None:
        b = self.builder
        with b.loop([steps[0]], [steps[1]], name="k", facts=ROLLED) as depth:
            group = b.named(floor(depth.index - self.k0, self.steps), "g")
            within = depth.index - self.k0 - group * self.steps
            with b.loop(x_bounds.lowers, x_bounds.uppers, name="x", facts=ROLLED) as lane:
                value = self.evaluate({self.x: lane.index, self.k: depth.index}, self.x, None, None)
                at = [tile, group, (lane.index - start) * self.steps + within]
                b.store(value, self.op.panel, at)
