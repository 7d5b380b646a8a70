"""A loop of the source with what is known of it, as seen from its iterations."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.ir.branches import Edge
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import bit_width
from polyopt.ir.evolution.ranges import Ranges
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import negated
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Compare,
    Counter,
    Expr,
    Monomial,
    Unknown,
    Wrapped,
)
from polyopt.ir.expressions.integer_forms import replaced
from polyopt.ir.references.memory_references import Reference
from polyopt.support.index_width import INDEX_BITS


class LoopView:
    """A loop with what is known of it: evolutions are relative to it, what is computed outside is
    unknown, and the same in all iterations. `of_threads` are the variables that each thread has for
    itself."""

    def __init__(self, loop: NaturalLoop, flow: ControlFlow, of_threads: Collection[str] = ()):
        self.loop = loop
        self.of_threads = of_threads
        self.flow = flow
        self.evolution = Evolution(flow, loop.blocks, tells_growth=False)
        self.ranges = Ranges(flow, self.evolution)
        self.blocks = [block for block in loop.blocks if block in flow.cfg]
        self._exact = _exact_counter(loop, self.evolution)

    @property
    def is_unsigned(self) -> bool:
        """It counts with an unsigned number that does not wrap."""
        return self._exact is not None

    def exactly(self, one: Reference) -> Reference:
        """With exact expressions."""
        indices = tuple(map(self.exact, one.indices))
        return Reference(one.op, one.base, self.exact(one.offset), one.shape, indices)

    @property
    def name(self) -> str:
        """That of what it counts with, if that is known."""
        steps = (a for a in self.loop.header.args if self._is_counter(a))
        counter = next(steps, None)
        return self.loop.name if counter is None else counter.name_hint or self.loop.name

    def _is_counter(self, argument: BlockArgument) -> bool:
        if not isinstance(argument.type, IntegerType):
            return False
        parts = self.counted(argument, True).split(Counter(self.loop))
        return parts is not None and bool(parts[1].as_constant)

    def operations(self) -> Iterator[Operation]:
        for block in self.blocks:
            yield from block.walk()

    def counted(self, value: BlockArgument, is_signed: bool) -> Expr:
        """An argument of the header, in the header."""
        known = self.evolution.of_argument(value, is_signed)
        return known if is_signed else self.exact(known)

    def exact(self, expr: Expr) -> Expr:
        """The same, as far as addresses go, where what the loop counts with is known not to wrap,
        nor sums of products that their type has more than room for."""
        return replaced(expr, self._term)

    def _term(self, atom: Atom) -> Expr | None:
        if not isinstance(atom, Wrapped):
            return None
        term = self.exact(atom.term)
        if _is_held(atom, self._exact) or _has_room(atom, term):
            return term
        return None

    def is_fixed(self, expr: Expr) -> bool:
        """It is the same in all iterations."""
        return not any(
            isinstance(atom, Counter) or (isinstance(atom, Unknown) and self.is_inside(atom.value))
            for atom in expr.all_atoms()
        )

    def is_inside(self, value: SSAValue) -> bool:
        return defining_block(value) in self.loop


def _exact_counter(loop: NaturalLoop, evolution: Evolution) -> Wrapped | None:
    """What the loop counts with, in a type in which it could wrap, but does not: it goes by one,
    unsigned, as long as it is less than (greater than) a number of its type, which it comes to
    before it wraps."""
    exits = loop.exits()
    if len(exits) != 1 or exits[0].source is not loop.header:
        return None
    counters = [one for one in loop.header.args if isinstance(one.type, IntegerType)]
    found = (_exact(one, loop, exits[0], evolution) for one in counters)
    return next((one for one in found if one is not None), None)


def _exact(
    counter: BlockArgument, loop: NaturalLoop, leaving: Edge, evolution: Evolution
) -> Wrapped | None:
    atom = evolution.of_argument(counter, False).as_atom
    stay = negated(edge_condition(leaving, evolution))
    if not isinstance(atom, Wrapped) or not isinstance(stay, Compare) or stay.relation != "<":
        return None
    parts = atom.term.split(Counter(loop))
    compared = stay.term.split(atom)
    if parts is None or compared is None:
        return None
    step, side = parts[1].as_constant, compared[1].as_constant
    bound = compared[0] if side == -1 else -compared[0]
    is_in_type = _is_of_type(parts[0], atom) and _is_of_type(bound, atom)
    return atom if step in (1, -1) and side == step and is_in_type else None


def _is_of_type(expr: Expr, wrapped: Wrapped) -> bool:
    """It is a number of the unsigned type for sure."""
    number, atom = expr.as_constant, expr.as_atom
    if number is not None:
        return wrapped.range[0] <= number <= wrapped.range[1]
    return isinstance(atom, Unknown | Wrapped) and not atom.is_signed


def _is_held(wrapped: Wrapped, counter: Wrapped | None) -> bool:
    """It is what the loop counts with, read in a type that holds all of it."""
    if counter is None or wrapped.term != counter.term:
        return False
    if wrapped.bits >= INDEX_BITS or wrapped.bits > counter.bits:
        return True
    return wrapped.bits == counter.bits and not wrapped.is_signed


def _has_room(wrapped: Wrapped, term: Expr) -> bool:
    """The numbers that it is made of are so small that it never wraps; below 0, where it has no
    sign, it does, but not as an address."""
    if not wrapped.is_signed and wrapped.bits < INDEX_BITS:
        return False
    widths = [_width(monomial, factor) for monomial, factor in term.terms.items()]
    return sum(1 << width for width in widths) < 1 << (wrapped.bits - 1)


def _width(monomial: Monomial, factor: int) -> int:
    """The product is less than two to the power of this, on either side of 0."""
    return abs(factor).bit_length() + sum(map(_atom_width, monomial))


def _atom_width(atom: Atom) -> int:
    match atom:
        case Unknown(value, _) if isinstance(value.type, IntegerType):
            return bit_width(value)
        case Counter(loop) if len(loop.header.args) == 1:
            return bit_width(loop.header.args[0])
        case _:
            return INDEX_BITS
