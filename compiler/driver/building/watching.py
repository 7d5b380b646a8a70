"""What is printed between passes: the module before or after some of them, or what changed, of all
functions or of some."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from polyopt.driver.units.module_texts import module_text
from polyopt.pass_runs import Watch
from polyopt.support.record import record

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@record
class Printing:
    """Names of passes, or "all"; `functions`: only these, where any are named."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    changes: bool = False
    functions: tuple[str, ...] = ()

    def watch(self, *, verify: bool) -> Watch:
        last: list[str] = []

        def begin(name: str, module: ModuleOp) -> None:
            if self.changes and not last:
                last.append(self.text(module))
            if name in self.before or "all" in self.before:
                _show(f"// IR before {name}\n{self.text(module)}")

        def end(name: str, module: ModuleOp) -> None:
            if name in self.after or "all" in self.after:
                _show(f"// IR after {name}\n{self.text(module)}")
            if self.changes:
                text = self.text(module)
                _show(difference(name, last[0], text))
                last[0] = text

        is_asked = self.before or self.after or self.changes
        return Watch(
            verify=verify, before=begin if is_asked else None, after=end if is_asked else None
        )

    def text(self, module: ModuleOp) -> str:
        from xdsl.dialects.func import FuncOp

        if not self.functions:
            return module_text(module)
        return "".join(
            module_text(op)
            for op in module.ops
            if isinstance(op, FuncOp) and op.sym_name.data in self.functions
        )


def difference(name: str, before: str, after: str) -> str:
    """What a pass has changed, line by line; one line where that is nothing."""
    if before == after:
        return f"// {name} changes nothing"
    from difflib import unified_diff

    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2))[2:]
    return "\n".join([f"// {name} changes", *lines, ""])


def _show(text: str) -> None:
    print(text, file=sys.stderr)
