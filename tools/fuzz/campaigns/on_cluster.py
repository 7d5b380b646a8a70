"""Programs of seeds tried on the workers of a Dask cluster.

The compiler is loaded once in a process of its own beside each worker's thread (`server`), which
forks for each seed: threads and forks do not go together.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import asdict
from typing import IO, TYPE_CHECKING, Any

from polyopt.tools.children import Limits, Outcome
from polyopt.tools.cluster import Cluster, Lost

if TYPE_CHECKING:
    from distributed import Future


PROGRAMS = "polyopt.tools.fuzz.campaigns.campaign:try_program"
MUTANTS = "polyopt.tools.fuzz.campaigns.mutants:try_mutants"


class ClusterCrew:
    """A crew of as many as the cluster has threads. `attempt` is the name of what is done with a
    seed (`campaign.Attempt`)."""

    def __init__(self, cluster: Cluster, per_program: int, attempt: str = PROGRAMS):
        self.cluster, self.size = cluster, cluster.size
        self.request = {"attempt": attempt, "count": per_program, "limits": asdict(Limits())}
        self._futures: dict[int, Future] = {}

    def begin(self, seed: int) -> None:
        self._futures[seed] = self.cluster.start(attempt, {**self.request, "seed": seed})

    def finished(self) -> list[tuple[int, Outcome]]:
        done = set(self.cluster.done(list(self._futures.values())))
        found = [seed for seed, future in self._futures.items() if future in done]
        return [(seed, self._outcome(self._futures.pop(seed))) for seed in found]

    def _outcome(self, future: Future) -> Outcome:
        try:
            return Outcome(**self.cluster.result(future))
        except Lost:
            return Outcome("killed", "", detail="workers were lost with it, one after the other")

    def close(self) -> None:
        self.cluster.everywhere(end_servers)


_servers: dict[int, subprocess.Popen[str]] = {}
_starting = threading.Lock()


def attempt(request: dict[str, Any]) -> dict[str, Any]:
    """On a worker: the outcome for the request's seed, from this thread's server."""
    server = _server()
    _pipe(server.stdin).write(json.dumps(request) + "\n")
    _pipe(server.stdin).flush()
    answer = _pipe(server.stdout).readline()
    if not answer:
        raise RuntimeError(f"the server of the fuzzer ended with status {server.wait()}")
    return json.loads(answer)


def _server() -> subprocess.Popen[str]:
    thread = threading.get_ident()
    with _starting:
        server = _servers.get(thread)
        if server is None or server.poll() is not None:
            server = subprocess.Popen(
                [sys.executable, "-m", "polyopt.tools.fuzz.campaigns.server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            _servers[thread] = server
        return server


def end_servers() -> None:
    """On a worker: those of all its threads; each ends what it is at."""
    with _starting:
        while _servers:
            server = _servers.popitem()[1]
            _pipe(server.stdin).close()
            server.wait()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
