"""What is to be reached, as data, and the verdicts on it from what was measured.

A goal is one line: what was measured, what is wanted, kept or missed. What cannot be measured on a
machine (no OpenBLAS, no clang, no AVX-512) is neither; its line says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from polyopt.support.record import record
from polyopt.tools.bench.cost import Cost
from polyopt.tools.bench.programs import POLYBENCH
from polyopt.tools.bench.report import KernelRow, geometric_mean
from polyopt.tools.bench.tsvc import TOLERANCE, Results

OURS = "polyopt:auto"
FASTEST_CLANG = "clang-fast"

NO_SLOWER, FASTER, KERNELS_FASTER, MEAN, MEAN_OVER_CLANG = 0.97, 1.1, 24, 2.0, 7.0
OF_BLAS_512, OF_BLAS_256, OF_PRODUCT = 0.95, 0.90, 0.65
TINY = 0.8
NEAR = 0.5
"""How much slower than its neighbours one size may be."""
SMALL_PRODUCT = 8.0
PROFITABLE = 1.2
_CLOCK = 0.001
"""What TSVC's times are rounded to: seconds."""
SLOWEST_COMPILE, MEDIAN_COMPILE = 5.0, 2.0

STRICT_AVX2 = {"correlation": 80.0, "covariance": 80.0, "gramschmidt": 30.0, "doitgen": 10.0}
"""How many times clang -O3 at the greater of two sizes (1000 and 2000, of doitgen LARGE and
EXTRALARGE), with AVX2 and no -ffast-math: the kernels of Huang et al."""
STRICT_AVX2_MEAN = 15.0
"""The same at the smaller size, on average."""

GIGAFLOP = {
    "gemm": 2 * 1000 * 1100 * 1200e-9,
    "2mm": 2 * 800 * 900 * (1100 + 1200) * 1e-9,
    "3mm": 2 * (800 * 900 * 1000 + 900 * 1100 * 1200 + 800 * 1100 * 900) * 1e-9,
    "doitgen": 2 * 150 * 140 * 160 * 160e-9,
    "syrk": 1000 * 1200 * 1201e-9,
    "syr2k": 2 * 1000 * 1200 * 1201e-9,
    "covariance": 1400 * 1200 * 1201e-9,
    "correlation": 1400 * 1200 * 1199e-9,
    "symm": 2 * 1000 * 1000 * 1200e-9,
    "trmm": 1000 * 999 * 1200e-9,
}
"""Multiplications and additions of the products at LARGE."""


@record
class GoalVerdict:
    """`is_kept` is None where nothing could be measured; `measured` then says why."""

    goal: str
    wanted: str
    measured: str
    is_kept: bool | None

    @property
    def word(self) -> str:
        return {True: "kept", False: "MISSED", None: "not measured"}[self.is_kept]


def at_least(goal: str, wanted: float, measured: float | None, detail: str = "") -> GoalVerdict:
    shown = "no result" if measured is None else f"{measured:.2f}{detail}"
    kept = None if measured is None else measured >= wanted
    return GoalVerdict(goal, f"at least {wanted:g}", shown, kept)


def at_most(goal: str, wanted: float, measured: float, detail: str = "") -> GoalVerdict:
    return GoalVerdict(goal, f"at most {wanted:g}", f"{measured:.2f}{detail}", measured <= wanted)


