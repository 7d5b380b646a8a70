"""Who uses whom, read from the imports: the rooms of the tree in floors, written into
ARCHITECTURE.md between two markers; `--check` only says if it is current. `rooms_at.py` draws those
of an earlier commit."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Container
from functools import cache
from pathlib import Path

from generated import keep
from rooms import ROOT

TARGET = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- rooms: written by scripts/room_arrows.py -->", "<!-- end of rooms -->"
PICTURES = (
    "compiler/backend",
    "compiler/driver",
    "compiler/frontend",
    "compiler/frontend/checking",
    "compiler/frontend/emission",
    "compiler/ir",
    "compiler/poly",
    "passes/loops",
    "passes/parallel",
    "passes/prepare",
    "passes",
)
"""Each of these as a picture of its own, the rooms in it; what is inside those counts as theirs."""
DOORS = "doors"


def module_of(path: Path, root: Path = ROOT) -> str:
    folder, *inner = path.relative_to(root).with_suffix("").parts
    head = "polyopt" if folder == "compiler" else f"polyopt.{folder}"
    return ".".join([head, *inner]).removesuffix(".__init__")


def arrows(
    top: str, root: Path = ROOT, *, of_files: bool = False
) -> tuple[dict[str, set[str]], dict[str, int]]:
    """Of the rooms in `top` ("." for its own files): whom each uses, and how many files it has. An
    own file that uses rooms and that no room uses is a door, above them all. `of_files`: each of
    its own files is a room."""
    files = {module_of(path, root): path for path in sorted((root / top).rglob("*.py"))}
    asked = {
        module: {
            found for one in _imports(path.read_text(encoding="utf-8")) for found in _of(one, files)
        }
        for module, path in files.items()
    }
    home = {module: _room(path, root / top, of_files) for module, path in files.items()}
    within = {one for module in files if home[module] != "." for one in asked[module]}
    for module in [one for one in files if home[one] == "." and one not in within]:
        if any(home[one] not in (".", DOORS) for one in asked[module]):
            home[module] = DOORS
    uses: dict[str, set[str]] = defaultdict(set)
    size: dict[str, int] = defaultdict(int)
    for module, path in files.items():
        room = home[module]
        if path.name != "__init__.py":
            size[room] += 1
        uses[room] |= {home[one] for one in asked[module]} - {room}
    return uses, size


def _of(imported: str, files: Container[str]) -> list[str]:
    """The file that is meant, if it is one of these: a module, or a name in one."""
    return [one for one in (imported, imported.rpartition(".")[0]) if one in files][:1]


def floors(names: list[str], uses: dict[str, set[str]]) -> list[list[str]]:
    """Lowest first: a room stands above all that it uses; rooms of a circle stand together."""
    left, below, result = set(names), set[str](), list[list[str]]()
    while left:
        free = sorted(one for one in left if uses[one] <= below | {one})
        free = free or sorted(_least_circle(left, uses, below))
        result.append(free)
        below |= set(free)
        left -= set(free)
    return result


def _least_circle(left: set[str], uses: dict[str, set[str]], below: set[str]) -> set[str]:
    def reach(start: str) -> set[str]:
        seen, pending = set[str](), [start]
        while pending:
            one = pending.pop()
            if one not in seen and one not in below:
                seen.add(one)
                pending += uses[one]
        return seen

    return min((reach(one) for one in sorted(left)), key=len)


def picture(top: str, root: Path = ROOT, *, of_files: bool = False) -> str:
    uses, size = arrows(top, root, of_files=of_files)
    result = list[str]()
    for floor in reversed(floors(sorted(size), uses)):
        for room in floor:
            name = f"{top}/" if room == "." else room
            whom = ", ".join(sorted(top if one == "." else one for one in uses[room])) or "-"
            shown = f"{name:<18} " if of_files else f"{name:<14} {size[room]:>3} files   "
            result.append(f"  {shown}uses {whom}")
        result.append("")
    return "\n".join([top, *result[:-1]])


def _room(path: Path, top: Path, of_files: bool) -> str:
    room, *inside = path.relative_to(top).with_suffix("").parts
    return room if inside or of_files else "."


@cache
def _imports(text: str) -> list[str]:
    found = list[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
    return found


def section() -> str:
    pictures = "\n\n".join(picture(top) for top in PICTURES)
    return f"{BEGIN}\n```text\n{pictures}\n```\n{END}"


def renewed() -> str:
    text = TARGET.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{section()}{after}"


if __name__ == "__main__":
    sys.exit(keep(__doc__, {TARGET: renewed}))
