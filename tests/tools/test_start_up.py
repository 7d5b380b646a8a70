"""Every tool is there at once: processor seconds, which other work on the machine does not change
much."""

import resource
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "option", "most"),
    [
        ("polyopt.tools.polyopt_opt", "--help", 0.4),
        ("polyopt.tools.polyopt_opt", "--version", 0.4),
        ("polyopt.tools.polyopt_cc", "--help", 0.4),
    ],
)
def test_processor_time(module: str, option: str, most: float):
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", module, option], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)

    assert min(once() for _ in range(3)) < most
