#!/usr/bin/env python
"""What becomes of a folder of C programs that others wrote.

    scripts/corpus.py FOLDER... [--levels O0,O3] [--sample 200 --seed 1] [--cache FILE]
    scripts/corpus.py FOLDER --corpus NAME …

Each program is compiled by gcc -O0, the judge, and by polyopt at each level; what it writes to
standard output and its exit status are compared. A program that gcc does not compile, or that does
not end, is left out. Limits are of processor time: how busy the machine is changes no result.
What is refused is sorted by how many programs the same words lose.
Of a corpus that `corpora.toml` knows, what is not as its lists say is told in the end, and the
status is 1.
`--read` asks only whether the programs are read: nothing is optimised, linked or run.
A run that is cut off (Ctrl-C, SIGTERM) reports what it has seen, and keeps what the judge said.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from corpus_lists import REFUSED, RIGHT, Corpus, Result, read_lists

WRONG, CRASHED, SLOW = "wrong", "crashed", "slow"
OUTCOMES = (RIGHT, REFUSED, WRONG, CRASHED, SLOW)
READ = "read"
INTERNAL_ERROR = 4
ERROR = re.compile(r"^(?:.*?: )?((?:internal )?error: .*)$", re.M)
NAME = re.compile(r"'[^']*'|\b\d+\b")
_WARM = """#include <stdio.h>
double a[9];
int main(void) { for (int i = 0; i < 9; i++) a[i] += i; return printf(""); }
"""
"""All of the compiler is loaded for it."""
PATIENCE = 60
"""What waits, and uses no time of the processor, ends after so many times its limit."""
LENIENCE = 5
"""A program may take so many times as long as the judge's may."""


@dataclass(frozen=True)
class Limits:
    """Processor seconds for a compilation and for a run."""

    compile: float
    run: float


@dataclass(frozen=True)
class Ending:
    """What a program did: its status (negative: a signal) and what it wrote."""

    status: int
    output: str


def _stop(number: int, frame: FrameType | None) -> None:
    """As Ctrl-C does, so that what has been seen is told."""
    sys.exit(128 + number)


def main() -> int:
    arguments = parser().parse_args()
    corpus = read_lists()[arguments.corpus] if arguments.corpus else None
    files = corpus.files(arguments.folders[0]) if corpus else _programs(arguments.folders)
    if arguments.sample:
        files = sorted(
            random.Random(arguments.seed).sample(files, min(arguments.sample, len(files)))
        )
    return tell(arguments, corpus, files)


def tell(arguments: argparse.Namespace, corpus: Corpus | None, files: Iterable[Path]) -> int:
    """Try the files, one after the other as they come, and say what became of them."""
    limits = Limits(arguments.compile_seconds, arguments.run_seconds)
    extra = corpus.arguments_in(arguments.folders[0]) if corpus else []
    known = _read_cache(arguments.cache)
    compiler = _warm_compiler()
    levels = [READ] if arguments.read else arguments.levels.split(",")
    results: list[Result] = []
    signal.signal(signal.SIGTERM, _stop)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for file in files:
                expected = _judged(file, extra, folder, limits, known)
                if expected is None:
                    continue
                for level in levels:
                    result = _try(compiler, file, extra, level, expected, folder, limits)
                    results.append(result)
                    if arguments.verbose or result.outcome in (WRONG, CRASHED, SLOW):
                        print(f"{result.outcome:8} {level:4} {file}  {result.why}", flush=True)
    finally:
        if arguments.cache:
            Path(arguments.cache).write_text(json.dumps(known))
        _report(results, levels, arguments.names)
    beside = list(corpus.beside(results, arguments.folders[0])) if corpus else []
    for line in beside:
        print(line)
    return 1 if beside else 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    made.add_argument("folders", nargs="+", type=Path)
    made.add_argument("--corpus", choices=sorted(read_lists()), help="one of corpora.toml")
    made.add_argument("--levels", default="O0,O3")
    made.add_argument("--read", action="store_true")
    made.add_argument("--sample", type=int, default=0)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--names", type=int, default=3, help="programs named for each refusal")
    made.add_argument("--compile-seconds", type=float, default=60.0)
    made.add_argument("--run-seconds", type=float, default=10.0)
    made.add_argument("--cache", help="file that keeps what gcc's programs did")
    made.add_argument("--verbose", action="store_true")
    return made


def _programs(places: list[Path]) -> list[Path]:
    """The C files that hold a `main`."""
    found = [f for p in places for f in ([p] if p.is_file() else sorted(p.rglob("*.c")))]
    return [f for f in found if "main" in f.read_text(encoding="utf-8", errors="replace")]


def _read_cache(file: str | None) -> dict[str, list[object] | None]:
    if file is None or not Path(file).exists():
        return {}
    return json.loads(Path(file).read_text())


