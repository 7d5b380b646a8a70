"""affine-join-parts: two nests that do the same to two parts of one box are one nest.

Statements that say the same below and above a diagonal (the update of a factorisation, each
element of it in a loop of its own) leave two triangles that touch. Side by side they are packed
twice, cut twice at their diagonal, and shared out among threads twice.

Three questions, one after the other: whether bodies and loops are alike (`_are_alike`); whether the
iterations of both, which have nothing in common, are those of a nest with one lower and one upper
bound a loop (`_box`); and whether no iteration of that nest depends on another one but along the
loops that add up, and no other, so that the order in which the parts ran is as good as any
(`_is_free`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import AffineMapAttr, ModuleOp
from xdsl.ir import IRNode, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.locations import span_of
from polyopt.ir.affine.affine_dependence import dependences_below
from polyopt.ir.affine.affine_nest import AffineLoop, AffineNest, perfect_nest
from polyopt.ir.affine.constraints import Bounds, Constraints, NotRepresentable
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.linear_sets import Symbols
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class AffineJoinPartsPass(ModulePass):
    """Make one nest of two neighbouring ones of contractions that are parts of a box.

    Requires: `contract` marks. Ensures: each instance runs once, and those of one element in the
    order they had; nothing else depends on anything in the nest.

        for i = t + 1 to n { for j = t to i { for k … A[i, j] -= A[i, k] * A[k, j] } }
        for i = t to n { for j = i to n { for k … A[i, j] -= A[i, k] * A[k, j] } }
      =>
        for i = t to n { for j = t to n { for k … A[i, j] -= A[i, k] * A[k, j] } }
    """

    name = "affine-join-parts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for one in [found for found in op.walk() if isinstance(found, affine.ForOp)]:
            other = one.next_op
            if one.parent is None or not isinstance(other, affine.ForOp):
                continue
            parts = perfect_nest(one), perfect_nest(other)
            if _are_alike(*parts):
                self._join(*parts)

    def _join(self, one: AffineNest, other: AffineNest) -> None:
        box = _box(one, other)
        if box is None:
            return
        first, second = one.loops[0].op, other.loops[0].op
        nest = _nest(one.loops, box)
        assert first.parent is not None
        first.parent.insert_op_before(nest, first)
        if not _is_free(nest):
            nest.detach()
            nest.erase()
            return
        for part in (second, first):
            part.detach()
            part.erase()
        names = ", ".join(loop.facts.iterator or "?" for loop in perfect_nest(nest).loops)
        remark("applied", self.name, f"loops {names}: two parts in one nest", span_of(nest))


def _are_alike(one: AffineNest, other: AffineNest) -> bool:
    """The same loops but for their ranges, and the same in them."""
    if len(one.loops) != len(other.loops) or len(one.loops) < 2:
        return False
    same: dict[IRNode | SSAValue, IRNode | SSAValue] = {}
    for a, b in zip(one.loops, other.loops, strict=True):
        if "contract" not in a.facts.marks or a.facts != b.facts or a.step != 1 or b.step != 1:
            return False
        if a.op.inits or b.op.inits:
            return False
        same[a.iv] = b.iv
    return one.body.is_structurally_equivalent(other.body, same)


def _box(one: AffineNest, other: AffineNest) -> list[Bounds] | None:
    """The bounds of loops over both, from the outside in."""
    here, there = Constraints.of_loops(one.loops), Constraints.of_loops(other.loops)
    if here is None or there is None:
        return None
    renamed = {b: Linear.of(a) for a, b in zip(one.iterators, other.iterators, strict=True)}
    both = here.beside(there.substitute(renamed))
    if both is None:
        return None
    bounds = list[Bounds]()
    try:
        for depth, iterator in enumerate(one.iterators):
            bounds.append(both.without(one.iterators[depth + 1 :]).bounds(iterator))
    except NotRepresentable:
        return None
    if any(len(found.lowers) != 1 or len(found.uppers) != 1 for found in bounds):
        return None
    rebuilt = tuple(
        form
        for iterator, found in zip(one.iterators, bounds, strict=True)
        for form in (
            Linear.of(iterator) - found.lowers[0],
            found.uppers[0] - Linear.of(iterator) - 1,
        )
    )
    return bounds if Constraints(rebuilt).is_as(both) else None


def _nest(loops: Sequence[AffineLoop], box: Sequence[Bounds]) -> affine.ForOp:
    """The loops within these bounds, not inserted yet."""
    nest = loops[0].op.clone()
    copies = perfect_nest(nest).loops
    renamed: dict[SSAValue, Linear] = {
        a.iv: Linear.of(b.iv) for a, b in zip(loops, copies, strict=True)
    }
    iterators = [loop.iv for loop in copies]
    for loop, bounds in zip(copies, box, strict=True):
        ends = [form.substitute(renamed) for form in (*bounds.lowers, *bounds.uppers)]
        new = _within(loop.op, *(_bound(form, iterators) for form in ends))
        nest = new if loop.op is nest else nest
    return nest


_Bound = tuple[AffineMapAttr, Sequence[SSAValue]]


def _bound(form: Linear, iterators: Sequence[SSAValue]) -> _Bound:
    dims = [value for value in form.values if value in iterators]
    symbols = Symbols.of([form], dims=dims)
    return symbols.map([form], dims), [*dims, *symbols.values]


def _within(loop: affine.ForOp, lower: _Bound, upper: _Bound) -> affine.ForOp:
    """The loop between these bounds, where it was; `loop` is gone."""
    body = loop.detach_region(loop.body)
    new = affine.ForOp.from_region(lower[1], upper[1], (), (), lower[0], upper[0], body, loop.step)
    new.attributes = dict(loop.attributes)
    new.location = loop.location
    if loop.parent is not None:
        loop.parent.insert_op_before(new, loop)
        loop.detach()
    loop.erase()
    return new


def _is_free(nest: affine.ForOp) -> bool:
    """Whether nothing goes from one iteration to another but along loops that add up: what these
    carry, if others lie inside them, may not go to another iteration of the others, either."""
    found = dependences_below(nest)
    others = [loop for loop in perfect_nest(nest).loops if not loop.facts.reduces]
    return found.is_complete and not any(
        level is None or one.has_distance(f"d{level} != 0")
        for one in found.dependences
        for level in map(one.level, others)
    )
