"""The programs of `benchmarks`, built by polyopt and by gcc, and what they print.

gcc without optimisation is the oracle: `gcc -O0 -ffp-contract=off` does in each statement what C
says, in the order in which C says it. Strict programs have their arrays in memory that ends where
nobody may touch (`guarded_memory.c`), fast ones at the beginning of pages.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from polyopt.driver.building.job import Job
from polyopt.driver.building.making import make_product
from polyopt.driver.options.flags import read_settings
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.tools.bench.contenders import Contender, other_rounding, reference_contender
from polyopt.tools.bench.outputs import Output, difference, read_output
from polyopt.tools.bench.programs import SIZES, Program, find_programs, suite_directory

PROGRAMS = {program.name: program for program in find_programs(suite_directory("kernels"))}
KINDS = {program.name: program for program in find_programs(suite_directory("kinds"))}
_SOURCES = PROGRAMS | KINDS

CONFIGURATIONS = (
    "none",
    "identity",
    "isl",
    "isl+tile",
    "poly-ast",
    "poly-ast+tile",
    "matrix",
    "tile-simd",
    "auto",
)
MODES = {"strict": ("-ffp-contract=off",), "fast": ("-ffast-math",)}

# The matrix is rank-deficient (20 rows, 30 columns at MINI): what follows the last independent
# column is noise, in any arithmetic.
ILL_CONDITIONED = frozenset({"gramschmidt"})

_GUARDED = "-DBENCH_GUARDED"


def size_flag(size: str) -> str:
    """The flag for a size by name, or by an expression over `mini`, `small` and so on."""
    if size in SIZES:
        return f"-D{size}_DATASET"
    return f"-DBY_SIZE(mini,small,medium,large,extralarge)=({size})"


@dataclass
class KernelRuns:
    """Builds and runs in `folder`; the oracle's outputs are computed once."""

    folder: Path
    _outputs: dict[tuple[str, str, str], Output] = field(
        default_factory=dict[tuple[str, str, str], Output]
    )

    def expected(self, kernel: str, size: str) -> Output:
        reference = reference_contender()
        assert reference is not None
        return self._by_peer(reference, kernel, size)

    def otherwise_rounded(self, kernel: str, size: str) -> Output | None:
        reference = reference_contender()
        assert reference is not None
        other = other_rounding(reference)
        return None if other is None else self._by_peer(other, kernel, size)

    def by_polyopt(
        self, kernel: str, size: str, flags: tuple[str, ...], *, is_guarded: bool = False
    ) -> Output:
        return output_of(self.program(kernel, size, flags, is_guarded=is_guarded))

    def program(
        self, kernel: str, size: str, flags: tuple[str, ...], *, is_guarded: bool = False
    ) -> Path:
        """What polyopt makes of the kernel, to be run before the next one is made; `is_guarded`:
        it stops where it touches what lies behind an array."""
        guards = (_GUARDED,) if is_guarded else ()
        settings = read_settings((*flags, size_flag(size), *guards))
        code = make_product(Job(settings=settings), str(_SOURCES[kernel].source), "obj")
        assert isinstance(code, bytes)
        target, program = self.folder / "kernel.o", self.folder / "kernel"
        target.write_bytes(code)
        runtime = chosen_runtime(settings)
        libraries = [] if runtime is None else runtime.link_words(())
        memory = [str(self._guarded_memory)] if is_guarded else []
        command = ["gcc", str(target), *memory, *libraries, "-lm", "-o", str(program)]
        subprocess.run(command, check=True)
        return program

    @cached_property
    def _guarded_memory(self) -> Path:
        target = self.folder / "guarded_memory.o"
        source = Path(__file__).with_name("guarded_memory.c")
        subprocess.run(["gcc", "-O1", "-c", str(source), "-o", str(target)], check=True)
        return target

    def difference(self, kernel: str, size: str, configuration: str, mode: str) -> str | None:
        """Why polyopt's program is wrong, or None."""
        flags = ("-O3", "-march=native", f"--poly={configuration}", *MODES[mode])
        actual = self.by_polyopt(kernel, size, flags, is_guarded=mode == "strict")
        return self.fault(kernel, size, mode, actual)

    def fault(self, kernel: str, size: str, mode: str, actual: Output) -> str | None:
        """Why this is not what the kernel is to print, or None."""
        second = None
        if mode == "fast" and kernel in ILL_CONDITIONED:
            second = self.otherwise_rounded(kernel, size)
        expected = self.expected(kernel, size)
        return difference(expected, actual, exact=mode == "strict", second=second)

    def _by_peer(self, peer: Contender, kernel: str, size: str) -> Output:
        key = (peer.name, kernel, size)
        if key not in self._outputs:
            program: Program = _SOURCES[kernel]
            target = self.folder / "reference"
            command = peer.program_command(str(program.source), str(target), [size_flag(size)])
            subprocess.run(command, check=True)
            self._outputs[key] = output_of(target)
        return self._outputs[key]


def output_of(program: Path, threads: int | None = None) -> Output:
    """What the program prints, by so many threads at most, which do not spin where they wait."""
    environment = dict(os.environ)
    if threads is not None:
        environment |= {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"}
    ran = subprocess.run(
        [str(program), "-d"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env=environment,
    )
    return read_output(ran.stdout)
