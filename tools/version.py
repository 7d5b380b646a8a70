"""The version that is installed, and the option that prints it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn


def installed_version() -> str:
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
