"""A contest among gcc builds of one small program that can be told to misbehave."""

import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from polyopt.support.diagnostics import CompileError
from polyopt.support.progress import Progress
from polyopt.tools.bench.contenders import (
    Contender,
    peer_contenders,
    polyopt_contenders,
    reference_contender,
)
from polyopt.tools.bench.contest import Contest, Entry, Rules
from polyopt.tools.bench.programs import (
    POLYBENCH,
    Program,
    default_directory,
    find_programs,
    suite_directory,
)
from polyopt.tools.bench.report import KernelRow, geometric_mean, verdicts

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

PROGRAM = """
#include "bench.h"

#ifndef FAULT
#define FAULT
#endif

void kernel_tiny(int n, double x[4])
{
    for (int i = 0; i < n; i++)
        x[i] = i FAULT;
}

int main(int argc, char **argv)
{
    bench_arguments(argc, argv);
    double *x = bench_alloc(4, sizeof *x);
#ifdef CRASH
    abort();
#endif
#ifdef HANG
    for (;;)
        bench_size(0);
#endif
    bench_start();
    kernel_tiny(bench_size(4), x);
    bench_stop();
    bench_doubles("x", x, 4);
    return 0;
}
"""

RULES = Rules(size="MINI", check_size="MINI", repeat=2, timeout=10.0)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    header = default_directory() / "bench.h"
    (tmp_path / "bench.h").write_bytes(header.read_bytes())
    (tmp_path / "tiny.c").write_text(PROGRAM)
    return Program("tiny", tmp_path / "tiny.c")


def gcc(name: str, *flags: str, fault: str = "", exact: bool = False) -> Contender:
    return Contender(name, ("gcc",), ("-O1", f"-DFAULT={fault}", *flags), exact)


def hold(program: Program, folder: Path, rules: Rules, *contenders: Contender) -> dict[str, Entry]:
    reference = reference_contender()
    assert reference is not None
    soon = time.monotonic() + 60.0
    entries = Contest(program, contenders, folder).run(rules, reference, soon)
    return {entry.contender: entry for entry in entries}


def test_right_results_are_timed(program: Program, tmp_path: Path):
    entries = hold(program, tmp_path, RULES, gcc("one"), gcc("two", exact=True))
    assert [entry.status for entry in entries.values()] == ["ok", "ok"]
    assert all(len(entry.seconds) >= 2 and entry.best for entry in entries.values())


