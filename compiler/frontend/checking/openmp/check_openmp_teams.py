"""`teams` (OpenMP 5.0, 2.7): a statement once for each team of a league, on the host.

Combined directives are taken apart: `teams distribute parallel for` is a loop shared by the threads
of each team, over what its team has of the iterations. What a loop that threads share adds up goes
to the variable itself; elsewhere each team adds up in a copy.
"""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker
from polyopt.frontend.parsing.openmp_syntax import CLAUSES, Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import Teams
from polyopt.frontend.tree.typed_statements import Statement
from polyopt.frontend.tree.typed_tree import Expr


class TeamsChecker:
    def __init__(self, directives: OpenMPChecker):
        self.directives = directives
        for name in CLAUSES:
            if name.startswith("teams"):
                directives.readers[name] = self.teams
            elif name.startswith("distribute parallel"):
                directives.readers[name] = directives.parallel
        directives.work["distribute"] = self._distribute

    def teams(self, directive: Directive, node: c_ast.Node) -> Statement:
        """Outside of all other constructs: whoever comes here makes a league."""
        if self.directives.checker.regions:
            self.directives.refuse(directive, "stands in no other construct")
        inner = directive.name.split()[1:]
        teams = self._number(directive, "num_teams", "the number of teams")
        limit = self._number(directive, "thread_limit", "the limit of threads")
        names = ["shared"]
        if not inner:
            names += ["private", "firstprivate"]
        if "parallel" not in inner:
            names.append("reduction")
        data, shares = self.directives.data(directive, names)
        with self.directives.region(directive, "teams") as region:
            shares.put_into(region)
            region.default = self.directives.default(directive)
            if inner:
                for symbol in self.directives.named_inside(directive):
                    region.shares.setdefault(symbol, "shared")
                body = self.directives.work[inner[0]](directive, node)
            else:
                body = self.directives.inner(node)
        return Teams(directive.span, data, teams, limit, body)

    def _distribute(self, directive: Directive, node: c_ast.Node) -> Statement:
        if "parallel" in directive.name.split():
            return self.directives.parallel(directive, node)
        return self.directives.readers["distribute"](directive, node)

    def _number(self, directive: Directive, name: str, what: str) -> Expr | None:
        """Of `num_teams(least: most)` the most."""
        clause = directive.one(name)
        if clause is None:
            return None
        words = split_at(clause.words, ":")[-1]
        return self.directives.expression(Clause(name, clause.span, words), what)
