"""Between which numbers an expression is whose parts are data.

s[i] + 3           a byte and a number: from 3 to 258
s[i] & 15          what is left by a division, whatever is divided: from 0 to 15
s[i] ^ key[i]      bytes, bit by bit: from 0 to 255
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType

from polyopt.ir.effects import bit_width
from polyopt.ir.evolution.masks import PossibleBits
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Atom,
    Expr,
    Extremum,
    Floor,
    Monomial,
    Quotient,
    Unknown,
    Wrapped,
)

FURTHEST = 1 << 20
"""Numbers between which less lies say something; that an `int` is one of its type says nothing."""

Range = tuple[int, int]


def data_range(term: Expr, bits: PossibleBits) -> Range | None:
    """The least and the greatest that the term may be, from the types of what is in it and from
    the operations that gave it; None where that says too little."""
    found = _range(term, bits)
    return found if found is not None and found[1] - found[0] < FURTHEST else None


def _range(term: Expr, bits: PossibleBits) -> Range | None:
    for monomial, factor in term.terms.items():
        found = _remainder(term, monomial, factor, bits)
        if found is not None:
            return found
    parts = list[Range]()
    for monomial, factor in term.terms.items():
        part = _monomial_range(monomial, bits)
        if part is None:
            return None
        parts.append(_times(part, factor))
    return _sum(parts)


def _sum(parts: Sequence[Range]) -> Range:
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _times(range_: Range, factor: int) -> Range:
    ends = [factor * end for end in range_]
    return min(ends), max(ends)


def _remainder(term: Expr, monomial: Monomial, factor: int, bits: PossibleBits) -> Range | None:
    """Of `rest + times * (whole - divisor * (whole / divisor))`, the quotient being `monomial`."""
    if len(monomial) != 1:
        return None
    (atom,) = monomial
    if not isinstance(atom, Floor | Quotient) or factor % atom.divisor:
        return None
    times = -factor // atom.divisor
    rest = term - atom.term * times - Expr.of(atom) * factor
    if len(rest.terms) >= len(term.terms):
        return None
    around = _range(rest, bits)
    if around is None:
        return None
    left = 0, atom.divisor - 1
    if isinstance(atom, Quotient):
        whole = _range(atom.term, bits)
        if whole is None or whole[0] < 0:
            left = 1 - atom.divisor, atom.divisor - 1
    return _sum([around, _times(left, times)])


def _monomial_range(monomial: Monomial, bits: PossibleBits) -> Range | None:
    if not monomial:
        return 1, 1
    return _atom_range(monomial[0], bits) if len(monomial) == 1 else None


def _atom_range(atom: Atom, bits: PossibleBits) -> Range | None:
    match atom:
        case Unknown(value, is_signed) if isinstance(value.type, IntegerType):
            of_type = Wrapped(ZERO, bit_width(value), is_signed).range
            ones = bits.of(value)
            return (0, ones) if ones <= of_type[1] else of_type
        case Wrapped():
            return atom.range
        case Extremum(is_max, terms):
            ranges = [_range(term, bits) for term in terms]
            known = [one for one in ranges if one is not None]
            if len(known) < len(ranges):
                return None
            lows, highs = zip(*known, strict=True)
            return (max(lows), max(highs)) if is_max else (min(lows), min(highs))
        case Floor(term, divisor) | Quotient(term, divisor):
            whole = _range(term, bits)
            if whole is None or (whole[0] < 0 and isinstance(atom, Quotient)):
                return None
            return whole[0] // divisor, whole[1] // divisor
        case _:
            return None
