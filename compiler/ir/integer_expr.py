"""Integer values of a program as expressions over the mathematical integers.

An expression is a polynomial with integer coefficients over atoms. The atom `Counter(L)` counts
the iterations of loop L (0 in the first), so that the chain of recurrences {a, +, s}<L> is the
polynomial `a + s * Counter(L)` and sums and products of recurrences are those of polynomials
(O. Bachmann, P. S. Wang, E. V. Zima: "Chains of Recurrences", ISSAC 1994; V. Engelen: "Efficient
Symbolic Analysis for Optimizing Compilers", CC 2001).

Machine arithmetic that may wrap is the atom `Wrapped(e)`: e reduced into the range of its type.
Who proves e to be in range may use e instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import Any, Literal

from xdsl.ir import SSAValue

from polyopt.ir.loops import NaturalLoop
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


_LARGEST_POWER = 64


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

    def divided_by(self, divisor: int) -> Expr | None:
        """The exact quotient, where every factor is divisible, or what is multiplied by it is."""
        result = Expr({})
        for monomial, factor in self.terms.items():
            part = _divided_term(monomial, factor, divisor)
            if part is None:
                return None
            result += part
        return result

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

    def replace(self, new: Callable[[Atom], Expr | None]) -> Expr:
        """Each atom for which `new` gives an expression is replaced by it, at every depth,
        innermost first."""
        result = Expr({})
        for monomial, factor in self.terms.items():
            product = Expr.constant(factor)
            for atom in monomial:
                inside = rebuilt(atom, lambda part: part.replace(new))
                same = inside.as_atom
                outside = None if same is None else new(same)
                product = product * (inside if outside is None else outside)
            result += product
        return result

    def __str__(self) -> str:
        from polyopt.ir.expression_text import text  # which imports this file

        whole: Any = self
        return text(whole)


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


def both_of(conditions: Sequence[Condition]) -> Condition:
    """All of them hold. As deep as the logarithm of their number: who looks at conditions goes
    down into them, and chains of `&&` and switches may be long."""
    return _balanced(Both, conditions) if conditions else Truth(True)


def either_of(conditions: Sequence[Condition]) -> Condition:
    """One of them holds, as `both_of`."""
    return _balanced(Either, conditions) if conditions else Truth(False)


def _balanced(kind: type[Both | Either], conditions: Sequence[Condition]) -> Condition:
    if len(conditions) == 1:
        return conditions[0]
    middle = (len(conditions) + 1) // 2
    return kind(_balanced(kind, conditions[:middle]), _balanced(kind, conditions[middle:]))


def negated(condition: Condition) -> Condition:
    match condition:
        case Truth(holds):
            return Truth(not holds)
        case Flag(value, expected):
            return Flag(value, not expected)
        case Both(left, right):
            return Either(negated(left), negated(right))
        case Either(left, right):
            return Both(negated(left), negated(right))
        case Compare("<", term):
            return Compare("<=", -term)
        case Compare("<=", term):
            return Compare("<", -term)
        case Compare("==", term):
            return Compare("!=", term)
        case Compare(_, term):
            return Compare("==", term)


def condition_terms(condition: Condition) -> Iterator[Expr]:
    match condition:
        case Compare(_, term):
            yield term
        case Both(left, right) | Either(left, right):
            yield from condition_terms(left)
            yield from condition_terms(right)
        case _:
            return


def condition_flags(condition: Condition) -> Iterator[Flag]:
    match condition:
        case Flag():
            yield condition
        case Both(left, right) | Either(left, right):
            yield from condition_flags(left)
            yield from condition_flags(right)
        case _:
            return


def mapped_condition(condition: Condition, new: Callable[[Expr], Expr]) -> Condition:
    """The condition with `new` applied to its expressions."""
    match condition:
        case Compare(relation, term):
            return Compare(relation, new(term))
        case Both(left, right):
            return Both(mapped_condition(left, new), mapped_condition(right, new))
        case Either(left, right):
            return Either(mapped_condition(left, new), mapped_condition(right, new))
        case _:
            return condition


def floor(term: Expr, divisor: int) -> Expr:
    """`floor(term / divisor)`, divisor > 0; what is divisible is taken out."""
    last = term.as_atom
    if isinstance(last, Divided) and last.base == divisor and not last.to_zero:
        return divided(last.term, divisor, last.times + 1, to_zero=False)
    whole = Expr.constant(term.constant_term // divisor)
    rest: dict[Monomial, int] = {}
    for monomial, factor in term.terms.items():
        exact = _divided_term(monomial, factor, divisor) if monomial else None
        if exact is not None:
            whole += exact
        elif monomial:
            rest[monomial] = factor
    if not rest:
        return whole
    inner = Expr(rest) + term.constant_term % divisor
    return whole + Expr.of(Floor(inner, divisor))


def quotient(term: Expr, divisor: int) -> Expr:
    """`term / divisor` rounded to zero, divisor > 0."""
    exact = term.divided_by(divisor)
    if exact is not None:
        return exact
    last = term.as_atom
    if isinstance(last, Divided) and last.base == divisor and last.to_zero:
        return divided(last.term, divisor, last.times + 1, to_zero=True)
    number = term.as_constant
    if number is not None:
        return Expr.constant(abs(number) // divisor * (1 if number > 0 else -1))
    return Expr.of(Quotient(term, divisor))


def extremum(is_max: bool, terms: Iterable[Expr]) -> Expr:
    """Terms that differ by a constant are compared."""
    kept: list[Expr] = []
    for term in terms:
        for place, other in enumerate(kept):
            distance = (term - other).as_constant
            if distance is not None:
                if (distance > 0) == is_max:
                    kept[place] = term
                break
        else:
            kept.append(term)
    return kept[0] if len(kept) == 1 else Expr.of(Extremum(is_max, tuple(kept)))


def choice(condition: Condition, then: Expr, orelse: Expr) -> Expr:
    """`then` where the condition holds, else `orelse`: one of them where they are equal, the
    extremum where that is what is asked."""
    if then == orelse:
        return then
    match condition:
        case Truth(holds):
            return then if holds else orelse
        case Compare(relation, term) if (number := term.as_constant) is not None:
            return then if compares(relation, number) else orelse
        case Compare("<" | "<=", term) if term == then - orelse:
            return extremum(False, [then, orelse])
        case Compare("<" | "<=", term) if term == orelse - then:
            return extremum(True, [then, orelse])
        case _:
            return Expr.of(Choice(condition, then, orelse))


def compares(relation: str, number: int) -> bool:
    match relation:
        case "<":
            return number < 0
        case "<=":
            return number <= 0
        case "==":
            return number == 0
        case _:
            return number != 0


def binomial(term: Expr, order: int) -> Expr:
    """`term` over `order`, with the constant part taken out: `C(x + c, k)` is the sum of
    `C(c, j) * C(x, k - j)`, for negative c too."""
    if order == 0:
        return ONE
    constant = term.constant_term
    variable = term - constant
    result = Expr.constant(_over(constant, order))
    if variable == ZERO:
        return result
    for part in range(1, order + 1):
        over = variable if part == 1 else Expr.of(Binomial(variable, part))
        result += over * _over(constant, order - part)
    return result


def _over(number: int, order: int) -> int:
    product = 1
    for k in range(order):
        product = product * (number - k) // (k + 1)
    return product


def power(base: int, exponent: Expr) -> Expr:
    """`base ** exponent`, with what is constant and not negative of the exponent taken out."""
    constant = exponent.constant_term
    variable = exponent - constant
    if variable == ZERO and constant >= 0:
        return Expr.constant(base**constant)
    if 0 < constant <= _LARGEST_POWER:
        return Expr.of(Power(base, variable)) * base**constant
    return Expr.of(Power(base, exponent))


def divided(term: Expr, base: int, times: Expr, to_zero: bool) -> Expr:
    number = times.as_constant
    if number is None or number < 0:
        return Expr.of(Divided(term, base, times, to_zero))
    return quotient(term, base**number) if to_zero else floor(term, base**number)


def logarithm(term: Expr, base: int) -> Expr:
    number = term.as_constant
    if number is None:
        return Expr.of(Logarithm(term, base))
    exponent = 0
    while base**exponent < number:
        exponent += 1
    return Expr.constant(exponent)


def wrapped(term: Expr, bits: int, is_signed: bool) -> Expr:
    """`term` reduced into the range of a type; what is added in it and was reduced modulo a
    multiple need not have been."""
    while any(isinstance(a, Wrapped) and a.bits >= bits for a in term.atoms()):
        term = _without_reductions(term, bits)
    number = term.as_constant
    if number is not None:
        number &= (1 << bits) - 1
        return Expr.constant(number - (1 << bits) if is_signed and number >> (bits - 1) else number)
    return Expr.of(Wrapped(term, bits, is_signed))


def _without_reductions(term: Expr, bits: int) -> Expr:
    result = Expr({})
    for monomial, factor in term.terms.items():
        product = Expr.constant(factor)
        for atom in monomial:
            if isinstance(atom, Wrapped) and atom.bits >= bits:
                product = product * atom.term
            else:
                product = product * Expr.of(atom)
        result += product
    return result


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


def rebuilt(atom: Atom, new: Callable[[Expr], Expr]) -> Expr:
    """The atom with `new` applied to the expressions directly in it, simplified again."""
    match atom:
        case Floor(term, divisor):
            return floor(new(term), divisor)
        case Quotient(term, divisor):
            return quotient(new(term), divisor)
        case Wrapped(term, bits, is_signed):
            return wrapped(new(term), bits, is_signed)
        case Extremum(is_max, terms):
            return extremum(is_max, map(new, terms))
        case Choice(condition, then, orelse):
            return choice(mapped_condition(condition, new), new(then), new(orelse))
        case Binomial(term, order):
            return binomial(new(term), order)
        case Power(base, exponent):
            return power(base, new(exponent))
        case Divided(term, base, times, to_zero):
            return divided(new(term), base, new(times), to_zero)
        case Logarithm(term, base):
            return logarithm(new(term), base)
        case _:
            return Expr.of(atom)


def _divided_term(monomial: Monomial, factor: int, divisor: int) -> Expr | None:
    """The exact quotient of `factor` times a product of atoms."""
    if factor % divisor == 0:
        return Expr({monomial: factor // divisor})
    if len(monomial) != 1:
        return None
    common = gcd(factor, divisor)
    inner = _divided_atom(monomial[0], divisor // common)
    return None if inner is None else inner * (factor // common)


def _divided_atom(atom: Atom, divisor: int) -> Expr | None:
    """`Wrapped(8*x, 64) / 8 == Wrapped(x, 61)`: what bytes of a type say of its elements."""
    match atom:
        case Wrapped(term, bits, is_signed) if not divisor & (divisor - 1):
            shift = divisor.bit_length() - 1
            exact = term.divided_by(divisor) if shift < bits - 1 else None
            return None if exact is None else wrapped(exact, bits - shift, is_signed)
        case Extremum(is_max, terms):
            quotients = [term.divided_by(divisor) for term in terms]
            known = [one for one in quotients if one is not None]
            return extremum(is_max, known) if len(known) == len(terms) else None
        case Choice(condition, then, orelse):
            first, second = then.divided_by(divisor), orelse.divided_by(divisor)
            if first is None or second is None:
                return None
            return choice(condition, first, second)
        case _:
            return None


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    return tuple(sorted(left + right, key=hash))
