"""Writes what is computed in turns (`turn_forms.py`): part h, lane l is element h * lanes + l of
the groups side by side, so component `element % g` of group `element // g`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    IntegerType,
    VectorType,
)
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.pvec_lanes import vector_type
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.linear import Linear
from polyopt.ir.elementwise import on_others
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import looked_up, shuffled, woven
from polyopt.passes.loops.transfer_builder import read
from polyopt.passes.loops.transfers.turn_forms import (
    Blended,
    Form,
    Key,
    Lanewise,
    Loaded,
    Signed,
    Spread,
    Turning,
    TurnRow,
    Uniform,
    Woven,
    cut,
)
from polyopt.support.record import entity

_Parts = list[SSAValue]


@entity
class TurnWriter:
    """`firsts` are the first reads of rows, in front of which all of a row is read."""

    builder: AffineBuilder
    forms: dict[Key, Form]
    firsts: dict[TurnRow, ReadOp]
    group: int
    lanes: int
    _known: dict[Key, _Parts] = field(default_factory=dict[Key, "_Parts"])
    _rows: dict[TurnRow, _Parts] = field(default_factory=dict[TurnRow, "_Parts"])

    def parts(self, key: Key) -> _Parts:
        if key not in self._known:
            self._known[key] = self._written(key, self.forms[key])
        return self._known[key]

    def _written(self, key: Key, form: Form) -> _Parts:
        match form:
            case Loaded():
                return self._loaded(form)
            case Uniform():
                return self._uniform(key)
            case Spread():
                wanted = [one // self.group for one in self._stretch]
                return [looked_up(self.builder, form.value, one) for one in self._cut(wanted)]
            case Lanewise():
                return self._lanewise(form.like, form.operands)
            case Turning():
                if any(form.operands[1].negated):
                    return self._lanewise(form.sum, form.operands)
                sums = self._lanewise(form.sum, form.operands)
                differences = self._lanewise(form.difference, form.operands)
                return self._chosen(sums, differences, form.flags)
            case Signed():
                return [
                    self._signed(one, self._flags(form.flags, part))
                    for part, one in enumerate(self.parts(form.plain))
                ]
            case Blended():
                return self._chosen(self.parts(form.first), self.parts(form.second), form.flags)
            case Woven():
                values = [one if one is not None else key.known[0] for one in key.values]
                sources = [self._stretch[place :: self.group] for place in range(self.group)]
                return woven(self.builder, values, sources, self._cut(self._stretch))

    def _loaded(self, form: Loaded) -> _Parts:
        parts = self._row(form.row)
        group = self.group
        wanted = [one // group * group + form.order[one % group] for one in self._stretch]
        return woven(self.builder, parts, self._cut(self._stretch), self._cut(wanted))

    def _row(self, row: TurnRow) -> _Parts:
        """All of it, read where its first component was."""
        if row not in self._rows:
            first = self.firsts[row]
            block = first.parent
            assert block is not None
            builder = AffineBuilder(Block(), first)
            *outer, last = row.first
            type_ = vector_type(first.result)
            self._rows[row] = [
                read(builder, row.array, [*outer, last + Linear((), part * self.lanes)], type_)
                for part in range(self.group)
            ]
            for op in list(builder.block.ops):
                op.detach()
                block.insert_op_before(op, first)
        return self._rows[row]

    def _uniform(self, key: Key) -> _Parts:
        """Of components that are the same in all lanes any lane will do."""
        b, default = self.builder, next(n for n, one in enumerate(key.values) if one is not None)
        chosen: dict[tuple[SSAValue, bool], list[int]] = {}
        for place, one in enumerate(key.values):
            source = default if one is None else place
            value = key.values[source]
            assert value is not None
            chosen.setdefault((value, key.negated[source]), []).append(place)
        made: _Parts | None = None
        for (value, is_negated), places in chosen.items():
            if is_negated:
                like = arith.NegfOp(value)
                value = b.insert(like).result
            parts = [value] * self.group
            flags = tuple(place in places for place in range(self.group))
            made = parts if made is None else self._chosen(made, parts, flags)
        assert made is not None
        return made

    def _lanewise(self, like: Operation, operands: Sequence[Key]) -> _Parts:
        columns = zip(*(self.parts(one) for one in operands), strict=True)
        types = [one.type for one in like.results]
        return [self.builder.insert(on_others(like, one, types)).results[0] for one in columns]

    def _chosen(self, first: _Parts, second: _Parts, flags: Sequence[bool]) -> _Parts:
        """Lanes of the second where the component's flag is set."""
        found: _Parts = []
        made: dict[tuple[object, ...], SSAValue] = {}
        for part, pair in enumerate(zip(first, second, strict=True)):
            here = self._flags(flags, part)
            order = tuple(lane + self.lanes * flag for lane, flag in enumerate(here))
            if (*pair, order) not in made:
                made[(*pair, order)] = shuffled(self.builder, pair, order)
            found.append(made[(*pair, order)])
        return found

    def _signed(self, value: SSAValue, flags: Sequence[bool]) -> SSAValue:
        """By its bits: of what is no number, too."""
        b, type_ = self.builder, vector_type(value)
        element = type_.element_type
        assert isinstance(element, FixedBitwidthType)
        bits = VectorType(IntegerType(element.bitwidth), [self.lanes])
        sign = -1 << (element.bitwidth - 1)
        signs = DenseIntOrFPElementsAttr.from_list(bits, [sign * flag for flag in flags])
        whole = b.insert(arith.BitcastOp(value, bits)).result
        other = arith.XOrIOp(whole, b.insert(arith.ConstantOp(signs)).result)
        return b.insert(arith.BitcastOp(b.insert(other).result, type_)).result

    @property
    def _stretch(self) -> range:
        return range(self.group * self.lanes)

    def _cut(self, stretch: Sequence[int]) -> list[Sequence[int]]:
        return cut(stretch, self.lanes)

    def _flags(self, flags: Sequence[bool], part: int) -> list[bool]:
        start = part * self.lanes
        return [flags[one % self.group] for one in range(start, start + self.lanes)]
