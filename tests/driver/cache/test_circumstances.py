"""Which compiler it is, made of what and on which machine: a change of any is seen."""

import os
import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from polyopt.driver.cache import circumstances as about
from polyopt.driver.cache.circumstances import DEPENDENCIES
from polyopt.driver.units.module_texts import make_context
from polyopt.tools import polyopt_cc

ROOT = Path(__file__).parents[3]
ROOMS = ("compiler", "dialects", "passes")
OF_CALLS = {"mpi4py", "numpy", "rich"}
"""What is imported when functions are called, long after they were compiled, or shows progress."""


def imported() -> Iterator[str]:
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        yield from re.findall(r"^ *(?:import|from) (\w+)", path.read_text("utf-8"), re.MULTILINE)


def test_all_that_code_is_made_by_counts():
    others = set(imported()) - sys.stdlib_module_names - {"polyopt"} - OF_CALLS
    assert {name for name in others if find_spec(name)} == set(DEPENDENCIES)


def test_the_same_twice():
    assert about.circumstances() is not None
    assert about.are_still_so()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package called xdsl, installed before all others."""
    about.circumstances()
    (tmp_path / "xdsl").mkdir()
    (tmp_path / "xdsl" / "__init__.py").write_text("")
    (tmp_path / "xdsl-9.0.dist-info").mkdir()
    (tmp_path / "xdsl-9.0.dist-info" / "RECORD").write_text("files")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def now() -> str | None:
    return about._circumstances()  # pyright: ignore[reportPrivateUsage]


def test_another_version(package: Path):
    before = now()
    assert before not in (None, about.circumstances())
    (package / "xdsl-9.0.dist-info").rename(package / "xdsl-9.1.dist-info")
    assert now() not in (None, before)


def test_the_same_version_installed_again(package: Path):
    before = now()
    os.utime(package / "xdsl-9.0.dist-info" / "RECORD", (1, 1))
    assert now() not in (None, before)


def test_package_without_a_version(package: Path):
    """A checkout on the path may change at any time: nothing is kept."""
    (package / "xdsl-9.0.dist-info" / "RECORD").unlink()
    assert now() is None
    (package / "xdsl-9.0.dist-info").rmdir()
    assert now() is None


def test_compiler_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Its files are asked for one by one only where they may change one by one."""
    own = tmp_path / "polyopt"
    record = tmp_path / "polyopt-9.0.dist-info" / "RECORD"
    own.mkdir()
    monkeypatch.setattr(about, "_OWN", str(own))
    checkout = now()
    record.parent.mkdir()
    record.write_text("files")
    before = now()
    assert before not in (None, checkout)
    monkeypatch.setattr(about, "_files_below", None)
    assert now() == before
    os.utime(record, (1, 1))
    assert now() not in (None, before)


def test_compiler_that_is_installed_again_with_the_same_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As Nix does, and images of containers whose times are set to one."""
    own = tmp_path / "polyopt"
    record = tmp_path / "polyopt-9.0.dist-info" / "RECORD"
    own.mkdir()
    record.parent.mkdir()
    monkeypatch.setattr(about, "_OWN", str(own))
    found = list[str | None]()
    for sums in ("polyopt/unit.py,sha256=aa,12", "polyopt/unit.py,sha256=ab,12"):
        record.write_text(sums)
        os.utime(record, (1, 1))
        found.append(now())
    assert None not in found
    assert found[0] != found[1]


def test_another_machine(monkeypatch: pytest.MonkeyPatch):
    before = now()
    monkeypatch.setattr(about, "cache_sizes", lambda: {1: 1024})
    after = now()
    assert after != before
    monkeypatch.setattr(about, "processor_lines", lambda: {"flags": "sse2"})
    assert now() not in (before, after)


def test_change_while_compiling_is_seen(monkeypatch: pytest.MonkeyPatch):
    about.circumstances()
    monkeypatch.setattr(about, "cache_sizes", lambda: {1: 1024})
    assert not about.are_still_so()


SOURCE = """\
#include <math.h>
#include <stdio.h>
#include "own.h"
#if __has_include("none.h")
#endif
void f(int n, double a[n]) {
  for (int i = 0; i < n; i++) a[i] = sqrt(a[i]) + OWN;
}
int main(void) { printf("%d", OWN); return 0; }
"""

_opened: list[str] = []
_listening = False


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event in ("open", "os.listdir", "os.scandir", "glob.glob"):
        _opened.append(os.fspath(arguments[0]) if isinstance(arguments[0], str | Path) else "")


sys.addaudithook(_hear)

NO_INPUTS = ("/proc/cpuinfo", "/sys/devices/system/cpu", "/dev/")


@pytest.mark.parametrize(
    "options",
    [
        "-O3 -Wall",
        "-O3 -march=native -g -include late.h",
        "-O2 --schedule=steps",
        "-O2 -fopenmp=libgomp",
        "-O2 -fopenmp",
        "-O2 -fparallel --remarks",
        "-O2 --check",
        "-O2 @words",
    ],
)
def test_no_input_unseen(options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Whatever file a compilation opens is Python's own, or is noted as something that the result
    depends on."""
    from polyopt.support.noted import collect_noted

    global _listening
    for name, text in {
        "prog.c": SOURCE,
        "own.h": "#define OWN 3\n",
        "late.h": "",
        "steps": "scop f\nreverse S0.i\n",
        "words": "-DX=1",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    make_context()
    command = ["-c", *options.split(), "prog.c", "-o", "/dev/null"]
    polyopt_cc.main(command)
    _opened.clear()
    with collect_noted() as noted:
        _listening = True
        try:
            assert polyopt_cc.main(command) == 0
        finally:
            _listening = False
    asked = {os.path.abspath(of) for _, of, _ in noted.facts}
    asked |= {os.path.dirname(path) for path in asked}
    pythons = (sys.prefix, sys.base_prefix, str(ROOT))
    unseen = {
        path
        for path in _opened
        if os.path.abspath(path) not in asked
        and not path.startswith(NO_INPUTS)
        and not (path.startswith(pythons) and path.endswith((".py", ".pyc", "__pycache__")))
        and not os.path.isdir(path)
    }
    assert unseen == set()
    assert {str(tmp_path / "prog.c"), str(tmp_path / "own.h")} <= asked
