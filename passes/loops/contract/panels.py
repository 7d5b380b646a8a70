"""Packing: copies a panel of operands into a buffer in the order in which the kernel reads it.

A panel is a value of the body that varies with one loop x of the register tile and with the
depth k. Its buffer holds, for a tile of `width` consecutive x, all k one after the other:

    buffer[t, k - k0, l] = value(x0 + t * width + l, k)

so that the innermost loop reads both operands front to back. What is stored is the value, not
the element: `alpha * A[i][k]` is multiplied once, when it is packed. Exactly the instances of
the domain are read; a place in the buffer that no instance fills is never part of a result, and
is zero at the ragged end of x (what memory happens to hold might be slow to compute with).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from polyopt.ir.affine_nest import access_of
from polyopt.ir.constraints import Bounds, Constraints
from polyopt.ir.linear import Form, Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder, ceiling, floor
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.support.record import entity, record

ALIGNMENT = 64
ON_STACK = 16 * 1024
"""Larger buffers are allocated: bytes."""


@record
class PanelBuffer:
    """Where the value `source` is kept."""

    source: SSAValue
    memref: SSAValue


@record
class PanelShape:
    """`x` and `k` are the nest's iterators; `width` is the tile's extent in x."""

    x: SSAValue
    k: SSAValue
    width: int
    lanes: int


def allocate_panels(
    builder: AffineBuilder, sources: Sequence[SSAValue], extents: tuple[Linear, Linear], width: int
) -> list[PanelBuffer]:
    """A buffer for each source, for blocks of at most `extents` in (x, k): on the stack where that
    is known to be small."""
    x_extent, k_extent = extents
    sizes: list[Form] = [ceiling(x_extent, width), k_extent]
    shape: list[int] = []
    dynamic: list[SSAValue] = []
    for size in sizes:
        constant = _constant(size)
        shape.append(DYNAMIC_INDEX if constant is None else constant)
        if constant is None:
            dynamic.append(builder.value(size))
    buffers: list[PanelBuffer] = []
    for source in sources:
        type_ = MemRefType(source.type, [*shape, width])
        allocated = builder.insert(_allocation(type_, dynamic))
        allocated.memref.name_hint = "panel"
        buffers.append(PanelBuffer(source, allocated.memref))
    return buffers


def free_panels(builder: AffineBuilder, buffers: Sequence[PanelBuffer]) -> None:
    for buffer in buffers:
        if isinstance(buffer.memref.owner, memref.AllocOp):
            builder.insert(memref.DeallocOp.get(buffer.memref))


def _allocation(
    type_: MemRefType[Attribute], sizes: Sequence[SSAValue]
) -> memref.AllocOp | memref.AllocaOp:
    if _is_small(type_):
        return memref.AllocaOp.get(type_.element_type, ALIGNMENT, type_.get_shape())
    return memref.AllocOp(sizes, [], type_, IntegerAttr(ALIGNMENT, i64))


def _is_small(type_: MemRefType[Attribute]) -> bool:
    shape = type_.get_shape()
    if DYNAMIC_INDEX in shape or not isinstance(type_.element_type, FixedBitwidthType):
        return False
    return prod(shape) * type_.element_type.size <= ON_STACK


def _constant(form: Form) -> int | None:
    return form.constant if isinstance(form, Linear) and not form.terms else None


@entity
class PanelWriter:
    """Packs for one block: `points` are the (x, k) of the block that the domain has, `x0` and
    `k0` its corner, `x_count` the extent in x; `renamed` maps the nest's other iterators."""

    builder: AffineBuilder
    root: Operation
    shape: PanelShape
    points: Constraints
    x0: Linear
    k0: Linear
    x_counts: Sequence[Linear]
    renamed: dict[SSAValue, Linear]
    known: Constraints

    def pack(self, buffer: PanelBuffer) -> None:
        width = self.shape.width
        tiles = [ceiling(count, width) for count in self.x_counts]
        with self.builder.loop([Linear()], tiles, name="t") as tile:
            start = self.x0 + tile.index * width
            inside = [count - tile.index * width - 1 for count in self.x_counts]
            known = self.known & [tile.index, *inside]
            is_even = all(size > 1 for _, size in self._chunks)
            if is_even and self._has_unit_stride(buffer.source, self.shape.x):
                self._pack_vectors(buffer, tile.index, start, known)
            elif is_even and self._has_unit_stride(buffer.source, self.shape.k):
                self._pack_squares(buffer, tile.index, start, known)
            else:
                self._pack_elements(buffer, tile.index, start, known)

    @property
    def _chunks(self) -> list[tuple[int, int]]:
        """The tile's width in vectors, each of a power of two: where one starts, and its lanes."""
        chunks: list[tuple[int, int]] = []
        first, width = 0, self.shape.width
        while first < width:
            size = 1 << (min(self.shape.lanes, width - first).bit_length() - 1)
            chunks.append((first, size))
            first += size
        return chunks

    def _has_unit_stride(self, source: SSAValue, iterator: SSAValue) -> bool:
        """Are consecutive values of `iterator` consecutive in memory, or the same element?"""
        strides: set[int] = set()
        for load in _loads(source, self.root):
            access = access_of(load)
            assert access is not None
            assert access.subscripts is not None
            if not access.subscripts:
                continue
            *others, last = [
                0 if form is None else form.coefficient(iterator) for form in access.subscripts
            ]
            if any(others) or last not in (0, 1):
                return False
            strides.add(last)
        return 1 in strides

    def _pack_vectors(
        self, buffer: PanelBuffer, tile: Linear, start: Linear, known: Constraints
    ) -> None:
        x, k, width = self.shape.x, self.shape.k, self.shape.width
        box = [Linear.of(x) - start, start + (width - 1) - Linear.of(x)]
        within = self.points & box
        k_bounds = within.without([x], known).bounds(k)
        ragged = self.points.simplified(known & box).involving([x])
        steady = all(not form.coefficient(k) for form in ragged)
        if not ragged or not steady:
            self._copy_vectors(buffer, tile, start, k_bounds, ragged)
            return
        branch = self.builder.branch([_worst(form, x, start, width) for form in ragged])
        with branch.then():
            self._copy_vectors(buffer, tile, start, k_bounds, ())
        with branch.orelse():
            self._copy_vectors(buffer, tile, start, k_bounds, ragged)
        branch.close()

    def _copy_vectors(
        self,
        buffer: PanelBuffer,
        tile: Linear,
        start: Linear,
        k_bounds: Bounds,
        ragged: Sequence[Linear],
    ) -> None:
        b, x, k = self.builder, self.shape.x, self.shape.k
        with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
            here = {k: depth.index}
            x_bounds = Constraints(tuple(ragged)).substitute(here).bounds(x)
            for first, lanes in self._chunks:
                at = start + first
                mask: SSAValue | None = None
                if ragged:
                    ends = [form - at for form in x_bounds.uppers] or [Linear((), lanes)]
                    begins = [form - at for form in x_bounds.lowers]
                    begin = b.maximum(begins) if begins else Linear()
                    mask = b.lanes_between(begin, b.minimum(ends), lanes)
                place = {**self.renamed, k: depth.index, x: at}
                value = self._evaluate(buffer.source, place, x, lanes, mask)
                b.vector_store(
                    value, buffer.memref, [tile, depth.index - self.k0, Linear((), first)]
                )

    def _pack_squares(
        self, buffer: PanelBuffer, tile: Linear, start: Linear, known: Constraints
    ) -> None:
        """Rows in memory become columns of the tile; a ragged tile goes element by element."""
        x, k, width = self.shape.x, self.shape.k, self.shape.width
        box = [Linear.of(x) - start, start + (width - 1) - Linear.of(x)]
        ragged = self.points.simplified(known & box).involving([x])
        if any(form.coefficient(k) for form in ragged):
            self._pack_elements(buffer, tile, start, known)
            return
        k_bounds = (self.points & box).without([x], known).bounds(k)
        if not ragged:
            self._transpose(buffer, tile, start, k_bounds)
            return
        branch = self.builder.branch([_worst(form, x, start, width) for form in ragged])
        with branch.then():
            self._transpose(buffer, tile, start, k_bounds)
        with branch.orelse():
            self._pack_elements(buffer, tile, start, known)
        branch.close()

    def _transpose(
        self, buffer: PanelBuffer, tile: Linear, start: Linear, k_bounds: Bounds
    ) -> None:
        """Squares of vectors along k, transposed; what is left of k element by element."""
        b, x, k, side = self.builder, self.shape.x, self.shape.k, self._chunks[0][1]
        first, last = b.maximum(k_bounds.lowers), b.minimum(k_bounds.uppers)
        with b.loop([first], [last - (side - 1)], step=side, name="k", facts=ROLLED) as depth:
            for corner, size in self._chunks:
                for k1 in range(0, side, size):
                    self._transpose_square(buffer, tile, start, (corner, size), depth.index + k1)
        rest = first + b.named(floor(last - first, side), "squares") * side
        with b.loop([first, rest], [last], name="k", facts=ROLLED) as depth:
            with b.loop([start], [start + self.shape.width], name="x", facts=ROLLED) as lane:
                place = {**self.renamed, k: depth.index, x: lane.index}
                value = self._evaluate(buffer.source, place, x, None, None)
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(value, buffer.memref, at)

    def _transpose_square(
        self,
        buffer: PanelBuffer,
        tile: Linear,
        start: Linear,
        chunk: tuple[int, int],
        k1: Linear,
    ) -> None:
        b, x, k = self.builder, self.shape.x, self.shape.k
        corner, size = chunk
        places = [{**self.renamed, k: k1, x: start + (corner + row)} for row in range(size)]
        rows = [self._evaluate(buffer.source, place, k, size, None) for place in places]
        for step, column in enumerate(b.transposed(rows)):
            at = [tile, k1 - self.k0 + step, Linear((), corner)]
            b.vector_store(column, buffer.memref, at)

    def _pack_elements(
        self, buffer: PanelBuffer, tile: Linear, start: Linear, known: Constraints
    ) -> None:
        b, x, k, width = self.builder, self.shape.x, self.shape.k, self.shape.width
        box = [Linear.of(x) - start, start + (width - 1) - Linear.of(x)]
        within = self.points & box
        x_bounds = within.without([k], known).bounds(x)
        with b.loop(x_bounds.lowers, x_bounds.uppers, name="x") as lane:
            inner = (known & box).substitute({x: lane.index})
            k_bounds = self.points.substitute({x: lane.index}).simplified(inner).bounds(k)
            with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
                place = {**self.renamed, k: depth.index, x: lane.index}
                value = self._evaluate(buffer.source, place, x, None, None)
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(value, buffer.memref, at)
        self._fill_end(buffer, tile, start, known)

    def _fill_end(
        self, buffer: PanelBuffer, tile: Linear, start: Linear, known: Constraints
    ) -> None:
        b, k, width = self.builder, self.shape.k, self.shape.width
        end = b.minimum([self.x0 + count for count in self.x_counts])
        k_bounds = self.points.without([self.shape.x], known).bounds(k)
        with b.loop([end], [start + width], name="x") as lane:
            with b.loop(k_bounds.lowers, k_bounds.uppers, name="k", facts=ROLLED) as depth:
                at = [tile, depth.index - self.k0, lane.index - start]
                b.store(b.zero(buffer.source.type), buffer.memref, at)

    def _evaluate(
        self,
        source: SSAValue,
        place: dict[SSAValue, Linear],
        along: SSAValue,
        lanes: int | None,
        mask: SSAValue | None,
    ) -> SSAValue:
        """The value at `place`, or as many as there are lanes from there on, in steps of the
        iterator `along`."""

        def leaf(value: SSAValue) -> SSAValue | None:
            if not isinstance(value, OpResult) or not isinstance(value.op, affine.LoadOp):
                return None
            return self._load(value.op, place, along, lanes, mask)

        return Evaluator(self.builder, lanes, self.root, leaf).value(source)

    def _load(
        self,
        load: affine.LoadOp,
        place: dict[SSAValue, Linear],
        along: SSAValue,
        lanes: int | None,
        mask: SSAValue | None,
    ) -> SSAValue | None:
        if not self.root.is_ancestor(load):
            return None
        access = access_of(load)
        assert access is not None
        assert access.subscripts is not None
        known = [form for form in access.subscripts if form is not None]
        subscripts = [form.substitute(place) for form in known]
        if lanes is None:
            return self.builder.load(load.memref, subscripts)
        if known and known[-1].coefficient(along):
            type_ = VectorType(load.result.type, [lanes])
            return self.builder.vector_load(load.memref, subscripts, type_, mask)
        return self.builder.broadcast(self.builder.load(load.memref, subscripts), lanes)


def _worst(form: Linear, x: SSAValue, start: Linear, width: int) -> Linear:
    """The least value of `form` for x in [start, start + width)."""
    corner = start + (width - 1) if form.coefficient(x) < 0 else start
    return form.substitute({x: corner})


def _loads(source: SSAValue, root: Operation) -> list[affine.LoadOp]:
    """The loads that a value of the body is computed from."""
    if not isinstance(source, OpResult) or not root.is_ancestor(source.op):
        return []
    if isinstance(source.op, affine.LoadOp):
        return [source.op]
    return [load for operand in source.op.operands for load in _loads(operand, root)]
