"""Verdicts on the goals, from measurements that are made up."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from polyopt.tools.bench import goals
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import Contest, Entry, Rules
from polyopt.tools.bench.cost import Cost
from polyopt.tools.bench.programs import POLYBENCH, Program
from polyopt.tools.bench.report import KernelRow
from polyopt.tools.bench.tsvc import Results, TsvcLoop, read_results

PEERS = ("gcc", "clang-fast")


def row(kernel: str, seconds: Mapping[str, float | None]) -> KernelRow:
    entries = [
        Entry(name, seconds=[time]) if time is not None else Entry(name, "crash")
        for name, time in seconds.items()
    ]
    return KernelRow(kernel, tuple(entries))


def race(ours: float | None, kernel: str = POLYBENCH[0]) -> list[KernelRow]:
    """Everywhere 30 times clang and 3 times gcc, but on one kernel."""
    return [
        row(
            one,
            {"gcc": 3.0, "clang-fast": 30.0, goals.OURS: ours if one == kernel else 1.0},
        )
        for one in POLYBENCH
    ]


def test_a_race_that_is_won():
    verdicts = goals.race_verdicts(race(1.0), PEERS)
    assert [one.is_kept for one in verdicts] == [True] * 4
    assert [one.measured for one in verdicts] == ["3.00 (2mm)", "30 of 30", "3.00", "30.00"]


def test_one_slow_kernel_is_named():
    slowest, faster, mean, _ = goals.race_verdicts(race(4.0, "lu"), PEERS)
    assert (slowest.measured, slowest.is_kept) == ("0.75 (lu)", False)
    assert (faster.measured, faster.is_kept) == ("29 of 30", True)
    assert mean.is_kept


def test_a_kernel_without_a_result_counts_as_lost():
    slowest, faster, mean, _ = goals.race_verdicts(race(None, "adi"), PEERS)
    assert (slowest.measured, slowest.is_kept) == ("0.00 (adi)", False)
    assert faster.measured == "29 of 30"
    assert mean.is_kept is False


def test_a_race_against_nobody_has_no_verdict():
    verdicts = goals.race_verdicts([row("lu", {goals.OURS: 1.0})], ())
    assert {one.is_kept for one in verdicts} == {None}


def test_rates_of_products():
    seconds = {"gemm": goals.GIGAFLOP["gemm"] / 96, "doitgen": goals.GIGAFLOP["doitgen"] / 60}
    gemm, doitgen = goals.product_verdicts(seconds, 100.0)
    assert (gemm.measured, gemm.is_kept) == ("0.96 (96.0 of 100.0 GFLOP/s)", True)
    assert (doitgen.measured, doitgen.is_kept) == ("0.60 (60.0 of 100.0 GFLOP/s)", False)
    assert goals.product_verdicts(seconds, None)[0].is_kept is None


def test_the_work_of_products_is_counted_by_their_loops():
    # symm: n * sum of i for i < m products of two, twice, and three more for each element
    m, n = 1000, 1200
    both_halves = 4 * n * m * (m - 1) // 2
    assert goals.GIGAFLOP["symm"] == pytest.approx(both_halves * 1e-9, rel=0.01)
    trmm = 2 * n * m * (m - 1) // 2
    assert goals.GIGAFLOP["trmm"] == pytest.approx(trmm * 1e-9, rel=1e-9)


def test_strict_kernels_have_goals_of_their_own():
    smaller = {"doitgen": 10.0, "gramschmidt": 30.0}
    mean, doitgen, gramschmidt = goals.strict_avx2_verdicts(
        smaller, {"doitgen": 9.9, "gramschmidt": 30.5}
    )
    assert (mean.measured, mean.is_kept) == ("20.00", True)
    assert doitgen.is_kept is False
    assert gramschmidt.is_kept
    same, *_ = goals.strict_avx2_verdicts(smaller, {}, ", nothing fused")
    assert same.goal == f"{mean.goal}, nothing fused"


def test_tiny_sizes_name_all_that_are_slow():
    slow = goals.tiny_verdict("MINI", {"lu": 0.7, "gemm": 2.0, "adi": 0.5})
    assert (slow.measured, slow.is_kept) == ("0.50 (adi), 0.70 (lu)", False)
    assert goals.tiny_verdict("MINI", {"lu": 0.9, "gemm": 2.0}).measured == "0.90 (lu)"
    assert goals.tiny_verdict("MINI", {"lu": None, "gemm": 2.0}).is_kept is None


def test_a_size_that_falls_off_a_cliff_is_named():
    seconds: dict[str, dict[int, float | None]]
    seconds = {"gemm": {61: 1.0, 62: 3.0, 63: 1.0, 125: 9.0}, "lu": {61: 1.0, 62: 1.1, 63: 1.0}}
    right, near = goals.sweep_verdicts(seconds, [])
    assert right.is_kept
    assert (near.is_kept, near.measured) == (False, "0.33 (gemm at 62)")
    seconds["lu"][62] = None
    right, _ = goals.sweep_verdicts(seconds, ["lu at 62: wrong, A[0]"])
    assert (right.is_kept, right.measured) == (False, "6 of 7; lu at 62: wrong, A[0]")


def test_compile_times():
    slowest, middle = goals.compile_verdicts([Cost("a", 6.0, 6.0, 1.0), Cost("b", 1.0, 1.0, 1.0)])
    assert (slowest.measured, slowest.is_kept) == ("6.00 (a)", False)
    assert middle.is_kept is False


def test_sizes_and_rounds_are_defined_for_the_program():
    assert Rules(size="MINI", rounds=3).defines("MINI") == ["-DMINI_DATASET", "-DBENCH_ROUNDS=3"]
    assert Rules().defines("2000") == ["-DBY_SIZE(a,b,c,d,e)=2000"]


def test_losers_stop_after_two_rounds(tmp_path: Path):
    times = {"slow": 2.5, "near": 1.5, "fast": 1.0}
    programs = dict[str, Path]()
    for name, seconds in times.items():
        programs[name] = tmp_path / name
        programs[name].write_text(f"#!/bin/sh\necho seconds {seconds} {seconds}\n")
        programs[name].chmod(0o700)
    contenders = [Contender(name, ("false",), ()) for name in times]
    contest = Contest(Program("k", tmp_path / "k.c"), contenders, tmp_path)
    contest.time(programs, Rules(repeat=5, loser=2.0), float("inf"))
    rounds = {name: len(one.seconds) for name, one in contest.entries.items()}
    assert rounds == {"slow": 2, "near": 5, "fast": 5}


def tsvc(**seconds: float) -> Results:
    return {name: TsvcLoop(value, 5.0) for name, value in seconds.items()}


def test_loops_of_tsvc_are_counted_and_compared():
    results = {
        "clang": tsvc(s1=1.0, s2=4.0),
        goals.OURS: tsvc(s1=1.0, s2=1.0),
        "scalar": tsvc(s1=2.0, s2=4.0),
        "gcc -O0": tsvc(s1=9.0, s2=9.0),
    }
    right, mean, count = goals.tsvc_verdicts(results, "gcc -O0", "scalar")
    assert (right.is_kept, right.measured) == (True, "2 of 2")
    assert (mean.is_kept, mean.measured) == (True, "2.00")
    assert (count.is_kept, count.measured) == (True, f"clang 1, {goals.OURS} 2")
    results[goals.OURS] = {"s1": TsvcLoop(4.0, 5.0), "s2": TsvcLoop(4.0, 6.0)}
    right, mean, count = goals.tsvc_verdicts(results, "gcc -O0", "scalar")
    assert (right.is_kept, right.measured) == (False, "1 of 2; s2")
    assert not mean.is_kept
    assert not count.is_kept


def test_lines_of_tsvc_are_read():
    text = "Loop \tTime(sec) \tChecksum\n s000\t     0.011\t512066944.000000\n"
    assert read_results(text) == {"s000": TsvcLoop(0.011, 512066944.0)}
