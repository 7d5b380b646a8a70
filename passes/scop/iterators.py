"""Which C variable stands for a loop's iterations."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, SSAValue

from polyopt.dialects.locations import span_of
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.effects import is_pure
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.expressions.integer_expr import Counter, Expr, Wrapped
from polyopt.support.record import record
from polyopt.support.remarks import COUNTED, are_collected, remark


@record
class InductionVariable:
    """A variable that is `start + step * iteration`."""

    argument: BlockArgument
    start: Expr
    step: int

    @property
    def counts_by_one(self) -> bool:
        return self.step in (1, -1) and not isinstance(self.argument.type, LLVMPointerType)


def primary_variable(loop: NaturalLoop, evolution: Evolution) -> InductionVariable | None:
    """The induction variable that a reader would call the loop's: one that decides when the loop
    is left rather than another one, one that counts by one rather than a pointer."""
    deciding = _deciding(loop)
    variables = [v for a in loop.header.args if (v := _induction_variable(a, loop, evolution))]
    return min(
        variables,
        key=lambda v: (v.argument not in deciding, not v.counts_by_one),
        default=None,
    )


def tell_counted(loop: NaturalLoop, variable: InductionVariable | None) -> None:
    """That the iterator of the loop is not what its variable is, for those who show it."""
    if not are_collected():
        return
    spans = (span_of(op) for op in loop.header.ops)
    start = None if variable is None else variable.start.as_constant
    is_number = variable is not None and not isinstance(variable.argument.type, LLVMPointerType)
    numbers: tuple[tuple[str, float], ...] = ()
    if variable is not None and start is not None and is_number:
        numbers = ("start", float(start)), ("step", float(variable.step))
    message = f"the iterations of loop {loop.name} are counted from 0"
    span = next((one for one in spans if one is not None), None)
    remark("analysis", COUNTED, message, span, numbers=numbers)


def _induction_variable(
    argument: BlockArgument, loop: NaturalLoop, evolution: Evolution
) -> InductionVariable | None:
    if not isinstance(argument.type, IntegerType | IndexType | LLVMPointerType):
        return None
    expr = evolution.signed(argument, loop.header)
    atom = expr.as_atom
    parts = (atom.term if isinstance(atom, Wrapped) else expr).split(Counter(loop))
    step = None if parts is None else parts[1].as_constant
    return InductionVariable(argument, parts[0], step) if parts and step else None


def _deciding(loop: NaturalLoop) -> set[SSAValue]:
    """The values that the conditions of the loop's exits are computed from."""
    result: set[SSAValue] = set()
    pending = [value for edge in loop.exits() for value in edge.terminator.operands]
    while pending:
        value = pending.pop()
        if value in result:
            continue
        result.add(value)
        if not isinstance(value.owner, Block) and is_pure(value.owner):
            pending.extend(value.owner.operands)
    return result
