#!/usr/bin/env python3
"""Build projects that others wrote by their own build files with CC=polyopt-cc, run their tests,
and compare with another compiler: a table of what builds, what passes, and what it takes.

    scripts/projects.py FOLDER [--only NAME]... [--with gcc] [--flags=…] [--work DIR]

FOLDER holds the sources of each project in a folder of its name; those that are missing are left
out. Nothing is fetched, and the sources are copied before anything is built. The logs stay in the
work folder.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

STEP_SECONDS = 1800


@dataclass(frozen=True)
class Project:
    """Commands for the shell, in the folder of the sources; `$CC` and `$FLAGS` are set. What
    `shown` prints has to be the same whichever compiler has built it."""

    build: tuple[str, ...]
    test: tuple[str, ...]
    shown: str = ""


CMAKE = (
    "cmake -S . -B built -G Ninja -DCMAKE_BUILD_TYPE=Release "
    '-DCMAKE_C_COMPILER=$CC ${FLAGS:+-DCMAKE_C_FLAGS="$FLAGS"}'
)
TOOLCHAIN = Path(__file__).parents[1] / "docs" / "cmake" / "polyopt.cmake"

PROJECTS = {
    "tinyexpr": Project(
        ('make CC="$CC $FLAGS" example example2 example3 bench',),
        ('make CC="$CC $FLAGS" smoke smoke_pr',),
        "./example; ./example2 'x*x-y/3'; ./example3; ./smoke | tail -1 | cut -d' ' -f1",
    ),
    "kissfft": Project(
        ('make CC="$CC $FLAGS" KISSFFT_TOOLS=0 all',),
        (
            'make -C test CC="$CC $FLAGS" KISSFFT_DATATYPE=float '
            "KISSFFTLIB_SHORTNAME=kissfft-float TYPEFLAGS=-Dkiss_fft_scalar=float "
            'CFLAGS="-O3 -I.." st-float tr-float tkfc-float',
            "cd test && LD_LIBRARY_PATH=.. && export LD_LIBRARY_PATH && "
            "./st-float && ./tr-float && ./tkfc-float",
        ),
        "LD_LIBRARY_PATH=. test/st-float",
    ),
    "cJSON": Project(
        (f"{CMAKE} -DENABLE_CJSON_UTILS=On", "ninja -C built -j1"),
        ("cd built && ctest --output-on-failure",),
        "built/cJSON_test",
    ),
    "lz4": Project(
        ('make -C lib CC="$CC $FLAGS" liblz4.a', 'make -C programs CC="$CC $FLAGS" lz4'),
        ('make -C tests CC="$CC $FLAGS" test-lz4-basic',),
        "programs/lz4 -9 -c lib/lz4.c | cksum; programs/lz4 -1 -c lib/lz4hc.c | cksum",
    ),
    "bzip2": Project(
        ('make CC="$CC $FLAGS" bzip2 bzip2recover',),
        ('make CC="$CC $FLAGS" test',),
        "cat *.c *.h | ./bzip2 -c | cksum; cat *.c | ./bzip2 -1c | ./bzip2 -dc | cksum",
    ),
    "zlib": Project(
        ('CC="$CC" CFLAGS="-O3 $FLAGS" ./configure', "make"),
        ("make test",),
        "cat *.c *.h | ./minigzip | cksum; cat *.c | ./minigzip | ./minigzip -d | cksum",
    ),
    "sqlite": Project(
        (
            "$CC $FLAGS -O2 -w -c -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c",
            "cc -w -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION shell.c sqlite3.o -lm -o s",
        ),
        ("echo 'pragma integrity_check;' | ./s | grep -qx ok",),
        """./s <<'END'
create table t(id integer primary key, name text, v real);
with recursive n(i) as (select 1 union all select i+1 from n where i<2000)
  insert into t select i, 'name'||(i*7919%1000), i*1.25/3 from n;
