"""Bytes in turns, looked up in whole registers: every byte that is wanted is in its place."""

from __future__ import annotations

import pytest
from xdsl.dialects import test, vector
from xdsl.dialects.builtin import VectorType, i8
from xdsl.ir import Block, SSAValue

from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.transfers.wide_shuffles import are_better_joined, joined


def held_by(block: Block, known: dict[SSAValue, list[int | None]]) -> None:
    """What is in the lanes of each shuffle; nothing is known of lanes for anything."""
    for op in block.ops:
        if isinstance(op, vector.ShuffleOp):
            both = known[op.v1] + known[op.v2]
            known[op.result] = [None if lane < 0 else both[lane] for lane in op.mask.get_values()]


@pytest.mark.parametrize("lanes", [8, 16, 32])
@pytest.mark.parametrize("group", [2, 3, 5, 6, 7, 8, 12, 17])
@pytest.mark.parametrize("hole", [None, 1])
def test_all_bytes_are_in_turns(lanes: int, group: int, hole: int | None) -> None:
    made = test.TestOp(result_types=[VectorType(i8, [lanes])] * group)
    builder = AffineBuilder(Block(), made)
    places = [place for place in range(group) if place != hole]
    sources = [list(range(place, group * lanes, group)) for place in places]
    stored = {element for source in sources for element in source}
    wanted = [one if one in stored else None for one in range(max(stored) + 1)]
    vectors = list(made.results)[: len(places)]
    known: dict[SSAValue, list[int | None]] = {
        value: list(source) for value, source in zip(vectors, sources, strict=True)
    }
    found = joined(builder, vectors, sources, wanted)
    held_by(builder.block, known)
    assert [lane for _, _, part in found for lane in part] == wanted
    for start, value, part in found:
        assert wanted[start : start + len(part)] == list(part)
        assert len(part) & (len(part) - 1) == 0
        assert all(one in (None, lane) for one, lane in zip(part, known[value], strict=True))


@pytest.mark.parametrize(
    ("lanes", "group", "is_better"), [(16, 6, True), (16, 2, False), (32, 2, False), (32, 6, True)]
)
def test_joins_cost_too(lanes: int, group: int, is_better: bool) -> None:
    sources = [range(place, group * lanes, group) for place in range(group)]
    results = [range(start, start + lanes) for start in range(0, group * lanes, lanes)]
    assert are_better_joined(sources, results) == is_better
