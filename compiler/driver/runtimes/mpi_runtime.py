"""MPI for programs whose loops are shared among processes: the library, and our own part of it.

Programs are written for MPI's standard ABI, `libmpi_abi`: MPICH 4.3 and newer and Open MPI 6 have
it, and the wheel `mpich` brings it without a system package. Open MPI 4 and 5 have `libmpi.so.40`,
for which handles are translated (`mpi_loaded.c`). Which of them runs the program is decided when it
starts, by the `mpiexec` that starts it; where they were found when it was linked, it looks, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from polyopt.driver.cache.folder import OFF
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_code import runtime_code
from polyopt.driver.threads.threads_runtime import library_folders
from polyopt.support.diagnostics import CompileError

_PURPOSE = "the run-time library of --distribute"
LIBRARY = "libmpi_abi.so"
_STANDARD = (f"{LIBRARY}.1", f"{LIBRARY}.0", LIBRARY)
_OPEN_MPI = ("libmpi.so.40",)


def find_library(names: Sequence[str] = _STANDARD) -> str | None:
    """The file of the first library of one of these names, which are those of the standard ABI."""
    for folder in library_folders():
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path
    return None


def link_words() -> list[str]:
    """What the linker is given, so that the program finds the libraries again. Raises CompileError
    where there is none."""
    found = [find_library(), find_library(_OPEN_MPI)]
    folders = dict.fromkeys(os.path.dirname(path) for path in found if path is not None)
    if not folders:
        raise CompileError(
            f"there is no library of MPI's standard ABI, no {LIBRARY}, nor Open MPI's",
            hint="`pip install polyopt[mpi]` brings one; LD_LIBRARY_PATH is searched too",
        )
    return [f"-Wl,-rpath,{folder}" for folder in folders]


@cache
def runtime_object(*, for_program: bool, pic: bool = False, folder: str | None = OFF) -> bytes:
    """The object code of `mpi_runtime.c`, kept in the folder that the word means; a program's
    starts MPI and ends it."""
    defines = ("PROGRAM",) if for_program else ()
    settings = Settings(defines=defines, opt_level=2, poly="none", pic=pic)
    return runtime_code("mpi_runtime.c", settings, folder, _PURPOSE)


@cache
def loaded_object(*, for_program: bool, pic: bool = False, folder: str | None = OFF) -> bytes:
    """The object code of `mpi_loaded.c`, the same for programs and libraries."""
    del for_program
    settings = Settings(opt_level=2, poly="none", pic=pic)
    return runtime_code("mpi_loaded.c", settings, folder, _PURPOSE)