def test_progress_is_told_and_rests_while_programs_are_timed(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    told = list[str]()

    class Told(Progress):
        def say(self, line: str) -> None:
            told.append(line)

        def rest(self) -> None:
            told.append("rest")

    def time_nothing(self: Contest, *_: object) -> None:
        told.append("time")

    monkeypatch.setattr(Contest, "time", time_nothing)
    contest = Contest(program, [gcc("one")], tmp_path, Told("tiny"))
    contest.run(RULES, None, time.monotonic() + 60.0)
    assert told == ["one is built", "rest", "time"]


def test_what_goes_wrong_is_said(program: Program, tmp_path: Path):
    rules = replace(RULES, timeout=3.0)
    entries = hold(
        program,
        tmp_path,
        rules,
        gcc("fine"),
        gcc("wrong", fault="+1"),
        gcc("nearly", fault="+1e-13", exact=True),
        gcc("crash", "-DCRASH"),
        gcc("hang", "-DHANG"),
        gcc("refused", "-fno-such-flag"),
    )
    statuses = {name: entry.status for name, entry in entries.items()}
    assert statuses == {
        "fine": "ok",
        "wrong": "wrong",
        "nearly": "wrong",
        "crash": "crash",
        "hang": "timeout",
        "refused": "exit 1",
    }
    assert "no-such-flag" in entries["refused"].detail
    assert "SIGABRT" in entries["crash"].detail
    assert all(entry.best is None for name, entry in entries.items() if name != "fine")


def test_wrong_at_the_size_of_the_contest_is_found(program: Program, tmp_path: Path):
    rules = replace(RULES, check_size=None)
    entries = hold(program, tmp_path, rules, gcc("wrong", fault="+1"), gcc("fine"))
    assert entries["wrong"].status == "wrong"
    assert entries["fine"].status == "ok"


def test_tells_whether_the_special_part_fired(program: Program, tmp_path: Path):
    idle = replace(gcc("idle", "-fno-ident"), without=("-O1", "-DFAULT=", "-fno-ident"))
    busy = replace(gcc("busy", "-O3"), without=("-O0",))
    entries = hold(program, tmp_path, RULES, idle, busy)
    assert not entries["idle"].fired
    assert entries["busy"].fired


def test_translated_source_is_what_is_compiled(program: Program, tmp_path: Path):
    """A source-to-source compiler that breaks the kernel: the result must show it."""
    translator = tmp_path / "translate.sh"
    translator.write_text('#!/bin/sh\nsed "s/= i FAULT/= 7/" "$1" > "$3"\ngrep -q scop "$1"\n')
    contender = replace(gcc("translated"), translate=("sh", str(translator)))
    assert hold(program, tmp_path, RULES, contender)["translated"].status == "wrong"


def test_no_round_starts_after_the_deadline(program: Program, tmp_path: Path):
    contest = Contest(program, [gcc("one")], tmp_path)
    (entry,) = contest.run(replace(RULES, check_size=None), None, time.monotonic())
    assert len(entry.seconds) == 1


def test_programs_are_the_thirty_and_six():
    names = [program.name for program in find_programs(default_directory())]
    assert len(names) == 36
    assert set(POLYBENCH) < set(names)
    with pytest.raises(CompileError, match="unknown kernel 'gem'") as caught:
        find_programs(default_directory(), ["gem"])
    assert "gemm" in caught.value.render()


def test_the_programs_of_the_kinds_are_others():
    kinds = find_programs(suite_directory("kinds"))
    names = {one.name for one in find_programs(default_directory())}
    assert names.isdisjoint(one.name for one in kinds)
    for program in kinds:
        text = program.marked_source()
        begin, end = text.index("#pragma scop"), text.index("#pragma endscop")
        assert text.index(f"void {program.function}(") < begin < end < text.index("int main")


@pytest.mark.parametrize("suite", ["kernels", "kinds"])
def test_a_translated_program_finds_what_it_includes(suite: str, tmp_path: Path):
    """The translator's text lies elsewhere than the program."""
    translator = tmp_path / "translate.sh"
    translator.write_text('#!/bin/sh\ncp "$1" "$3"\n')
    contender = replace(gcc("copied"), translate=("sh", str(translator)))
    program = find_programs(suite_directory(suite))[0]
    assert hold(program, tmp_path, RULES, contender)["copied"].status == "ok"


def test_the_marked_source_has_the_scop_around_the_body():
    (program,) = find_programs(default_directory(), ["cholesky"])
    text = program.marked_source()
    begin, end = text.index("#pragma scop"), text.index("#pragma endscop")
    assert text.index("kernel_cholesky") < begin < text.index("sqrt(A[i][i])") < end
    assert end < text.index("int main")


def test_strict_contenders_must_have_the_same_bits():
    strict = [*polyopt_contenders(["none", "isl"], fast=False), *peer_contenders(None, fast=False)]
    assert all(c.exact and "-ffp-contract=off" in c.flags for c in strict)
    fast = peer_contenders(None, fast=True)
    assert {"gcc", "gcc-fast"} <= {c.name for c in fast}
    with pytest.raises(CompileError, match="unknown configuration"):
        polyopt_contenders(["tiles"], fast=True)


def test_verdicts_need_every_kernel_of_the_promise():
    def row(kernel: str, ours: float, theirs: float) -> KernelRow:
        own = Entry("polyopt:isl+tile", seconds=[ours, ours + 1])
        return KernelRow(kernel, (own, Entry("clang-fast", seconds=[theirs])))

    rows = [row(kernel, 1.0, 2.0) for kernel in POLYBENCH]
    lines = verdicts(rows, Rules())
    assert lines[0].startswith("kept: polyopt:isl+tile over clang-fast, geometric mean")
    assert "2.00" in lines[0]
    assert [line.split(":")[0] for line in lines[1:]] == ["MISSED"] * 3
    rows[0].entries[0].fail("wrong")
    assert verdicts(rows, Rules())[0].startswith("MISSED")
    assert verdicts(rows, Rules(size="SMALL")) == []
    assert all("geometric" not in line for line in verdicts(rows[1:], Rules()))


def test_geometric_mean():
    assert geometric_mean([]) is None
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
