"""Declarations of objects and types (C 6.7): what each name stands for, linkage, tentative
definitions."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.declarations.check_attributes import (
    UNUSED,
    Attributes,
    alignment_of,
    apply_to_symbol,
    attributes_of,
    cleanup_call,
    cleanup_of,
    note_register,
)
from polyopt.frontend.checking.declarations.check_functions import FunctionChecker, redefined
from polyopt.frontend.checking.doubts.doubtful_names import (
    doubt_global,
    doubt_shadow,
)
from polyopt.frontend.checking.operands.union_values import make_transparent
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType, FunctionType
from polyopt.frontend.language.conversions import are_compatible, composite
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.parsing.gnu_syntax import AUTO
from polyopt.frontend.tree.constants import Address, fold
from polyopt.frontend.tree.typed_statements import (
    Declare,
    EvaluateLengths,
    Statement,
)
from polyopt.frontend.tree.typed_tree import Initial, InitialItem, Symbol


class DeclarationChecker:
    def __init__(self, checker: Checker):
        self.checker = checker
        self.functions = FunctionChecker(checker, self.declare)

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
            self.functions.declare(node, name, type, storage)
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

    def _inferred(self, node: c_ast.Decl) -> list[Statement]:
        """`__auto_type x = e`, `auto x = e` in C23: an object of the type of the value."""
        checker = self.checker
        assert node.name is not None
        assert node.init is not None
        known = checker.scopes.current.names.get(node.name)
        if known is not None:
            redefined(checker, node, known)
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
        found = attributes_of(checker, node)
        if "register" in storage and "asm" in found:
            message = f"'{name}' is to be a register of the machine all through the program"
            hint = (
                "that is not supported; where it only saves a load, take a _Thread_local variable"
            )
            checker.error(message, node, hint)
        for word in ("register", "auto"):
            if word in storage:
                message = f"'{name}' outside of functions is in memory: it cannot be '{word}'"
                checker.error(message, node)
        known = checker.scopes.stack[0].names.get(name)
        doubt_global(checker, node, known)
        symbol = self._known_global(node, name, type, storage)
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
            redefined(checker, node, symbol)
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
            redefined(checker, node, known)
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
            redefined(checker, node, known)
        if isinstance(type, ct.VoidType):
            checker.error(f"variable '{name}' has type void", node)
        if "static" in storage:
            return self._declare_static_local(node, name, type)
        symbol = Symbol(name, type, span, "local", is_defined=True)
        symbol.is_register = "register" in storage
        found = attributes_of(checker, node)
        symbol.alignment = self._alignment(node, found)
        cleanup = cleanup_of(checker, found, span)
        if cleanup is not None:
            symbol.cleanup = cleanup_call(cleanup, symbol, span)
            symbol.is_used = symbol.is_modified = True
        if found.keys() & UNUSED:
            symbol.is_used = True
        note_register(checker, symbol, found)
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

    def _declare_static_local(self, node: c_ast.Decl, name: str, type: CType) -> list[Statement]:
        """A pointer to an array of variable length may be static (C 6.7.6.2), the array may not."""
        checker = self.checker
        if ct.is_variable_length(type):
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
            with checker.constants_only():
                given = checker.initialisers.read(node.init, type, span_of(node))
            symbol.type, symbol.initial = given
            checker.initialisers.check_static(symbol.initial)
        self._require_complete(symbol, node)
        is_variable = ct.is_variably_modified(type)
        return [EvaluateLengths(span_of(node), symbol, type)] if is_variable else []

    def _typedef(self, node: c_ast.Typedef) -> list[Statement]:
        checker = self.checker
        type = checker.types.read(node)
        ct.name_record(type, node.name)
        found = attributes_of(checker, node)
        if "transparent_union" in found:
            make_transparent(checker, type, span_of(node))
        alignment = alignment_of(checker, found)
        if alignment:
            type = replace(type, aligned=alignment)
        known = checker.scopes.current.names.get(node.name)
        if known is not None and not (known.kind == "typedef" and are_compatible(known.type, type)):
            redefined(checker, node, known)
        if known is None:
            symbol = Symbol(node.name, type, span_of(node), "typedef")
            symbol.is_used = bool(found.keys() & UNUSED)
            checker.scopes.current.names[node.name] = known = symbol
        is_variable = ct.is_variably_modified(type)
        return [EvaluateLengths(span_of(node), known, type)] if is_variable else []

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
