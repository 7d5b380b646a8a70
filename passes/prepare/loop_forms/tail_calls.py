"""Functions that end in a call of themselves become loops.

    double sum(a, n, s) { if (n == 0) return s; return sum(a + 1, n - 1, s + a[0]); }

The arguments of the call are what the next iteration has for the parameters. Nothing of the call's
frame is used afterwards, as long as no address of a local variable is in anybody's hands.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import cf, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.cmem import linker_marks
from polyopt.dialects.locations import span_of
from polyopt.ir.objects.bases import escapes
from polyopt.passes.prepare.branches.block_editing import erase_unreachable
from polyopt.support.record import record
from polyopt.support.remarks import remark

_RETURNING_TWICE = frozenset(("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"))


@record
class TailCallsPass(ModulePass):
    """A call of the function itself whose result is returned at once becomes a jump to its start.

    Requires: nothing. Ensures: functions with variable arguments, with local arrays of variable
    size or with locals whose address goes elsewhere are as they were; so is a function that
    another file may define otherwise.

        func.func @f(%a, %n) {                        func.func @f(%a, %n) {
          …                                             cf.br ^start(%a, %n)
          %r = func.call @f(%b, %m)           ->      ^start(%a_1, %n_1):
          func.return %r                                …
        }                                               cf.br ^start(%b, %m) }
    """

    name = "tail-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and (calls := looping_calls(function)):
                _loop(function, calls)


def looping_calls(function: func.FuncOp) -> list[func.CallOp]:
    """The calls of the function itself that are jumps to its start."""
    calls = list(_tail_calls(function))
    return calls if calls and _frame_is_dead(function) else []


def _tail_calls(function: func.FuncOp) -> Iterator[func.CallOp]:
    for block in function.body.blocks:
        for op in block.ops:
            if not isinstance(op, func.CallOp):
                continue
            if op.callee.string_value() == function.sym_name.data and _is_returned(op):
                yield op


def _is_returned(call: func.CallOp) -> bool:
    """What comes after the call, on the only way there is, returns what it gives."""
    results: list[SSAValue] = list(call.res)
    after: Operation | None = call.next_op
    for _ in range(4):
        match after:
            case func.ReturnOp():
                return list(after.arguments) == results
            case cf.BranchOp():
                passed = dict(zip(after.arguments, after.successor.args, strict=True))
                if after.successor.first_op is None or any(r not in passed for r in results):
                    return False
                results = [passed[result] for result in results]
                after = after.successor.first_op
            case _:
                return False
    return False


def _frame_is_dead(function: func.FuncOp) -> bool:
    if "weak" in linker_marks(function) or "cmem.variadic" in function.attributes:
        return False
    for op in function.walk():
        if isinstance(op, cmem.StackSaveOp):
            return False
        if isinstance(op, func.CallOp) and op.callee.string_value() in _RETURNING_TWICE:
            return False
        if isinstance(op, memref.AllocaOp) and (op.dynamic_sizes or escapes(op.memref)):
            return False
    return True


def _loop(function: func.FuncOp, calls: list[func.CallOp]) -> None:
    """The first block becomes the loop's header, behind a new one with the local variables."""
    start = function.body.blocks.first
    assert start is not None
    assert start.last_op is not None
    location = start.last_op.location
    entry = Block(arg_types=[argument.type for argument in start.args])
    for old, new in zip(start.args, entry.args, strict=True):
        new.name_hint = old.name_hint
        new.location = old.location
    for op in list(start.ops):
        if isinstance(op, memref.AllocaOp):
            op.detach()
            entry.add_op(op)
    enter = cf.BranchOp(start, *entry.args)
    enter.location = location
    entry.add_op(enter)
    function.body.insert_block_before(entry, start)
    for call in calls:
        remark("applied", TailCallsPass.name, "call in the end made a loop", span_of(call))
        _jump(call, start)
    erase_unreachable(function.body)


def _jump(call: func.CallOp, start: Block) -> None:
    block = call.parent
    assert block is not None
    jump = cf.BranchOp(start, *call.arguments)
    jump.location = call.location
    last = block.last_op
    assert last is not None
    block.insert_op_before(jump, last)
    block.erase_op(last)
    for result in call.res:
        assert not any(result.uses)
    block.erase_op(call)
