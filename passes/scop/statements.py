"""Which stores of a block are one statement.

A statement is a store with the operand tree that feeds it, run as one step. Stores are one
statement where taking them apart would change what is read: they share a loaded value, or a load
of one would move across a store to the same array.

    t = A[i]; A[i] = A[j]; A[j] = t;      one statement: each store's load stands before both
    A[i] = A[i] + 1; B[i] = A[i];         two statements
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import memref
from xdsl.ir import Block, Operation, SSAValue

from polyopt.ir.integer_expr import Unknown
from polyopt.passes.scop.candidate import Candidate, MemoryOp
from polyopt.support.record import record


@record
class StatementPlan:
    """`ops` are what the statement computes, loads and stores, in the order of the block."""

    block: Block
    ops: tuple[Operation, ...]


def plan_statements(candidate: Candidate, block: Block) -> list[StatementPlan]:
    """The statements of a block, in an order that keeps every conflict's order."""
    position = {op: place for place, op in enumerate(block.ops)}
    stores = [op for op in position if isinstance(op, memref.StoreOp)]
    trees = [_operand_tree(candidate, store, position) for store in stores]
    groups = _joined_by_loads(trees)
    groups = _joined_by_conflicts(candidate, groups, position)
    return [
        StatementPlan(block, tuple(sorted(group, key=position.__getitem__))) for group in groups
    ]


def _operand_tree(
    candidate: Candidate, store: memref.StoreOp, position: dict[Operation, int]
) -> set[Operation]:
    """The store and the operations of its block that it needs."""
    tree: set[Operation] = {store}
    pending = [store.value, *run_time_operands(candidate, store)]
    while pending:
        op = pending.pop().owner
        if not isinstance(op, Operation) or op not in position or op in tree:
            continue
        if isinstance(op, memref.LoadOp):
            if op in candidate.hoisted:
                continue
            pending.extend(run_time_operands(candidate, op))
        else:
            pending.extend(op.operands)
        tree.add(op)
    return tree


def run_time_operands(candidate: Candidate, op: MemoryOp) -> Iterator[SSAValue]:
    """The values that the index of an access needs where its relation does not say it all."""
    if op in candidate.affine:
        return
    for index in candidate.subscripts[op].indices:
        for atom in index.all_atoms():
            if isinstance(atom, Unknown):
                yield atom.value


def _joined_by_loads(trees: Sequence[set[Operation]]) -> list[set[Operation]]:
    """Trees that share a load become one."""
    groups: list[set[Operation]] = []
    for tree in trees:
        loads = {op for op in tree if isinstance(op, memref.LoadOp)}
        apart: list[set[Operation]] = []
        for group in groups:
            if loads.isdisjoint(group):
                apart.append(group)
            else:
                tree = tree | group
        groups = [*apart, tree]
    return groups


def _joined_by_conflicts(
    candidate: Candidate, groups: list[set[Operation]], position: dict[Operation, int]
) -> list[set[Operation]]:
    """Merge groups until each conflict goes the same way between two groups, then order them.

    While a group that precedes another also has to follow it, they are one.
    """
    while True:
        precedes = {
            (a, b)
            for a, first in enumerate(groups)
            for b, second in enumerate(groups)
            if a != b and _must_precede(candidate, first, second, position)
        }
        order, cycle = _topological_order(len(groups), precedes, _last_store(groups, position))
        if not cycle:
            return [groups[number] for number in order]
        merged = {op for number in cycle for op in groups[number]}
        groups = [g for number, g in enumerate(groups) if number not in cycle] + [merged]


def _must_precede(
    candidate: Candidate,
    first: set[Operation],
    second: set[Operation],
    position: dict[Operation, int],
) -> bool:
    """Some access of `first` stands before one of `second` to the same array, and one of the two
    is a store."""
    for a in first:
        for b in second:
            if not isinstance(a, MemoryOp) or not isinstance(b, MemoryOp):
                continue
            if isinstance(a, memref.LoadOp) and isinstance(b, memref.LoadOp):
                continue
            if position[a] < position[b] and candidate.base_of(a) is candidate.base_of(b):
                return True
    return False


def _last_store(groups: list[set[Operation]], position: dict[Operation, int]) -> list[int]:
    return [max(position[op] for op in g if isinstance(op, memref.StoreOp)) for g in groups]


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
