"""A race in threads: polyopt in one and in N, and compilers that parallelise by themselves in N.

    polyopt:auto       one thread, as in any other race
    polyopt:auto x2    -fparallel=2
    gcc x2             -ftree-parallelize-loops=2
    polly x2           -polly-parallel
    pluto-gcc x2       polycc --parallel, then -fopenmp

All take part in one contest: what is read are ratios of runs in turns. A peer whose object code is
the same with and without its flag for threads "did not fire".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.report import Row, geometric_mean

GEMM = 2 * 1000 * 1100 * 1200e-9
"""Gigaflops of gemm at LARGE."""

_POLLY = ("-mllvm", "-polly-parallel")
PEERS = ("gcc", "polly", "pluto-gcc", "pluto-clang")


def in_threads(contender: Contender, threads: int) -> Contender | None:
    """The contender that uses so many threads; None where its compiler makes no use of them."""
    name, flags, libraries = contender.name, contender.flags, contender.libraries
    if contender.is_polyopt:
        more = (f"-fparallel={threads}",)
    elif name in ("gcc", "gcc-fast"):
        more = (f"-ftree-parallelize-loops={threads}",)
    elif name == "polly":
        more, libraries = _POLLY, ("-lgomp", *libraries)
    elif contender.translate is not None:
        more = ("-fopenmp",)
    else:
        return None
    translate = contender.translate
    if translate is not None:
        translate = tuple("--parallel" if one == "--noparallel" else one for one in translate)
    return replace(
        contender,
        name=f"{name.removesuffix('-fast')} x{threads}",
        flags=(*flags, *more),
        libraries=libraries,
        translate=translate,
        without=flags if translate is None else None,
    )


def contenders_in_threads(
    own: Sequence[Contender], peers: Sequence[Contender], threads: int, names: Collection[str]
) -> list[Contender]:
    """Each of `own` in one thread and in so many, and the peers of these names in so many."""
    chosen = [peer for peer in peers if peer.name.removesuffix("-fast") in names]
    fast = {peer.name for peer in chosen}
    chosen = [peer for peer in chosen if f"{peer.name}-fast" not in fast]
    made = [in_threads(one, threads) for one in chosen]
    result = [one for one in made if one is not None]
    for one in own:
        other = in_threads(one, threads)
        assert other is not None
        result += [one, other]
    return result


def print_threads(
    console: Console, rows: Sequence[Row], contenders: Sequence[Contender], threads: int
) -> None:
    """Seconds of each contender; of each of ours how many times faster it is in threads than in
    one, and than the best peer."""
    peers = [one.name for one in contenders if not one.is_polyopt]
    alone = [one for one in contenders if one.is_polyopt and not _is_threaded(one)]
    table = Table(title=None)
    for name in ("kernel", *peers):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    for one in alone:
        for title in (one.name, f"{one.name} x{threads}", "/ one", "/ best peer"):
            table.add_column(title, justify="right")
    ratios = {title: list[float]() for one in alone for title in _titles(one, threads)}
    for row in rows:
        cells = [_seconds(row, name) for name in peers]
        best = row.best_of(peers)
        for one in alone:
            many = f"{one.name} x{threads}"
            by_many = row.entry(many).best
            speedups = (
                row.ratio(one.name, many),
                None if best is None or by_many is None else best / by_many,
            )
            cells += [_seconds(row, one.name), _seconds(row, many)]
            for title, ratio in zip(_titles(one, threads), speedups, strict=True):
                cells.append("-" if ratio is None else f"{ratio:.2f}")
                ratios[title] += [] if ratio is None else [ratio]
        table.add_row(row.kernel, *cells)
    table.add_section()
    means = ["" for _ in peers]
    for one in alone:
        found = [geometric_mean(ratios[title]) for title in _titles(one, threads)]
        means += ["", "", *("" if mean is None else f"{mean:.2f}" for mean in found)]
    table.add_row("geometric mean", *means)
    console.print(table)


def against_blas(rows: Sequence[Row], own: str, rate: float | None, threads: int) -> str | None:
    """gemm's rate as a part of OpenBLAS's in as many threads; None where one is not known."""
    row = next((one for one in rows if one.kernel == "gemm"), None)
    seconds = None if row is None else row.entry(own).best
    if seconds is None or rate is None:
        return None
    reached = GEMM / seconds
    return (
        f"gemm, {own}: {reached:.1f} GFLOP/s, {reached / rate:.2f} of OpenBLAS's {rate:.1f} "
        f"in {threads} threads"
    )


def _titles(one: Contender, threads: int) -> tuple[str, str]:
    return f"{one.name} x{threads} / one", f"{one.name} x{threads} / best peer"


def _is_threaded(one: Contender) -> bool:
    return any(flag.startswith("-fparallel=") for flag in one.flags)


def _seconds(row: Row, name: str) -> str:
    entry = row.entry(name)
    if entry.best is None:
        return entry.status
    return f"{entry.best:.4g}" if entry.fired else f"{entry.best:.4g} (did not fire)"
