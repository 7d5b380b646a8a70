"""The quasi-affine view of a region: its parameters, its iterators, and expressions as isl sees
them.

A parameter is what does not change while the region runs: an unknown from outside, or a product
of such. The iterator of a loop is, where the loop counts up or down by one from an affine start,
the C variable itself; else it counts iterations from 0.

    iterator = start + direction * Counter(loop)

isl's calls are cheap and its parser is not, so that expressions are built by calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field

import islpy as isl
from xdsl.dialects.memref import LoadOp
from xdsl.ir import Block, SSAValue

from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_wide
from polyopt.ir.expressions.integer_conditions import condition_flags, mapped_condition
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
    condition_terms,
    subexpressions,
)
from polyopt.ir.expressions.integer_forms import replaced
from polyopt.poly.isl.names import WORDS
from polyopt.poly.isl.numbers import val
from polyopt.support.record import entity, record

GREATEST = 1 << 61
"""Sums and differences of a few of these fit in 64 bits."""


def is_great(expr: Expr) -> bool:
    """Does it add a number, or multiply by one, that may leave 64 bits?"""
    return any(abs(factor) > GREATEST for factor in expr.terms.values())


@record
class Iterator:
    """The dimension of a loop: `start + direction * Counter(loop)`, start over outer positions."""

    loop: NaturalLoop
    name: str
    start: Expr
    direction: int


@record
class NotAffine:
    """Why an expression is not affine: the part of it that is not."""

    part: Expr | Flag


@record
class RangeObligation:
    """`term`, over positions, is in the range of a machine type when control is in `block`."""

    term: Expr
    lowest: int
    greatest: int
    block: Block


@entity
class AffineSpace:
    """`loops` are those of the region, outer ones first. `hoisted` are loads inside the region
    whose value does not change in it."""

    flow: ControlFlow
    blocks: Collection[Block]
    loops: Sequence[NaturalLoop]
    hoisted: Collection[SSAValue] = ()
    parameters: dict[Monomial, str] = field(default_factory=dict[Monomial, str])
    iterators: dict[NaturalLoop, Iterator] = field(default_factory=dict[NaturalLoop, Iterator])
    obligations: dict[RangeObligation, None] = field(default_factory=dict[RangeObligation, None])

    # What is affine

    def is_constant(self, value: SSAValue) -> bool:
        """The value does not change while the region runs."""
        return defining_block(value) not in self.blocks or value in self.hoisted

    def defect(self, expr: Expr) -> NotAffine | None:
        """Why an expression is not quasi-affine; registers its parameters if it is."""
        for monomial in expr.terms:
            if self.is_parameter(monomial):
                continue
            atom, *others = monomial
            if others:
                return NotAffine(Expr({monomial: 1}))
            inner = self._atom_defect(atom)
            if inner is not None:
                return inner
        for monomial in expr.terms:
            if monomial and self.is_parameter(monomial):
                self._register(monomial)
        return None

    def condition_defect(self, condition: Condition) -> NotAffine | None:
        for flag in condition_flags(condition):
            if not self.is_constant(flag.value):
                return NotAffine(flag)
            self._register((Unknown(flag.value),))
        return self._first_defect(condition_terms(condition))

    def _first_defect(self, exprs: Iterable[Expr]) -> NotAffine | None:
        for expr in exprs:
            defect = self.defect(expr)
            if defect is not None:
                return defect
        return None

    def _atom_defect(self, atom: Atom) -> NotAffine | None:
        match atom:
            case Unknown() | Binomial() | Power() | Divided() | Logarithm():
                return NotAffine(Expr.of(atom))
            case Counter(loop):
                return None if loop in self.loops else NotAffine(Expr.of(atom))
            case Choice(condition, _, _) if any(condition_flags(condition)):
                return NotAffine(Expr.of(atom))
            case _:
                return self._first_defect(subexpressions(atom))

    def is_parameter(self, monomial: Monomial) -> bool:
        """The product does not change while the region runs."""
        return all(
            isinstance(a, Unknown) and self.is_constant(a.value) and not is_wide(a.value.type)
            for a in monomial
        )

    def is_invariant(self, expr: Expr) -> bool:
        """The same value whenever control is in the region."""
        return all(
            self.is_constant(atom.value) if isinstance(atom, Unknown) else True
            for atom in expr.all_atoms()
            if not isinstance(atom, Counter)
        ) and not any(isinstance(atom, Counter) for atom in expr.all_atoms())

    # Parameters and iterators

    def _register(self, monomial: Monomial) -> None:
        """What is loaded for a loop to count from has the loop's name, and leaves it to the
        iterator."""
        if monomial in self.parameters:
            return
        names = sorted(a.value.name_hint or "p" for a in monomial if isinstance(a, Unknown))
        taken = {*self.parameters.values(), *(i.name for i in self.iterators.values())}
        if any(isinstance(a, Unknown) and isinstance(a.value.owner, LoadOp) for a in monomial):
            taken |= {a.name_hint for loop in self.loops for a in loop.header.args if a.name_hint}
        self.parameters[monomial] = unique_identifier("_".join(names), taken)

    def add_iterator(
        self, loop: NaturalLoop, name: str, start: Expr = ZERO, direction: int = 1
    ) -> None:
        """Outer loops come first. The iterator counts from 0 if `start` is neither plain nor the
        outermost of plain bounds, as of windows that the edge cuts off (from `max(0, c - 2)` up);
        its name differs from those of parameters and of the loops around."""
        if not (self._is_plain(start) or self._is_outermost(start, direction)):
            start, direction = ZERO, 1
        positional = self.positional(start)
        taken = set(self.parameters.values())
        outer = loop.parent
        while outer is not None:
            if outer in self.iterators:
                taken.add(self.iterators[outer].name)
            outer = outer.parent
        name = unique_identifier(name, taken)
        self.iterators[loop] = Iterator(loop, name, positional, direction)

    def _is_plain(self, expr: Expr) -> bool:
        """Affine with neither pieces nor divisions."""
        return self.defect(expr) is None and all(
            not monomial or self.is_parameter(monomial) or isinstance(monomial[0], Counter)
            for monomial in expr.terms
        )

    def _is_outermost(self, start: Expr, direction: int) -> bool:
        """The greatest of plain bounds where the loop goes up, the least where it goes down: all of
        them are bounds of its iterations, and subscripts are sums of what it counts."""
        atom = start.as_atom
        return (
            isinstance(atom, Extremum)
            and atom.is_max == (direction > 0)
            and all(map(self._is_plain, atom.terms))
        )

    def positional(self, expr: Expr) -> Expr:
        """`expr` with each counter replaced by what its iterator says; from then on, the atom
        `Counter(loop)` stands for the iterator's value."""

        def counted(atom: Atom) -> Expr | None:
            iterator = self.iterators.get(atom.loop) if isinstance(atom, Counter) else None
            if iterator is None:
                return None
            return (Expr.of(atom) - iterator.start) * iterator.direction

        return replaced(expr, counted)

    def loops_around(self, block: Block) -> tuple[NaturalLoop, ...]:
        """The region's loops around a block, outermost first."""
        result: list[NaturalLoop] = []
        loop = self.flow.loops.innermost(block)
        while loop is not None and loop in self.iterators:
            result.append(loop)
            loop = loop.parent
        return tuple(reversed(result))

    # isl

    def space(self, depth: int) -> isl.Space:
        """All parameters, and `depth` set dimensions without a name."""
        space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, len(self.parameters), depth)
        for place, name in enumerate(self.parameters.values()):
            space = space.set_dim_name(isl.dim_type.param, place, name)
        return space

    def pw_aff(self, expr: Expr, block: Block) -> isl.PwAff:
        """A quasi-affine expression over the iterators around `block`."""
        loops = self.loops_around(block)
        return self._pw_aff(self.positional(expr), loops, block)

    def constant_pw_aff(self, expr: Expr) -> isl.PwAff:
        """An expression that does not change in the region, over no iterators."""
        return self._pw_aff(expr, (), self.flow.cfg.blocks[0])

    def broken(self, duty: RangeObligation) -> isl.Set:
        """Where an obligation is not met, over the iterators around its block."""
        loops = self.loops_around(duty.block)
        too_small = self._set(Compare("<", duty.term - duty.lowest), loops, duty.block)
        too_great = self._set(Compare("<", -duty.term + duty.greatest), loops, duty.block)
        return too_small.union(too_great)

    def constant_condition(self, condition: Condition) -> isl.Set:
        """For which parameters a condition without iterators holds."""
        return self._set(condition, (), self.flow.cfg.blocks[0]).params()

    def condition_set(self, condition: Condition, block: Block) -> isl.Set:
        """Where a condition holds, over the iterators around `block`."""
        positional = mapped_condition(condition, self.positional)
        return self._set(positional, self.loops_around(block), block)

    def counter(self, loop: NaturalLoop) -> isl.PwAff:
        """How many iterations of `loop` have ended, over the iterators around its header."""
        iterator = self.iterators[loop]
        count = (Expr.of(Counter(loop)) - iterator.start) * iterator.direction
        return self._pw_aff(count, self.loops_around(loop.header), loop.header)

    def _pw_aff(self, expr: Expr, loops: tuple[NaturalLoop, ...], block: Block) -> isl.PwAff:
        local = isl.LocalSpace.from_space(self.space(len(loops)))
        plain = isl.Aff.zero_on_domain(local).set_constant_val(val(expr.constant_term))
        places = {monomial: place for place, monomial in enumerate(self.parameters)}
        others: list[isl.PwAff] = []
        for monomial, factor in expr.terms.items():
            if not monomial:
                continue
            if monomial in places:
                place = places[monomial]
                plain = plain.add_coefficient_val(isl.dim_type.param, place, val(factor))
            elif isinstance(atom := monomial[0], Counter):
                place = loops.index(atom.loop)
                plain = plain.add_coefficient_val(isl.dim_type.in_, place, val(factor))
            else:
                others.append(self._atom(atom, loops, block).scale_val(val(factor)))
        result = isl.PwAff.from_aff(plain)
        for other in others:
            result = result.add(other)
        return result

    def _atom(self, atom: Atom, loops: tuple[NaturalLoop, ...], block: Block) -> isl.PwAff:
        match atom:
            case Floor(term, divisor):
                return self._pw_aff(term, loops, block).scale_down_val(val(divisor)).floor()
            case Quotient(term, divisor):
                size = isl.PwAff.from_aff(
                    isl.Aff.zero_on_domain(
                        isl.LocalSpace.from_space(self.space(len(loops)))
                    ).set_constant_val(val(divisor))
                )
                return self._pw_aff(term, loops, block).tdiv_q(size)
            case Extremum(is_max, terms):
                first, *rest = (self._pw_aff(term, loops, block) for term in terms)
                for other in rest:
                    first = first.max(other) if is_max else first.min(other)
                return first
            case Choice(condition, then, orelse):
                holds = self._set(condition, loops, block)
                positive = self._pw_aff(then, loops, block).intersect_domain(holds)
                negative = self._pw_aff(orelse, loops, block).intersect_domain(holds.complement())
                return positive.union_add(negative)
            case Wrapped(term, _, _):
                lowest, greatest = atom.range
                self.obligations[RangeObligation(term, lowest, greatest, block)] = None
                return self._pw_aff(term, loops, block)
            case _:
                raise AssertionError(f"not affine: {Expr.of(atom)}")

    def _set(self, condition: Condition, loops: tuple[NaturalLoop, ...], block: Block) -> isl.Set:
        match condition:
            case Truth(holds):
                space = self.space(len(loops))
                return isl.Set.universe(space) if holds else isl.Set.empty(space)
            case Flag(value, expected):
                flag = self._pw_aff(Expr.of(Unknown(value)) - int(expected), loops, block)
                return flag.zero_set()
            case Compare("<", term):
                return (-self._pw_aff(term, loops, block)).pos_set()
            case Compare("<=", term):
                return (-self._pw_aff(term, loops, block)).nonneg_set()
            case Compare("==", term):
                return self._pw_aff(term, loops, block).zero_set()
            case Compare(_, term):
                return self._pw_aff(term, loops, block).non_zero_set()
            case Both(left, right):
                return self._set(left, loops, block).intersect(self._set(right, loops, block))
            case Either(left, right):
                return self._set(left, loops, block).union(self._set(right, loops, block))


def unique_identifier(wanted: str, taken: Collection[str]) -> str:
    """`wanted` made an identifier of isl, with a number if it is taken or reserved."""
    base = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted) or "p"
    if base[0].isdigit():
        base = f"v{base}"
    name, number = base, 0
    while name in taken or name in WORDS:
        number += 1
        name = f"{base}_{number}"
    return name
