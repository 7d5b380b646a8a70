"""Integers are converted in registers that no function called has left something in.

    d = sitofp i32 k to double    =>    v = insertelement <4 x i32> zeroinitializer, i32 k, i64 0
                                        w = sitofp <4 x i32> v to <4 x double>
                                        d = extractelement <4 x double> w, i64 0

`cvtsi2sd` takes the upper half of its result from another register, and waits for that. LLVM's code
generator looks for one that nothing in the function has written for long, and takes what calls
write for never written: in a loop around `sincos` each conversion waits for the sine before. The
conversion of a vector takes nothing from anywhere. It is one more operation, which is why functions
without calls are left alone. Of integers of 64 bits only AVX-512 has it.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.across_calls import calls_away
from polyopt.backend.around_llvm.llvm_text import NAME, with_functions

_CONVERSION = re.compile(
    rf"(?m)^  ({NAME}) = (sitofp|uitofp)( nneg)? i(8|16|32|64) "
    rf"({NAME}) to (float|double)([^\n]*)"
)


def may_wait_for_calls(text: str) -> bool:
    """Whether a module converts integers, and calls functions."""
    return ("sitofp i" in text or "uitofp " in text) and calls_away(text)


def with_fresh_conversions(text: str, *, is_wide: bool) -> str:
    """The module, as LLVM prints it, with conversions of vectors in functions that call others; the
    same text where there are none. `is_wide`: for a CPU that has AVX-512."""
    count = 0

    def fresh(found: re.Match[str]) -> str:
        nonlocal count
        result, kind, is_positive, width, value, type_, rest = found.groups()
        bits = max(32, int(width))
        widened = "sext" if kind == "sitofp" else "zext"
        if is_positive or bits > int(width):
            kind = "sitofp"
        if not is_wide and (bits == 64 or kind != "sitofp"):
            return found[0]
        own, lanes, lines = f"%.fresh.{count}", 128 // bits, list[str]()
        count += 1
        if bits > int(width):
            lines.append(f"  {own}.word = {widened} i{width} {value} to i{bits}")
            value = f"{own}.word"
        word = f"i{bits} {value}"
        lines += [
            f"  {own}.in = insertelement <{lanes} x i{bits}> zeroinitializer, {word}, i64 0",
            f"  {own}.out = {kind} <{lanes} x i{bits}> {own}.in to <{lanes} x {type_}>",
            f"  {result} = extractelement <{lanes} x {type_}> {own}.out, i64 0",
        ]
        return "\n".join(line + rest for line in lines)

    return with_functions(text, lambda one: _CONVERSION.sub(fresh, one) if calls_away(one) else one)