def _judged(
    file: Path,
    extra: list[str],
    folder: str,
    limits: Limits,
    known: dict[str, list[object] | None],
) -> Ending | None:
    """What the program does when gcc compiles it; None where it is of no use."""
    key = str(file)
    if key not in known:
        program = f"{folder}/judge"
        command = ["gcc", "-O0", "-w", "-ffp-contract=off", "-o", program, str(file), *extra, "-lm"]
        built = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
        ended = _run(program, folder, limits.run) if built.returncode == 0 else None
        usable = ended is not None and ended.status >= 0
        known[key] = [ended.status, ended.output] if ended is not None and usable else None
    kept = known[key]
    return None if kept is None else Ending(int(str(kept[0])), str(kept[1]))


def _run(program: str, folder: str, seconds: float) -> Ending | None:
    """None where it does not end in time."""
    try:
        ended = subprocess.run(
            [program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE * seconds,
            preexec_fn=lambda: _limit_processor(seconds),
            check=False,
            cwd=folder,
        )
    except subprocess.TimeoutExpired:
        return None
    if ended.returncode == -signal.SIGXCPU:
        return None
    return Ending(ended.returncode, ended.stdout.decode("utf-8", "backslashreplace"))


def _limit_processor(seconds: float) -> None:
    whole = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))


def _warm_compiler() -> Callable[[list[str]], int]:
    """The compiler, loaded once: each compilation is a fork of this process, which looks for no
    garbage, as the compiler's own does not: that would be a fifth of its time."""
    from polyopt.tools.compiler_command import run

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "warm.c"
        source.write_text(_WARM)
        run(["-O3", "-w", "--cache=off", "-o", f"{folder}/warm", str(source)])
    gc.collect()
    gc.freeze()
    gc.disable()
    return run


def _try(
    compiler: Callable[[list[str]], int],
    file: Path,
    extra: list[str],
    level: str,
    expected: Ending,
    folder: str,
    limits: Limits,
) -> Result:
    program = f"{folder}/program"
    Path(program).unlink(missing_ok=True)
    flags = ["-O0", "-S"] if level == READ else [f"-{level}"]
    if level == READ:
        extra = [one for one in extra if one.startswith(("-I", "-D"))]
    command = [*flags, "-w", "-ffp-contract=off", "-o", program, str(file), *extra, "-lm"]
    status, messages = _compile(compiler, command, folder, limits.compile)
    if status is None:
        return Result(str(file), level, SLOW, "compilation does not end in time")
    error = ERROR.search(messages)
    why = error.group(1) if error else messages.strip().splitlines()[-1] if messages.strip() else ""
    if status == 1:
        return Result(str(file), level, REFUSED, why)
    if status != 0:
        return Result(str(file), level, CRASHED, f"status {status}: {why}")
    if level == READ:
        return Result(str(file), level, RIGHT)
    found = _run(program, folder, LENIENCE * limits.run)
    if found == expected:
        return Result(str(file), level, RIGHT)
    if found is None:
        return Result(str(file), level, WRONG, "does not end")
    return Result(str(file), level, WRONG, _difference(expected, found))


def _difference(expected: Ending, found: Ending) -> str:
    if expected.status != found.status:
        return f"status {found.status} instead of {expected.status}"
    lines = zip(expected.output.splitlines(), found.output.splitlines(), strict=False)
    for right, wrong in lines:
        if right != wrong:
            return f"wrote {wrong!r} instead of {right!r}"
    return "wrote more or less"


def _compile(
    compiler: Callable[[list[str]], int], command: list[str], folder: str, seconds: float
) -> tuple[int | None, str]:
    """The status (negative: a signal; None: too slow) and the messages of one compilation."""
    messages = f"{folder}/messages"
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 70
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        _limit_processor(seconds)
        try:
            descriptor = os.open(messages, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            status = compiler(command)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)
    end = time.monotonic() + PATIENCE * seconds
    pause = 0.005
    while True:
        ended, state = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None, ""
        time.sleep(pause)
        pause = min(0.05, pause * 1.2)
    status = os.waitstatus_to_exitcode(state)
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return None, ""
    return status, Path(messages).read_text(encoding="utf-8", errors="replace")


def _report(results: list[Result], levels: list[str], names: int) -> None:
    print(f"{'level':6}{'programs':>9}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES))
    for level in levels:
        counts = Counter(r.outcome for r in results if r.level == level)
        cells = "".join(f"{counts[outcome]:>9}" for outcome in OUTCOMES)
        print(f"{level:6}{counts.total():>9}{cells}")
    refused: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.outcome == REFUSED and result.level == levels[0]:
            refused[_kind(result.why)].append(result)
    for kind, members in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"{len(members):5}  {kind}")
        for member in members[:names]:
            print(f"           {member.file}  {member.why}")


def _kind(message: str) -> str:
    """The message without the names in it, but for those that are the point of it."""
    if "__builtin" in message or "attribute" in message or "header" in message:
        return message
    return NAME.sub("…", message)


if __name__ == "__main__":
    sys.exit(main())
