"""Integers that become floating-point numbers are made narrow first, where 64 bits are hard.

    %t = trunc nuw nsw i64 %i to i32       =>    %t = trunc i64 %i to i32
    %d = uitofp nneg i32 %t to double            %d = uitofp nneg i32 %t to double

SSE2 and AVX2 convert 32 bits by one instruction, also in vectors; 64 bits without a sign take
seven, in a chain of twenty cycles, and vectors of 64 bits more. LLVM 22's code generator looks
through a truncation that is said to lose nothing, forgets there that the number is not negative,
and converts 64 bits. Counters of loops are of 64 bits since LLVM's own passes have widened them. A
truncation that says nothing is not looked through; what it gives is the same.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.llvm_text import NAME, with_functions

_CONVERTED = re.compile(rf"= [su]itofp (?:nneg )?(?:<\d+ x )?i\d+>? ({NAME}) to ")
_TRUNCATION = re.compile(rf"(?m)^(  (?P<name>{NAME}) = trunc )(?:nuw |nsw )+(?=(?:<\d+ x )?i64>? )")


def may_convert(text: str) -> bool:
    """Whether a module converts integers to floating-point numbers."""
    return "sitofp " in text or "uitofp " in text


def with_plain_truncations(text: str) -> str:
    """The module, as LLVM prints it, with truncations that say nothing in front of conversions; the
    same text where there are none."""
    return with_functions(text, _with_plain)


def _with_plain(function: str) -> str:
    converted = set(_CONVERTED.findall(function))
    return _TRUNCATION.sub(
        lambda found: found[1] if found["name"] in converted else found[0], function
    )
