"""Which stores of a block are one statement.

A statement is a store with the operand tree that feeds it, run as one step; so is a conditional
with stores in it. Stores are one statement where taking them apart would change what is read:
they share a loaded value, or a load of one would move across a store to the same array.

    t = A[i]; A[i] = A[j]; A[j] = t;      one statement: each store's load stands before both
    A[i] = A[i] + 1; B[i] = A[i];         two statements
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith, func, memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.control.cfg import enclosing_block
from polyopt.ir.effects import accesses_in
from polyopt.ir.expressions.integer_expr import Unknown
from polyopt.ir.idioms.updates import find_update, is_order_free
from polyopt.passes.scop.candidate import Candidate, MemoryOp
from polyopt.support.record import record

_QUICK = frozenset(f"math.{name}" for name in "absf absi copysign fma ctpop floor ceil".split())
"""Of math's operations, those that are instructions like a sum."""


@record
class StatementPlan:
    """`ops` are what the statement computes, loads and stores, in the order of the block."""

    block: Block
    ops: tuple[Operation, ...]


@record
class _Group:
    """Operations of a block that belong together; `accesses` are the loads and stores in them,
    with their place in the block."""

    ops: frozenset[Operation]
    accesses: tuple[tuple[int, MemoryOp], ...]

    @property
    def last_store(self) -> int:
        return max(place for place, op in self.accesses if isinstance(op, memref.StoreOp))


def plan_statements(candidate: Candidate, block: Block) -> list[StatementPlan]:
    """The statements of a block, in an order that keeps every conflict's order."""
    position = {op: place for place, op in enumerate(block.ops)}
    trees = [_operand_tree(candidate, op, position) for op in position if _stores(op)]
    joined = _joined_by_loads(candidate, trees)
    groups = [_group(candidate, tree, position) for tree in joined]
    order = _joined_by_conflicts(candidate, groups)
    in_block = position.__getitem__
    return [StatementPlan(block, tuple(sorted(group.ops, key=in_block))) for group in order]


def run_time_operands(candidate: Candidate, op: MemoryOp) -> Iterator[SSAValue]:
    """The values that the index of an access needs where its relation does not say it all."""
    if op in candidate.affine or op in candidate.hoisted:
        return
    for index in candidate.subscripts[op].indices:
        for atom in index.all_atoms():
            if isinstance(atom, Unknown):
                yield atom.value


def _stores(op: Operation) -> bool:
    return any(isinstance(access, memref.StoreOp) for access in accesses_in(op))


def _operand_tree(
    candidate: Candidate, root: Operation, position: dict[Operation, int]
) -> set[Operation]:
    """An operation and those of its block that it needs."""
    tree: set[Operation] = {root}
    block = enclosing_block(root)
    pending = list(_needed(candidate, root))
    while pending:
        op = candidate.seen_from(pending.pop(), block).owner
        if not isinstance(op, Operation) or op not in position or op in tree:
            continue
        if op in candidate.hoisted:
            continue
        tree.add(op)
        pending.extend(_needed(candidate, op))
    return tree


def _needed(candidate: Candidate, op: Operation) -> Iterator[SSAValue]:
    """The values that an operation uses, itself or in its regions, as far as they are data."""
    for inner in op.walk():
        if isinstance(inner, memref.StoreOp):
            yield inner.value
        if isinstance(inner, MemoryOp):
            yield from run_time_operands(candidate, inner)
        else:
            yield from inner.operands


def _joined_by_loads(candidate: Candidate, trees: Sequence[set[Operation]]) -> list[set[Operation]]:
    """Trees that share an operation that accesses memory, or a call, become one; a sum only if what
    they share may be another value when it is loaded again."""
    changed = {array.base for array in candidate.arrays if array.is_written}
    dear = _computed_for_several(trees)
    groups: list[set[Operation]] = []
    sums: list[set[Operation]] = []
    for tree in trees:
        shared = {op for op in tree if isinstance(op, func.CallOp) or accesses_in(op)}
        is_cheap = tree.isdisjoint(dear)
        if is_cheap and _adds_up(tree) and not _may_change_any(candidate, shared, changed):
            sums.append(tree)
            continue
        shared |= tree & dear
        apart: list[set[Operation]] = []
        for group in groups:
            if shared.isdisjoint(group):
                apart.append(group)
            else:
                tree = tree | group
        groups = [*apart, tree]
    return groups + sums


