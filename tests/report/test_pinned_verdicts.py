"""What stands against each loop of the kernels in benchmarks, or that nothing does: a table, for
people to read, in `pinned_verdicts.txt`. What LLVM makes of a loop, and what a model of cost thinks
of it, is not in it.

`python tests/report/test_pinned_verdicts.py` writes it anew: what changes is to be read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyopt.driver.flags import read_settings
from polyopt.driver.observation import observe
from polyopt.driver.unit import Source
from polyopt.report.verdicts import verdicts

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
TABLE = Path(__file__).with_name("pinned_verdicts.txt")
KERNELS = [
    path.relative_to(BENCHMARKS)
    for room in ("kinds", "kernels")
    for path in sorted((BENCHMARKS / room).glob("*.c"))
]
OF_THE_BACK_END = ("LLVM ", "No vectors")


def told(kernel: Path) -> Iterator[str]:
    """A line for each loop."""
    path = str(BENCHMARKS / kernel)
    folder = f"-I{(BENCHMARKS / kernel).parent}"
    settings = read_settings(["-O3", "--poly=identity", "-march=x86-64-v3", folder])
    for one in verdicts(observe(Source(path, Path(path).read_text("utf-8")), settings)):
        if one.loop.start.file == path:
            details = [text for text in one.details if not text.startswith(OF_THE_BACK_END)]
            yield f"{kernel}:{one.loop.start.line} {one.loop.name}: " + " | ".join(
                [one.headline, *details]
            )


@pytest.mark.parametrize(
    "kernel",
    [pytest.param(k, marks=[pytest.mark.slow] if "kernels" in k.parts else []) for k in KERNELS],
    ids=str,
)
def test_verdicts_are_those_that_were_read(kernel: Path):
    pinned = [one for one in TABLE.read_text("utf-8").splitlines() if one.startswith(f"{kernel}:")]
    assert list(told(kernel)) == pinned
    assert pinned


if __name__ == "__main__":
    lines = [line for kernel in KERNELS for line in told(kernel)]
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")
