"""Trials by several workers come to what one comes to: with a compiler whose programs say what
they cost, that kills workers, or that is watched."""

import os
from collections.abc import Collection
from pathlib import Path

import pytest
from oracles.priced_programs import forks, job_in, searched, transpose_space

from polyopt.tools.tune.ahead import Ahead, Trial, expected, measured
from polyopt.tools.tune.forks import ATTEMPTS, Forks
from polyopt.tools.tune.job import Job
from polyopt.tools.tune.journal import Journal
from polyopt.tools.tune.search import Budget, search
from polyopt.tools.tune.space import Space
from polyopt.tools.tune.trials import Outcome


@pytest.fixture
def space() -> Space:
    return transpose_space()


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return job_in(tmp_path)


@pytest.mark.parametrize("size", [2, 5])
def test_the_winner_and_the_way_to_it_are_those_of_one_worker(
    size: int, space: Space, job: Job, tmp_path: Path
):
    alone, winner, _ = searched(space, forks(job, tmp_path, 1), tmp_path)
    told, other, journal = searched(space, forks(job, tmp_path, size), tmp_path)
    assert told == alone
    assert other == winner
    assert "permute S0.j S0.i" in winner
    assert "tile" in winner
    assert len(told) == 16
    assert len(journal.outcomes) >= 16


def test_trials_of_lost_workers_are_made_again(space: Space, tmp_path: Path):
    alone, winner, _ = searched(space, forks(job_in(tmp_path), tmp_path, 1), tmp_path)
    (tmp_path / "deadly").write_text("permute S0.j S0.i")
    told, other, _ = searched(space, forks(job_in(tmp_path, "once"), tmp_path, 2), tmp_path)
    assert (tmp_path / "deaths").read_text() == "x"
    assert (told, other) == (alone, winner)


def test_a_trial_that_kills_every_worker_is_given_up(job: Job, tmp_path: Path):
    (tmp_path / "deadly").write_text("unroll")
    crew = Forks(job.begin(tmp_path), 2)
    outcome = measured(crew, ("identity", "scop transpose\nunroll S0.i 4\n"), 1)
    assert outcome == Outcome("lost", detail=f"{ATTEMPTS} workers were ended by SIGKILL")
    assert (tmp_path / "deaths").read_text() == "x" * ATTEMPTS
    assert measured(crew, ("identity", "scop transpose\ntile S0.i 8\n"), 1).status == "ok"


def test_one_program_is_timed_at_a_time(space: Space, job: Job, tmp_path: Path):
    (tmp_path / "slow").touch()
    searched(space, forks(job, tmp_path, 4), tmp_path, trials=6)
    log = (tmp_path / "log").read_text().split()
    assert len(log) >= 2 * (2 + 6 * 2)
    # What is not wanted any more is ended, maybe while it runs: a second beginning then.
    ends = [k for k, word in enumerate(log) if word == "end"]
    assert all(log[k - 1] == "begin" for k in ends)


def test_trials_are_made_where_the_source_is(tmp_path: Path):
    """What it includes, and what flags and programs name from here, are found."""
    (tmp_path / "sizes.h").write_text("#define N 7\n")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "more.h").write_text("#define M 6\n")
    (tmp_path / "data").write_text("")
    text = '#include "sizes.h"\n#include "more.h"\n#include <stdio.h>\n' + (
        'int main(int argc, char **argv)\n{ if (!fopen(argv[1], "r")) return 1;'
        ' printf("x = %d\\n", N * M); return 0; }\n'
    )
    here = str(tmp_path)
    job = Job("t.c", text, here, here, ("-O1", "-Imore"), "auto", ("data",), 1, True, 60.0)
    work = tmp_path / "work"
    work.mkdir()
    trials = job.begin(work)
    assert trials.measure("auto", "", 1.0).score is not None


class Workers:
    """A crew that is told what is finished."""

    baseline_seconds = 1.0

    def __init__(self, size: int, outcomes: list[dict[Trial, Outcome]]):
        self.size, self.outcomes = size, outcomes
        self._under_way, self.ended = list[Trial](), list[Trial]()
        self.waited = list[float | None]()

    @property
    def under_way(self) -> Collection[Trial]:
        return self._under_way

    def begin(self, trial: Trial, best: float, repeat: int | None = None) -> None:
        assert len(self._under_way) < self.size
        self._under_way.append(trial)

    def end(self, trial: Trial) -> None:
        self._under_way.remove(trial)
        self.ended.append(trial)

    def finished(self, seconds: float | None = None) -> dict[Trial, Outcome]:
        self.waited.append(seconds)
        found = self.outcomes.pop(0)
        for trial in found:
            self._under_way.remove(trial)
        return found

    def close(self) -> None: ...


def test_all_workers_have_work_and_wrong_guesses_make_room(space: Space, tmp_path: Path):
    journal = Journal(tmp_path / "journal.json", {})
    budget = Budget(trials=50)
    guesses = expected(space, journal, budget, 3)
    assert len(set(guesses)) == 3
    crew = Workers(3, [{guesses[0]: Outcome("slow")}])
    ahead = Ahead(crew, space, budget, journal)
    assert ahead.measure(*guesses[0], 1.0).status == "slow"
    assert list(crew.under_way) == guesses[1:]
    # One helps that nobody expected to: its neighbours come first, and one guess has to go.
    journal.put(*guesses[1], Outcome("ok", 0.1, 0.1))
    crew._under_way.append(("identity", "stale"))  # pyright: ignore[reportPrivateUsage]
    asked = expected(space, journal, budget, 1)[0]
    assert asked not in crew.under_way
    crew.outcomes.append({asked: Outcome("ok", 0.05, 0.05)})
    assert ahead.measure(*asked, 0.1).score == 0.05
    assert crew.ended == [("identity", "stale")]


def test_the_budget_is_not_guessed_beyond(space: Space, tmp_path: Path):
    journal = Journal(tmp_path / "journal.json", {})
    assert len(expected(space, journal, Budget(trials=2), 9)) == 2


def test_here_is_the_process_of_the_tests(space: Space, job: Job, tmp_path: Path):
    """Forks that are ended do not come back as the search."""
    here = os.getpid()
    searched(space, forks(job, tmp_path, 3), tmp_path, trials=3)
    assert os.getpid() == here


def test_a_trial_is_given_up_when_the_time_is_up(space: Space, tmp_path: Path):
    """The search ends with what it has: a build of a minute is not waited for in a budget of two
    seconds."""
    budget = Budget(seconds=2.0)
    (first,) = expected(space, Journal(tmp_path / "guessed.json", {}), Budget(trials=9), 1)
    crew = Workers(1, [{first: Outcome("ok", 0.5, 0.5)}, {}])
    passed = iter([0.0, 0.5, 0.5, 2.5])
    journal = Journal(tmp_path / "journal.json", {})
    ahead = Ahead(crew, space, budget, journal, lambda: next(passed))
    asked = list[Trial]()

    def measure(base: str, script: str, best: float) -> Outcome:
        asked.append((base, script))
        return ahead.measure(base, script, best)

    tally = search(space, measure, budget, lambda tally, point, outcome: None, lambda: 0.0)
    assert (tally.measured, tally.score) == (1, 0.5)
    assert crew.waited == [2.0 - 0.5, 2.0 - 0.5]
    assert len(asked) == 2
    assert asked[0] == first
    assert journal.get(*asked[1]) is None
