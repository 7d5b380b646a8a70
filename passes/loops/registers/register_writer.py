"""Writes nests whose results stay in registers (`register_nest.py`) as tiles of rows and vectors.

    for i: for j:                       for i step R: for j step V * lanes:
      s[i, j] = a                         R * V vectors = a
      for k: s[i, j] += f(i, j, k)   =>   for k, R * V vectors carried: each += f
      b[i, j] = s[i, j]                   R * V vectors are stored

A loop of known length ends with a tile of what is left; else single rows, and single vectors of
which the last one is masked, do the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.ir import Operation, SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.loop_facts import LoopFacts
from polyopt.ir.affine_nest import AffineLoop
from polyopt.ir.linear import Linear
from polyopt.passes.loops.affine_builder import AffineBuilder, floor
from polyopt.passes.loops.elementwise import Evaluator
from polyopt.passes.loops.registers.register_nest import (
    Group,
    Place,
    RegisterNest,
    is_count,
    moves_with,
)
from polyopt.passes.loops.registers.register_plan import Plan, extent_of
from polyopt.support.record import entity, record

Iterators = Mapping[SSAValue, Linear]
"""What stands for the iterators of the nest."""

_ONE_ROW = 1


@record
class _Strip:
    """The vectors of a tile, side by side; a mask for each one that is not whole. `last` is the
    number of the last column."""

    masks: tuple[SSAValue | None, ...]
    last: Linear = Linear()


@record
class RegisterTileWriter:
    builder: AffineBuilder
    nest: RegisterNest
    plan: Plan

    @property
    def is_moving(self) -> bool:
        """Do ranges of serial loops move from column to column?"""
        loops = (loop for group in self.nest.groups for loop in group.loops)
        return any(moves_with(loop, self.plan.columns) for loop in loops)

    def write(self) -> None:
        self._write_outer(0, {}, _ONE_ROW, _Strip(()))

    def _write_outer(self, depth: int, at: Iterators, rows: int, strip: _Strip) -> None:
        if depth == len(self.nest.outer):
            self._write_body(at, rows, strip)
            return
        loop = self.nest.outer[depth]
        if loop is self.plan.columns:
            self._write_strips(loop, depth, at, rows)
        elif loop is self.plan.row_loop:
            self._write_rows(loop, depth, at, strip)
        else:
            lowers, uppers = _bounds(loop, at)
            name = loop.iv.name_hint
            with self.builder.loop(
                lowers, uppers, step=loop.step, name=name, facts=_facts(loop)
            ) as opened:
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, rows, strip)

    def _range(self, loop: AffineLoop, at: Iterators) -> tuple[Linear, Linear]:
        """Its bounds, of which the strongest are values in front of it."""
        lowers, uppers = _bounds(loop, at)
        b = self.builder
        lower = lowers[0] if len(lowers) == 1 else b.named(b.maximum(lowers), "first")
        return lower, uppers[0] if len(uppers) == 1 else b.named(b.minimum(uppers), "end")

    def _write_rows(self, loop: AffineLoop, depth: int, at: Iterators, strip: _Strip) -> None:
        b, rows = self.builder, self.plan.rows
        lower, upper = self._range(loop, at)
        extent = extent_of(loop)
        whole = upper if extent is None else lower + extent // rows * rows
        with b.loop(
            [lower], [whole - (rows - 1)], step=rows, name=loop.iv.name_hint, facts=_facts(loop)
        ) as opened:
            self._write_outer(depth + 1, {**at, loop.iv: opened.index}, rows, strip)
        if extent is not None:
            if extent % rows:
                self._write_outer(depth + 1, {**at, loop.iv: whole}, extent % rows, strip)
        elif rows > 1:
            done = b.named(floor(upper - lower, rows), "tiles") * rows
            with b.loop(
                [lower, lower + done], [upper], name=loop.iv.name_hint, facts=_facts(loop)
            ) as opened:
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, _ONE_ROW, strip)

    def _write_strips(self, loop: AffineLoop, depth: int, at: Iterators, rows: int) -> None:
        b, lanes = self.builder, self.plan.lanes
        width = lanes * self.plan.vectors
        lower, upper = self._range(loop, at)
        extent = extent_of(loop)
        name, facts = loop.iv.name_hint, _facts(loop)
        whole = upper if extent is None else lower + extent // width * width
        if extent is None or extent >= width:
            with b.loop(
                [lower], [whole - (width - 1)], step=width, name=name, facts=facts
            ) as opened:
                strip = _Strip((None,) * self.plan.vectors, Linear((), width - 1))
                self._write_outer(depth + 1, {**at, loop.iv: opened.index}, rows, strip)
        if extent is not None:
            if rest := extent % width:
                masks: list[SSAValue | None] = [None] * (rest // lanes)
                if rest % lanes:
                    masks.append(b.lanes_between(Linear(), Linear((), rest % lanes), lanes))
                strip = _Strip(tuple(masks), Linear((), rest - 1))
                self._write_outer(depth + 1, {**at, loop.iv: whole}, rows, strip)
            return
        done = b.named(floor(upper - lower, width), "strips") * width
        with b.loop([lower, lower + done], [upper], step=lanes, name=name, facts=facts) as opened:
            mask = b.lanes_between(Linear(), upper - opened.index, lanes)
            left = upper - opened.index - 1
            last = b.minimum([left, Linear((), lanes - 1)]) if self.is_moving else left
            inside = {**at, loop.iv: opened.index}
            self._write_outer(depth + 1, inside, rows, _Strip((mask,), last))

    def _write_body(self, at: Iterators, rows: int, strip: _Strip) -> None:
        if not self.nest.guards:
            _Tile(self, at, rows, strip).write()
            return
        branch = self.builder.branch([guard.substitute(at) for guard in self.nest.guards])
        with branch.then():
            _Tile(self, at, rows, strip).write()
        with branch.orelse():
            pass
        branch.close()


def _bounds(loop: AffineLoop, at: Iterators) -> tuple[list[Linear], list[Linear]]:
    lowers = [form.substitute(at) for form in loop.lowers or ()]
    return lowers, [form.substitute(at) for form in loop.uppers or ()]


def _facts(loop: AffineLoop) -> LoopFacts:
    """What is still true of the loop; that its body updates arrays is not, registers do."""
    facts = loop.facts
    return facts if facts.is_parallel else LoopFacts(iterator=facts.iterator)


_Cell = tuple[int, int]
"""A row and a vector."""


@record
class _Range:
    """A part of a serial loop's range; at an edge only lanes from the greatest of `begins` on and
    before the least of `ends`, both less the time's `factor`, are inside."""

    lowers: Sequence[Linear]
    uppers: Sequence[Linear]
    begins: tuple[Linear, ...] = ()
    ends: tuple[Linear, ...] = ()
    factor: int = 0
    count: Linear = Linear()
    """How many columns there are in the strip."""

    @property
    def is_edge(self) -> bool:
        return self.factor != 0

    def mask(self, b: AffineBuilder, time: Linear, vector: int, lanes: int) -> SSAValue:
        offset = time * self.factor - vector * lanes
        begin = b.maximum([one + offset for one in self.begins]) if self.begins else Linear()
        left = self.count - vector * lanes
        inside = [Linear((), lanes), left, *(one + offset for one in self.ends)]
        return b.lanes_between(begin, b.minimum(inside), lanes)


