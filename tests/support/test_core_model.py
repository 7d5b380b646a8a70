"""The numbers of the models agree with each other where one thing is in several."""

from dataclasses import fields, is_dataclass

import numpy as np

from polyopt.support.core_model import CORE


def test_every_number_is_positive():
    for group in fields(CORE):
        model = getattr(CORE, group.name)
        assert is_dataclass(model)
        for one in fields(model):
            assert np.all(np.array(getattr(model, one.name)) > 0), (group.name, one.name)


def test_what_lies_apart_costs_more_than_what_lies_side_by_side():
    widest = 8
    side_by_side = 1 / CORE.nests.loads / widest
    assert side_by_side < CORE.apart.gathered < CORE.apart.narrow_gathered
    assert CORE.apart.gathered <= CORE.apart.scattered
    assert CORE.apart.narrow_gathered <= CORE.apart.narrow_scattered
    assert CORE.lanes.transposed < CORE.lanes.strided < CORE.lanes.crowded


def test_each_level_is_further_away():
    core, tiles = CORE.nests, CORE.tiles
    assert core.l1_line < core.l2_line < core.l3_line
    assert tiles.l1_line < tiles.l2_line
    assert core.l1_share >= core.l2_share >= core.l3_share
    assert all(0 < part <= 1 for part in (core.l1_share, tiles.l1_share, tiles.l2_share))


def test_what_pays_is_less():
    assert all(0 < one.gain < 1 for one in (CORE.apart, CORE.scans, CORE.lanes, CORE.tiles))


def test_latencies_of_one_thing_are_one():
    assert CORE.nests.add_latency == CORE.scans.float_latency == CORE.lanes.latency
    assert CORE.nests.divide_latency == CORE.scans.division_latency == CORE.lanes.division_latency
