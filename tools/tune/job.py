"""What is measured, as plain data: any machine that has polyopt can make trials of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from polyopt.pipeline_options import PipelineOptions
from polyopt.support.record import record
from polyopt.tools.bench.contenders import Contender
from polyopt.tools.tune.quiet import timing_alone
from polyopt.tools.tune.trials import ThisMachine, Trials

OWN_COMPILER = ("-m", "polyopt.tools.polyopt_cc", "--cache=off")


@record
class Job:
    """One program of C, and all that a trial of it depends on beside scheduler and script.

    Commands run in `directory` where the machine has it; what the source includes by quotes is
    looked for in `beside`, too. `compiler` is what Python is given to compile with."""

    name: str
    text: str
    directory: str
    beside: str
    flags: tuple[str, ...]
    baseline: str
    arguments: tuple[str, ...]
    repeat: int
    exact: bool
    timeout: float
    compiler: tuple[str, ...] = OWN_COMPILER

    def begin(self, folder: Path) -> Trials:
        """Trials in `folder`; the baseline is built and run: CompileError if it fails."""
        source = folder / self.name
        source.write_text(self.text, encoding="utf-8", errors="surrogateescape")
        directory = Path(self.directory) if os.path.isdir(self.directory) else folder

        def contender(base: str, steps: str) -> Contender:
            chosen = (*self.flags, f"-iquote{self.beside}", *loop_flags(base, Path(steps)))
            return Contender(f"polyopt:{base}", (sys.executable, *self.compiler), chosen)

        machine = ThisMachine(
            contender, str(source), folder, self.arguments, self.timeout, directory
        )
        return Trials(
            machine,
            self.baseline,
            self.repeat,
            exact=self.exact,
            timeout=self.timeout,
            alone=timing_alone,
        )


def loop_flags(base: str, script: Path) -> tuple[str, ...]:
    """Also a script of no steps is given, where without one loops would not be finished."""
    is_needed = script.stat().st_size > 0 or not PipelineOptions(poly=base).finishes_loops
    return f"--poly={base}", *((f"--schedule={script}",) if is_needed else ())