def _edges(
    b: AffineBuilder, loop: AffineLoop, columns: AffineLoop, at: Iterators, strip: _Strip
) -> list[_Range]:
    """The parts of a range of which one end moves by one from lane to lane: all lanes are inside in
    one of them, and in each step of the other one some are."""
    lowers, uppers = loop.lowers or (), loop.uppers or ()
    iv = columns.iv
    is_lower = any(form.coefficient(iv) for form in lowers)
    forms = lowers if is_lower else uppers
    step = next(form.coefficient(iv) for form in forms if form.coefficient(iv))
    first = [form.substitute(at) for form in forms]
    last = [
        form + strip.last * step if original.coefficient(iv) else form
        for form, original in zip(first, forms, strict=True)
    ]
    moving = [form for form, original in zip(first, forms, strict=True) if original.coefficient(iv)]
    others = [form.substitute(at) for form in (uppers if is_lower else lowers)]
    count = strip.last + 1
    if is_lower:
        # Inside where time >= low + step * lane.
        start = b.named(b.maximum([*first, *last]), "start")
        outermost = first if step > 0 else last
        if step > 0:
            ends = tuple(-low + 1 for low in moving)
            edge = _Range(outermost, [start, *others], (), ends, 1, count)
        else:
            edge = _Range(outermost, [start, *others], tuple(moving), (), -1, count)
        whole = _Range([start], others)
    else:
        # Inside where time < high + step * lane.
        stop = b.named(b.minimum([*first, *last]), "stop")
        outermost = last if step > 0 else first
        if step > 0:
            begins = tuple(-high + 1 for high in moving)
            edge = _Range([*others, stop], outermost, begins, (), 1, count)
        else:
            edge = _Range([*others, stop], outermost, (), tuple(moving), -1, count)
        whole = _Range(others, [stop])
    return [edge, whole] if is_lower else [whole, edge]


