"""How long the static control parts of a program took: the run-time library that measures it,
`time_runtime.c`, compiled by ourselves, and what it has written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_sources import runtime_source
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce
from polyopt.report.contents import Execution
from polyopt.support.timing import timed

Times = Mapping[tuple[str, str], Sequence[Execution]]
"""By the name of the file and of the static control part."""


def runtime_object(results: str) -> bytes:
    """Its object code; it writes to the file `results` when the program ends."""
    text = runtime_source("time_runtime.c")
    quoted = results.replace("\\", "\\\\").replace('"', '\\"')
    settings = Settings(defines=(f'RESULTS="{quoted}"',), opt_level=2, poly="none")
    with timed("compile the run-time library that measures"):
        product = produce(Source("time_runtime.c", text), settings, "obj", lambda _: None)
    assert isinstance(product, bytes)
    return product


def read_times(path: str) -> Times:
    """Nothing where the program has written nothing: it may have been killed."""
    found = dict[tuple[str, str], list[Execution]]()
    file = Path(path)
    lines = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    for line in lines.splitlines():
        entries, seconds, values, unit, name = line.split("\t")
        numbers = tuple(int(value) for value in values.split(",") if value)
        one = Execution(numbers, int(entries), float(seconds))
        found.setdefault((unquote(unit, errors="surrogateescape"), name), []).append(one)
    return found
