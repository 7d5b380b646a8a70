"""MPI for programs whose loops are shared among processes: the library, and our own part of it.

Programs are linked with a library of MPI's standard ABI, `libmpi_abi`: MPICH 4.3 and newer and Open
MPI 6 have one, and the wheel `mpich` brings it without a system package. Which of them runs the
program is decided when it starts, by the `mpiexec` that starts it and the linker's path.
"""

from __future__ import annotations

import os
from functools import cache

from polyopt.driver.cache.folder import OFF
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_code import runtime_code
from polyopt.driver.threads.threads_runtime import library_folders
from polyopt.support.diagnostics import CompileError

LIBRARY = "libmpi_abi.so"


def find_library() -> str | None:
    """The file of the first library of the standard ABI."""
    for folder in library_folders():
        for name in (LIBRARY, f"{LIBRARY}.1", f"{LIBRARY}.0"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                return path
    return None


def link_words() -> list[str]:
    """What the linker is given, so that the program finds the library again. Raises CompileError
    where there is none."""
    path = find_library()
    if path is None:
        raise CompileError(
            f"there is no library of MPI's standard ABI: no {LIBRARY}",
            hint="`pip install polyopt[mpi]` brings one; LD_LIBRARY_PATH is searched too",
        )
    return [path, f"-Wl,-rpath,{os.path.dirname(path)}"]


@cache
def runtime_object(*, for_program: bool, pic: bool = False, folder: str | None = OFF) -> bytes:
    """The object code of `mpi_runtime.c`, kept in the folder that the word means; a program's
    starts MPI and ends it."""
    defines = ("PROGRAM",) if for_program else ()
    settings = Settings(defines=defines, opt_level=2, poly="none", pic=pic)
    return runtime_code("mpi_runtime.c", settings, folder, "the run-time library of --distribute")
