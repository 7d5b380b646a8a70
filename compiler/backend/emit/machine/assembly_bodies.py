"""Assembly with operands, as functions: `polyopt.asm.OPERANDS.CONSTRAINTS.TEMPLATE`.

Each operand is two letters: `o` and `x` are passed by their address and written (`x` read, too, in
the same register), `m` is where the address is, `i` is passed by its value; then the type, as in
`machine_vector_body`. LLVM has what is written as results, what is read and written as an output
and one more input, and inlines the body at every level, so that numbers are numbers.

It is never dropped and never shared, and may change all memory: that is more than GNU C asks for
where nothing is `volatile` and `memory` is not said."""

from __future__ import annotations

from urllib.parse import unquote

from polyopt.backend.emit.machine.machine_vector_body import TYPES
from polyopt.backend.emit.machine.machine_vectors import Definition

PREFIX = "polyopt.asm."
_CHANGED = ("memory", "dirflag", "fpsr", "flags")


def definition(symbol: str) -> Definition | None:
    """That of this symbol; None where it is none."""
    ways, quoted, template = symbol.removeprefix(PREFIX).split(".", 2)
    constraints = [one for one in unquote(quoted).split(",") if one]
    operands = list(zip(ways[::2], map(TYPES.__getitem__, ways[1::2]), strict=True))
    count = len(operands)
    lines: list[str] = []
    given: list[str] = []
    again: list[tuple[str, str]] = []
    for place, (way, type) in enumerate(operands):
        if way == "x":
            lines.append(f"  %v{place} = load {type}, ptr %a{place}")
            number = sum(1 for other, _ in operands[:place] if other in "oxm")
            again.append((f"{type} %v{place}", str(number)))
        elif way == "m":
            given.append(f"ptr elementtype({type}) %a{place}")
        elif way == "i":
            given.append(f"{type} %a{place}")
    given += [text for text, _ in again]
    clobbers = [*constraints[count:], *(f"~{{{one}}}" for one in _CHANGED)]
    all = ",".join([*constraints[:count], *(number for _, number in again), *clobbers])
    results = [(place, type) for place, (way, type) in enumerate(operands) if way in "ox"]
    lines += _called(results, _text(unquote(template)), _text(all), ", ".join(given))
    parameters = ", ".join(
        f"{type if way == 'i' else 'ptr'} %a{place}" for place, (way, type) in enumerate(operands)
    )
    head = f'define internal void @"{symbol}"({parameters}) alwaysinline nounwind {{'
    return Definition([head, *lines, "  ret void", "}", ""], {})


def _called(
    results: list[tuple[int, str]], template: str, constraints: str, given: str
) -> list[str]:
    """The assembly, and its results where they belong."""
    types = [type for _, type in results]
    result = "void" if not types else types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}"
    named = "%r = " * bool(types)
    lines = [f'  {named}call {result} asm sideeffect "{template}", "{constraints}"({given})']
    for number, (place, type) in enumerate(results):
        value = "%r"
        if len(results) > 1:
            value = f"%r{number}"
            lines.append(f"  {value} = extractvalue {result} %r, {number}")
        lines.append(f"  store {type} {value}, ptr %a{place}")
    return lines


def _text(text: str) -> str:
    """As a string of LLVM's."""
    plain = {*range(32, 127)} - {ord('"'), ord("\\")}
    return "".join(chr(c) if c in plain else f"\\{c:02x}" for c in text.encode())
