"""The checked program, from its statements on: what `typed_tree` has no need to know.

A statement expression is here too: it is the one expression with statements in it.
"""

from __future__ import annotations

from dataclasses import field

from polyopt.frontend.language.c_types import CType, FunctionType
from polyopt.frontend.tree.typed_tree import Expr, Initial, Symbol
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity


@entity
class Statement:
    span: Span


@entity
class Evaluate(Statement):
    value: Expr


@entity
class Declare(Statement):
    """A local variable comes to life here."""

    symbol: Symbol
    initial: Initial | None


@entity
class EvaluateLengths(Statement):
    """The lengths of a variably modified type are fixed here: that of a cast, or (`symbol`) of a
    typedef or a static pointer to a VLA, whose scope nothing jumps into (C 6.8.6.1)."""

    symbol: Symbol | None
    type: CType


@entity
class Block(Statement):
    items: list[Statement]
    vlas: list[Symbol] = field(default_factory=list[Symbol])


@entity
class If(Statement):
    condition: Expr
    if_true: Statement
    if_false: Statement | None


@entity
class LoopStatement(Statement):
    """`while` and `for`: test before each round (None: for ever)."""

    condition: Expr | None
    step: Expr | None
    body: Statement


@entity
class DoWhile(Statement):
    condition: Expr
    body: Statement


@entity
class Switch(Statement):
    """`cases` maps values, converted to the type of `value`, to labels in the body; `ranges` are
    those of many values: from, to, label."""

    value: Expr
    cases: dict[int, Label]
    ranges: list[tuple[int, int, Label]]
    default: Label | None
    body: Statement


@entity
class Label(Statement):
    """A named label, a case or a default. `vlas` are the variable-length arrays alive here."""

    name: str
    body: Statement
    vlas: tuple[Symbol, ...] = ()


@entity
class Goto(Statement):
    name: str
    vlas: tuple[Symbol, ...] = ()
    target: Label | None = None


@entity
class ComputedGoto(Statement):
    """`goto *address`: to the label of the number, a long, that the address is."""

    number: Expr
    vlas: tuple[Symbol, ...] = ()
    targets: dict[int, Label] = field(default_factory=dict[int, Label])


@entity
class Barrier(Statement):
    """No access to memory moves across it: `asm volatile("" ::: "memory")`."""


@entity
class Instructions(Statement):
    """Assembly without operands, as LLVM writes it, and which registers it changes."""

    text: str
    clobbers: tuple[str, ...]


@entity
class Break(Statement):
    pass


@entity
class Continue(Statement):
    pass


@entity
class Return(Statement):
    value: Expr | None


@entity
class StatementExpression(Expr):
    """`({ ... })`: the statements of the block, then in its scope the value, if it has one."""

    block: Block
    value: Expr | None


@entity
class Function:
    symbol: Symbol
    parameters: list[Symbol]
    body: Block
    has_labels: bool
    passed: FunctionType
    """How it is called: an old-style definition takes its arguments promoted."""


@entity
class Program:
    """A translation unit: functions and globals with definitions, in order; and every other
    function or object that they refer to. `has_pragmas`: some are OpenMP's."""

    functions: list[Function]
    globals: list[Symbol]
    externals: list[Symbol]
    aliases: list[Symbol]
    puns: bool = False  # some memory is declared to be accessed as of several types
    has_pragmas: bool = False
    has_implicit_functions: bool = False  # some are called that nobody has declared
    has_tight_records: bool = False  # some struct holds what is aligned less than its type asks for
    assembly: list[str] = field(default_factory=list[str])  # what stands outside of functions
