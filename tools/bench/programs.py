"""The suites of kernel programs under `benchmarks`, and the sizes that each can be built for."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

SIZES = ("MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE")

POLYBENCH = tuple(
    """2mm 3mm adi atax bicg cholesky correlation covariance deriche doitgen durbin fdtd-2d
    floyd-warshall gemm gemver gesummv gramschmidt heat-3d jacobi-1d jacobi-2d lu ludcmp mvt
    nussinov seidel-2d symm syr2k syrk trisolv trmm""".split()
)


@record
class Program:
    """One C file with a `main`; its results are what `outputs` reads."""

    name: str
    source: Path

    @property
    def function(self) -> str:
        """The name of the C function that is timed."""
        return "kernel_" + self.name.replace("-", "_")

    def marked_source(self) -> str:
        """The text with `#pragma scop` around the body of the kernel from its first loop on, as
        Pluto wants it."""
        text = self.source.read_text(encoding="utf-8")
        body = text.index("{", text.index(f"void {self.function}("))
        begin = text.index("\n    for (", body)
        end = text.index("\n}", begin) + 1
        return f"{text[:begin]}\n#pragma scop{text[begin:end]}#pragma endscop\n{text[end:]}"


def suite_directory(suite: str) -> Path:
    """The suite in the checkout that this file is in, or under the current directory."""
    checkout = Path(__file__).resolve().parents[2] / "benchmarks" / suite
    return checkout if checkout.is_dir() else Path("benchmarks") / suite


def default_directory() -> Path:
    return suite_directory("kernels")


def find_programs(directory: Path, names: Sequence[str] = ()) -> list[Program]:
    """Every program of the directory, or those that are named, in the order of their names."""
    found = {path.stem: Program(path.stem, path) for path in sorted(directory.glob("*.c"))}
    if not found:
        raise CompileError(f"{directory}: no kernel programs (*.c) there")
    for name in names:
        if name not in found:
            close = get_close_matches(name, found, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(found)}"
            raise CompileError(f"unknown kernel '{name}'", hint=hint)
    return [program for name, program in found.items() if not names or name in names]
