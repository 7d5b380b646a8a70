"""Who tries the programs does not matter for what is found: forks, processes on a cluster, lost
workers, whoever is faster."""

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from polyopt.tools.children import Limits, Outcome, Say
from polyopt.tools.cluster import Cluster, cluster_at
from polyopt.tools.fuzz.campaigns.campaign import Attempt, Campaign, Forks, Tally
from polyopt.tools.fuzz.campaigns.on_cluster import ClusterCrew

PLANTED = r"""
import os, signal
from pathlib import Path

HERE = Path(__file__).parent
KINDS = {3: "odd", 4: "odd", 5: "odder", 7: "odd"}


def attempt(seed, count, limits, say):
    say("trying")
    deadly = HERE / "deadly"
    if seed == 6 and deadly.exists():
        if deadly.read_text() == "once":
            deadly.unlink()
        with open(HERE / "deaths", "a") as stream:
            stream.write("x")
        server = os.getppid()
        os.kill(int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1]), 9)
    fields = {"name": "error" if seed in KINDS else "same", "what": KINDS.get(seed, ""),
              "became": {}, "script": "", "seconds": 0.0}
    return {"drawn": [], "trials": [[["-O1"], fields]] * count}
"""
SEEDS = range(1, 10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "planted_attempt.py").write_text(PLANTED)
    return folder


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Generator[Cluster]:
    pytest.importorskip("distributed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with cluster_at("local", 2) as found:
            yield found


def planted(folder: Path) -> Attempt:
    names: dict[str, Any] = {"__file__": str(folder / "planted_attempt.py")}
    exec(PLANTED, names)
    return names["attempt"]


Told = list[tuple[int, str, bool]]


def told(tally: Tally, firsts: list[bool]) -> Told:
    return [
        (finding.seed, finding.verdict.what, is_first)
        for finding, is_first in zip(tally.findings, firsts, strict=True)
    ]


def found_alone(folder: Path) -> Told:
    firsts = list[bool]()
    crew = Forks(1, 2, attempt=planted(folder))
    return told(Campaign(crew, lambda _, is_first: firsts.append(is_first)).run(SEEDS), firsts)


def test_findings_do_not_depend_on_who_is_faster(folder: Path):
    def slow_at_first(seed: int, count: int, limits: Limits, say: Say) -> dict[str, Any]:
        time.sleep(0.3 if seed == 3 else 0.0)
        return planted(folder)(seed, count, limits, say)

    firsts = list[bool]()
    campaign = Campaign(Forks(4, 2, attempt=slow_at_first), lambda _, first: firsts.append(first))
    found = told(campaign.run(SEEDS), firsts)
    assert found == found_alone(folder)
    assert [seed for seed, _, is_first in found if is_first] == [3, 5]


def test_a_cluster_finds_what_is_found_alone(cluster: Cluster, folder: Path):
    firsts = list[bool]()
    crew = ClusterCrew(cluster, 2, "planted_attempt:attempt")
    tally = Campaign(crew, lambda _, is_first: firsts.append(is_first)).run(SEEDS)
    assert told(tally, firsts) == found_alone(folder)
    assert (tally.programs, tally.trials) == (9, 18)
    crew.close()


@pytest.mark.slow
def test_seeds_of_lost_workers_are_tried_again(cluster: Cluster, folder: Path):
    (folder / "deadly").write_text("once")
    tally = Campaign(ClusterCrew(cluster, 2, "planted_attempt:attempt")).run(SEEDS)
    assert (folder / "deaths").read_text() == "x"
    assert [one.seed for one in tally.findings] == [seed for seed, *_ in found_alone(folder)]


@pytest.mark.slow
def test_a_seed_that_kills_every_worker_is_a_finding(cluster: Cluster, folder: Path):
    (folder / "deadly").write_text("always")
    tally = Campaign(ClusterCrew(cluster, 2, "planted_attempt:attempt")).run([6])
    (folder / "deadly").unlink()
    assert [(one.seed, one.verdict.name) for one in tally.findings] == [(6, "crash")]


@pytest.mark.slow
def test_real_programs_on_a_cluster(cluster: Cluster):
    alone = Campaign(Forks(1, 1)).run([12])
    crew = ClusterCrew(cluster, 1)
    shared = Campaign(crew).run([12])
    crew.close()
    # What isl counts depends on what it did before.
    del alone.became["operations"], shared.became["operations"]
    assert shared.drawn == alone.drawn
    assert shared.became == alone.became
    assert shared.verdicts == alone.verdicts


def test_an_interrupt_leaves_what_was_found_and_nobody_at_work(folder: Path):
    def forever_from_the_fourth(seed: int, count: int, limits: Limits, say: Say) -> dict[str, Any]:
        time.sleep(60 if seed > 3 else 0.0)
        return planted(folder)(seed, count, limits, say)

    def interrupt(tally: Tally) -> None:
        if tally.programs == 3:
            raise KeyboardInterrupt

    crew = Forks(2, 2, attempt=forever_from_the_fourth)
    tally = Campaign(crew, tick=interrupt).run(SEEDS)
    assert (tally.is_cut, tally.programs, tally.trials) == (True, 3, 6)
    assert [one.seed for one in tally.findings] == [3, 3]
    begun = time.monotonic()
    crew.close()
    assert time.monotonic() - begun < 30


def test_outcomes_wait_for_those_before_them():
    class Backwards:
        size = 3

        def __init__(self):
            self.begun = list[int]()

        def begin(self, seed: int) -> None:
            self.begun.append(seed)

        def finished(self) -> list[tuple[int, Outcome]]:
            value: dict[str, list[Any]] = {"drawn": [], "trials": []}
            return [(self.begun.pop(), Outcome("returned", "", value))]

    ticks = list[int]()
    crew = Backwards()
    Campaign(crew, tick=lambda tally: ticks.append(tally.programs)).run([1, 2, 3])
    assert ticks == [1, 2, 3]
    assert crew.begun == []
