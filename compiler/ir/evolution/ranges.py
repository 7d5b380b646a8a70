"""What a condition always is where it stands, from how far loops count and what was asked before.

In a block that runs only where the loop goes on, the counter is at least 0 and less than the trip
count. What is linear in counters is greatest and least at their ends:

    for (i = 0; i < n; i++)   if (i > n) …        i - n  is at most -1: never
    if (i < m)  if (i < m + 2) …                  asked before: always
    k += a[i] > 0 ? 2 : 3;  if (k > 3*i) …        between 2*i and 3*i, as data decide: never
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.ir.branches import incoming
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.evolution.step_range import StepRange, step_range
from polyopt.ir.evolution.trip_count import stays_at
from polyopt.ir.expressions.conditions import edge_condition
from polyopt.ir.expressions.integer_conditions import negated
from polyopt.ir.expressions.integer_expr import (
    ZERO,
    Both,
    Compare,
    Condition,
    Counter,
    Either,
    Expr,
    Extremum,
    Truth,
    Unknown,
    Wrapped,
)

_MOST_COUNTERS = 3


class Ranges:
    """Asked of conditions as `polyopt.ir.expressions.conditions` reads them."""

    def __init__(self, flow: ControlFlow, evolution: Evolution):
        self._flow = flow
        self._evolution = evolution
        self._known_stays: dict[NaturalLoop, list[tuple[Block, Expr]]] = {}
        self._known_steps: dict[SSAValue, StepRange | None] = {}

    def always(self, condition: Condition, block: Block) -> bool | None:
        """What the condition is whenever control is in the block; None where that changes, or is
        not known."""
        match condition:
            case Truth(holds):
                return holds
            case Both(left, right):
                told = [self.always(left, block), self.always(right, block)]
                return False if False in told else (None if None in told else True)
            case Either(left, right):
                told = [self.always(left, block), self.always(right, block)]
                return True if True in told else (None if None in told else False)
            case Compare(_, term):
                if any(isinstance(atom, Wrapped) for atom in term.all_atoms()):
                    return None
                if self._holds(condition, block):
                    return True
                return False if self._holds(negated(condition), block) else None
            case _:
                return None

    def _holds(self, wanted: Condition, block: Block) -> bool:
        assert isinstance(wanted, Compare)
        if any(_implies(known, wanted) for known in self._asked_before(wanted, block)):
            return True
        match wanted:
            case Compare("<", term):
                return any(bound < 0 for bound in self._bounds(term, block))
            case Compare("<=", term):
                return any(bound <= 0 for bound in self._bounds(term, block))
            case Compare("!=", term):
                above = any(bound < 0 for bound in self._bounds(-term, block))
                return above or any(bound < 0 for bound in self._bounds(term, block))
            case _:
                return wanted.term == ZERO

    def _bounds(self, term: Expr, block: Block, left: int = _MOST_COUNTERS) -> Iterator[int]:
        """Numbers that the term never exceeds."""
        number = term.as_constant
        if number is not None:
            yield number
            return
        within = self._within_envelope(term, block)
        if within is not None:
            yield from self._bounds(within, block, left)
            return
        loops = {atom.loop: None for atom in term.all_atoms() if isinstance(atom, Counter)}
        if not loops or not left:
            return
        loop = max(loops, key=lambda one: one.depth)
        parts = term.split(Counter(loop))
        step = None if parts is None else parts[1].as_constant
        if parts is None or step is None or block not in loop:
            return
        if step < 0:
            yield from self._bounds(parts[0], block, left - 1)
            return
        for last in self._last(loop, block):
            yield from self._bounds(parts[0] + last * step, block, left - 1)

    def _within_envelope(self, term: Expr, block: Block) -> Expr | None:
        """What the term never exceeds, with the chain of recurrences that is the greatest (the
        least) in place of a variable of a loop around that data decide on."""
        for monomial, factor in term.terms.items():
            atom = monomial[0] if len(monomial) == 1 else None
            if not isinstance(atom, Unknown) or not atom.is_signed:
                continue
            steps = self.steps(atom.value, block)
            if steps is not None:
                loop, told = steps
                step = told.greatest if factor > 0 else told.least
                end = told.start + Expr.of(Counter(loop)) * step
                return term + (end - Expr.of(atom)) * factor
        return None

    def steps(self, value: SSAValue, block: Block) -> tuple[NaturalLoop, StepRange] | None:
        """Of an argument of the header of a loop around the block, that loop and how much it
        changes in an iteration."""
        if not isinstance(value, BlockArgument):
            return None
        loop = self._flow.loops.innermost(value.owner)
        if loop is None or loop.header is not value.owner or block not in loop:
            return None
        if value not in self._known_steps:
            self._known_steps[value] = step_range(value, loop, self._evolution)
        found = self._known_steps[value]
        return None if found is None else (loop, found)

    def _last(self, loop: NaturalLoop, block: Block) -> Iterator[Expr]:
        """What the counter is at most while control is in the block."""
        for source, taken in self._stays(loop):
            if not self._flow.dominators.strictly_dominates(source, block):
                yield taken
                continue
            for count in _counts(taken):
                yield count - 1

    def _stays(self, loop: NaturalLoop) -> list[tuple[Block, Expr]]:
        """Where the loop may be left, and how often it goes on there."""
        if loop not in self._known_stays:
            counts = (
                (edge.source, stays_at(edge, loop, self._flow, self._evolution))
                for edge in loop.exits()
            )
            self._known_stays[loop] = [
                (source, count.taken)
                for source, count in counts
                if count is not None and not count.assumptions
            ]
        return self._known_stays[loop]

    def _asked_before(self, wanted: Compare, block: Block) -> Iterator[Compare]:
        """What held on the only way to the block, in this iteration, of the same term but for a
        constant and its sign."""
        tree = self._flow.dominators
        facts = self._facts.get(_subject(wanted), [])
        if wanted.relation == "!=":
            facts = [*facts, *self._facts.get(wanted, ())]
        for below, fact, loops in facts:
            if tree.dominates(below, block) and all(block in loop for loop in loops):
                yield fact
        # Inside a loop that is not left at once, it goes on some times: with j from i + 1 to n,
        # i + 1 is less than n.
        loop = self._flow.loops.innermost(block)
        while loop is not None:
            for source, taken in self._stays(loop):
                if tree.strictly_dominates(source, block):
                    yield from (Compare("<", -count) for count in _counts(taken))
            loop = loop.parent

    @cached_property
    def _facts(self) -> dict[frozenset[Expr] | Compare, list[_Fact]]:
        """What each edge says that is the only way into a block, by what it speaks of. That two
        things differ says nothing but that: a chain of such tests is looked up by each of them."""
        flow = self._flow
        facts: dict[frozenset[Expr] | Compare, list[_Fact]] = {}
        for target in flow.cfg.blocks:
            edges = [edge for edge in incoming(target) if edge.source in flow.cfg]
            if len(edges) != 1:
                continue
            for fact in _conjuncts(edge_condition(edges[0], self._evolution)):
                counters = (atom for atom in fact.term.all_atoms() if isinstance(atom, Counter))
                loops = list(dict.fromkeys(atom.loop for atom in counters))
                key = fact if fact.relation == "!=" else _subject(fact)
                facts.setdefault(key, []).append((target, fact, loops))
        return facts


_Fact = tuple[Block, Compare, list[NaturalLoop]]
"""A comparison that holds in all blocks that this one dominates and that are in these loops."""


def _counts(taken: Expr) -> Iterator[Expr]:
    """How often a loop goes on that was not left at once: of a maximum with 0, the other one."""
    yield taken
    atom = taken.as_atom
    if isinstance(atom, Extremum) and atom.is_max and ZERO in atom.terms:
        others = [term for term in atom.terms if term != ZERO]
        if len(others) == 1:
            yield others[0]


def _subject(compared: Compare) -> frozenset[Expr]:
    """What the comparison compares with a constant, and its opposite."""
    term = compared.term - compared.term.constant_term
    return frozenset((term, -term))


def _conjuncts(condition: Condition) -> Iterator[Compare]:
    match condition:
        case Both(left, right):
            yield from _conjuncts(left)
            yield from _conjuncts(right)
        case Compare():
            yield condition
        case _:
            return


def _implies(known: Compare, wanted: Compare) -> bool:
    """Both are about one term, but for a constant."""
    if known == wanted:
        return True
    distance = (wanted.term - known.term).as_constant
    if distance is None:
        opposite = (wanted.term + known.term).as_constant
        return opposite is not None and _implies_opposite(known, wanted, opposite)
    match known.relation, wanted.relation:
        case "<", "<":
            return distance <= 0
        case "<", ("<=" | "!="):
            return distance <= (1 if wanted.relation == "<=" else 0)
        case "<=", "<=":
            return distance <= 0
        case "<=", ("<" | "!="):
            return distance < 0
        case "==", "<":
            return distance < 0
        case "==", "<=":
            return distance <= 0
        case "==", "!=":
            return distance != 0
        case "==", "==":
            return distance == 0
        case "!=", "!=":
            return distance == 0
        case _:
            return False


def _implies_opposite(known: Compare, wanted: Compare, total: int) -> bool:
    """`wanted.term == total - known.term`; only what a term that is 0 says of it."""
    if known.relation == "==":
        match wanted.relation:
            case "<":
                return total < 0
            case "<=":
                return total <= 0
            case "!=":
                return total != 0
            case _:
                return total == 0
    # known.term <= -1 or 0, so that wanted.term is at least total + 1 or total.
    least = total + (1 if known.relation == "<" else 0)
    return known.relation in ("<", "<=") and wanted.relation == "!=" and least > 0
