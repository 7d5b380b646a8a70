"""Writes the innermost part of a blocked contraction: one register tile.

    X tile into registers; for k: tile += row panel (broadcast) * column panel (vectors); back

One tile serves full and ragged places alike: the panels are defined for the whole tile, so k
runs over all of it without a guard, and only the transfer of the X tile asks whether the tile is
full or cut by an edge or a diagonal. Where k's range
depends on i or j (a triangle in k), the steps that every element of the tile takes run
unguarded; in those before and after each element keeps its old value where it has no instance.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import FixedBitwidthType, VectorType
from xdsl.ir import Attribute, OpResult, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.constraints import Bounds, Constraints
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.blocking import Blocking
from polyopt.passes.loops.contract.contraction import Accumulator, Contraction
from polyopt.passes.loops.contract.panels import PanelBuffer
from polyopt.passes.loops.contract.pointwise import Beside, Pointwise
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.support.record import entity, record

LINE_BYTES = 64

_HOT = LoopFacts(marks=("unroll_by_4",))
"""Of the loop over k: counting costs a sixth of its instructions, a tenth of its time."""


def size_of(element: Attribute) -> int:
    assert isinstance(element, FixedBitwidthType)
    return element.size


Key = tuple[int, int, int]
"""(accumulator, row, vector)"""
Grid = dict[Key, SSAValue]


@record
class DepthBlock:
    """The first k of a block. It is the first block, or the last, where those forms are not
    negative, and there is one block of columns where all of `room` is."""

    start: Linear
    is_first: tuple[Linear, ...]
    is_last: tuple[Linear, ...]
    room: tuple[Linear, ...] = ()


@record
class Place:
    """A tile's number and first row, its number and first column, its block of k."""

    row_tile: Linear
    row: Linear
    column_tile: Linear
    column: Linear
    depth: DepthBlock


