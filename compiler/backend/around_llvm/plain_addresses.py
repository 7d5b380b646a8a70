"""Where a loop reads several operands at constant distances, their address is one register.

    loop:                                           loop:
      p = getelementptr double, ptr u, i64 k          c = getelementptr double, ptr u, i64 k
      q = getelementptr i8, ptr p, i64 8              p = call ptr asm "", "=r,0"(ptr c)
      x = load p …  y = load q …                =>    q = getelementptr i8, ptr p, i64 8
      a = fmul r, y    b = fadd x, a                  x = load p …  y = load q …

An instruction of three operands (VEX, EVEX) that reads one of them from memory takes one place in
each stage of the core up to where it is executed, but two on Intel's, if its address is a sum of
two registers (Intel, Optimization Reference Manual, "micro-fusion": unlamination). LLVM always
takes such sums, as they spare additions. Nothing is known of an address that has gone through text
for the assembler, which is empty: it is computed once, and what lies at constant distances is
reached by displacements.

Only in loops of many accesses, where counters stay (`plain_counters.py`), and while registers last.
"""

from __future__ import annotations

import re
from collections import Counter

from polyopt.backend.around_llvm.llvm_text import NAME
from polyopt.backend.around_llvm.plain_counters import loops_with_many_accesses
from polyopt.support.core_model import CORE

_PLACE = re.compile(rf"(?m)^  ({NAME}) = getelementptr ([^\n<]*), i64 {NAME}(?=[\n,])")
_SHIFTED = re.compile(rf"(?m)^  ({NAME}) = getelementptr [^\n]*, ptr ({NAME}), i64 -?\d+(?=[\n,])")
_LOADED = re.compile(rf"(?m)^  ({NAME}) = load [^\n]*?, ptr ({NAME}),")
_COMPUTED = re.compile(
    r"(?m)^  \S+ = (?:(?:tail )?call [^\n]*@llvm\.(?:fma|fmuladd|minnum|maxnum|[su](?:min|max))\.|"
    r"(?:f?add|f?sub|f?mul|fdiv|and|or|xor) )([^\n]*)"
)
_NAME = re.compile(NAME)


def with_plain_addresses(text: str) -> str:
    """The module, as LLVM prints it, with such addresses; the same text where there are none."""
    pieces: list[str] = []
    done = number = 0
    for begin, end, _ in loops_with_many_accesses(text):
        for at, name in _wanted(text[begin:end]):
            at += begin
            step, behind = f"%.address.{number}", text.index("\n", at) + 1
            pieces += [text[done:at], step, text[at + len(name) : behind]]
            pieces.append(f'  {name} = call ptr asm "", "=r,0"(ptr {step})\n')
            done, number = behind, number + 1
    return "".join([*pieces, text[done:]]) if pieces else text


def _wanted(block: str) -> list[tuple[int, str]]:
    """Where addresses are computed that several operands of arithmetic lie behind, and what they
    are called, in order."""
    places = {one[1]: one for one in _PLACE.finditer(block)}
    shifted = {one[1]: one[2] for one in _SHIFTED.finditer(block)}
    uses = Counter(_NAME.findall(block))
    operands = Counter(name for line in _COMPUTED.findall(block) for name in _NAME.findall(line))
    behind = Counter[str]()
    for loaded in _LOADED.finditer(block):
        value, place = loaded[1], shifted.get(loaded[2], loaded[2])
        if place in places and uses[value] == 2 and operands[value] == 1:
            behind[place] += 1
    free = CORE.code.address_registers - len({one[2] for one in places.values()})
    least = CORE.code.address_operands
    chosen = [name for name, count in behind.most_common(max(free, 0)) if count >= least]
    return sorted((places[name].start(1), name) for name in chosen)
