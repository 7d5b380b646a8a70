"""May two references touch one element? If so, at which distances or in which directions?

The unknowns are grouped: a pair (x, y) for each loop around both references, one number for each
other loop and each symbol. Each subscript gives an equation over the groups. Steps:

  1. different arrays: independent
  2. equations in no group (ZIV) hold or do not; those in one group (SIV) restrict it; then they
     are put into the others, which may come down to one group or none: until nothing changes
  3. the equations that are left (MIV) have an integer solution together, or not (GCD)
  4. direction by direction, outermost loop first: can each of them hold within the bounds
     (Banerjee)? What can not leaves no direction below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal

from polyopt.poly.classic.conflicts import Chrec, Conflicts, Direction
from polyopt.poly.classic.references import Reference, Subscript
from polyopt.poly.linear.dependence_vectors import DependenceVector, Interval
from polyopt.poly.linear.lattice import Vector, solve
from polyopt.support.record import entity, record


@record
class PairVerdict:
    """`vectors` cover the distances, from source to sink, in the loops around both; they may be
    lexicographically negative, and are none if the pair is independent. "dependent": some two
    iterations do touch one element; "unknown": they may. `decided_by` names the test that proved
    independence. `conflicts`: for each loop, the source's and the sink's iteration where they
    are chains of recurrences.
    """

    kind: Literal["independent", "dependent", "unknown"]
    vectors: tuple[DependenceVector, ...] = ()
    decided_by: Literal["", "base", "ziv", "siv", "coupled", "gcd", "banerjee"] = ""
    conflicts: tuple[tuple[Chrec, ...] | None, ...] = ()


@record
class _Equation:
    """The sum of factors . unknowns over the groups is `right`."""

    factors: Mapping[int, Vector]
    right: int


class _Independent(Exception):
    def __init__(self, test: Literal["ziv", "siv", "coupled", "gcd", "banerjee"]):
        super().__init__(test)
        self.test: Literal["ziv", "siv", "coupled", "gcd", "banerjee"] = test


def compare_references(
    source: Reference,
    sink: Reference,
    common: int,
    symbols: Mapping[str, Interval] | None = None,
) -> PairVerdict:
    """The verdict on two references whose first `common` loops are the same loops; `symbols` are
    the bounds of the parameters, where they are known."""
    if source.array != sink.array:
        return PairVerdict("independent", decided_by="base")
    groups, equations = _set_up(source, sink, common, symbols or {})
    try:
        groups, left = _propagate(groups, equations)
        _check_gcd(groups, left)
        directions = list(_Banerjee(groups, left).directions(common))
        if not directions:
            raise _Independent("banerjee" if left else "siv")
    except _Independent as proof:
        return PairVerdict("independent", decided_by=proof.test)
    is_certain = (
        not left
        and None not in (*source.subscripts, *sink.subscripts)
        and source.is_box
        and sink.is_box
        and not any(_has_symbols(one) for one in (*source.subscripts, *sink.subscripts))
    )
    return PairVerdict(
        "dependent" if is_certain else "unknown",
        tuple(_vector(groups, one) for one in directions),
        conflicts=tuple(group.chains() for group in groups[:common]),
    )


def _set_up(
    source: Reference, sink: Reference, common: int, symbols: Mapping[str, Interval]
) -> tuple[list[Conflicts], list[_Equation]]:
    """Groups: the common loops, the other loops of the source, those of the sink, the symbols."""
    pairs = zip(source.subscripts, sink.subscripts, strict=True)
    known = [(one, other) for one, other in pairs if one is not None and other is not None]
    names = sorted({name for pair in known for one in pair for name, _ in one.symbols})
    bounds = [(source.bounds[k], sink.bounds[k]) for k in range(common)]
    singles = [
        *source.bounds[common:],
        *sink.bounds[common:],
        *(symbols.get(name, Interval(None, None)) for name in names),
    ]
    groups = [Conflicts.unrestricted(pair) for pair in bounds]
    groups += [Conflicts.unrestricted((one,)) for one in singles]
    return groups, [_equation(one, other, common, names) for one, other in known]


def _equation(source: Subscript, sink: Subscript, common: int, names: list[str]) -> _Equation:
    """source(x) - sink(y) = 0."""
    vectors: list[Vector] = [(source.factors[k], -sink.factors[k]) for k in range(common)]
    vectors += [(factor,) for factor in source.factors[common:]]
    vectors += [(-factor,) for factor in sink.factors[common:]]
    mine, theirs = dict(source.symbols), dict(sink.symbols)
    vectors += [(mine.get(name, 0) - theirs.get(name, 0),) for name in names]
    factors = {k: vector for k, vector in enumerate(vectors) if any(vector)}
    return _Equation(factors, sink.constant - source.constant)


def _propagate(
    groups: list[Conflicts], equations: Sequence[_Equation]
) -> tuple[list[Conflicts], list[_Equation]]:
    """The groups restricted by all equations that come down to one group, and the other ones.
    Raises _Independent."""
    groups, left = list(groups), list(equations)
    while True:
        rest = list[_Equation]()
        for equation in left:
            reduced = _substitute(groups, equation)
            if not reduced.factors:
                if reduced.right:
                    raise _Independent("coupled" if equation.factors else "ziv")
            elif len(reduced.factors) == 1:
                ((k, factors),) = reduced.factors.items()
                restricted = groups[k].restricted(factors, reduced.right)
                if restricted is None or restricted.values(factors) is None:
                    is_first = len(equation.factors) == 1 and not groups[k].equations
                    raise _Independent("siv" if is_first else "coupled")
                groups[k] = restricted
            else:
                rest.append(reduced)
        if len(rest) == len(left):
            return groups, rest
        left = rest


def _substitute(groups: Sequence[Conflicts], equation: _Equation) -> _Equation:
    """The equation without the groups in which it is constant."""
    factors, right = dict[int, Vector](), equation.right
    for k, vector in equation.factors.items():
        if any(groups[k].along(vector)):
            factors[k] = vector
        else:
            right -= sum(a * b for a, b in zip(vector, groups[k].base, strict=True))
    return _Equation(factors, right)


def _check_gcd(groups: Sequence[Conflicts], equations: Sequence[_Equation]) -> None:
    """Raises _Independent if the equations have no integer solution together."""
    if not equations:
        return
    rows = list[Vector]()
    rights = list[int]()
    for equation in equations:
        row = list[int]()
        right = equation.right
        for k, group in enumerate(groups):
            vector = equation.factors.get(k, (0,) * len(group.base))
            row += group.along(vector)
            right -= sum(a * b for a, b in zip(vector, group.base, strict=True))
        rows.append(tuple(row))
        rights.append(right)
    if solve(tuple(rows), tuple(rights)) is None:
        raise _Independent("gcd")


_Directions = tuple[Direction, ...]
_FREE: _Directions = ("*",)
_CHOICES: _Directions = ("<", "=", ">")


@entity
class _Banerjee:
    """Which directions leave every equation between its extreme values?"""

    groups: Sequence[Conflicts]
    equations: Sequence[_Equation]
    extremes: dict[tuple[int, Vector, Direction], Interval | None] = field(
        default_factory=dict[tuple[int, Vector, Direction], Interval | None]
    )

    def directions(self, common: int, fixed: _Directions = ()) -> Iterator[_Directions]:
        """The direction vectors of the common loops that begin with `fixed` and may be."""
        if not self._may_be(fixed):
            return
        if len(fixed) == common:
            yield fixed
            return
        for direction in _CHOICES:
            yield from self.directions(common, (*fixed, direction))

    def _may_be(self, fixed: _Directions) -> bool:
        directions = fixed + _FREE * (len(self.groups) - len(fixed))
        for k, group in enumerate(self.groups):
            if self._values(k, (0,) * len(group.base), directions[k]) is None:
                return False
        return all(self._may_hold(equation, directions) for equation in self.equations)

    def _may_hold(self, equation: _Equation, directions: _Directions) -> bool:
        total = Interval(-equation.right, -equation.right)
        for k, vector in equation.factors.items():
            part = self._values(k, vector, directions[k])
            if part is None:
                return False
            total += part
        return (total.low is None or total.low <= 0) and (total.high is None or total.high >= 0)

    def _values(self, k: int, vector: Vector, direction: Direction) -> Interval | None:
        key = (k, vector, direction)
        if key not in self.extremes:
            self.extremes[key] = self.groups[k].values(vector, direction)
        return self.extremes[key]


def _vector(groups: Sequence[Conflicts], directions: _Directions) -> DependenceVector:
    """For each common loop the values of y - x in that direction."""
    components = list[Interval]()
    for group, direction in zip(groups, directions, strict=False):
        values = group.values((-1, 1), direction)
        assert values is not None
        components.append(values)
    return tuple(components)


def _has_symbols(subscript: Subscript | None) -> bool:
    return subscript is not None and bool(subscript.symbols)
