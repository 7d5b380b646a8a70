"""Where stretches begin, against the elements that are stored and loaded."""

from itertools import combinations

import pytest

from polyopt.passes.loops.stretches import lead, room_in_front, steps_until_met

LANES = 4


def stretch(first: int, stride: int) -> range:
    """All elements around the lanes of a vector."""
    return range(first, first + stride * LANES)


def meet(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop


CASES = [
    (stride, (0, *rest), first)
    for stride in (2, 3, 4)
    for size in range(stride - 1)
    for rest in combinations(range(1, stride), size)
    for first in range(5)
]


@pytest.mark.parametrize(("stride", "offsets", "first"), CASES)
def test_what_is_loaded_next_does_not_meet_what_is_stored(
    stride: int, offsets: tuple[int, ...], first: int
) -> None:
    for behind in range(-stride, 3 * stride * LANES):
        front = lead(first, offsets, stride, [behind])
        stored = stretch(first - front, stride)
        assert all(first + k + stride * lane in stored for k in offsets for lane in range(LANES))
        loads = [stretch(first - behind + stride * LANES * later, stride) for later in (1, 2, 3, 4)]
        met = [later for later, one in enumerate(loads, 1) if meet(one, stored)]
        foretold = steps_until_met(behind, offsets, stride, LANES)
        assert (foretold is None) == (not met)
        assert foretold is None or foretold <= 4


def test_without_loads_structures_decide() -> None:
    assert [lead(first, (0,), 3, []) for first in range(4)] == [0, 1, 2, 0]
    assert lead(2, (0, 1), 3, []) == 0
    assert room_in_front((0, 1), 3) == 1


@pytest.mark.parametrize("later", [1, 2, 3])
def test_what_is_met_later_is_waited_for_less(later: int) -> None:
    assert steps_until_met(2 * LANES * later + 1, (0,), 2, LANES) == later
