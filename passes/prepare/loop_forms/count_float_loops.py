"""Loops that count with a floating-point variable count with an integer.

    for (x = 0.0; x < 1.0; x += 0.125)     for (k = 0; k < 8; k++) { x = 0.0 + k * 0.125; …

The number of iterations is found by counting as the machine would: numbers alone decide, and each
sum is rounded as IEEE 754 says. Where no sum is rounded, and no product, the variable is a function
of the counter and the iterations do not wait for each other; else it is added to as before.

    1. variables in memory that are changed once in a loop, by a number, and decide by a comparison
       with a number when it is left, become values
    2. the comparison becomes one of the new counter with the number of iterations
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from struct import pack, unpack

from xdsl.context import Context
from xdsl.dialects import arith, cf, memref
from xdsl.dialects.builtin import Float32Type, Float64Type, FloatAttr, IntegerAttr, ModuleOp, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.branches import Edge, drop_passed, incoming, outgoing
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.functions import functions_near_loops
from polyopt.ir.insertion import insert_before
from polyopt.passes.prepare.ssa_construction import Variable, find_variables, promote
from polyopt.support.record import record
from polyopt.support.remarks import remark

_MOST_ITERATIONS = 50_000
"""Which are counted one by one."""


@record
class CountFloatLoopsPass(ModulePass):
    """Loops that a floating-point variable leads get an integer counter.

    The variable starts with a number, an iteration adds one to it (subtracts it, multiplies,
    divides), and the loop goes on while the variable compares with a number.

    Requires: nothing. Ensures: such a loop is left by a comparison of integers; its variable is
    computed from the counter where that gives the same values to the last bit.

        ^head(%x: f64):                               ^head(%k: i32):
          %0 = arith.cmpf olt, %x, %one                 %0 = arith.cmpi slt, %k, %eight
          cf.cond_br %0, ^body, ^end          ->        cf.cond_br %0, ^body, ^end
        ^body:  …                                     ^body:  %x = 0.0 + %k * 0.125 …
          %y = arith.addf %x, %eighth                   %l = arith.addi %k, %1
          cf.br ^head(%y)                               cf.br ^head(%l)
    """

    name = "count-float-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_near_loops(op):
            if any(isinstance(one, arith.CmpfOp) for one in function.walk()):
                _count_loops(ControlFlow(function.body))


@record
class _Counting:
    """`after(x)` is what an iteration makes of the variable, `step` the number it adds where it
    does; `test` is the comparison, which lets the loop go on where it gives `goes_on`, of the
    variable, or of what follows it."""

    loop: NaturalLoop
    variable: BlockArgument
    start: float
    after: Callable[[float], float]
    step: float | None
    test: arith.CmpfOp
    goes_on: bool
    is_of_next: bool
    bound: float


def _count_loops(flow: ControlFlow) -> None:
    leading = [v for v in find_variables(flow).values() if _may_lead(flow, v)]
    promote(flow, leading)
    for loop in flow.loops.all_loops():
        for argument in list(loop.header.args):
            counting = _counting(loop, argument)
            count = None if counting is None else _iterations(counting)
            if counting is not None and count is not None:
                _rewrite(counting, count)
                break


def _may_lead(flow: ControlFlow, variable: Variable) -> bool:
    """Compared with a number to leave a loop, in which it is stored once, from itself and a
    number."""
    for load in variable.loads:
        for use in load.res.uses:
            test = use.operation
            block = test.parent
            if not isinstance(test, arith.CmpfOp) or block is None:
                continue
            loop = flow.loops.innermost(block)
            if loop is None or _number(test.operands[1 - use.index]) is None:
                continue
            blocks = loop.blocks
            stores = [one for one in variable.stores if one.parent and one.parent in blocks]
            if len(stores) == 1 and _is_step(stores[0], variable):
                return True
    return False


def _is_step(store: memref.StoreOp, variable: Variable) -> bool:
    match store.value.owner:
        case arith.AddfOp() | arith.SubfOp() | arith.MulfOp() | arith.DivfOp() as op:
            loads = [one for one in op.operands if one.owner in variable.loads]
            numbers = [one for one in op.operands if _number(one) is not None]
            return len(loads) == len(numbers) == 1
        case _:
            return False


def _counting(loop: NaturalLoop, variable: BlockArgument) -> _Counting | None:
    if not isinstance(variable.type, Float32Type | Float64Type):
        return None
    starts = {_number(edge.values[variable.index]) for edge in loop.entries()}
    nexts = {edge.values[variable.index] for edge in loop.back_edges()}
    start = starts.pop() if len(starts) == 1 else None
    following = nexts.pop() if len(nexts) == 1 else None
    if start is None or following is None:
        return None
    change = _change(following, variable)
    if change is None:
        return None
    after, step = change
    for edge in loop.exits():
        branch = edge.terminator
        if not isinstance(branch, cf.ConditionalBranchOp) or not _is_once(loop, edge.source):
            continue
        test = branch.cond.owner
        if not isinstance(test, arith.CmpfOp) or test.parent is not edge.source:
            continue
        bound = _number(test.rhs)
        if bound is None or test.lhs not in (variable, following):
            continue
        is_of_next = test.lhs is following
        goes_on = edge.position == 1
        return _Counting(loop, variable, start, after, step, test, goes_on, is_of_next, bound)
    return None


def _is_once(loop: NaturalLoop, block: Block) -> bool:
    """In each iteration: the header, or the block that goes back to it."""
    return block is loop.header or loop.latches == [block]


def _change(
    following: SSAValue, variable: SSAValue
) -> tuple[Callable[[float], float], float | None] | None:
    op = following.owner
    if not isinstance(op, arith.AddfOp | arith.SubfOp | arith.MulfOp | arith.DivfOp):
        return None
    first, second = _number(op.lhs), _number(op.rhs)
    rounded = _rounding(variable)
    match op:
        case arith.AddfOp() if op.lhs is variable and second is not None:
            return lambda x: rounded(x + second), second
        case arith.AddfOp() if op.rhs is variable and first is not None:
            return lambda x: rounded(first + x), first
        case arith.SubfOp() if op.lhs is variable and second is not None:
            return lambda x: rounded(x - second), -second
        case arith.MulfOp() if op.lhs is variable and second is not None:
            return lambda x: rounded(x * second), None
        case arith.MulfOp() if op.rhs is variable and first is not None:
            return lambda x: rounded(first * x), None
        case arith.DivfOp() if op.lhs is variable and second:
            return lambda x: rounded(x / second), None
        case _:
            return None


def _rounding(value: SSAValue) -> Callable[[float], float]:
    """To the type: a sum, product or quotient of two f32 in f64 is rounded again as if once."""
    if isinstance(value.type, Float64Type):
        return lambda x: x
    return _to_single


def _to_single(number: float) -> float:
    try:
        return unpack("f", pack("f", number))[0]
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


_PREDICATES: dict[int, Callable[[float, float], bool]] = {
    1: lambda a, b: a == b,
    2: lambda a, b: a > b,
    3: lambda a, b: a >= b,
    4: lambda a, b: a < b,
    5: lambda a, b: a <= b,
    6: lambda a, b: a != b,
    8: lambda a, b: a == b,
    9: lambda a, b: a > b,
    10: lambda a, b: a >= b,
    11: lambda a, b: a < b,
    12: lambda a, b: a <= b,
    13: lambda a, b: a != b,
}
"""arith's comparisons of numbers that are none of them NaN."""


