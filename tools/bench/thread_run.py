"""Measures what threads give, table by table.

race      the programs at the size that is asked for: in one thread, in all, beside the peers
little    the same of polyopt alone at MINI and SMALL, where threads must not cost anything
support   pipelines and reductions on against off (`run_time_support`)

Behind the tables stand the goals (`thread_goals`), and with each how busy the machine was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from rich.console import Console

from polyopt.support.record import record
from polyopt.tools.bench import report, thread_goals
from polyopt.tools.bench.blas import blas_rate
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import Rules
from polyopt.tools.bench.goals import GoalVerdict, print_verdicts
from polyopt.tools.bench.programs import POLYBENCH
from polyopt.tools.bench.report import KernelRow
from polyopt.tools.bench.run_time_support import SUPPORT, kernels_of, off_and_on, print_support
from polyopt.tools.bench.threads import contenders_in_threads, print_threads

TABLES = ("race", "little", "support")
_LITTLE_ROUNDS = 60
"""Of a program that takes microseconds."""

Hold = Callable[[Rules, Sequence[Contender], Sequence[str]], list[KernelRow]]
"""The contest of each of these kernels: of all that are asked for, where none is named."""


@record
class ThreadRun:
    """`own` of polyopt and `peers` in so many `threads`; `only`: the kernels that are asked for."""

    console: Console
    threads: int
    own: Sequence[Contender]
    peers: Sequence[Contender]
    only: Sequence[str]
    fast: bool
    hold: Hold

    def tables(
        self, names: Sequence[str], rules: Rules, contenders: Sequence[Contender]
    ) -> list[KernelRow]:
        """Print the tables of these names; the rows of the race among `contenders`."""
        verdicts = list[GoalVerdict]()
        rows = list[KernelRow]()
        if "race" in names:
            rows = self._loaded(rules, contenders, ())
            self._print_race(rows, contenders)
            verdicts += self._race_verdicts(rows, rules)
        if "little" in names and self.own:
            verdicts += self._little(rules)
        if "support" in names and self.own:
            self._support(rules)
        if verdicts:
            print_verdicts(self.console, verdicts)
        return rows

    def _print_race(self, rows: Sequence[KernelRow], contenders: Sequence[Contender]) -> None:
        print_threads(self.console, rows, contenders, self.threads)
        report.print_failures(self.console, rows)

    def _race_verdicts(self, rows: Sequence[KernelRow], rules: Rules) -> list[GoalVerdict]:
        is_large, peers = rules.size == "LARGE", [peer.name for peer in self.peers]
        blas = None
        if is_large and self.own and any(row.kernel == "gemm" for row in rows):
            blas = blas_rate(os.sched_getaffinity(0), rules.repeat, threads=self.threads)
        found = list[GoalVerdict]()
        for one in self.own:
            found += thread_goals.no_slower(rows, one, self.threads, rules.size)
            if not is_large:
                continue
            many = f"{one.name} x{self.threads}"
            gemm = thread_goals.of_blas(rows, many, blas, self.threads)
            found += thread_goals.speed_ups(rows, one, self.threads)
            found += thread_goals.over_peers(rows, one, self.threads, peers)
            found += [] if gemm is None else [gemm]
        return found

    def _little(self, rules: Rules) -> list[GoalVerdict]:
        found = list[GoalVerdict]()
        contenders = contenders_in_threads(self.own, (), self.threads, ())
        kernels = [one for one in POLYBENCH if not self.only or one in self.only]
        for size in ("MINI", "SMALL"):
            if size == rules.size or not kernels:
                continue
            little = replace(rules, size=size, check_size=None, rounds=_LITTLE_ROUNDS)
            rows = self._loaded(little, contenders, kernels)
            self._print_race(rows, contenders)
            for one in self.own:
                found += thread_goals.no_slower(rows, one, self.threads, size)
        return found

    def _support(self, rules: Rules) -> None:
        for kind in SUPPORT:
            kernels = kernels_of(kind, self.only)
            if kernels:
                pair = off_and_on(kind, self.threads, fast=self.fast)
                rows = self._loaded(rules, pair, kernels)
                print_support(self.console, kind, rows, pair)
                report.print_failures(self.console, rows)

    def _loaded(
        self, rules: Rules, contenders: Sequence[Contender], kernels: Sequence[str]
    ) -> list[KernelRow]:
        """What is measured, and a line on how busy the machine was."""
        before = os.getloadavg()[0]
        rows = self.hold(rules, contenders, kernels)
        cores = f"{len(os.sched_getaffinity(0))} cores of {report.processor_name()}"
        self.console.print(
            f"{rules.size}: {self.threads} threads on {cores}; load average {before:.1f} before, "
            f"{os.getloadavg()[0]:.1f} after",
            highlight=False,
            markup=False,
        )
        return rows
