"""Run what belongs to one room, lit tests too: `scripts/test --room passes/loops/vectors`.

The rooms inside it have tests of their own, which come along with `--inside`, or where the room has
none besides. Further arguments go to pytest. Tests marked slow are left out. Most rooms take one
process; those that `rooms.toml` calls long take as many as there are cores.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches

import pytest
from rooms import ROOT, own_tests_of, rooms, settings, tests_of


def main(arguments: list[str]) -> int:
    room, *rest = arguments or [""]
    room = room.rstrip("/")
    known = rooms()
    if room not in known:
        close = get_close_matches(room, known, n=1)
        said = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
        print(f"no room '{room}': {said}", file=sys.stderr)
        return 2
    is_inside = "--inside" in rest
    tests = [] if is_inside else own_tests_of(room)
    if not tests:
        is_inside, tests = True, tests_of(room)
    if not tests:
        print(f"no tests belong to '{room}'", file=sys.stderr)
        return 2
    options = ["-q", "-m", "not slow", *(one for one in rest if one != "--inside")]
    if is_inside or room in settings()["long"]["rooms"]:
        options += ["-n", str(os.cpu_count()), "--dist", "worksteal"]
    os.chdir(ROOT)
    return pytest.main([*options, *tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
