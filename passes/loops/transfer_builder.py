"""Writes transfers (`dialects/pvec_transfers.py`) from linear forms."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from polyopt.dialects.pvec_group_transfers import ReadSquareOp, WriteInTurnsOp, WriteSquareOp
from polyopt.dialects.pvec_transfers import ReadOp, WriteOp
from polyopt.ir.affine.linear import Linear, map_of
from polyopt.passes.loops.affine_builder import AffineBuilder


def read(
    builder: AffineBuilder,
    array: SSAValue,
    subscripts: Sequence[Linear],
    type_: VectorType[Attribute],
    *,
    steps: Sequence[int] | None = None,
    mask: SSAValue | None = None,
    within: Sequence[int] = (),
    like: Operation | None = None,
) -> SSAValue:
    """The elements from here on, with strides `steps` or side by side; `within`: taken
    from vectors of what lies around them. `like`: what had read them, for its place in the source.
    """
    steps = side_by_side(subscripts) if steps is None else steps
    made = ReadOp(array, map_of(subscripts), steps, type_, mask, within)
    if like is not None:
        made.location = like.location
    return builder.insert(made).result


def write(
    builder: AffineBuilder,
    value: SSAValue,
    array: SSAValue,
    subscripts: Sequence[Linear],
    *,
    steps: Sequence[int] | None = None,
    mask: SSAValue | None = None,
    nontemporal: bool = False,
) -> WriteOp:
    steps = side_by_side(subscripts) if steps is None else steps
    place = map_of(subscripts)
    return builder.insert(WriteOp(value, array, place, steps, mask, nontemporal=nontemporal))


def write_in_turns(
    builder: AffineBuilder,
    values: Sequence[SSAValue],
    array: SSAValue,
    subscripts: Sequence[Linear],
    *,
    steps: Sequence[int] | None = None,
    at: Sequence[int] | None = None,
) -> None:
    """The first lanes of all vectors side by side, then the second ones, and so on; or vector n
    `at[n]` elements further."""
    builder.insert(WriteInTurnsOp(values, array, map_of(subscripts), steps, at))


def read_square(
    builder: AffineBuilder,
    array: SSAValue,
    subscripts: Sequence[Linear],
    steps: Sequence[int],
    type_: VectorType[Attribute],
) -> list[SSAValue]:
    """As many vectors as they have lanes, which are `steps` apart; the vectors are side by side."""
    return list(builder.insert(ReadSquareOp(array, map_of(subscripts), steps, type_)).vectors)


def write_square(
    builder: AffineBuilder,
    values: Sequence[SSAValue],
    array: SSAValue,
    subscripts: Sequence[Linear],
    steps: Sequence[int],
) -> None:
    builder.insert(WriteSquareOp(values, array, map_of(subscripts), steps))


def side_by_side(subscripts: Sequence[Linear]) -> list[int]:
    """The steps of lanes that lie beside each other in the last dimension."""
    return [0] * (len(subscripts) - 1) + [1] * min(1, len(subscripts))
