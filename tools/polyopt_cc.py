"""polyopt-cc: a C compiler whose loops are optimised by the polyhedral model.

Used like every C compiler; `--help` lists its options.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from polyopt.driver.cache.commands import answer
from polyopt.tools import process


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status; without arguments, this process is the tool's own and ends here."""
    if arguments is None:
        process.begin()
        if answer(sys.argv[1:]):
            process.end(0)
    from polyopt.tools.compiler_command import run  # the whole compiler

    if arguments is not None:
        return run(arguments)
    process.end(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
