#!/usr/bin/env python
"""Csmith's programs with its default options, as a corpus.

    scripts/csmith.py FIRST-LAST [--levels O0,O3 and what else corpus.py takes]

The programs of these seeds are made, one after the other, and tried as `corpus.py --corpus csmith`
does: what differs, crashes or is refused is told, and the status is 1. Programs that run over two
seconds as gcc -O0 builds them are left out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import corpus
from corpus_lists import read_lists


def main() -> int:
    if len(sys.argv) < 2 or not sys.argv[1][:1].isdigit():
        print(__doc__, file=sys.stderr)
        return 2
    first, _, last = sys.argv[1].partition("-")
    with tempfile.TemporaryDirectory() as folder:
        given = [folder, "--corpus", "csmith", "--run-seconds", "2", *sys.argv[2:]]
        arguments = corpus.parser().parse_args(given)
        seeds = range(int(first), int(last or first) + 1)
        return corpus.tell(arguments, read_lists()["csmith"], _programs(Path(folder), seeds))


def _programs(folder: Path, seeds: range) -> Iterator[Path]:
    for seed in seeds:
        program = folder / f"{seed}.c"
        made = ["csmith", "--seed", str(seed), "--output", str(program)]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        yield program
        program.unlink()


if __name__ == "__main__":
    sys.exit(main())
