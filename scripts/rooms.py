"""The rooms of the tree and the tests of each: the folders of the same name, and `rooms.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("compiler", "dialects", "passes", "tools")


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


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "scripts" / "rooms.toml").read_text(encoding="utf-8"))


def _sources(floor: str) -> list[Path]:
    return sorted((ROOT / floor).rglob("*.py"))
