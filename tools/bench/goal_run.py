"""Measures what the goals ask for, part by part.

race      the 30 computations at LARGE: polyopt, gcc, clang, Polly, Pluto where it is
products  the rates of the products, beside OpenBLAS's on the same core
tsvc      TSVC-2's loops, where its sources are, beside gcc's and clang's -O3
strict    four kernels with -O3 -mavx2 and no -ffast-math, beside clang's; once more with nothing
          fused, so that all results have the same bits
tiny      the 30 computations at MINI and SMALL, beside gcc -O3
sweep     the 30 computations at consecutive sizes around 64 and 128
small     the 32 x 32 product of floats, beside clang's -O3
compile   what compiling each kernel costs
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from polyopt.support.record import record
from polyopt.tools.bench import contenders as who
from polyopt.tools.bench import goals
from polyopt.tools.bench.blas import blas_rate, has_avx512
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import Contest, Entry, Rules
from polyopt.tools.bench.cost import compile_cost
from polyopt.tools.bench.goals import GoalVerdict
from polyopt.tools.bench.programs import POLYBENCH, Program, find_programs
from polyopt.tools.bench.report import KernelRow
from polyopt.tools.bench.tsvc import measure_tsvc

PARTS = ("small", "tiny", "compile", "sweep", "race", "products", "strict", "tsvc")
"""In this order: the quick ones first."""

_TINY_ROUNDS = 60
_SMALL_ROUNDS = 2000
_NO_VECTORS = ("-fno-tree-vectorize", "-fno-tree-slp-vectorize")
_SWEEP = (*range(61, 68), *range(125, 132))
_SWEEP_ROUNDS = 10
_UNFUSED = "polyopt:auto, nothing fused"
_LOSER = 2.0
_PATIENCE = 300.0


@record
class GoalRun:
    """`directory` holds the kernel programs; `core` is what everything runs on; `repeat` is the
    number of rounds; `say` takes a line on how far things are."""

    directory: Path
    core: int
    repeat: int
    say: Callable[[str], None]
    only: Sequence[str] = ()
    tsvc: Path | None = None

    def part(self, name: str) -> tuple[list[GoalVerdict], list[KernelRow]]:
        """The verdicts, and the rows of the race they come from."""
        measure = {
            "race": self._race,
            "products": self._products,
            "strict": self._strict,
            "tiny": self._tiny,
            "small": self._small,
            "sweep": self._sweep,
            "tsvc": self._tsvc,
            "compile": self._compile,
        }
        begin = time.monotonic()
        found = measure[name]()
        self.say(f"{name}: {(time.monotonic() - begin) / 60:.1f} minutes")
        return found

    def _race(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        peers = who.peer_contenders(None, fast=True)
        ours = who.polyopt_contenders(["isl+tile", "auto"], fast=True)
        rules = Rules(repeat=self.repeat, core=self.core, loser=_LOSER)
        rows = self._rows(self._programs(), [*peers, *ours], rules, checks=True)
        return goals.race_verdicts(rows, [peer.name for peer in peers]), rows

    def _products(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        names = [name for name in goals.GIGAFLOP if not self.only or name in self.only]
        ours = who.polyopt_contenders(["auto"], fast=True)
        rules = Rules(repeat=self.repeat, core=self.core)
        rates = [blas_rate({self.core}, self.repeat)]
        rows = self._rows(find_programs(self.directory, names), ours, rules, checks=True)
        rates.append(blas_rate({self.core}, self.repeat))
        known = [rate for rate in rates if rate is not None]
        seconds = {row.kernel: row.entry(goals.OURS).best for row in rows}
        widest = max(known, default=None) if has_avx512() else None
        verdicts = goals.product_verdicts(seconds, widest)
        if "gemm" in names:
            avx2 = [_flagged(one, "-march=native", "-march=x86-64-v3") for one in ours]
            before = blas_rate({self.core}, self.repeat, core_type="Haswell")
            (row,) = self._rows(find_programs(self.directory, ["gemm"]), avx2, rules, checks=True)
            after = blas_rate({self.core}, self.repeat, core_type="Haswell")
            known = [rate for rate in (before, after) if rate is not None]
            best = row.entry(goals.OURS).best
            verdicts.append(goals.avx2_verdict(best, max(known, default=None)))
        return verdicts, rows

    def _strict(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        clang = self._strict_peer("clang")
        if clang is None:
            return goals.strict_avx2_verdicts({}, {}), []
        (ours,) = who.polyopt_contenders(["auto"], fast=False)
        clang, fused = (replace(one, flags=("-O3", "-mavx2"), exact=False) for one in (clang, ours))
        unfused = replace(_flagged(ours, "-march=native", "-mavx2"), name=_UNFUSED)
        ratios: dict[str, list[dict[str, float | None]]] = {
            one.name: [{}, {}] for one in (fused, unfused)
        }
        rows: list[KernelRow] = []
        names = [name for name in goals.STRICT_AVX2 if not self.only or name in self.only]
        for program in find_programs(self.directory, names):
            sizes = ("LARGE", "EXTRALARGE") if program.name == "doitgen" else ("1000", "2000")
            for number, size in enumerate(sizes):
                repeat = self.repeat if size in ("LARGE", "1000") else 1
                rules = Rules(size=size, repeat=repeat, core=self.core, timeout=_PATIENCE)
                (row,) = self._rows([program], [clang, fused, unfused], rules)
                for name, found in ratios.items():
                    found[number][program.name] = row.ratio("clang", name)
                rows.append(row)
        verdicts = [
            verdict
            for name, how in ((fused.name, ""), (_UNFUSED, ", nothing fused"))
            for verdict in goals.strict_avx2_verdicts(ratios[name][0], ratios[name][1], how)
        ]
        return verdicts, rows

    def _tiny(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        gcc = self._strict_peer("gcc")
        if gcc is None:
            return [goals.tiny_verdict(size, {}) for size in ("MINI", "SMALL")], []
        (ours,) = who.polyopt_contenders(["auto"], fast=False)
        verdicts: list[GoalVerdict] = []
        rows: list[KernelRow] = []
        for size in ("MINI", "SMALL"):
            rules = Rules(size=size, repeat=3, core=self.core, rounds=_TINY_ROUNDS)
            here = self._rows(self._programs(), [gcc, ours], rules)
            ratios = {row.kernel: row.ratio("gcc", goals.OURS) for row in here}
            verdicts.append(goals.tiny_verdict(size, ratios))
            rows += here
        return verdicts, rows

    def _sweep(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        ours = who.polyopt_contenders(["auto"], fast=False)
        seconds: dict[str, dict[int, float | None]] = {}
        problems: list[str] = []
        rows: list[KernelRow] = []
        for size in _SWEEP:
            rules = Rules(str(size), None, 1, core=self.core, rounds=_SWEEP_ROUNDS)
            for row in self._rows(self._programs(), ours, rules, checks=True):
                entry = row.entry(goals.OURS)
                seconds.setdefault(row.kernel, {})[size] = entry.best
                if entry.best is None:
                    problems.append(f"{row.kernel} at {size}: {_shown(entry)}")
                rows.append(KernelRow(f"{row.kernel} at {size}", row.entries))
        return goals.sweep_verdicts(seconds, problems), rows

    def _tsvc(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        peers = [one for name in ("gcc", "clang") if (one := self._strict_peer(name)) is not None]
        reference = who.reference_contender()
        if self.tsvc is None or reference is None or not peers:
            why = "--tsvc DIRECTORY says where it is" if self.tsvc is None else "no C compiler"
            return [GoalVerdict("TSVC-2", "at least clang's and gcc's", why, None)], []
        (ours,) = who.polyopt_contenders(["auto"], fast=False)
        plain = replace(peers[-1], name="scalar", flags=(*peers[-1].flags, *_NO_VECTORS))
        results = measure_tsvc(
            self.tsvc, [*peers, plain, ours], reference, self.core, self.repeat, self.say
        )
        rows = [
            KernelRow(
                name, tuple(Entry(one, seconds=[results[one][name].seconds]) for one in results)
            )
            for name in results[reference.name]
        ]
        return goals.tsvc_verdicts(results, reference.name, plain.name), rows

    def _small(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        clang = self._strict_peer("clang")
        if clang is None:
            return [goals.small_product_verdict(None)], []
        (ours,) = who.polyopt_contenders(["auto"], fast=False)
        source = self.directory.parent / "goals" / "product-32.c"
        rules = Rules(repeat=self.repeat, core=self.core, rounds=_SMALL_ROUNDS)
        rows = self._rows([Program(source.stem, source)], [clang, ours], rules)
        return [goals.small_product_verdict(rows[0].ratio("clang", goals.OURS))], rows

    def _compile(self) -> tuple[list[GoalVerdict], list[KernelRow]]:
        (ours,) = who.polyopt_contenders(["auto"], fast=True)
        with TemporaryDirectory(prefix="polyopt-bench-") as folder:
            target = Path(folder) / "kernel.o"
            costs = [compile_cost(program, ours.flags, target) for program in self._programs()]
        return goals.compile_verdicts(costs), []

    def _programs(self) -> list[Program]:
        return find_programs(self.directory, [*self.only] or POLYBENCH)

    def _strict_peer(self, name: str) -> Contender | None:
        found = [one for one in who.peer_contenders(None, fast=False) if one.name == name]
        return found[0] if found else None

    def _rows(
        self,
        programs: Sequence[Program],
        contenders: Sequence[Contender],
        rules: Rules,
        *,
        checks: bool = False,
    ) -> list[KernelRow]:
        """One for each program; with `checks` the results are compared with an unoptimised
        build."""
        reference = who.reference_contender() if checks else None
        rows: list[KernelRow] = []
        for done, program in enumerate(programs):
            self.say(f"{program.name} at {rules.size} ({done + 1} of {len(programs)})")
            with TemporaryDirectory(prefix="polyopt-bench-") as folder:
                contest = Contest(program, contenders, Path(folder))
                entries = contest.run(rules, reference, float("inf"))
            rows.append(KernelRow(program.name, tuple(entries)))
        return rows


def _flagged(contender: Contender, old: str, new: str) -> Contender:
    return replace(contender, flags=tuple(new if flag == old else flag for flag in contender.flags))


def print_rows(console: Console, rows: Sequence[KernelRow]) -> None:
    """The seconds that verdicts come from, one line for each kernel and size."""
    for row in rows:
        cells = ", ".join(f"{entry.contender} {_shown(entry)}" for entry in row.entries)
        console.print(f"{row.kernel}: {cells}", highlight=False, markup=False)


def _shown(entry: Entry) -> str:
    return f"{entry.best:.3g}" if entry.best is not None else f"{entry.status}, {entry.detail}"
