"""What stands against each loop of kernels, or that nothing does: tables, for people to read. Of
those in benchmarks it is `pinned_verdicts.txt`; of kernels that others have written, which are no
part of this project, `given_verdicts.txt`: they lie in a folder that `POLYOPT_KERNELS` names, or in
`shared/kernels` beside the project, and where they are not there is nothing to ask; of twenty
functions that were written to ask why, `asked_verdicts.txt`, from `shared/defects` there. What LLVM
makes of a loop, which is not asked, and what a model of cost thinks of it, are not in them.

`python tests/report/test_pinned_verdicts.py` writes all anew: what changes is to be read again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from polyopt.driver.observed.observation import observe
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.report.verdicts import verdicts

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
TABLE = Path(__file__).with_name("pinned_verdicts.txt")
KERNELS = [
    path.relative_to(BENCHMARKS)
    for room in ("kinds", "kernels")
    for path in sorted((BENCHMARKS / room).glob("*.c"))
]
GIVEN = Path(os.environ.get("POLYOPT_KERNELS", ROOT.parent / "shared" / "kernels"))
GIVEN_TABLE = Path(__file__).with_name("given_verdicts.txt")
GIVEN_KERNELS = [path.relative_to(GIVEN) for path in sorted(GIVEN.glob("*.c"))]
ASKED = ROOT.parent / "shared" / "defects"
ASKED_TABLE = Path(__file__).with_name("asked_verdicts.txt")
ASKED_KERNELS = [path.relative_to(ASKED) for path in sorted(ASKED.glob("why_remarks.c"))]
NO_VECTORS = "No vectors"
"""What a model of cost has against them."""


def told(room: Path, kernel: Path) -> Iterator[str]:
    """A line for each loop; its column, too, where lines are not ours."""
    path = str(room / kernel)
    folder = f"-I{(room / kernel).parent}"
    settings = read_settings(["-O3", "--poly=identity", "-march=x86-64-v3", folder])
    source = Source(path, Path(path).read_text("utf-8"))
    for one in verdicts(observe(source, settings, code=False)):
        if one.loop.start.file == path:
            details = [text for text in one.details if not text.startswith(NO_VECTORS)]
            start = one.loop.start
            place = f"{start.line}" if room == BENCHMARKS else f"{start.line}:{start.column}"
            yield f"{kernel}:{place} {one.loop.name}: " + " | ".join([one.headline, *details])


def pinned(table: Path, kernel: Path) -> Sequence[str]:
    lines = table.read_text("utf-8").splitlines()
    return [one for one in lines if one.startswith(f"{kernel}:")]


@pytest.mark.parametrize(
    "kernel",
    [pytest.param(k, marks=[pytest.mark.slow] if "kernels" in k.parts else []) for k in KERNELS],
    ids=str,
)
def test_verdicts_are_those_that_were_read(kernel: Path):
    lines = pinned(TABLE, kernel)
    assert list(told(BENCHMARKS, kernel)) == lines
    assert lines


@pytest.mark.slow
@pytest.mark.parametrize("kernel", GIVEN_KERNELS, ids=str)
def test_verdicts_of_given_kernels_are_those_that_were_read(kernel: Path):
    lines = pinned(GIVEN_TABLE, kernel)
    assert not lines or list(told(GIVEN, kernel)) == lines, "a kernel of this name was read"


@pytest.mark.parametrize("kernel", ASKED_KERNELS, ids=str)
def test_verdicts_of_functions_that_ask_why_are_those_that_were_read(kernel: Path):
    assert list(told(ASKED, kernel)) == pinned(ASKED_TABLE, kernel)


def rewrite(table: Path, room: Path, kernels: Sequence[Path]) -> None:
    lines = [line for kernel in kernels for line in told(room, kernel)]
    table.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    rewrite(TABLE, BENCHMARKS, KERNELS)
    if GIVEN_KERNELS:
        rewrite(GIVEN_TABLE, GIVEN, GIVEN_KERNELS)
    if ASKED_KERNELS:
        rewrite(ASKED_TABLE, ASKED, ASKED_KERNELS)
