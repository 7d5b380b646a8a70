"""Assembly among the statements: only that of no instructions has a meaning here.

`asm volatile("" ::: "memory")` is a barrier. GNU C's programs also write `asm("" : "+r"(x))`, to
keep the compiler from knowing a value: nothing happens to x, and what has the register of an input
as its output (`"=r"(y) : "0"(x)`) is that input.
"""

from __future__ import annotations

import re

from pycparser.c_ast import ID

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, mark_modified
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.parsing.gnu_nodes import Assembly, Operand
from polyopt.frontend.tree.typed_statements import Barrier, Block, Evaluate, Statement
from polyopt.frontend.tree.typed_tree import Assign, Expr, Lvalue


def check_assembly(checker: Checker, node: Assembly) -> Statement:
    text = parse_string(node.template)[:-1].decode("utf-8", "replace")
    code = re.sub(r"#.*|/\*.*?\*/", "", text).strip(" \t\n;")
    if code:
        with_operands = " with operands" if node.outputs or node.inputs else ""
        checker.error(
            f"inline assembly{with_operands} is not supported",
            node,
            "write it in C, or put it into an assembler file of its own",
        )
    span = span_of(node)
    statements: list[Statement] = []
    places = [_place(checker, operand) for operand in node.outputs]
    assigned_to: set[int] = set()
    for operand in node.inputs:
        if operand.constraint.isdigit() and int(operand.constraint) < len(places):
            number = int(operand.constraint)
            place = places[number]
            if ct.is_scalar(place.type) and number not in assigned_to:
                assigned_to.add(number)
                value = checker.expressions.value(operand.value)
                value = assign_conversion(checker, value, place.type, span, "assembly")
                assigned = Assign(ct.unqualified(place.type), span, place, value)
                statements.append(Evaluate(span, assigned))
                continue
        if "m" in operand.constraint or "o" in operand.constraint:
            mark_modified(checker.expressions.operand(operand.value))
        statements.append(Evaluate(span, checker.expressions.effect(operand.value)))
    for number, operand in enumerate(node.outputs):
        if number not in assigned_to and not isinstance(operand.value, ID):
            # Nothing is stored, but calls in it are done, as for an assignment.
            effect = checker.expressions.effect(operand.value)
            statements.append(Evaluate(span, effect))
    return Block(span, [*statements, Barrier(span)])


def _place(checker: Checker, operand: Operand) -> Expr:
    place = checker.expressions.operand(operand.value)
    if not isinstance(place, Lvalue):
        checker.error("an output of an assembly needs a place in memory", operand.value)
    mark_modified(place)
    return place
