"""polyopt-bench --threads: who takes part in how many threads, and what its table says."""

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from polyopt.tools.bench.contenders import Contender, peer_contenders, polyopt_contenders
from polyopt.tools.bench.contest import Entry
from polyopt.tools.bench.report import Row
from polyopt.tools.bench.threads import (
    PEERS,
    against_blas,
    contenders_in_threads,
    in_threads,
    print_threads,
)
from polyopt.tools.polyopt_bench import main

OURS = Contender("polyopt:auto", ("polyopt-cc",), ("-O3",), is_polyopt=True)
MANY = in_threads(OURS, 2) or OURS
PEER = Contender("gcc x2", ("gcc",), ("-O3",))


def row(kernel: str, peer: float, one: float, two: float) -> Row:
    entries = [Entry("gcc x2", seconds=[peer]), Entry("polyopt:auto", seconds=[one])]
    return Row(kernel, (*entries, Entry("polyopt:auto x2", seconds=[two])))


def printed(rows: list[Row]) -> str:
    console = Console(width=200, file=StringIO())
    with console.capture() as captured:
        print_threads(console, rows, [PEER, OURS, MANY], 2)
    return captured.get()


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
    assert names[-4:] == ["polyopt:auto", "polyopt:auto x2", "polyopt:isl", "polyopt:isl x2"]
    (gcc,) = (one for one in made if one.name == "gcc x2")
    assert ("-ffast-math" in gcc.flags) == fast
    only = contenders_in_threads(own, peer_contenders(None, fast=fast), 2, ["polly"])
    assert "gcc x2" not in [one.name for one in only]


def test_table_has_both_ratios_and_their_means():
    text = printed([row("a", 8.0, 4.0, 2.0), row("b", 4.0, 4.0, 0.5)])
    cells = {line.split()[1]: line.split() for line in text.splitlines() if "│" in line}
    assert cells["a"] == ["│", "a", "│", "8", "│", "4", "│", "2", "│", "2.00", "│", "4.00", "│"]
    assert cells["b"][-4::2] == ["8.00", "8.00"]
    assert cells["geometric"][-4::2] == ["4.00", "5.66"]


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
    line = against_blas(rows, "polyopt:auto x2", 52.8, 2)
    assert line == ("gemm, polyopt:auto x2: 26.4 GFLOP/s, 0.50 of OpenBLAS's 52.8 in 2 threads")
    assert against_blas(rows, "polyopt:auto x2", None, 2) is None
    assert against_blas([row("lu", 1.0, 0.2, 0.1)], "polyopt:auto x2", 52.8, 2) is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threads", "0"], "--threads must be positive"),
        (["--threads", "2", "--core", "0"], "no --core"),
        (["--threads", "2", "--clock", "processor"], "no --clock"),
        (["--threads", "2", "--peers", "clang"], "'clang' is no peer that parallelises loops"),
        (["--threads", "2", "--configs", "ils"], "unknown configuration 'ils'"),
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
    words = [*arguments, "--threads", "2", "--peers", "gcc", "--json", str(report)]
    assert main([*words, "--configs", own]) == 0
    text = capsys.readouterr().out
    assert ("polyopt:auto x2" in text) == (own == "auto")
    assert "2 threads on" in text
    assert "load average" in text
    found = json.loads(report.read_text())
    assert found["rules"]["threads"] == 2
    assert [entry["status"] for entry in found["kernels"]["trisolv"]] == (
        ["ok"] * (3 if own else 1)
    )
