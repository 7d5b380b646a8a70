"""Blocks that one thread, or one at a time, goes through, and points where threads meet:
`sections`, `single`, `master`, `masked`, `critical`, `atomic`, `ordered`, `barrier`, `flush`."""

from __future__ import annotations

from pycparser import c_ast

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker, compound, directive_of
from polyopt.frontend.checking.openmp.check_openmp_atomic import check_atomic
from polyopt.frontend.checking.openmp.check_openmp_compare import check_atomic_compare
from polyopt.frontend.checking.openmp_regions import WORKSHARING, closest_alone
from polyopt.frontend.parsing.openmp_syntax import CLAUSES, Clause, Directive, split_at
from polyopt.frontend.tree.openmp_tree import Critical, Event, Masked, Ordered, Sections, Single
from polyopt.frontend.tree.typed_statements import Statement

_EVENTS = ("barrier", "flush", "taskwait", "taskyield")


class BlockChecker:
    """The blocks of one function."""

    def __init__(self, directives: OpenMPChecker):
        self.directives = directives
        self.checker = directives.checker
        directives.readers |= {
            "sections": self.sections,
            "single": self._single,
            "critical": self._critical,
            "atomic": self._atomic,
            "ordered": self._ordered,
        }
        for name in CLAUSES:
            if name.startswith(("master", "masked")):
                directives.readers[name] = self.masked
        directives.work |= {"sections": self.sections, "master": self.masked, "masked": self.masked}
        directives.standalone |= dict.fromkeys(_EVENTS, self._event)

    def sections(self, directive: Directive, node: c_ast.Node) -> Statement:
        in_parallel = directive.name.startswith("parallel")
        if not in_parallel:
            self.directives.require_team(directive)
        data, shares = self.directives.data(
            directive, ("private", "firstprivate", "lastprivate", "reduction")
        )
        if not in_parallel:
            self.directives.require_shared(directive, shares)
        if not isinstance(node, c_ast.Compound):
            self.directives.refuse(directive, "needs sections in braces behind it")
        with self.directives.region(directive, "sections") as region:
            shares.put_into(region)
            parts = [self.directives.inner(part) for part in self._section_nodes(node)]
        nowait = self.directives.goes_on(directive, region) or (in_parallel and not region.cancels)
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
        return [compound(items, node) for items in sections]

    def _single(self, directive: Directive, node: c_ast.Node) -> Statement:
        self.directives.require_team(directive)
        data, shares = self.directives.data(directive, ("private", "firstprivate", "copyprivate"))
        for symbol in data.copyprivate:
            if symbol in shares.found:
                self.directives.refuse(directive, f"has '{symbol.name}' both private and copied")
        if data.copyprivate and directive.has("nowait"):
            self.directives.refuse(directive, "has 'copyprivate', which waits, and 'nowait'")
        with self.directives.region(directive, "single") as region:
            shares.put_into(region)
            body = self.directives.inner(node)
        return Single(directive.span, data, body, directive.has("nowait"))

    def masked(self, directive: Directive, node: c_ast.Node) -> Statement:
        around = closest_alone(self.checker.regions)
        if around is not None and around.name in (*WORKSHARING, "task", "atomic"):
            self.directives.refuse(directive, f"may not stand in '#pragma omp {around.name}'")
        thread = self.directives.expression(directive.one("filter"), "'filter'")
        words = directive.name.removeprefix("parallel ").split()
        with self.directives.region(directive, words[0]):
            loop = "taskloop" in words
            body = (
                self.directives.readers["taskloop"](directive, node)
                if loop
                else self.directives.inner(node)
            )
            return Masked(directive.span, thread, body)

    def _critical(self, directive: Directive, node: c_ast.Node) -> Statement:
        words = directive.words or []
        if len(words) > 1 or (words and not words[0].value.isidentifier()):
            self.directives.refuse(directive, "takes one name in brackets")
        name = words[0].value if words else ""
        if any(region.critical_name == name for region in self.checker.regions):
            self.directives.refuse(
                directive, "stands in one of the same name, and would wait for itself"
            )
        with self.directives.region(directive, "critical") as region:
            region.critical_name = name
            return Critical(directive.span, name, self.directives.inner(node))

    def _atomic(self, directive: Directive, node: c_ast.Node) -> Statement:
        with self.directives.region(directive, "atomic"):
            check = check_atomic_compare if directive.has("compare") else check_atomic
            return check(self.checker, directive, node)

    def _ordered(self, directive: Directive, node: c_ast.Node) -> Statement:
        clause = directive.one("simd")
        if clause is not None:
            self.checker.error("'ordered simd' is not supported", clause.span)
        around = closest_alone(self.checker.regions)
        if around is not None and not around.has_order:
            self.directives.refuse(directive, "stands in a loop with the clause 'ordered' only")
        with self.directives.region(directive, "ordered"):
            return Ordered(directive.span, self.directives.inner(node))

    def _event(self, directive: Directive) -> Statement:
        match directive.name:
            case "barrier":
                self.directives.require_team(directive)
                return Event(directive.span, "barrier")
            case "flush":
                for words in split_at(directive.words or [], ",") if directive.words else []:
                    clause = Clause("flush", directive.span, words)
                    self.directives.variables(clause, refers=True)
                return Event(directive.span, "flush")
            case "taskwait":
                return Event(directive.span, "taskwait")
            case _:
                return Event(directive.span, "taskyield")
