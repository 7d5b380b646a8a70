"""The C texts of the run-time parts, which stand beside this file.

They are opened by their names: `importlib.resources` takes longer to load than a program that is
found in the cache.
"""

from __future__ import annotations

import os

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def runtime_source(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as stream:
        return stream.read()