@entity
class TileWriter:
    """`domain` are the block's instances, `known` what holds here, `renamed` the batch loops'
    new iterators."""

    builder: AffineBuilder
    contraction: Contraction
    blocking: Blocking
    domain: Constraints
    known: Constraints
    place: Place
    row_buffers: Sequence[PanelBuffer]
    column_buffers: Sequence[PanelBuffer]
    renamed: dict[SSAValue, Linear]
    beside: Beside

    def write(self) -> None:
        i, j, k = self.contraction.iterators
        edges = [
            form
            for form in self.domain.without([k], self.known).involving([i, j])
            if not self.known.implies(self.corner(form, is_least=True))
        ]
        transfer = _Transfer(self, edges)
        tile = transfer.load()
        self._prefetch_next()
        tile = self._write_updates(tile)
        transfer.store(tile)

    @property
    def keys(self) -> list[Key]:
        return [
            (a, r, v)
            for a in range(len(self.contraction.accumulators))
            for r in range(self.blocking.rows)
            for v in range(self.blocking.vectors)
        ]

    def corner(self, form: Linear, *, is_least: bool) -> Linear:
        """The least (or greatest) value of `form` in the tile."""
        i, j, _ = self.contraction.iterators
        replacement: dict[SSAValue, Linear] = {}
        for value, start, size in (
            (i, self.place.row, self.blocking.rows),
            (j, self.place.column, self.blocking.columns),
        ):
            is_end = (form.coefficient(value) < 0) == is_least
            replacement[value] = start + (size - 1) if is_end else start
        return form.substitute(replacement)

    def _prefetch_next(self) -> None:
        """The tile below comes next; while k runs here, its lines arrive."""
        b = self.builder
        rows = Linear((), self.blocking.rows)
        with b.loop([Linear()], [rows], name="r", facts=ROLLED) as row:
            below = row.index + self.blocking.rows
            for accumulator in self.contraction.accumulators:
                line = LINE_BYTES // size_of(accumulator.element)
                for column in range(0, self.blocking.columns, line):
                    at = self.subscripts(accumulator.subscripts, below, column)
                    b.prefetch(accumulator.array, at)

    def subscripts(self, forms: Sequence[Linear], row: Linear, column: int) -> list[Linear]:
        """What forms over the iterators are for the element in this row and column of the tile."""
        i, j, _ = self.contraction.iterators
        here = {**self.renamed, i: self.place.row + row, j: self.place.column + column}
        return [form.substitute(here) for form in forms]

    def masks_of_row(
        self, forms: Sequence[Linear], row: Linear, depth: Linear | None = None
    ) -> list[SSAValue]:
        """For each vector of a row, the lanes where all forms are at least zero (at this k).

        A form without j holds for all lanes or none: times the tile's width it is a number of
        lanes that is at most zero, or at least all.
        """
        i, j, k = self.contraction.iterators
        lanes, width, b = self.blocking.lanes, self.blocking.columns, self.builder
        here = {i: self.place.row + row}
        if depth is not None:
            here[k] = depth
        placed = [form.substitute(here) for form in forms]
        bounds = Constraints(tuple(placed)).bounds(j)
        ends = [form - self.place.column for form in bounds.uppers]
        ends += [(form + 1) * width for form in placed if not form.coefficient(j)]
        end = b.minimum([*ends, Linear((), width)])
        begin = b.maximum([form - self.place.column for form in bounds.lowers] or [Linear()])
        masks: list[SSAValue] = []
        for first in range(0, width, lanes):
            start = begin - first if bounds.lowers else Linear()
            masks.append(b.lanes_between(start, end - first, lanes))
        return masks

    def _write_updates(self, tile: Grid) -> Grid:
        """The loop over k, in up to three parts: see the head of the file."""
        i, j, k = self.contraction.iterators
        forms = self.domain.simplified(self.known).involving([k])
        steady = [form for form in forms if not form.uses((i, j))]
        coupled = [form for form in forms if form.uses((i, j))]
        if not coupled:
            return self._update(tile, Constraints(tuple(steady)).bounds(k), [])
        greatest = [self.corner(form, is_least=False) for form in coupled]
        least = [self.corner(form, is_least=True) for form in coupled]
        hull = Constraints((*steady, *greatest)).bounds(k)
        core = Constraints(tuple(least)).bounds(k)
        b = self.builder
        first, last = b.maximum(hull.lowers), b.minimum(hull.uppers)
        begin = b.minimum([last, b.maximum([first, *core.lowers])])
        end = b.minimum([last, *core.uppers])
        if core.lowers:
            tile = self._update(tile, Bounds((first,), (begin,)), coupled)
        tile = self._update(tile, Bounds((begin,), (end,)), [])
        if core.uppers:
            rest = b.maximum([begin, end])
            tile = self._update(tile, Bounds((rest,), (last,)), coupled)
        return tile

    def _update(self, tile: Grid, bounds: Bounds, guards: Sequence[Linear]) -> Grid:
        b, carried = self.builder, list(tile.values())
        facts = ROLLED if guards else _HOT
        with b.loop(bounds.lowers, bounds.uppers, carried=carried, name="k", facts=facts) as loop:
            old: Grid = dict(zip(tile, loop.carried, strict=True))
            step = _Step(self, loop.index, old)
            new = {key: step.updated(key) for key in tile}
            if guards:
                rows = range(self.blocking.rows)
                masks = [self.masks_of_row(guards, Linear((), r), loop.index) for r in rows]
                for (a, row, vector), value in new.items():
                    key = (a, row, vector)
                    chosen = pvec.SelectOp(masks[row][vector], value, old[key])
                    new[key] = b.insert(chosen).result
            loop.yielded = tuple(new.values())
        return dict(zip(tile, loop.results, strict=True))


