"""What was chosen between a vector in memory and another, and goes back there, is a blend.

    x = load <8 x float>, ptr p                   x = load <8 x float>, ptr p
    m = fcmp olt <8 x float> x, y                 m = fcmp olt <8 x float> x, y
    c = select <8 x i1> m, <8 x float> y, x   =>  k = freeze <8 x float> x
    store <8 x float> c, ptr p                    c = select <8 x i1> m, <8 x float> y, k
                                                  store <8 x float> c, ptr p

LLVM 22 makes a store under the mask of it (llvm-project #145176). Without mask registers that is
up to 42 operations of a core (AMD, to Zen 4: 5 cycles for four lanes, 10 for eight, where a blend
and a store take one; llvm-project #213195), nowhere is it there for loads that come soon, such as
those of the next iteration around, and a maximum is none any more. Of a vector that is frozen LLVM
makes none, nor anything else: what is loaded is frozen already, in no operation.
"""

from __future__ import annotations

import re

from polyopt.backend.around_llvm.llvm_text import MASKS, NAME, with_functions

_LANES = r"<\d+ x (?:i32|i64|float|double)>"
_LOADED = re.compile(rf"(?m)^  ({NAME}) = load {_LANES}, ptr ([^,\n]+), align")
_STORED = re.compile(rf"(?m)^  store {_LANES} ({NAME}), ptr ([^,\n]+), align")
_CHOSEN = re.compile(
    rf"(?m)^  ({NAME}) = select (?P<flags>[a-z ]*)(?P<mask><\d+ x i1> [^,\n]+), "
    rf"(?P<type>{_LANES}) (?P<first>[^,\n]+), {_LANES} (?P<second>[^,\n]+)(?P<facts>.*)$"
)


def with_blends(text: str) -> str:
    """The module with frozen vectors where what is chosen is stored in their place; the same text
    where there are none."""
    return with_functions(text, _written)


def _chooses(line: str) -> bool:
    return " = select " in line and _CHOSEN.match(line) is not None


def _written(function: str) -> str:
    if MASKS not in function or not any(map(_chooses, function.split("\n"))):
        return function
    stored: dict[str, str] = dict(_STORED.findall(function))
    loaded: dict[str, str] = dict(_LOADED.findall(function))
    count = 0

    def blended(found: re.Match[str]) -> str:
        nonlocal count
        place = stored.get(found[1])
        type_, kept = found["type"], [found["first"], found["second"]]
        frozen = list[str]()
        for k, one in enumerate(kept):
            if place is not None and loaded.get(one) == place:
                count += 1
                kept[k] = f"%.blend.{count}"
                frozen.append(f"  {kept[k]} = freeze {type_} {one}")
        chosen = f"{found['flags']}{found['mask']}, {type_} {kept[0]}, {type_} {kept[1]}"
        return "\n".join([*frozen, f"  {found[1]} = select {chosen}{found['facts']}"])

    return _CHOSEN.sub(blended, function) if stored else function
