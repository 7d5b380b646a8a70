"""print-evolution: how values change from iteration to iteration, as text before the module.

For people and for tests; the module is not changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, i1
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.control.cfg import defining_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.evolution.scalar_evolution import Evolution
from polyopt.ir.evolution.step_range import step_range
from polyopt.ir.evolution.trip_count import stays_at
from polyopt.ir.expressions.expression_text import LoopName, chrec, condition_text, text
from polyopt.ir.expressions.integer_expr import Expr, Unknown, Wrapped
from polyopt.ir.expressions.unknown_values import is_naturally_signed
from polyopt.support.record import record


@record
class PrintEvolutionPass(ModulePass):
    """Print, for each loop, how often it is repeated and, for each header argument and each named
    value in it, its chain of recurrences.

        {a, +, b}<i>         a, then b more in each further iteration of loop i
        {a, +, b, +, c}<i>   and b grows by c itself
        {a, *, b}<i>         multiplied by b; {a, /, b}: divided
        (a, b)<i>            a in the first iteration, then b, counted from the second on
        {a | b}<i>           in turns
        [{a, +, b}, {a, +, c}]<i>   between the two: b more or c more, as data decides
        i32(...)             reduced modulo 2**32, where that has not been proved away

    "repeated" is how often the back edge is taken, "?" where that is not known. Each exit has the
    number of iterations before the first in which it is taken. "left with" is a value behind the
    loop. What has no expression is not listed.

    // f: loop i (f.c:3): repeated max(0, %n)
    //   i = {0, +, 1}<i>
    """

    name = "print-evolution"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in _functions(op):
            flow = ControlFlow(function.body)
            evolution = Evolution(flow)
            names = _LoopNames(flow)
            for loop in flow.loops.all_loops():
                for line in _loop_lines(loop, flow, evolution, names.of):
                    print(f"// {function.sym_name.data}: {line}")


class _LoopNames:
    """The names of loops, with a number where an earlier loop of the function has the name."""

    def __init__(self, flow: ControlFlow):
        self._names: dict[NaturalLoop, str] = {}
        in_order = sorted(flow.loops.all_loops(), key=lambda one: flow.cfg.number[one.header])
        for loop in in_order:
            name, number = loop.name, 1
            while name in self._names.values():
                number += 1
                name = f"{loop.name}.{number}"
            self._names[loop] = name

    def of(self, loop: NaturalLoop) -> str:
        return self._names[loop]


def _functions(module: ModuleOp) -> Iterator[func.FuncOp]:
    for op in module.walk():
        if isinstance(op, func.FuncOp) and op.body.blocks:
            yield op


def _loop_lines(
    loop: NaturalLoop, flow: ControlFlow, evolution: Evolution, name: LoopName
) -> Iterator[str]:
    count = evolution.trip_count(loop)
    repeated = "?" if count is None else text(count.taken, name)
    yield f"loop {name(loop)}{_place(loop.header)}: repeated {repeated}"
    for assumption in () if count is None else count.assumptions:
        yield f"  if {condition_text(assumption, name)}"
    exits = loop.exits()
    for edge in exits if len(exits) > 1 else ():
        stays = stays_at(edge, loop, flow, evolution)
        told = "?" if stays is None else text(stays.taken, name)
        yield f"  exit{_place(edge.source)}: after {told}"
    for value in _named_values(loop, flow):
        told = _chain(value, loop, evolution, name)
        if told is not None:
            yield f"  {value.name_hint or 'value'} = {told}"
    for value in loop.header.args:
        left = _left_with(value, loop, evolution)
        if left is not None:
            yield f"  {value.name_hint or 'value'} left with {chrec(left, name)}"


def _named_values(loop: NaturalLoop, flow: ControlFlow) -> Iterator[SSAValue]:
    """The header's arguments, and what has a name of the blocks that are in no inner loop."""
    yield from loop.header.args
    for block in loop.blocks:
        if flow.loops.innermost(block) is not loop:
            continue
        values: list[SSAValue] = [] if block is loop.header else list(block.args)
        values += (result for op in block.ops for result in op.results if result.name_hint)
        yield from values


def _chain(value: SSAValue, loop: NaturalLoop, evolution: Evolution, name: LoopName) -> str | None:
    if value.type == i1 or not isinstance(value.type, IntegerType | IndexType | LLVMPointerType):
        return None
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert block is not None
    expr = _natural(value, block, evolution)
    unknowns = (atom for atom in expr.all_atoms() if isinstance(atom, Unknown))
    if all(defining_block(atom.value) not in loop for atom in unknowns):
        return chrec(expr, name)
    if not isinstance(value, BlockArgument) or value.owner is not loop.header:
        return None
    steps = step_range(value, loop, evolution)
    if steps is None:
        return None
    start = chrec(steps.start, name)
    ends = (f"{{{start}, +, {step}}}" for step in (steps.least, steps.greatest))
    return f"[{', '.join(ends)}]<{name(loop)}>"


def _natural(value: SSAValue, block: Block, evolution: Evolution) -> Expr:
    """In the reading that its uses have, unless only the other one does not wrap."""
    readings = [evolution.signed(value, block), evolution.unsigned(value, block)]
    if not is_naturally_signed(value):
        readings.reverse()
    return min(readings, key=lambda one: any(isinstance(a, Wrapped) for a in one.all_atoms()))


def _is_unknown(expr: Expr, value: SSAValue) -> bool:
    atom = expr.as_atom
    return isinstance(atom, Unknown) and atom.value is value


def _left_with(value: SSAValue, loop: NaturalLoop, evolution: Evolution) -> Expr | None:
    """What a header argument is behind the loop, where that is known."""
    targets = {edge.target for edge in loop.exits()}
    if len(targets) != 1 or not isinstance(value.type, IntegerType | IndexType):
        return None
    expr = evolution.signed(value, targets.pop())
    return None if _is_unknown(expr, value) else expr


def _place(block: Block) -> str:
    span = None if block.last_op is None else span_of(block.last_op)
    return "" if span is None else f" ({span.file}:{span.line})"
