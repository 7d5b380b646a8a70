"""Blocks that come back are the same whether one is asked for, by a search, or all of them."""

from __future__ import annotations

import pytest
from oracles.random_flow import flow_of, random_edges

from polyopt.ir.control.cfg import Cycles, comes_back


@pytest.mark.parametrize("seed", range(200))
def test_cycles_are_the_blocks_that_come_back(seed: int):
    body = flow_of(random_edges(seed)).body
    cycles = Cycles()
    found = [block in cycles for block in body.blocks]
    assert found == [comes_back(block) for block in body.blocks]


def test_some_blocks_come_back_and_some_do_not():
    body = flow_of([(1,), (2, 3), (1,), (3, 4), ()]).body
    cycles = Cycles()
    assert [block in cycles for block in body.blocks] == [False, True, True, True, False]


def test_more_blocks_in_a_row_than_python_may_call():
    count = 2000
    body = flow_of([*[(n + 1,) for n in range(count - 1)], (count // 2,)]).body
    cycles = Cycles()
    assert [n for n, block in enumerate(body.blocks) if block in cycles] == [
        *range(count // 2, count)
    ]
