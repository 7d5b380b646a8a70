"""What each part of the checker is asked by the others: for the type checker only.

Types have expressions in them (lengths of arrays), expressions types (casts) and statements: the
parts need each other, and find each other in `Checker`. None imports another that imports it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from pycparser import c_ast

from polyopt.frontend.c_types import CType, FunctionType
from polyopt.frontend.gnu_syntax import BlockExpression
from polyopt.frontend.scope import Scope
from polyopt.frontend.typed_tree import Expr, Initial, Statement, Symbol
from polyopt.support.diagnostics import Span


class Types(Protocol):
    """`has_tight_records`: some member is aligned less than its type."""

    has_tight_records: bool

    def read(self, node: c_ast.Decl | c_ast.Typedef | c_ast.Typename) -> CType: ...
    def read_parameters(self, node: c_ast.FuncDecl) -> tuple[FunctionType, list[Symbol], Scope]: ...
    def read_result(self, node: c_ast.FuncDecl) -> CType: ...
    def read_parameter(self, node: c_ast.Decl | c_ast.Typename) -> Symbol: ...
    def read_alignment(self, decl: c_ast.Decl) -> int: ...
    def is_announced(self, type: CType) -> bool: ...


class Operators(Protocol):
    def binary(self, op: str, left: Expr, right: Expr, span: Span) -> Expr: ...


class Expressions(Protocol):
    @property
    def operators(self) -> Operators: ...
    def operand(self, node: c_ast.Node) -> Expr: ...
    def reads(self, node: c_ast.Node) -> bool: ...
    def value(self, node: c_ast.Node) -> Expr: ...
    def scalar(self, node: c_ast.Node, what: str) -> Expr: ...
    def effect(self, node: c_ast.Node) -> Expr: ...
    def constant(self, node: c_ast.Node) -> int: ...
    def reference(self, symbol: Symbol, span: Span) -> Expr: ...
    def subscript(self, base: Expr, index: Expr, span: Span) -> Expr: ...
    def modifiable(self, node: c_ast.Node) -> Expr: ...
    def update(
        self,
        place: Expr,
        op: str,
        value: Expr,
        span: Span,
        is_postfix: bool,
        *,
        swapped: bool = False,
    ) -> Expr: ...


class Initialisers(Protocol):
    def read(self, node: c_ast.Node, type: CType, span: Span) -> tuple[CType, Initial]: ...
    def check_static(self, initial: Initial) -> None: ...


class Statements(Protocol):
    def expression(self, node: BlockExpression) -> Expr: ...


class Directives(Protocol):
    """Pragmas of OpenMP's among statements."""

    def statement(self, node: c_ast.Pragma, following: Iterable[c_ast.Node]) -> Statement: ...