def race_verdicts(rows: Sequence[KernelRow], peers: Sequence[str]) -> list[GoalVerdict]:
    """The 30 computations against the best of the peers of each."""
    rows = [row for row in rows if row.kernel in POLYBENCH]
    ratios: dict[str, float] = {}
    for row in rows:
        best, own = row.best_of(peers), row.entry(OURS).best
        if best is not None:
            ratios[row.kernel] = best / own if own is not None else 0.0
    over_clang = [
        ratio
        for row in rows
        if FASTEST_CLANG in peers and (ratio := row.ratio(FASTEST_CLANG, OURS)) is not None
    ]
    of = f" of {len(ratios)}"
    worst = min(ratios, key=lambda kernel: ratios[kernel], default=None)
    faster = sum(ratio >= FASTER for ratio in ratios.values())
    wanted = KERNELS_FASTER * len(ratios) // len(POLYBENCH)
    mean = geometric_mean([*ratios.values()]) if all(ratios.values()) else 0.0
    return [
        at_least(
            "each kernel, of the best peer",
            NO_SLOWER,
            None if worst is None else ratios[worst],
            f" ({worst})",
        ),
        GoalVerdict(
            f"kernels at {FASTER:g} times the best peer or more",
            f"at least {wanted}{of}",
            f"{faster}{of}" if ratios else "no result",
            faster >= wanted if ratios else None,
        ),
        at_least("geometric mean over the best peer of each", MEAN, mean if ratios else None),
        at_least(
            "geometric mean over clang -O3 -ffast-math",
            MEAN_OVER_CLANG,
            geometric_mean(over_clang),
        ),
    ]


def product_verdicts(seconds: Mapping[str, float | None], blas: float | None) -> list[GoalVerdict]:
    """`seconds` of the products at LARGE; `blas`: GFLOP/s of OpenBLAS on gemm's sizes, with the
    machine's widest vectors."""
    if blas is None:
        return [GoalVerdict("products, of OpenBLAS's rate", f"at least {OF_PRODUCT:g}", "", None)]
    verdicts: list[GoalVerdict] = []
    for kernel, work in GIGAFLOP.items():
        spent = seconds.get(kernel)
        if kernel not in seconds:
            continue
        rate = None if spent is None else work / spent
        wanted = OF_BLAS_512 if kernel == "gemm" else OF_PRODUCT
        detail = "" if rate is None else f" ({rate:.1f} of {blas:.1f} GFLOP/s)"
        goal = f"{kernel}, of OpenBLAS's rate"
        verdicts.append(at_least(goal, wanted, None if rate is None else rate / blas, detail))
    return verdicts


def avx2_verdict(seconds: float | None, blas: float | None) -> GoalVerdict:
    goal = "gemm with AVX2, of OpenBLAS's rate with AVX2"
    if seconds is None or blas is None:
        return GoalVerdict(goal, f"at least {OF_BLAS_256:g}", "no result", None)
    rate = GIGAFLOP["gemm"] / seconds
    return at_least(goal, OF_BLAS_256, rate / blas, f" ({rate:.1f} of {blas:.1f} GFLOP/s)")


def strict_avx2_verdicts(
    smaller: Mapping[str, float | None], greater: Mapping[str, float | None], how: str = ""
) -> list[GoalVerdict]:
    """Ratios over clang -O3 -mavx2, which fuses nothing; `how` other flags than these differ."""
    known = [ratio for ratio in smaller.values() if ratio is not None]
    mean = sum(known) / len(known) if known and len(known) == len(smaller) else None
    verdicts = [at_least(f"strict AVX2 at 1000, mean over clang{how}", STRICT_AVX2_MEAN, mean)]
    for kernel, ratio in greater.items():
        goal = f"strict AVX2 at 2000, {kernel} over clang{how}"
        verdicts.append(at_least(goal, STRICT_AVX2[kernel], ratio))
    return verdicts


def tiny_verdict(size: str, ratios: Mapping[str, float | None]) -> GoalVerdict:
    """Ratios over gcc -O3."""
    goal = f"each kernel at {size}, of gcc -O3"
    known = {kernel: ratio for kernel, ratio in ratios.items() if ratio is not None}
    if len(known) < len(ratios) or not known:
        missing = ", ".join(kernel for kernel in ratios if kernel not in known)
        return GoalVerdict(goal, f"at least {TINY:g}", f"no result: {missing}", None)
    below = sorted((ratio, kernel) for kernel, ratio in known.items() if ratio < TINY)
    if below:
        shown = ", ".join(f"{ratio:.2f} ({kernel})" for ratio, kernel in below)
        return GoalVerdict(goal, f"at least {TINY:g}", shown, False)
    least = min(known, key=lambda kernel: known[kernel])
    return at_least(goal, TINY, known[least], f" ({least})")


