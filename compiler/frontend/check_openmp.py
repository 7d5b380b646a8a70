"""`#pragma omp` among statements: what it is about, whose the variables are, what may stand where.

A directive takes the statement behind it. Combined ones are taken apart here; what is left of a
directive is in `openmp_tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from polyopt.frontend import c_types as ct
from polyopt.frontend.check_calls import unknown_name
from polyopt.frontend.check_conversions import convert
from polyopt.frontend.check_openmp_atomic import check_atomic
from polyopt.frontend.check_openmp_loops import LoopReader, names_in, single_loop
from polyopt.frontend.check_openmp_reductions import declare_reduction, read_reductions
from polyopt.frontend.checker import Checker, span_of
from polyopt.frontend.openmp_expressions import parse_words
from polyopt.frontend.openmp_pragmas import place_of
from polyopt.frontend.openmp_regions import (
    WORKSHARING,
    Region,
    Share,
    closest_alone,
    share_of,
)
from polyopt.frontend.openmp_syntax import (
    DECLARATIVE,
    STANDALONE,
    Clause,
    Directive,
    read_directive,
    split_at,
)
from polyopt.frontend.openmp_tree import (
    CountedLoop,
    Critical,
    DataClauses,
    Event,
    Masked,
    Ordered,
    Parallel,
    Schedule,
    Sections,
    Single,
    Task,
    TaskGroup,
    WorkLoop,
)
from polyopt.frontend.typed_tree import Block, Expr, Statement, Symbol
from polyopt.support.diagnostics import Span

if TYPE_CHECKING:
    from polyopt.frontend.check_statements import StatementChecker

_WORDS = {"reduction": "reduced"}
_SCHEDULES: tuple[Schedule, ...] = ("static", "dynamic", "guided", "auto", "runtime")


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


class OpenMPChecker:
    """The directives of one function."""

    def __init__(self, checker: Checker, statements: StatementChecker):
        self.checker = checker
        self.statements = statements
        self.loops = LoopReader(checker, statements)
        self.readers: dict[str, Callable[[Directive, c_ast.Node], Statement]] = {
            "parallel": self._parallel,
            "for": self._for,
            "for simd": self._for,
            "simd": self._for,
            "parallel for": self._parallel,
            "parallel for simd": self._parallel,
            "sections": self._sections,
            "parallel sections": self._parallel,
            "single": self._single,
            "master": self._masked,
            "masked": self._masked,
            "critical": self._critical,
            "atomic": self._atomic,
            "ordered": self._ordered,
            "task": self._task,
            "taskgroup": self._taskgroup,
        }

    def statement(self, node: c_ast.Pragma, following: Iterable[c_ast.Node]) -> Statement:
        """The pragma and the statement that it is about, taken from those that follow."""
        directive = directive_of(self.checker, node)
        if directive.name in DECLARATIVE:
            declare(self.checker, directive)
            return Block(directive.span, [])
        if directive.name in STANDALONE:
            return self._event(directive)
        if directive.name == "section":
            self._refuse(directive, "stands in '#pragma omp sections' only")
        body = self._body(directive, iter(following))
        return self.readers[directive.name](directive, body)

    def _body(self, directive: Directive, following: Iterable[c_ast.Node]) -> c_ast.Node:
        for node in following:
            if isinstance(node, c_ast.Pragma):
                inner = directive_of(self.checker, node)
                taken = [] if inner.name in STANDALONE else [self._body(inner, following)]
                return _compound([node, *taken], node)
            if isinstance(node, c_ast.Decl | c_ast.Typedef | c_ast.StaticAssert):
                break
            return node
        self._refuse(directive, "needs a statement behind it")

    # Regions

    @contextmanager
    def _region(self, directive: Directive, name: str) -> Generator[Region]:
        """Around what a construct is about: nothing jumps out of it."""
        checker, statements = self.checker, self.statements
        region = Region(name, directive.span, len(checker.scopes.stack))
        checker.regions.append(region)
        outside = statements.breakable, statements.loops
        switches, statements.switches = statements.switches, []
        statements.breakable = statements.loops = 0
        yield region
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

    def _inner(self, node: c_ast.Node) -> Statement:
        return self.statements.substatement(node)

    def _require_team(self, directive: Directive, what: str | None = None) -> None:
        """All threads of the team come here together."""
        around = closest_alone(self.checker.regions)
        if around is not None:
            self._refuse(
                directive,
                f"may not stand in '#pragma omp {around.name}': not all threads come to it",
                what,
            )

    def _refuse(self, directive: Directive, reason: str, what: str | None = None) -> NoReturn:
        self.checker.error(f"'#pragma omp {what or directive.name}' {reason}", directive.span)

    # Clauses

    def _variables(self, clause: Clause, *, refers: bool) -> list[tuple[Symbol, Span]]:
        """The variables in a list. `refers`: those meant are the ones outside the construct."""
        found: list[tuple[Symbol, Span]] = []
        for words in split_at(clause.words, ","):
            span = place_of(words[0]) if words else clause.span
            if len(words) != 1 or not words[0].value.isidentifier():
                self.checker.error(f"clause '{clause.name}' takes names of variables", span)
            name = words[0].value
            symbol = self.checker.scopes.find(name)
            if symbol is None:
                node = c_ast.ID(name)
                unknown_name(self.checker, _at(node, span), name, is_call=False)
            if symbol.kind not in ("local", "parameter", "global"):
                self.checker.error(f"'{name}' is no variable", span)
            if refers:
                self.checker.expressions.reference(symbol, span)
            symbol.is_used = True
            found.append((symbol, span))
        return found

    def _data(self, directive: Directive, names: Iterable[str]) -> tuple[DataClauses, _Shares]:
        """The clauses of these names; their variables as they are outside."""
        data, shares = DataClauses(), _Shares(self.checker)
        for clause in directive.clauses:
            name = clause.name
            if name not in names:
                continue
            match name:
                case "private" | "firstprivate" | "lastprivate":
                    for symbol, span in self._variables(clause, refers=name != "private"):
                        shares.add(symbol, name, span)
                        symbol.is_modified = True
                        self._require_known_size(symbol, span)
                        getattr(data, name).append(symbol)
                case "shared":
                    for symbol, span in self._variables(clause, refers=True):
                        shares.add(symbol, "shared", span)
                case "copyin" | "copyprivate":
                    for symbol, span in self._variables(clause, refers=True):
                        if name == "copyin" and not symbol.is_threadprivate:
                            self.checker.error(f"'{symbol.name}' is not threadprivate", span)
                        symbol.is_modified = True
                        getattr(data, name).append(symbol)
                case "reduction":
                    for reduction, span in read_reductions(self.checker, clause):
                        shares.add(reduction.symbol, "reduction", span)
                        data.reductions.append(reduction)
                case _:
                    pass
        return data, shares

    def _require_known_size(self, symbol: Symbol, span: Span) -> None:
        if not ct.is_complete(symbol.type):
            self.checker.error(f"'{symbol.name}' has incomplete type '{symbol.type}'", span)

    def _expression(self, clause: Clause | None, what: str) -> Expr | None:
        """A clause's number."""
        if clause is None:
            return None
        value = self.checker.expressions.value(parse_words(self.checker, clause.words))
        if not ct.is_integer(value.type):
            self.checker.error(
                f"{what} has type '{value.type}', and is to be an integer", value.span
            )
        return convert(value, ct.LONG)

    def _condition(self, directive: Directive, applies_to: str) -> Expr | None:
        """The clause `if`, which may name the part of a combined directive that it is about."""
        found: Expr | None = None
        for clause in directive.all("if"):
            words = clause.words
            if len(words) > 1 and words[1].value == ":":
                if words[0].value != applies_to:
                    self.checker.error(
                        f"'{words[0].value}' is no part of this directive that 'if' is about",
                        place_of(words[0]),
                    )
                words = words[2:]
            if found is not None:
                self.checker.error("clause 'if' is given twice", clause.span)
            if not words:
                self.checker.error("clause 'if' needs a condition", clause.span)
            node = parse_words(self.checker, words)
            found = self.checker.expressions.scalar(node, "condition of 'if'")
        return found

    # parallel

    def _parallel(self, directive: Directive, node: c_ast.Node) -> Statement:
        inner = directive.name.removeprefix("parallel").strip()
        condition = self._condition(directive, "parallel")
        threads = self._expression(directive.one("num_threads"), "the number of threads")
        names = ["shared", "copyin"] + ([] if inner else ["private", "firstprivate", "reduction"])
        data, shares = self._data(directive, names)
        with self._region(directive, "parallel") as region:
            region.shares = shares.found
            region.default = self._default(directive)
            if inner:
                for symbol in self._named_inside(directive):
                    region.shares.setdefault(symbol, "shared")
                body = self._shared_work(directive, node, in_parallel=True)
            else:
                body = self._inner(node)
        return Parallel(directive.span, data, threads, condition, body)

    def _named_inside(self, directive: Directive) -> list[Symbol]:
        """The variables that the clauses of the inner part name."""
        found: list[Symbol] = []
        for clause in directive.clauses:
            if clause.name in ("private", "firstprivate", "lastprivate", "reduction"):
                for word in clause.words:
                    symbol = self.checker.scopes.find(word.value)
                    if symbol is not None:
                        found.append(symbol)
        return found

    def _default(self, directive: Directive) -> str | None:
        clause = directive.one("default")
        if clause is None:
            return None
        text = "".join(word.value for word in clause.words)
        if text in ("private", "firstprivate"):
            self.checker.error(f"default({text}) is not supported", clause.span)
        if text not in ("shared", "none"):
            self.checker.error("expected default(shared) or default(none)", clause.span)
        return text

    def _shared_work(
        self, directive: Directive, node: c_ast.Node, *, in_parallel: bool
    ) -> Statement:
        if directive.name.endswith("sections"):
            return self._sections(directive, node, in_parallel=in_parallel)
        return self._for(directive, node, in_parallel=in_parallel)

    # for, simd

    def _for(
        self, directive: Directive, node: c_ast.Node, *, in_parallel: bool = False
    ) -> Statement:
        words = directive.name.split()
        shared = "for" in words
        if shared and not in_parallel:
            self._require_team(directive)
        if "simd" in words and not shared:
            self._condition(directive, "simd")
        data, shares = self._data(
            directive, ("private", "firstprivate", "lastprivate", "reduction")
        )
        if shared and not in_parallel:
            self._require_shared(directive, shares)
        schedule, chunk = self._schedule(directive)
        ordered = directive.one("ordered")
        if ordered is not None and ordered.words:
            self.checker.error("ordered(n) is not supported", ordered.span)
        self._expression(directive.one("simdlen"), "'simdlen'")
        safelen = self._positive(directive, "safelen")
        with self.statements.scope():
            with self._region(directive, "for" if shared else "simd") as region:
                region.depth -= 1
                region.shares = shares.found
                region.has_order = ordered is not None
                loops, body = self._nest(directive, node)
                for loop in loops:
                    known = region.shares.get(loop.symbol)
                    if known not in (None, "private", "lastprivate"):
                        share = _WORDS.get(known, known)
                        self._refuse(
                            directive,
                            f"counts with '{loop.symbol.name}', which is {share}",
                        )
                    region.shares[loop.symbol] = known or "private"
                    if shared and known is None:
                        data.private.append(loop.symbol)
                self.statements.loops = 1
                inner = self._inner(body)
        return WorkLoop(
            directive.span,
            data,
            loops,
            inner,
            schedule,
            chunk,
            shared,
            "simd" in words,
            ordered is not None,
            directive.has("nowait") or in_parallel,
            safelen,
        )

    def _nest(self, directive: Directive, node: c_ast.Node) -> tuple[list[CountedLoop], c_ast.Node]:
        count = self._positive(directive, "collapse") or 1
        loops: list[CountedLoop] = []
        body = node
        while len(loops) < count:
            loop = single_loop(body)
            if loop is None:
                what = "a loop behind it"
                if count > 1:
                    what = f"{count} loops behind it, each alone in the one around it"
                self.checker.error(
                    f"'#pragma omp {directive.name}' needs {what}",
                    directive.span if body.coord is None else span_of(body),
                )
            names = names_in(loop.init) | names_in(loop.cond) | names_in(loop.next)
            for outer in loops:
                if outer.symbol.name in names:
                    self.checker.error(
                        f"the loop depends on '{outer.symbol.name}' of a loop that it is to be "
                        "one with",
                        loop,
                    )
            loops.append(self.loops.head(loop))
            body = loop.stmt
        return loops, body

    def _positive(self, directive: Directive, name: str) -> int | None:
        """The constant of a clause."""
        clause = directive.one(name)
        if clause is None:
            return None
        number = self.checker.expressions.constant(parse_words(self.checker, clause.words))
        if number < 1:
            self.checker.error(f"'{name}' needs a positive number", clause.span)
        return number

    def _schedule(self, directive: Directive) -> tuple[Schedule, Expr | None]:
        clause = directive.one("schedule")
        if clause is None:
            return "static", None
        words = clause.words
        parts = split_at(words, ":")
        if len(parts) == 2:
            modifiers = {word.value for word in parts[0]} - {","}
            if not modifiers <= {"monotonic", "nonmonotonic", "simd"}:
                self.checker.error("unknown modifier of a schedule", place_of(words[0]))
            words = parts[1]
        kind, *rest = split_at(words, ",")
        text = "".join(word.value for word in kind)
        for schedule in _SCHEDULES:
            if schedule == text:
                break
        else:
            self.checker.error(
                f"'{text}' is no schedule", clause.span, f"one of {', '.join(_SCHEDULES)}"
            )
        if not rest:
            return schedule, None
        if schedule in ("auto", "runtime") or len(rest) > 1 or not rest[0]:
            self.checker.error(f"schedule '{schedule}' takes no such chunk", clause.span)
        return schedule, self._expression(Clause("chunk", clause.span, rest[0]), "the chunk")

    def _require_shared(self, directive: Directive, shares: _Shares) -> None:
        """What a worksharing construct copies from, or to, belongs to all threads."""
        for symbol, share in shares.found.items():
            if share in ("private", "shared"):
                continue
            if self._is_private_outside(symbol):
                word = _WORDS.get(share, share)
                self.checker.error(
                    f"'{symbol.name}' is each thread's own already, and cannot be {word} in "
                    f"'#pragma omp {directive.name}'",
                    shares.spans[symbol],
                )

    def _is_private_outside(self, symbol: Symbol) -> bool:
        regions = self.checker.regions
        if not any(region.name == "parallel" for region in regions):
            return False
        return share_of(regions, self.checker.scopes, symbol) != "shared"

    # sections, single, masked, critical, ordered

    def _sections(
        self, directive: Directive, node: c_ast.Node, *, in_parallel: bool = False
    ) -> Statement:
        if not in_parallel:
            self._require_team(directive)
        data, shares = self._data(
            directive, ("private", "firstprivate", "lastprivate", "reduction")
        )
        if not in_parallel:
            self._require_shared(directive, shares)
        if not isinstance(node, c_ast.Compound):
            self._refuse(directive, "needs sections in braces behind it")
        with self._region(directive, "sections") as region:
            region.shares = shares.found
            parts = [self._inner(part) for part in self._section_nodes(node)]
        nowait = directive.has("nowait") or in_parallel
        return Sections(directive.span, data, parts, nowait)

    def _section_nodes(self, node: c_ast.Compound) -> list[c_ast.Node]:
        """The first section may go without its directive."""
        sections: list[list[c_ast.Node]] = [[]]
        for item in node.block_items or []:
            if isinstance(item, c_ast.Pragma):
                directive = directive_of(self.checker, item)
                if directive.name == "section":
                    sections.append([])
                    continue
            sections[-1].append(item)
        if not sections[0]:
            del sections[0]
        return [_compound(items, node) for items in sections]

    def _single(self, directive: Directive, node: c_ast.Node) -> Statement:
        self._require_team(directive)
        data, shares = self._data(directive, ("private", "firstprivate", "copyprivate"))
        for symbol in data.copyprivate:
            if symbol in shares.found:
                self._refuse(directive, f"has '{symbol.name}' both private and copied")
        if data.copyprivate and directive.has("nowait"):
            self._refuse(directive, "has 'copyprivate', which waits, and 'nowait'")
        with self._region(directive, "single") as region:
            region.shares = shares.found
            body = self._inner(node)
        return Single(directive.span, data, body, directive.has("nowait"))

    def _masked(self, directive: Directive, node: c_ast.Node) -> Statement:
        around = closest_alone(self.checker.regions)
        if around is not None and around.name in (*WORKSHARING, "task", "atomic"):
            self._refuse(directive, f"may not stand in '#pragma omp {around.name}'")
        thread = self._expression(directive.one("filter"), "'filter'")
        with self._region(directive, directive.name):
            return Masked(directive.span, thread, self._inner(node))

    def _critical(self, directive: Directive, node: c_ast.Node) -> Statement:
        words = directive.words or []
        if len(words) > 1 or (words and not words[0].value.isidentifier()):
            self._refuse(directive, "takes one name in brackets")
        name = words[0].value if words else ""
        if any(region.critical_name == name for region in self.checker.regions):
            self._refuse(directive, "stands in one of the same name, and would wait for itself")
        with self._region(directive, "critical") as region:
            region.critical_name = name
            return Critical(directive.span, name, self._inner(node))

    def _atomic(self, directive: Directive, node: c_ast.Node) -> Statement:
        with self._region(directive, "atomic"):
            return check_atomic(self.checker, directive, node)

    def _ordered(self, directive: Directive, node: c_ast.Node) -> Statement:
        for name in ("depend", "doacross", "simd"):
            clause = directive.one(name)
            if clause is not None:
                self.checker.error(f"'ordered {name}' is not supported", clause.span)
        around = closest_alone(self.checker.regions)
        if around is not None and not around.has_order:
            self._refuse(directive, "stands in a loop with the clause 'ordered' only")
        with self._region(directive, "ordered"):
            return Ordered(directive.span, self._inner(node))

    # task

    def _task(self, directive: Directive, node: c_ast.Node) -> Statement:
        condition = self._condition(directive, "task")
        final = None
        clause = directive.one("final")
        if clause is not None:
            final = self.checker.expressions.scalar(
                parse_words(self.checker, clause.words), "condition of 'final'"
            )
        self._expression(directive.one("priority"), "'priority'")
        data, shares = self._data(directive, ("private", "firstprivate", "shared"))
        with self._region(directive, "task") as region:
            region.shares = shares.found
            region.default = self._default(directive)
            body = self._inner(node)
        for symbol in region.references:
            if symbol.kind in ("local", "parameter") and symbol not in region.shares:
                if self._share_in_task(region, symbol) == "firstprivate":
                    data.firstprivate.append(symbol)
        return Task(directive.span, data, condition, final, directive.has("untied"), body)

    def _share_in_task(self, region: Region, symbol: Symbol) -> Share:
        regions = [*self.checker.regions, region]
        return share_of(regions, self.checker.scopes, symbol)

    def _taskgroup(self, directive: Directive, node: c_ast.Node) -> Statement:
        return TaskGroup(directive.span, self._inner(node))

    def _event(self, directive: Directive) -> Statement:
        match directive.name:
            case "barrier":
                self._require_team(directive)
                return Event(directive.span, "barrier")
            case "flush":
                for words in split_at(directive.words or [], ",") if directive.words else []:
                    clause = Clause("flush", directive.span, words)
                    self._variables(clause, refers=True)
                return Event(directive.span, "flush")
            case "taskwait":
                return Event(directive.span, "taskwait")
            case _:
                return Event(directive.span, "taskyield")


class _Shares:
    """The variables of a directive's clauses, each in one; both first and last goes together."""

    def __init__(self, checker: Checker):
        self.checker = checker
        self.found: dict[Symbol, Share] = {}
        self.spans: dict[Symbol, Span] = {}

    def add(self, symbol: Symbol, share: Share, span: Span) -> None:
        known = self.found.get(symbol)
        if known is not None and {known, share} != {"firstprivate", "lastprivate"}:
            self.checker.error(
                f"'{symbol.name}' is {_WORDS.get(known, known)} already, "
                f"and cannot be {_WORDS.get(share, share)} too",
                span,
            )
        if symbol.is_threadprivate:
            self.checker.error(f"'{symbol.name}' is threadprivate, and in no other clause", span)
        if known is None or share == "lastprivate":
            self.found[symbol] = share
        self.spans[symbol] = span


def _compound(items: list[c_ast.Node], at: c_ast.Node) -> c_ast.Node:
    return c_ast.Compound(items, at.coord)


def _at(node: c_ast.Node, span: Span) -> c_ast.Node:
    from pycparser.c_parser import Coord

    node.coord = Coord(span.file, span.line, span.column)
    return node
