"""How many cache lines an iteration of a loop touches that the one before has not, were it the
innermost of its nest.

0 where an access does not move, the part of a line that it moves by, 1 where it goes anywhere else;
times the lines that it touches in one run of the loops inside, which goes by the same rule: a row
of a sparse matrix is as many lines as it fills. (RefCost and LoopCost of K. S. McKinley, S. Carr,
C.-W. Tseng: Improving data locality with loop transformations, TOPLAS 1996, where no bounds are
known.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter, Expr, Unknown
from polyopt.ir.references.loop_nest import NaturalNest
from polyopt.ir.references.memory_references import Reference, reference
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.target import LINE_BYTES


@record
class LineCosts:
    nest: NaturalNest
    evolution: Evolution
    written: Collection[SSAValue]
    """The bases through which something is written."""

    def of(self, loop: NaturalLoop, references: Sequence[Reference]) -> float:
        """Of one of the loops of the nest."""
        return sum(self._lines(loop, one) * self._touched(one) for one in references)

    def _touched(self, one: Reference) -> float:
        """The lines of one run of the loops inside the nest; one, where it does not move there."""
        lines = 1.0
        for loop in self.nest.around(one)[len(self.nest.loops) :]:
            lines *= max(1, CORE.orders.extent * self._lines(loop, one))
        return lines

    def _lines(self, loop: NaturalLoop, one: Reference) -> float:
        """New ones in another iteration of the loop."""
        parts = None if one.place is None else one.place.split(Counter(loop))
        step = None if parts is None else parts[1].as_constant
        if parts is None or step is None or self._changes(parts[0], loop, frozenset()):
            return 1
        return min(1, abs(step) / LINE_BYTES)

    def _changes(self, expr: Expr, loop: NaturalLoop, around: frozenset[SSAValue]) -> bool:
        """It may be another number in another iteration of the loop; `around` are loaded from
        where it says."""
        for atom in expr.all_atoms():
            if atom == Counter(loop):
                return True
            if isinstance(atom, Unknown) and defining_block(atom.value) in loop:
                if atom.value in around or self._is_found_anew(atom.value, loop, around):
                    return True
        return False

    def _is_found_anew(
        self, value: SSAValue, loop: NaturalLoop, around: frozenset[SSAValue]
    ) -> bool:
        op = value.owner
        if not isinstance(op, memref.LoadOp):
            return True
        found = reference(op, self.evolution)
        if found is None or found.base in self.written:
            return True
        inside = around | {value}
        return any(self._changes(one, loop, inside) for one in (found.offset, *found.indices))
