"""Names: those that nobody uses or only sets, those that hide others, and functions that no
declaration has announced."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.language.c_types import ArrayType, CType, FunctionType, IntType, PointerType
from polyopt.frontend.tokens.library_headers import is_library_header
from polyopt.frontend.tree.typed_tree import Symbol
from polyopt.support.diagnostics import Span


def doubt_parameters(checker: Checker, parameters: Iterable[Symbol]) -> None:
    """At the end of a function."""
    for symbol in parameters:
        if symbol.name and not symbol.is_used:
            checker.warn("unused-parameter", f"unused parameter '{symbol.name}'", symbol.span)
        elif symbol.is_only_set:
            message = f"parameter '{symbol.name}' is set but not used"
            checker.warn("unused-but-set-parameter", message, symbol.span)


def doubt_shadow(checker: Checker, name: str, type: CType, at: Span) -> None:
    """A name is declared in the innermost scope."""
    if not checker.warnings.may_tell(("shadow",)):
        return
    for scope in reversed(checker.scopes.stack[:-1]):
        hidden = scope.names.get(name)
        if hidden is None:
            continue
        is_callable = isinstance(type, FunctionType) or (
            isinstance(type, PointerType) and isinstance(type.target, FunctionType)
        )
        if hidden.kind == "function" and (not is_callable or is_library_header(hidden.span.file)):
            return
        what = {
            "global": "a global",
            "parameter": "a parameter",
            "local": "another local variable",
            "function": "a function",
            "enumerator": "an enumeration constant",
            "typedef": "a type",
        }[hidden.kind]
        hint = f"the one outside is {hidden.span}"
        checker.warn("shadow", f"declaration of '{name}' hides {what}", at, hint)
        return


def doubt_definition(
    checker: Checker, node: c_ast.FuncDef, symbol: Symbol, before: Symbol | None
) -> None:
    """A function is defined; `before`: what was known of its name."""
    type = symbol.type
    assert isinstance(type, FunctionType)
    name = symbol.name
    if name == "main" and not (isinstance(type.result, IntType) and type.result.name == "int"):
        checker.warn("main", f"'main' returns '{type.result}', and not int", node.decl)
    if symbol.linkage != "external" or name == "main" or symbol.is_inline:
        return
    if before is None:
        hint = f"declare it in a header, or make it static: static {type.result} {name}(...)"
        at = span_of(node.decl)
        if checker.warnings.wants("missing-prototypes"):
            message = f"no previous prototype for '{name}'"
            checker.warn("missing-prototypes", message, at, hint)
        else:
            message = f"no previous declaration of '{name}'"
            checker.warn("missing-declarations", message, at, hint)


def doubt_declaration(
    checker: Checker,
    node: c_ast.Decl,
    type: FunctionType,
    known: Symbol | None,
    *,
    is_definition: bool,
) -> None:
    """A function is declared; `known`: what was known of its name."""
    if type.result.const or type.result.volatile:
        word = "const" if type.result.const else "volatile"
        checker.warn("ignored-qualifiers", f"'{word}' says nothing of a result", node)
    if not checker.scopes.is_file_scope:
        checker.warn("nested-externs", f"'{node.name}' is declared in a function", node)
    elif known is not None and not known.is_implicit and not is_definition:
        _doubt_again(checker, node, known)


def doubt_global(checker: Checker, node: c_ast.Decl, known: Symbol | None) -> None:
    """An object outside functions is declared, or in one as extern."""
    name = node.name
    if not checker.scopes.is_file_scope:
        checker.warn("nested-externs", f"'{name}' is declared in a function", node)
    elif known is not None and "extern" in node.storage and node.init is None:
        _doubt_again(checker, node, known)
    elif known is None and not {"extern", "static"} & set(node.storage):
        message = f"no previous declaration of '{name}'"
        hint = "declare it in a header, or make it static"
        checker.warn("missing-variable-declarations", message, node, hint)


def _doubt_again(checker: Checker, node: c_ast.Decl, known: Symbol) -> None:
    if not is_library_header(known.span.file):
        message = f"'{node.name}' is declared already"
        checker.warn("redundant-decls", message, node, f"the first declaration is {known.span}")


def doubt_globals(checker: Checker) -> None:
    """At the end of the file: static objects that nobody uses."""
    for symbol in checker.scopes.stack[0].names.values():
        if symbol.kind != "global" or symbol.linkage != "internal" or symbol.is_used:
            continue
        if symbol.marks.keys() & {"used", "section", "alias"}:
            continue
        id = "unused-const-variable" if _is_const(symbol) else "unused-variable"
        checker.warn(id, f"unused variable '{symbol.name}'", symbol.span)


def doubt_functions(checker: Checker) -> None:
    """At the end of the file: static functions that nobody but themselves uses."""
    for symbol in checker.scopes.stack[0].names.values():
        if symbol.kind != "function" or symbol.linkage != "internal" or symbol.is_used:
            continue
        if not symbol.is_defined:
            message = f"'{symbol.name}' is declared as static, and neither defined nor used"
            checker.warn("unused-function", message, symbol.span)
        elif not symbol.is_inline:
            checker.warn("unused-function", f"unused function '{symbol.name}'", symbol.span)


def _is_const(symbol: Symbol) -> bool:
    type = symbol.type
    while isinstance(type, ArrayType):
        type = type.element
    return type.const
