"""answer-constants: what `__builtin_constant_p` asks is answered early where loops wait for it.

LLVM answers when it has inlined what it will, long after loops have been looked at. A question in a
loop, or in a function that some loop calls, would keep two ways open there, of which C means the
same: the general one is taken. Elsewhere the question stays.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.ir.branches import Edge
from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.control.control_flow import ControlFlow
from polyopt.ir.effects import constant_integer
from polyopt.passes.prepare.branches.block_editing import (
    erase_unreachable,
    merge_on,
    replace_terminator,
)
from polyopt.support.record import record


@record
class AnswerConstantsPass(ModulePass):
    """Answer `cmem.is_constant`: of a constant it is true, and of what else is asked in a loop, or
    in a function that is called in one, false. Branches and selections on it go with it.

    Requires: nothing. Ensures: no loop asks, nor what a loop calls by its name.

        ^body:                                                   ^body:
          %0 = cmem.is_constant %x : i32                           cf.br ^general
          cf.cond_br %0, ^short, ^general            ->
    """

    name = "answer-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        questions = [one for one in op.walk() if isinstance(one, cmem.IsConstantOp)]
        if not questions:
            return
        functions = [one for one in op.walk() if isinstance(one, func.FuncOp) and one.body.blocks]
        flows = {one: ControlFlow(one.body) for one in functions}
        called = _called_in_loops(flows)
        changed: set[func.FuncOp] = set()
        for question in questions:
            function = _function_of(question)
            is_known = question.value.owner.__class__ is arith.ConstantOp
            if is_known or function in called or _is_in_loop(question, flows[function]):
                _answer(question, is_known)
                changed.add(function)
        for function in changed:
            erase_unreachable(function.body)
            for block in list(function.body.blocks):
                if block.parent is not None:
                    merge_on(block)


def _function_of(op: Operation) -> func.FuncOp:
    around = op.parent_op()
    while not isinstance(around, func.FuncOp):
        assert around is not None
        around = around.parent_op()
    return around


def _is_in_loop(op: Operation, flow: ControlFlow) -> bool:
    return flow.loops.innermost(enclosing_block(op)) is not None


def _called_in_loops(flows: dict[func.FuncOp, ControlFlow]) -> set[func.FuncOp]:
    """Those that a loop calls by their name, and those that these call."""
    by_name = {(one.parent, one.sym_name.data): one for one in flows}
    found: set[func.FuncOp] = set()
    waiting: list[func.FuncOp] = []
    calls = {one: [c for c in one.walk() if isinstance(c, func.CallOp)] for one in flows}

    def called(function: func.FuncOp, call: func.CallOp) -> list[func.FuncOp]:
        callee = by_name.get((function.parent, call.callee.string_value()))
        return [] if callee is None else [callee]

    for function, flow in flows.items():
        for call in calls[function]:
            waiting += called(function, call) if _is_in_loop(call, flow) else []
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            for call in calls[function]:
                waiting += called(function, call)
    return found


def _answer(question: cmem.IsConstantOp, is_known: bool) -> None:
    block = question.parent
    assert block is not None
    constant = arith.ConstantOp.from_int_and_width(int(is_known), i1)
    constant.location = question.location
    block.insert_op_before(constant, question)
    question.result.replace_all_uses_with(constant.result)
    block.erase_op(question)
    _settle(constant)


def _settle(constant: arith.ConstantOp) -> None:
    """What the truth value decides is decided."""
    is_true = constant_integer(constant.result) != 0
    for use in list(constant.result.uses):
        user = use.operation
        if isinstance(user, cf.ConditionalBranchOp):
            edge = Edge(user, 0 if is_true else 1)
            replace_terminator(user, cf.BranchOp(edge.target, *edge.values))
        elif isinstance(user, arith.SelectOp) and use.index == 0:
            user.result.replace_all_uses_with(user.lhs if is_true else user.rhs)
            block = user.parent
            assert block is not None
            block.erase_op(user)
