"""Lanes that change places: squares of vectors transposed, elements picked out and put together.

Which shuffles make vectors of elements from vectors of elements is asked of `shuffle_network`; a
square has a network of its own, known by heart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, FixedBitwidthType, VectorType, i64
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.shuffle_network import Lanes, Network, shuffle_network
from polyopt.passes.loops.shuffles_by_halves import shuffles_by_halves
from polyopt.support.target import LANE_BYTES, Target


def transposed(builder: AffineBuilder, rows: Sequence[SSAValue]) -> list[SSAValue]:
    """The columns of a square of vectors. In registers of 16 bytes each step interleaves the
    rows of one half with those of the other: there is one instruction for that, whatever the
    elements. In wider ones, whose lanes of 16 bytes it would leave in place, each step swaps the
    blocks of half the size beside the diagonal (J. O. Eklundh, A fast computer method for
    matrix transposing, IEEE Trans. Computers C-21(7), 1972)."""
    type_ = rows[0].type
    assert is_vector(type_)
    element = type_.element_type
    assert isinstance(element, FixedBitwidthType)
    if len(rows) * element.size <= LANE_BYTES:
        return _interleaved(builder, rows)
    square, side = list(rows), len(rows)
    half = side // 2
    while half:
        for upper in (row for row in range(side) if not row & half):
            lower = upper + half
            pair = square[upper], square[lower]
            # Lanes of the second vector count on from `side`.
            kept = [lane + side - half if lane & half else lane for lane in range(side)]
            moved = [lane + side if lane & half else lane + half for lane in range(side)]
            square[upper], square[lower] = (shuffled(builder, pair, one) for one in (kept, moved))
        half //= 2
    return square


def _interleaved(builder: AffineBuilder, rows: Sequence[SSAValue]) -> list[SSAValue]:
    square, side = list(rows), len(rows)
    half = side // 2
    halves = [
        [lane + second for lane in range(start, start + half) for second in (0, side)]
        for start in (0, half)
    ]
    for _ in range(half.bit_length()):
        pairs = zip(square[:half], square[half:], strict=True)
        square = [shuffled(builder, pair, lanes) for pair in pairs for lanes in halves]
    return square


def in_turns(builder: AffineBuilder, rows: Sequence[SSAValue]) -> SSAValue:
    """One vector: the first element of each row, then the second of each, …; a power of two of
    rows."""
    vectors = list(rows)
    while len(vectors) > 1:
        half = len(vectors) // 2
        vectors = [
            _merged(builder, pair) for pair in zip(vectors[:half], vectors[half:], strict=True)
        ]
    return vectors[0]


def _merged(builder: AffineBuilder, pair: tuple[SSAValue, SSAValue]) -> SSAValue:
    type_ = cast("VectorType[Attribute]", pair[0].type)
    (lanes,) = type_.get_shape()
    return shuffled(builder, pair, [lane + side for lane in range(lanes) for side in (0, lanes)])


def shuffled(
    builder: AffineBuilder, pair: tuple[SSAValue, SSAValue], order: Sequence[int]
) -> SSAValue:
    """A vector of these lanes of two vectors side by side, however many."""
    type_ = cast("VectorType[Attribute]", pair[0].type)
    mask = DenseArrayBase.from_list(i64, order)
    found = VectorType(type_.element_type, [len(order)])
    return builder.insert(vector.ShuffleOp(*pair, mask, result_type=found)).result


def looked_up(builder: AffineBuilder, table: SSAValue, order: Sequence[int]) -> SSAValue:
    """A vector of these lanes of one vector."""
    return shuffled(builder, (table, table), order)


def picked(
    builder: AffineBuilder, chunks: Sequence[SSAValue], starts: Sequence[int], wanted: Sequence[int]
) -> SSAValue:
    """A vector of the elements `wanted` of a stretch of memory, of which each chunk holds as
    many as there are lanes, from its start on."""
    sources = [range(start, start + len(wanted)) for start in starts]
    return woven(builder, chunks, sources, [wanted])[0]


def woven(
    builder: AffineBuilder,
    vectors: Sequence[SSAValue],
    sources: Sequence[Sequence[int]],
    results: Sequence[Lanes],
    target: Target | None = None,
) -> list[SSAValue]:
    """Vectors of the elements `results` from vectors that hold the elements `sources`, as is best
    on the machine, if it is known."""
    values, lanes = list(vectors), len(results[0])
    network: Network | None = None
    if target is not None and target.shuffles_halves and _bytes(values[0]) == 2 * LANE_BYTES:
        network = shuffles_by_halves(sources, results, lanes)
    if network is None:
        network = shuffle_network(sources, results, lanes)
    for one in network.shuffles:
        values.append(shuffled(builder, (values[one.left], values[one.right]), one.order))
    return [values[number] for number in network.results]


def _bytes(value: SSAValue) -> int:
    type_ = value.type
    assert is_vector(type_)
    return type_.get_shape()[0] * (element_bytes(type_.element_type) or 0)
