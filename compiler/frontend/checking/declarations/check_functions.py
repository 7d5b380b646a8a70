"""Functions (C 6.7.6.3, 6.9.1): their declarations, and what is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from pycparser import c_ast

from polyopt.frontend.checking.checker import INLINE, Checker, span_of
from polyopt.frontend.checking.declarations.check_attributes import (
    apply_to_symbol,
    attributes_of,
)
from polyopt.frontend.checking.declarations.check_old_style import (
    is_old_style,
    passed_types,
    read_old_style,
)
from polyopt.frontend.checking.doubts.doubtful_names import (
    doubt_declaration,
    doubt_definition,
    doubt_parameters,
    doubt_shadow,
)
from polyopt.frontend.checking.doubts.doubtful_sequence import doubt_sequence
from polyopt.frontend.checking.doubts.doubtful_syntax import doubt_syntax
from polyopt.frontend.checking.doubts.uninitialised import doubt_uninitialised
from polyopt.frontend.checking.statements.check_statements import StatementChecker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FunctionType
from polyopt.frontend.language.conversions import are_compatible, composite
from polyopt.frontend.language.library_functions import library_type
from polyopt.frontend.tree.typed_statements import (
    Function,
    Statement,
)
from polyopt.frontend.tree.typed_tree import Symbol


class FunctionChecker:
    def __init__(self, checker: Checker, declared: Callable[[c_ast.Node], list[Statement]]):
        """`declared` reads a declaration inside."""
        self.checker = checker
        self._declared = declared

    def define(self, node: c_ast.FuncDef) -> None:
        checker = self.checker
        decl = node.decl
        name = decl.name
        if name is None or not isinstance(decl.type, c_ast.FuncDecl):
            checker.error("expected a function", node)
        if is_old_style(decl.type):
            checker.warn("old-style-definition", f"'{name}' is defined as K&R wrote it", decl)
            type, parameters, scope = read_old_style(checker, node, decl.type)
        else:
            type, parameters, scope = checker.types.read_parameters(decl.type)
        before = checker.scopes.stack[0].names.get(name)
        was_implicit = before is not None and before.is_implicit
        symbol = self.declare(decl, name, type, decl.storage, is_definition=True)
        assert isinstance(symbol.type, FunctionType)
        passed = passed_types(checker, symbol.type, parameters, decl)
        if symbol.is_defined:
            self._replace_inline(symbol, decl)
        if not isinstance(type.result, ct.VoidType) and not ct.is_complete(type.result):
            checker.error(f"result has incomplete type '{type.result}'", decl)
        symbol.is_defined = True
        symbol.span = span_of(decl)
        checker.function = symbol
        doubt_definition(checker, node, symbol, None if was_implicit else before)
        checker.scopes.enter(scope)
        self._require_sizes(decl.type)
        for parameter in parameters:
            doubt_shadow(checker, parameter.name, parameter.type, parameter.span)
            if not ct.is_complete(parameter.type):
                checker.error(
                    f"parameter '{parameter.name}' has incomplete type '{parameter.type}'",
                    parameter.span,
                )
        checker.compared_with_null.clear()
        statements = checker.statements = StatementChecker(checker, self._declared)
        if checker.pragmas:
            from polyopt.frontend.checking.openmp.check_openmp_all import openmp_checker

            statements.openmp = openmp_checker(checker, statements)
        body = statements.body(node.body)
        for compared in checker.compared_with_null:
            compared.is_nullable = True
        checker.leave_scope()
        checker.function = checker.statements = None
        function = Function(symbol, parameters, body, bool(statements.labels.names), passed)
        checker.functions.append(function)
        doubt_parameters(checker, parameters)
        doubt_syntax(checker, node.body)
        doubt_sequence(checker, node.body)
        doubt_uninitialised(checker, function)

    def declare(
        self,
        node: c_ast.Decl,
        name: str,
        type: FunctionType,
        storage: list[str],
        *,
        is_definition: bool = False,
    ) -> Symbol:
        checker = self.checker
        if node.init is not None:
            checker.error(f"function '{name}' is initialised like a variable", node)
        if "_Thread_local" in storage:
            checker.error(f"function '{name}' cannot be thread-local", node)
        file_scope = checker.scopes.stack[0].names
        # An inline definition serves this file only, as `static inline` does (C 6.7.4).
        inline = "inline" in node.funcspec and "extern" not in storage
        internal = "static" in storage or inline
        known = checker.scopes.current.names.get(name) or file_scope.get(name)
        doubt_declaration(checker, node, type, known, is_definition=is_definition)
        if known is None:
            linkage = "internal" if internal else "external"
            known = Symbol(name, type, span_of(node), "function", linkage, name)
            file_scope[name] = known
        elif known.kind != "function":
            redefined(checker, node, known)
        elif not are_compatible(known.type, type):
            self._conflicting(node, known, type)
        elif "static" in storage and known.linkage == "external":
            checker.error(f"static declaration of '{name}' follows a non-static one", node)
        else:
            known.type = composite(known.type, type)
        known.is_implicit = False
        known.is_inline = known.is_inline or "inline" in node.funcspec
        known.is_noreturn = known.is_noreturn or "_Noreturn" in node.funcspec
        found = attributes_of(checker, node)
        apply_to_symbol(checker, known, found, span_of(node))
        if "alias" in known.marks and not known.is_defined:
            known.is_defined = True
            checker.aliases.append(known)
        checker.scopes.current.names[name] = known
        return known

    def _replace_inline(self, symbol: Symbol, node: c_ast.Decl) -> None:
        """A body that is only there to be inlined gives way to the one that other files call (GCC,
        "An Inline Function is As Fast As a Macro")."""
        checker = self.checker
        is_only_inline = "gnu_inline" in attributes_of(checker, node)
        if is_only_inline or not symbol.ir_name.endswith(INLINE):
            checker.error(f"redefinition of '{symbol.name}'", node)
        checker.functions[:] = [one for one in checker.functions if one.symbol is not symbol]
        symbol.ir_name = symbol.name
        symbol.linkage = "internal" if "static" in node.storage else "external"

    def _require_sizes(self, node: c_ast.FuncDecl) -> None:
        """`[*]` is for the parameters of a declaration (C 6.7.6.2)."""
        for parameter in node.args.params if node.args else []:
            part = getattr(parameter, "type", None)
            while isinstance(part, c_ast.PtrDecl | c_ast.ArrayDecl):
                if isinstance(part, c_ast.ArrayDecl) and _is_star(part.dim):
                    self.checker.error("'[*]' in the definition of a function", parameter)
                part = part.type

    def _conflicting(self, node: c_ast.Decl, known: Symbol, type: FunctionType) -> None:
        """A declaration is not what was said before. Where nobody had said anything, the calls so
        far were of something else."""
        message = f"conflicting types for '{known.name}': '{type}', before '{known.type}'"
        if not known.is_implicit and library_type(known.name, self.checker.char) != known.type:
            self.checker.error(message, node, f"the first declaration is {known.span}")
        self.checker.warn("implicit-function-declaration", message, node)
        known.type = type


def _is_star(size: c_ast.Node | None) -> bool:
    return isinstance(size, c_ast.ID) and size.name == "*"


def redefined(checker: Checker, node: c_ast.Node, known: Symbol) -> NoReturn:
    checker.error(f"redefinition of '{known.name}'", node, f"the first one is {known.span}")
