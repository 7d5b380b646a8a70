"""What there is about passes: all in a line each, or one with its options."""

from __future__ import annotations

import inspect

from polyopt.pass_specs import default_of, described, options_of, unknown
from polyopt.universe import PASSES, resolve

_WIDTH = 26


def list_of_passes() -> str:
    """Name and first sentence of every pass of polyopt's, in the order of the data flow."""
    lines: list[str] = []
    for name in PASSES:
        text = " ".join((inspect.getdoc(resolve(PASSES[name])) or "").split("\n\n")[0].split())
        lines.append(f"{name:<{_WIDTH}}{text.partition('. ')[0].rstrip('.')}")
    return "\n".join(lines)


def help_of_pass(name: str) -> str:
    """The law of one pass, and its options with their values. Raises CompileError."""
    if name not in PASSES:
        raise unknown("pass", name, PASSES)
    made = resolve(PASSES[name])
    lines = [name, "", inspect.getdoc(made) or ""]
    options = options_of(made)
    if options:
        lines += ["", "Options:"]
    for option, (field, hint) in options.items():
        default = default_of(field)
        also = f" (default {default})" if default else " (needed)"
        lines.append(f"  {option.replace('_', '-'):<{_WIDTH - 2}}{described(hint)}{also}")
    return "\n".join(lines)
