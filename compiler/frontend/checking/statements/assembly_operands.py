"""Assembly of instructions with operands: `asm("cpuid" : "=a"(a), "=b"(b) : "0"(leaf) : "ecx")`.

To the compiler it is the call of a function of which nothing is known, and which is passed the
addresses of what is written and the values of what is read; the backend writes its body, one
assembly of LLVM's, from the symbol (`backend/emit/machine/assembly_bodies`):

    polyopt.asm.OPERANDS.CONSTRAINTS.TEMPLATE

with a letter for how each operand is passed and one for its type. Constraints and template are
LLVM's, its texts quoted as in addresses of the web.

What is known of constraints are the names of registers, any register (`r`, `q`, `x`), memory,
numbers, flags (`=@ccz`), and the place of an output. What may be in a register or in memory (`rm`)
is in a register."""

from __future__ import annotations

import re
from urllib.parse import quote

from pycparser.c_ast import ID

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import convert, mark_modified
from polyopt.frontend.checking.operands.check_names import refer
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FunctionType, PointerType
from polyopt.frontend.parsing.gnu_nodes import Assembly, Operand
from polyopt.frontend.tree.typed_statements import Evaluate, Statement
from polyopt.frontend.tree.typed_tree import AddressOf, Call, Expr, Lvalue, MemberOf, Symbol
from polyopt.support.record import record

PREFIX = "polyopt.asm."
_REGISTERS = {"a": "ax", "b": "bx", "c": "cx", "d": "dx", "S": "si", "D": "di"}
_KEPT = "rqQRlxyinIJKLMNOe"
_LETTERS = {8: "b", 16: "h", 32: "n", 64: "l"}
_BYTE = "b"
"""What is in memory may be of any type: the instruction says how much of it is meant."""
_MODIFIED = re.compile(r"%([a-zA-Z]?)(?:(\d+)|\[(\w+)\])")


@record
class _Taken:
    """An operand: how it is passed ("o" by its address and written only, "x" read, too, "m" in
    memory, "i" by its value), the letter of its type, its constraint, and what is passed."""

    way: str
    letter: str
    constraint: str
    passed: Expr


def check_operands(
    checker: Checker, node: Assembly, text: str, clobbers: tuple[str, ...]
) -> Statement:
    """The call that the assembly is."""
    outputs = [_output(checker, operand) for operand in node.outputs]
    inputs = [_input(checker, operand, outputs) for operand in node.inputs]
    taken = [*outputs, *inputs]
    names = [operand.name for operand in (*node.outputs, *node.inputs)]
    constraints = ",".join([*(one.constraint for one in taken), *(f"~{{{c}}}" for c in clobbers)])
    ways = "".join(one.way + one.letter for one in taken)
    template = _template(checker, node, text, names)
    name = f"{PREFIX}{ways}.{quote(constraints, safe='')}.{quote(template, safe='')}"
    return Evaluate(span_of(node), _call(checker, node, name, [one.passed for one in taken]))


def _call(checker: Checker, node: Assembly, name: str, values: list[Expr]) -> Expr:
    known = checker.scopes.stack[0].names
    symbol = known.get(name)
    if symbol is None:
        type = FunctionType(ct.VOID, tuple(value.type for value in values))
        symbol = Symbol(name, type, span_of(node), "function", "external", name)
        known[name] = symbol
    callee = refer(checker, symbol, span_of(node))
    return Call(ct.VOID, span_of(node), callee, values, len(values))


def _output(checker: Checker, operand: Operand) -> _Taken:
    place = checker.expressions.operand(operand.value)
    if not isinstance(place, Lvalue):
        checker.error("an output of an assembly needs a place in memory", operand.value)
    if isinstance(place, MemberOf) and place.member.bits is not None:
        checker.error("a bit-field as output of an assembly is not supported", operand.value)
    mark_modified(place)
    way, early = ("x" if "+" in operand.constraint else "o"), "&" * ("&" in operand.constraint)
    known = _constraint(checker, operand, operand.constraint.translate({43: None, 61: None}))
    address = AddressOf(PointerType(place.type), place.span, place)
    if known == "m":
        return _Taken("m", _BYTE, "=*m", address)
    if known in _KEPT[6:] and known not in "xy":
        _refuse(checker, operand)
    return _Taken(way, _letter(checker, operand, place.type), f"={early}{known}", address)


