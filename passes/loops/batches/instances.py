"""Loops from known numbers to known numbers: how often they run, and what forms are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import affine
from xdsl.ir import Block, Region, SSAValue

from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.conditions import conditions_of
from polyopt.ir.affine.linear import Linear


def instances_of(block: Block, at: Mapping[SSAValue, int], most: int) -> int | None:
    """How many iterations the loops in the block have, theirs inside with them; None where that
    is not known, or more than `most`. Nothing is run for it that does not bound a loop."""
    total = 0
    for op in block.ops:
        if isinstance(op, affine.ForOp):
            inside = _instances_in(AffineLoop(op), at, most - total)
        elif isinstance(op, affine.IfOp) and any(map(_has_loops, op.regions)):
            inside = _instances_behind(op, at, most - total)
        else:
            continue
        if inside is None:
            return None
        total += inside
    return total


def _instances_behind(op: affine.IfOp, at: Mapping[SSAValue, int], most: int) -> int | None:
    holds = holds_at(conditions_of(op), at)
    if holds is None:
        return None
    chosen = branch_of(op, holds=holds)
    return 0 if chosen is None else instances_of(chosen, at, most)


def _has_loops(region: Region) -> bool:
    return any(isinstance(op, affine.ForOp) for op in region.walk())


def _instances_in(loop: AffineLoop, at: Mapping[SSAValue, int], most: int) -> int | None:
    lows, highs = numbers_at(loop.lowers, at), numbers_at(loop.uppers, at)
    if lows is None or highs is None:
        return None
    numbers = range(max(lows), min(highs), loop.step)
    total = len(numbers)
    if total > most or not _has_loops(loop.op.body):
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


def holds_at(forms: Sequence[Linear] | None, at: Mapping[SSAValue, int]) -> bool | None:
    """Is each at least zero? None where one is not known."""
    numbers = [number_at(form, at) for form in forms or ()]
    if forms is None or any(number is None for number in numbers):
        return None
    return all(number is not None and number >= 0 for number in numbers)


def branch_of(op: affine.IfOp, *, holds: bool) -> Block | None:
    """What runs where the condition holds, or does not."""
    region = op.then_region if holds else op.else_region
    return region.block if region.blocks else None
