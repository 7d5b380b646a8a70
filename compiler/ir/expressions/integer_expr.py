"""Integer values of a program as expressions over the mathematical integers.

An expression is a polynomial with integer coefficients over atoms. The atom `Counter(L)` counts
the iterations of loop L (0 in the first), so that the chain of recurrences {a, +, s}<L> is the
polynomial `a + s * Counter(L)` and sums and products of recurrences are those of polynomials
(O. Bachmann, P. S. Wang, E. V. Zima: "Chains of Recurrences", ISSAC 1994; V. Engelen: "Efficient
Symbolic Analysis for Optimizing Compilers", CC 2001).

Machine arithmetic that may wrap is the atom `Wrapped(e)`: e reduced into the range of its type.
Who proves e to be in range may use e instead. Atoms are made by `integer_forms`, which gives each
its simplest form, and the conditions of choices are put together by `integer_conditions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from xdsl.ir import SSAValue

from polyopt.ir.control.loops import NaturalLoop
from polyopt.support.record import record


@record
class Unknown:
    """What an SSA value holds: an integer (signed or unsigned as its uses read it), the address
    of a pointer or of a memref's first element, or 0 and 1 for a truth value."""

    value: SSAValue
    is_signed: bool = True


@record
class Counter:
    """How often the back edge of `loop` was taken since the loop was entered."""

    loop: NaturalLoop


@record
class Floor:
    """`floor(term / divisor)`, divisor > 1."""

    term: Expr
    divisor: int


@record
class Quotient:
    """`term / divisor` rounded to zero, divisor > 1."""

    term: Expr
    divisor: int


@record
class Extremum:
    """The greatest or the smallest of the terms."""

    is_max: bool
    terms: tuple[Expr, ...]


@record
class Choice:
    """`then` where the condition holds, else `orelse`."""

    condition: Condition
    then: Expr
    orelse: Expr


@record
class Binomial:
    """`term` over `order`, order > 1: `term (term - 1) ... (term - order + 1) / order!`, which is
    whole for every integer. `{a, +, b, +, c}<L>` is `a + b*k + c*Binomial(k, 2)`."""

    term: Expr
    order: int


@record
class Power:
    """`base ** exponent`, |base| > 1 and exponent >= 0. `{a, *, b}<L>` is `a * Power(b, k)`."""

    base: int
    exponent: Expr


@record
class Divided:
    """`term / base ** times`, rounded to zero or down, base > 1 and times >= 0: what is left of a
    number that is divided in each iteration."""

    term: Expr
    base: int
    times: Expr
    to_zero: bool


@record
class Logarithm:
    """The least `k >= 0` with `base ** k >= term`, base > 1: after how many iterations a product
    has become large."""

    term: Expr
    base: int


@record
class Wrapped:
    """The number congruent to `term` modulo 2**bits in the range of the type."""

    term: Expr
    bits: int
    is_signed: bool

    @property
    def range(self) -> tuple[int, int]:
        """The smallest and the greatest number of the type."""
        if self.is_signed:
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1


Growth = Binomial | Power | Divided | Logarithm
"""How values grow that are not affine; no constraint of isl can say it."""
Atom = Unknown | Counter | Floor | Quotient | Extremum | Choice | Wrapped | Growth
Monomial = tuple[Atom, ...]
"""A product of atoms; the empty one is 1."""


