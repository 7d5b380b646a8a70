"""Panels become places in memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Block, Operation

from polyopt.dialects.contract_blocks import PanelOp
from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.affine.linear import Form, Linear, ceiling
from polyopt.ir.affine.linear_sets import forms_of_map
from polyopt.ir.control.cfg import part_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.contract.kept_panels import loop_around
from polyopt.passes.loops.contract.shared_panels import team_around
from polyopt.passes.loops.replacement import move_all
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


def place(module: ModuleOp) -> None:
    """As `contract-place` promises."""
    for one in [_Placed.of(op) for op in operations_in(module, PanelOp)]:
        one.allocate()


@record
class _Placed:
    """A panel whose memory is there from in front of `first` until `behind`."""

    op: PanelOp
    first: Operation
    parent: Block
    behind: Operation | None

    @staticmethod
    def of(op: PanelOp) -> _Placed:
        around = _around(op)
        first = op if around is None else around
        parent = first.parent
        assert parent is not None
        if around is not None:
            return _Placed(op, first, parent, first.next_op)
        users = [part_of(parent, use.operation) for use in op.panel.uses]
        last: Operation = op
        for user in users:
            last = user if last.is_before_in_block(user) else last
        return _Placed(op, first, parent, last.next_op)

    def allocate(self) -> None:
        builder = AffineBuilder(Block(), self.op)
        allocated = builder.insert(_allocation(self.op, builder))
        allocated.memref.name_hint = self.op.panel.name_hint
        move_all(builder.block, self.parent, self.first)
        self.op.panel.replace_all_uses_with(allocated.memref)
        if isinstance(allocated, memref.AllocOp):
            end = AffineBuilder(Block(), self.op)
            end.insert(memref.DeallocOp.get(allocated.memref))
            move_all(end.block, self.parent, self.behind)
        self.op.detach()
        self.op.erase()


def _around(op: PanelOp) -> Operation | None:
    """What the panel is there for all of."""
    if op.shared is not None:
        return team_around(op)
    loop = loop_around(op) if op.kept is not None else None
    return None if loop is None else loop.op


def _allocation(op: PanelOp, builder: AffineBuilder) -> memref.AllocOp | memref.AllocaOp:
    """For the greatest block; nothing, where what it is in front of does not run it."""
    may_be_idle = op.kept is not None or op.shared is not None
    x_extent, k_extent = (
        _least(builder, _known_in_front(op, forms), may_be_idle=may_be_idle)
        for forms in (forms_of_map(one, (), op.symbols) for one in (op.across, op.deep))
    )
    width, element, group = op.type.width.data, op.type.element, op.type.group.data
    sizes: list[Form] = [ceiling(x_extent, width), ceiling(k_extent, group)]
    known = [_constant(size) for size in sizes]
    shape = [DYNAMIC_INDEX if one is None else one for one in known]
    dynamic = [builder.value(size) for size, one in zip(sizes, known, strict=True) if one is None]
    type_ = MemRefType(element, [*shape, op.type.together])
    if _is_small(type_):
        return memref.AllocaOp.get(element, LINE_BYTES, type_.get_shape())
    return memref.AllocOp(dynamic, [], type_, IntegerAttr(LINE_BYTES, i64))


def _known_in_front(op: PanelOp, extents: Sequence[Linear]) -> Sequence[Linear]:
    """Those that are known where the memory is allocated: the others, of loops that a team runs
    alike, may have been less. One of them is a number."""
    team_ = team_around(op) if op.shared is not None else None
    if team_ is None:
        return extents
    return [one for one in extents if not any(is_defined_inside(v, team_) for v in one.values)]


def _least(builder: AffineBuilder, extents: Sequence[Linear], *, may_be_idle: bool) -> Linear:
    least = builder.minimum(extents)
    return builder.maximum([least, Linear()]) if may_be_idle else least


def _is_small(type_: MemRefType[Attribute]) -> bool:
    shape = type_.get_shape()
    if DYNAMIC_INDEX in shape or not isinstance(type_.element_type, FixedBitwidthType):
        return False
    return prod(shape) * type_.element_type.size <= CORE.blocks.on_stack_bytes


def _constant(form: Form) -> int | None:
    return form.constant if isinstance(form, Linear) and not form.terms else None
