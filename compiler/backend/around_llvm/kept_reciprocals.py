"""Reciprocals that LLVM has computed in front of loops stay there.

    %r = fdiv fast double 1.0, %t              %r = fdiv <all but reassoc> double 1.0, %t
    loop: %y = fmul fast double %x, %r   =>    loop: %y = fmul fast double %x, %r

LLVM's pipeline divides once, in front of a loop, by what is the same all through it, and combines
no instructions after that: the product with a reciprocal would become a quotient again, in the loop
(`foldFMulReassoc`). Where instructions are combined once more, behind the pipeline, reciprocals are
not to be reassociated; everything else may be done to them (contrast limited by tiles, a division
for each pixel: 0.85 of the speed).
"""

from __future__ import annotations

import re

_RECIPROCAL = re.compile(
    r"= fdiv fast (float|double|<\d+ x (?:float|double)>) "
    r"(splat \((?:float|double) )?1\.000000e\+00\b"
)


def with_kept_reciprocals(text: str) -> str:
    if "1.000000e+00" not in text:
        return text
    return _RECIPROCAL.sub(r"= fdiv nnan ninf nsz arcp contract afn \1 \g<2>1.000000e+00", text)