@record
class _Tile:
    """One tile, at a place; `registers` hold the places that it stores to."""

    writer: RegisterTileWriter
    at: Iterators
    rows: int
    strip: _Strip
    registers: dict[tuple[_Cell, Place], SSAValue] = field(
        default_factory=dict[tuple[_Cell, Place], SSAValue]
    )

    @property
    def builder(self) -> AffineBuilder:
        return self.writer.builder

    @property
    def cells(self) -> list[_Cell]:
        return [(row, n) for row in range(self.rows) for n in range(len(self.strip.masks))]

    def write(self) -> None:
        b, held = self.builder, self.writer.nest.held
        known: dict[_Cell, dict[SSAValue, SSAValue]] = {cell: {} for cell in self.cells}
        for group in self.writer.nest.groups:
            if group.loops:
                self._write_serial(group, known)
            else:
                _Step(self, group, self.at, known, self.strip.masks).run()
        for (cell, place), value in self.registers.items():
            if not held[place]:
                array, forms = self.address(place, cell, self.at)
                b.vector_store(value, array, forms, self.strip.masks[cell[1]])

    def _write_serial(self, group: Group, known: dict[_Cell, dict[SSAValue, SSAValue]]) -> None:
        held = self.writer.nest.held
        touched = dict.fromkeys(p for p in group.places.values() if p in held)
        stored = {p for op, p in group.places.items() if isinstance(op, affine.StoreOp)}
        slots = [(cell, place) for cell in self.cells for place in touched]
        for cell, place in slots:
            self.register(cell, place)
        slots = [slot for slot in slots if slot[1] in stored]
        initial = [self.registers[slot] for slot in slots]

        def loops(depth: int, at: Iterators, carried: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
            loop = group.loops[depth]
            if moves_with(loop, self.writer.plan.columns):
                for edge in _edges(self.builder, loop, self.writer.plan.columns, at, self.strip):
                    carried = run(depth, at, carried, edge)
                return tuple(carried)
            return run(depth, at, carried, _Range(*_bounds(loop, at)))

        def run(
            depth: int, at: Iterators, carried: Sequence[SSAValue], part: _Range
        ) -> tuple[SSAValue, ...]:
            loop = group.loops[depth]
            with self.builder.loop(
                part.lowers,
                part.uppers,
                step=loop.step,
                carried=carried,
                name=loop.iv.name_hint,
                facts=LoopFacts(iterator=loop.facts.iterator),
            ) as opened:
                inside = {**at, loop.iv: opened.index}
                if depth + 1 < len(group.loops):
                    opened.yielded = loops(depth + 1, inside, opened.carried)
                else:
                    opened.yielded = body(inside, opened.carried, part)
            return opened.results

        def body(at: Iterators, carried: Sequence[SSAValue], part: _Range) -> tuple[SSAValue, ...]:
            self.registers.update(zip(slots, carried, strict=True))
            values = {cell: dict(known[cell]) for cell in self.cells}
            masks = self.strip.masks
            if part.is_edge:
                time = at[group.loops[-1].iv]
                masks = tuple(
                    part.mask(self.builder, time, n, self.writer.plan.lanes)
                    for n in range(len(masks))
                )
            _Step(self, group, at, values, masks, is_edge=part.is_edge).run()
            return tuple(self.registers[slot] for slot in slots)

        results = loops(0, self.at, initial)
        self.registers.update(zip(slots, results, strict=True))

    def register(self, cell: _Cell, place: Place) -> SSAValue:
        """What the cell's place holds now."""
        found = self.registers.get((cell, place))
        if found is None:
            array, forms = self.address(place, cell, self.at)
            type_ = VectorType(memref_type(array).element_type, [self.writer.plan.lanes])
            mask = self.strip.masks[cell[1]]
            found = self.builder.vector_load(array, forms, type_, mask)
            self.registers[cell, place] = found
        return found

    def address(
        self, place: Place, cell: _Cell, at: Iterators
    ) -> tuple[SSAValue, tuple[Linear, ...]]:
        here = self.iterators(cell, at)
        return place[0], tuple(form.substitute(here) for form in place[1])

    def iterators(self, cell: _Cell, at: Iterators) -> dict[SSAValue, Linear]:
        """Those of the nest, of the cell's first lane."""
        plan, (row, vector) = self.writer.plan, cell
        here = {**at, plan.columns.iv: at[plan.columns.iv] + vector * plan.lanes}
        if plan.row_loop is not None:
            here[plan.row_loop.iv] = at[plan.row_loop.iv] + row
        return here


@entity
class _Step:
    """A group's straight-line code in all cells of a tile. Loads that cells share are done once;
    what is the same in all lanes is computed once for each row."""

    tile: _Tile
    group: Group
    at: Iterators
    known: dict[_Cell, dict[SSAValue, SSAValue]]
    masks: tuple[SSAValue | None, ...]
    is_edge: bool = False
    """Lanes outside of the mask keep what they hold."""
    loaded: dict[tuple[SSAValue, tuple[Linear, ...], bool], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, tuple[Linear, ...], bool], SSAValue]
    )
    spread: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def run(self) -> None:
        tile, group = self.tile, self.group
        b, plan, root = tile.builder, tile.writer.plan, tile.writer.nest.root
        uniform = _uniform(tile.writer.nest, group, plan.columns)
        scalars = [
            Evaluator(b, None, root, lambda value, row=row: self._scalar(value, row))
            for row in range(tile.rows)
        ]
        evaluators: dict[_Cell, Evaluator] = {}
        for cell in tile.cells:

            def leaf(value: SSAValue, cell: _Cell = cell) -> SSAValue | None:
                if value in uniform:
                    return self._spread(scalars[cell[0]].value(value))
                return self._vector(value, cell)

            evaluators[cell] = Evaluator(b, plan.lanes, root, leaf, known=self.known[cell])
        for op in group.operations:
            for cell, evaluator in evaluators.items():
                if isinstance(op, affine.StoreOp):
                    self._put(cell, group.places[op], evaluator.value(op.value))
                elif op.results and op.results[0] not in uniform:
                    evaluator.value(op.results[0])

    def _put(self, cell: _Cell, place: Place, value: SSAValue) -> None:
        if self.is_edge and (mask := self.masks[cell[1]]) is not None:
            held = self.tile.register(cell, place)
            value = self.tile.builder.insert(pvec.SelectOp(mask, value, held)).result
        self.tile.registers[cell, place] = value

    def _spread(self, scalar: SSAValue) -> SSAValue:
        if scalar not in self.spread:
            lanes = self.tile.writer.plan.lanes
            self.spread[scalar] = self.tile.builder.broadcast(scalar, lanes)
        return self.spread[scalar]

    def _scalar(self, value: SSAValue, row: int) -> SSAValue | None:
        op, cell = value.owner, (row, 0)
        if isinstance(op, affine.LoadOp):
            array, forms = self.tile.address(self.group.places[op], cell, self.at)
            key = (array, forms, False)
            if key not in self.loaded:
                self.loaded[key] = self.tile.builder.load(array, forms)
            return self.loaded[key]
        if isinstance(op, arith.IndexCastOp):
            b, here = self.tile.builder, self.tile.iterators(cell, self.at)
            counted = here.get(op.input, Linear.of(op.input))
            cast = arith.IndexCastOp(b.value(counted), op.result.type)
            return b.insert(cast).result
        return None

    def _vector(self, value: SSAValue, cell: _Cell) -> SSAValue | None:
        op, b, plan = value.owner, self.tile.builder, self.tile.writer.plan
        if isinstance(op, arith.IndexCastOp) and is_count(op):
            type_ = op.result.type
            assert isinstance(type_, IntegerType)
            first = self.tile.iterators(cell, self.at)[op.input]
            return b.numbers(first, 1, plan.lanes, type_)
        if not isinstance(op, affine.LoadOp):
            return None
        place = self.group.places[op]
        if place in self.tile.writer.nest.held:
            return self.tile.register(cell, place)
        array, forms = self.tile.address(place, cell, self.at)
        key = (array, forms, True)
        if key not in self.loaded:
            mask = self.masks[cell[1]]
            stride = place[1][-1].coefficient(plan.columns.iv)
            self.loaded[key] = _load(b, (array, forms), stride, plan.lanes, mask)
        return self.loaded[key]


