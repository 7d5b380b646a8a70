"""`for`, `simd`, `loop`, `distribute`: loops whose iterations threads, lanes or teams share
(OpenMP 4.5, 2.7, 2.8 and 2.10)."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.checker import span_of
from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.checking.openmp.check_openmp_clauses import WORDS, Shares
from polyopt.frontend.checking.openmp.check_openmp_doacross import DoacrossChecker
from polyopt.frontend.checking.openmp.check_openmp_linear import follow_loop
from polyopt.frontend.checking.openmp.check_openmp_loops import LoopReader, names_in, single_loop
from polyopt.frontend.checking.openmp.check_openmp_scan import by_one_thread, scanned_body
from polyopt.frontend.checking.openmp_regions import Region, Share, closest_alone
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_pragmas import place_of
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import CountedLoop, DataClauses, Schedule, WorkLoop
from polyopt.frontend.tree.typed_statements import Block, Statement
from polyopt.frontend.tree.typed_tree import Expr, IntConst, Symbol

_ORDERS = ("concurrent", "reproducible:concurrent", "unconstrained:concurrent")
_SCHEDULES: tuple[Schedule, ...] = ("static", "dynamic", "guided", "auto", "runtime")


class LoopChecker:
    """The loops of one function."""

    def __init__(self, directives: OpenMPChecker):
        self.directives = directives
        self.checker = directives.checker
        self.statements = directives.statements
        self.heads = LoopReader(directives.checker, directives.statements)
        self.doacross = DoacrossChecker(directives, self.heads)
        directives.readers |= {"loop": self._loop}
        alone = ("for", "for simd", "simd", "distribute", "distribute simd")
        directives.readers |= dict.fromkeys(alone, self.shared)
        directives.work |= {"for": self.shared, "loop": self._loop, "distribute": self.shared}
        directives.work |= {"simd": self.shared}
        directives.standalone["scan"] = self._scan

    def _scan(self, directive: Directive) -> Statement:
        reason = "stands in the braces of a loop with 'reduction(inscan, …)' only"
        self.directives.refuse(directive, reason)

    def _loop(self, directive: Directive, node: c_ast.Node) -> Statement:
        """Iterations in any order: those of a team's threads, or one thread's own."""
        around = closest_alone(self.checker.regions)
        in_team = around is None and any(one.name == "parallel" for one in self.checker.regions)
        bind = self.directives.require_word(directive, "bind", ("parallel", "thread", "teams"))
        if bind is None and not self.checker.regions:
            self.directives.refuse(directive, "needs 'bind' where no construct is around it")
        if directive.name != "parallel loop":
            in_league = around is not None and around.name == "teams"
            is_shared = bind == "parallel" or (bind is None and in_team)
            is_dealt = bind == "teams" or (bind is None and in_league)
            directive.name = "for" if is_shared else "distribute" if is_dealt else "simd"
        return self.shared(directive, node)

    def shared(self, directive: Directive, node: c_ast.Node) -> Statement:
        """A loop of any directive that is a loop's, or that ends in one's."""
        words = directive.name.split()
        in_parallel = "parallel" in words
        is_dealt = "distribute" in words and not in_parallel
        shared = "for" in words or in_parallel or is_dealt
        self.directives.require_word(directive, "order", _ORDERS)
        if is_dealt:
            self._require_league(directive)
        elif shared and not in_parallel:
            self.directives.require_team(directive)
        if "simd" in words and not shared:
            self.directives.condition(directive, "simd")
        names = ["private", "firstprivate", "lastprivate"]
        # What teams add up among themselves is the construct's around.
        names += [] if "teams" in words and not in_parallel else ["reduction"]
        data, shares = self.directives.data(directive, names)
        linear = self._linear(directive, shares, data)
        if shared and not in_parallel:
            self.directives.require_shared(directive, shares)
        schedule, chunk = self._dealt(directive) if is_dealt else self._schedule(directive)
        ordered = directive.one("ordered")
        self.directives.expression(directive.one("simdlen"), "'simdlen'")
        safelen = self.directives.positive(directive, "safelen")
        with self.statements.scope():
            name = "distribute" if is_dealt else "for" if shared else "simd"
            with self.directives.region(directive, name) as region:
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
                before = []
                if ordered is not None:
                    before = self.doacross.begin(directive, region, loops, body)
                if any(one.is_scanned for one in data.reductions):
                    inner = scanned_body(self.directives, directive, data, body)
                else:
                    inner = self.directives.inner(body)
        following, inner = follow_loop(self.checker, directive, linear, loops, inner)
        front = [*(one for loop in loops for one in loop.front), *following]
        doacross = region.doacross
        if doacross is not None and doacross.is_used:
            front = [*before, *front]
        else:
            doacross = None
        is_scanned = any(one.is_scanned for one in data.reductions)
        waits = not (self.directives.goes_on(directive, region) or in_parallel or is_dealt)
        loop = WorkLoop(
            directive.span,
            data,
            loops,
            inner,
            schedule,
            chunk,
            shared,
            "simd" in words,
            ordered is not None and doacross is None,
            not (waits or region.cancels),
            safelen,
            "distribute" in words and in_parallel,
            [] if doacross is None else doacross.rounds,
        )
        done = by_one_thread(loop) if is_scanned else loop
        return Block(directive.span, [*front, done]) if front else done

    def _require_league(self, directive: Directive) -> None:
        """Teams come here, each by its first thread."""
        regions = self.checker.regions
        if regions and regions[-1].name != "teams":
            reason = f"may not stand in '#pragma omp {regions[-1].name}': it is for teams"
            self.directives.refuse(directive, reason)

    def _dealt(self, directive: Directive) -> tuple[Schedule, Expr | None]:
        """`dist_schedule(static, chunk)`"""
        clause = directive.one("dist_schedule")
        if clause is None:
            return "distribute", None
        kind, *rest = split_at(clause.words, ",")
        if "".join(word.value for word in kind) != "static" or len(rest) > 1:
            self.checker.error("expected dist_schedule(static) or one with a chunk", clause.span)
        if not rest:
            return "distribute", None
        chunk = Clause("chunk", clause.span, rest[0])
        return "distribute", self.directives.expression(chunk, "the chunk")

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
                given = self.directives.expression(
                    Clause("step", clause.span, words), "the step of 'linear'"
                )
                assert given is not None
                step = given
            variables = self.directives.variables(Clause("linear", clause.span, names), refers=True)
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
            share = WORDS.get(known, known)
            self.directives.refuse(directive, f"counts with '{symbol.name}', which is {share}")
        region.shares[symbol] = known or "private"
        return known

    def nest(
        self, directive: Directive, node: c_ast.Node
    ) -> tuple[list[CountedLoop], c_ast.Node, list[Symbol]]:
        """The loops that are one, what is in them, and the counters of those from the first one on
        whose bounds depend on a loop around: these stay loops in the others."""
        count = self.directives.positive(directive, "collapse") or 1
        loops: list[CountedLoop] = []
        inner: list[Symbol] = []
        body, rest = node, node
        is_counted = True
        for _ in range(count):
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
            is_counted = is_counted and not depends
            if is_counted:
                loops.append(self.heads.head(loop))
                rest = loop.stmt
            else:
                self._require_no_order(directive, loop)
                inner += self.heads.counter_outside(loop)
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

    def _schedule(self, directive: Directive) -> tuple[Schedule, Expr | None]:
        dealt = directive.one("dist_schedule")
        if dealt is not None and len(split_at(dealt.words, ",")) > 1:
            message = "a chunk for teams is not supported where threads share what a team has"
            self.checker.error(message, dealt.span)
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
        return schedule, self.directives.expression(
            Clause("chunk", clause.span, rest[0]), "the chunk"
        )
