"""Write docs/passes.md from the docstrings of the passes; `--check` only says if it is current."""

import sys
from inspect import cleandoc
from pathlib import Path

from generated import keep
from xdsl.passes import ModulePass, get_pass_option_infos

from polyopt.universe import PASSES, resolve

TARGET = Path(__file__).resolve().parent.parent / "docs" / "passes.md"
HEAD = """# The passes

Written by `python scripts/pass_reference.py` from the docstrings; a test keeps it current.
Run any of them by name: `polyopt-opt FILE -p 'NAME{option=value},NAME'`.
"""


def reference() -> str:
    parts = [HEAD]
    room = ""
    for name, place in PASSES.items():
        if place.split(".")[2] != room:
            room = place.split(".")[2]
            parts.append(f"## {room}\n")
        parts.append(entry(name, resolve(place)))
    return "\n".join(parts)


def entry(name: str, item: type[ModulePass]) -> str:
    lines = [f"### `{name}`", "", cleandoc(item.__doc__ or ""), ""]
    options = [info for info in get_pass_option_infos(item) if info.name != "name"]
    if options:
        lines += ["| option | type | default |", "|---|---|---|"]
        for option in options:
            spelled = option.name.replace("_", "-")
            kind = option.expected_type.strip("'\"").replace("|", "\\|")
            lines.append(f"| `{spelled}` | `{kind}` | {_code(option.default_value)} |")
        lines.append("")
    return "\n".join(lines)


def _code(text: str | None) -> str:
    return f"`{text}`" if text else ""


if __name__ == "__main__":
    sys.exit(keep(__doc__, {TARGET: reference}))