@entity
class _Transfer:
    """The X tile from memory and back, with what the nests beside do to it. A tile that `edges` may
    cut goes through a small buffer, row by row, so that the code for the many values of a tile is
    there only once."""

    tile: TileWriter
    edges: Sequence[Linear]
    _buffers: list[SSAValue] = field(default_factory=list[SSAValue])

    def load(self) -> Grid:
        tile, b = self.tile, self.tile.builder
        if self.edges:
            self._buffers = [self._buffer(a.element) for a in tile.contraction.accumulators]
        before = tile.beside.before
        if not before:
            return self._load_all()
        types = [self._type(a) for a, _, _ in tile.keys]
        is_new = len(before) == len(tile.contraction.accumulators) and not any(
            one.loads for one in before.values()
        )
        old = {} if is_new else self._load_all()
        branch = b.branch(tile.place.depth.is_first, types)
        with branch.then() as side:
            spread: dict[int, SSAValue] = {}
            side.yielded = tuple(self._begun(key, old, spread) for key in tile.keys)
        with branch.orelse() as side:
            side.yielded = tuple((self._load_all() if is_new else old).values())
        return dict(zip(tile.keys, branch.close(), strict=True))

    def _begun(self, key: Key, old: Grid, spread: dict[int, SSAValue]) -> SSAValue:
        """What an element of the tile is before its first update; `spread` holds values that are
        the same for all."""
        nest = self.tile.beside.before.get(key[0])
        if nest is None:
            return old[key]
        if nest.loads:
            return self._computed(nest, old[key])
        if key[0] not in spread:
            spread[key[0]] = self._computed(nest, None)
        return spread[key[0]]

    def store(self, values: Grid) -> None:
        if not self.edges:
            self._store_all(values)
            return
        b = self.tile.builder
        branch = b.branch(self._is_full)
        with branch.then():
            self._store_all(values)
        with branch.orelse():
            for key, value in values.items():
                b.vector_store(value, self._buffers[key[0]], self._at(key))
            self._for_masked_rows(self._put)
            for nest in self.tile.beside.after:
                with self._where_taken_in(nest):
                    self._for_masked_rows(partial(self._put_after, nest))
        branch.close()

    def _load_all(self) -> Grid:
        tile, b = self.tile, self.tile.builder
        if not self.edges:
            return {key: self._load(key) for key in tile.keys}
        types = [self._type(a) for a, _, _ in tile.keys]
        branch = b.branch(self._is_full, types)
        with branch.then() as side:
            side.yielded = tuple(self._load(key) for key in tile.keys)
        with branch.orelse() as side:
            self._for_masked_rows(self._fetch)
            side.yielded = tuple(
                b.vector_load(self._buffers[key[0]], self._at(key), self._type(key[0]))
                for key in tile.keys
            )
        return dict(zip(tile.keys, branch.close(), strict=True))

    def _store_all(self, values: Grid) -> None:
        tile = self.tile
        for key, value in values.items():
            self._store(value, tile.contraction.accumulators[key[0]], key)
        for nest in tile.beside.after:
            with self._where_taken_in(nest):
                for key, value in values.items():
                    if key[0] == nest.accumulator:
                        self._store(self._computed(nest, value), nest, key)

    @contextmanager
    def _where_taken_in(self, nest: Pointwise) -> Generator[None]:
        depth = self.tile.place.depth
        room = depth.room if nest.reads_back else ()
        branch = self.tile.builder.branch([*depth.is_last, *room])
        with branch.then():
            yield
        branch.close()

    def _computed(self, nest: Pointwise, element: SSAValue | None) -> SSAValue:
        """What the nest stores where it reads `element`."""

        def leaf(value: SSAValue) -> SSAValue | None:
            return element if value in nest.loads else None

        tile = self.tile
        return Evaluator(tile.builder, tile.blocking.lanes, nest.root, leaf).value(nest.store.value)

    def _buffer(self, element: Attribute) -> SSAValue:
        shape = [self.tile.blocking.rows, self.tile.blocking.columns]
        allocated = memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=shape)
        allocated.memref.name_hint = "edge"
        return self.tile.builder.insert(allocated).memref

    @property
    def _is_full(self) -> list[Linear]:
        return [self.tile.corner(edge, is_least=True) for edge in self.edges]

    def _type(self, accumulator: int) -> VectorType[Attribute]:
        element = self.tile.contraction.accumulators[accumulator].element
        return VectorType(element, [self.tile.blocking.lanes])

    def _at(self, key: Key) -> list[Linear]:
        _, row, vector = key
        return [Linear((), row), Linear((), vector * self.tile.blocking.lanes)]

    def _load(self, key: Key) -> SSAValue:
        a, row, vector = key
        tile, x = self.tile, self.tile.contraction.accumulators[a]
        at = tile.subscripts(x.subscripts, Linear((), row), vector * tile.blocking.lanes)
        return tile.builder.vector_load(x.array, at, self._type(a))

    def _store(self, value: SSAValue, to: Accumulator | Pointwise, key: Key) -> None:
        _, row, vector = key
        tile = self.tile
        at = tile.subscripts(to.subscripts, Linear((), row), vector * tile.blocking.lanes)
        tile.builder.vector_store(value, to.array, at)

    def _for_masked_rows(self, move: Callable[[int, Linear, int, SSAValue], None]) -> None:
        """Call `move(accumulator, row, first column, mask)` in a loop over the tile's rows."""
        tile = self.tile
        rows = Linear((), tile.blocking.rows)
        with tile.builder.loop([Linear()], [rows], name="r", facts=ROLLED) as row:
            masks = tile.masks_of_row(self.edges, row.index)
            for a in range(len(tile.contraction.accumulators)):
                for vector, mask in enumerate(masks):
                    move(a, row.index, vector * tile.blocking.lanes, mask)

    def _fetch(self, a: int, row: Linear, column: int, mask: SSAValue) -> None:
        b, x = self.tile.builder, self.tile.contraction.accumulators[a]
        at = self.tile.subscripts(x.subscripts, row, column)
        value = b.vector_load(x.array, at, self._type(a), mask)
        b.vector_store(value, self._buffers[a], [row, Linear((), column)])

    def _put(self, a: int, row: Linear, column: int, mask: SSAValue) -> None:
        b, x = self.tile.builder, self.tile.contraction.accumulators[a]
        at = self.tile.subscripts(x.subscripts, row, column)
        b.vector_store(self._buffered(a, row, column), x.array, at, mask)

    def _put_after(self, nest: Pointwise, a: int, row: Linear, column: int, mask: SSAValue) -> None:
        if a != nest.accumulator:
            return
        b = self.tile.builder
        value = self._computed(nest, self._buffered(a, row, column))
        at = self.tile.subscripts(nest.subscripts, row, column)
        b.vector_store(value, nest.array, at, mask)

    def _buffered(self, a: int, row: Linear, column: int) -> SSAValue:
        at = [row, Linear((), column)]
        return self.tile.builder.vector_load(self._buffers[a], at, self._type(a))


