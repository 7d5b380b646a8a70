"""From how many cycles on threads pay: what is measured, what is kept, who asks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from polyopt.driver.options.settings import Settings
from polyopt.driver.threads import fork_cost
from polyopt.driver.threads.fork_cost import STEPS, measured_threshold, threshold_of
from polyopt.driver.threads.threads_runtime import ThreadsRuntime, chosen_runtime
from polyopt.driver.units.room_options import pipeline_options
from polyopt.pipeline_options import PARALLEL_THRESHOLD

SOME = ThreadsRuntime("libgomp", "/nowhere/libgomp.so.1")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("POLYOPT_CACHE_DIR", str(tmp_path))
    return tmp_path


def kept_in(folder: Path) -> Path:
    return folder / f"fork-libgomp-{os.uname().nodename}"


def test_the_nearest_step_by_its_ratio():
    found = [threshold_of(one) for one in (-5.0, 0.0, 100.0, 5e3, 1e4, 1e9)]
    assert found[0] == found[1] == STEPS[0]
    assert found == sorted(found)
    assert found[-1] == STEPS[-1]
    assert threshold_of(5000.0) == PARALLEL_THRESHOLD  # 4 x 15,000 cycles
    assert threshold_of(33_000.0) == 8 * PARALLEL_THRESHOLD  # 396,000 cycles
    assert threshold_of(None) == PARALLEL_THRESHOLD


def test_measured_once(folder: Path, monkeypatch: pytest.MonkeyPatch):
    asked = list[str]()

    def measure(library: str) -> float:
        asked.append(library)
        return 1e9

    monkeypatch.setattr(fork_cost, "_measure", measure)
    assert [measured_threshold(SOME) for _ in range(3)] == [STEPS[-1]] * 3
    assert asked == [SOME.path]
    kept_in(folder).unlink()
    measured_threshold(SOME)
    assert len(asked) == 2


@pytest.mark.parametrize("text", ["", "fast", "17", "-60000", "\xff"])
def test_what_is_no_answer_counts_for_nothing(folder: Path, text: str):
    kept_in(folder).write_text(text, encoding="latin-1")
    assert measured_threshold(SOME) == PARALLEL_THRESHOLD


def test_nothing_is_measured_without_a_cache(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fork_cost, "_measure", None)
    monkeypatch.setenv("POLYOPT_CACHE_DIR", "off")
    assert measured_threshold(SOME) == PARALLEL_THRESHOLD


def test_a_library_that_is_none(folder: Path):
    assert measured_threshold(SOME) == PARALLEL_THRESHOLD
    assert kept_in(folder).read_text() == str(PARALLEL_THRESHOLD)


def test_only_code_for_this_machine_asks(folder: Path):
    if chosen_runtime(Settings(parallel=0)) is None:
        pytest.skip("no library runs threads")
    for family in ("libgomp", "libomp"):
        (folder / f"fork-{family}-{os.uname().nodename}").write_text(str(STEPS[-1]))

    def threshold(**settings: object) -> int:
        return pipeline_options(Settings(**settings)).parallel_threshold  # type: ignore[arg-type]

    assert threshold(parallel=0, march="native") == STEPS[-1]
    assert threshold(parallel=0, march="native", parallel_threshold=7) == 7
    assert threshold(parallel=0) == threshold(parallel=0, march="x86-64-v3") == PARALLEL_THRESHOLD
    assert threshold(march="native") == PARALLEL_THRESHOLD
