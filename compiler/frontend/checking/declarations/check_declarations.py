"""Declarations and whole translation units (C 6.7, 6.9): what each name stands for, linkage,
tentative definitions, and the functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pcpp.parser import LexToken
from pycparser import c_ast

from polyopt.frontend.checking.calls.check_variable_arguments import declare_va_list
from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.declarations.check_attributes import (
    UNUSED,
    Attributes,
    alignment_of,
    apply_to_symbol,
    attributes_of,
    cleanup_call,
    cleanup_of,
)
from polyopt.frontend.checking.declarations.check_old_style import (
    is_old_style,
    passed_types,
    read_old_style,
)
from polyopt.frontend.checking.declarations.check_types import TypeReader
from polyopt.frontend.checking.doubts.doubtful_names import (
    doubt_declaration,
    doubt_definition,
    doubt_functions,
    doubt_global,
    doubt_globals,
    doubt_parameters,
    doubt_shadow,
)
from polyopt.frontend.checking.doubts.doubtful_sequence import doubt_sequence
from polyopt.frontend.checking.doubts.doubtful_syntax import doubt_syntax
from polyopt.frontend.checking.doubts.uninitialised import doubt_uninitialised
from polyopt.frontend.checking.expressions.check_expressions import ExpressionChecker
from polyopt.frontend.checking.expressions.check_initialisers import InitialiserChecker
from polyopt.frontend.checking.statements.check_statements import StatementChecker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType, FunctionType
from polyopt.frontend.language.conversions import are_compatible, composite
from polyopt.frontend.language.library_functions import library_type
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.messages.recovery import Errors
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.parsing.gnu_syntax import AUTO
from polyopt.frontend.tree.constants import Address, fold
from polyopt.frontend.tree.typed_statements import (
    Declare,
    EvaluateLengths,
    Function,
    Program,
    Statement,
)
from polyopt.frontend.tree.typed_tree import Initial, InitialItem, Symbol
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
                declarations.define_function(node)
            elif isinstance(node, c_ast.Pragma):
                from polyopt.frontend.checking.openmp.check_openmp import check_outside

                check_outside(checker, node)
            elif not isinstance(node, c_ast.AttributeDeclaration):
                declarations.declare(node)
        except CompileError as error:
            del checker.scopes.stack[1:]
            checker.function = None
            checker.errors.add(error, node)
    checker.errors.raise_all()
    return declarations.finish()


class DeclarationChecker:
    def __init__(self, checker: Checker):
        self.checker = checker

    def declare(self, node: c_ast.Node) -> list[Statement]:
        """Declare what a declaration declares; inside a function, what is to be done when it
        is reached."""
        checker = self.checker
        if isinstance(node, c_ast.StaticAssert):
            self._static_assert(node)
            return []
        if isinstance(node, c_ast.Typedef):
            return self._typedef(node)
        assert isinstance(node, c_ast.Decl)
        if isinstance(node.type, c_ast.TypeDecl) and isinstance(node.type.type, c_ast.InferredType):
            return self._inferred(node)
        type = checker.types.read(node)
        name = node.name
        if name is None:
            return []  # only a tag
        return self._declare_as(node, name, type, node.storage)

    def _declare_as(
        self, node: c_ast.Decl, name: str, type: CType, storage: list[str]
    ) -> list[Statement]:
        checker = self.checker
        if "constexpr" in storage:
            return self._declare_constant(node, name, type)
        if len([word for word in storage if word != "_Thread_local"]) > 1:
            checker.error("more than one storage class", node)
        if isinstance(type, FunctionType):
            self.declare_function(node, name, type, storage)
            return []
        if "inline" in node.funcspec:
            checker.error("'inline' on something that is no function", node)
        if checker.scopes.is_file_scope or "extern" in storage:
            self._declare_global(node, name, type, storage)
            return []
        return self._declare_local(node, name, type, storage)

    def _declare_constant(self, node: c_ast.Decl, name: str, type: CType) -> list[Statement]:
        """`constexpr`: an object that is const, and whose value, a number, is constant too
        (C23 6.7.2)."""
        checker = self.checker
        is_variable = type.atomic or type.volatile or ct.is_variably_modified(type)
        if is_variable or isinstance(type, FunctionType):
            checker.error(f"'{name}' of type '{type}' cannot be constexpr", node)
        if node.init is None:
            checker.error(f"constexpr '{name}' has no value", node)
        storage = [word for word in node.storage if word not in ("constexpr", "auto", "register")]
        type = ct.qualified(type, const=True)
        if checker.scopes.is_file_scope:
            self._declare_global(node, name, type, storage or ["static"])
        statements = (
            [] if checker.scopes.is_file_scope else self._declare_local(node, name, type, storage)
        )
        symbol = checker.scopes.current.names[name]
        initial = symbol.initial
        if statements and isinstance(statements[-1], Declare):
            initial = statements[-1].initial
        assert initial is not None
        checker.initialisers.check_static(initial)
        value = fold(initial.items[0].value) if initial.is_scalar else None
        if value is None or isinstance(value, Address):
            return statements
        if not isinstance(node.init, c_ast.InitList):
            given = fold(checker.expressions.value(node.init))
            if given != value and given == given:
                checker.error(f"constexpr '{name}' cannot hold {given}", node.init)
        symbol.constant = value
        return statements

    def finish(self) -> Program:
        """Tentative definitions become definitions (C 6.9.2)."""
        checker = self.checker
        for symbol in checker.scopes.stack[0].names.values():
            if symbol.is_tentative and not symbol.is_defined:
                if isinstance(symbol.type, ArrayType) and symbol.type.length is None:
                    symbol.type = replace(symbol.type, length=1)
                incomplete = not ct.is_complete(symbol.type)
                if incomplete or checker.types.is_announced(symbol.type):
                    checker.error(
                        f"'{symbol.name}' has incomplete type '{symbol.type}'", symbol.span
                    )
                symbol.is_defined = True
                checker.globals.append(symbol)
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
        )

    # Functions

    def define_function(self, node: c_ast.FuncDef) -> None:
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
        symbol = self.declare_function(decl, name, type, decl.storage, is_definition=True)
        assert isinstance(symbol.type, FunctionType)
        passed = passed_types(checker, symbol.type, parameters, decl)
        if symbol.is_defined:
            checker.error(f"redefinition of '{symbol.name}'", decl)
        if not isinstance(type.result, ct.VoidType) and not ct.is_complete(type.result):
            checker.error(f"result has incomplete type '{type.result}'", decl)
        symbol.is_defined = True
        symbol.span = span_of(decl)
        checker.function = symbol
        doubt_definition(checker, node, symbol, None if was_implicit else before)
        checker.scopes.enter(scope)
        for parameter in parameters:
            doubt_shadow(checker, parameter.name, parameter.type, parameter.span)
            if not ct.is_complete(parameter.type):
                checker.error(
                    f"parameter '{parameter.name}' has incomplete type '{parameter.type}'",
                    parameter.span,
                )
        checker.compared_with_null.clear()
        statements = checker.statements = StatementChecker(checker, self.declare)
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

    def declare_function(
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
            self._redefined(node, known)
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

    def _conflicting(self, node: c_ast.Decl, known: Symbol, type: FunctionType) -> None:
        """A declaration is not what was said before. Where nobody had said anything, the calls so
        far were of something else."""
        message = f"conflicting types for '{known.name}': '{type}', before '{known.type}'"
        if not known.is_implicit and library_type(known.name) != known.type:
            self.checker.error(message, node, f"the first declaration is {known.span}")
        self.checker.warn("implicit-function-declaration", message, node)
        known.type = type

    def _inferred(self, node: c_ast.Decl) -> list[Statement]:
        """`__auto_type x = e`, `auto x = e` in C23: an object of the type of the value."""
        checker = self.checker
        assert node.name is not None
        assert node.init is not None
        known = checker.scopes.current.names.get(node.name)
        if known is not None:
            self._redefined(node, known)
        value = checker.expressions.value(node.init)
        span = span_of(node)
        if isinstance(value.type, ct.VoidType):
            checker.error(f"'{node.name}' cannot be inferred from a value of type void", node)
        type = ct.qualified(
            value.type, const="const" in node.quals, volatile="volatile" in node.quals
        )
        storage = [word for word in node.storage if word not in ("auto", AUTO)]
        if storage or checker.function is None:
            return self._declare_as(node, node.name, type, storage)
        symbol = Symbol(node.name, type, span, "local", is_defined=True)
        checker.scopes.current.names[node.name] = symbol
        item = InitialItem(0, ct.unqualified(type), value)
        return [Declare(span, symbol, Initial([item], span, ct.is_scalar(type)))]

    # Objects

    def _declare_global(self, node: c_ast.Decl, name: str, type: CType, storage: list[str]) -> None:
        checker = self.checker
        for word in ("register", "auto"):
            if word in storage:
                message = f"'{name}' outside of functions is in memory: it cannot be '{word}'"
                checker.error(message, node)
        known = checker.scopes.stack[0].names.get(name)
        doubt_global(checker, node, known)
        symbol = self._known_global(node, name, type, storage)
        found = attributes_of(checker, node)
        symbol.alignment = max(symbol.alignment, self._alignment(node, found))
        apply_to_symbol(checker, symbol, found, span_of(node))
        symbol.is_thread_local = symbol.is_thread_local or "_Thread_local" in storage
        if "alias" in symbol.marks:
            symbol.is_defined = True
            checker.aliases.append(symbol)
            return
        if node.init is None:
            symbol.is_tentative = symbol.is_tentative or "extern" not in storage
            return
        if symbol.is_defined:
            self._redefined(node, symbol)
        if not checker.scopes.is_file_scope:
            checker.error(f"local extern '{name}' has an initialiser", node)
        symbol.type, symbol.initial = checker.initialisers.read(
            node.init, symbol.type, span_of(node)
        )
        self._require_complete(symbol, node)
        checker.initialisers.check_static(symbol.initial)
        symbol.is_defined = True
        checker.globals.append(symbol)

    def _known_global(self, node: c_ast.Decl, name: str, type: CType, storage: list[str]) -> Symbol:
        checker = self.checker
        if isinstance(type, ct.VoidType):
            checker.error(f"variable '{name}' has type void", node)
        if ct.is_variably_modified(type):
            checker.error(f"size of '{name}' at file scope must be constant", node)
        file_scope = checker.scopes.stack[0].names
        known = checker.scopes.current.names.get(name) or file_scope.get(name)
        if known is None:
            linkage = "internal" if "static" in storage else "external"
            known = Symbol(name, type, span_of(node), "global", linkage, name)
            file_scope[name] = known
        elif known.kind != "global":
            self._redefined(node, known)
        elif not are_compatible(known.type, type):
            checker.error(f"conflicting types for '{name}': '{type}', before '{known.type}'", node)
        elif "static" in storage and known.linkage == "external":
            checker.error(f"static declaration of '{name}' follows a non-static one", node)
        else:
            known.type = composite(known.type, type)
        checker.scopes.current.names[name] = known
        return known

    def _declare_local(
        self, node: c_ast.Decl, name: str, type: CType, storage: list[str]
    ) -> list[Statement]:
        checker = self.checker
        span = span_of(node)
        known = checker.scopes.current.names.get(name)
        if known is not None:
            self._redefined(node, known)
        if isinstance(type, ct.VoidType):
            checker.error(f"variable '{name}' has type void", node)
        if "static" in storage:
            self._declare_static_local(node, name, type)
            return []
        symbol = Symbol(name, type, span, "local", is_defined=True)
        found = attributes_of(checker, node)
        symbol.alignment = self._alignment(node, found)
        cleanup = cleanup_of(checker, found, span)
        if cleanup is not None:
            symbol.cleanup = cleanup_call(cleanup, symbol, span)
            symbol.is_used = symbol.is_modified = True
        if found.keys() & UNUSED:
            symbol.is_used = True
        doubt_shadow(checker, name, type, span)
        if ct.is_variable_length(type):
            checker.warn("vla", f"array '{name}' of variable length", node)
        if "_Thread_local" in storage:
            checker.error(
                f"thread-local '{name}' is neither static nor extern", node, "declare it static"
            )
        initial = None
        if node.init is None:
            self._require_complete(symbol, node)
            checker.scopes.current.names[name] = symbol
            return [Declare(span, symbol, None)]
        # The name is in scope in its own initialiser.
        checker.scopes.current.names[name] = symbol
        if ct.is_variable_length(type):
            checker.error(f"variable-length '{name}' cannot be initialised", node)
        symbol.type, initial = checker.initialisers.read(node.init, type, span)
        if ct.is_flexible(type) and initial.end > ct.size_of(type):
            checker.error(
                f"the flexible array of '{name}' cannot be initialised", node, "declare it static"
            )
        self._require_complete(symbol, node)
        return [Declare(span, symbol, initial)]

    def _declare_static_local(self, node: c_ast.Decl, name: str, type: CType) -> None:
        checker = self.checker
        if ct.is_variably_modified(type):
            checker.error(f"static '{name}' has a variable size", node)
        assert checker.function is not None
        symbol = checker.new_static(f"{checker.function.name}.{name}", type, span_of(node))
        symbol.name = name
        found = attributes_of(checker, node)
        symbol.is_used = bool(found.keys() & UNUSED)
        symbol.alignment = self._alignment(node, found)
        apply_to_symbol(checker, symbol, found, span_of(node))
        symbol.is_thread_local = "_Thread_local" in node.storage
        checker.scopes.current.names[name] = symbol
        if node.init is not None:
            symbol.type, symbol.initial = checker.initialisers.read(node.init, type, span_of(node))
            checker.initialisers.check_static(symbol.initial)
        self._require_complete(symbol, node)

    def _typedef(self, node: c_ast.Typedef) -> list[Statement]:
        checker = self.checker
        type = checker.types.read(node)
        ct.name_record(type, node.name)
        alignment = alignment_of(checker, attributes_of(checker, node))
        if alignment:
            type = replace(type, aligned=alignment)
        known = checker.scopes.current.names.get(node.name)
        if known is not None and not (known.kind == "typedef" and are_compatible(known.type, type)):
            self._redefined(node, known)
        if known is None:
            symbol = Symbol(node.name, type, span_of(node), "typedef")
            symbol.is_used = bool(attributes_of(checker, node).keys() & UNUSED)
            checker.scopes.current.names[node.name] = symbol
        if ct.is_variably_modified(type):
            return [EvaluateLengths(span_of(node), type)]
        return []

    def _static_assert(self, node: c_ast.StaticAssert) -> None:
        if self.checker.expressions.constant(node.cond) != 0:
            return
        text = "static assertion failed"
        if node.message is not None:
            message = parse_string(node.message.value)[:-1].decode("utf-8", "replace")
            text = f"{text}: {message}"
        self.checker.error(text, node)

    def _alignment(self, node: c_ast.Decl, found: Attributes) -> int:
        """The strictest alignment that a declaration asks for, 0 for none."""
        wanted = self.checker.types.read_alignment(node)
        return max(wanted, alignment_of(self.checker, found))

    def _require_complete(self, symbol: Symbol, node: c_ast.Node) -> None:
        if isinstance(symbol.type, ArrayType) and symbol.type.length is None:
            self.checker.error(f"array '{symbol.name}' has no size", node)
        if not ct.is_complete(symbol.type) or self.checker.types.is_announced(symbol.type):
            self.checker.error(f"'{symbol.name}' has incomplete type '{symbol.type}'", node)

    def _redefined(self, node: c_ast.Node, known: Symbol) -> None:
        self.checker.error(
            f"redefinition of '{known.name}'", node, f"the first one is {known.span}"
        )


def _is_local_inline(function: Function) -> bool:
    """Headers are full of them; one that nobody uses is left out."""
    return function.symbol.is_inline and function.symbol.linkage == "internal"
