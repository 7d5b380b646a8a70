"""What is left behind where the compiler itself fails: the module as it stood before the pass that
failed, and the one command that shows the failure again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from polyopt.pass_runs import LaterPass

NOTE = "reproducer: "
"""What the note on an error begins with that says where it is."""


_IN_PASS = "in pass "


def failing_pass(error: BaseException) -> str | None:
    """The pass that an error came from, by its note."""
    notes: list[str] = getattr(error, "__notes__", [])
    return next(
        (note.removeprefix("in pass ") for note in notes if note.startswith("in pass ")), None
    )


def add_reproducer(
    error: BaseException, passes: Sequence[ModulePass | LaterPass], again: Callable[[int], ModuleOp]
) -> None:
    """Say in a note of the error what shows it again. `again` gives the module as the first so many
    passes leave it. What goes wrong here is not told: there is an error already."""
    name = failing_pass(error)
    number = next((k for k, one in enumerate(passes) if one.name == name), None)
    if number is None:
        return
    try:
        import tempfile

        from polyopt.driver.units.module_texts import module_text

        text = module_text(again(number))
        folder = tempfile.mkdtemp(prefix="polyopt-failure-")
        path = Path(folder) / "before.mlir"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    except Exception:
        return
    command = shlex.join(["polyopt-opt", os.fspath(path), "-p", str(passes[number])])
    (Path(folder) / "again.sh").write_text(f"{command}\n", encoding="utf-8")
    error.add_note(f"{NOTE}{command}")
