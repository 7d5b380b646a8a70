"""What <immintrin.h> and the headers in it declare, written out in LLVM IR.

Our own headers declare `_mm_add_epi16` and its like under the symbols `polyopt.sse.add_epi16`, and
`_mm256_add_epi16`, of vectors of 256 bits, under `polyopt.avx.add_epi16`. They are functions of
nothing else to the compiler: a program that uses them has chosen its vectors, and what it does with
them is no loop nest. Here each that is called gets a body, which LLVM inlines at every level; a
count that has to be a constant in Intel's description is folded by that.

What each of them does is "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2.
Where LLVM has the operation itself it is taken, and the machine's instruction by LLVM's name else.
A family of functions is one rule: `machine_tables` say which names it has, the rule writes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from polyopt.backend.emit.machine.machine_tables import TABLE, WIDE_TABLE
from polyopt.backend.emit.machine.machine_vector_body import TYPES, Body
from polyopt.support.record import record

PREFIX = "polyopt.sse."
WIDE_PREFIX = "polyopt.avx."

_Rule = Callable[[Body], None]


@record
class Definition:
    """The lines that define a function, the declarations that they need, by name, and the features
    that the CPU has to have, by LLVM's names."""

    lines: list[str]
    intrinsics: dict[str, str]
    features: frozenset[str] = frozenset()


def definition(symbol: str) -> Definition | None:
    """That of this symbol; None where nothing is known of it."""
    is_wide = symbol.startswith(WIDE_PREFIX)
    found = _rule_of(symbol.removeprefix(WIDE_PREFIX if is_wide else PREFIX), is_wide=is_wide)
    if found is None:
        return None
    signature, rule = found
    body = Body(signature)
    rule(body)
    if signature[0] == "v":
        body.lines.append("ret void")
    types = zip(signature[1:], body.arguments, strict=True)
    parameters = ", ".join(f"{TYPES[kind]} {name}" for kind, name in types)
    head = f'define internal {TYPES[signature[0]]} @"{symbol}"({parameters})'
    lines = [f"{head} alwaysinline nounwind {{", *(f"  {line}" for line in body.lines), "}", ""]
    wide = {"avx"} if is_wide else set[str]()
    return Definition(lines, body.intrinsics, frozenset(body.features | wide))


_WIDE = {"s": "x", "d": "y"}


def _rule_of(name: str, *, is_wide: bool) -> tuple[str, _Rule] | None:
    for pattern, signature, rule in WIDE_TABLE if is_wide else TABLE:
        match = re.fullmatch(pattern, name)
        if match is not None:
            kind = _WIDE.get(name[-1], "z") if is_wide else name[-1]
            return signature.replace("S", kind), partial(rule, match.groups())
    return None
