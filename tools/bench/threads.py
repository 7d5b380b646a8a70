"""A race in threads: polyopt in one and in N, and compilers that parallelise by themselves in N.

    polyopt:auto         one thread, as in any other race
    polyopt:auto in one  -fparallel, given one thread: what the code for threads costs there
    polyopt:auto x2      -fparallel=2
    gcc x2               -ftree-parallelize-loops=2
    polly x2             -polly-parallel
    pluto-gcc x2         polycc --parallel, then -fopenmp

All take part in one contest: what is read are ratios of runs in turns. A peer whose object code is
the same with and without its flag for threads "did not fire".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.report import KernelRow, geometric_mean

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


def in_one(contender: Contender) -> Contender:
    """One of ours whose code is for threads, and is given one."""
    flags = (*contender.flags, "-fparallel")
    return replace(contender, name=f"{contender.name} in one", flags=flags, threads=1)


def contenders_in_threads(
    own: Sequence[Contender], peers: Sequence[Contender], threads: int, names: Collection[str]
) -> list[Contender]:
    """Each of `own` in one thread, as code for threads in one, and in so many; and the peers of
    these names in so many."""
    chosen = [peer for peer in peers if peer.name.removesuffix("-fast") in names]
    fast = {peer.name for peer in chosen}
    chosen = [peer for peer in chosen if f"{peer.name}-fast" not in fast]
    made = [in_threads(one, threads) for one in chosen]
    result = [one for one in made if one is not None]
    for one in own:
        other = in_threads(one, threads)
        assert other is not None
        result += [one, in_one(one), other]
    return result


def print_threads(
    console: Console, rows: Sequence[KernelRow], contenders: Sequence[Contender], threads: int
) -> None:
    """Seconds of each contender; of each of ours how many times faster than without threads its
    code for threads is in one and in all of them, and than the best peer."""
    peers = [one.name for one in contenders if not one.is_polyopt]
    alone = [one for one in contenders if one.is_polyopt and not _is_threaded(one)]
    table = Table(title=None)
    for name in ("kernel", *peers):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    for one in alone:
        for title in (one.name, f"{one.name} x{threads}", "in one", "/ one", "/ best peer"):
            table.add_column(title, justify="right")
    ratios = {title: list[float]() for one in alone for title in _titles(one, threads)}
    for row in rows:
        cells = [seconds_of(row, name) for name in peers]
        for one in alone:
            many = f"{one.name} x{threads}"
            speedups = (
                row.ratio(one.name, in_one(one).name),
                row.ratio(one.name, many),
                over_best(row, peers, many),
            )
            cells += [seconds_of(row, one.name), seconds_of(row, many)]
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


def over_best(row: KernelRow, peers: Sequence[str], own: str) -> float | None:
    """How many times faster than the best of the peers one of ours is."""
    best, seconds = row.best_of(peers), row.entry(own).best
    return None if best is None or seconds is None else best / seconds


def _titles(one: Contender, threads: int) -> tuple[str, str, str]:
    many = f"{one.name} x{threads}"
    return f"{one.name} in one", f"{many} / one", f"{many} / best peer"


def _is_threaded(one: Contender) -> bool:
    return any(flag.startswith("-fparallel") for flag in one.flags)


def seconds_of(row: KernelRow, name: str) -> str:
    entry = row.entry(name)
    if entry.best is None:
        return entry.status
    return f"{entry.best:.4g}" if entry.fired else f"{entry.best:.4g} (did not fire)"