def _iterations(counting: _Counting) -> int | None:
    """How often the comparison lets the loop go on."""
    holds = _PREDICATES.get(counting.test.predicate.value.data)
    if holds is None or not isfinite(counting.bound):
        return None
    value = counting.start
    for count in range(_MOST_ITERATIONS):
        following = counting.after(value)
        tested = following if counting.is_of_next else value
        if not isfinite(tested):
            return None
        if holds(tested, counting.bound) != counting.goes_on:
            return count
        if following == value:
            return None
        value = following
    return None


def _is_exact(counting: _Counting, count: int) -> bool:
    """`start + k * step` is the value of iteration k, with no rounding on either way."""
    step = counting.step
    if step is None or str(counting.start) == "-0.0":
        return False
    rounded = _rounding(counting.variable)
    value = counting.start
    for k in range(count + 2):
        product = rounded(k * step)
        if not isfinite(product) or Fraction(product) != k * Fraction(step):
            return False
        if Fraction(value) != Fraction(counting.start) + Fraction(product):
            return False
        value = counting.after(value)
        if not isfinite(value):
            return False
    return True


_NSW = arith.IntegerOverflowAttr([arith.IntegerOverflowFlag.NSW])


def _rewrite(counting: _Counting, count: int) -> None:
    loop, variable, test = counting.loop, counting.variable, counting.test
    header, block = loop.header, test.parent
    assert block is not None
    place = block.last_op
    assert isinstance(place, cf.ConditionalBranchOp)
    counter = header.insert_arg(i32, len(header.args), variable.location)
    counter.name_hint = variable.name_hint
    relation = "slt" if counting.goes_on else "sge"
    bound = _integer(count, place)
    place.operands[0] = _before(place, arith.CmpiOp(counter, bound, relation))
    for edge in _edges_to(header):
        value = _integer(0 if edge.source not in loop else 1, edge.terminator)
        if edge.source in loop:
            value = _before(edge.terminator, arith.AddiOp(counter, value, overflow=_NSW))
        edge.redirect(header, [*edge.values, value])
    span = span_of(test)
    if _is_exact(counting, count):
        _compute(counting, counter)
    if not any(test.result.uses):
        block.erase_op(test)
    told = f"{count} iterations of a floating-point variable counted"
    remark("applied", CountFloatLoopsPass.name, told, span)


