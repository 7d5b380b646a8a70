"""One source whose parts are made side by side, each in a process of its own (`-j N`).

The source is read once. What its parts become is one object file again, by the system's linker
(`cc -r`); where there is none, or a part cannot be made, the source is made in one piece.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from xdsl.ir import Operation

from polyopt.dialects.loop_pragmas import loop_pragmas_of
from polyopt.driver.building.job import Job
from polyopt.driver.building.link import find_linker
from polyopt.driver.building.making import is_watched
from polyopt.driver.building.reports import Reporter
from polyopt.driver.building.side_by_side import load_compiler, made_side_by_side
from polyopt.driver.building.system_compiler import system_compile
from polyopt.driver.units import unit as stages
from polyopt.driver.units.room_options import pipeline_options
from polyopt.driver.units.unit import Unit
from polyopt.driver.units.unit_parts import keep_part, parts_of
from polyopt.support.diagnostics import CompileError
from polyopt.support.interrupts import removed_by_interrupt


class _NotMade(Exception):
    """A process has ended without its part."""


def may_be_in_parts(job: Job) -> bool:
    """Whether the parts of the job's only source can be made without each other: nobody looks at
    the module as a whole, or counts what is in it; and there is somebody to put them together."""
    compiled = [item for item in job.sources if item.is_compiled]
    if job.jobs == 1 or job.product == "run" or len(compiled) != 1 or not compiled[0].is_c:
        return False
    settings = job.settings
    options = pipeline_options(settings)
    counts = options.names_scops or settings.check or settings.timed or settings.added_passes
    if counts or settings.distribute is not None or is_watched(job):
        return False
    with suppress(CompileError):
        return bool(find_linker())
    return False


def object_of_parts(unit: Unit, jobs: int) -> bytes | None:
    """The object code of a unit that has been parsed; None where it is not to be made in parts, as
    where passes may have to warn of pragmas."""
    if any(not one.is_off for one in loop_pragmas_of(unit.module)):
        return None
    parts = parts_of(unit.module, jobs, unit.settings.opt_level)
    if not parts:
        return None
    load_compiler(unit.settings)
    here = os.getpid()

    def make(part: frozenset[Operation], _: Reporter) -> list[str | bytes]:
        if os.getpid() == here:
            raise _NotMade
        keep_part(unit.module, part)
        stages.lower(unit)
        return [stages.object_code(unit)]

    with suppress(_NotMade):
        return _joined([one for (one,) in made_side_by_side(parts, jobs, make, Reporter())])
    return None


def _joined(objects: list[str | bytes]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="polyopt-") as folder, removed_by_interrupt(folder):
        names: list[str] = []
        for number, data in enumerate(objects):
            assert isinstance(data, bytes)
            names.append(str(Path(folder) / f"{number}.o"))
            Path(names[-1]).write_bytes(data)
        whole = Path(folder) / "whole.o"
        system_compile(["-r", "-nostdlib", *names, "-o", str(whole)])
        return whole.read_bytes()
