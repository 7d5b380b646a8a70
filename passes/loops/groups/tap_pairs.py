"""Filters of 16 bits: two taps of a sum of products in one step.

A tile of registers has the sums of neighbouring outputs in the lanes of vectors, and takes one tap
after the other, widened to 32 bits. The machine multiplies two neighbours of 16 bits and adds both
to a lane (`pvec.group_dot`). The elements that two taps need for output i lie side by side, at
i + k and i + k + 1, and those for output i + 2 behind them: so the sums of two vectors go apart
into those with even and those with odd numbers,

    for k:                                          for k step 2:
      s[0] += widened x[i + k …] * h[k]               even += dot(x[i + k …], h[k], h[k + 1])
      s[1] += widened x[i + L + k …] * h[k]    =>     odd += dot(x[i + 1 + k …], h[k], h[k + 1])

and are woven together behind the loop (one vector alone, in halves); what is left over of an odd
number of taps is done as it was. No element is read that the loop did not read. Sums are modulo
2^32: their order is free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import affine, arith, vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i16, i32, i64
from xdsl.ir import SSAValue

from polyopt.dialects import pvec
from polyopt.dialects.cmem import element_type
from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.pvec_group_sums import SIGNED, GroupDotOp
from polyopt.dialects.pvec_lanes import lanes_of, vector_type
from polyopt.dialects.pvec_transfers import ReadOp
from polyopt.ir.affine.linear import Linear, floor, linear_forms
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.transfer_builder import read
from polyopt.support.record import record
from polyopt.support.target import LANE_BYTES

_TOGETHER = 2
_TERMS = (ReadOp, pvec.ConvertOp, affine.LoadOp, arith.ExtSIOp, vector.BroadcastOp)
_SUMS = (arith.MuliOp, arith.AddiOp, arith.ConstantOp, affine.YieldOp)
"""What may be in such a loop."""
_SUM_BYTES = 4


@record
class TapRow:
    """Elements of 16 bits side by side, or one, that move by one with each tap, on or back."""

    array: SSAValue
    forms: tuple[Linear, ...]
    step: int

    @staticmethod
    def of(array: SSAValue, forms: Sequence[Linear] | None, tap: SSAValue) -> TapRow | None:
        if not forms or element_type(array) != i16:
            return None
        *outer, last = forms
        step = last.coefficient(tap)
        if step not in (1, -1) or any(form.uses([tap]) for form in outer):
            return None
        return TapRow(array, tuple(forms), step)

    def distance_to(self, other: TapRow) -> int | None:
        """How many elements further `other` is, in the same row."""
        if self.array is not other.array or self.step != other.step:
            return None
        *outer, last = [b - a for a, b in zip(self.forms, other.forms, strict=True)]
        return None if any(one != Linear() for one in outer) or last.terms else last.constant

    def at(self, tap: SSAValue, now: Linear, further: int = 0) -> list[Linear]:
        """Where the first of the elements for two taps from `now` on is."""
        *outer, last = [form.substitute({tap: now}) for form in self.forms]
        return [*outer, last + further + min(self.step, 0)]


Tap = tuple[TapRow, TapRow]
"""A vector of elements and the factor of them all."""


@record
class Chunk:
    """The numbers of two sums that lie side by side, or of one alone."""

    sums: tuple[int, ...]
    taps: list[Tap]


def pair_taps(loop: affine.ForOp, builder: AffineBuilder) -> Sequence[SSAValue] | None:
    """The loop's results, written two taps at a time; None where it does anything else than add up
    such products."""
    chunks, ends = _chunks_of(loop), _ends(loop)
    if chunks is None or ends is None:
        return None
    low, high = ends
    count = high - low
    if not count.terms and count.constant < 2 * _TOGETHER:
        return None
    tap = loop.body.block.args[0]
    lanes = lanes_of(loop.inits[0])
    apart = [
        half for chunk in chunks for half in _apart(builder, [loop.inits[n] for n in chunk.sums])
    ]
    name, facts = tap.name_hint, facts_of(loop)
    with builder.loop(
        [low], [high - 1], step=_TOGETHER, carried=apart, name=name, facts=facts
    ) as opened:
        values = list(opened.carried)
        for n, chunk in enumerate(chunks):
            width = lanes * len(chunk.sums)
            for row, factor in chunk.taps:
                is_turned = row.step != factor.step
                h = _both(builder, factor, tap, opened.index, width, is_turned)
                for odd in range(_TOGETHER):
                    wide = VectorType(i16, [width])
                    x = read(builder, row.array, row.at(tap, opened.index, odd), wide)
                    dot = GroupDotOp((SIGNED, x), (SIGNED, h), values[2 * n + odd])
                    values[2 * n + odd] = builder.insert(dot).sum
        opened.yielded = tuple(values)
    results: list[SSAValue] = []
    for n, chunk in enumerate(chunks):
        even, odd = opened.results[2 * n : 2 * n + 2]
        results += _together(builder, even, odd, len(chunk.sums))
    return results if _is_even(count) else _write_rest(builder, loop, low, high, results)


def _apart(builder: AffineBuilder, sums: Sequence[SSAValue]) -> list[SSAValue]:
    """Those with even and those with odd numbers."""
    lanes = lanes_of(sums[0]) * len(sums)
    return [_shuffled(builder, sums[0], sums[-1], range(first, lanes, 2)) for first in (0, 1)]


def _together(builder: AffineBuilder, even: SSAValue, odd: SSAValue, sums: int) -> list[SSAValue]:
    """So many vectors, of these in turns."""
    lanes = lanes_of(even)
    order = [one for lane in range(lanes) for one in (lane, lane + lanes)]
    width = len(order) // sums
    return [
        _shuffled(builder, even, odd, order[first : first + width])
        for first in range(0, len(order), width)
    ]


def _write_rest(
    builder: AffineBuilder,
    loop: affine.ForOp,
    low: Linear,
    high: Linear,
    sums: Sequence[SSAValue],
) -> Sequence[SSAValue]:
    """The last tap, where their number is odd, as it was."""
    done = builder.named(floor(high - low, _TOGETHER), "pairs") * _TOGETHER
    start = builder.maximum([low, low + done])
    source = loop.body.block
    tap, *carried = source.args
    name, facts = tap.name_hint, facts_of(loop)
    with builder.loop([start], [high], carried=sums, name=name, facts=facts) as rest:
        values: dict[SSAValue, SSAValue] = {tap: rest.iv}
        values |= dict(zip(carried, rest.carried, strict=True))
        for op in source.ops:
            if isinstance(op, affine.YieldOp):
                rest.yielded = tuple(values[one] for one in op.operands)
            else:
                builder.insert(op.clone(values))
    return rest.results


def _is_even(count: Linear) -> bool:
    return not count.terms and count.constant % _TOGETHER == 0


def _ends(loop: affine.ForOp) -> tuple[Linear, Linear] | None:
    """None where a bound is the greatest or the least of several."""
    lows = linear_forms(loop.lowerBoundMap.data, loop.lowerBoundOperands)
    highs = linear_forms(loop.upperBoundMap.data, loop.upperBoundOperands)
    if lows is None or highs is None or len(lows) + len(highs) != 2:
        return None
    return lows[0], highs[0]


def _chunks_of(loop: affine.ForOp) -> list[Chunk] | None:
    """The sums, in their order; None where one of them is anything else."""
    tap, *carried = loop.body.block.args
    yielded = loop.body.block.last_op
    assert yielded is not None
    if loop.step.value.data != 1 or not carried:
        return None
    if not all(isinstance(op, (*_TERMS, *_SUMS)) for op in loop.body.block.ops):
        return None
    sums: list[list[Tap]] = []
    for old, value in zip(carried, yielded.operands, strict=True):
        if not isinstance(value.type, VectorType) or vector_type(value).element_type != i32:
            return None
        taps = _taps(value, old, tap)
        if not taps:
            return None
        sums.append(taps)
    lanes = lanes_of(carried[0])
    chunks: list[Chunk] = []
    while (n := sum(len(one.sums) for one in chunks)) < len(sums):
        is_pair = n + 1 < len(sums) and _are_neighbours(sums[n], sums[n + 1], lanes)
        if not is_pair and lanes * _SUM_BYTES < 2 * LANE_BYTES:
            return None
        chunks.append(Chunk((n, n + 1) if is_pair else (n,), sums[n]))
    return chunks


def _are_neighbours(one: list[Tap], two: list[Tap], lanes: int) -> bool:
    return len(one) == len(two) and all(
        a.distance_to(b) == lanes and f.distance_to(g) == 0
        for (a, f), (b, g) in zip(one, two, strict=True)
    )


def _taps(value: SSAValue, old: SSAValue, tap: SSAValue) -> list[Tap] | None:
    """The products that are added to `old` to make `value`; None where there is anything else."""
    terms = list(_terms(value))
    taps = [one for one in (_tap(term, tap) for term in terms if term is not old) if one]
    return taps if terms.count(old) == 1 and len(taps) + 1 == len(terms) else None


def _terms(value: SSAValue) -> Iterator[SSAValue]:
    add = value.owner
    if isinstance(add, arith.AddiOp):
        yield from _terms(add.lhs)
        yield from _terms(add.rhs)
    else:
        yield value


def _tap(value: SSAValue, tap: SSAValue) -> Tap | None:
    product = value.owner
    if not isinstance(product, arith.MuliOp):
        return None
    for elements, factor in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
        row, one = _elements(elements, tap), _factor(factor, tap)
        if row is not None and one is not None:
            return row, one
    return None


def _elements(value: SSAValue, tap: SSAValue) -> TapRow | None:
    convert = value.owner
    if not isinstance(convert, pvec.ConvertOp) or convert.kind.data != SIGNED:
        return None
    source = convert.operands[0].owner
    if not isinstance(source, ReadOp) or not source.is_unit or source.mask is not None:
        return None
    return TapRow.of(source.memref, linear_forms(source.map.data, source.indices), tap)


def _factor(value: SSAValue, tap: SSAValue) -> TapRow | None:
    spread = value.owner
    extend = spread.operands[0].owner if isinstance(spread, vector.BroadcastOp) else None
    load = extend.operands[0].owner if isinstance(extend, arith.ExtSIOp) else None
    if not isinstance(load, affine.LoadOp):
        return None
    return TapRow.of(load.memref, subscripts_of(load), tap)


def _both(
    builder: AffineBuilder, factor: TapRow, tap: SSAValue, now: Linear, width: int, is_turned: bool
) -> SSAValue:
    """The factors of two taps in all lanes, in the order in which the elements lie."""
    pair = read(builder, factor.array, factor.at(tap, now), VectorType(i16, [_TOGETHER]))
    order = [1, 0] if is_turned else [0, 1]
    return _shuffled(builder, pair, pair, order * (width // _TOGETHER))


def _shuffled(
    builder: AffineBuilder, one: SSAValue, two: SSAValue, order: Sequence[int]
) -> SSAValue:
    mask = DenseArrayBase.from_list(i64, order)
    type_ = VectorType(vector_type(one).element_type, [len(order)])
    return builder.insert(vector.ShuffleOp(one, two, mask, result_type=type_)).result
