"""Statements as blocks and branches.

Behind a jump there is no current block, and a statement is left out unless something inside can
be jumped to. A loop is `header (test) -> body -> step -> header`, its exit behind it.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import DenseIntElementsAttr, IntegerType, UnitAttr, VectorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.ir import Block as IRBlock
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.stored_elements import Pair
from polyopt.frontend.emission.values.emit_conditions import branch
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType, IntType, VoidType
from polyopt.frontend.tree.constants import fold, truth
from polyopt.frontend.tree.openmp_tree import bodies
from polyopt.frontend.tree.typed_statements import (
    Barrier,
    Block,
    Break,
    ComputedGoto,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    EvaluateLengths,
    Goto,
    If,
    Instructions,
    Label,
    LoopStatement,
    Return,
    Statement,
    StatementExpression,
    Switch,
)
from polyopt.frontend.tree.typed_tree import Expr, Symbol
from polyopt.support.record import entity

_MAY_END: dict[str, Attribute] = {cmem.PROGRESS: UnitAttr()}
"""A loop whose condition is no constant may be assumed to end (C11 6.8.5p6)."""


@entity
class Target:
    """Where `break` or `continue` goes, and how many variable-length arrays live there."""

    block: IRBlock
    depth: int


class StatementEmitter:
    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.breaks: list[Target] = []
        self.continues: list[Target] = []
        self.labels: dict[Label, IRBlock] = {}
        self.chosen: IRBlock | None = None
        self.marks: list[tuple[Symbol, SSAValue | None]] = []
        self.nesting = 0
        self.emitters: dict[type[Statement], Callable[..., None]] = {
            Evaluate: self._evaluate,
            Declare: self._declare,
            Barrier: self._barrier,
            Instructions: self._instructions,
            EvaluateLengths: self._evaluate_lengths,
            Block: self._block,
            If: self._if,
            LoopStatement: self._loop,
            DoWhile: self._do_while,
            Switch: self._switch,
            Label: self._label,
            Goto: self._goto,
            ComputedGoto: self._computed_goto,
            Break: self._break,
            Continue: self._continue,
            Return: self._return,
        }

    def statement(self, statement: Statement) -> None:
        if self.builder.block is None and not _has_label(statement):
            return
        self.builder.at(statement.span)
        self.emitters[type(statement)](statement)

    def body(self, block: Block) -> None:
        """The outermost block of a function and its end."""
        for item in block.items:
            self.statement(item)
        if self.builder.block is not None:
            self._restore(0)
            self._fall_off_the_end()
        if self.builder.has_dead_blocks or self.emission.function.has_labels:
            self.builder.erase_dead_blocks()

    def _evaluate(self, statement: Evaluate) -> None:
        self.emission.expressions.effect(statement.value)

    def _evaluate_lengths(self, statement: EvaluateLengths) -> None:
        self.emission.places.fix_lengths(statement.type)

    def _barrier(self, statement: Barrier) -> None:
        self.builder.add(cmem.BarrierOp())

    def _instructions(self, statement: Instructions) -> None:
        self.builder.add(cmem.InstructionsOp(statement.text, statement.clobbers))

    def _block(self, block: Block) -> None:
        self._scope(block, None)

    def expression(self, expr: StatementExpression) -> SSAValue | Pair | None:
        """The value of `({ ... })`, computed in its scope."""
        self.builder.at(expr.span)
        return self._scope(expr.block, expr.value)

    def _scope(self, block: Block, value: Expr | None) -> SSAValue | Pair | None:
        depth = len(self.marks)
        self.nesting += 1
        for item in block.items:
            self.statement(item)
        result = None
        if value is not None and isinstance(value.type, VoidType):
            self.emission.expressions.effect(value)
        elif value is not None:
            result = self.emission.expressions.operand(value)
        self.nesting -= 1
        self.builder.at(block.span)
        self._restore(depth)
        del self.marks[depth:]
        return result

    # Declarations

    def _declare(self, statement: Declare) -> None:
        symbol = statement.symbol
        places = self.emission.places
        places.fix_lengths(symbol.type)
        self.builder.at(statement.span)
        if ct.is_variable_length(symbol.type):
            if self.nesting or self.emission.function.has_labels:
                mark = self.builder.add(cmem.StackSaveOp()).result
                self.marks.append((symbol, mark))
            places.allocate_variable(symbol)
            return
        if symbol not in places.storage:
            places.allocate(symbol)
        if statement.initial is not None:
            self.emission.initialisers.store(symbol, statement.initial)
        if symbol.cleanup is not None:
            self.marks.append((symbol, None))

    def _restore(self, depth: int) -> None:
        """Leave the scopes of all variables that need it but the first `depth`: clean up, the last
        one first, then free the stack."""
        if self.builder.block is None:
            return
        for symbol, _ in reversed(self.marks[depth:]):
            if symbol.cleanup is not None:
                self.emission.expressions.effect(symbol.cleanup)
        marks = [mark for _, mark in self.marks[depth:] if mark is not None]
        if marks:
            self.builder.add(cmem.StackRestoreOp(marks[0]))

    # Branches

    def _if(self, statement: If) -> None:
        if_true, end = IRBlock(), IRBlock()
        if_false = end if statement.if_false is None else IRBlock()
        branch(self.emission, statement.condition, if_true, if_false)
        self.builder.enter_if_reached(if_true)
        self.statement(statement.if_true)
        self.builder.jump(end)
        if statement.if_false is not None:
            self.builder.enter_if_reached(if_false)
            self.statement(statement.if_false)
        self.builder.go_on_in(end)

    def _loop(self, statement: LoopStatement) -> None:
        header, end = IRBlock(), IRBlock()
        step = header if statement.step is None else IRBlock()
        self.builder.jump(header)
        self.builder.enter(header)
        if statement.condition is not None:
            body = IRBlock()
            self._test(statement.condition, body, end)
        self.loop_body(statement.body, end, step)
        self.builder.at(statement.span)
        if statement.step is not None:
            self.builder.go_on_in(step)
            if self.builder.block is not None:
                self.emission.expressions.effect(statement.step)
                self.builder.at(statement.span)
        ends = statement.condition is not None and truth(fold(statement.condition)) is None
        self.builder.jump(header, attributes=_MAY_END if ends else None)
        self.builder.enter_if_reached(end)

    def _test(self, condition: Expr, body: IRBlock, end: IRBlock) -> None:
        """Go on in the body while the condition holds."""
        if truth(fold(condition)):
            return
        branch(self.emission, condition, body, end)
        self.builder.enter_if_reached(body)

    def _do_while(self, statement: DoWhile) -> None:
        body, test, end = IRBlock(), IRBlock(), IRBlock()
        self.builder.jump(body)
        self.builder.enter(body)
        self.loop_body(statement.body, end, test)
        self.builder.at(statement.span)
        self.builder.go_on_in(test)
        if self.builder.block is not None:
            branch(self.emission, statement.condition, body, end)
        self.builder.enter_if_reached(end)

    def loop_body(self, body: Statement, end: IRBlock, step: IRBlock) -> None:
        depth = len(self.marks)
        self.breaks.append(Target(end, depth))
        self.continues.append(Target(step, depth))
        self.statement(body)
        self.breaks.pop()
        self.continues.pop()

    def _switch(self, statement: Switch) -> None:
        end = IRBlock()
        for label in [*statement.cases.values(), *(one for _, _, one in statement.ranges)]:
            self.labels.setdefault(label, IRBlock())
        otherwise = end
        if statement.default is not None:
            otherwise = self.labels[statement.default] = IRBlock()
        if self.builder.block is not None:
            value = self.emission.expressions.value(statement.value)
            self.builder.at(statement.span)
            self._dispatch(value, statement, otherwise)
        self.breaks.append(Target(end, len(self.marks)))
        self.statement(statement.body)
        self.breaks.pop()
        self.builder.go_on_in(end)

    def _dispatch(self, value: SSAValue, statement: Switch, otherwise: IRBlock) -> None:
        assert isinstance(statement.value.type, IntType)
        type = statement.value.type
        is_wide = type.bits > i64.width.data
        alone = [(one, one, label) for one, label in statement.cases.items()] if is_wide else []
        for first, last, label in (*statement.ranges, *alone):
            self._branch_if_between(value, first, last, self.labels[label], type)
        if is_wide or not statement.cases:
            self.builder.jump(otherwise)
            return
        half = 1 << (type.bits - 1)
        numbers = [v - 2 * half if v >= half else v for v in statement.cases]
        blocks = [self.labels[label] for label in statement.cases.values()]
        self._switch_to(value, numbers, blocks, otherwise)

    def _switch_to(
        self, value: SSAValue, numbers: list[int], blocks: list[IRBlock], otherwise: IRBlock
    ) -> None:
        assert isa(value.type, IntegerType)
        vector = VectorType(value.type, [len(numbers)])
        values = DenseIntElementsAttr.from_list(vector, numbers)
        self.builder.add(cf.SwitchOp(value, otherwise, [], values, blocks, [[] for _ in blocks]))
        self.builder.reached.update(blocks, [otherwise])
        self.builder.block = None

    def _branch_if_between(
        self, value: SSAValue, first: int, last: int, target: IRBlock, type: IntType
    ) -> None:
        """As an unsigned number, the distance from the first one is not too large."""
        low, room = self.builder.constant(first, type), self.builder.constant(last - first, type)
        distance = self.builder.add(arith.SubiOp(value, low)).result
        inside = self.builder.add(arith.CmpiOp(distance, room, "ule")).result
        following = IRBlock()
        self.builder.branch(inside, target, following)
        self.builder.enter(following)

    # Jumps

    def _label(self, statement: Label) -> None:
        block = self.labels.setdefault(statement, IRBlock())
        self.builder.jump(block)
        self.builder.enter(block)
        self.statement(statement.body)

    def _goto(self, statement: Goto) -> None:
        target = statement.target
        assert target is not None
        leaving = statement.vlas[len(target.vlas) :]
        for depth, (symbol, _) in enumerate(self.marks):
            if symbol in leaving:
                self._restore(depth)
                break
        self.builder.jump(self.labels.setdefault(target, IRBlock()))

    def _computed_goto(self, statement: ComputedGoto) -> None:
        """All of a function go through one switch: each having its own would be as many edges as
        there are labels, squared."""
        number = self.emission.expressions.value(statement.number)
        self.builder.at(statement.span)
        if self.chosen is not None:
            self.builder.jump(self.chosen, number)
            return
        self.chosen = self.builder.merge(i64)
        self.builder.jump(self.chosen, number)
        self.builder.enter(self.chosen)
        blocks = [self.labels.setdefault(label, IRBlock()) for label in statement.targets.values()]
        nowhere = IRBlock()
        self._switch_to(self.chosen.args[0], list(statement.targets), blocks, nowhere)
        self.builder.enter(nowhere)
        self.builder.stop()

    def _break(self, statement: Break) -> None:
        self._leave(self.breaks[-1])

    def _continue(self, statement: Continue) -> None:
        self._leave(self.continues[-1])

    def _leave(self, target: Target) -> None:
        self._restore(target.depth)
        self.builder.jump(target.block)

    def _return(self, statement: Return) -> None:
        type = self.emission.function.symbol.type
        assert isinstance(type, FunctionType)
        if statement.value is None and not isinstance(type.result, VoidType):
            self._clean_up()
            self.emission.calls.leave_with_nothing()
        elif statement.value is None or isinstance(statement.value.type, VoidType):
            if statement.value is not None:
                self.emission.expressions.effect(statement.value)
            self._clean_up()
            self.emission.calls.leave(None)
        else:
            value = self.emission.expressions.operand(statement.value)
            self._clean_up()
            self.builder.at(statement.span)
            self.emission.calls.leave(value)

    def leave_all(self) -> None:
        """All scopes that are open here are left."""
        self._restore(0)

    def _clean_up(self) -> None:
        """What variables ask for where all their scopes are left."""
        for symbol, _ in reversed(self.marks):
            if symbol.cleanup is not None:
                self.emission.expressions.effect(symbol.cleanup)

    def _fall_off_the_end(self) -> None:
        """The closing brace returns; from `main` 0 (C 5.1.2.2.3)."""
        symbol = self.emission.function.symbol
        assert isinstance(symbol.type, FunctionType)
        result = symbol.type.result
        if isinstance(result, VoidType):
            self.emission.calls.leave(None)
            return
        if symbol.name != "main":
            self.emission.may_miss_return = True
        self.emission.calls.leave_with_nothing()


def _has_label(statement: Statement | None) -> bool:
    """Can something inside be jumped to?"""
    match statement:
        case Label():
            return True
        case Block(items=items):
            return any(_has_label(item) for item in items)
        case If(if_true=if_true, if_false=if_false):
            return _has_label(if_true) or _has_label(if_false)
        case LoopStatement(body=body) | DoWhile(body=body) | Switch(body=body):
            return _has_label(body)
        case _:
            return statement is not None and any(map(_has_label, bodies(statement)))
