"""Where code is generated: what is known there, and how rows become expressions there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from polyopt.poly.linear.lattice import identity
from polyopt.poly.loops.expressions import (
    FALSE,
    TRUE,
    add,
    all_of,
    compare,
    floor_div,
    modulo,
    scale,
)
from polyopt.poly.loops.loop_tree import Branch, Condition, Const, Expr, Node
from polyopt.poly.scanning.affine_lattice import (
    Congruence,
    EchelonLattice,
    Quotient,
    solve_equalities,
)
from polyopt.poly.scanning.systems import Row, System, opposite
from polyopt.support.record import record


@record
class Place:
    """`rows` and `congruences` hold here; `values` are those of the first columns, beginning
    with the constant 1."""

    rows: System
    congruences: tuple[Congruence, ...]
    values: tuple[Expr, ...]

    @cached_property
    def lattice(self) -> EchelonLattice:
        """What the congruences, and the equalities among the rows, leave of the columns that have
        values. A congruence is an equality with one more column."""
        width = len(self.values) - 1
        whole = EchelonLattice((0,) * width, identity(width))
        if not self.congruences:
            return whole
        given = set(self.rows)
        equal = [row for row in self.rows if opposite(row) in given and len(row) <= width + 1]
        for k, one in enumerate(self.congruences):
            padding = (0,) * (width + 1 + k - len(one.row))
            equal.append((*one.row, *padding, -one.modulus))
        found = solve_equalities(equal, width + len(self.congruences))
        return whole if found is None else found.prefix(width)

    def remainder(self, row: Row, modulus: int) -> int | None:
        """`row` modulo `modulus`, if that is the same for all that is possible here."""
        constant, *factors = self.lattice.to_coordinates(row)
        return None if any(factor % modulus for factor in factors) else constant % modulus

    def is_met(self, congruence: Congruence) -> bool:
        return self.remainder(congruence.row, congruence.modulus) == 0

    def with_rows(self, rows: Sequence[Row]) -> Place:
        return replace(self, rows=(*self.rows, *rows))

    def with_congruences(self, found: Sequence[Congruence]) -> Place:
        return replace(self, congruences=(*self.congruences, *found))

    def with_value(self, value: Expr) -> Place:
        """The next column is `value`."""
        return replace(self, values=(*self.values, value))

    def expression(self, row: Row) -> Expr:
        pairs = zip(row, self.values, strict=False)
        return add(Const(0), *(scale(factor, value) for factor, value in pairs if factor))

    def quotient(self, value: Quotient) -> Expr:
        """The floor of `value`."""
        return floor_div(self.expression(value.row), value.divisor)

    def conditions(
        self, rows: Sequence[Row], congruences: Sequence[Congruence] = ()
    ) -> tuple[Condition, ...]:
        """That all of these hold; two opposite rows, one of which may be known, are one
        equality."""
        found = [
            compare(modulo(self.expression(one.row), one.modulus), is_equality=True)
            for one in congruences
        ]
        left = dict.fromkeys(rows)
        for row in rows:
            if row not in left:
                continue
            other = opposite(row)
            is_equality = other in left or other in self.rows
            left.pop(other, None)
            found.append(compare(self.expression(row), is_equality=is_equality))
        return tuple(found)


def guarded(conditions: Sequence[Condition], nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """`nodes` where all `conditions` hold."""
    condition = all_of(*conditions)
    if not nodes or condition == FALSE:
        return ()
    return nodes if condition == TRUE else (Branch(condition, nodes),)