def _input(checker: Checker, operand: Operand, outputs: list[_Taken]) -> _Taken:
    known = _constraint(checker, operand, operand.constraint)
    if known == "m":
        place = checker.expressions.operand(operand.value)
        if not isinstance(place, Lvalue):
            checker.error("an operand in memory needs a place there", operand.value)
        mark_modified(place)
        return _Taken("m", _BYTE, "*m", AddressOf(PointerType(place.type), place.span, place))
    value = checker.expressions.value(operand.value)
    if known.isdecimal():
        if int(known) >= len(outputs):
            checker.error(f"the assembly has no output {known}", operand.value)
        target = outputs[int(known)].passed.type
        assert isinstance(target, PointerType)
        _letter(checker, operand, value.type)
        value = convert(value, ct.unqualified(target.target))
    return _Taken("i", _letter(checker, operand, value.type), known, value)


def _constraint(checker: Checker, operand: Operand, text: str) -> str:
    """As LLVM writes it, without what says that it is an output."""
    letters = text.translate({ord(one): None for one in "&%*#!? "})
    if letters.startswith("[") and letters.endswith("]"):
        _refuse(checker, operand)
    if letters.isdecimal():
        return letters
    if re.fullmatch("@cc[a-z]+", letters):
        return f"{{{letters}}}"
    if "r" in letters and isinstance(operand.value, ID):
        symbol = checker.scopes.find(operand.value.name)
        if symbol is not None and symbol.kind == "local" and "register" in symbol.marks:
            return f"{{{symbol.marks['register']}}}"
    for letter in letters:
        if letter in _REGISTERS:
            return f"{{{_REGISTERS[letter]}}}"
        if letter in _KEPT:
            return letter
        if letter == "g":
            return "r"
    if letters in ("m", "o", "V"):
        return "m"
    return _refuse(checker, operand)


def _refuse(checker: Checker, operand: Operand) -> str:
    checker.error(
        f"the constraint '{operand.constraint}' of an assembly is not supported",
        operand.value,
        "name a register (r, a, b, c, d, S, D, x), memory (m), a number (i) or an output (0)",
    )


def _letter(checker: Checker, operand: Operand, type: CType) -> str:
    """As in `machine_vector_body`."""
    match ct.unqualified(type):
        case PointerType():
            return "p"
        case ct.IntType(bits=bits) if bits in _LETTERS:
            return _LETTERS[bits]
        case ct.FloatType() as one if one in (ct.FLOAT, ct.DOUBLE):
            return "f" if one == ct.FLOAT else "e"
        case _:
            checker.error(f"an operand of type '{type}' is not supported", operand.value)


def _template(checker: Checker, node: Assembly, text: str, names: list[str]) -> str:
    """Operands are `$0` or `${0:k}`; what is said of two assemblers is LLVM's `$(att$|intel$)`."""

    def meant(found: re.Match[str]) -> str:
        code = found.group()
        if code[0] != "%":
            return {"$": "$$", "{": "$(", "|": "$|", "}": "$)"}[code]
        if code in ("%%", "%{", "%|", "%}"):
            return code[1:]
        if code == "%=":
            return "${:uid}"
        part = _MODIFIED.fullmatch(code)
        name = part.group(3) if part else None
        if part is None or (name is not None and name not in names):
            checker.error(f"'{code}' in assembly is no operand", node)
        number = names.index(name) if name is not None else int(part.group(2))
        if number >= len(names):
            checker.error(f"'{code}' in assembly is no operand", node)
        return f"${{{number}:{part.group(1)}}}" if part.group(1) else f"${{{number}}}"

    pattern = r"%[a-zA-Z]?(?:\d+|\[\w+\])|%.?|[${|}]"
    return re.sub(pattern, meant, text, flags=re.DOTALL)
