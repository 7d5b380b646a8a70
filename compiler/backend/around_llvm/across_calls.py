"""What goes round a loop is kept over the calls in it where it is quickly back.

    loop:                                       loop:
      s = phi float [0, …], [s', loop]            s = phi float [0, …], [s', loop]
                                                  k = asm "" (bitcast s to i32)
      y = call expf(x)                    =>      y = call expf(x)
      s' = fadd s, y                              s' = fadd (bitcast k to float), y

No register for floating-point numbers outlives a call (System V ABI, 3.2.1). LLVM's allocator has
two places in memory for such a sum, that of the phi and that of what is added: it is stored and
loaded twice in each iteration, and each time the load waits for the store. Integer registers do
outlive calls: the first sums go there. Further ones, and vectors, wait in memory once.

An assembly of no instructions, and accesses that are volatile, keep LLVM's code generator from
seeing that nothing is done. Only loops of one block are looked at.
"""

from __future__ import annotations

import re
from dataclasses import field

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions
from polyopt.support.record import entity

_IN_REGISTERS = 2
"""So many sums of a loop: its counter, its arrays and bound want the others."""

_LABEL = re.compile(r'("[^"]*"|[\w.$-]+):')
_PHI = re.compile(
    rf"  ({NAME}) = phi (?:[a-z]+ )*(float|double|<(\d+) x (?:float|double|i[1-9]\d)>) (.*)"
)
_LIBRARY = "exp|exp2|exp10|log|log2|log10|pow|sin|cos|sincos|tan|asin|acos|atan|sinh|cosh|tanh"
_CALLED = rf" call (?![^\n]* asm )[^@%\n]*(?:%|@(?!llvm\.)|@llvm\.(?:{_LIBRARY})\.)"
_CALL = re.compile(_CALLED)
_COMPUTED = re.compile(r" = f(?:add|sub|mul|div) ")
_BITS = {"float": 32, "double": 64}


def calls_away(text: str) -> bool:
    """Whether functions are called that may use any register for floating-point numbers."""
    return _CALL.search(text) is not None


def may_carry_across(text: str) -> bool:
    """Whether a module computes with floating-point numbers, and calls functions."""
    return _COMPUTED.search(text) is not None and calls_away(text)


def with_values_kept(text: str) -> str:
    """The module, as LLVM prints it, in which what is carried round a loop of one block outlives
    the first call there; the same text where there is no such thing."""
    return with_functions(text, _function)


def _function(text: str) -> str:
    if not calls_away(text):
        return text
    lines = text.split("\n")
    starts = [k for k, line in enumerate(lines) if _LABEL.match(line)]
    if not starts:
        return text
    kept = _Kept()
    found = lines[: starts[0]]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        found += kept.block(lines[start:stop])
    head = 2 if starts[0] == 1 else 1
    return "\n".join([*found[:head], *kept.places, *found[head:]])


@entity
class _Kept:
    """What is kept in one function: `places` are the variables for what waits in memory."""

    places: list[str] = field(default_factory=list[str])
    count: int = 0

    def block(self, lines: list[str]) -> list[str]:
        """A block, with what it carries round kept over its first call."""
        first = next((k for k, line in enumerate(lines) if _CALL.search(line)), None)
        label = _LABEL.match(lines[0])
        if first is None or label is None:
            return lines
        before, after = lines[:first], lines[first + 1 :]
        in_registers = 0
        for name, type_, bits in _carried(before, label[1]):
            use = re.compile(rf"{re.escape(name)}(?![\w.$-])")
            used = next((k for k, line in enumerate(after) if use.search(line)), None)
            if used is None:
                continue
            own = f"%.kept.{self.count}"
            self.count += 1
            if type_ in _BITS and in_registers < _IN_REGISTERS:
                in_registers += 1
                put, got = _in_register(own, name, type_, bits)
            else:
                put, got = self._in_memory(own, name, type_, bits)
            before += put
            after[used:] = [got, *(use.sub(own, line) for line in after[used:])]
        return [*before, lines[first], *after]

    def _in_memory(self, own: str, name: str, type_: str, bits: int) -> tuple[list[str], str]:
        align = 1 << (bits // 8 - 1).bit_length()
        self.places.append(f"  {own}.place = alloca {type_}, align {align}")
        place = f"ptr {own}.place, align {align}"
        return [f"  store volatile {type_} {name}, {place}"], (
            f"  {own} = load volatile {type_}, {place}"
        )


def _carried(lines: list[str], label: str) -> list[tuple[str, str, int]]:
    """What a block takes from its own last run: name, type, size in bits."""
    again = f"%{label} ]"
    found: list[tuple[str, str, int]] = []
    for line in lines:
        phi = _PHI.match(line)
        if phi is not None and again in phi[4]:
            element = phi[2].rsplit(" ", 1)[-1].rstrip(">")
            bits = _BITS.get(element) or int(element[1:])
            found.append((phi[1], phi[2], bits * int(phi[3] or 1)))
    return found


def _in_register(own: str, name: str, type_: str, bits: int) -> tuple[list[str], str]:
    """How a number becomes an integer that nobody knows, and itself again."""
    put = [
        f"  {own}.bits = bitcast {type_} {name} to i{bits}",
        f'  {own}.held = call i{bits} asm "", "=r,0"(i{bits} {own}.bits)',
    ]
    return put, f"  {own} = bitcast i{bits} {own}.held to {type_}"