def _load(
    b: AffineBuilder, place: Place, stride: int, lanes: int, mask: SSAValue | None
) -> SSAValue:
    """The elements from the place on, so far apart. Nothing is loaded beyond the last one."""
    array, forms = place
    type_ = VectorType(memref_type(array).element_type, [lanes])
    if stride == 1:
        return b.vector_load(array, forms, type_, mask)
    *outer, last = forms
    if mask is not None:
        return b.strided_load(array, forms, [*(0 for _ in outer), stride], type_, mask)
    if stride == -1:
        row = b.vector_load(array, [*outer, last - (lanes - 1)], type_)
        return b.picked([row], [0], range(lanes - 1, -1, -1))
    starts = [lanes * chunk for chunk in range(stride - 1)]
    starts.append(stride * (lanes - 1) + 1 - lanes)
    chunks = [b.vector_load(array, [*outer, last + start], type_) for start in starts]
    return b.picked(chunks, starts, range(0, stride * lanes, stride))


def _uniform(nest: RegisterNest, group: Group, columns: AffineLoop) -> set[SSAValue]:
    """The values of the group that are the same in all lanes."""
    found: set[SSAValue] = set()
    for op in group.operations:
        if isinstance(op, affine.LoadOp):
            array, forms = group.places[op]
            if (array, forms) not in nest.held and not any(f.uses([columns.iv]) for f in forms):
                found.add(op.result)
        elif is_count(op):
            if op.operands[0] is not columns.iv:
                found.add(op.results[0])
        elif not isinstance(op, affine.StoreOp) and all(
            _is_outside(nest, v) or v in found for v in op.operands
        ):
            found.update(op.results)
    return found


def _is_outside(nest: RegisterNest, value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and not nest.root.is_ancestor(value.owner)
