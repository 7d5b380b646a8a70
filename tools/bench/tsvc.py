"""TSVC-2, the test suite for vectorising compilers (S. Maleki et al., PACT 2011), from a copy that
the user has: 151 loops, each called many times, each with a checksum of its results.

The file with the loops is built by each contender, the rest by the reference compiler.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.bench.contest import pinned, run_command

_LOOPS, _OTHERS = "tsvc.c", ("common.c", "dummy.c")
_HEADERS = ("common.h", "array_defs.h")
_ITERATIONS = 8000
"""A tenth of a second for most loops: times are printed in milliseconds."""
_BUILD, _RUN = 300.0, 1800.0
TOLERANCE = 1e-4
"""Of checksums, relative: they are sums of floats."""


@record
class TsvcLoop:
    seconds: float
    checksum: float


Results = Mapping[str, TsvcLoop]
"""By the names of the loops."""


def measure_tsvc(
    directory: Path,
    contenders: Sequence[Contender],
    reference: Contender,
    core: int,
    rounds: int,
    say: Callable[[str], None],
) -> dict[str, Results]:
    """What each contender's loops take, best of `rounds` in turns, and the reference's, once."""
    with TemporaryDirectory(prefix="polyopt-bench-") as folder, pinned(core):
        here = Path(folder)
        _copy(directory, here)
        rest = [here / name for name in _OTHERS]
        programs: dict[str, Path] = {}
        for contender in (*contenders, reference):
            say(f"TSVC by {contender.name}")
            built = here / f"{contender.name.replace(':', '-').replace(' ', '')}.o"
            run_command(contender.object_command(str(here / _LOOPS), str(built), []), _BUILD, here)
            programs[contender.name] = built.with_suffix("")
            link = [*reference.command, "-O1", str(built), *map(str, rest)]
            run_command([*link, "-o", str(built.with_suffix("")), "-lm"], _BUILD, here)
        results: dict[str, Results] = {}
        for number in range(rounds):
            for contender in contenders:
                say(f"TSVC, {contender.name} (round {number + 1} of {rounds})")
                found = read_results(run_command([str(programs[contender.name])], _RUN))
                results[contender.name] = _fastest(results.get(contender.name, {}), found)
        say(f"TSVC, {reference.name}")
        results[reference.name] = read_results(run_command([str(programs[reference.name])], _RUN))
        return results


def read_results(text: str) -> dict[str, TsvcLoop]:
    """The program's lines of name, seconds, checksum."""
    found: dict[str, TsvcLoop] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) == 3 and re.fullmatch(r"[\d.]+", words[1]):
            found[words[0]] = TsvcLoop(float(words[1]), float(words[2]))
    return found


def _fastest(known: Results, new: Results) -> Results:
    return {
        name: loop if name not in known or loop.seconds < known[name].seconds else known[name]
        for name, loop in new.items()
    }


def _copy(directory: Path, target: Path) -> None:
    """The sources, which may be in `src`, with fewer iterations of each loop."""
    source = directory / "src" if (directory / "src" / _LOOPS).is_file() else directory
    for name in (_LOOPS, *_OTHERS, *_HEADERS):
        if not (source / name).is_file():
            raise CompileError(
                f"{source}: no {name} there", hint="--tsvc names a copy of TSVC-2's C sources"
            )
        shutil.copy(source / name, target / name)
    header = target / "common.h"
    text = re.sub(r"(#define iterations) .*", rf"\1 {_ITERATIONS}", header.read_text())
    header.write_text(text)
