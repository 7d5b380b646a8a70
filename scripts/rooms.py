"""The rooms of the tree and the tests of each: the folders of the same name, and `rooms.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from lit_features import SUFFIXES

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("compiler", "dialects", "passes", "tools")


@cache
def rooms() -> list[str]:
    """Every folder with code, by its path from the root."""
    found = {str(path.parent.relative_to(ROOT)) for floor in FLOORS for path in _sources(floor)}
    return sorted(found)


def tests_of(room: str) -> list[str]:
    """The files and folders of tests of a room and of what is inside it."""
    name = room.removeprefix("compiler/")
    places = [f"tests/{name}", f"lit_tests/{name}"]
    for other, more in settings()["tests"].items():
        if other == room or other.startswith(f"{room}/"):
            places += more
    there = sorted({place for place in places if (ROOT / place).exists()})
    return [one for one in there if not any(one.startswith(f"{other}/") for other in there)]


def own_tests_of(room: str, root: Path = ROOT) -> list[str]:
    """The files of tests of a room without those of the rooms inside it; in the tree at `root`."""
    name = room.removeprefix("compiler/")
    inside = [one for one in rooms() if one.startswith(f"{room}/")]
    theirs = [place for one in inside for place in _folders(one.removeprefix("compiler/"))]
    listed = settings()["tests"].get(room, [])
    found = dict.fromkeys(
        file for place in [*_folders(name), *listed] for file in _tests_in(root, place)
    )
    return [one for one in found if not one.startswith(tuple(f"{place}/" for place in theirs))]


def _folders(name: str) -> list[str]:
    return [f"tests/{name}", f"lit_tests/{name}"]


def _tests_in(root: Path, place: str) -> list[str]:
    """The files of tests in a folder, or the one file."""
    path = root / place
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [str(one.relative_to(root)) for one in found if is_test(one)]


def is_test(path: Path) -> bool:
    """Is it a file that pytest finds tests in? Programs and data stand beside those of `tests`."""
    if not path.is_file():
        return False
    if "lit_tests" in path.parts:
        return path.suffix in SUFFIXES and not {"Inputs", "Output"} & set(path.parts)
    return path.suffix == ".py" and path.name.startswith("test_")


@cache
def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "scripts" / "rooms.toml").read_text(encoding="utf-8"))


def _sources(floor: str) -> list[Path]:
    return sorted((ROOT / floor).rglob("*.py"))
