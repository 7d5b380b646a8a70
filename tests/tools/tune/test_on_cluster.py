"""Trials on a Dask cluster: the winner of one process, lost workers, and what is said of clusters
that cannot be used."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import NoReturn

import pytest
from oracles.priced_programs import forks, job_in, searched, transpose_space

from polyopt.support.diagnostics import CompileError
from polyopt.tools import cluster as clusters
from polyopt.tools.cluster import Cluster, cluster_at, identity
from polyopt.tools.polyopt_tune import main
from polyopt.tools.tune.ahead import measured
from polyopt.tools.tune.job import Job
from polyopt.tools.tune.on_cluster import ClusterCrew, forget
from polyopt.tools.tune.space import Space

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster() -> Generator[Cluster]:
    with cluster_at("local", 2) as found:
        yield found


@pytest.fixture(scope="module")
def space() -> Space:
    return transpose_space()


def test_the_winner_and_the_way_to_it_are_those_of_one_process(
    cluster: Cluster, space: Space, tmp_path: Path
):
    job = job_in(tmp_path)
    alone, winner, _ = searched(space, forks(job, tmp_path, 1), tmp_path)
    crew = ClusterCrew(cluster, job)
    assert crew.size == 2
    assert searched(space, crew, tmp_path)[:2] == (alone, winner)
    assert len(alone) == 16
    assert "permute S0.j S0.i" in winner


def test_trials_of_lost_workers_are_made_again(cluster: Cluster, space: Space, tmp_path: Path):
    alone, winner, _ = searched(space, forks(job_in(tmp_path), tmp_path, 1), tmp_path)
    (tmp_path / "deadly").write_text("permute S0.j S0.i")
    told, other, _ = searched(space, ClusterCrew(cluster, job_in(tmp_path, "once")), tmp_path)
    assert (tmp_path / "deaths").read_text() == "x"
    assert (told, other) == (alone, winner)


@pytest.mark.slow
def test_a_trial_that_kills_every_worker_is_given_up(cluster: Cluster, tmp_path: Path):
    (tmp_path / "deadly").write_text("unroll")
    crew = ClusterCrew(cluster, job_in(tmp_path))
    assert measured(crew, ("identity", "scop transpose\nunroll S0.i 4\n"), 1).status == "lost"
    assert measured(crew, ("identity", "scop transpose\ntile S0.i 8\n"), 1).status == "ok"


def test_a_baseline_that_fails_on_a_worker_is_told(cluster: Cluster, tmp_path: Path):
    job = job_in(tmp_path)
    (tmp_path / "compiler.py").write_text("raise SystemExit('error: no')")
    with pytest.raises(CompileError, match="the baseline, --poly=identity: exit 1: error: no"):
        ClusterCrew(cluster, job)


def test_nothing_is_left_on_workers(cluster: Cluster, tmp_path: Path):
    job = job_in(tmp_path)

    def folders_of(job: Job) -> list[str]:
        from polyopt.tools.tune import on_cluster

        begun = on_cluster._begun.get(job)  # pyright: ignore[reportPrivateUsage]
        return [begun[0].name] if begun is not None and os.path.exists(begun[0].name) else []

    ClusterCrew(cluster, job)
    assert any(cluster.everywhere(folders_of, job).values())
    cluster.everywhere(forget, job)
    assert not any(cluster.everywhere(folders_of, job).values())


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "no Dask scheduler answers at 'nonsense'"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at 'tcp://127.0.0.1:9'"),
    ],
)
def test_who_does_not_answer_is_told(
    address: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(clusters, "ANSWER_SECONDS", 0.5)
    path = tmp_path / "kernel.c"
    path.write_text(
        "int a[99]; int main(void) { for (int i = 0; i < 99; i++) a[i] = i; return 0; }"
    )
    assert main([str(path), f"--dask={address}"]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clusters, "ANSWER_SECONDS", 0.5)
    place = distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=40
    )
    with place, pytest.raises(CompileError, match="has no workers"):
        with cluster_at(place.scheduler_address, None):
            pass


def test_workers_with_another_polyopt_are_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch):
    assert set(cluster.everywhere(identity).values()) == {identity()}
    here = os.getpid()

    def other_identity() -> str:
        return "another" if os.getpid() == here else "an older polyopt"

    monkeypatch.setattr(clusters, "identity", other_identity)
    with pytest.raises(CompileError, match="has an older polyopt"):
        clusters._check_workers(cluster)  # pyright: ignore[reportPrivateUsage]


def test_a_defect_on_a_worker_is_told(cluster: Cluster):
    def fail() -> NoReturn:
        raise ValueError("no")

    future = cluster.start(fail)
    cluster.done([future])
    with pytest.raises(RuntimeError, match="on a worker: ValueError: no"):
        cluster.result(future)


def test_pieces_are_waited_for_where_they_were_started(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
):
    """Not by the latest client of the process, which is here one that has reached nobody."""
    wait = distributed.wait

    def watched(*arguments: object) -> object:
        assert distributed.default_client() is cluster.client
        return wait(*arguments)

    monkeypatch.setattr(distributed, "wait", watched)
    monkeypatch.setattr(clusters, "ANSWER_SECONDS", 0.5)
    with pytest.raises(CompileError, match="no Dask scheduler") as refused:
        with cluster_at("nonsense", None):
            pass
    future = cluster.start(identity)
    assert refused.value.__context__ is not None  # its frames hold that client
    assert cluster.done([future]) == [future]


def test_without_dask_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clusters, "find_spec", _no_spec)
    with pytest.raises(CompileError, match="--dask needs the Python package 'distributed'"):
        with cluster_at("local", 1):
            pass


def _no_spec(name: str) -> None:
    return None
