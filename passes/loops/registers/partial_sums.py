"""Sums of a register tile that wait for themselves, as several that are added up behind the loop.

    for k: s += a[k] * b[k]     =>     for k step 2: s += a[k] * b[k], t += a[k + 1] * b[k + 1]
                                       s += t

A tile of few rows and vectors, where there are no more of them, has few sums side by side, and
each takes as long as an addition for each iteration. Only where sums may have any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, VectorType
from xdsl.ir import SSAValue

from polyopt.ir.fast_math import may_reassociate
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.nest_groups import Group
from polyopt.passes.loops.registers.register_plan import extent_of
from polyopt.passes.loops.registers.register_tile import RegisterTile
from polyopt.passes.loops.registers.tile_body import arithmetic_of
from polyopt.support.core_model import CORE


def sums_apart(tile: RegisterTile, group: Group) -> int:
    """How many for each of the tile's: as many as loads and arithmetic leave room for while one of
    them runs."""
    if len(group.loops) != 1 or group.loops[0].step != 1 or not _adds_up(tile, group):
        return 1
    model, extent = CORE.registers, extent_of(group.loops[0])
    loads = _loads(tile, group)
    arithmetic = arithmetic_of(group) * len(tile.cells)
    work = max(loads / model.loads, arithmetic / model.pipes, (loads + arithmetic) / model.issue)
    apart = 1
    while 2 * apart * work <= model.latency and apart < model.most_apart:
        apart *= 2
    return apart if extent is None or extent >= 2 * apart else 1


def nothing_yet(b: AffineBuilder, like: SSAValue) -> SSAValue:
    """What a sum of vectors begins with: nothing is changed where it is added, not even a sign."""
    type_ = cast("VectorType[AnyFloat]", like.type)
    zero = b.insert(arith.ConstantOp(FloatAttr(-0.0, type_.element_type))).result
    return b.broadcast(zero, type_.element_count())


def combined(b: AffineBuilder, values: Sequence[SSAValue], width: int) -> list[SSAValue]:
    """`width` sums, of which each has parts that stand so far apart."""
    sums = list(values)
    while len(sums) > width:
        half = len(sums) // 2
        pairs = zip(sums[:half], sums[half:], strict=True)
        sums = [SSAValue.get(b.insert(arith.AddfOp(one, other)).result) for one, other in pairs]
    return sums


def _adds_up(tile: RegisterTile, group: Group) -> bool:
    """Is all that the group does to what it stores to add to it, in any order?"""
    stored = [op for op in group.accesses if isinstance(op, affine.StoreOp)]
    for store in stored:
        element, add = group.elements[store], store.value.owner
        own = [op for op, one in group.elements.items() if one == element and op is not store]
        if not isinstance(add, arith.AddfOp | arith.SubfOp) or not may_reassociate(add):
            return False
        if len(own) != 1 or not isinstance(load := own[0], affine.LoadOp):
            return False
        if not (load.result.has_one_use() and add.result.has_one_use()):
            return False
        places = [place for place, one in enumerate(add.operands) if one is load.result]
        if len(places) != 1 or (isinstance(add, arith.SubfOp) and places[0]):
            return False
    return bool(stored)


def _loads(tile: RegisterTile, group: Group) -> int:
    """In an iteration of the whole tile."""
    rows, vectors, plan = tile.rows.count, len(tile.strip.masks), tile.plan
    total = 0
    for op, (array, forms) in group.elements.items():
        if isinstance(op, affine.StoreOp) or (array, forms) in tile.nest.held:
            continue
        by_row = plan.row_loop is not None and any(f.coefficient(plan.row_loop.iv) for f in forms)
        by_column = any(form.coefficient(plan.columns.iv) for form in forms)
        total += (rows if by_row else 1) * (vectors if by_column else 1)
    return total
