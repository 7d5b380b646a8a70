"""What threads are to give, as data, and the verdicts on it from what was measured."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from polyopt.support.record import record
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.goals import GIGAFLOP, GoalVerdict, at_least
from polyopt.tools.bench.programs import POLYBENCH
from polyopt.tools.bench.report import KernelRow, geometric_mean
from polyopt.tools.bench.threads import in_one, over_best


@record
class Group:
    """Kernels of one kind, each of which is to be so many times as fast in threads as in one."""

    name: str
    kernels: tuple[str, ...]
    speed_up: float


PRODUCTS = tuple(GIGAFLOP)
FACTORISATIONS = ("lu", "cholesky", "ludcmp", "gramschmidt", "nussinov", "floyd-warshall")
AT_MEMORY_SPEED = ("atax", "bicg", "gemver", "gesummv", "mvt")
SWEEPS = ("jacobi-2d", "heat-3d", "fdtd-2d", "adi", "deriche")

GROUPS: Mapping[int, tuple[Group, ...]] = {
    2: (
        Group("products", PRODUCTS, 1.9),
        Group("factorisations and tables", FACTORISATIONS, 1.8),
        Group("what runs at memory speed", AT_MEMORY_SPEED, 1.8),
        Group("stencils and sweeps", SWEEPS, 1.7),
        Group("seidel-2d", ("seidel-2d",), 1.6),
    ),
    16: (
        Group("products", PRODUCTS, 12.0),
        Group("stencils", ("jacobi-2d", "heat-3d", "fdtd-2d", "seidel-2d"), 8.0),
    ),
}
"""By the number of threads, at LARGE."""

MEAN = 1.7
"""Of all 30, in two threads."""
NO_SLOWER, NO_SLOWER_SMALL, IN_ONE = 0.98, 0.95, 0.98
KERNELS_FASTER, OVER_PEERS, OVER_PLUTO, OF_BLAS = 28, 8.0, 5.0, 0.95


def no_slower(
    rows: Sequence[KernelRow], own: Contender, threads: int, size: str
) -> list[GoalVerdict]:
    """That threads, and code for threads in one, cost nothing."""
    rows = [row for row in rows if row.kernel in POLYBENCH]
    least = NO_SLOWER_SMALL if size in ("MINI", "SMALL") else NO_SLOWER
    many, one = f"{own.name} x{threads}", in_one(own).name
    return [
        _each(f"{size}: each in {threads} threads, of one", rows, own, many, least),
        _each(f"{size}: each of the code for threads, in one", rows, own, one, IN_ONE),
    ]


def speed_ups(rows: Sequence[KernelRow], own: Contender, threads: int) -> list[GoalVerdict]:
    """Of the groups at LARGE, and of all."""
    rows = [row for row in rows if row.kernel in POLYBENCH]
    many = f"{own.name} x{threads}"
    found = list[GoalVerdict]()
    for group in GROUPS.get(threads, ()):
        chosen = [row for row in rows if row.kernel in group.kernels]
        found.append(_each(f"{group.name}, each, of one thread", chosen, own, many, group.speed_up))
    if threads == 2:
        ratios = [r for row in rows if (r := row.ratio(own.name, many)) is not None]
        detail = f" ({len(ratios)} kernels)"
        mean = geometric_mean(ratios)
        found.append(at_least("geometric mean over one thread", MEAN, mean, detail))
    return found


def over_peers(
    rows: Sequence[KernelRow], own: Contender, threads: int, peers: Collection[str]
) -> list[GoalVerdict]:
    """Against the best of the peers in as many threads; with Pluto among them, and without."""
    rows = [row for row in rows if row.kernel in POLYBENCH]
    many = f"{own.name} x{threads}"
    without = [name for name in peers if not name.startswith("pluto")]
    ways = [("gcc and Polly", without, OVER_PEERS)] if without else []
    if len(without) < len(peers):
        ways.append(("all peers", [*peers], OVER_PLUTO))
    found = list[GoalVerdict]()
    for title, names, mean in ways:
        ratios = {
            row.kernel: ratio for row in rows if (ratio := over_best(row, names, many)) is not None
        }
        faster = sum(ratio > 1.0 for ratio in ratios.values())
        least = min(ratios, key=lambda kernel: ratios[kernel], default=None)
        wanted, of = KERNELS_FASTER * len(ratios) // len(POLYBENCH), f" of {len(ratios)}"
        found += [
            GoalVerdict(
                f"faster than the best of {title}",
                f"at least {wanted}{of}",
                f"{faster}{of} (least: {least}, {ratios[least]:.2f})" if least else "no result",
                faster >= wanted if ratios else None,
            ),
            at_least(f"geometric mean over {title}", mean, geometric_mean([*ratios.values()])),
        ]
    return found


def of_blas(
    rows: Sequence[KernelRow], own: str, rate: float | None, threads: int
) -> GoalVerdict | None:
    """gemm's rate at LARGE as a part of OpenBLAS's in as many threads; None where gemm took no
    part."""
    row = next((one for one in rows if one.kernel == "gemm"), None)
    if row is None:
        return None
    seconds, goal = row.entry(own).best, f"gemm, of OpenBLAS's rate in {threads} threads"
    if seconds is None or rate is None:
        return at_least(goal, OF_BLAS, None)
    reached = GIGAFLOP["gemm"] / seconds
    return at_least(goal, OF_BLAS, reached / rate, f" ({reached:.1f} of {rate:.1f} GFLOP/s)")


def _each(
    goal: str, rows: Sequence[KernelRow], own: Contender, other: str, least: float
) -> GoalVerdict:
    """That each kernel is so many times as fast as `own`; who is not is named."""
    ratios = {
        row.kernel: ratio for row in rows if (ratio := row.ratio(own.name, other)) is not None
    }
    if not ratios:
        return at_least(goal, least, None)
    below = sorted((ratio, kernel) for kernel, ratio in ratios.items() if ratio < least)
    worst = min(ratios, key=lambda kernel: ratios[kernel])
    others = ", ".join(f"{kernel} {ratio:.2f}" for ratio, kernel in below[1:])
    detail = f" ({worst}; {len(ratios) - len(below)} of {len(ratios)} reach it"
    return at_least(goal, least, ratios[worst], f"{detail}{'; ' if others else ''}{others})")
