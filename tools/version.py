"""The version that is installed, and the option that prints it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from glob import escape, glob
from typing import Any, NoReturn


def installed_version() -> str:
    """As the name of the installed metadata says; reading them takes longer than all else that
    `--version` does."""
    for folder in sys.path:
        found = glob(os.path.join(escape(folder), "polyopt-*.dist-info"))
        if len(found) == 1:
            return os.path.basename(found[0]).removesuffix(".dist-info").removeprefix("polyopt-")
    from importlib.metadata import version

    return version("polyopt")


class ShowVersion(argparse.Action):
    """`--version`, which reads the metadata of the package only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any):
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="print it and stop")

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: object,
        values: object,
        option: str | None = None,
    ) -> NoReturn:
        parser.exit(message=f"{parser.prog} {installed_version()}\n")
