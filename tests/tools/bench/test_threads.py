"""polyopt-bench --threads: who takes part in how many threads, what its tables say, and which goals
are reached."""

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from polyopt.tools.bench.contenders import Contender, peer_contenders, polyopt_contenders
from polyopt.tools.bench.contest import Contest, Entry, Rules
from polyopt.tools.bench.goals import GoalVerdict
from polyopt.tools.bench.programs import Program
from polyopt.tools.bench.report import KernelRow
from polyopt.tools.bench.run_time_support import kernels_of, off_and_on, print_support
from polyopt.tools.bench.thread_goals import no_slower, of_blas, over_peers, speed_ups
from polyopt.tools.bench.threads import (
    PEERS,
    contenders_in_threads,
    in_one,
    in_threads,
    print_threads,
)
from polyopt.tools.polyopt_bench import main

OURS = Contender("polyopt:auto", ("polyopt-cc",), ("-O3",), is_polyopt=True)
MANY = in_threads(OURS, 2) or OURS
PEER = Contender("gcc x2", ("gcc",), ("-O3",))


def row(kernel: str, peer: float, one: float, two: float, alone: float | None = None) -> KernelRow:
    entries = [Entry("gcc x2", seconds=[peer]), Entry("polyopt:auto", seconds=[one])]
    entries.append(Entry("polyopt:auto in one", seconds=[alone or one]))
    return KernelRow(kernel, (*entries, Entry("polyopt:auto x2", seconds=[two])))


def printed(rows: list[KernelRow]) -> str:
    console = Console(width=200, file=StringIO())
    with console.capture() as captured:
        print_threads(console, rows, [PEER, OURS, in_one(OURS), MANY], 2)
    return captured.get()


def words(verdicts: list[GoalVerdict]) -> list[tuple[str, str]]:
    return [(one.measured, one.word) for one in verdicts]


def test_every_compiler_has_its_own_words():
    def flags(name: str, *more: str) -> tuple[str, ...]:
        made = in_threads(Contender(name, ("cc",), ("-O3",)), 3)
        return () if made is None else (*made.flags, *made.libraries, *more)

    assert flags("gcc-fast") == ("-O3", "-ftree-parallelize-loops=3", "-lm")
    assert flags("polly") == ("-O3", "-mllvm", "-polly-parallel", "-lgomp", "-lm")
    assert in_threads(Contender("clang-fast", ("clang",), ("-O3",)), 3) is None
    pluto = Contender("pluto-gcc", ("gcc",), ("-O3",), translate=("polycc", "--noparallel"))
    made = in_threads(pluto, 3)
    assert made is not None
    assert made.translate == ("polycc", "--parallel")
    assert made.flags == ("-O3", "-fopenmp")


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("fast", [False, True])
def test_each_compiler_takes_part_once(fast: bool):
    own = polyopt_contenders(["auto", "isl"], fast=fast)
    made = contenders_in_threads(own, peer_contenders(None, fast=fast), 2, PEERS)
    names = [one.name for one in made]
    assert len(names) == len({*names})
    ours = ["polyopt:auto", "polyopt:auto in one", "polyopt:auto x2"]
    assert names[-6:] == [*ours, *(name.replace("auto", "isl") for name in ours)]
    (gcc,) = (one for one in made if one.name == "gcc x2")
    assert ("-ffast-math" in gcc.flags) == fast
    only = contenders_in_threads(own, peer_contenders(None, fast=fast), 2, ["polly"])
    assert "gcc x2" not in [one.name for one in only]


def test_table_has_both_ratios_and_their_means():
    text = printed([row("a", 8.0, 4.0, 2.0, 5.0), row("b", 4.0, 4.0, 0.5)])
    cells = {line.split()[1]: line.split()[1::2] for line in text.splitlines() if "│" in line}
    assert cells["a"] == ["a", "8", "4", "2", "0.80", "2.00", "4.00"]
    assert cells["b"][-3:] == ["1.00", "8.00", "8.00"]
    assert cells["geometric"][-3:] == ["0.89", "4.00", "5.66"]


def test_what_has_no_result_has_no_ratio():
    bad = row("a", 8.0, 4.0, 2.0)
    bad.entry("polyopt:auto x2").fail("wrong")
    text = printed([bad, row("b", 8.0, 4.0, 2.0)])
    (line,) = (line for line in text.splitlines() if " a " in line)
    assert "wrong" in line
    assert line.split()[-4::2] == ["-", "-"]
    (line,) = (line for line in text.splitlines() if "geometric" in line)
    assert line.split()[-4::2] == ["2.00", "4.00"]


def test_gemm_beside_blas():
    rows = [row("gemm", 1.0, 0.2, 0.1)]
    found = of_blas(rows, "polyopt:auto x2", 52.8, 2)
    assert found is not None
    assert words([found]) == [("0.50 (26.4 of 52.8 GFLOP/s)", "MISSED")]
    unknown = of_blas(rows, "polyopt:auto x2", None, 2)
    assert unknown is not None
    assert unknown.is_kept is None
    assert of_blas([row("lu", 1.0, 0.2, 0.1)], "polyopt:auto x2", 52.8, 2) is None


