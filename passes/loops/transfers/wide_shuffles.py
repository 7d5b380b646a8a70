"""Bytes that change places in whole registers, where one instruction looks them up in two of these.

Vectors of bytes that are computed as wider integers fill a part of a register each. Put side by
side first, they are in turns after one such instruction for each register of the result and each
further one that its bytes lie in; step by step (`shuffle_network`) each narrow vector of the result
takes several, of which some have no instruction of their own:

    6 vectors of 16 bytes in turns      4 joins, 2 lookups       25 shuffles

(vpermt2b, AVX-512 VBMI; Golden Cove, six colours of two pixels: 138 us step by step, 69 by LLVM's
code for vectors of 32.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from xdsl.ir import SSAValue

from polyopt.dialects.pvec_group_transfers import WriteInTurnsOp
from polyopt.dialects.pvec_lanes import lanes_of, vector_type
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.lane_shuffles import shuffled
from polyopt.passes.loops.shuffle_network import Element, Lanes, shuffle_network
from polyopt.support.target import LINE_BYTES, Target

_ANY = -1


def looks_up(op: WriteInTurnsOp, target: Target) -> bool:
    """Are bytes looked up in whole registers, of which the vectors are parts?"""
    is_part = lanes_of(op.values[0]) < target.lanes(1) == LINE_BYTES
    is_bytes = element_bytes(vector_type(op.values[0]).element_type) == 1
    return target.shuffles_bytes and is_bytes and is_part


def are_better_joined(sources: Sequence[Sequence[Element]], results: Sequence[Lanes]) -> bool:
    """Does it take fewer operations than shuffles of vectors as wide as these?"""
    lanes = len(sources[0])
    registers = ceil(len(sources) * lanes / LINE_BYTES)
    lookups = ceil(len(results) * lanes / LINE_BYTES) * max(1, registers - 1)
    network = shuffle_network(sources, results, lanes)
    return len(sources) - registers + lookups < len(network.shuffles)


def joined(
    builder: AffineBuilder,
    vectors: Sequence[SSAValue],
    sources: Sequence[Sequence[Element]],
    wanted: Lanes,
) -> list[tuple[int, SSAValue, Lanes]]:
    """Vectors of the bytes `wanted`, as wide as they are powers of two, each with its place and
    its part of these."""
    per = LINE_BYTES // len(sources[0])
    registers = [
        _side_by_side(builder, vectors[first : first + per], LINE_BYTES)
        for first in range(0, len(vectors), per)
    ]
    places = {
        element: number * len(sources[0]) + lane
        for number, source in enumerate(sources)
        for lane, element in enumerate(source)
    }
    found: list[tuple[int, SSAValue, Lanes]] = []
    for start in range(0, len(wanted), LINE_BYTES):
        part = wanted[start : start + LINE_BYTES]
        whole = _looked_up(builder, registers, [None if e is None else places[e] for e in part])
        for first, size in _pieces(len(part)):
            order = range(first, first + size)
            piece = whole if size == LINE_BYTES else shuffled(builder, (whole, whole), order)
            found.append((start + first, piece, part[first : first + size]))
    return found


def _looked_up(
    builder: AffineBuilder, registers: Sequence[SSAValue], places: Sequence[int | None]
) -> SSAValue:
    """A whole register of these bytes of registers side by side; any in the other lanes."""
    padded = [*places, *[None] * (LINE_BYTES - len(places))]
    first, *others = registers
    if not others:
        return shuffled(builder, (first, first), [_ANY if one is None else one for one in padded])
    value = first
    for number, register in enumerate(others, 1):
        before = number * LINE_BYTES
        order = [
            _ANY
            if one is None or one >= before + LINE_BYTES
            else one - before + LINE_BYTES
            if one >= before
            else (one if number == 1 else lane)
            for lane, one in enumerate(padded)
        ]
        value = shuffled(builder, (value, register), order)
    return value


def _pieces(size: int) -> list[tuple[int, int]]:
    """Powers of two that are as long together, the greatest first, and where they begin."""
    found: list[tuple[int, int]] = []
    first = 0
    while first < size:
        length = 1 << (size - first).bit_length() - 1
        found.append((first, length))
        first += length
    return found


def _side_by_side(builder: AffineBuilder, vectors: Sequence[SSAValue], width: int) -> SSAValue:
    """One vector of so many lanes that begins with theirs."""
    if lanes_of(vectors[0]) == width:
        return vectors[0]
    per = width // 2 // lanes_of(vectors[0])
    low = _side_by_side(builder, vectors[:per], width // 2)
    if not vectors[per:]:
        return shuffled(builder, (low, low), [*range(width // 2), *[_ANY] * (width // 2)])
    high = _side_by_side(builder, vectors[per:], width // 2)
    return shuffled(builder, (low, high), range(width))
