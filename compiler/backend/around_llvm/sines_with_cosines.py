"""Sines and cosines of one angle are asked for together.

    c = call double @cos(double t)              c = call double @llvm.cos.f64(double t)
    s = call double @sin(double t)      =>      s = call double @llvm.sin.f64(double t)

Of such a pair in one block LLVM's code generator makes one call of `sincos`, which finds out but
once where in the circle the angle is. The GNU C library gives the same bits as `sin` and `cos` do
(they share their parts), and gcc asks for it at every level but -O0. A sine alone stays the call
that it is: of the other one LLVM believes that it knows its values.

A program may have a `sincos` of its own (C11 reserves no such name), which asks for both
and would ask itself for ever. There no call is one that LLVM may know.
"""

from __future__ import annotations

import re

_PURE = re.compile(r"(?m)^attributes (#\d+) = \{(?=[^}]*\bnobuiltin\b)(?=[^}]*memory\(none\))")
_CALL = re.compile(
    r"call ((?:[a-z]+ )*)(float|double) @(sin|cos)(f?)\(((?:float|double) [^()]+)\)(?: (#\d+))?"
)
_OWN = re.compile(r"(?m)^(?:define [^\n]*@(?:sin|cos|sincos)f?\(|@sincosf? = )")
_OTHER = re.compile(r"(?m)^declare (?![^\n@]*void @)[^\n]*@sincosf?\(")
_BLOCK = re.compile(r'(?m)^(?=(?:"[^"]*"|[\w.$-]+):|define )')
_SUFFIXES = {"float": "f32", "double": "f64"}


def may_pair(text: str) -> bool:
    """Whether a module asks for both."""
    return any(f"@sin{kind}(" in text and f"@cos{kind}(" in text for kind in ("", "f"))


def with_pairs(text: str) -> str:
    """The module, as LLVM prints it, in which exact sines and cosines of one angle in one block
    are pairs; the same text where there are none. Where one of the names is the program's own, the
    module in which nothing becomes a pair, later either."""
    if _OWN.search(text) or _OTHER.search(text):
        return _CALL.sub(lambda found: f"{found[0]} nobuiltin", text)
    pure = frozenset(_PURE.findall(text))
    blocks = _BLOCK.split(text)
    paired = [_block(block, pure) for block in blocks]
    if paired == blocks:
        return text
    types = {kind for kind in _SUFFIXES if any(f" {kind} @llvm." in one for one in paired)}
    made = "".join(paired)
    return made + "".join(_declared(made, kind) for kind in sorted(types))


def _block(text: str, pure: frozenset[str]) -> str:
    asked: dict[str, set[str]] = {}
    for found in _CALL.finditer(text):
        if found[6] in pure:
            asked.setdefault(found[5], set()).add(found[3])
    both = {angle for angle, functions in asked.items() if len(functions) > 1}

    def paired(found: re.Match[str]) -> str:
        if found[5] not in both or found[6] not in pure:
            return found[0]
        return f"call {found[1]}{found[2]} @llvm.{found[3]}.{_SUFFIXES[found[2]]}({found[5]})"

    return _CALL.sub(paired, text) if both else text


def _declared(text: str, type_: str) -> str:
    """The declarations that a module lacks."""
    names = [f"@llvm.{function}.{_SUFFIXES[type_]}" for function in ("sin", "cos")]
    return "".join(
        f"\ndeclare {type_} {name}({type_})\n"
        for name in names
        if f"declare {type_} {name}(" not in text
    )
