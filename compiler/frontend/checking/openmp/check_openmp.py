"""`#pragma omp` among statements: what it is about, whose the variables are, what may stand where.

A directive takes the statement behind it. Combined ones are taken apart here; what is left of a
directive is in `openmp_tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.checking.openmp.check_openmp_clauses import ClauseReader
from polyopt.frontend.checking.openmp.check_openmp_reductions import declare_reduction
from polyopt.frontend.checking.openmp_regions import Region, closest_alone
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import (
    CLAUSES,
    DECLARATIVE,
    Directive,
    read_directive,
    split_at,
)
from polyopt.frontend.tree.openmp_tree import Parallel
from polyopt.frontend.tree.typed_statements import Block, Statement
from polyopt.frontend.tree.typed_tree import Symbol

if TYPE_CHECKING:
    from polyopt.frontend.checking.statements.check_statements import StatementChecker

_OF_VARIABLES = frozenset("private firstprivate lastprivate reduction linear".split())


def directive_of(checker: Checker, node: c_ast.Pragma) -> Directive:
    """What the line says that the pragma stands for."""
    text = node.string if isinstance(node.string, str) else ""
    return read_directive(checker.pragmas[int(text.removeprefix("omp "))])


def check_outside(checker: Checker, node: c_ast.Pragma) -> None:
    """A pragma where no function is."""
    directive = directive_of(checker, node)
    if directive.name not in DECLARATIVE:
        checker.error(f"'#pragma omp {directive.name}' outside of a function", directive.span)
    declare(checker, directive)


def declare(checker: Checker, directive: Directive) -> None:
    """A directive that only says something. That a function could run on vectors (`declare simd`)
    is no promise that it does."""
    if directive.name == "declare reduction":
        declare_reduction(checker, directive)
    elif directive.name == "threadprivate":
        _declare_threadprivate(checker, directive)


def _declare_threadprivate(checker: Checker, directive: Directive) -> None:
    for words in split_at(directive.words or [], ","):
        at = place_of(words[0]) if words else directive.span
        symbol = checker.scopes.find(words[0].value) if len(words) == 1 else None
        if symbol is None or symbol.kind != "global":
            checker.error("'threadprivate' needs names of variables that last for ever", at)
        symbol.is_threadprivate = True


class OpenMPChecker(ClauseReader):
    """The directives of one function. `readers` are those with a statement behind, `standalone`
    those without, `work` what a combined directive may go on with, by its first word: all put there
    by the checkers of their topics."""

    def __init__(self, checker: Checker, statements: StatementChecker):
        super().__init__(checker)
        self.statements = statements
        self.readers: dict[str, Callable[[Directive, c_ast.Node], Statement]] = {}
        self.standalone: dict[str, Callable[[Directive], Statement]] = {}
        self.work: dict[str, Callable[[Directive, c_ast.Node], Statement]] = {}
        for name in CLAUSES:
            if name.startswith("parallel"):
                self.readers[name] = self.parallel

    def statement(self, node: c_ast.Pragma, following: Iterable[c_ast.Node]) -> Statement:
        """The pragma and the statement that it is about, taken from those that follow."""
        directive = directive_of(self.checker, node)
        if directive.name in DECLARATIVE:
            declare(self.checker, directive)
            return Block(directive.span, [])
        if directive.is_standalone:
            return self.standalone[directive.name](directive)
        if directive.name == "section":
            self.refuse(directive, "stands in '#pragma omp sections' only")
        body = self._body(directive, iter(following))
        return self.readers[directive.name](directive, body)

    def _body(self, directive: Directive, following: Iterable[c_ast.Node]) -> c_ast.Node:
        for node in following:
            if isinstance(node, c_ast.Pragma):
                inner = directive_of(self.checker, node)
                taken = [] if inner.is_standalone else [self._body(inner, following)]
                return compound([node, *taken], node)
            if isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.StaticAssert):
                break
            return node
        self.refuse(directive, "needs a statement behind it")

    # Regions

    @contextmanager
    def region(self, directive: Directive, name: str) -> Generator[Region]:
        """Around what a construct is about: nothing jumps out of it."""
        checker, statements = self.checker, self.statements
        region = Region(name, directive.span, len(checker.scopes.stack))
        checker.regions.append(region)
        outside = statements.breakable, statements.loops
        switches, statements.switches = statements.switches, []
        statements.breakable = statements.loops = 0
        try:
            yield region
        finally:
            statements.breakable, statements.loops = outside
            statements.switches = switches
            checker.regions.pop()
        self._require_named(region)

    def _require_named(self, region: Region) -> None:
        """default(none)"""
        if region.default != "none":
            return
        for symbol, span in region.references.items():
            if symbol.kind not in ("local", "parameter", "global") or symbol in region.shares:
                continue
            if not symbol.is_threadprivate:
                self.checker.error(
                    f"'{symbol.name}' is named in no clause, and default(none) asks for one",
                    span,
                    f"the directive is {region.span}",
                )

    def inner(self, node: c_ast.Node) -> Statement:
        return self.statements.substatement(node)

    def require_team(self, directive: Directive, what: str | None = None) -> None:
        """All threads of the team come here together."""
        around = closest_alone(self.checker.regions)
        if around is not None:
            self.refuse(
                directive,
                f"may not stand in '#pragma omp {around.name}': not all threads come to it",
                what,
            )

    def refuse(self, directive: Directive, reason: str, what: str | None = None) -> NoReturn:
        self.checker.error(f"'#pragma omp {what or directive.name}' {reason}", directive.span)

    def goes_on(self, directive: Directive, region: Region) -> bool:
        """`nowait`: a construct that may be cancelled has to wait for all of its threads."""
        has_nowait = directive.has("nowait")
        if has_nowait and region.cancels:
            self.refuse(directive, "has 'nowait', and is cancelled, which waits")
        return has_nowait

    # parallel

    def parallel(self, directive: Directive, node: c_ast.Node) -> Statement:
        words = directive.name.split()
        inner = words[words.index("parallel") + 1 :]
        condition = self.condition(directive, "parallel")
        threads = self.expression(directive.one("num_threads"), "the number of threads")
        self.require_word(directive, "proc_bind", ("master", "primary", "close", "spread"))
        names = ["shared", "copyin"] + ([] if inner else ["private", "firstprivate", "reduction"])
        data, shares = self.data(directive, names)
        with self.region(directive, "parallel") as region:
            shares.put_into(region)
            region.default = self.default(directive)
            if inner:
                for symbol in self.named_inside(directive):
                    region.shares.setdefault(symbol, "shared")
                body = self.work[inner[0]](directive, node)
            else:
                body = self.inner(node)
        return Parallel(directive.span, data, threads, condition, body)

    def named_inside(self, directive: Directive) -> list[Symbol]:
        """The variables that the clauses of the inner part name."""
        names = [
            word.value
            for one in directive.clauses
            if one.name in _OF_VARIABLES
            for word in one.words
        ]
        found = [self.checker.scopes.find(name) for name in names]
        return [symbol for symbol in found if symbol is not None]


def compound(items: list[c_ast.Node], at: c_ast.Node) -> c_ast.Node:
    return c_ast.Compound(items, at.coord)