@entity
class _Step:
    """One k: a value that varies with rows only, or with vectors only, is made once for each."""

    tile: TileWriter
    depth: Linear
    old: Grid
    _panels: dict[tuple[SSAValue, int], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, int], SSAValue]
    )
    _evaluators: dict[tuple[int, int], Evaluator] = field(
        default_factory=dict[tuple[int, int], Evaluator]
    )

    def updated(self, key: Key) -> SSAValue:
        """The accumulator's next value."""
        a, row, vector = key
        contraction = self.tile.contraction
        if (row, vector) not in self._evaluators:
            self._evaluators[row, vector] = Evaluator(
                self.tile.builder,
                self.tile.blocking.lanes,
                contraction.root,
                lambda value: self._leaf(value, row, vector),
                # LLVM would sum four steps of k first, in registers that are not there.
                in_order=True,
            )
        return self._evaluators[row, vector].value(contraction.accumulators[a].store.value)

    def _leaf(self, value: SSAValue, row: int, vector: int) -> SSAValue | None:
        for a, accumulator in enumerate(self.tile.contraction.accumulators):
            if value is accumulator.load.result:
                return self.old[a, row, vector]
        for buffer in self.tile.row_buffers:
            if buffer.source is value:
                return self._once(value, row, lambda: self._row(buffer, row))
        for buffer in self.tile.column_buffers:
            if buffer.source is value:
                return self._once(value, vector, lambda: self._column(buffer, vector))
        if isinstance(value, OpResult) and isinstance(value.op, affine.LoadOp):
            return self._once(value, 0, lambda: self._scalar(value))
        return None

    def _once(self, value: SSAValue, number: int, make: Callable[[], SSAValue]) -> SSAValue:
        if (value, number) not in self._panels:
            self._panels[value, number] = make()
        return self._panels[value, number]

    def _row(self, buffer: PanelBuffer, row: int) -> SSAValue:
        b, place = self.tile.builder, self.tile.place
        at = [place.row_tile, self.depth - place.depth.start, Linear((), row)]
        return b.broadcast(b.load(buffer.memref, at), self.tile.blocking.lanes)

    def _column(self, buffer: PanelBuffer, vector: int) -> SSAValue:
        place, lanes = self.tile.place, self.tile.blocking.lanes
        at = [place.column_tile, self.depth - place.depth.start, Linear((), vector * lanes)]
        type_ = VectorType(buffer.source.type, [lanes])
        return self.tile.builder.vector_load(buffer.memref, at, type_)

    def _scalar(self, value: OpResult) -> SSAValue:
        """A value that no loop of the nest changes and that lies in memory."""
        assert isinstance(value.op, affine.LoadOp)
        b = self.tile.builder
        return b.broadcast(b.load(value.op.memref, []), self.tile.blocking.lanes)
