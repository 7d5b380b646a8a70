"""`task`, `taskloop` and `taskgroup` (OpenMP 5.0, 2.10): statements that some thread does later.

What tasks add up they combine when they end, one at a time. How a loop of tasks makes them:
`loops_of_tasks`; what they wait for: `task_dependences`.
"""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.checking.openmp.check_openmp_clauses import Shares
from polyopt.frontend.checking.openmp.check_openmp_for import LoopChecker
from polyopt.frontend.checking.openmp.loops_of_tasks import LoopOfTasks
from polyopt.frontend.checking.openmp.openmp_expressions import parse_words
from polyopt.frontend.checking.openmp.task_dependences import read_dependences
from polyopt.frontend.checking.openmp_regions import Region, share_of
from polyopt.frontend.parsing.openmp_syntax import Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import DataClauses, Task, TaskGroup
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Expr


class TaskChecker:
    """The directives of tasks in one function."""

    def __init__(self, directives: OpenMPChecker, loops: LoopChecker):
        self.directives = directives
        self.loops = loops
        self.checker = directives.checker
        self.statements = directives.statements
        directives.readers |= {"task": self.task, "taskgroup": self.group}
        directives.readers |= {"taskloop": self.loop, "taskloop simd": self.loop}

    def task(self, directive: Directive, node: c_ast.Node) -> Statement:
        condition, final = self._conditions(directive, "task")
        depends = read_dependences(self.checker, directive)
        data, shares = self._data(directive, ("private", "firstprivate", "shared"))
        with self.directives.region(directive, "task") as region:
            shares.put_into(region)
            region.default = self.directives.default(directive)
            body = self.directives.inner(node)
        self._take_along(data, region)
        untied = directive.has("untied")
        return Task(directive.span, data, condition, final, untied, body, depends)

    def group(self, directive: Directive, node: c_ast.Node) -> Statement:
        """Copies of what its tasks add up are combined when these end."""
        self.directives.data(directive, ("task_reduction",))
        return TaskGroup(directive.span, self.directives.inner(node))

    def _data(self, directive: Directive, names: tuple[str, ...]) -> tuple[DataClauses, Shares]:
        data, shares = self.directives.data(directive, (*names, "reduction", "in_reduction"))
        for reduction in data.reductions:
            if reduction.reads_outer:
                self.directives.refuse(directive, "has a reduction that begins with 'omp_orig'")
        return data, shares

    def _conditions(self, directive: Directive, name: str) -> tuple[Expr | None, Expr | None]:
        condition = self.directives.condition(directive, name)
        final = None
        clause = directive.one("final")
        if clause is not None:
            node = parse_words(self.checker, clause.words)
            final = self.checker.expressions.scalar(node, "condition of 'final'")
        self.directives.expression(directive.one("priority"), "'priority'")
        return condition, final

    def _take_along(self, data: DataClauses, region: Region) -> None:
        """Variables that are nobody's else go with the task, with the value that they have."""
        for symbol in region.references:
            if symbol.kind not in ("local", "parameter") or symbol in region.shares:
                continue
            regions = [*self.checker.regions, region]
            if share_of(regions, self.checker.scopes, symbol) == "firstprivate":
                data.firstprivate.append(symbol)

    # taskloop

    def loop(self, directive: Directive, node: c_ast.Node) -> Statement:
        condition, final = self._conditions(directive, "taskloop")
        names = ("private", "firstprivate", "lastprivate", "shared")
        data, shares = self._data(directive, names)
        if directive.has("nogroup") and directive.has("reduction"):
            self.directives.refuse(directive, "has 'reduction', which waits, and 'nogroup'")
        if directive.has("grainsize") and directive.has("num_tasks"):
            self.directives.refuse(directive, "has both 'grainsize' and 'num_tasks'")
        grain, count = (self._number(directive.one(name)) for name in ("grainsize", "num_tasks"))
        with self.statements.scope():
            with self.directives.region(directive, "task") as region:
                region.depth -= 1
                shares.put_into(region)
                region.default = self.directives.default(directive)
                loops, body, inner_counters = self.loops.nest(directive, node)
                for loop in loops:
                    if self.loops.counter_share(directive, region, loop.symbol) is None:
                        data.private.append(loop.symbol)
                for symbol in inner_counters:
                    if self.loops.counter_share(directive, region, symbol) is None:
                        data.private.append(symbol)
                self.statements.loops = 1
                inner = self.directives.inner(body)
        self._take_along(data, region)
        data.firstprivate = [one for one in data.firstprivate if one not in data.private]
        maker = LoopOfTasks(directive.span, loops)
        task = Task(directive.span, data, condition, final, directive.has("untied"), inner)
        made = maker.make(task, grain, count)
        return made if directive.has("nogroup") else TaskGroup(directive.span, made)

    def _number(self, clause: Clause | None) -> Expr | None:
        if clause is None:
            return None
        parts = split_at(clause.words, ":")
        if len(parts) == 2 and [word.value for word in parts[0]] == ["strict"]:
            clause = Clause(clause.name, clause.span, parts[1])
        return self.directives.expression(clause, f"'{clause.name}'")
