"""How long a search may take, as it is written."""

from __future__ import annotations

import re

from polyopt.support.diagnostics import CompileError
from polyopt.tools.tune.search import Budget


def read_budget(text: str) -> Budget:
    """`90s` and `5m` are times, a bare number counts programs."""
    found = re.fullmatch(r"(\d+)([sm]?)", text)
    if found is None or int(found[1]) < 1:
        raise CompileError(f"bad budget '{text}'", hint="90s, 5m, or a number of programs: 40")
    number = int(found[1])
    match found[2]:
        case "s":
            return Budget(seconds=float(number))
        case "m":
            return Budget(seconds=60.0 * number)
        case _:
            return Budget(trials=number)
