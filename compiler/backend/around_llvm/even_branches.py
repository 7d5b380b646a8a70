"""Weights of branches go that were there for the branch to stay one.

    br i1 %on, label %a, label %b, !prof !7       =>     br i1 %on, label %a, label %b
    !7 = !{!"branch_weights", i32 3001, i32 1}

LLVM makes selections of branches where that is a few operations, unless one of the ways is hardly
ever gone. Its code generator moves such a way out of the loop. A state that lasts is predicted and
has no such way (`ir/idioms/states.py`): a trigger with two limits takes 0.60 ns a sample so, 0.65
with the weights, and 1.15 as LLVM's selections.

By their ratio, which LLVM keeps: where it turns a loop it scales them, and gives them to the branch
around the loop, so that all of the loop is hardly ever run.
"""

from __future__ import annotations

import re

from polyopt.support.core_model import CORE

_WEIGHTS = re.compile(r'(?m)^(!\d+) = !\{!"branch_weights", i32 (\d+), i32 (\d+)\}$')


def may_be_even(text: str) -> bool:
    """Whether a module has such weights."""
    return f"i32 {CORE.code.even_ratio}" in text


def with_even_branches(text: str) -> str:
    """The module without these weights; the same text where there are none."""
    nodes = [node for node, *weights in _WEIGHTS.findall(text) if _are_even(*map(int, weights))]
    return re.sub(rf", !prof (?:{'|'.join(nodes)})\b", "", text) if nodes else text


def _are_even(one: int, other: int) -> bool:
    less, more = sorted((one, other))
    return less > 0 and abs(more / less / CORE.code.even_ratio - 1) < 0.01