create index tn on t(name);
select count(*), sum(v), avg(id), min(name), max(name) from t;
select name, count(*) c from t group by name having c>1 order by c desc, name limit 5;
select a.id, b.id from t a join t b on a.name=b.name and a.id<b.id order by 1,2 limit 5;
update t set v = v*2 where id%3=0;
delete from t where id between 100 and 199;
begin; insert into t values(100,'rolled',1); rollback;
select count(*), round(sum(v),6) from t;
select printf('%08.3f|%-10s|%x', 3.14159, 'abc', 255), 1.0/3, 9223372036854775807+1;
select date('2024-02-29','+1 year'), julianday('2000-01-01');
select sum(v) over (order by id rows between 2 preceding and current row) from t limit 5;
explain query plan select * from t where name='name1' order by id;
pragma integrity_check;
END""",
    ),
    "lua": Project(
        ('make CC="$CC $FLAGS"',),
        ("cd testes && ../lua -e '_U=true' all.lua",),
        "./lua -e 'for i = 1, 20 do print(i, 2^i, math.sin(i), string.format(\"%a\", i / 3)) end'",
    ),
}
"""The quick ones first."""


@dataclass
class Result:
    """`problem` is the line that says what went wrong, if something did."""

    builds: bool = False
    passes: bool = False
    seconds: float = 0.0
    test_seconds: float = 0.0
    shown: str = ""
    problem: str = ""


def attempt(project: Project, folder: Path, compiler: str, flags: str, log: Path) -> Result:
    """Build and test what lies in the folder."""
    result = Result()
    environment = {**os.environ, "CC": compiler, "FLAGS": flags}
    if compiler == "polyopt-cc":
        environment["CMAKE_TOOLCHAIN_FILE"] = str(TOOLCHAIN)
    with log.open("w") as stream:

        def run(command: str) -> bool:
            stream.write(f"$ {command}\n")
            stream.flush()
            try:
                ran = subprocess.run(
                    command,
                    shell=True,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    timeout=STEP_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                stream.write(f"not finished in {STEP_SECONDS} s\n")
                return False
            return ran.returncode == 0

        start = processor_seconds()
        result.builds = all(run(command) for command in project.build)
        result.seconds = processor_seconds() - start
        if result.builds:
            start = processor_seconds()
            result.passes = all(run(command) for command in project.test)
            result.test_seconds = processor_seconds() - start
    if result.builds and project.shown:
        ran = subprocess.run(
            project.shown,
            shell=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=STEP_SECONDS,
        )
        result.shown = ran.stdout
    if not result.passes:
        result.problem = problem_in(log.read_text(errors="replace"))
    return result


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
    print("| project | builds | its tests | like the other | CPU s | the other's | what is wrong |")
    print("|---|---|---|---|---|---|---|", flush=True)
    bad = 0
    for name, project in PROJECTS.items():
        source = options.folder / name
        if not source.is_dir() or (options.only and name not in options.only):
            continue
        results: list[Result] = []
        for compiler, own in (("polyopt-cc", f" {options.own_flags}"), (options.other, "")):
            place = work / f"{name}-{compiler}-{int(time.time())}"
            flags = f"{options.flags}{own}".strip()
            log = work / f"{name}-{compiler}.log"
            results.append(attempt(project, copied(source, place), compiler, flags, log))
        ours, other = results
        same = ours.shown == other.shown
        alike = ("yes" if same else "NO") if project.shown and ours.builds else "-"
        bad += not (ours.passes and same) and other.passes
        row = [
            name,
            "yes" if ours.builds else "NO",
            ("yes" if ours.passes else "NO") if ours.builds else "-",
            alike,
            f"{ours.seconds:.1f}",
            f"{other.seconds:.1f}" + ("" if other.passes else " (fails)"),
            ours.problem.replace("|", "\\|")[:160],
        ]
        print(f"| {' | '.join(row)} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
