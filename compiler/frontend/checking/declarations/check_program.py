"""Whole translation units (C 6.9): all that is declared, and what is left to say at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pcpp.parser import LexToken
from pycparser import c_ast

from polyopt.frontend.checking.calls.check_variable_arguments import declare_va_list
from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.declarations.check_declarations import DeclarationChecker
from polyopt.frontend.checking.declarations.check_types import TypeReader
from polyopt.frontend.checking.doubts.doubtful_names import (
    doubt_functions,
    doubt_globals,
)
from polyopt.frontend.checking.expressions.check_expressions import ExpressionChecker
from polyopt.frontend.checking.expressions.check_initialisers import InitialiserChecker
from polyopt.frontend.checking.statements.check_assembly import outside_functions
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType
from polyopt.frontend.messages.recovery import Errors
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parsing.gnu_nodes import Assembly
from polyopt.frontend.tree.typed_statements import (
    Function,
    Program,
)
from polyopt.frontend.tree.typed_tree import Symbol
from polyopt.support.diagnostics import CompileError, Span


def check_program(
    tree: c_ast.FileAST,
    options: CFrontendOptions,
    warnings: Warnings,
    nullable: frozenset[Span] = frozenset(),
    pragmas: Sequence[list[LexToken]] = (),
    standing: StandingPragmas | None = None,
    errors: Errors | None = None,
) -> Program:
    """The meaning of a translation unit; the places of names declared `_Nullable`, the lines of
    OpenMP's pragmas and what other pragmas say of the text behind them are known. What is wrong is
    raised together with the `errors` that were found before."""
    checker = Checker(options, warnings)
    checker.errors = errors or checker.errors
    checker.nullable = nullable
    checker.standing = standing or checker.standing
    checker.pragmas = pragmas
    checker.types = TypeReader(checker)
    checker.expressions = ExpressionChecker(checker)
    checker.initialisers = InitialiserChecker(checker)
    declarations = DeclarationChecker(checker)
    declare_va_list(checker.scopes.current)
    for name, type in ct.BUILT_IN.items():
        symbol = Symbol(name, type, Span("<built-in>", 1), "typedef", is_used=True)
        checker.scopes.current.names[name] = symbol
    for node in tree.ext:
        try:
            if isinstance(node, c_ast.FuncDef):
                declarations.functions.define(node)
            elif isinstance(node, c_ast.Pragma):
                from polyopt.frontend.checking.openmp.check_openmp import check_outside

                check_outside(checker, node)
            elif isinstance(node, Assembly):
                checker.assembly.append(outside_functions(checker, node))
            elif not isinstance(node, c_ast.AttributeDeclaration):
                declarations.declare(node)
        except CompileError as error:
            del checker.scopes.stack[1:]
            checker.function = None
            checker.errors.add(error, node)
    checker.errors.raise_all()
    return _finished(checker)


def _is_common(checker: Checker, symbol: Symbol) -> bool:
    """Whether the linker makes one object of it and those that other files define so."""
    asked = symbol.may_be_common
    may_be = checker.options.common if asked is None else asked
    is_its_own = symbol.type.const or symbol.is_thread_local or symbol.is_threadprivate
    return may_be and not is_its_own and symbol.marks.keys().isdisjoint(("section", "weak"))


def _find_aliased(checker: Checker) -> None:
    """What has another name is used: by that one."""
    if not checker.aliases:
        return
    own = (*checker.scopes.stack[0].names.values(), *(f.symbol for f in checker.functions))
    defined = {symbol.ir_name: symbol for symbol in own if symbol.is_defined}
    for symbol in checker.aliases:
        name = symbol.marks["alias"]
        if name not in defined:
            what = "chosen by" if "ifunc" in symbol.marks else "another name of"
            checker.error(f"'{symbol.name}' is {what} '{name}', which is not defined", symbol.span)
        defined[name].is_used = True


def _finished(checker: Checker) -> Program:
    """Tentative definitions become definitions (C 6.9.2)."""
    for symbol in checker.scopes.stack[0].names.values():
        if symbol.is_tentative and not symbol.is_defined:
            if isinstance(symbol.type, ArrayType) and symbol.type.length is None:
                symbol.type = replace(symbol.type, length=1)
            incomplete = not ct.is_complete(symbol.type)
            if incomplete or checker.types.is_announced(symbol.type):
                checker.error(f"'{symbol.name}' has incomplete type '{symbol.type}'", symbol.span)
            symbol.is_defined = True
            if symbol.linkage == "external" and _is_common(checker, symbol):
                symbol.linkage = "common"
            checker.globals.append(symbol)
    _find_aliased(checker)
    doubt_globals(checker)
    doubt_functions(checker)
    externals = [s for s in checker.externals.values() if not s.is_defined]
    for symbol in externals:
        if symbol.linkage == "internal":
            checker.error(f"'{symbol.name}' is static but never defined", symbol.span)
    functions = [f for f in checker.functions if f.symbol.is_used or not _is_local_inline(f)]
    return Program(
        functions,
        checker.globals,
        externals,
        checker.aliases,
        checker.puns,
        bool(checker.pragmas),
        any(s.is_implicit for s in checker.scopes.stack[0].names.values()),
        checker.types.has_tight_records,
        checker.assembly,
    )


def _is_local_inline(function: Function) -> bool:
    """Headers are full of them; one that nobody uses is left out."""
    return function.symbol.is_inline and function.symbol.linkage == "internal"
