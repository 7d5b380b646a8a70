"""`scan` (OpenMP 5.0, 2.9.6): iterations that see what those before them have added up.

One thread runs such a loop, in order. An iteration adds up in a variable that begins with nothing,
which then is put to what was there:

    for (…) {                             for (…) {
      input                                 before = s; s = 0;
      #pragma omp scan inclusive(s)   =>    input
      use                                   before += s; s = before;
    }                                       use }

with `exclusive` the use comes first, and the input, done likewise, behind it.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.openmp.check_openmp import OpenMPChecker, compound, directive_of
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.parsing.openmp_syntax import Directive
from polyopt.frontend.tree.openmp_tree import DataClauses, Reduction, Single, WorkLoop
from polyopt.frontend.tree.typed_statements import Block, Declare, Evaluate, Statement
from polyopt.frontend.tree.typed_tree import Assign, Load, Symbol, Variable
from polyopt.support.diagnostics import Span


def scanned_body(
    directives: OpenMPChecker, directive: Directive, data: DataClauses, body: c_ast.Node
) -> Statement:
    """What an iteration does."""
    if not isinstance(body, c_ast.Compound):
        directives.refuse(directive, _NO_SCAN)
    first, scan, second = _halves(directives, directive, body)
    named = {
        symbol
        for clause in scan.clauses
        for symbol, _ in directives.variables(clause, refers=False)
    }
    reductions = [one for one in data.reductions if one.is_scanned]
    if named != {one.symbol for one in reductions} or len(data.reductions) != len(reductions):
        directives.refuse(
            scan, "names the variables of 'reduction(inscan, …)', and no other is reduced"
        )
    is_inclusive = scan.has("inclusive")
    if is_inclusive == scan.has("exclusive"):
        directives.refuse(scan, "is either 'inclusive' or 'exclusive'")
    before, after = (directives.inner(compound(part, body)) for part in (first, second))
    if is_inclusive:
        return Block(directive.span, [_input(reductions, before, scan.span), after])
    return Block(directive.span, [before, _input(reductions, after, scan.span)])


def by_one_thread(loop: WorkLoop) -> Statement:
    """The loop in order: one thread's that all others wait for, where a team shares it."""
    serial = replace(loop, shared=False, simd=True, safelen=1, schedule="static", chunk=None)
    data = DataClauses(private=loop.data.private, lastprivate=loop.data.lastprivate)
    serial.data = data
    if not loop.shared:
        return serial
    counters = [one.symbol for one in loop.loops if one.symbol not in loop.data.lastprivate]
    around = DataClauses(private=counters, firstprivate=loop.data.firstprivate)
    return Single(loop.span, around, serial, loop.nowait)


_NO_SCAN = "has a reduction with 'inscan', and no '#pragma omp scan' in its braces"


def _halves(
    directives: OpenMPChecker, directive: Directive, body: c_ast.Compound
) -> tuple[list[c_ast.Node], Directive, list[c_ast.Node]]:
    """What stands before the directive, itself, and what stands behind it."""
    items = list(body.block_items or [])
    for position, item in enumerate(items):
        if isinstance(item, c_ast.Pragma):
            found = directive_of(directives.checker, item)
            if found.name == "scan":
                return items[:position], found, items[position + 1 :]
    directives.refuse(directive, _NO_SCAN)


def _input(reductions: list[Reduction], body: Statement, span: Span) -> Statement:
    """The half in which an iteration adds up."""
    items: list[Statement] = []
    for one in reductions:
        items += [Declare(span, one.outer, None), _set(one.outer, one.symbol, span), *one.initial]
    items.append(body)
    for one in reductions:
        items += [*one.combine, _set(one.symbol, one.outer, span)]
    return Block(span, items)


def _set(target: Symbol, source: Symbol, span: Span) -> Statement:
    type = ct.unqualified(target.type)
    value = Load(type, span, Variable(source.type, span, source))
    return Evaluate(span, Assign(type, span, Variable(target.type, span, target), value))
