"""Integer expressions and conditions as text: as sums, and as chains of recurrences.

    text(e)         3 * <i> + floor((%n) / 2)        `<i>` is how often loop i was repeated
    chrec(e)        {floor((%n) / 2), +, 3}<i>

A chain is named after its loop; that of an inner loop stands around that of an outer one, whose
value is its base or its step: `{7, +, {8, +, 9}<i>}<j>`. What varies in a loop and is no chain of
recurrences there is given as a sum.
"""

from __future__ import annotations

from collections.abc import Callable

from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Atom,
    Binomial,
    Both,
    Choice,
    Compare,
    Condition,
    Counter,
    Divided,
    Either,
    Expr,
    Extremum,
    Flag,
    Floor,
    Logarithm,
    Monomial,
    Power,
    Quotient,
    Truth,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import replaced
from polyopt.ir.expressions.newton import newton_form

LoopName = Callable[[NaturalLoop], str]


def _own_name(loop: NaturalLoop) -> str:
    return loop.name


def text(expr: Expr, name: LoopName = _own_name) -> str:
    if not expr.terms:
        return "0"
    texts = [_term_text(monomial, factor, name) for monomial, factor in expr.terms.items()]
    return " + ".join(texts).replace("+ -", "- ")


def condition_text(condition: Condition, name: LoopName = _own_name) -> str:
    match condition:
        case Truth(holds):
            return "true" if holds else "false"
        case Flag(value, expected):
            return f"{'' if expected else 'not '}%{value.name_hint or '?'}"
        case Compare(relation, term):
            return f"{text(term, name)} {relation} 0"
        case Both(left, right):
            return f"({condition_text(left, name)} and {condition_text(right, name)})"
        case Either(left, right):
            return f"({condition_text(left, name)} or {condition_text(right, name)})"


def chrec(expr: Expr, name: LoopName = _own_name) -> str:
    """The chain of recurrences of the innermost loop in which the expression varies."""
    loops = {atom.loop: None for atom in expr.all_atoms() if isinstance(atom, Counter)}
    if not loops:
        return text(expr, name)
    loop = max(loops, key=lambda one: one.depth)
    wrap = expr.as_atom
    if isinstance(wrap, Wrapped):
        return f"{_type(wrap)}({chrec(wrap.term, name)})"
    parts = _chain(expr, Counter(loop), name)
    if parts is not None:
        return f"{{{parts}}}<{name(loop)}>"
    parts = _peeled(expr, Counter(loop), name)
    return text(expr, name) if parts is None else f"({parts})<{name(loop)}>"


def _chain(expr: Expr, counter: Counter, name: LoopName) -> str | None:
    """What stands between the braces."""
    coefficients = newton_form(expr, counter)
    if coefficients is not None:
        return ", +, ".join(chrec(one, name) for one in coefficients)
    return (
        _geometric(expr, counter, name)
        or _shrinking(expr, counter, name)
        or _periodic(expr, counter, name)
    )


def _geometric(expr: Expr, counter: Counter, name: LoopName) -> str | None:
    """`{c, *, b}`, or a sum of such, `{a, +, {c, *, b}}`, told by its differences."""
    factors = _product(expr, counter)
    if factors is not None:
        return f"{chrec(factors[0], name)}, *, {factors[1]}"
    first = _at(expr, counter, ZERO)
    if not any(isinstance(atom, Power) for atom in expr.all_atoms()):
        return None
    step = _at(expr, counter, Expr.of(counter) + 1) - expr
    if step.weight >= expr.weight and _product(step, counter) is None:
        return None
    if counter not in step.all_atoms():
        return f"{chrec(first, name)}, +, {chrec(step, name)}"
    inner = _chain(step, counter, name)
    if inner is None:
        return None
    if _product(step, counter) is not None:
        inner = f"{{{inner}}}<{name(counter.loop)}>"
    return f"{chrec(first, name)}, +, {inner}"


def _product(expr: Expr, counter: Counter) -> tuple[Expr, int] | None:
    """(c, b) with `expr == c * b**counter`."""
    bases = {a.base for a in expr.atoms() if isinstance(a, Power)}
    if len(bases) != 1:
        return None
    (base,) = bases
    parts = expr.split(Power(base, Expr.of(counter)))
    if parts is None or parts[0] != ZERO or counter in parts[1].all_atoms():
        return None
    return parts[1], base


def _shrinking(expr: Expr, counter: Counter, name: LoopName) -> str | None:
    """`{c, /, b}`: divided by b in each iteration."""
    match expr.as_atom:
        case Divided(term, base, times, _) if times == Expr.of(counter):
            return f"{chrec(term, name)}, /, {base}"
        case _:
            return None


def _peeled(expr: Expr, counter: Counter, name: LoopName) -> str | None:
    """`a, b`: a in the first iteration, then b, which counts iterations from the second on."""
    match expr.as_atom:
        case Choice(Compare("==", term), then, orelse) if term == Expr.of(counter):
            later = _at(orelse, counter, Expr.of(counter) + 1)
            return f"{chrec(then, name)}, {chrec(later, name)}"
        case _:
            return None


_LONGEST_PERIOD = 8


def _periodic(expr: Expr, counter: Counter, name: LoopName) -> str | None:
    """`a | b | c`: one after the other, again and again."""
    for period in range(2, _LONGEST_PERIOD + 1):
        if _at(expr, counter, Expr.of(counter) + period) == expr:
            values = [_at(expr, counter, Expr.constant(k)) for k in range(period)]
            return " | ".join(chrec(value, name) for value in values)
    return None


def _at(expr: Expr, counter: Counter, value: Expr) -> Expr:
    return replaced(expr, lambda atom: value if atom == counter else None)


def _term_text(monomial: Monomial, factor: int, name: LoopName) -> str:
    if not monomial:
        return str(factor)
    product = " * ".join(sorted(_atom_text(atom, name) for atom in monomial))
    if factor == 1:
        return product
    return f"-{product}" if factor == -1 else f"{factor} * {product}"


def _atom_text(atom: Atom, name: LoopName) -> str:
    match atom:
        case Unknown(value, is_signed):
            spelled = f"%{value.name_hint or '?'}"
            return spelled if is_signed else f"unsigned {spelled}"
        case Counter(loop):
            return f"<{name(loop)}>"
        case Floor(term, divisor):
            return f"floor(({text(term, name)}) / {divisor})"
        case Quotient(term, divisor):
            return f"(({text(term, name)}) / {divisor})"
        case Extremum(is_max, terms):
            spelled = ", ".join(text(term, name) for term in terms)
            return f"{'max' if is_max else 'min'}({spelled})"
        case Choice(condition, then, orelse):
            arms = f"{text(then, name)} : {text(orelse, name)}"
            return f"({condition_text(condition, name)} ? {arms})"
        case Wrapped(term, _, _):
            return f"{_type(atom)}({text(term, name)})"
        case Binomial(term, order):
            return f"binomial({text(term, name)}, {order})"
        case Power(base, exponent):
            return f"{base}**({text(exponent, name)})"
        case Divided(term, base, times, to_zero):
            divisor = f"{base}**({text(times, name)})"
            inner = f"({text(term, name)}) / {divisor}"
            return f"({inner})" if to_zero else f"floor({inner})"
        case Logarithm(term, base):
            return f"ceil(log{base}({text(term, name)}))"


def _type(wrap: Wrapped) -> str:
    return f"{'i' if wrap.is_signed else 'u'}{wrap.bits}"
