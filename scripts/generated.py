"""A file that a script writes: kept as it should be, or only looked at with `--check`."""

from __future__ import annotations

import sys
from pathlib import Path


def keep(target: Path, text: str) -> int:
    """The exit status: 1 where `--check` finds another text there."""
    if "--check" in sys.argv[1:]:
        return 0 if target.read_text(encoding="utf-8") == text else 1
    target.write_text(text, encoding="utf-8")
    return 0
