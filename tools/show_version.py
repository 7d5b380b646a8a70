"""The option that prints the version, of tools that `argparse` reads the words of."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from polyopt.tools.version import installed_version


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
