"""The operations of a blocked contraction: room for panels, packs and tiles, made of its parts.

The body of the nest falls into three: what each panel holds, and what is left for the tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from xdsl.dialects.builtin import IndexType, UnitAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue

from polyopt.dialects import team
from polyopt.dialects.contract_blocks import PackOp, PanelOp, TileOp
from polyopt.dialects.contract_body import AroundOp, YieldOp
from polyopt.dialects.contract_forms import Blocking, BlockingAttr, PanelType
from polyopt.ir.affine.constraints import Constraints
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.linear_sets import Symbols
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.panel_values import PanelValues
from polyopt.passes.loops.contract.structured import Element, Structured
from polyopt.support.record import entity, record

Values = Mapping[SSAValue, SSAValue]


@record
class DepthBlock:
    """The first k of a block. It is the first block, or the last, where those forms are not
    negative, and there is one block of columns where all of `room` is."""

    start: Linear
    is_first: tuple[Linear, ...]
    is_last: tuple[Linear, ...]
    room: tuple[Linear, ...] = ()


@record
class Corner:
    """A tile's number and first row, its number and first column, its block of k."""

    row_tile: Linear
    row: Linear
    column_tile: Linear
    column: Linear
    depth: DepthBlock


@record
class PackPlace:
    """The points (x, k) of a block, what holds there, its first x and k, and the extents in x, the
    least of which counts."""

    points: Constraints
    known: Constraints
    x: Linear
    k: Linear
    counts: Sequence[Linear]


@entity
class BlockOps:
    """`values` are what is packed of the nest."""

    nest: Structured
    values: PanelValues
    blocking: Blocking
    builder: AffineBuilder
    _rows: list[SSAValue] = field(default_factory=list[SSAValue])
    _columns: list[SSAValue] = field(default_factory=list[SSAValue])

    def reserve_columns(
        self, across: Sequence[Linear], deep: Sequence[Linear], *, is_kept: bool
    ) -> None:
        """Room for blocks of at most the least of these sizes."""
        width, shared = self.blocking.columns, self.nest.is_shared
        self._columns += self._reserve(
            self.values.columns, width, across, deep, is_kept=is_kept, is_shared=shared
        )

    def reserve_rows(self, across: Sequence[Linear], deep: Sequence[Linear]) -> None:
        width = self.blocking.rows
        self._rows += self._reserve(self.values.rows, width, across, deep)

    def _reserve(
        self,
        values: Sequence[SSAValue],
        width: int,
        across: Sequence[Linear],
        deep: Sequence[Linear],
        *,
        is_kept: bool = False,
        is_shared: bool = False,
    ) -> list[SSAValue]:
        symbols = Symbols.of(across, deep)
        panels: list[SSAValue] = []
        for value in values:
            room = PanelOp(
                symbols.map(across),
                symbols.map(deep),
                list(symbols.values),
                PanelType(width, value.type, self.blocking.group),
                is_kept=is_kept,
                is_shared=is_shared,
            )
            panels.append(self.builder.insert(room).panel)
            panels[-1].name_hint = "panel"
        return panels

    def pack_columns(self, place: PackPlace) -> None:
        """Where a team does it together, when all members are done with what was packed before."""
        if self.nest.is_shared:
            self.builder.insert(team.BarrierOp())
        for value, panel in zip(self.values.columns, self._columns, strict=True):
            pack = self._pack(value, panel, self.nest.columns, place, {})
            pack.shared = UnitAttr() if self.nest.is_shared else None

    def pack_rows(self, place: PackPlace, renamed: Values) -> None:
        """`renamed` are the batch's iterators and what they are here."""
        for value, panel in zip(self.values.rows, self._rows, strict=True):
            self._pack(value, panel, self.nest.rows, place, renamed)

    def _pack(
        self, value: SSAValue, panel: SSAValue, x: SSAValue, place: PackPlace, renamed: Values
    ) -> PackOp:
        dims = (x, self.nest.depth)
        operations = _needed([value], self.nest.operations, ())
        taken = _used([*(o for op in operations for o in op.operands), value], self.nest.taken)
        maps = [_renamed(one.subscripts, renamed) for one in taken]
        corner, (points, known) = (place.x, place.k), (place.points.forms, place.known.forms)
        symbols = Symbols.of(corner, place.counts, points, known, *maps, dims=dims)
        pack = PackOp(
            panel,
            symbols.map(corner),
            symbols.map(place.counts),
            symbols.set(points, dims),
            symbols.set(known),
            list(symbols.values),
            [one.array for one in taken],
            [symbols.map(forms, dims) for forms in maps],
            self.blocking.lanes,
            self.blocking.group,
            _body(dims, [one.argument for one in taken], operations, [value], {}),
        )
        return self.builder.insert(pack)

    def tile(
        self, corner: Corner, domain: Constraints, known: Constraints, renamed: Values
    ) -> None:
        nest, depth = self.nest, corner.depth
        dims = (nest.rows, nest.columns, nest.depth)
        packed = (*self.values.rows, *self.values.columns)
        results = nest.op.yielded
        operations = _needed(results, nest.operations, packed)
        scalars = _used([o for op in operations for o in op.operands], nest.taken, packed)
        elements = [*nest.updated, *scalars]
        maps = [_renamed(one.subscripts, renamed) for one in elements]
        at = (corner.row_tile, corner.row, corner.column_tile, corner.column, depth.start)
        tests = {"first": depth.is_first, "last": depth.is_last, "room": depth.room}
        symbols = Symbols.of(at, domain.forms, known.forms, *tests.values(), *maps, dims=dims)
        places: dict[str, Attribute] = {
            "corner": symbols.map(at),
            "domain": symbols.set(domain.forms, dims),
            "assuming": symbols.set(known.forms),
            **{name: symbols.set(forms) for name, forms in tests.items()},
        }
        around = [op for op in nest.op.body.block.ops if isinstance(op, AroundOp)]
        arguments = [*(one.argument for one in elements), *packed]
        tile = TileOp(
            places,
            list(symbols.values),
            BlockingAttr(self.blocking),
            ([one.array for one in nest.updated], [one.array for one in scalars]),
            [symbols.map(forms, dims) for forms in maps],
            (self._rows, self._columns),
            _body(dims, arguments, [*around, *operations], results, renamed),
        )
        update = nest.op.body.block.last_op
        assert update is not None
        tile.location = update.location
        self.builder.insert(tile)


