"""affine-flatten-nests: a short loop that goes on where it was left is one with the loop around it.

    for b = 0 to n { for c = 0 to 4 { d[16 b + 4 c] = f(s[16 b + 4 c]) } }
      =>
    for k = 0 to 4 n { d[4 k] = f(s[4 k]) }

Columns of small blocks, rows of three coordinates, pixels: along the short loop there are too few
elements for vectors, and along the long one they lie apart. One behind the other they are all
alike. (Zen 3: bytes of 4096 blocks of 16 mixed by columns of four 33 us, 6.2 as one loop; 5,000
rows of six doubles 7.5 and 6.1.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, NoneAttr
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects.cmem import memref_type
from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import set_facts
from polyopt.ir.affine.affine_nest import AffineLoop, ElementAccess, only_child_loop
from polyopt.ir.affine.linear import Linear, map_of
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.expressions.shapes import element_bytes
from polyopt.passes.loops.vectors.flat_rows import flat_view
from polyopt.support.core_model import CORE
from polyopt.support.record import record
from polyopt.support.remarks import remark


@record
class AffineFlattenNestsPass(ModulePass):
    """Make one loop of a short innermost one and the loop around it, whose accesses all go through
    one stretch of memory, as far in one iteration around as in all of those inside.

    Requires: loops are marked as parallel where they are. Ensures: the same iterations run, in the
    same order.

        for b = 0 to n { for c = 0 to 4 { d[16 b + 4 c] = s[16 b + 4 c] } }
          =>
        for b = 0 to 4 n { d[4 b] = s[4 b] }
    """

    name = "affine-flatten-nests"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Innermost nests first: what has become one loop may be short itself.
        for loop in reversed([one for one in op.walk() if isinstance(one, affine.ForOp)]):
            inner = only_child_loop(loop)
            if inner is None:
                continue
            around = AffineLoop(loop)
            turns = _turns(around, AffineLoop(inner))
            if not turns:
                continue
            rows = _rows(around, AffineLoop(inner), turns)
            if rows is None or _is_part_of_deeper(loop, rows):
                continue
            new = _flatten(around, AffineLoop(inner), turns, rows)
            message = f"{turns} iterations inside are one loop with those around"
            remark("applied", self.name, message, span_of(new))


def _turns(around: AffineLoop, loop: AffineLoop) -> int:
    """How often the inner loop runs, if both are as simple as they have to be; 0 else."""
    if loop.lowers != (Linear(),) or loop.uppers is None or len(loop.uppers) != 1:
        return 0
    if around.lowers is None or around.uppers is None or around.op.inits:
        return 0
    for one in (around, loop):
        if one.step != 1 or not one.is_marked_parallel or one.facts.marks or one.facts.nontemporal:
            return 0
    (end,) = loop.uppers
    return end.constant if not end.terms and end.constant > 1 else 0


def _rows(around: AffineLoop, loop: AffineLoop, turns: int) -> Mapping[SSAValue, int] | None:
    """For each array how many of its last dimensions the loops go through inside of one stretch;
    None where there is one through which they do not, or where rows are long enough."""
    accesses: dict[SSAValue, list[tuple[Linear, ...]]] = {}
    stores = 0
    for op in loop.block.ops:
        if op.regions:
            return None
        if isinstance(op, ElementAccess):
            subscripts = subscripts_of(op)
            if subscripts is None:
                return None
            size = element_bytes(memref_type(op.memref).element_type)
            if size is None or turns * size > CORE.code.flat_row:
                return None
            accesses.setdefault(op.memref, []).append(subscripts)
            stores += isinstance(op, affine.StoreOp)
        elif {around.iv, loop.iv}.intersection(op.operands):
            return None
    if not stores:
        return None
    rows: dict[SSAValue, int] = {}
    for array, forms in accesses.items():
        found = _row_dimensions(array, forms, (around.iv, loop.iv), turns)
        if found is None:
            return None
        rows[array] = found
    return rows


def _is_part_of_deeper(op: affine.ForOp, arrays: Mapping[SSAValue, int]) -> bool:
    """Does a deeper nest beside it go on with these arrays? What a sum begins with goes into its
    tiles of registers, which have rows (`registers/nests_beside`)."""
    assert op.parent is not None
    beside = [one for one in op.parent.ops if isinstance(one, affine.ForOp) and one is not op]
    return any(
        _depth(one) > _depth(op)
        and any(array in inner.operands for inner in one.walk() for array in arrays)
        for one in beside
    )


def _depth(op: affine.ForOp) -> int:
    inner = [one for one in op.body.block.ops if isinstance(one, affine.ForOp)]
    return 1 + max(map(_depth, inner), default=0)


def _row_dimensions(
    array: SSAValue,
    forms: Sequence[tuple[Linear, ...]],
    counters: tuple[SSAValue, SSAValue],
    turns: int,
) -> int | None:
    shape = memref_type(array).get_shape()
    is_plain = isinstance(memref_type(array).layout, NoneAttr)
    for inner in range(len(shape)):
        lengths = shape[len(shape) - inner :]
        if DYNAMIC_INDEX in lengths or (inner and not is_plain):
            return None
        outer = len(shape) - inner - 1
        places = [_place(one[outer:], lengths) for one in forms]
        others = (form for one in forms for form in one[:outer])
        if any(form.uses(counters) for form in others):
            continue
        steps = [[place.coefficient(one) for one in counters] for place in places]
        if all(turn == turns * inside for turn, inside in steps):
            return inner
    return None


def _place(subscripts: Sequence[Linear], lengths: Sequence[int]) -> Linear:
    """In rows of these lengths, one behind the other."""
    place = subscripts[0]
    for form, length in zip(subscripts[1:], lengths, strict=True):
        place = place * length + form
    return place


def _flatten(
    around: AffineLoop, loop: AffineLoop, turns: int, rows: Mapping[SSAValue, int]
) -> affine.ForOp:
    """One loop in the place of both; what it counts is the inner one's counter, which goes on."""
    views = {array: flat_view(array, inner) for array, inner in rows.items() if inner}
    nowhere: Mapping[SSAValue, Linear] = {around.iv: Linear()}
    for op in list(loop.block.ops):
        if not isinstance(op, ElementAccess):
            continue
        subscripts, inner = subscripts_of(op), rows[op.memref]
        assert subscripts is not None
        shape = memref_type(op.memref).get_shape()
        outer = len(shape) - inner - 1
        place = _place(subscripts[outer:], shape[len(shape) - inner :]).substitute(nowhere)
        _move(op, views.get(op.memref, op.memref), (*subscripts[:outer], place))
    lowers, uppers = around.lowers, around.uppers
    assert lowers is not None
    assert uppers is not None
    (lower, lower_operands), (upper, upper_operands) = (
        map_of([form * turns for form in forms]) for forms in (lowers, uppers)
    )
    body = loop.op.detach_region(loop.op.body)
    new = affine.ForOp.from_region(lower_operands, upper_operands, (), (), lower, upper, body, 1)
    facts = around.facts
    set_facts(new, replace(facts, at_most=facts.at_most * turns))
    new.location = around.op.location
    old = around.op
    assert old.parent is not None
    old.parent.insert_op_before(new, old)
    new.body.block.args[0].name_hint = old.body.block.args[0].name_hint
    old.detach()
    old.erase()
    return new


def _move(op: ElementAccess, array: SSAValue, subscripts: Sequence[Linear]) -> None:
    """The access, to this array at these subscripts."""
    map_, operands = map_of(subscripts)
    if isinstance(op, affine.StoreOp):
        op.operands = [op.value, array, *operands]
    else:
        op.operands = [array, *operands]
    op.properties["map"] = map_
