#!/usr/bin/env python
"""What becomes of the C tests of a validation suite of OpenMP implementations.

    scripts/openmp_suite.py FOLDER [--levels O1,O3] [--only NAME] [--threads 4] [--runs 2]

FOLDER holds a checkout of one of two suites: "OpenMP Validation & Verification" (`ompvv/ompvv.h`,
programs that exit with 0), or the older "OpenMP Validation Suite" (`omp_testsuite.h`, templates
whose functions are not 0 where all is well). Left out are tests for devices (`target`) and those
that gcc does not compile, or that fail or do not end with gcc too: these say nothing of ours.
Each test is compiled at each level with -fopenmp and run with threads that do not spin. `refused`
are programs with a construct that is not supported, by the words of the message.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

RIGHT, REFUSED, WRONG, CRASHED = "right", "refused", "wrong", "crashed"
OUTCOMES = (RIGHT, REFUSED, WRONG, CRASHED)
INTERNAL_ERROR = 4
DEVICE = re.compile(
    r"^\s*#\s*pragma\s+omp\s+(begin\s+)?(declare\s+target|target|requires)|OMPVV_TEST\w*OFFLOADING",
    re.M,
)
ERROR = re.compile(r"error: (.*)$", re.M)
NAME = re.compile(r"'[^']*'|\b\d+\b")
DROPPED = re.compile(
    r"<ompts:(crosscheck|testdescription|ompversion|version|directive|dependences|description)>"
    r".*?</ompts:\1>",
    re.S,
)
TAG = re.compile(r"</?ompts:[a-z:]*>")
FUNCTION = re.compile(r"<ompts:testcode:functionname>\s*(\w+)\s*</ompts:testcode:functionname>")
MAIN = """
int main(void) {
  FILE *log = tmpfile();
  return log == 0 || !FUNCTION(log);
}
"""


@dataclass(frozen=True)
class Test:
    """A program, as text, and how it is to be compiled."""

    name: str
    text: str
    flags: tuple[str, ...]


@dataclass
class Tally:
    """Outcomes at each level, and what was said."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    refused: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    left_out: list[str] = field(default_factory=list[str])

    def add(self, level: str, name: str, outcome: str, why: str) -> None:
        self.counts[level][outcome] += 1
        if outcome == REFUSED:
            self.refused[NAME.sub("…", why)].append(name)
        elif outcome != RIGHT:
            print(f"{outcome:8} -{level} {name}  {why}", flush=True)

    def print(self) -> None:
        print(f"{'level':6}{'tests':>7}" + "".join(f"{one:>9}" for one in OUTCOMES))
        for level, counts in self.counts.items():
            cells = "".join(f"{counts[one]:>9}" for one in OUTCOMES)
            print(f"-{level:5}{counts.total():>7}{cells}")
        names = ", ".join(self.left_out)
        print(f"{len(self.left_out)} left out, which gcc does not do either: {names}")
        for words, names in sorted(self.refused.items(), key=lambda item: -len(item[1])):
            shown = ", ".join(dict.fromkeys(names))
            print(f"{len(names):4}  {words}\n      {shown}")


def main() -> int:
    arguments = _arguments()
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": str(arguments.threads),
        "OMP_WAIT_POLICY": "passive",
    }
    tests = [one for one in _tests(arguments.folder) if arguments.only in one.name]
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        for test in tests:
            source = Path(folder) / "test.c"
            source.write_text(test.text, encoding="utf-8", errors="surrogateescape")
            judge = ["gcc", "-O1", "-fopenmp", "-w", *test.flags]
            if _try(judge, source, environment, arguments)[0] != RIGHT:
                tally.left_out.append(test.name)
                continue
            for level in arguments.levels.split(","):
                command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", f"-{level}"]
                command += ["-fopenmp", "-w", *test.flags]
                tally.add(level, test.name, *_try(command, source, environment, arguments))
    tally.print()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--levels", default="O1,O3")
    parser.add_argument("--only", default="", help="tests with this in their names")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--runs", type=int, default=2, help="all of which have to be right")
    parser.add_argument("--seconds", type=float, default=60.0, help="for a run")
    return parser.parse_args()


def _tests(folder: Path) -> list[Test]:
    if (folder / "ompvv" / "ompvv.h").exists():
        return _programs(folder)
    if (folder / "omp_testsuite.h").exists():
        return _templates(folder)
    sys.exit(f"error: {folder} holds neither ompvv/ompvv.h nor omp_testsuite.h")


def _programs(folder: Path) -> list[Test]:
    found = list[Test]()
    for file in sorted((folder / "tests").rglob("*.c")):
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        if "main" in text and DEVICE.search(text) is None:
            flags = (f"-I{folder / 'ompvv'}", f"-I{file.parent}")
            found.append(Test(str(file.relative_to(folder / "tests")), text, flags))
    return found


def _templates(folder: Path) -> list[Test]:
    """The directives are there, and what would be without them is not; the functions' names are
    declared in the suite's header."""
    found = list[Test]()
    for file in sorted((folder / "c").glob("*.c")):
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
        name = FUNCTION.search(text)
        if name is not None:
            plain = TAG.sub("", DROPPED.sub("", FUNCTION.sub(r"\1", text)))
            main = MAIN.replace("FUNCTION", name.group(1))
            found.append(Test(file.name, plain + main, (f"-I{folder}",)))
    return found


def _try(
    compiler: list[str], source: Path, environment: dict[str, str], arguments: argparse.Namespace
) -> tuple[str, str]:
    program = source.with_suffix("")
    program.unlink(missing_ok=True)
    command = [*compiler, str(source), "-o", str(program), "-lm"]
    try:
        built = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return CRASHED, "compilation does not end in time"
    if built.returncode:
        error = ERROR.search(built.stderr)
        said = error.group(1) if error else built.stderr.strip()[-200:]
        return (REFUSED if built.returncode == 1 else CRASHED), said
    for _ in range(arguments.runs):
        try:
            ran = subprocess.run(
                [str(program)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd=source.parent,
                timeout=arguments.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return WRONG, "does not end"
        if ran.returncode:
            return WRONG, f"status {ran.returncode}"
    return RIGHT, ""


if __name__ == "__main__":
    sys.exit(main())
