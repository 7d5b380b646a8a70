"""What was measured, in a file from which an interrupted search goes on.

The search is a function of the scores that it is given: with the scores of the journal it comes to
where it was. A journal of another source, compiler or set of options begins anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from polyopt.support.files import write_whole
from polyopt.tools.tune.trials import Outcome

FORMAT = 2


class Journal:
    """Outcomes by scheduler and script. `key` is all that they depend on."""

    def __init__(self, path: Path, key: Mapping[str, object]):
        self.path, self.key = path, {"format": FORMAT, **key}
        self.outcomes = _read(path, self.key)
        self.found = len(self.outcomes)

    def get(self, base: str, script: str) -> Outcome | None:
        return self.outcomes.get((base, script))

    def put(self, base: str, script: str, outcome: Outcome) -> None:
        self.outcomes[base, script] = outcome
        measured = [
            {"base": base, "script": script, **asdict(one)}
            for (base, script), one in self.outcomes.items()
        ]
        write_whole(self.path, json.dumps({"key": self.key, "measured": measured}, indent=1) + "\n")


def _read(path: Path, key: Mapping[str, object]) -> dict[tuple[str, str], Outcome]:
    """What the file holds under this key: nothing where it is not there, or no journal."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if data["key"] != key:
            return {}
        return {(one.pop("base"), one.pop("script")): Outcome(**one) for one in data["measured"]}
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return {}
