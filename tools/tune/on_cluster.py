"""Trials on the workers of a Dask cluster: each builds the baseline once, and measures against it.

Scores are times over the baseline's on the same machine. Machines should be alike: a score of one
is compared with that of another.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from polyopt.support.diagnostics import CompileError
from polyopt.tools.cluster import Cluster, Lost, scratch
from polyopt.tools.tune.ahead import Trial
from polyopt.tools.tune.job import Job
from polyopt.tools.tune.trials import Outcome, Trials

if TYPE_CHECKING:
    from distributed import Future


class ClusterCrew:
    """A crew of so many trials at a time. What a worker is at is not ended, but not waited for."""

    def __init__(self, cluster: Cluster, job: Job, size: int | None = None):
        self.cluster, self.job = cluster, job
        self.size = size or cluster.size
        self._futures: dict[Trial, Future] = {}
        self.baseline_seconds = self._baseline()

    def _baseline(self) -> float:
        future = self.cluster.start(baseline_seconds, self.job)
        self.cluster.done([future])
        try:
            found = self.cluster.result(future)
        except Lost:
            raise CompileError("workers are lost when they run the baseline") from None
        if isinstance(found, str):
            raise CompileError(found)
        return found

    @property
    def under_way(self) -> Collection[Trial]:
        return self._futures.keys()

    def begin(self, trial: Trial, best: float, repeat: int | None = None) -> None:
        self._futures[trial] = self.cluster.start(measure, self.job, *trial, best, repeat)

    def end(self, trial: Trial) -> None:
        self._futures.pop(trial).cancel()

    def finished(self, seconds: float | None = None) -> dict[Trial, Outcome]:
        done = set(self.cluster.done(list(self._futures.values()), seconds))
        found = [trial for trial, future in self._futures.items() if future in done]
        return {trial: self._outcome(self._futures.pop(trial)) for trial in found}

    def _outcome(self, future: Future) -> Outcome:
        try:
            found = self.cluster.result(future)
        except Lost:
            return Outcome("lost", detail="workers were lost with it, one after the other")
        return Outcome("baseline", detail=found) if isinstance(found, str) else Outcome(**found)

    def close(self) -> None:
        for trial in list(self.under_way):
            self.end(trial)


_begun: dict[Job, tuple[TemporaryDirectory[str], Trials]] = {}
_beginning = threading.Lock()


def _trials(job: Job) -> Trials:
    """This worker's trials of the job; CompileError if the baseline fails here."""
    with _beginning:
        if job not in _begun:
            folder = TemporaryDirectory(prefix="polyopt-tune-", dir=scratch())
            _begun[job] = folder, job.begin(Path(folder.name))
        return _begun[job][1]


def forget(job: Job) -> None:
    """On a worker: remove what was built for the job."""
    with _beginning:
        begun = _begun.pop(job, None)
    if begun is not None:
        begun[0].cleanup()


def baseline_seconds(job: Job) -> float | str:
    """On a worker: how long the baseline takes, or what is wrong with it."""
    try:
        return _trials(job).baseline_seconds
    except CompileError as error:
        return error.diagnostic.message


def measure(
    job: Job, base: str, script: str, best: float, repeat: int | None
) -> dict[str, Any] | str:
    """On a worker: the outcome as a dictionary, or what is wrong with the baseline there."""
    try:
        trials = _trials(job)
    except CompileError as error:
        return error.diagnostic.message
    return asdict(trials.measure(base, script, best, repeat))
