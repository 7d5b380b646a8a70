"""The check agrees with its definition: no path from the entry reaches the use around the
definition."""

from random import Random

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Region
from xdsl.utils.exceptions import VerifyException

from polyopt.ir.checks.dominance_check import check_dominance


def is_accepted(module: ModuleOp) -> bool:
    try:
        check_dominance(module)
    except VerifyException:
        return False
    return True


def reached(targets: list[list[int]], around: int | None) -> set[int]:
    """The blocks that paths from block 0 reach without passing through block `around`."""
    found: set[int] = set()
    pending = [0] if around != 0 else []
    while pending:
        block = pending.pop()
        if block not in found and block != around:
            found.add(block)
            pending += targets[block]
    return found


@pytest.mark.parametrize("seed", range(200))
def test_random_graphs(seed: int):
    random = Random(seed)
    count = random.randint(2, 6)
    targets = [
        random.sample(range(1, count), random.randint(0, min(2, count - 1))) for _ in range(count)
    ]
    blocks = [Block() for _ in range(count)]
    defining, using = random.randrange(count), random.randrange(count)
    definition = test.TestOp(result_types=[IndexType()])
    use = test.TestOp(operands=[definition.results[0]])
    first, second = (definition, use) if random.random() < 0.7 else (use, definition)
    blocks[defining if first is definition else using].add_op(first)
    blocks[defining if second is definition else using].add_op(second)
    for block, successors in zip(blocks, targets, strict=True):
        block.add_op(test.TestTermOp(successors=[blocks[n] for n in successors]))
    module = ModuleOp([test.TestOp(regions=[Region(blocks)])])

    if defining == using:
        expected = first is definition
    else:
        expected = using not in reached(targets, around=defining)
    assert is_accepted(module) == expected


def test_values_of_a_region_are_not_seen_behind_it():
    inner = test.TestOp(result_types=[IndexType()])
    module = ModuleOp(
        [test.TestOp(regions=[Region(Block([inner]))]), test.TestOp([inner.results[0]])]
    )
    assert not is_accepted(module)


def test_values_from_around_are_seen_in_a_region():
    outer = test.TestOp(result_types=[IndexType()])
    inside = test.TestOp(regions=[Region(Block([test.TestOp([outer.results[0]])]))])
    assert is_accepted(ModuleOp([outer, inside]))


def test_an_operation_does_not_see_its_own_results_inside():
    inner = test.TestOp()
    around = test.TestOp(result_types=[IndexType()], regions=[Region(Block([inner]))])
    inner.operands = [around.results[0]]
    assert not is_accepted(ModuleOp([around]))
