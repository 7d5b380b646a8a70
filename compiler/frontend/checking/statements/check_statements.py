"""Statements of one function (C 6.8), with its labels, switches and local declarations."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_cases import doubt_cases
from polyopt.frontend.checking.doubts.doubtful_values import doubt_effect, doubt_returned
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, convert
from polyopt.frontend.checking.statements.check_assembly import check_assembly
from polyopt.frontend.checking.statements.check_labels import Labels, described, with_closed_scope
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType, IntType, PointerType, VoidType
from polyopt.frontend.language.conversions import promote
from polyopt.frontend.messages.recovery import Consequence
from polyopt.frontend.parsing import gnu_nodes as gnu
from polyopt.frontend.tree.typed_statements import (
    Block,
    Break,
    Continue,
    DoWhile,
    Evaluate,
    If,
    Label,
    LoopStatement,
    Return,
    Statement,
    StatementExpression,
    Switch,
)
from polyopt.frontend.tree.typed_tree import Convert, Expr, Symbol
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import entity

if TYPE_CHECKING:
    from polyopt.frontend.checking.checker_parts import Directives

# A case of more values than this is a comparison.
_FEW_CASES = 64


@entity
class _OpenSwitch:
    type: IntType
    vlas: tuple[Symbol, ...]
    cases: dict[int, Label] = field(default_factory=dict[int, Label])
    ranges: list[tuple[int, int, Label]] = field(default_factory=list[tuple[int, int, Label]])
    default: Label | None = None


_State = tuple[int, int, int, int, int, int]
"""Open scopes, those of labels, variable-length arrays, switches, and what can be left."""


class StatementChecker:
    """Checks the body of one function. `openmp`, set where the file has pragmas of OpenMP's,
    checks those."""

    openmp: Directives

    def __init__(self, checker: Checker, declare: Callable[[c_ast.Node], list[Statement]]):
        self.checker = checker
        self.declare = declare
        self.vlas: list[Symbol] = []
        self.labels = Labels(checker)
        self.switches: list[_OpenSwitch] = []
        self.breakable = 0
        self.loops = 0
        self.readers: dict[type[c_ast.Node], Callable[..., Statement]] = {
            c_ast.Compound: self._compound,
            c_ast.If: self._if,
            c_ast.While: self._while,
            c_ast.DoWhile: self._do_while,
            c_ast.For: self._for,
            c_ast.Switch: self._switch,
            c_ast.Case: self._case,
            c_ast.Default: self._default,
            c_ast.Label: self._label,
            c_ast.Goto: self._goto,
            gnu.ComputedGoto: self._computed_goto,
            gnu.LocalLabels: self._local_labels,
            c_ast.Break: self._break,
            c_ast.Continue: self._continue,
            c_ast.Return: self._return,
        }

    def body(self, node: c_ast.Compound) -> Block:
        """The outermost block; the parameters' scope is its own (C 6.2.1)."""
        self.labels.local.append({})
        block = Block(span_of(node), self._items(node.block_items or []))
        self.labels.finish()
        return block

    def statement(self, node: c_ast.Node) -> Statement:
        reader = self.readers.get(type(node))
        if reader is not None:
            return reader(node)
        if isinstance(node, c_ast.Pragma):
            return self.openmp.statement(node, ())
        if isinstance(node, c_ast.EmptyStatement | c_ast.AttributeDeclaration):
            return Block(span_of(node), [])
        if isinstance(node, c_ast.AttributedStatement):
            return self.statement(node.stmt)
        if isinstance(node, gnu.Assembly):
            return check_assembly(self.checker, node)
        if isinstance(node, c_ast.FuncDef):
            self.checker.error("nested functions are not supported", node)
        value = self.checker.expressions.effect(node)
        doubt_effect(self.checker, value, span_of(node))
        return Evaluate(span_of(node), value)

    def _items(self, nodes: list[c_ast.Node]) -> list[Statement]:
        items: list[Statement] = []
        state = self._state()
        following = iter(nodes)
        for node in following:
            try:
                if isinstance(node, c_ast.Pragma):
                    items.append(self.openmp.statement(node, following))
                elif isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.StaticAssert):
                    items += self._declaration(node)
                elif not isinstance(node, c_ast.EmptyStatement | gnu.Broken):
                    items.append(self.statement(node))
            except CompileError as error:
                self._recover(error, node, state)
        return items

    def _state(self) -> _State:
        labels = len(self.labels.local)
        depths = (len(self.checker.scopes.stack), labels, len(self.vlas), len(self.switches))
        return *depths, self.breakable, self.loops

    def _recover(self, error: CompileError, node: c_ast.Node, state: _State) -> None:
        """Go on behind a statement that is wrong, as things stood before it."""
        self.checker.errors.add(error, node)
        scopes, labels, vlas, switches, self.breakable, self.loops = state
        del self.labels.local[labels:]
        del self.checker.scopes.stack[scopes:]
        del self.vlas[vlas:]
        del self.switches[switches:]

    def _declaration(self, node: c_ast.Node) -> list[Statement]:
        statements = self.declare(node)
        self.vlas += with_closed_scope(statements)
        return statements

    def expression(self, node: gnu.BlockExpression) -> Expr:
        """`({ ... })`: its value is that of the expression that stands last in it."""
        span = span_of(node)
        items = list(node.block.block_items or [])
        if items and isinstance(items[-1], gnu.Broken):
            raise Consequence("what the block gives is not known")
        depth = len(self.vlas)
        while items and isinstance(label := items[-1], c_ast.Label):
            items[-1] = c_ast.Label(label.name, c_ast.EmptyStatement(label.coord), label.coord)
            items.append(label.stmt)
        with self.scope():
            last = items.pop() if items and self.checker.expressions.reads(items[-1]) else None
            block = Block(span, self._items(items))
            value = None if last is None else self.checker.expressions.value(last)
            block.vlas = self.vlas[depth:]
        type = ct.VOID if value is None else value.type
        return StatementExpression(type, span, block, value)

    @contextmanager
    def scope(self) -> Generator[None]:
        depth = len(self.vlas)
        self.checker.scopes.push()
        self.labels.local.append({})
        yield
        self.labels.local.pop()
        self.checker.leave_scope()
        del self.vlas[depth:]

    def _compound(self, node: c_ast.Compound) -> Block:
        depth = len(self.vlas)
        with self.scope():
            block = Block(span_of(node), self._items(node.block_items or []))
            block.vlas = self.vlas[depth:]
        return block

    def substatement(self, node: c_ast.Node) -> Statement:
        with self.scope():
            return self.statement(node)

    def _if(self, node: c_ast.If) -> Statement:
        """A block of its own, as every selection and iteration statement is, and so is each of
        its substatements (C 6.8.4, 6.8.5): an enumeration may be declared in the condition."""
        with self.scope():
            condition = self.checker.expressions.scalar(node.cond, "condition of 'if'")
            with self.checker.only_where(condition, holds=True):
                if_true = self.substatement(node.iftrue)
            with self.checker.only_where(condition, holds=False):
                if_false = self.substatement(node.iffalse) if node.iffalse else None
        return If(span_of(node), condition, if_true, if_false)

    # Loops

    def _loop_body(self, node: c_ast.Node) -> Statement:
        self.loops += 1
        self.breakable += 1
        body = self.substatement(node)
        self.loops -= 1
        self.breakable -= 1
        return body

    def _while(self, node: c_ast.While) -> Statement:
        with self.scope():
            condition = self.checker.expressions.scalar(node.cond, "condition of 'while'")
            body = self._loop_body(node.stmt)
        return LoopStatement(span_of(node), condition, None, body)

    def _do_while(self, node: c_ast.DoWhile) -> Statement:
        with self.scope():
            body = self._loop_body(node.stmt)
            condition = self.checker.expressions.scalar(node.cond, "condition of 'while'")
        return DoWhile(span_of(node), condition, body)

    def _for(self, node: c_ast.For) -> Statement:
        span = span_of(node)
        expressions = self.checker.expressions
        depth = len(self.vlas)
        with self.scope():
            items: list[Statement] = []
            if isinstance(node.init, c_ast.DeclList):
                items = self._items(node.init.decls)
            elif node.init is not None:
                items.append(Evaluate(span_of(node.init), expressions.effect(node.init)))
            condition = None
            if node.cond is not None:
                condition = expressions.scalar(node.cond, "condition of 'for'")
            step = expressions.effect(node.next) if node.next is not None else None
            items.append(LoopStatement(span, condition, step, self._loop_body(node.stmt)))
            return Block(span, items, self.vlas[depth:])

    def _break(self, node: c_ast.Break) -> Statement:
        if not self.breakable:
            self.checker.error(f"'break' outside of a loop or switch{self._left()}", node)
        return Break(span_of(node))

    def _continue(self, node: c_ast.Continue) -> Statement:
        if not self.loops:
            self.checker.error(f"'continue' outside of a loop{self._left()}", node)
        return Continue(span_of(node))

    def _left(self) -> str:
        """What a jump would leave, and may not."""
        regions = self.checker.regions
        return f" in '#pragma omp {regions[-1].name}'" if regions else ""

    # Switch

    def _switch(self, node: c_ast.Switch) -> Statement:
        with self.scope():
            value = self.checker.expressions.value(node.cond)
            type = promote(value.type)
            if not isinstance(type, IntType):
                found = f"switch on a value of type '{value.type}', no integer"
                self.checker.error(found, node.cond)
            opened = _OpenSwitch(type, tuple(self.vlas))
            self.switches.append(opened)
            self.breakable += 1
            body = self.substatement(node.stmt)
            self.breakable -= 1
            self.switches.pop()
        doubt_cases(self.checker, node, value.type, opened)
        value = convert(value, type)
        return Switch(span_of(node), value, opened.cases, opened.ranges, opened.default, body)

    def _case(self, node: c_ast.Case) -> Statement:
        if not self.switches:
            self.checker.error("'case' outside of a switch", node)
        opened = self.switches[-1]
        first, last = self._case_values(node.expr, opened.type)
        name = f"case {first}" if first == last else f"case {first} ... {last}"
        label = self._switch_label(node, name, opened)
        self._check_duplicate(node, first, last, opened)
        if last - first < _FEW_CASES:
            opened.cases |= dict.fromkeys(range(first, last + 1), label)
        else:
            opened.ranges.append((first, last, label))
        label.body = Block(label.span, self._items(node.stmts))
        return label

    def _case_values(self, node: c_ast.Node, type: IntType) -> tuple[int, int]:
        """The values of `case a:` or, in GNU C, of `case a ... b:`."""
        constant = self.checker.expressions.constant
        if not isinstance(node, gnu.NumberRange):
            value = type.wrap(constant(node))
            return value, value
        first, last = type.wrap(constant(node.first)), type.wrap(constant(node.last))
        if last < first:
            self.checker.error(f"case {first} ... {last} is empty", node)
        return first, last

    def _check_duplicate(
        self, node: c_ast.Node, first: int, last: int, opened: _OpenSwitch
    ) -> None:
        clashing = [
            (value, label) for value, label in opened.cases.items() if first <= value <= last
        ]
        for low, high, label in opened.ranges:
            if low <= last and first <= high:
                clashing.append((max(low, first), label))
        if clashing:
            value, label = clashing[0]
            self.checker.error(
                f"duplicate case {value}", node, f"the first one is on line {label.span.line}"
            )

    def _default(self, node: c_ast.Default) -> Statement:
        if not self.switches:
            self.checker.error("'default' outside of a switch", node)
        opened = self.switches[-1]
        label = self._switch_label(node, "default", opened)
        if opened.default is not None:
            self.checker.error("more than one 'default' in a switch", node)
        opened.default = label
        label.body = Block(label.span, self._items(node.stmts))
        return label

    def _switch_label(self, node: c_ast.Node, name: str, opened: _OpenSwitch) -> Label:
        if tuple(self.vlas) != opened.vlas:
            self.checker.error(f"switch jumps into the scope of {described(self.vlas[-1])}", node)
        return Label(span_of(node), name, Block(span_of(node), []), opened.vlas)

    # Labels and jumps

    def _label(self, node: c_ast.Label) -> Statement:
        label = self.labels.define(node, tuple(self.vlas))
        label.body = self.statement(node.stmt)
        return label

    def _goto(self, node: c_ast.Goto) -> Statement:
        return self.labels.goto(node, tuple(self.vlas))

    def _computed_goto(self, node: gnu.ComputedGoto) -> Statement:
        address = self.checker.expressions.value(node.address)
        if not isinstance(address.type, PointerType):
            self.checker.error(f"goto to a value of type '{address.type}', no pointer", node)
        number = convert(address, ct.LONG)
        return self.labels.computed_goto(number, tuple(self.vlas), span_of(node))

    def _local_labels(self, node: gnu.LocalLabels) -> Statement:
        self.labels.declare_local(node.names)
        return Block(span_of(node), [])

    def label_address(self, node: gnu.LabelAddress) -> Expr:
        return self.labels.address(node.name, span_of(node))

    def _return(self, node: c_ast.Return) -> Statement:
        if self.checker.regions:
            name = self.checker.regions[-1].name
            self.checker.error(f"'return' leaves '#pragma omp {name}'", node)
        function = self.checker.function
        assert function is not None
        assert isinstance(function.type, FunctionType)
        result = function.type.result
        span = span_of(node)
        if node.expr is None:
            if not isinstance(result, VoidType):
                message = f"'return' without a value in a function returning '{result}'"
                self.checker.warn("return-type", message, node)
            return Return(span, None)
        value = self.checker.expressions.value(node.expr)
        if isinstance(result, VoidType):
            if not isinstance(value.type, VoidType):
                message = "'return' with a value in a function returning void"
                self.checker.warn("return-type", message, node)
                value = Convert(ct.VOID, span, value)
            return Return(span, value)
        doubt_returned(self.checker, value)
        return Return(span, assign_conversion(self.checker, value, result, span, "return"))
