"""What iterations before have stored goes on in registers, where more than one of them is asked.

    for i: y[i] = a[i] + p * y[i - 1] + q * y[i - 2]      =>

    y1, y2 = y[low - 1], y[low - 2]
    for i: y0 = a[i] + p * y1 + q * y2;  y[i] = y0;  y1, y2 = y0, y1

LLVM hands on what the iteration before has left in one place, and loads what an earlier one has, or
what it has left in a second place of the same array: that is a store
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
    arrays = dict.fromkeys(one.memref for one in stores)
    found: list[_Chain] = []
    for array in arrays:
        own = [one for one in stores if one.memref is array]
        if any(one is not array and may_overlap(array, one) for one in arrays):
            continue
        affine_ones = [one for one in own if isinstance(one, affine.StoreOp)]
        if len(affine_ones) == len(own):
            found += _chains_of(loop, affine_ones)
    carried = sum(len(chain.loads) for chain in found)
    return found if carried <= CORE.carried.handed_values else []


def _chains_of(loop: AffineLoop, stores: Sequence[affine.StoreOp]) -> list[_Chain]:
    """Of all stores to one array. Of one that is loaded again in the next iteration only, LLVM
    knows by itself, but not of several such (Zen 3, errors of a dithered image handed on by four
    weights)."""
    array = stores[0].memref
    handed: dict[affine.StoreOp, dict[int, list[affine.LoadOp]]] = {}
    for load in loop.block.ops:
        if isinstance(load, affine.LoadOp) and load.memref is array:
            source = _source(loop, load, stores)
            if source is not None:
                distance, store = source
                handed.setdefault(store, {}).setdefault(distance, []).append(load)
    found: list[_Chain] = []
    for store, loads in handed.items():
        whole: list[tuple[affine.LoadOp, ...]] = []
        while len(whole) + 1 in loads:
            whole.append(tuple(loads[len(whole) + 1]))
        if whole:
            found.append(_Chain(store, tuple(whole)))
    carried = sum(len(chain.loads) for chain in found)
    if len(found) > 1 and carried > CORE.carried.handed_by_several:
        return []
    return found if carried > 1 else []


def _source(
    loop: AffineLoop, load: affine.LoadOp, stores: Sequence[affine.StoreOp]
) -> tuple[int, affine.StoreOp] | None:
    """How many iterations before the element was stored last, and by which store; None where it was
    not, or in the same iteration, or where that is not known."""
    found: dict[int, affine.StoreOp] = {}
    for store in stores:
        distances = _distances(loop, load, store)
        if distances is None:
            return None
        for distance in distances:
            if distance == 0 and store.is_before_in_block(load):
                return None
            if distance > 0:
                found[distance] = store  # of one iteration the last one counts
    return min(found.items(), default=None, key=lambda one: one[0])


def _distances(
    loop: AffineLoop, load: affine.LoadOp, store: affine.StoreOp
) -> tuple[int, ...] | None:
    """How many iterations after the store the load touches the same element: less than none is
    before it, none of them is never. None where that is not known, or where it does so in all."""
    here, there = subscripts_of(load), subscripts_of(store)
    if here is None or there is None:
        return None
    found = set[int]()
    for ours, theirs in zip(here, there, strict=True):
        apart, step = theirs - ours, ours.coefficient(loop.iv) * loop.step
        if apart.terms:
            return None
        if apart.constant and (not step or apart.constant % step):
            return ()
        if step:
            found.add(apart.constant // step)
    return (tuple(found) if len(found) == 1 else ()) if found else None


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
