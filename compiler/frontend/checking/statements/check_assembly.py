"""Assembly among the statements: instructions without operands, operands without instructions;
both are `assembly_operands`.

`asm("pause")` is what it says; it may do anything to memory, and what it does to registers stands
behind its colons (`asm volatile("cpuid" ::: "eax", "ebx", "ecx", "edx")`).

`asm volatile("" ::: "memory")` is a barrier. GNU C's programs also write `asm("" : "+r"(x))`, to
keep the compiler from knowing a value: nothing happens to x, and what has the register of an input
as its output (`"=r"(y) : "0"(x)`) is that input.
"""

from __future__ import annotations

import re

from pycparser.c_ast import ID

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import assign_conversion, mark_modified
from polyopt.frontend.checking.statements.assembly_operands import check_operands
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.literals import parse_string
from polyopt.frontend.parsing.gnu_nodes import Assembly, Operand
from polyopt.frontend.tree.typed_statements import Barrier, Block, Evaluate, Instructions, Statement
from polyopt.frontend.tree.typed_tree import Assign, Expr, Lvalue

_REGISTER = re.compile(
    r"""[re]?[abcd]x|[abcd][lh]|[re]?(?:[sd]i|[sb]p)|(?:[sd]i|[sb]p)l|r(?:8|9|1[0-5])[dwb]?
    |[xyz]mm(?:[12]?[0-9]|3[01])|mm[0-7]|k[0-7]|st(?:\([0-7]\))?|cc|memory|flags|fpsr|dirflag""",
    re.VERBOSE,
)


_NUMBERED = (
    *"ax dx cx bx si di bp sp".split(),
    *(f"st({number})" for number in range(8)),
    *("argp", "flags", "fpsr", "frame"),
    *(f"xmm{number}" for number in range(8)),
    *(f"mm{number}" for number in range(8)),
    *(f"r{number}" for number in range(8, 16)),
    *(f"xmm{number}" for number in range(8, 16)),
)
"""Registers by GCC's numbers of them (gcc/config/i386/i386.h); two are none of the machine's."""


def check_assembly(checker: Checker, node: Assembly) -> Statement:
    text = parse_string(node.template)[:-1].decode("utf-8", "replace")
    span = span_of(node)
    if re.sub(r"#.*|/\*.*?\*/", "", text).strip(" \t\n;"):
        if not node.outputs and not node.inputs and not node.labels:
            return Instructions(span, _llvm_text(checker, node, text), _clobbers(checker, node))
        if node.labels:
            checker.error(
                "inline assembly that jumps to labels is not supported",
                node,
                "write it in C, or put it into an assembler file of its own",
            )
        return check_operands(checker, node, text, _clobbers(checker, node))
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


def outside_functions(checker: Checker, node: Assembly) -> str:
    """The text, which is all that there may be (GCC, "Basic Asm")."""
    if node.clobbers is not None:
        checker.error("assembly outside functions has no operands", node)
    return parse_string(node.template)[:-1].decode("utf-8", "replace")


def _llvm_text(checker: Checker, node: Assembly, text: str) -> str:
    """Where there is a colon, `%` speaks of operands, and `%%`, `%{` and such are the character
    (GCC, "Extended Asm"): LLVM's `$` does so always."""
    if node.clobbers is None:
        return text.replace("$", "$$")

    def meant(found: re.Match[str]) -> str:
        code = found.group()
        if code[0] != "%":
            return {"$": "$$", "{": "$(", "|": "$|", "}": "$)"}[code]
        if code[1:] == "=":
            return "${:uid}"
        if code[1:] in ("%", "{", "|", "}"):
            return code[1:]
        checker.error(
            f"'{code}' in assembly without operands", node, "a register is '%%eax' behind a colon"
        )
        return code

    return re.sub(r"%.?|[${|}]", meant, text, flags=re.DOTALL)


def _clobbers(checker: Checker, node: Assembly) -> tuple[str, ...]:
    names = [_register_name(name.removeprefix("%")) for name in node.clobbers or ()]
    for name in names:
        if not _REGISTER.fullmatch(name):
            checker.error(f"unknown register '{name}' in assembly", node)
    return tuple(name for name in names if name not in ("cc", "memory"))


def _register_name(name: str) -> str:
    """GNU C takes its own numbers of registers for their names."""
    is_number = name.isdecimal() and int(name) < len(_NUMBERED)
    return _NUMBERED[int(name)] if is_number else name


def _place(checker: Checker, operand: Operand) -> Expr:
    place = checker.expressions.operand(operand.value)
    if not isinstance(place, Lvalue):
        checker.error("an output of an assembly needs a place in memory", operand.value)
    mark_modified(place)
    return place
