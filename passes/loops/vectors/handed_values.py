"""What iterations before have stored goes on in registers, where more than one of them is asked.

    for i: y[i] = a[i] + p * y[i - 1] + q * y[i - 2]      =>

    y1, y2 = y[low - 1], y[low - 2]
    for i: y0 = a[i] + p * y1 + q * y2;  y[i] = y0;  y1, y2 = y0, y1

LLVM hands on what the iteration before has left, and loads what an earlier one has: that is a store
and a load on the way round (D. Callahan, S. Carr, K. Kennedy, Improving register allocation for
subscripted variables, PLDI 1990: scalar replacement). Zen 3, a recurrence of two terms over 8,000
floats: 25 us, 15 in registers.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.dialects.loop_facts import set_facts
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.affine.subscripts import subscripts_of
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.replacement import replace_op
from polyopt.support.core_model import CORE
from polyopt.support.record import record


@record(eq=False)
class _Chain:
    """A store, and by how many iterations before the loads of what it has stored."""

    store: affine.StoreOp
    loads: tuple[tuple[affine.LoadOp, ...], ...]


def hand_on_stored(op: affine.ForOp) -> affine.ForOp:
    """The loop, or the one that is in its place then: of straight code, in which nothing else may
    write what is handed on."""
    loop = AffineLoop(op)
    if op.inits or any(not _is_plain(one) for one in loop.block.ops):
        return op
    chains = _chains(loop)
    return _write(loop, chains) if chains else op


def _is_plain(op: Operation) -> bool:
    accesses = (affine.LoadOp, affine.StoreOp, memref.LoadOp, memref.StoreOp, affine.YieldOp)
    return not op.regions and (isinstance(op, accesses) or is_pure(op))


def _chains(loop: AffineLoop) -> list[_Chain]:
    stores = [one for one in loop.block.ops if isinstance(one, affine.StoreOp | memref.StoreOp)]
    found: list[_Chain] = []
    for store in stores:
        if not isinstance(store, affine.StoreOp):
            continue
        others = [one.memref for one in stores if one is not store]
        if any(may_overlap(store.memref, other) for other in others):
            continue
        loads = _loads_by_distance(loop, store)
        if len(loads) > 1:
            found.append(_Chain(store, loads))
    carried = sum(len(chain.loads) for chain in found)
    return found if carried <= CORE.carried.handed_values else []


def _loads_by_distance(
    loop: AffineLoop, store: affine.StoreOp
) -> tuple[tuple[affine.LoadOp, ...], ...]:
    """Of what the iteration before has stored, the one before that, and so on, while there are any.
    A first iteration loads all of these, so that they may be loaded in front of the loop."""
    places = subscripts_of(store)
    if places is None or not any(form.coefficient(loop.iv) for form in places):
        return ()
    loads = [one for one in loop.block.ops if isinstance(one, affine.LoadOp)]
    loads = [one for one in loads if one.memref is store.memref]
    found: list[tuple[affine.LoadOp, ...]] = []
    while True:
        before = _before(loop, places, len(found) + 1)
        ours = tuple(one for one in loads if list(subscripts_of(one) or ()) == before)
        if not ours:
            return tuple(found)
        found.append(ours)


def _before(loop: AffineLoop, places: Sequence[Linear], count: int) -> list[Linear]:
    earlier: dict[SSAValue, Linear] = {loop.iv: Linear.of(loop.iv) - count * loop.step}
    return [form.substitute(earlier) for form in places]


def _write(loop: AffineLoop, chains: Sequence[_Chain]) -> affine.ForOp:
    op, facts = loop.op, loop.facts
    outside = AffineBuilder(Block(), op)
    first = _in_front(outside, loop, chains)
    left: list[SSAValue] = []
    for chain in chains:
        carried: list[SSAValue] = []
        for loads in chain.loads:
            value = loop.block.insert_arg(chain.store.value.type, len(loop.block.args))
            value.name_hint = chain.store.memref.name_hint
            carried.append(value)
            for load in loads:
                load.result.replace_all_uses_with(value)
                load.detach()
                load.erase()
        left += [chain.store.value, *carried[:-1]]
    terminator = loop.block.last_op
    assert terminator is not None
    loop.block.insert_op_before(affine.YieldOp.get(*left), terminator)
    terminator.detach()
    terminator.erase()
    made = affine.ForOp.from_region(
        op.lowerBoundOperands,
        op.upperBoundOperands,
        first,
        [value.type for value in first],
        op.lowerBoundMap,
        op.upperBoundMap,
        op.detach_region(op.body),
        op.step,
    )
    outside.insert(made)
    set_facts(made, facts)
    replace_op(op, outside.block)
    return made


def _in_front(b: AffineBuilder, loop: AffineLoop, chains: Sequence[_Chain]) -> tuple[SSAValue, ...]:
    """What the first iteration loads, if there is one."""
    low, high = b.range_of(loop.op)
    types = [chain.store.value.type for chain in chains for _ in chain.loads]
    branch = b.branch([high - low - 1], types)
    with branch.then() as side:
        for chain in chains:
            places = subscripts_of(chain.store)
            assert places is not None
            for count in range(1, len(chain.loads) + 1):
                before = _before(loop, places, count)
                at = [form.substitute({loop.iv: low}) for form in before]
                side.yielded = (*side.yielded, b.load(chain.store.memref, at))
    with branch.orelse() as side:
        side.yielded = tuple(b.zero(one) for one in types)
    return branch.close()
