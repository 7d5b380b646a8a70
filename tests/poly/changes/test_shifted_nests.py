"""Sweeps that share a loop some rows late: every pair of instances that touch one element in the
order of the source, and no loop shared for nothing."""

from collections.abc import Sequence
from random import Random

import pytest
from oracles.polyhedral import conflicts, execution_order

from polyopt.poly.changes.shifted_nests import fuse_shifted
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import Band, Tree, build_schedule, read_tree
from polyopt.poly.schedule_tree import Sequence as TreeSequence
from polyopt.poly.scop import Scop
from polyopt.support.target import Target

TARGET = Target.named("x86-64-v3")


def sweeps(*statements: str, ends: Sequence[str] = ("n",) * 4) -> Scop:
    """One nest of rows for each of the statements."""
    lines = ["[n, m]"]
    for k, statement in enumerate(statements):
        lines += [f"for i : 0 <= i < {ends[k]}", "  for j : 0 <= j < m", f"    S{k}: {statement}"]
    return parse_scop("\n".join(lines))


def fused(scop: Scop) -> Tree:
    validity = compute_dependences(scop).validity
    return fuse_shifted(scop, read_tree(scop.schedule), validity, TARGET)


def nests(tree: Tree) -> int:
    return len(tree.children) if isinstance(tree, TreeSequence) else 1


def shared(tree: Tree) -> bool:
    return isinstance(tree, Band) and isinstance(tree.child, TreeSequence)


def keeps_order(scop: Scop, tree: Tree) -> bool:
    schedule = build_schedule(scop.domain, tree)
    for sizes in ({"n": 0, "m": 3}, {"n": 1, "m": 2}, {"n": 3, "m": 1}, {"n": 7, "m": 2}):
        source = execution_order(scop.schedule, sizes)
        place = {point: k for k, point in enumerate(execution_order(schedule, sizes))}
        if place.keys() != set(source):
            return False
        if any(place[one] > place[other] for one, other in conflicts(scop, source, sizes)):
            return False
    return True


@pytest.mark.parametrize(
    "statements",
    [
        ("B[i, j] = A[i, j]", "C[i, j] = B[i + 1, j] A[i, j]"),
        ("B[i, j] = A[i, j]", "A[i + 2, j] = B[i, j] A[i + 3, j]"),
        ("B[i, j] = A[i, j]", "C[i, j] = B[i + 1, j] A[i, j]", "D[i, j] = C[i + 2, j] A[i, j]"),
    ],
)
def test_what_is_touched_twice_is_shared(statements: tuple[str, ...]):
    scop = sweeps(*statements)
    tree = fused(scop)
    assert shared(tree)
    assert keeps_order(scop, tree)


@pytest.mark.parametrize(
    "statements",
    [
        ("B[i, j] = A[i, j]", "C[i, j] = B[i + 1, j]"),  # two bytes for two
        ("B[i, j] = A[i, j]", "C[i, j] = B[j, i] A[i, j]"),  # another order
        ("B[i, j] = A[i, j]", "C[i, j] = B[n - 1 - i, j] A[i, j]"),  # no least shift
        ("B[i, j] = A[i, j]", "C[i, j] = B[i + 9, j] A[i, j]"),  # too late
        ("B[i, j] = A[i, j] B[i, j - 1]", "C[i, j] = B[i + 1, j] A[i, j]"),  # rows in lanes
        ("B[i, j] = A[i, j]", "C[i, j] = D[i, j]"),  # nothing in common
    ],
)
def test_what_gains_nothing_stays_apart(statements: tuple[str, ...]):
    scop = sweeps(*statements)
    tree = read_tree(scop.schedule)
    validity = compute_dependences(scop).validity
    assert fuse_shifted(scop, tree, validity, TARGET) is tree


def test_no_order_is_broken():
    """Of random sweeps, some are fused, and none wrongly."""
    random, changed = Random(7), 0
    for _ in range(60):
        arrays = "ABCD"
        statements = list[str]()
        for _ in range(random.randint(2, 4)):
            reads = " ".join(
                f"{random.choice(arrays)}[i + {random.randint(-2, 3)}, j + {random.randint(0, 1)}]"
                for _ in range(random.randint(1, 3))
            )
            statements.append(f"{random.choice(arrays)}[i, j] = {reads}".replace("+ -", "- "))
        ends = [random.choice(["n", "n + 1", "n - 1", "n - 2"]) for _ in statements]
        scop = sweeps(*statements, ends=ends)
        tree = fused(scop)
        changed += nests(tree) < len(statements)
        assert keeps_order(scop, tree), statements
    assert changed >= 10
