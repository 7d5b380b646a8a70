"""Elements that registers hold while serial loops run, and what it takes to hold them.

What is stored stands still while serial loops run. It is held from its first access in the body to
the end; so it is loaded before serial loops and stored behind them, even where those run no
iteration at all, which is only right under the `guards_of` it. A variable that each iteration sets
before it reads it, and that nobody reads behind the nest, is private and needs no memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref

from polyopt.ir.affine.affine_dependence import NestDependences
from polyopt.ir.affine.affine_nest import AffineLoop, access_of, bound_over
from polyopt.ir.affine.linear import Linear
from polyopt.ir.control.cfg import may_run_later
from polyopt.passes.loops.registers.nest_groups import Element, Group


def held_elements(
    outer: Sequence[AffineLoop], groups: Sequence[Group]
) -> dict[Element, bool] | None:
    """None where a store moves while serial loops run."""
    held: dict[Element, bool] = {}
    for group in groups:
        serial = [loop.iv for loop in group.loops]
        for op, element in group.elements.items():
            if isinstance(op, affine.StoreOp):
                if any(form.uses(serial) for form in element[1]):
                    return None
                held[element] = False
    return {element: _is_own(element, outer[0].op, groups) for element in held}


def _is_own(element: Element, root: affine.ForOp, groups: Sequence[Group]) -> bool:
    """Is it a variable of the nest that each iteration sets first?"""
    array, _ = element
    if not isinstance(array.owner, memref.AllocOp | memref.AllocaOp):
        return False
    region = array.owner.parent_region()
    assert region is not None
    for user in (use.operation for use in array.uses):
        if root.is_ancestor(user) or isinstance(user, memref.DeallocOp):
            continue
        # Whoever takes the address may use it at any time.
        if access_of(user) is None or may_run_later(root, user, region):
            return False
    found = [(op, p, group) for group in groups for op, p in group.elements.items()]
    mine = [(op, p, group) for op, p, group in found if p[0] is array]
    first, _, group = mine[0]
    is_set = isinstance(first, affine.StoreOp) and not group.loops
    return is_set and all(p == element for _, p, _ in mine)


def guards_of(groups: Sequence[Group], held: dict[Element, bool]) -> tuple[Linear, ...] | None:
    """What is held is loaded before serial loops and stored behind them, which is only right where
    they run at all or where straight code touches it too."""
    always = {element for group in groups if not group.loops for element in group.elements.values()}
    guards: list[Linear] = []
    for group in groups:
        if not any(
            element in held and element not in always for element in group.elements.values()
        ):
            continue
        for depth, loop in enumerate(group.loops):
            for upper in loop.uppers or ():
                for lower in loop.lowers or ():
                    last = upper - lower - 1
                    least = bound_over(last, group.loops[:depth], -1)
                    if least is None or (least != last and (least.terms or least.constant < 0)):
                        return None
                    if least.terms or least.constant < 0:
                        guards.append(least)
    return tuple(dict.fromkeys(guards)) if not guards or len(groups) == 1 else None


def are_alone(outer: Sequence[AffineLoop], dependences: NestDependences) -> bool:
    """Does nothing else touch what is held in the same iteration of the outer loops?"""
    if not dependences.is_complete:
        return False
    same = " and ".join(f"d{level} = 0" for level in range(len(outer)))
    for dependence in dependences.dependences:
        source, sink = dependence.source, dependence.sink
        is_one = source.array is sink.array and source.subscripts == sink.subscripts
        if not is_one and dependence.has_distance(same):
            return False
    return True