def _renamed(forms: Sequence[Linear], renamed: Values) -> tuple[Linear, ...]:
    replacement = {old: Linear.of(new) for old, new in renamed.items()}
    return tuple(form.substitute(replacement) for form in forms)


def _needed(
    values: Iterable[SSAValue], operations: Sequence[Operation], given: Iterable[SSAValue]
) -> list[Operation]:
    """The operations that values are computed by from those that are given, in their order."""
    inside, found = set(operations), set[Operation]()
    known = set(given)
    pending = list(values)
    while pending:
        value = pending.pop()
        if value in known or not isinstance(value, OpResult) or value.op not in inside:
            continue
        if value.op not in found:
            found.add(value.op)
            pending += value.op.operands
    return [op for op in operations if op in found]


def _used(
    values: Iterable[SSAValue], elements: Sequence[Element], given: Iterable[SSAValue] = ()
) -> list[Element]:
    """The elements among the values, but for those that are given."""
    used = set(values).difference(given)
    return [one for one in elements if one.argument in used]


def _body(
    dims: Sequence[SSAValue],
    arguments: Sequence[SSAValue],
    operations: Sequence[Operation],
    results: Sequence[SSAValue],
    renamed: Values,
) -> Region:
    """A body on these iterators and values, which it takes as arguments."""
    types = [*([IndexType()] * len(dims)), *(value.type for value in arguments)]
    block = Block(arg_types=types)
    here: dict[SSAValue, SSAValue] = dict(renamed)
    for old, new in zip((*dims, *arguments), block.args, strict=True):
        new.name_hint = old.name_hint
        here[old] = new
    for op in operations:
        block.add_op(op.clone(here))
    block.add_op(YieldOp(*(here.get(value, value) for value in results)))
    return Region(block)
