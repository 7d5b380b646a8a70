"""The table for people, the JSON file for tools, and the verdicts on what was promised."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict
from math import exp, log
from pathlib import Path

from rich.console import Console
from rich.table import Table

from polyopt.support.files import write_whole
from polyopt.support.record import record
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import OK, Entry, Rules
from polyopt.tools.bench.programs import POLYBENCH


@record
class KernelRow:
    """One kernel's entries, in the order of the contenders."""

    kernel: str
    entries: tuple[Entry, ...]

    def entry(self, contender: str) -> Entry:
        return next(entry for entry in self.entries if entry.contender == contender)

    def ratio(self, baseline: str, contender: str) -> float | None:
        """How many times faster the contender is, where both have a right result."""
        slow, fast = self.entry(baseline).best, self.entry(contender).best
        return None if slow is None or fast is None else slow / fast

    def best_of(self, contenders: Sequence[str]) -> float | None:
        times = [t for name in contenders if (t := self.entry(name).best) is not None]
        return min(times, default=None)


@record
class Promise:
    """A ratio that is to be reached: the geometric mean, or on each kernel that is named."""

    text: str
    contender: str
    baseline: str
    at_least: float
    kernels: tuple[str, ...] = ()
    each: bool = False


PROMISES = (
    Promise("geometric mean over the 30", "polyopt:isl+tile", "clang-fast", 1.5, POLYBENCH),
    *(
        Promise(kernel, "polyopt:isl+tile", "clang-fast", 10.0, (kernel,), each=True)
        for kernel in ("2mm", "correlation", "covariance")
    ),
)


def geometric_mean(ratios: Sequence[float]) -> float | None:
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else None


def verdicts(rows: Sequence[KernelRow], rules: Rules) -> list[str]:
    """One line per promise that this contest can judge: the promises are about LARGE."""
    if rules.size != "LARGE" or not rows:
        return []
    present = {entry.contender for entry in rows[0].entries}
    lines: list[str] = []
    for promise in PROMISES:
        if not {promise.contender, promise.baseline} <= present:
            continue
        measured = [row for row in rows if row.kernel in promise.kernels]
        if not measured or (not promise.each and len(measured) < len(promise.kernels)):
            continue
        ratios = [row.ratio(promise.baseline, promise.contender) for row in measured]
        known = [ratio for ratio in ratios if ratio is not None]
        reached = geometric_mean(known)
        kept = reached is not None and reached >= promise.at_least and len(known) == len(ratios)
        shown = "no result" if reached is None else f"{reached:.2f}"
        missing = (
            f", {len(ratios) - len(known)} without a result" if len(known) < len(ratios) else ""
        )
        lines.append(
            f"{'kept' if kept else 'MISSED'}: {promise.contender} over {promise.baseline}, "
            f"{promise.text}: {shown} (at least {promise.at_least:g}{missing})"
        )
    return lines


def print_table(
    console: Console, rows: Sequence[KernelRow], contenders: Sequence[Contender]
) -> None:
    """Seconds of every contender; beside each of polyopt's the ratio to the fastest peer."""
    peers = [c.name for c in contenders if not c.is_polyopt]
    ours = [c.name for c in contenders if c.is_polyopt]
    table = Table(title=None)
    table.add_column("kernel")
    for name in peers:
        table.add_column(name, justify="right")
    for name in ours:
        table.add_column(name, justify="right")
        if peers:
            table.add_column("/ best peer", justify="right")
    for row in rows:
        best = row.best_of(peers)
        cells = [_cell(row.entry(name), best) for name in peers]
        for name in ours:
            entry = row.entry(name)
            cells.append(_cell(entry, None))
            if peers:
                cells.append(_ratio_cell(best, entry.best))
        table.add_row(row.kernel, *cells)
    if peers and ours:
        table.add_section()
        means = ["" for _ in peers]
        for name in ours:
            pairs = [(row.best_of(peers), row.entry(name).best) for row in rows]
            ratios = [peer / own for peer, own in pairs if peer and own]
            mean = geometric_mean(ratios)
            means += ["", "" if mean is None else f"{mean:.2f}"]
        table.add_row("geometric mean", *means)
    console.print(table)


def print_means(
    console: Console, rows: Sequence[KernelRow], contenders: Sequence[Contender]
) -> None:
    """The geometric mean of every polyopt configuration over every other contender."""
    for own in (c.name for c in contenders if c.is_polyopt):
        for other in (c.name for c in contenders if c.name != own):
            ratios = {row.kernel: row.ratio(other, own) for row in rows}
            known = {kernel: ratio for kernel, ratio in ratios.items() if ratio is not None}
            mean = geometric_mean(list(known.values()))
            if mean is None:
                continue
            worst = min(known, key=lambda kernel: known[kernel])
            console.print(
                f"{own} over {other}: {mean:.2f} over {len(known)} of {len(rows)} kernels, "
                f"worst {known[worst]:.2f} ({worst})",
                highlight=False,
            )


def print_failures(console: Console, rows: Sequence[KernelRow]) -> None:
    """What went wrong, and what could not be compared."""
    for row in rows:
        for entry in row.entries:
            if entry.status != OK or entry.detail:
                detail = f": {entry.detail}" if entry.detail else ""
                console.print(
                    f"{row.kernel}, {entry.contender}: {entry.status}{detail}",
                    highlight=False,
                    markup=False,
                )


def write_json(
    path: Path, rows: Sequence[KernelRow], contenders: Sequence[Contender], rules: Rules
) -> None:
    report = {
        "machine": {
            "processor": processor_name(),
            "system": platform.platform(),
            "load": os.getloadavg(),
        },
        "rules": asdict(rules),
        "contenders": {
            c.name: {"flags": [*c.flags], "version": c.version(), "exact": c.exact}
            for c in contenders
        },
        "kernels": {row.kernel: [asdict(entry) for entry in row.entries] for row in rows},
        "verdicts": verdicts(rows, rules),
    }
    write_whole(path, json.dumps(report, indent=1) + "\n")


def processor_name() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown"
    found = re.search(r"model name\s*: (.*)", text)
    return found[1] if found else "unknown"


def _cell(entry: Entry, best: float | None) -> str:
    if entry.best is None:
        return f"[red]{entry.status}[/red]"
    shown = f"{entry.best:.4g}"
    if best is not None and entry.best == best:
        shown = f"[bold]{shown}[/bold]"
    return shown if entry.fired else f"{shown} (did not fire)"


def _ratio_cell(peer: float | None, own: float | None) -> str:
    if peer is None or own is None:
        return "-"
    ratio = peer / own
    colour = "green" if ratio >= 1.0 else "yellow" if ratio >= 0.8 else "red"
    return f"[{colour}]{ratio:.2f}[/{colour}]"
