"""Polly as a peer: Debian's clang-19 and opt-19, with Polly built in.

The programs of `benchmarks/kernels` keep their loop nests in functions of their own: clang makes
LLVM IR of them with no optimisation, Polly's own canonicalisation prepares them, then the pass
asked for runs. Names are LLVM's numbers; nothing here depends on them.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

CLANG, OPT = "clang-19", "opt-19"
needs_polly = pytest.mark.skipif(
    not (shutil.which(CLANG) and shutil.which(OPT)),
    reason=f"{CLANG} and {OPT} with Polly are not installed",
)
REGISTERS = "-polly-analyze-read-only-scalars=false"
"""Values from above the SCoP that are only read are registers, to Polly too."""

ILLEGAL = "JScop file contains a schedule that changes the dependences"


UNOPTIMISED = ("-O1", "-Xclang", "-disable-llvm-passes", "-fno-math-errno", "-S", "-emit-llvm")


@dataclass(frozen=True)
class PollyPeer:
    """Works in `folder`."""

    folder: Path

    def prepare(self, source: Path, *flags: str) -> Path:
        """The source as LLVM IR in the form that Polly wants."""
        raw, canonical = (self.folder / f"{source.stem}{end}" for end in (".raw.ll", ".ll"))
        self._run(CLANG, *UNOPTIMISED, *flags, f"-I{source.parent}", str(source), "-o", str(raw))
        self._run(OPT, "-polly-canonicalize", str(raw), "-S", "-o", str(canonical))
        return canonical

    def export(self, module: Path, function: str) -> list[Path]:
        """The JSCoP files of the function, in the order of their names."""
        self._run_polly(module, function, "-polly-export-jscop")
        return sorted(self.folder.glob(f"{function}___*.jscop"))

    def import_schedules(self, module: Path, function: str, postfix: str) -> str:
        """What Polly says when it imports the files with this postfix: the SCoP as it is then."""
        return self._run_polly(
            module,
            function,
            "-polly-print-import-jscop",
            f"-polly-import-jscop-dir={self.folder}",
            f"-polly-import-jscop-postfix={postfix}",
        )

    def _run_polly(self, module: Path, function: str, *options: str) -> str:
        only = f"-polly-only-func=^{function}$"
        common = (REGISTERS, "-polly-process-unprofitable", "-disable-output")
        return self._run(OPT, *options, only, *common, str(module))

    def _run(self, *command: str) -> str:
        ran = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60
        )
        return ran.stdout + ran.stderr
