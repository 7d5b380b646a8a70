"""Networks of shuffles, run on lists: every lane of every result is the element wanted."""

from __future__ import annotations

from random import Random

import pytest
from oracles.shuffled_lists import columns, rows, run

from polyopt.passes.loops.shuffle_network import Lanes, shuffle_network


def agrees(found: list[int], wanted: Lanes) -> bool:
    return all(one in (None, lane) for one, lane in zip(wanted, found, strict=True))


@pytest.mark.parametrize("lanes", [2, 4, 8, 16, 32])
@pytest.mark.parametrize("count", range(1, 9))
def test_rows_become_columns_and_rows_again(lanes: int, count: int) -> None:
    whole, turns = rows(count, lanes), columns(count, lanes)
    apart, together = shuffle_network(whole, turns, lanes), shuffle_network(turns, whole, lanes)
    assert run(apart, whole) == turns
    assert run(together, turns) == whole
    most = count * (count - 1)
    assert len(apart.shuffles) <= most
    assert len(together.shuffles) <= most


@pytest.mark.parametrize(("count", "steps"), [(1, 0), (2, 1), (4, 2), (8, 3)])
def test_a_square_takes_its_logarithm_for_each_vector(count: int, steps: int) -> None:
    network = shuffle_network(rows(count, 8), columns(count, 8), 8)
    assert len(network.shuffles) == steps * count


@pytest.mark.parametrize("seed", range(200))
def test_whatever_is_wanted_where(seed: int) -> None:
    """Sources that share elements, results with lanes for anything, elements more than once."""
    random = Random(seed)
    lanes = random.choice([2, 4, 8])
    starts = sorted(random.sample(range(40), random.randint(1, 6)))
    sources = [list(range(start, start + lanes)) for start in starts]
    held = sorted({element for source in sources for element in source})
    results = [
        [random.choice(held) if random.random() < 0.8 else None for _ in range(lanes)]
        for _ in range(random.randint(1, 5))
    ]
    found = run(shuffle_network(sources, results, lanes), sources)
    assert all(agrees(*pair) for pair in zip(found, results, strict=True))
