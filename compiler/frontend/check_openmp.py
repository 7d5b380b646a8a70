"""`#pragma omp` among statements: what it is about, whose the variables are, what may stand where.

A directive takes the statement behind it. Combined ones are taken apart here; what is left of a
directive is in `openmp_tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from pycparser import c_ast

from polyopt.frontend import c_types as ct
from polyopt.frontend.check_calls import unknown_name
from polyopt.frontend.check_conversions import convert
from polyopt.frontend.check_openmp_atomic import check_atomic
from polyopt.frontend.check_openmp_compare import check_atomic_compare
from polyopt.frontend.check_openmp_linear import follow_loop
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
    CLAUSES,
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
    WorkLoop,
)
from polyopt.frontend.typed_tree import Block, Expr, IntConst, Statement, Symbol
from polyopt.support.diagnostics import Span

if TYPE_CHECKING:
    from polyopt.frontend.check_statements import StatementChecker

_WORDS = {"reduction": "reduced"}
_CONDITIONAL = ("parallel", "simd", "task", "taskloop")
"""The parts of directives that `if` may be about."""
_ORDERS = ("concurrent", "reproducible:concurrent", "unconstrained:concurrent")
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
            "for": self._for,
            "loop": self._loop,
            "for simd": self._for,
            "simd": self._for,
            "sections": self._sections,
            "single": self._single,
            "critical": self._critical,
            "atomic": self._atomic,
            "ordered": self._ordered,
        }
        for name in CLAUSES:
            if name.startswith("parallel"):
                self.readers[name] = self._parallel
            elif name.startswith(("master", "masked")):
                self.readers[name] = self._masked

    def statement(self, node: c_ast.Pragma, following: Iterable[c_ast.Node]) -> Statement:
        """The pragma and the statement that it is about, taken from those that follow."""
        directive = directive_of(self.checker, node)
        if directive.name in DECLARATIVE:
            declare(self.checker, directive)
            return Block(directive.span, [])
        if directive.name in STANDALONE:
            return self._event(directive)
        if directive.name == "section":
            self.refuse(directive, "stands in '#pragma omp sections' only")
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

    def _require_team(self, directive: Directive, what: str | None = None) -> None:
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

    # Clauses

    def variables(self, clause: Clause, *, refers: bool) -> list[tuple[Symbol, Span]]:
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

    def data(self, directive: Directive, names: Iterable[str]) -> tuple[DataClauses, Shares]:
        """The clauses of these names; their variables as they are outside."""
        data, shares = DataClauses(), Shares(self.checker)
        for clause in directive.clauses:
            name = clause.name
            if name not in names:
                continue
            match name:
                case "private" | "firstprivate" | "lastprivate":
                    for symbol, span in self.variables(clause, refers=name != "private"):
                        shares.add(symbol, name, span)
                        symbol.is_modified = True
                        self._require_known_size(symbol, span)
                        getattr(data, name).append(symbol)
                case "shared":
                    for symbol, span in self.variables(clause, refers=True):
                        shares.add(symbol, "shared", span)
                case "copyin" | "copyprivate":
                    for symbol, span in self.variables(clause, refers=True):
                        if name == "copyin" and not symbol.is_threadprivate:
                            self.checker.error(f"'{symbol.name}' is not threadprivate", span)
                        symbol.is_modified = True
                        getattr(data, name).append(symbol)
                case "reduction" | "in_reduction" | "task_reduction":
                    for reduction, span in read_reductions(self.checker, clause):
                        shares.add(reduction.symbol, "reduction", span)
                        shares.outers[reduction.symbol] = reduction.outer
                        data.reductions.append(reduction)
                case _:
                    pass
        return data, shares

    def _require_known_size(self, symbol: Symbol, span: Span) -> None:
        if not ct.is_complete(symbol.type):
            self.checker.error(f"'{symbol.name}' has incomplete type '{symbol.type}'", span)

    def expression(self, clause: Clause | None, what: str) -> Expr | None:
        """A clause's number."""
        if clause is None:
            return None
        value = self.checker.expressions.value(parse_words(self.checker, clause.words))
        if not ct.is_integer(value.type):
            self.checker.error(
                f"{what} has type '{value.type}', and is to be an integer", value.span
            )
        return convert(value, ct.LONG)

    def condition(self, directive: Directive, applies_to: str) -> Expr | None:
        """The clause `if`, which may name the part of a combined directive that it is about."""
        found: Expr | None = None
        for clause in directive.all("if"):
            words = clause.words
            if len(words) > 1 and words[1].value == ":":
                part = words[0].value
                if part not in _CONDITIONAL or part not in directive.name.split():
                    self.checker.error(
                        f"'{part}' is no part of this directive that 'if' is about",
                        place_of(words[0]),
                    )
                words = words[2:]
                if part != applies_to:
                    continue
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
        condition = self.condition(directive, "parallel")
        threads = self.expression(directive.one("num_threads"), "the number of threads")
        self._require_word(directive, "proc_bind", ("master", "primary", "close", "spread"))
        names = ["shared", "copyin"] + ([] if inner else ["private", "firstprivate", "reduction"])
        data, shares = self.data(directive, names)
        with self.region(directive, "parallel") as region:
            shares.put_into(region)
            region.default = self.default(directive)
            if inner:
                for symbol in self._named_inside(directive):
                    region.shares.setdefault(symbol, "shared")
                body = self._shared_work(directive, node, in_parallel=True)
            else:
                body = self.inner(node)
        return Parallel(directive.span, data, threads, condition, body)

    def _named_inside(self, directive: Directive) -> list[Symbol]:
        """The variables that the clauses of the inner part name."""
        found: list[Symbol] = []
        for clause in directive.clauses:
            if clause.name in ("private", "firstprivate", "lastprivate", "reduction", "linear"):
                for word in clause.words:
                    symbol = self.checker.scopes.find(word.value)
                    if symbol is not None:
                        found.append(symbol)
        return found

    def default(self, directive: Directive) -> str | None:
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
        if directive.name.startswith(("parallel master", "parallel masked")):
            return self._masked(directive, node)
        return self._for(directive, node, in_parallel=in_parallel)

    def _require_word(self, directive: Directive, name: str, words: Sequence[str]) -> str | None:
        """What a clause of one word says."""
        clause = directive.one(name)
        if clause is None:
            return None
        text = "".join(word.value for word in clause.words)
        if text not in words:
            message = f"'{text}' is nothing that '{name}' knows"
            self.checker.error(message, clause.span, f"one of {', '.join(words)}")
        return text

    # for, simd

    def _loop(self, directive: Directive, node: c_ast.Node) -> Statement:
        """Iterations in any order: those of a team's threads, or one thread's own."""
        around = closest_alone(self.checker.regions)
        in_team = around is None and any(one.name == "parallel" for one in self.checker.regions)
        bind = self._require_word(directive, "bind", ("parallel", "thread", "teams"))
        if bind == "teams":
            self.refuse(directive, "is bound to teams, and there is one league only")
        if bind is None and not self.checker.regions:
            self.refuse(directive, "needs 'bind' where no construct is around it")
        is_shared = bind == "parallel" or (bind is None and in_team)
        directive.name = "for" if is_shared else "simd"
        return self._for(directive, node)

    def _for(
        self, directive: Directive, node: c_ast.Node, *, in_parallel: bool = False
    ) -> Statement:
        words = directive.name.split()
        shared = "for" in words or directive.name == "parallel loop"
        self._require_word(directive, "order", _ORDERS)
        if shared and not in_parallel:
            self._require_team(directive)
        if "simd" in words and not shared:
            self.condition(directive, "simd")
        data, shares = self.data(directive, ("private", "firstprivate", "lastprivate", "reduction"))
        linear = self._linear(directive, shares, data)
        if shared and not in_parallel:
            self._require_shared(directive, shares)
        schedule, chunk = self._schedule(directive)
        ordered = directive.one("ordered")
        if ordered is not None and ordered.words:
            self.checker.error("ordered(n) is not supported", ordered.span)
        self.expression(directive.one("simdlen"), "'simdlen'")
        safelen = self.positive(directive, "safelen")
        with self.statements.scope():
            with self.region(directive, "for" if shared else "simd") as region:
                region.depth -= 1
                shares.put_into(region)
                region.has_order = ordered is not None
                loops, body, inner_counters = self.nest(directive, node)
                for loop in loops:
                    known = self.counter_share(directive, region, loop.symbol)
                    if shared and known is None:
                        data.private.append(loop.symbol)
                for symbol in inner_counters:
                    if self.counter_share(directive, region, symbol) is None:
                        data.private.append(symbol)
                self.statements.loops = 1
                inner = self.inner(body)
        front, inner = follow_loop(self.checker, directive, linear, loops, inner)
        loop = WorkLoop(
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
        return Block(directive.span, [*front, loop]) if front else loop

    def _linear(
        self, directive: Directive, shares: Shares, data: DataClauses
    ) -> list[tuple[Symbol, Expr]]:
        """The variables that follow the loop, and by how much in each iteration."""
        found: list[tuple[Symbol, Expr]] = []
        for clause in directive.all("linear"):
            names, *rest = split_at(clause.words, ":", at_most=1)
            if names and names[0].value in ("val", "ref", "uval") and len(names) > 1:
                names = names[2:-1]
            words = rest[0] if rest else []
            if words and words[0].value in ("step", "val") and len(words) > 1:
                words = words[2:-1] if words[0].value == "step" else []
            step: Expr = IntConst(ct.LONG, clause.span, 1)
            if words:
                given = self.expression(Clause("step", clause.span, words), "the step of 'linear'")
                assert given is not None
                step = given
            variables = self.variables(Clause("linear", clause.span, names), refers=True)
            for symbol, span in variables:
                if not isinstance(symbol.type, ct.IntType | ct.PointerType):
                    message = f"'{symbol.name}' of type '{symbol.type}' follows no loop"
                    self.checker.error(message, span)
                shares.add(symbol, "lastprivate", span)
                symbol.is_modified = True
                data.firstprivate.append(symbol)
                data.lastprivate.append(symbol)
                found.append((symbol, step))
        return found

    def counter_share(self, directive: Directive, region: Region, symbol: Symbol) -> Share | None:
        """What the clauses say of a loop's counter, which is private if they say nothing."""
        known = region.shares.get(symbol)
        if known not in (None, "private", "lastprivate"):
            share = _WORDS.get(known, known)
            self.refuse(directive, f"counts with '{symbol.name}', which is {share}")
        region.shares[symbol] = known or "private"
        return known

    def nest(
        self, directive: Directive, node: c_ast.Node
    ) -> tuple[list[CountedLoop], c_ast.Node, list[Symbol]]:
        """The loops that are one, what is in them, and the counters of those from the first one on
        whose bounds depend on a loop around: these stay loops in the others."""
        count = self.positive(directive, "collapse") or 1
        loops: list[CountedLoop] = []
        inner: list[Symbol] = []
        body, rest = node, node
        while len(loops) + len(inner) < count:
            loop = single_loop(body)
            if loop is None:
                what = "a loop behind it"
                if count > 1:
                    what = f"{count} loops behind it, each alone in the one around it"
                self.checker.error(
                    f"'#pragma omp {directive.name}' needs {what}",
                    directive.span if body.coord is None else span_of(body),
                )
            names = names_in(loop.init) | names_in(loop.cond)
            outers = {one.symbol.name for one in loops}
            depends = outers & names
            if outers & names_in(loop.next):
                self.checker.error("the step of a loop depends on one that it is one with", loop)
            if not inner and not depends:
                loops.append(self.loops.head(loop))
                rest = loop.stmt
            else:
                self._require_no_order(directive, loop)
                inner += self.loops.counter_outside(loop)
                count -= 1
            body = loop.stmt
        return loops, rest, inner

    def _require_no_order(self, directive: Directive, loop: c_ast.For) -> None:
        for name in ("ordered", "schedule"):
            if directive.has(name):
                self.checker.error(
                    f"its bounds depend on a loop that it is to be one with, and '{name}' asks "
                    "for iterations that are counted",
                    loop,
                )

    def positive(self, directive: Directive, name: str) -> int | None:
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
        return schedule, self.expression(Clause("chunk", clause.span, rest[0]), "the chunk")

    def _require_shared(self, directive: Directive, shares: Shares) -> None:
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
        data, shares = self.data(directive, ("private", "firstprivate", "lastprivate", "reduction"))
        if not in_parallel:
            self._require_shared(directive, shares)
        if not isinstance(node, c_ast.Compound):
            self.refuse(directive, "needs sections in braces behind it")
        with self.region(directive, "sections") as region:
            shares.put_into(region)
            parts = [self.inner(part) for part in self._section_nodes(node)]
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
        data, shares = self.data(directive, ("private", "firstprivate", "copyprivate"))
        for symbol in data.copyprivate:
            if symbol in shares.found:
                self.refuse(directive, f"has '{symbol.name}' both private and copied")
        if data.copyprivate and directive.has("nowait"):
            self.refuse(directive, "has 'copyprivate', which waits, and 'nowait'")
        with self.region(directive, "single") as region:
            shares.put_into(region)
            body = self.inner(node)
        return Single(directive.span, data, body, directive.has("nowait"))

    def _masked(self, directive: Directive, node: c_ast.Node) -> Statement:
        around = closest_alone(self.checker.regions)
        if around is not None and around.name in (*WORKSHARING, "task", "atomic"):
            self.refuse(directive, f"may not stand in '#pragma omp {around.name}'")
        thread = self.expression(directive.one("filter"), "'filter'")
        words = directive.name.removeprefix("parallel ").split()
        with self.region(directive, words[0]):
            loop = "taskloop" in words
            body = self.readers["taskloop"](directive, node) if loop else self.inner(node)
            return Masked(directive.span, thread, body)

    def _critical(self, directive: Directive, node: c_ast.Node) -> Statement:
        words = directive.words or []
        if len(words) > 1 or (words and not words[0].value.isidentifier()):
            self.refuse(directive, "takes one name in brackets")
        name = words[0].value if words else ""
        if any(region.critical_name == name for region in self.checker.regions):
            self.refuse(directive, "stands in one of the same name, and would wait for itself")
        with self.region(directive, "critical") as region:
            region.critical_name = name
            return Critical(directive.span, name, self.inner(node))

    def _atomic(self, directive: Directive, node: c_ast.Node) -> Statement:
        with self.region(directive, "atomic"):
            check = check_atomic_compare if directive.has("compare") else check_atomic
            return check(self.checker, directive, node)

    def _ordered(self, directive: Directive, node: c_ast.Node) -> Statement:
        for name in ("depend", "doacross", "simd"):
            clause = directive.one(name)
            if clause is not None:
                self.checker.error(f"'ordered {name}' is not supported", clause.span)
        around = closest_alone(self.checker.regions)
        if around is not None and not around.has_order:
            self.refuse(directive, "stands in a loop with the clause 'ordered' only")
        with self.region(directive, "ordered"):
            return Ordered(directive.span, self.inner(node))

    def _event(self, directive: Directive) -> Statement:
        match directive.name:
            case "barrier":
                self._require_team(directive)
                return Event(directive.span, "barrier")
            case "flush":
                for words in split_at(directive.words or [], ",") if directive.words else []:
                    clause = Clause("flush", directive.span, words)
                    self.variables(clause, refers=True)
                return Event(directive.span, "flush")
            case "taskwait":
                return Event(directive.span, "taskwait")
            case _:
                return Event(directive.span, "taskyield")


class Shares:
    """The variables of a directive's clauses, each in one; both first and last goes together."""

    def __init__(self, checker: Checker):
        self.checker = checker
        self.found: dict[Symbol, Share] = {}
        self.outers: dict[Symbol, Symbol] = {}
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

    def put_into(self, region: Region) -> None:
        region.shares, region.outers = self.found, self.outers


def _compound(items: list[c_ast.Node], at: c_ast.Node) -> c_ast.Node:
    return c_ast.Compound(items, at.coord)


def _at(node: c_ast.Node, span: Span) -> c_ast.Node:
    from pycparser.c_parser import Coord

    node.coord = Coord(span.file, span.line, span.column)
    return node