def _computed_for_several(trees: Sequence[set[Operation]]) -> set[Operation]:
    """Quotients, roots and the like that several trees need: once for each of them costs more than
    an order of its own for each brings."""
    seen: set[Operation] = set()
    found: set[Operation] = set()
    for tree in trees:
        own = {op for op in tree if _is_dear(op)}
        found |= own & seen
        seen |= own
    return found


def _is_dear(op: Operation) -> bool:
    return isinstance(op, arith.DivfOp) or (op.name.startswith("math.") and op.name not in _QUICK)


def _adds_up(tree: set[Operation]) -> bool:
    """The tree only updates a variable, in a way whose order is free."""
    stores = [op for op in tree if isinstance(op, memref.StoreOp)]
    if len(stores) != 1 or stores[0].indices:
        return False
    update = find_update(stores[0].value, (stores[0].memref,))
    return update is not None and is_order_free(update.combine)


def _may_change_any(candidate: Candidate, shared: set[Operation], changed: set[SSAValue]) -> bool:
    return any(
        isinstance(op, func.CallOp) or any(_may_change(candidate, one, changed) for one in accesses)
        for op in shared
        for accesses in [accesses_in(op)]
    )


def _may_change(candidate: Candidate, op: MemoryOp, changed: set[SSAValue]) -> bool:
    """Loaded again in the same iteration it may be another value; the variable that is updated is
    the sum's own."""
    if isinstance(op, memref.StoreOp):
        return False
    return (
        bool(op.indices) and op not in candidate.hoisted and candidate.array_of(op).base in changed
    )


def _group(candidate: Candidate, ops: set[Operation], position: dict[Operation, int]) -> _Group:
    accesses = (
        (position[op], access)
        for op in ops
        for access in accesses_in(op)
        if access not in candidate.hoisted
    )
    return _Group(frozenset(ops), tuple(accesses))


def _joined_by_conflicts(candidate: Candidate, groups: list[_Group]) -> list[_Group]:
    """Merge groups until each conflict goes the same way between two groups, then order them.

    While a group that precedes another also has to follow it, they are one.
    """
    while True:
        precedes = {
            (a, b)
            for a, first in enumerate(groups)
            for b, second in enumerate(groups)
            if a != b and _must_precede(candidate, first, second)
        }
        rank = [group.last_store for group in groups]
        order, cycle = _topological_order(len(groups), precedes, rank)
        if not cycle:
            return [groups[number] for number in order]
        merged = _Group(
            frozenset(op for number in cycle for op in groups[number].ops),
            tuple(access for number in cycle for access in groups[number].accesses),
        )
        groups = [g for number, g in enumerate(groups) if number not in cycle] + [merged]


def _must_precede(candidate: Candidate, first: _Group, second: _Group) -> bool:
    """Some access of `first` stands before one of `second` to the same array, and one of the two
    is a store."""
    return any(
        earlier < later
        and candidate.array_of(a) is candidate.array_of(b)
        and (isinstance(a, memref.StoreOp) or isinstance(b, memref.StoreOp))
        for earlier, a in first.accesses
        for later, b in second.accesses
    )


def _topological_order(
    count: int, precedes: set[tuple[int, int]], rank: Sequence[int]
) -> tuple[list[int], set[int]]:
    """(the order, nothing), or (_, the members of some cycle)."""
    order: list[int] = []
    remaining = set(range(count))
    while remaining:
        free = [n for n in remaining if not any((m, n) in precedes for m in remaining)]
        if not free:
            return order, _some_cycle(remaining, precedes)
        first = min(free, key=rank.__getitem__)
        order.append(first)
        remaining.remove(first)
    return order, set()


def _some_cycle(nodes: set[int], precedes: set[tuple[int, int]]) -> set[int]:
    """Every node has a predecessor among the nodes: walk back until one comes again."""
    path: list[int] = [min(nodes)]
    while True:
        before = next(m for m in sorted(nodes) if (m, path[-1]) in precedes)
        if before in path:
            return set(path[path.index(before) :])
        path.append(before)
