"""Children without limits: what ends them, and what they have started."""

import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from polyopt.tools import children
from polyopt.tools.children import Child, Limits, Say, in_child, wait_for, without_trace


def test_what_is_stopped_ends_what_it_has_started(tmp_path: Path):
    said = tmp_path / "process"

    def sleep(say: Say) -> None:
        with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
            try:
                said.write_text(str(process.pid))
                process.wait()
            finally:
                process.kill()
                process.wait()

    child = Child.start(sleep, None)
    while not said.exists() or not said.read_text():
        time.sleep(0.01)
    begun = time.monotonic()
    child.stop()
    assert time.monotonic() - begun < 30
    assert not Path(f"/proc/{said.read_text()}").exists()


def test_stopped_at_once_it_does_not_come_back_here():
    """The interrupt may be there before the child is: none of these goes on in this test."""
    here = os.getpid()
    for _ in range(20):
        Child.start(lambda say: time.sleep(60), None).stop()
        assert os.getpid() == here


def test_how_it_was_ended_is_told():
    child = Child.start(lambda say: os.kill(os.getpid(), 9), None)
    assert wait_for([child]) == [child]
    ended = child.outcome()
    assert (ended.ending, ended.detail) == ("killed", "SIGKILL")


def test_the_wait_for_a_child_may_end_before_it_does():
    child = Child.start(lambda say: time.sleep(60), None)
    assert wait_for([child], 0.05) == []
    child.stop()


def test_what_waits_for_too_long_is_ended():
    assert in_child(lambda say: time.sleep(60), Limits(seconds=0.1)).ending == "slow"


def test_time_for_which_all_were_stopped_does_not_count(monkeypatch: pytest.MonkeyPatch):
    """It may take 1.5 seconds by the clock, takes 2.3, and for 2 of these nobody looked."""
    look = select.select
    stops = [2.0]

    def stopped_once(*wanted: Any) -> Any:
        time.sleep(stops.pop() if stops else 0.0)
        return look(*wanted)

    monkeypatch.setattr(children, "LOOKS", 0.1)
    monkeypatch.setattr(select, "select", stopped_once)
    outcome = in_child(lambda say: time.sleep(2.3), Limits(seconds=0.25))
    assert outcome.ending == "returned"


def test_nothing_is_known_of_what_leaves_no_trace():
    seen = list[int]()

    def look() -> int:
        seen.append(1)
        return len(seen)

    assert [without_trace(look), without_trace(look)] == [1, 1]
    assert seen == []


def test_what_fails_without_a_trace_fails_here():
    def fail() -> int:
        raise ValueError("as it does")

    with pytest.raises(ValueError, match="as it does"):
        without_trace(fail)