class Expr:
    """A polynomial. Equal polynomials are equal objects to `==` and `hash`."""

    __slots__ = ("_hash", "_weight", "terms")

    def __init__(self, terms: dict[Monomial, int]):
        """`terms` maps each product of atoms (in the order of `_product`) to its factor, not 0."""
        self.terms = terms
        self._hash: int | None = None
        self._weight: int | None = None

    @staticmethod
    def constant(number: int) -> Expr:
        return Expr({(): number} if number else {})

    @staticmethod
    def of(atom: Atom) -> Expr:
        return Expr({(atom,): 1})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expr) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __add__(self, other: Expr | int) -> Expr:
        if isinstance(other, int):
            other = Expr.constant(other)
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            total = terms.get(monomial, 0) + factor
            if total:
                terms[monomial] = total
            else:
                del terms[monomial]
        return Expr(terms)

    def __neg__(self) -> Expr:
        return Expr({monomial: -factor for monomial, factor in self.terms.items()})

    def __sub__(self, other: Expr | int) -> Expr:
        return self + (-other)

    def __mul__(self, other: Expr | int) -> Expr:
        if isinstance(other, int):
            return Expr({m: f * other for m, f in self.terms.items()} if other else {})
        result = Expr({})
        for left, f in self.terms.items():
            result += Expr({_product(left, right): f * g for right, g in other.terms.items()})
        return result

    @property
    def as_constant(self) -> int | None:
        """The number, where the expression is one."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def as_atom(self) -> Atom | None:
        """The atom, where the expression is one."""
        if len(self.terms) != 1:
            return None
        (monomial, factor), *_ = self.terms.items()
        return monomial[0] if len(monomial) == 1 and factor == 1 else None

    @property
    def constant_term(self) -> int:
        return self.terms.get((), 0)

    def atoms(self) -> Iterator[Atom]:
        """The atoms of the polynomial's products; not what is inside those atoms."""
        for monomial in self.terms:
            yield from monomial

    def all_atoms(self) -> Iterator[Atom]:
        """The atoms at every depth, once each: a choice names the choice before it three times,
        so that there are exponentially many ways to an atom."""
        seen: set[int] = set()
        pending = [self.atoms()]
        while pending:
            atom = next(pending[-1], None)
            if atom is None:
                pending.pop()
            elif id(atom) not in seen:
                seen.add(id(atom))
                yield atom
                pending.extend(part.atoms() for part in reversed([*subexpressions(atom)]))

    @property
    def weight(self) -> int:
        """How many atoms stand in it, at every depth, as often as they are written: what it takes
        to walk through it."""
        if self._weight is None:
            self._weight = sum(
                1 + sum(part.weight for part in subexpressions(atom)) for atom in self.atoms()
            )
        return self._weight

    def split(self, atom: Atom) -> tuple[Expr, Expr] | None:
        """(a, s) with `self == a + s * atom` and the atom in neither, even inside other atoms."""
        rest: dict[Monomial, int] = {}
        step: dict[Monomial, int] = {}
        for monomial, factor in self.terms.items():
            if atom not in monomial:
                rest[monomial] = factor
                continue
            place = monomial.index(atom)
            step[monomial[:place] + monomial[place + 1 :]] = factor
        result = Expr(rest), Expr(step)
        if any(atom in part.all_atoms() for part in result):
            return None
        return result


ZERO = Expr.constant(0)
ONE = Expr.constant(1)


@record
class Truth:
    holds: bool


@record
class Flag:
    """A truth value that is not understood; `expected` is the value for which this holds."""

    value: SSAValue
    expected: bool = True


@record
class Compare:
    """`term < 0`, `term <= 0`, `term == 0` or `term != 0`."""

    relation: Literal["<", "<=", "==", "!="]
    term: Expr


@record
class Both:
    left: Condition
    right: Condition


@record
class Either:
    left: Condition
    right: Condition


Condition = Truth | Flag | Compare | Both | Either


def condition_terms(condition: Condition) -> Iterator[Expr]:
    match condition:
        case Compare(_, term):
            yield term
        case Both(left, right) | Either(left, right):
            yield from condition_terms(left)
            yield from condition_terms(right)
        case _:
            return


def subexpressions(atom: Atom) -> Iterator[Expr]:
    match atom:
        case Floor(term, _) | Quotient(term, _) | Wrapped(term, _, _):
            yield term
        case Binomial(term, _) | Power(_, term) | Logarithm(term, _):
            yield term
        case Divided(term, _, times, _):
            yield term
            yield times
        case Extremum(_, terms):
            yield from terms
        case Choice(condition, then, orelse):
            yield from condition_terms(condition)
            yield then
            yield orelse
        case _:
            return


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    return tuple(sorted(left + right, key=hash))
