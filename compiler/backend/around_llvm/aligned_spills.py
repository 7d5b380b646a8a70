"""Functions that keep vectors over calls have them at multiples of their size.

    call <8 x double> @_ZGVeN8v_sin(...)         vmovapd %zmm0, 64(%rsp)        and not 48(%rsp)

No vector register is kept by who is called, so all that is needed behind a call goes to the stack,
which is aligned to 16 bytes: a line of the cache is then stored, and loaded again, across two lines
in three runs of four, as the stack happens to lie (distances on a sphere, 8000 points: 49 us, 67 or
85). LLVM aligns the stack for what it keeps there only where the frame has a register of its own.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.llvm_text import with_functions

_VECTOR = re.compile(r"<(\d+) x (double|float|i64|i32|i16|i8)>")
_BITS = {"double": 64, "float": 32, "i64": 64, "i32": 32, "i16": 16, "i8": 8}
_ALIGNED_BITS = 128
"""Of what the stack is aligned to."""
_CALL = re.compile(r"(?m)^  (?:%\S+ = )?(?:tail )?call [^@\n]*@(?!llvm\.)")
_GROUP = re.compile(r" #\d+(?=[ \n])(?!.* #\d+[ \n])")
"""The number of a function's attributes, behind its name and in front of what is noted of it."""
_FRAME = '"frame-pointer"="all"'


def with_aligned_spills(text: str) -> str:
    """The module, as LLVM prints it, with such frames where vectors are used beside calls."""
    return with_functions(text, _function)


def _function(text: str) -> str:
    head, brace, rest = text.partition("{\n")
    body = rest.partition("\n}")[0]
    if _FRAME in head or not _has_wide_vectors(body) or _CALL.search(body) is None:
        return text
    return _GROUP.sub(lambda group: f"{group[0]} {_FRAME}", head, count=1) + brace + rest


def _has_wide_vectors(body: str) -> bool:
    return any(
        int(count) * _BITS[element] > _ALIGNED_BITS for count, element in {*_VECTOR.findall(body)}
    )
