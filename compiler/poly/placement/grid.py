"""Grids of processors, and the parameters that name one of them.

A processor is a point of the grid. Sets speak of two of them, the one that runs the code ("own")
and one that it exchanges values with ("its"), by parameters, so that one set stands for all pairs:

    own_place0                          its coordinate on axis 0
    own_first0_1 <= x < own_end0_1      its part of range 1 on axis 0, where parts are blocks

A part in blocks is an interval whose ends are computed at run time: sets stay affine for any number
of processors and any extent, divided evenly or not. A cyclic part is `floor(x / b) mod count`, for
which count has to be a number. On the axes of a lattice it is a sum of such floors mod count, over
all subscripts: processors along diagonals, or along any other vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isqrt
from typing import Literal

import islpy as isl

from polyopt.poly.linear.lattice import Matrix, Vector, determinant, smith_form, transpose
from polyopt.support.record import record

Who = Literal["own", "its"]
OWN, ITS = "own", "its"


@record
class Axis:
    """`count` processors, None: as many as there are at run time. `block` 0: each has one
    interval; else blocks of so many go around: those of the axis' own subscript, or, with a `form`,
    the sum of form[k] times the block of subscript k."""

    count: int | None
    block: int = 0
    form: Vector = ()

    @property
    def is_cyclic(self) -> bool:
        return self.block > 0


def lattice_of(numbers: Sequence[int], grid: str, most: int) -> tuple[Matrix, int]:
    """The generators whose numbers these are, one vector after the other, and how many processors
    there are for them: as many as `grid` says, or "*". Raises ValueError."""
    width = isqrt(len(numbers))
    if not width or width * width != len(numbers):
        raise ValueError(
            "a lattice has as many vectors as they have numbers, such as 1, 2 and 0, 5"
        )
    rows = tuple(tuple(numbers[k : k + width]) for k in range(0, len(numbers), width))
    count = abs(determinant(rows))
    if not 0 < count <= most:
        raise ValueError(
            f"the lattice is for {count} processes, its determinant, and there may be 1 to {most}"
        )
    if grid not in ("*", str(count)):
        raise ValueError(f"the lattice is for {count} processes, its determinant, not {grid}")
    return rows, count


def lattice_axes(generators: Matrix, block: int) -> tuple[Axis, ...]:
    """Blocks `b` and `c` of subscripts belong to one processor if, and only if, `b - c` is a sum of
    multiples of the generators (the rows): processors are the classes of Z^d modulo their lattice.
    With U G V = D, the Smith form of the columns, these are the (U b)[k] mod D[k][k]. Raises
    ValueError if the generators span no space."""
    diagonal, left, _ = smith_form(transpose(generators))
    counts = [diagonal[k][k] for k in range(len(generators))]
    if 0 in counts:
        raise ValueError("the generators depend on each other")
    axes = [
        Axis(count, block, tuple(x % count for x in row))
        for count, row in zip(counts, left, strict=True)
    ]
    return tuple(axis for axis in axes if axis.count != 1) or (axes[-1],)


def cut_subscripts(axes: Sequence[Axis]) -> int:
    """How many leading subscripts of an array say where an element is."""
    return max(len(axes), *(len(axis.form) for axis in axes))


def place(who: Who, axis: int) -> str:
    return f"{who}_place{axis}"


def first(who: Who, axis: int, range: int) -> str:
    return f"{who}_first{axis}_{range}"


def end(who: Who, axis: int, range: int) -> str:
    return f"{who}_end{axis}_{range}"


Part = tuple[int, int]
"""An axis and a range that is cut into parts along it."""


@record
class Grid:
    """`parts` are what blocks are made of; cyclic axes have none."""

    axes: tuple[Axis, ...]
    parts: tuple[Part, ...] = ()

    def names(self, who: Who) -> list[str]:
        """The parameters of one processor."""
        return [
            *(place(who, axis) for axis in range(len(self.axes))),
            *(name(who, *part) for part in self.parts for name in (first, end)),
        ]

    def constraint(self, who: Who, part: Part | None, axis: int, coordinates: Sequence[str]) -> str:
        """isl's text for: what has these coordinates belongs to the processor. Where it has none
        that the axis asks for, it belongs to the first one."""
        one = self.axes[axis]
        factors = dict(enumerate(one.form)) if one.form else {axis: 1}
        seen = {k: factor for k, factor in factors.items() if factor and k < len(coordinates)}
        if not seen:
            return f"{place(who, axis)} = 0"
        if one.is_cyclic:
            floors = [f"{f} * floor(({coordinates[k]})/{one.block})" for k, f in seen.items()]
            turn = " + ".join(floors)
            return f"{place(who, axis)} = {turn} - {one.count} * floor(({turn})/{one.count})"
        assert part is not None
        return f"{first(who, *part)} <= {coordinates[axis]} < {end(who, *part)}"

    def processors(self, who: Who) -> isl.Set:
        """{ : the parameters are those of some processor }."""
        tests = [
            f"0 <= {place(who, k)}" + (f" < {axis.count}" if axis.count is not None else "")
            for k, axis in enumerate(self.axes)
        ]
        tests += [f"{first(who, *part)} <= {end(who, *part)}" for part in self.parts]
        return self._set([who], " and ".join(tests))

    def distinct(self) -> isl.Set:
        """{ : "own" and "its" are two processors }: on some axis one comes before the other, and
        so do its intervals of every range there."""
        ways = [self._relations(axis) for axis in range(len(self.axes))]
        same = tuple(one[0] for one in ways)
        cases = [" and ".join(case) for case in product(*ways) if case != same]
        result = self._set([OWN, ITS], " or ".join(f"({case})" for case in cases))
        return result.intersect(self.processors(OWN)).intersect(self.processors(ITS))

    def _relations(self, axis: int) -> tuple[str, str, str]:
        """Equal, before, behind."""
        own, its = place(OWN, axis), place(ITS, axis)
        parts = [part for part in self.parts if part[0] == axis]
        equal = [f"{own} = {its}"]
        for part in parts:
            equal.append(f"{first(OWN, *part)} = {first(ITS, *part)}")
            equal.append(f"{end(OWN, *part)} = {end(ITS, *part)}")
        before = [f"{own} < {its}", *(f"{end(OWN, *p)} <= {first(ITS, *p)}" for p in parts)]
        behind = [f"{its} < {own}", *(f"{end(ITS, *p)} <= {first(OWN, *p)}" for p in parts)]
        return " and ".join(equal), " and ".join(before), " and ".join(behind)

    def _set(self, who: list[Who], text: str) -> isl.Set:
        names = [name for one in who for name in self.names(one)]
        return isl.Set(f"[{', '.join(names)}] -> {{ : {text} }}")


def exchanged(value: isl.Set) -> isl.Set:
    """The set with the parts of the two processors exchanged: from what I send to its processor
    to what that one sends to me."""
    for position in range(value.dim(isl.dim_type.param)):
        name = value.get_dim_name(isl.dim_type.param, position) or ""
        who, _, rest = name.partition("_")
        if who in (OWN, ITS):
            other = ITS if who == OWN else OWN
            value = value.set_dim_name(isl.dim_type.param, position, f"{other}.{rest}")
    for position in range(value.dim(isl.dim_type.param)):
        name = value.get_dim_name(isl.dim_type.param, position) or ""
        value = value.set_dim_name(isl.dim_type.param, position, name.replace(".", "_", 1))
    return value