def test_who_is_below_a_goal_is_named():
    rows = [row("gemm", 1, 2.0, 1.0), row("2mm", 1, 1.85, 1.0), row("lu", 1, 1.0, 1.25, 1.03)]
    assert words(no_slower(rows, OURS, 2, "LARGE")) == [
        ("0.80 (lu; 2 of 3 reach it)", "MISSED"),
        ("0.97 (lu; 2 of 3 reach it)", "MISSED"),
    ]
    products, factorisations, *_, mean = speed_ups(rows, OURS, 2)
    assert words([products]) == [("1.85 (2mm; 1 of 2 reach it)", "MISSED")]
    assert words([factorisations]) == [("0.80 (lu; 0 of 1 reach it)", "MISSED")]
    assert words([mean]) == [("1.44 (3 kernels)", "MISSED")]
    assert speed_ups(rows, OURS, 4) == []
    little = no_slower([row("lu", 1, 0.96, 1.0), row("cone", 1, 0.5, 1.0)], OURS, 2, "MINI")
    assert [one.word for one in little] == ["kept", "kept"]


def test_peers_are_counted_with_pluto_and_without():
    rows = [row("gemm", 9.0, 2.0, 1.0), row("lu", 0.9, 2.0, 1.0)]
    rows = [
        KernelRow(one.kernel, (*one.entries, Entry("pluto-gcc x2", seconds=[8.0]))) for one in rows
    ]
    assert words(over_peers(rows, OURS, 2, ["gcc x2"])) == [
        ("1 of 2 (least: lu, 0.90)", "kept"),
        ("2.85", "MISSED"),
    ]
    with_pluto = over_peers(rows, OURS, 2, ["gcc x2", "pluto-gcc x2"])
    assert words(with_pluto)[2:] == [("1 of 2 (least: lu, 0.90)", "kept"), ("2.68", "MISSED")]
    assert over_peers(rows, OURS, 2, []) == []


def test_table_three_tells_on_from_off():
    assert kernels_of("reduction", ["mvt", "seidel-2d", "atax"]) == ["atax", "mvt"]
    pair = off, on = off_and_on("pipeline", 2, fast=True)
    assert [flag for flag in off.flags if flag not in on.flags] == ["--stages=no-pipeline"]
    assert {"--poly=poly+ast", "-fparallel=2"} <= {*on.flags}
    entries = Entry(off.name, seconds=[3.0]), Entry(on.name, seconds=[1.5])
    console = Console(width=200, file=StringIO())
    with console.capture() as captured:
        print_support(console, "pipeline", [KernelRow("cholesky", entries)], pair)
    (line,) = (line for line in captured.get().splitlines() if "cholesky" in line)
    assert line.split()[3::2] == ["3", "1.5", "2.00", "1.56", "1.00"]


def test_what_is_given_one_thread_runs_in_one(tmp_path: Path):
    """The number is what a program sees in its environment: here it is what it says it took."""
    script = tmp_path / "run"
    script.write_text("#!/bin/sh\necho seconds $OMP_NUM_THREADS $OMP_NUM_THREADS\n")
    script.chmod(0o755)
    one = in_one(OURS)
    contest = Contest(Program("any", tmp_path / "any.c"), [one, MANY], tmp_path)
    contest.time({one.name: script, MANY.name: script}, Rules(repeat=1, threads=2), 0.0)
    assert [entry.best for entry in contest.entries.values()] == [1.0, 2.0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threads", "0"], "--threads must be positive"),
        (["--threads", "2", "--core", "0"], "no --core"),
        (["--threads", "2", "--clock", "processor"], "no --clock"),
        (["--threads", "2", "--peers", "clang"], "'clang' is no peer that parallelises loops"),
        (["--threads", "2", "--configs", "ils"], "unknown configuration 'ils'"),
        (["--threads", "2", "--tables", "rase"], "no table is called 'rase'"),
    ],
)
def test_mistakes_have_one_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize("own", ["", pytest.param("auto", marks=pytest.mark.slow)])
def test_a_race_in_threads(own: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "report.json"
    arguments = ["--size", "MINI", "--check", "MINI", "--kernels", "trisolv", "--repeat", "1"]
    arguments += ["--threads", "2", "--peers", "gcc", "--json", str(report)]
    assert main([*arguments, "--tables", "race,support", "--configs", own]) == 0
    text = capsys.readouterr().out
    assert ("polyopt:auto x2" in text) == (own == "auto")
    assert "2 threads on" in text
    assert "load average" in text
    found = json.loads(report.read_text())
    assert found["rules"]["threads"] == 2
    assert [entry["status"] for entry in found["kernels"]["trisolv"]] == (
        ["ok"] * (4 if own else 1)
    )
    assert ("Table III: pipelines" in text) == bool(own)
