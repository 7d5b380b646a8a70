"""The ranges of serial loops in a register tile, whose lanes may begin one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear, floor
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.support.record import record

Iterators = Mapping[SSAValue, Linear]
"""What stands for the iterators of the nest."""


@record
class TileRows:
    """The rows of a tile, one after the other, or `at` these numbers, of which several may be the
    same."""

    count: int
    at: tuple[Linear, ...] = ()


@record
class TileStrip:
    """The vectors of a tile, side by side; a mask for each one that is not whole. `last` is the
    number of the last column."""

    masks: tuple[SSAValue | None, ...]
    last: Linear = Linear()


def bounds_at(loop: AffineLoop, at: Iterators) -> tuple[list[Linear], list[Linear]]:
    lowers = [form.substitute(at) for form in loop.lowers or ()]
    return lowers, [form.substitute(at) for form in loop.uppers or ()]


@record
class SerialRange:
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


def edges_of(
    b: AffineBuilder, loop: AffineLoop, columns: AffineLoop, at: Iterators, strip: TileStrip
) -> list[SerialRange]:
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
            edge = SerialRange(outermost, [start, *others], (), ends, 1, count)
        else:
            edge = SerialRange(outermost, [start, *others], tuple(moving), (), -1, count)
        whole = SerialRange([start], others)
    else:
        # Inside where time < high + step * lane.
        stop = b.named(b.minimum([*first, *last]), "stop")
        outermost = last if step > 0 else first
        if step > 0:
            begins = tuple(-high + 1 for high in moving)
            edge = SerialRange([*others, stop], outermost, begins, (), 1, count)
        else:
            edge = SerialRange([*others, stop], outermost, (), tuple(moving), -1, count)
        whole = SerialRange(others, [stop])
    return [edge, whole] if is_lower else [whole, edge]


def steps_of(b: AffineBuilder, part: SerialRange, together: int) -> list[tuple[int, SerialRange]]:
    """The range in steps of so many iterations, and what is left of it one by one."""
    lower, upper = b.maximum(part.lowers), b.minimum(part.uppers)
    if len(part.lowers) > 1:
        lower = b.named(lower, "first")
    if len(part.uppers) > 1:
        upper = b.named(upper, "end")
    extent = upper - lower
    if not extent.terms:
        done = lower + max(0, extent.constant) // together * together
        whole = (together, SerialRange([lower], [done]))
        rest = [(1, SerialRange([done], [upper]))] if extent.constant % together else []
        return [whole, *rest] if extent.constant >= together else rest
    done = b.named(floor(extent, together), "steps") * together
    return [
        (together, SerialRange([lower], [upper - (together - 1)])),
        (1, SerialRange([lower, lower + done], [upper])),
    ]
