"""What is known of a machine by its name."""

from __future__ import annotations

import pytest

from polyopt.support.target import Target


@pytest.mark.parametrize(
    ("machine", "apart"),
    [
        ("znver1", True),
        ("znver4", True),
        ("znver5+avx512dq", True),
        ("sapphirerapids", False),
        ("x86-64-v4", False),
    ],
)
def test_who_gathers_no_faster_than_one_by_one(machine: str, apart: bool) -> None:
    assert Target.named(machine).gathers_apart == apart


@pytest.mark.parametrize(
    ("machine", "halves"), [("znver4", True), ("znver5", False), ("x86-64-v4", False)]
)
def test_whose_lines_are_halves(machine: str, halves: bool) -> None:
    assert Target.named(machine).halves_lines == halves


@pytest.mark.parametrize(
    ("machine", "distant"),
    [("sapphirerapids", True), ("znver5", False), ("skylake", False), ("x86-64-v4", False)],
)
def test_whose_last_cache_is_far_away(machine: str, distant: bool) -> None:
    assert Target.named(machine).distant_last == distant


@pytest.mark.parametrize(
    ("machine", "near"),
    [("znver3", True), ("znver4", False), ("skylake", False), ("x86-64-v3", False)],
)
def test_whose_last_cache_is_near(machine: str, near: bool) -> None:
    assert Target.named(machine).near_last == near
