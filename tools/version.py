"""The version that is installed."""

from __future__ import annotations

import os
import sys
from glob import escape, glob


def installed_version() -> str:
    """As the name of the installed metadata says; reading them takes longer than all else that
    `--version` does."""
    for folder in sys.path:
        found = glob(os.path.join(escape(folder), "polyopt-*.dist-info"))
        if len(found) == 1:
            return os.path.basename(found[0]).removesuffix(".dist-info").removeprefix("polyopt-")
    from importlib.metadata import version

    return version("polyopt")
