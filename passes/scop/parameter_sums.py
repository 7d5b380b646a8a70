"""Parameters that are sums of others, as far as unsigned numbers do not wrap around.

    size_t m2 = 2*m;            m and m2 are parameters, for m2 may be anything where 2*m wraps
    for (k = 0; k < m; k++)
        a[k] += a[k + m2];      with  m2 == 2*m  no iteration needs another

What is computed inside of a region is a term that is proved or checked not to wrap
(`assumptions.py`); what comes from before is one number. Where loops write an array whose
subscripts such a number is in, and read or write it elsewhere too, the sum is asked when the
program runs. Whatever the sum is, it holds where it has been asked for, exactly: no part of it is
so great that the sum would leave 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
from xdsl.ir import SSAValue

from polyopt.ir.expressions.affine_space import GREATEST
from polyopt.ir.expressions.integer_expr import (
    Both,
    Compare,
    Condition,
    Expr,
    Monomial,
    Truth,
    Unknown,
)
from polyopt.passes.scop.candidate import Candidate
from polyopt.support.record import record


@record
class ParameterSum:
    """value == term, over parameters none of which is further from zero than `most`."""

    value: Expr
    term: Expr
    most: int

    @property
    def holds(self) -> Condition:
        result: Condition = Compare("==", self.value - self.term)
        for monomial in self.term.terms:
            part = Expr({monomial: 1})
            if monomial:
                small = Both(Compare("<=", part - self.most), Compare("<=", -part - self.most))
                result = Both(result, small)
        return result


def parameter_sums(candidate: Candidate) -> isl.Set:
    """The parameters for which all sums hold that tell accesses apart."""
    condition: Condition = Truth(True)
    for one in found_sums(candidate):
        condition = Both(condition, one.holds)
    return candidate.space.constant_condition(condition)


def found_sums(candidate: Candidate) -> Iterator[ParameterSum]:
    """Those of parameters, over other parameters, where either is in a subscript that matters."""
    parameters = candidate.space.parameters
    decisive = _in_decisive_subscripts(candidate)
    for monomial in list(parameters):
        value = _unknown(monomial)
        term = None if value is None else candidate.evolution.if_nothing_wraps(value)
        if term is None or any(one and one not in parameters for one in term.terms):
            continue
        if decisive.isdisjoint({monomial, *term.terms}):
            continue
        size = sum(map(abs, term.terms.values()))
        if 0 < size <= GREATEST:
            yield ParameterSum(Expr({monomial: 1}), term, GREATEST // size)


def _unknown(monomial: Monomial) -> SSAValue | None:
    match monomial:
        case (Unknown(value, _),):
            return value
        case _:
            return None


def _in_decisive_subscripts(candidate: Candidate) -> set[Monomial]:
    """What is in subscripts of arrays that are written, and accessed more than once."""
    return {
        monomial
        for array in candidate.arrays
        if array.is_written and len(array.references) > 1
        for reference in array.references
        for index in candidate.subscripts[reference.op].indices
        for monomial in _monomials(index)
    }


def _monomials(index: Expr) -> Iterator[Monomial]:
    yield from (monomial for monomial in index.terms if monomial)
    yield from ((atom,) for atom in index.all_atoms())