def sweep_verdicts(
    seconds: Mapping[str, Mapping[int, float | None]], problems: Sequence[str]
) -> list[GoalVerdict]:
    """`seconds` of each kernel at sizes, some of them consecutive; None where there is no right
    result, and `problems` says why. A size is compared with the two beside it."""
    rates = [
        ((before * after) ** 0.5 / here, f" ({kernel} at {size})")
        for kernel, by_size in seconds.items()
        for size, here in by_size.items()
        if here
        and (before := by_size.get(size - 1)) is not None
        and (after := by_size.get(size + 1)) is not None
    ]
    count = sum(len(by_size) for by_size in seconds.values())
    right = sum(here is not None for by_size in seconds.values() for here in by_size.values())
    shown = f"{right} of {count}" + "".join(f"; {problem}" for problem in problems)
    worst, where = min(rates, default=(None, ""))
    return [
        GoalVerdict("right results at odd sizes", "all", shown, right == count if count else None),
        at_least("each size, of the speed of its neighbours", NEAR, worst, where),
    ]


def tsvc_verdicts(results: Mapping[str, Results], reference: str, scalar: str) -> list[GoalVerdict]:
    """`results` of polyopt, the peers, the unoptimised `reference` and a build without vectors,
    `scalar`."""
    own, right = results[OURS], results[reference]
    wrong = [
        name
        for name, loop in right.items()
        if name not in own
        or abs(own[name].checksum - loop.checksum) > TOLERANCE * max(1.0, abs(loop.checksum))
    ]
    shown = f"{len(right) - len(wrong)} of {len(right)}" + "".join(f"; {name}" for name in wrong)
    verdicts = [GoalVerdict("TSVC-2, right checksums", "all", shown, not wrong)]
    counts: dict[str, int] = {}
    for one, loops in results.items():
        if one in (reference, scalar):
            continue
        counts[one] = sum(
            loop.seconds * PROFITABLE <= results[scalar][name].seconds
            for name, loop in loops.items()
        )
        if one != OURS:
            ratios = [
                (loop.seconds + _CLOCK) / (own[name].seconds + _CLOCK)
                for name, loop in loops.items()
                if name in own
            ]
            goal = f"TSVC-2, geometric mean over {one} -O3"
            verdicts.append(at_least(goal, 1.0, geometric_mean(ratios)))
    most = max((count for one, count in counts.items() if one != OURS), default=0)
    detail = ", ".join(f"{one} {count}" for one, count in counts.items())
    verdicts.append(
        GoalVerdict(
            f"TSVC-2, loops {PROFITABLE:g} times as fast as without vectors",
            f"at least {most}",
            detail,
            counts[OURS] >= most,
        )
    )
    return verdicts


def small_product_verdict(ratio: float | None) -> GoalVerdict:
    return at_least("32 x 32 product of floats over clang -O3", SMALL_PRODUCT, ratio)


def compile_verdicts(costs: Sequence[Cost]) -> list[GoalVerdict]:
    slowest = max(costs, key=lambda cost: cost.seconds)
    middle = median(cost.seconds for cost in costs)
    return [
        at_most(
            "seconds to compile, slowest",
            SLOWEST_COMPILE,
            slowest.seconds,
            f" ({slowest.kernel})",
        ),
        at_most("seconds to compile, median", MEDIAN_COMPILE, middle),
    ]


def print_verdicts(console: Console, verdicts: Sequence[GoalVerdict]) -> None:
    table = Table("goal", title="Goals")
    for column in ("wanted", "measured", "verdict"):
        table.add_column(column)
    colours = {True: "green", False: "red", None: "yellow"}
    for one in verdicts:
        word = f"[{colours[one.is_kept]}]{one.word}[/]"
        table.add_row(escape(one.goal), one.wanted, escape(one.measured), word)
    console.print(table)


def as_markdown(verdicts: Sequence[GoalVerdict]) -> str:
    lines = ["| goal | wanted | measured | verdict |", "|---|---|---|---|"]
    lines += [f"| {v.goal} | {v.wanted} | {v.measured} | {v.word} |" for v in verdicts]
    return "\n".join(lines) + "\n"
