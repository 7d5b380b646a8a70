"""What a search may do in iterations to come, with the variables as they are now.

They will run, but maybe with other values of the variables. So an address, or a divisor, may depend
on the counter or on variables, not on both: what depends on the counter alone is computed by the
loop as it is, too; what depends on variables alone has the values that it has in this iteration.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref
from xdsl.ir import BlockArgument, Operation, SSAValue

from polyopt.dialects import cmem
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_speculatable
from polyopt.ir.idioms.records import Variable, variable_of
from polyopt.support.record import record

Source = SSAValue | Variable


@record
class Ahead:
    """The operations that run in an iteration without a record, in order; what arguments of blocks
    stand for there; the variables, and values, that records change."""

    loop: NaturalLoop
    quiet: tuple[Operation, ...]
    kept: dict[SSAValue, SSAValue]
    changed: frozenset[Source]
    counter: BlockArgument
    bound: SSAValue

    def resolved(self, value: SSAValue) -> SSAValue:
        return self.kept.get(value, value)


def may_look_ahead(way: Ahead) -> bool:
    """Nothing is loaded, or divided by, that the loop as it is would not; the bound stays."""
    of_counter: set[Source] = {way.counter}
    of_variables = {*way.changed, *(a for a in way.loop.header.args if a is not way.counter)}
    for op in way.quiet:
        operands = {way.resolved(operand) for operand in op.operands}
        results: list[Source] = list(op.results)
        by_counter = bool(operands & of_counter)
        by_variables = bool(operands & of_variables)
        if by_counter and by_variables and not _may_run_anyhow(op):
            return False
        variable = _variable_at(op)
        if isinstance(op, memref.LoadOp):
            by_counter |= variable in of_counter
            by_variables |= variable in of_variables or _may_be_changed(op.memref, way.changed)
        elif variable is not None:
            results.append(variable)
        if by_counter:
            of_counter.update(results)
        if by_variables:
            of_variables.update(results)
    return way.resolved(way.bound) not in of_counter | of_variables


def _may_run_anyhow(op: Operation) -> bool:
    return isinstance(op, memref.StoreOp) or is_speculatable(op)


def _variable_at(op: Operation) -> Variable | None:
    return variable_of(op.memref) if isinstance(op, memref.LoadOp | memref.StoreOp) else None


def _may_be_changed(place: SSAValue, changed: frozenset[Source]) -> bool:
    """Whether a load from there may see what the arms store."""
    if variable_of(place) in changed:
        return True
    symbols = {v.memory for v in changed if isinstance(v, Variable) and isinstance(v.memory, str)}
    if not symbols:
        return False
    base = place
    for value in _bases(place):
        base = value
    if isinstance(base.owner, memref.AllocaOp):
        return False
    if isinstance(base.owner, cmem.AddressOfOp):
        return base.owner.symbol.string_value() in symbols
    return True


def _bases(place: SSAValue) -> Iterator[SSAValue]:
    value: SSAValue | None = place
    while value is not None:
        yield value
        match value.owner:
            case cmem.ViewOp(source=source):
                value = source
            case cmem.OffsetOp(base=base):
                value = base
            case cmem.AddressOp(memref=array):
                value = array
            case _:
                value = None
