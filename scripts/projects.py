#!/usr/bin/env python3
"""Build projects that others wrote by their own build files with CC=polyopt-cc, run their tests,
and compare with another compiler: a table of what builds, what passes, what it takes, and how fast
what was built is: the other's processor time over ours, for each command that is timed.

    scripts/projects.py FOLDER [--only NAME]... [--with clang-19] [--flags=…] [--work DIR]

FOLDER holds the sources of each project in a folder of its name; those that are missing are left
out. Nothing is fetched, and the sources are copied before anything is built. The logs stay in the
work folder. `projects.toml` says what is built, run and timed.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

STEP_SECONDS = 1800
TURNS = 5


@dataclass(frozen=True)
class Project:
    """Commands for the shell, in the folder of the sources; `$CC` and `$FLAGS` are set. What
    `shown` prints has to be the same whichever compiler has built it; `timed` runs in turns with
    what the other one built, and the shortest processor times are compared."""

    build: tuple[str, ...]
    test: tuple[str, ...]
    shown: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()


CMAKE = (
    "cmake -S . -B built -G Ninja -DCMAKE_BUILD_TYPE=Release "
    '-DCMAKE_C_COMPILER=$CC ${FLAGS:+-DCMAKE_C_FLAGS="$FLAGS"}'
)
TOOLCHAIN = Path(__file__).parents[1] / "docs" / "cmake" / "polyopt.cmake"
PROJECTS = {
    name: Project(**{part: tuple(commands) for part, commands in parts.items()})
    for name, parts in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}


@dataclass
class Result:
    """`problem` is the line that says what went wrong, if something did."""

    builds: bool = False
    passes: bool = False
    seconds: float = 0.0
    shown: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Place:
    """Where a project is built by a compiler, and where it is written down what happened."""

    folder: Path
    compiler: str
    flags: str
    log: Path

    def run(self, command: str, output: int | None = None) -> subprocess.CompletedProcess[str]:
        """The command's end; what it prints goes to the log, unless it is wanted."""
        environment = {**os.environ, "CC": self.compiler, "FLAGS": self.flags}
        if self.compiler == "polyopt-cc":
            environment["CMAKE_TOOLCHAIN_FILE"] = str(TOOLCHAIN)
        with self.log.open("a") as stream:
            stream.write(f"$ {command}\n")
            stream.flush()
            try:
                return subprocess.run(
                    command.replace("$CMAKE", CMAKE),
                    shell=True,
                    cwd=self.folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output or stream,
                    stderr=subprocess.STDOUT if output is None else subprocess.DEVNULL,
                    timeout=STEP_SECONDS,
                    check=False,
                    text=True,
                    errors="replace",
                )
            except subprocess.TimeoutExpired:
                stream.write(f"not finished in {STEP_SECONDS} s\n")
                return subprocess.CompletedProcess(command, 124, "")

    def seconds(self, command: str) -> float:
        """Processor time of a command."""
        start = processor_seconds()
        self.run(command)
        return processor_seconds() - start


def attempt(project: Project, place: Place) -> Result:
    """Build and test what lies in the folder."""
    result = Result()
    start = processor_seconds()
    result.builds = all(place.run(command).returncode == 0 for command in project.build)
    result.seconds = processor_seconds() - start
    if result.builds:
        result.passes = all(place.run(command).returncode == 0 for command in project.test)
        shown = [place.run(command, subprocess.PIPE).stdout for command in project.shown]
        result.shown = "".join(shown)
    if not result.passes:
        result.problem = problem_in(place.log.read_text(errors="replace"))
    return result


def speeds(project: Project, ours: Place, other: Place) -> list[float]:
    """How many times as fast each timed command is as what the other compiler built."""
    found: list[float] = []
    for command in project.timed:
        turns = [(ours.seconds(command), other.seconds(command)) for _ in range(TURNS)]
        found.append(min(o for _, o in turns) / max(min(s for s, _ in turns), 1e-3))
    return found


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def problem_in(text: str) -> str:
    """The first line of a log that says what is wrong."""
    lines = text.splitlines()
    for mark in (" error: ", "error:", "Error ", "FAILED", "not finished"):
        for line in lines:
            if mark in line:
                return line.strip()
    return lines[-1].strip() if lines else "no output"


def copied(source: Path, to: Path) -> Path:
    shutil.copytree(source, to, symlinks=True, dirs_exist_ok=True)
    return to


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", choices=PROJECTS, metavar="NAME")
    parser.add_argument("--with", dest="other", default="gcc", metavar="COMPILER")
    parser.add_argument("--flags", default="", help="for both compilers, beside the project's own")
    parser.add_argument("--own-flags", default="", help="for polyopt-cc only")
    parser.add_argument("--work", type=Path, help="where to build (default: a temporary folder)")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="projects-"))
    work.mkdir(parents=True, exist_ok=True)
    titles = "project, builds, its tests, like the other, CPU s, the other's, times as fast"
    print(f"| {titles.replace(', ', ' | ')} | what is wrong |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    bad = 0
    for name, project in PROJECTS.items():
        source = options.folder / name
        if not source.is_dir() or (options.only and name not in options.only):
            continue
        places: list[Place] = []
        for compiler, own in (("polyopt-cc", f" {options.own_flags}"), (options.other, "")):
            folder = copied(source, work / f"{name}-{compiler}-{int(time.time())}")
            log = work / f"{name}-{compiler}.log"
            log.write_text("")
            places.append(Place(folder, compiler, f"{options.flags}{own}".strip(), log))
        results = [attempt(project, place) for place in places]
        ours, other = results
        same = ours.shown == other.shown
        alike = ("yes" if same else "NO") if project.shown and ours.builds else "-"
        bad += not (ours.passes and same) and other.passes
        run_both = ours.builds and other.builds
        row = [
            name,
            "yes" if ours.builds else "NO",
            ("yes" if ours.passes else "NO") if ours.builds else "-",
            alike,
            f"{ours.seconds:.1f}",
            f"{other.seconds:.1f}" + ("" if other.passes else " (fails)"),
            ", ".join(f"{x:.2f}" for x in speeds(project, *places)) if run_both else "",
            ours.problem.replace("|", "\\|")[:160],
        ]
        print(f"| {' | '.join(row)} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
