"""Workers of a Dask cluster, for what takes long and comes in pieces.

A piece is a function of polyopt with plain data as arguments and result. What a lost worker had to
do Dask gives to another one; a piece with which several workers were lost has no result.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from polyopt.support.diagnostics import CompileError

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
ANSWER_SECONDS = 10.0
"""How long to wait for a scheduler, and for its first worker."""
AGAIN_SECONDS = 20.0
"""How often a wait is begun anew, which lets Ctrl-C through."""

_ROOMS = ("polyopt", "polyopt.dialects", "polyopt.passes", "polyopt.tools")


class Lost(Exception):
    """Workers that were given this piece were lost, one after the other."""


class Cluster:
    """Pieces of work under way: `start` them, and ask for the `result` of those `done`."""

    def __init__(self, client: Client):
        self.client = client
        self.size = sum(client.nthreads().values())

    def start(self, work: Callable[..., Any], *arguments: Any, urgent: bool = True) -> Future:
        return self.client.submit(work, *arguments, pure=False, priority=1 if urgent else 0)

    def done(self, futures: Sequence[Future], seconds: float | None = None) -> list[Future]:
        """Wait until there are some, or no longer than that. `wait` asks the latest client of the
        process, if none is said to be the current one: also one that reached no scheduler, as long
        as it is not collected, and whose thread is never told of these pieces."""
        import distributed

        end = float("inf") if seconds is None else time.monotonic() + seconds
        with self.client.as_current():
            while True:
                wait = max(0.0, min(AGAIN_SECONDS, end - time.monotonic()))
                try:
                    found = distributed.wait(futures, wait, "FIRST_COMPLETED").done
                except TimeoutError:
                    if time.monotonic() >= end:
                        return []
                    continue
                except CancelledError:
                    raise CompileError("the Dask scheduler has gone away") from None
                return [one for one in futures if one in found]

    def result(self, future: Future) -> Any:
        if future.status == "error":
            error = future.exception()
            if type(error).__name__ == "KilledWorker":
                raise Lost
            raise RuntimeError(f"on a worker: {type(error).__name__}: {error}")
        return future.result()

    def everywhere(self, work: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """The results, or exceptions, of all the workers there are."""
        return self.client.run(work, *arguments, on_error="return")


@contextmanager
def cluster_at(address: str, workers: int | None) -> Generator[Cluster]:
    """The cluster whose scheduler has this address; `local`: one on this machine, of so many
    processes (default: as CPUs). CompileError where it does not answer, has no workers, or has
    others than this polyopt."""
    if find_spec("distributed") is None:
        raise CompileError(
            "--dask needs the Python package 'distributed'",
            hint="pip install 'polyopt[dask]'; --workers needs nothing",
        )
    import distributed

    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if address == LOCAL:
            place = distributed.LocalCluster(
                n_workers=workers or len(os.sched_getaffinity(0)),
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )
            stack.callback(place.close)
        else:
            place = address
        try:
            client = distributed.Client(place, timeout=ANSWER_SECONDS)
        except (OSError, ValueError) as error:
            raise CompileError(
                f"no Dask scheduler answers at '{address}': {error}",
                hint="its address, as 'dask scheduler' prints it, or --dask=local",
            ) from None
        stack.callback(client.close)
        try:
            client.wait_for_workers(1, ANSWER_SECONDS)
        except TimeoutError:
            raise CompileError(
                f"the Dask cluster at '{address}' has no workers",
                hint=f"dask worker {address}",
            ) from None
        cluster = Cluster(client)
        _check_workers(cluster)
        yield cluster


def scratch() -> str:
    """On a worker: a folder that is gone when the worker is."""
    import distributed

    return distributed.get_worker().local_directory


def _check_workers(cluster: Cluster) -> None:
    """All have the polyopt that is here, on the same kind of machine."""
    own = identity()
    for worker, other in cluster.everywhere(identity).items():
        if other == own:
            continue
        what = f"has {other}, here is {own}"
        if isinstance(other, BaseException):
            what = f"has no polyopt like this one: {type(other).__name__}: {other}"
        raise CompileError(
            f"the Dask worker {worker} {what}",
            hint="all workers need the same polyopt, installed where 'dask worker' runs",
        )


def identity() -> str:
    """What results depend on besides the processor: the sources of polyopt, and Python."""
    total = hashlib.sha256()
    folders = dict[str, str]()
    for room in _ROOMS:
        spec = find_spec(room)
        for folder in (spec and spec.submodule_search_locations) or ():
            folders.setdefault(os.path.realpath(folder), room)
    for folder, room in sorted(folders.items(), key=lambda one: one[1]):
        for path in _sources(folder):
            if not any(path.startswith(f"{other}{os.sep}") for other in folders if other > folder):
                with open(path, "rb") as stream:
                    content = stream.read()
                total.update(f"{room} {os.path.relpath(path, folder)}\0".encode())
                total.update(content)
    return f"polyopt {total.hexdigest()[:12]} in Python {platform.python_version()}"


def _sources(folder: str) -> list[str]:
    return sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith((".py", ".c", ".h"))
    )
