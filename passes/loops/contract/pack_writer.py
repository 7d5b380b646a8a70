"""Writes a `contract.pack` as loops: a panel's values, in the order in which the kernel reads them.

    panel[t, k - k0, l] = value(x0 + t * width + l, k)

so that the innermost loop reads both operands front to back. What is stored is the value, not
the element: `alpha * A[i][k]` is multiplied once, when it is packed. Exactly the instances of
the domain are read; a place in the buffer that no instance fills is never part of a result, and
is zero at the ragged end of x (what memory happens to hold might be slow to compute with).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from polyopt.dialects.contract_blocks import PackOp
from polyopt.dialects.pvec_accesses import StreamFenceOp
from polyopt.ir.affine.constraints import Bounds, Constraints
from polyopt.ir.affine.linear import Linear, ceiling, floor
from polyopt.ir.affine.linear_sets import forms_of_map, forms_of_set
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.shared_panels import worksharing_loop
from polyopt.passes.loops.contract.structured import Element, elements_of
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.lane_shuffles import transposed
from polyopt.passes.loops.vector_memory import is_line, stream, vector_load, vector_store
from polyopt.support.record import entity


@entity
class PackWriter:
    """`points` are the (x, k) that are packed, `x0` and `k0` their corner, the least of `x_counts`
    the extent in x, `known` what holds here."""

    builder: AffineBuilder
    op: PackOp
    x: SSAValue
    k: SSAValue
    points: Constraints
    known: Constraints
    x0: Linear
    k0: Linear
    x_counts: Sequence[Linear]
    elements: Sequence[Element]

    @classmethod
    def of(cls, op: PackOp, builder: AffineBuilder) -> Self:
        x, k = op.iterators
        x0, k0 = forms_of_map(op.corner, (), op.symbols)
        return cls(
            builder,
            op,
            x,
            k,
            Constraints(forms_of_set(op.domain, (x, k), op.symbols)),
            Constraints(forms_of_set(op.assuming, (), op.symbols)),
            x0,
            k0,
            forms_of_map(op.counts, (), op.symbols),
            elements_of(op, op.taken),
        )

    @property
    def width(self) -> int:
        return self.op.width

    @property
    def lanes(self) -> int:
        return self.op.lanes.value.data

    @property
    def value(self) -> SSAValue:
        """What is packed."""
        return self.op.yielded[0]

    def write(self) -> None:
        tiles = [ceiling(count, self.width) for count in self.x_counts]
        if self.op.shared is None:
            with self.builder.loop([Linear()], tiles, name="t") as tile:
                self._write_tile(tile.index)
        else:
            with worksharing_loop(self.builder, tiles, "t") as number:
                self._write_tile(number)
                self.builder.insert(StreamFenceOp())

    def _write_tile(self, tile: Linear) -> None:
        width = self.width
        start = self.x0 + tile * width
        inside = [count - tile * width - 1 for count in self.x_counts]
        self.pack_tile(tile, start, self.known & [tile, *inside])

    def pack_tile(self, tile: Linear, start: Linear, known: Constraints) -> None:
        if self.is_even and self.has_unit_stride(self.x):
            self._pack_vectors(tile, start, known)
        elif self.is_even and self.has_unit_stride(self.k):
            self._pack_squares(tile, start, known)
        else:
            self._pack_elements(tile, start, known)

    @property
    def is_even(self) -> bool:
        """Is there no vector of one element?"""
        return all(size > 1 for _, size in self.chunks)

    @cached_property
    def chunks(self) -> list[tuple[int, int]]:
        """The tile's width in vectors, each of a power of two: where one starts, and its lanes."""
        chunks: list[tuple[int, int]] = []
        first, width = 0, self.width
        while first < width:
            size = 1 << (min(self.lanes, width - first).bit_length() - 1)
            chunks.append((first, size))
            first += size
        return chunks

    def has_unit_stride(self, iterator: SSAValue) -> bool:
        """Are consecutive values of `iterator` consecutive in memory, or the same element?"""
        strides: set[int] = set()
        for element in self.elements:
            if not element.subscripts:
                continue
            *others, last = [form.coefficient(iterator) for form in element.subscripts]
            if any(others) or last not in (0, 1):
                return False
            strides.add(last)
        return 1 in strides

    def _pack_vectors(self, tile: Linear, start: Linear, known: Constraints) -> None:
        x, k, width = self.x, self.k, self.width
        box = self.box(start)
        within = self.points & box
        k_bounds = within.without([x], known).bounds(k)
        ragged = self.points.simplified(known & box).involving([x])
        steady = all(not form.coefficient(k) for form in ragged)
        if not ragged or not steady:
            self._copy_vectors(tile, start, k_bounds, ragged)
            return
        branch = self.builder.branch([least_over(form, x, start, width) for form in ragged])
        with branch.then():
            self._copy_vectors(tile, start, k_bounds, ())
        with branch.orelse():
            self._copy_vectors(tile, start, k_bounds, ragged)
        branch.close()

    def _copy_vectors(
        self,
        tile: Linear,
        start: Linear,
        k_bounds: Bounds,
        ragged: Sequence[Linear],
    ) -> None:
        b, x, k = self.builder, self.x, self.k
        with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
            here = {k: depth.index}
            x_bounds = Constraints(tuple(ragged)).substitute(here).bounds(x)
            for first, lanes in self.chunks:
                at = start + first
                mask = self.mask_of(x_bounds, at, lanes) if ragged else None
                place = {k: depth.index, x: at}
                value = self.evaluate(place, x, lanes, mask)
                self._store(value, [tile, depth.index - self.k0, Linear((), first)])

    def _store(self, value: SSAValue, subscripts: Sequence[Linear]) -> None:
        """Non-temporal where other threads have had what was there before: they still have it,
        and to take lines back one by one takes several times as long."""
        if self.op.shared is not None and is_line(value.type) and self.width % self.lanes == 0:
            stream(self.builder, value, self.op.panel, subscripts)
        else:
            vector_store(self.builder, value, self.op.panel, subscripts)

    def mask_of(self, x_bounds: Bounds, first: Linear, lanes: int) -> SSAValue:
        """Where x is inside, of so many lanes."""
        b = self.builder
        ends = [form - first for form in x_bounds.uppers] or [Linear((), lanes)]
        begins = [form - first for form in x_bounds.lowers]
        begin = b.maximum(begins) if begins else Linear()
        return b.lanes_between(begin, b.minimum(ends), lanes)

    def box(self, start: Linear) -> list[Linear]:
        """A tile's x."""
        return [Linear.of(self.x) - start, start + (self.width - 1) - Linear.of(self.x)]

    def _pack_squares(self, tile: Linear, start: Linear, known: Constraints) -> None:
        """Rows in memory become columns of the tile; a ragged tile goes element by element."""
        x, k, width = self.x, self.k, self.width
        box = self.box(start)
        ragged = self.points.simplified(known & box).involving([x])
        if any(form.coefficient(k) for form in ragged):
            self._pack_elements(tile, start, known)
            return
        k_bounds = (self.points & box).without([x], known).bounds(k)
        if not ragged:
            self._transpose(tile, start, k_bounds)
            return
        branch = self.builder.branch([least_over(form, x, start, width) for form in ragged])
        with branch.then():
            self._transpose(tile, start, k_bounds)
        with branch.orelse():
            self._pack_elements(tile, start, known)
        branch.close()

    def _transpose(self, tile: Linear, start: Linear, k_bounds: Bounds) -> None:
        """Squares of vectors along k, transposed; what is left of k element by element."""
        b, x, k, side = self.builder, self.x, self.k, self.chunks[0][1]
        first, last = b.maximum(k_bounds.lowers), b.minimum(k_bounds.uppers)
        with b.loop([first], [last - (side - 1)], step=side, name="k", facts=ROLLED) as depth:
            for corner, size in self.chunks:
                for k1 in range(0, side, size):
                    self._transpose_square(tile, start, (corner, size), depth.index + k1)
        rest = first + b.named(floor(last - first, side), "squares") * side
        with b.loop([first, rest], [last], name="k", facts=ROLLED) as depth:
            with b.loop([start], [start + self.width], name="x", facts=ROLLED) as lane:
                place = {k: depth.index, x: lane.index}
                value = self.evaluate(place, x, None, None)
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(value, self.op.panel, at)

    def _transpose_square(
        self,
        tile: Linear,
        start: Linear,
        chunk: tuple[int, int],
        k1: Linear,
    ) -> None:
        b, x, k = self.builder, self.x, self.k
        corner, size = chunk
        places = [{k: k1, x: start + (corner + row)} for row in range(size)]
        rows = [self.evaluate(place, k, size, None) for place in places]
        for step, column in enumerate(transposed(b, rows)):
            at = [tile, k1 - self.k0 + step, Linear((), corner)]
            self._store(column, at)

    def _pack_elements(self, tile: Linear, start: Linear, known: Constraints) -> None:
        b, x, k = self.builder, self.x, self.k
        box = self.box(start)
        within = self.points & box
        x_bounds = within.without([k], known).bounds(x)
        with b.loop(x_bounds.lowers, x_bounds.uppers, name="x") as lane:
            inner = (known & box).substitute({x: lane.index})
            k_bounds = self.points.substitute({x: lane.index}).simplified(inner).bounds(k)
            with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
                place = {k: depth.index, x: lane.index}
                value = self.evaluate(place, x, None, None)
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(value, self.op.panel, at)
        self._fill_end(tile, start, known)

    def _fill_end(self, tile: Linear, start: Linear, known: Constraints) -> None:
        b, k, width = self.builder, self.k, self.width
        end = b.minimum([self.x0 + count for count in self.x_counts])
        k_bounds = self.points.without([self.x], known).bounds(k)
        with b.loop([end], [start + width], name="x") as lane:
            with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(b.zero(self.value.type), self.op.panel, at)

    def evaluate(
        self,
        place: dict[SSAValue, Linear],
        along: SSAValue,
        lanes: int | None,
        mask: SSAValue | None,
    ) -> SSAValue:
        """The value at `place`, or as many as there are lanes from there on, in steps of the
        iterator `along`."""

        def leaf(value: SSAValue) -> SSAValue | None:
            element = next((one for one in self.elements if one.argument is value), None)
            return None if element is None else self._load(element, place, along, lanes, mask)

        return Evaluator(self.builder, lanes, self.op, leaf).value(self.value)

    def _load(
        self,
        element: Element,
        place: dict[SSAValue, Linear],
        along: SSAValue,
        lanes: int | None,
        mask: SSAValue | None,
    ) -> SSAValue:
        known = element.subscripts
        subscripts = [form.substitute(place) for form in known]
        if lanes is None:
            return self.builder.load(element.array, subscripts)
        if known and known[-1].coefficient(along):
            type_ = VectorType(element.type, [lanes])
            return vector_load(self.builder, element.array, subscripts, type_, mask)
        return self.builder.broadcast(self.builder.load(element.array, subscripts), lanes)


def least_over(form: Linear, x: SSAValue, start: Linear, width: int) -> Linear:
    """The least value of `form` for x in [start, start + width)."""
    corner = start + (width - 1) if form.coefficient(x) < 0 else start
    return form.substitute({x: corner})
