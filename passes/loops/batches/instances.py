"""Loops from known numbers to known numbers: how often they run, and what forms are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear


def instances_of(block: Block, at: Mapping[SSAValue, int], most: int) -> int | None:
    """How many iterations the loops in the block have, theirs inside with them; None where that
    is not known, or more than `most`. Nothing is run for it that does not bound a loop."""
    total = 0
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            inside = _instances_in(AffineLoop(op), at, most - total)
            if inside is None:
                return None
            total += inside
    return total


def _instances_in(loop: AffineLoop, at: Mapping[SSAValue, int], most: int) -> int | None:
    lows, highs = numbers_at(loop.lowers, at), numbers_at(loop.uppers, at)
    if lows is None or highs is None:
        return None
    numbers = range(max(lows), min(highs), loop.step)
    total = len(numbers)
    if total > most or not any(isinstance(op, affine.ForOp) for op in loop.block.ops):
        return total if total <= most else None
    for number in numbers:
        inside = instances_of(loop.block, {**at, loop.iv: number}, most - total)
        if inside is None:
            return None
        total += inside
    return total


def numbers_at(forms: Sequence[Linear] | None, at: Mapping[SSAValue, int]) -> list[int] | None:
    numbers = [number_at(form, at) for form in forms or ()]
    known = [number for number in numbers if number is not None]
    return known if known and len(known) == len(numbers) else None


def number_at(form: Linear, at: Mapping[SSAValue, int]) -> int | None:
    total = form.constant
    for value, factor in form.terms:
        if value not in at:
            return None
        total += factor * at[value]
    return total
