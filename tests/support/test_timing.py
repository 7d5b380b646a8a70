"""Named stretches of work add up, with and without a collector, also when they fail."""

import time

import pytest

from polyopt.support.timing import collect_timings, timed


def test_stretches_add_up_by_name():
    with collect_timings() as timings:
        for name in ("one", "two", "one"):
            with timed(name):
                time.sleep(0.01)
    assert list(timings.stretches) == ["one", "two"]
    one = timings.stretches["one"]
    assert one.wall >= 0.02
    assert one.cpu < one.wall
    assert timings.render().splitlines()[-1].endswith("total")


def test_a_failing_stretch_counts():
    with collect_timings() as timings, pytest.raises(ValueError, match="no"), timed("one"):
        raise ValueError("no")
    assert "one" in timings.stretches


def test_without_a_collector_nothing_is_kept():
    with timed("one"):
        pass
    with collect_timings() as timings:
        pass
    assert timings.stretches == {}
