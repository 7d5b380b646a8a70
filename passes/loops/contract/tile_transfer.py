"""Moves the elements of a register tile from memory and back, with what goes around their updates.

A tile that an edge may cut goes through a small buffer, row by row, so that the code for the many
values of a tile is there only once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial

from xdsl.dialects import memref
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.contract_body import AroundOp
from polyopt.ir.affine.linear import Linear
from polyopt.passes.loops.affine_builder import ROLLED, AffineBuilder
from polyopt.passes.loops.contract.tile import Finish, Grid, Key, Tile
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.vector_memory import vector_load, vector_store
from polyopt.support.record import entity
from polyopt.support.target import LINE_BYTES


@entity
class Transfer:
    """Where `edges` are at least zero, the tile has an element."""

    tile: Tile
    builder: AffineBuilder
    edges: Sequence[Linear]
    _buffers: list[SSAValue] = field(default_factory=list[SSAValue])

    def load(self) -> Grid:
        tile, b = self.tile, self.builder
        if self.edges:
            self._buffers = [self._buffer(one.type) for one in tile.updated]
        begins = tile.begins
        if not begins:
            return self._load_all()
        types = [tile.type_of(a) for a, _, _ in tile.keys]
        is_fresh = len(begins) == len(tile.updated) and not any(map(_reads, begins.values()))
        old = {} if is_fresh else self._load_all()
        branch = b.branch(tile.is_first, types)
        with branch.then() as side:
            spread: dict[int, SSAValue] = {}
            side.yielded = tuple(self._begun(key, old, spread) for key in tile.keys)
        with branch.orelse() as side:
            side.yielded = tuple((self._load_all() if is_fresh else old).values())
        return dict(zip(tile.keys, branch.close(), strict=True))

    def _begun(self, key: Key, old: Grid, spread: dict[int, SSAValue]) -> SSAValue:
        """What an element of the tile is before its first update; `spread` holds values that are
        the same for all."""
        begin = self.tile.begins.get(key[0])
        if begin is None:
            return old[key]
        if _reads(begin):
            return self._computed(begin, old[key])
        if key[0] not in spread:
            spread[key[0]] = self._computed(begin, None)
        return spread[key[0]]

    def store(self, values: Grid) -> None:
        if not self.edges:
            self._store_all(values)
            return
        b = self.builder
        branch = b.branch(self._is_full)
        with branch.then():
            self._store_all(values)
        with branch.orelse():
            for key, value in values.items():
                vector_store(b, value, self._buffers[key[0]], self._at(key))
            self._for_masked_rows(self._put)
            for finish in self.tile.finishes:
                with self._where_it_runs(finish):
                    self._for_masked_rows(partial(self._put_finished, finish))
        branch.close()

    def _load_all(self) -> Grid:
        tile, b = self.tile, self.builder
        if not self.edges:
            return {key: self._load(key) for key in tile.keys}
        types = [tile.type_of(a) for a, _, _ in tile.keys]
        branch = b.branch(self._is_full, types)
        with branch.then() as side:
            side.yielded = tuple(self._load(key) for key in tile.keys)
        with branch.orelse() as side:
            self._for_masked_rows(self._fetch)
            side.yielded = tuple(
                vector_load(b, self._buffers[key[0]], self._at(key), tile.type_of(key[0]))
                for key in tile.keys
            )
        return dict(zip(tile.keys, branch.close(), strict=True))

    def _store_all(self, values: Grid) -> None:
        for key, value in values.items():
            element = self.tile.updated[key[0]]
            self._store(value, element.array, element.subscripts, key)
        for finish in self.tile.finishes:
            with self._where_it_runs(finish):
                for key, value in values.items():
                    if key[0] == finish.element:
                        made = self._computed(finish.op, value)
                        self._store(made, finish.op.array, finish.subscripts, key)

    @contextmanager
    def _where_it_runs(self, finish: Finish) -> Generator[None]:
        room = self.tile.room if finish.op.reads_back is not None else ()
        branch = self.builder.branch([*self.tile.is_last, *room])
        with branch.then():
            yield
        branch.close()

    def _computed(self, around: AroundOp, element: SSAValue | None) -> SSAValue:
        """What is made of `element`."""

        def leaf(value: SSAValue) -> SSAValue | None:
            return element if value is around.body.block.args[0] else None

        lanes = self.tile.blocking.lanes
        return Evaluator(self.builder, lanes, around, leaf).value(around.value)

    def _buffer(self, element: Attribute) -> SSAValue:
        shape = [self.tile.blocking.rows, self.tile.blocking.columns]
        allocated = memref.AllocaOp.get(element, alignment=LINE_BYTES, shape=shape)
        allocated.memref.name_hint = "edge"
        return self.builder.insert(allocated).memref

    @property
    def _is_full(self) -> list[Linear]:
        return [self.tile.extreme(edge, is_least=True) for edge in self.edges]

    def _at(self, key: Key) -> list[Linear]:
        _, row, vector = key
        return [Linear((), row), Linear((), vector * self.tile.blocking.lanes)]

    def _load(self, key: Key) -> SSAValue:
        number, row, vector = key
        tile, element = self.tile, self.tile.updated[number]
        at = tile.subscripts(element.subscripts, Linear((), row), vector * tile.blocking.lanes)
        return vector_load(self.builder, element.array, at, tile.type_of(number))

    def _store(
        self, value: SSAValue, array: SSAValue, subscripts: Sequence[Linear], key: Key
    ) -> None:
        _, row, vector = key
        tile = self.tile
        at = tile.subscripts(subscripts, Linear((), row), vector * tile.blocking.lanes)
        vector_store(self.builder, value, array, at)

    def _for_masked_rows(self, move: Callable[[int, Linear, int, SSAValue], None]) -> None:
        """Call `move(number, row, first column, mask)` in a loop over the tile's rows."""
        tile, b = self.tile, self.builder
        rows = Linear((), tile.blocking.rows)
        with b.loop([Linear()], [rows], name="r", facts=ROLLED) as row:
            masks = tile.masks_of_row(b, self.edges, row.index)
            for number in range(len(tile.updated)):
                for vector, mask in enumerate(masks):
                    move(number, row.index, vector * tile.blocking.lanes, mask)

    def _fetch(self, number: int, row: Linear, column: int, mask: SSAValue) -> None:
        b, element = self.builder, self.tile.updated[number]
        at = self.tile.subscripts(element.subscripts, row, column)
        value = vector_load(b, element.array, at, self.tile.type_of(number), mask)
        vector_store(b, value, self._buffers[number], [row, Linear((), column)])

    def _put(self, number: int, row: Linear, column: int, mask: SSAValue) -> None:
        b, element = self.builder, self.tile.updated[number]
        at = self.tile.subscripts(element.subscripts, row, column)
        vector_store(b, self._buffered(number, row, column), element.array, at, mask)

    def _put_finished(
        self, finish: Finish, number: int, row: Linear, column: int, mask: SSAValue
    ) -> None:
        if number != finish.element:
            return
        value = self._computed(finish.op, self._buffered(number, row, column))
        at = self.tile.subscripts(finish.subscripts, row, column)
        vector_store(self.builder, value, finish.op.array, at, mask)

    def _buffered(self, number: int, row: Linear, column: int) -> SSAValue:
        at = [row, Linear((), column)]
        return vector_load(self.builder, self._buffers[number], at, self.tile.type_of(number))


def _reads(around: AroundOp) -> bool:
    """Does it read the element, or begin it anew?"""
    return around.body.block.args[0].first_use is not None
