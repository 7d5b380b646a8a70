"""Pipelines and reductions in threads, on against off: table III of J. Shirako, L.-N. Pouchet and
V. Sarkar, Oil and water can mix, SC 2014.

    pipeline     off: tiles run wavefront by wavefront, those of one shared out
    reduction    off: a loop inside is shared out

The paper's numbers are GFLOP/s of the flow that `--poly=poly+ast` is, on 8 cores of Nehalem and on
32 of Power7; sizes differ, so ratios are what is compared.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from polyopt.tools.bench.contenders import Contender, polyopt_contenders
from polyopt.tools.bench.report import KernelRow, geometric_mean
from polyopt.tools.bench.threads import in_threads, seconds_of

FLOW = "poly+ast"

Measured = tuple[float, float, float, float]
"""Off and on, on Nehalem; off and on, on Power7."""

SUPPORT: Mapping[str, Mapping[str, Measured]] = {
    "pipeline": {
        "adi": (2.31, 2.70, 3.43, 6.34),
        "cholesky": (8.26, 12.87, 29.45, 29.39),
        "fdtd-2d": (15.86, 22.30, 25.50, 26.20),
        "jacobi-1d": (10.63, 11.66, 7.89, 17.34),
        "jacobi-2d": (12.01, 17.81, 15.31, 16.76),
        "seidel-2d": (11.21, 11.36, 15.92, 15.99),
        "trisolv": (3.36, 3.48, 3.26, 4.06),
    },
    "reduction": {
        "atax": (2.61, 6.65, 1.74, 8.87),
        "bicg": (2.60, 6.91, 1.74, 8.88),
        "correlation": (12.75, 13.68, 22.66, 11.85),
        "covariance": (12.87, 13.74, 22.38, 11.83),
        "gemver": (3.45, 6.57, 4.24, 17.05),
        "mvt": (2.47, 7.28, 1.44, 8.94),
        "symm": (7.36, 9.01, 25.94, 14.40),
    },
}


def kernels_of(kind: str, only: Collection[str]) -> list[str]:
    """The paper's kernels whose threads are of this kind, among those that are asked for."""
    return [one for one in SUPPORT[kind] if not only or one in only]


def off_and_on(kind: str, threads: int, *, fast: bool) -> tuple[Contender, Contender]:
    (plain,) = polyopt_contenders([FLOW], fast=fast)
    on = in_threads(plain, threads)
    assert on is not None
    off = replace(on, name=f"{on.name}, no {kind}", flags=(*on.flags, f"--stages=no-{kind}"))
    return off, on


def print_support(
    console: Console, kind: str, rows: Sequence[KernelRow], pair: tuple[Contender, Contender]
) -> None:
    off, on = pair
    table = Table(title=f"Table III: {kind}s off and on, seconds; ratios of the paper beside ours")
    for name in ("kernel", off.name, on.name, "on / off", "Nehalem", "Power7"):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    ratios = list[float]()
    for row in rows:
        nehalem_off, nehalem_on, power_off, power_on = SUPPORT[kind][row.kernel]
        ratio = row.ratio(off.name, on.name)
        ratios += [] if ratio is None else [ratio]
        cells = [
            seconds_of(row, off.name),
            seconds_of(row, on.name),
            "-" if ratio is None else f"{ratio:.2f}",
        ]
        paper = [f"{nehalem_on / nehalem_off:.2f}", f"{power_on / power_off:.2f}"]
        table.add_row(row.kernel, *cells, *paper)
    mean = geometric_mean(ratios)
    table.add_section()
    table.add_row("geometric mean", "", "", "-" if mean is None else f"{mean:.2f}", "", "")
    console.print(table)