def _edges_to(header: Block) -> list[Edge]:
    sources = {edge.source: None for edge in incoming(header)}
    return [edge for source in sources for edge in outgoing(source) if edge.target is header]


def _compute(counting: _Counting, counter: SSAValue) -> None:
    """The variable as a function of the counter."""
    variable, header = counting.variable, counting.loop.header
    first = header.first_op
    assert first is not None
    assert counting.step is not None
    type = variable.type
    assert isinstance(type, Float32Type | Float64Type)
    number = _before(first, arith.SIToFPOp(counter, type))
    step, start = (_float(one, variable, first) for one in (counting.step, counting.start))
    value = _before(first, arith.MulfOp(number, step))
    if counting.start != 0.0 or counting.step < 0.0:  # 0 * -1 is -0, which a sum with 0 is not
        value = _before(first, arith.AddfOp(value, start))
    value.name_hint = variable.name_hint
    variable.replace_all_uses_with(value)
    for source in {edge.source: None for edge in incoming(header)}:
        drop_passed(source, header, variable.index)
    header.erase_arg(variable)


def _number(value: SSAValue) -> float | None:
    op = value.owner
    if not isinstance(op, arith.ConstantOp) or not isinstance(op.value, FloatAttr):
        return None
    return op.value.value.data


def _integer(number: int, before: Operation) -> SSAValue:
    return _before(before, arith.ConstantOp(IntegerAttr(number, i32)))


def _float(number: float, like: SSAValue, before: Operation) -> SSAValue:
    type = like.type
    assert isinstance(type, Float32Type | Float64Type)
    return _before(before, arith.ConstantOp(FloatAttr(number, type)))


def _before(place: Operation, op: Operation) -> SSAValue:
    return insert_before(op, place)[0]
