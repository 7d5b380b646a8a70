"""Run what belongs to one room, lit tests too, in one process: `scripts/test --room passes/loops`.

Further arguments go to pytest. Tests marked slow are left out.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches

import pytest
from rooms import ROOT, rooms, tests_of


def main(arguments: list[str]) -> int:
    room, *rest = arguments or [""]
    room = room.rstrip("/")
    known = rooms()
    if room not in known:
        close = get_close_matches(room, known, n=1)
        said = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}"
        print(f"no room '{room}': {said}", file=sys.stderr)
        return 2
    tests = tests_of(room)
    if not tests:
        print(f"no tests belong to '{room}'", file=sys.stderr)
        return 2
    os.chdir(ROOT)
    return pytest.main(["-q", "-m", "not slow", *rest, *tests])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
