"""polyopt-opt: run passes on a module, as `xdsl-opt` does, with everything of polyopt's in it.

`--help` lists the options; what they do is in `opt_command`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from polyopt.driver.units.loading import prepare_loading
from polyopt.tools import process


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status; without arguments, this process is the tool's own and ends here."""
    if arguments is None:
        process.begin()
        prepare_loading()
    from polyopt.tools.opt_command import run  # xDSL and the whole compiler

    if arguments is not None:
        return run(arguments)
    process.end(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
