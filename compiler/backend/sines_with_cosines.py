"""Sines and cosines of one angle are asked for together.

    c = call double @cos(double t)              c = call double @llvm.cos.f64(double t)
    s = call double @sin(double t)      =>      s = call double @llvm.sin.f64(double t)

Of such a pair in one block LLVM's code generator makes one call of `sincos`, which finds out but
once where in the circle the angle is. The GNU C library gives the same bits as `sin` and `cos` do
(they share their parts), and gcc asks for it at every level but -O0. A sine alone stays the call
that it is: of the other one LLVM believes that it knows its values.
"""

from __future__ import annotations

import re

_PURE = re.compile(r"(?m)^attributes (#\d+) = \{(?=[^}]*\bnobuiltin\b)(?=[^}]*memory\(none\))")
_CALL = re.compile(r"call (float|double) @(sin|cos)(f?)\(((?:float|double) [^()]+)\) (#\d+)")
_BLOCK = re.compile(r'(?m)^(?=(?:"[^"]*"|[\w.$-]+):|define )')
_SUFFIXES = {"float": "f32", "double": "f64"}


def may_pair(text: str) -> bool:
    """Whether a module asks for both."""
    return any(f"@sin{kind}(" in text and f"@cos{kind}(" in text for kind in ("", "f"))


def with_pairs(text: str) -> str:
    """The module, as LLVM prints it, in which exact sines and cosines of one angle in one block
    are pairs; the same text where there are none."""
    pure = frozenset(_PURE.findall(text))
    blocks = _BLOCK.split(text)
    paired = [_block(block, pure) for block in blocks]
    if paired == blocks:
        return text
    types = {kind for kind in _SUFFIXES if any(f"call {kind} @llvm." in one for one in paired)}
    made = "".join(paired)
    return made + "".join(_declared(made, kind) for kind in sorted(types))


def _block(text: str, pure: frozenset[str]) -> str:
    asked: dict[str, set[str]] = {}
    for found in _CALL.finditer(text):
        if found[5] in pure:
            asked.setdefault(found[4], set()).add(found[2])
    both = {angle for angle, functions in asked.items() if len(functions) > 1}

    def paired(found: re.Match[str]) -> str:
        if found[4] not in both or found[5] not in pure:
            return found[0]
        return f"call {found[1]} @llvm.{found[2]}.{_SUFFIXES[found[1]]}({found[4]})"

    return _CALL.sub(paired, text) if both else text


def _declared(text: str, type_: str) -> str:
    """The declarations that a module lacks."""
    names = [f"@llvm.{function}.{_SUFFIXES[type_]}" for function in ("sin", "cos")]
    return "".join(
        f"\ndeclare {type_} {name}({type_})\n"
        for name in names
        if f"declare {type_} {name}(" not in text
    )
