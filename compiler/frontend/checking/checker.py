"""What the parts of the checker share: scopes, diagnostics, the program as far as it is known."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from pcpp.parser import LexToken
from pycparser.c_ast import Node

from polyopt.frontend.checking.openmp_regions import Region
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, PointerType
from polyopt.frontend.messages.recovery import Consequence, Errors
from polyopt.frontend.messages.standing_pragmas import StandingPragmas
from polyopt.frontend.messages.warnings import Warnings
from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.scope import Scopes
from polyopt.frontend.tree.typed_statements import Function
from polyopt.frontend.tree.typed_tree import Expr, Load, Symbol, Variable
from polyopt.support.diagnostics import CompileError, Span

if TYPE_CHECKING:
    from polyopt.frontend.checking import checker_parts
    from polyopt.frontend.tree.openmp_tree import DeclaredReduction

INLINE = ".inline"
"""How the symbol ends of a function that is only there to be inlined."""


class Checker:
    """The state of one translation unit. Its parts are set by `check_program`. `puns`: some memory
    is declared to be accessed as of several types; `ignored`: attributes that were warned of;
    `wants_constants`: what is read has to be known now."""

    types: checker_parts.Types
    expressions: checker_parts.Expressions
    initialisers: checker_parts.Initialisers

    def __init__(self, options: CFrontendOptions, warnings: Warnings):
        self.options = options
        self.warnings = warnings
        self.char = ct.UNSIGNED_CHAR if options.unsigned_char else ct.CHAR
        self.charset = options.execution_charset
        self.scopes = Scopes()
        self.globals: list[Symbol] = []
        self.externals: dict[str, Symbol] = {}
        self.functions: list[Function] = []
        self.function: Symbol | None = None
        self.statements: checker_parts.Statements | None = None
        self.statics: dict[str, int] = {}
        self.compared_with_null: list[Symbol] = []
        self.nullable = frozenset[Span]()
        self.standing = StandingPragmas()
        self.pragmas: Sequence[list[LexToken]] = ()
        self.regions: list[Region] = []
        self.operators: dict[str, list[DeclaredReduction]] = {}
        self.ignored: set[Node] = set()
        self.aliases: list[Symbol] = []
        self.assembly: list[str] = []
        self.puns = False
        self.wants_constants = False
        self.errors = Errors()

    def check_lost(self, name: str) -> None:
        """Raise Consequence for a name whose declaration is wrong."""
        if name in self.errors.lost:
            raise Consequence(f"'{name}' is not declared")

    def error(self, message: str, at: Node | Span, hint: str | None = None) -> NoReturn:
        raise CompileError(message, at if isinstance(at, Span) else span_of(at), hint)

    def warn(self, id: str, message: str, at: Node | Span, hint: str | None = None) -> None:
        self.warnings.add(id, message, at if isinstance(at, Span) else span_of(at), hint)

    @contextmanager
    def constants_only(self) -> Generator[None]:
        """What is read in here has to be known now: nothing is left for optimisation to answer."""
        before, self.wants_constants = self.wants_constants, True
        yield
        self.wants_constants = before

    @contextmanager
    def only_where(self, condition: Expr, *, holds: bool) -> Generator[None]:
        """What is checked in here is come by where the condition holds, or does not."""
        start = len(self.warnings.found)
        yield
        if len(self.warnings.found) > start:
            known = fold_integer(condition)
            if known is not None and bool(known) != holds:
                self.warnings.forget_running(start)

    def note_null_test(self, value: Expr) -> None:
        """The program asks whether this value is null: a parameter asked for may be."""
        if not isinstance(value, Load) or not isinstance(value.place, Variable):
            return
        symbol = value.place.symbol
        if symbol.kind == "parameter" and isinstance(symbol.type, PointerType):
            self.compared_with_null.append(symbol)

    def new_static(self, name: str, type: CType, span: Span) -> Symbol:
        """A global object with a module name of its own, for what has no linkage."""
        count = self.statics.get(name, 0)
        self.statics[name] = count + 1
        ir_name = f"{name}.{count}" if count or name.startswith(".") else name
        symbol = Symbol(name, type, span, "global", "internal", ir_name)
        symbol.is_defined = symbol.is_used = True
        self.globals.append(symbol)
        return symbol

    def leave_scope(self) -> None:
        """Close the innermost scope; warn of what nobody used in it."""
        for symbol in self.scopes.pop().names.values():
            if not symbol.is_used and (symbol.kind == "local" or is_static_local(symbol)):
                self.warn("unused-variable", f"unused variable '{symbol.name}'", symbol.span)
            elif symbol.kind == "local" and symbol.is_only_set:
                message = f"variable '{symbol.name}' is set but not used"
                self.warn("unused-but-set-variable", message, symbol.span)
            elif symbol.kind == "typedef" and not symbol.is_used:
                message = f"unused type '{symbol.name}'"
                self.warn("unused-local-typedefs", message, symbol.span)


def is_static_local(symbol: Symbol) -> bool:
    """`new_static` has named it behind its function's name."""
    return symbol.kind == "global" and symbol.linkage == "internal" and "." in symbol.ir_name


def span_of(node: Node) -> Span:
    coord = node.coord
    if coord is None:
        return Span("<unknown>", 1)
    return Span(coord.file, coord.line, coord.column or 0)
