"""The values of a loop's iterator as conditions that contain few divisions.

    for (c = max(l_1, ..., l_m); c < min(u_1, ..., u_n); c += s)

is c >= l_k, c < u_k and c = l (mod s), where all l_k are equal modulo s: what isl has to take
apart where it is given the maximum. A division at the top of a bound is put away:

    c >= r + k floor(e / d)     d (c - r) >= k (e - d + 1)    k = 1, or k = s and c = r (mod s)
    c <  r + floor(e / d)       d (c - r + 1) <= e
    c >= r + (e mod s)          c >= r                        c = r + e (mod s)
"""

from __future__ import annotations

from polyopt.poly.loops.expressions import add, modulo, scale, subtract
from polyopt.poly.loops.loop_tree import (
    Compare,
    Condition,
    Const,
    Expr,
    FloorDiv,
    Loop,
    Max,
    Min,
    Mod,
    Name,
    Product,
    Sum,
)

Residue = dict[Expr | None, int]
"""Factors of what is not divided further, and at None the constant, modulo some number."""


def range_conditions(loop: Loop) -> list[Condition]:
    """They hold for exactly the values of the loop's iterator."""
    lowers = loop.lower.terms if isinstance(loop.lower, Max) else (loop.lower,)
    uppers = loop.upper.terms if isinstance(loop.upper, Min) else (loop.upper,)
    iterator, step = Name(loop.iterator), loop.step
    phase = _residue(lowers[0], step)
    if any(_residue(one, step) != phase for one in lowers):
        stride = [Compare(modulo(subtract(iterator, loop.lower), step), is_equality=True)]
        found = [Compare(subtract(iterator, one)) for one in lowers]
    else:
        start = _of_residue(phase)
        stride = [Compare(modulo(subtract(iterator, start), step), is_equality=True)]
        found = [_lower(iterator, one, step, phase) for one in lowers]
    found += [_upper(iterator, one) for one in uppers]
    return [*found, *(stride if step != 1 else ())]


def _lower(iterator: Expr, bound: Expr, step: int, phase: Residue) -> Compare:
    for factor, atom, rest in _atoms(bound):
        beyond = subtract(iterator, rest)
        if isinstance(atom, FloorDiv):
            if factor == 1 or (factor == step and _residue(rest, step) == phase):
                needed = add(atom.term, Const(1 - atom.divisor))
                return Compare(subtract(scale(atom.divisor, beyond), scale(factor, needed)))
        elif factor == 1 and atom.divisor == step:
            return Compare(beyond)
    return Compare(subtract(iterator, bound))


def _upper(iterator: Expr, bound: Expr) -> Compare:
    for factor, atom, rest in _atoms(bound):
        if factor == 1 and isinstance(atom, FloorDiv):
            last = add(iterator, Const(1), scale(-1, rest))
            return Compare(subtract(atom.term, scale(atom.divisor, last)))
    return Compare(add(bound, scale(-1, iterator), Const(-1)))


def _atoms(bound: Expr) -> list[tuple[int, FloorDiv | Mod, Expr]]:
    """Each division at the top of a sum, its factor, and the rest of the sum."""
    terms = bound.terms if isinstance(bound, Sum) else (bound,)
    found = list[tuple[int, FloorDiv | Mod, Expr]]()
    for k, term in enumerate(terms):
        factor, atom = (term.factor, term.term) if isinstance(term, Product) else (1, term)
        if isinstance(atom, FloorDiv | Mod):
            found.append((factor, atom, add(Const(0), *terms[:k], *terms[k + 1 :])))
    return found


def _residue(expression: Expr, modulus: int) -> Residue:
    found: Residue = {}
    _add_residue(expression, 1, modulus, found)
    return {atom: factor for atom, factor in found.items() if factor}


def _add_residue(expression: Expr, factor: int, modulus: int, found: Residue) -> None:
    match expression:
        case Const(value):
            found[None] = (found.get(None, 0) + factor * value) % modulus
        case Sum(terms):
            for term in terms:
                _add_residue(term, factor, modulus, found)
        case Product(inner, term):
            _add_residue(term, factor * inner, modulus, found)
        case Mod(term, divisor) if factor * divisor % modulus == 0:
            _add_residue(term, factor, modulus, found)
        case _:
            found[expression] = (found.get(expression, 0) + factor) % modulus


def _of_residue(residue: Residue) -> Expr:
    return add(
        Const(0),
        *(
            Const(factor) if atom is None else scale(factor, atom)
            for atom, factor in residue.items()
        ),
    )
