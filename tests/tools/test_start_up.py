"""Every tool is there at once. What it loads is counted, because seconds depend on the machine;
`polyopt-bench --compile-time` measures those."""

import subprocess
import sys

import pytest

TOOLS = ("polyopt_opt", "polyopt_cc", "polyopt_bench", "polyopt_tune", "polyopt_fuzz")
LATER = {"islpy", "llvmlite", "numpy", "pcpp", "pycparser"}
"""Packages that take long to load, and that only work on a program needs."""


def loaded(tool: str, option: str) -> list[str]:
    command = [sys.executable, "-X", "importtime", "-m", f"polyopt.tools.{tool}", option]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = [line.split("|") for line in done.stderr.splitlines() if line.startswith("import time")]
    return [parts[2].strip() for parts in lines[1:]]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_loads_little(tool: str, option: str):
    modules = loaded(tool, option)
    assert f"polyopt.tools.{tool}" in modules or len(modules) > 50
    assert not LATER & {module.partition(".")[0] for module in modules}
    assert {module for module in modules if module.startswith("xdsl.dialects.")} <= {
        "xdsl.dialects.builtin"
    }
    assert len(modules) < 300


@pytest.mark.parametrize("option", ["--help", "--version", "-dumpmachine"])
def test_compiler_says_what_it_is_without_xdsl(option: str):
    """xDSL makes its classes anew in each process, which takes as long as all else together."""
    modules = loaded("polyopt_cc", option)
    assert "polyopt.pipeline" in modules
    assert "xdsl" not in {module.partition(".")[0] for module in modules}
    assert len(modules) < 200
