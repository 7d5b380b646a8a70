"""The library that runs threads: which one is here, how programs are linked with it, loading it.

    family    its entry points    found as
    libgomp   GOMP_…  (GNU)       libgomp.so.1
    libomp    __kmpc_… (LLVM)     libomp.so.5, libiomp5.so (Intel's; the wheel `intel-openmp`)

A process has one such library: two would each count threads of their own, and a function would
ask one who it is in a team of the other. So what is loaded here already is the default, and another
is refused.

A process forked after its parent ran a team has none of the team's threads, and libgomp would wait
for them. What is loaded here gives its threads up before a fork, and where it cannot, the child
runs alone.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from polyopt.driver.options.settings import Settings
from polyopt.support.diagnostics import CompileError
from polyopt.support.noted import is_file, matching, read_noted
from polyopt.support.record import record

LIBRARIES = {"libgomp": ("libgomp.so.1",), "libomp": ("libomp.so.5", "libiomp5.so")}
"""The names of each family's libraries, by preference."""

_SYSTEM_FOLDERS = (
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
)


@record
class ThreadsRuntime:
    """`path` is the library's file, "" where only its family is known and none is on this machine:
    enough for an object file."""

    family: str
    path: str

    def link_words(self, link_options: Sequence[str]) -> list[str]:
        """What a linker is told. A program finds the library again where the system does not look;
        what is linked statically takes the archive."""
        if "-static" in link_options:
            return [f"-l{self.family.removeprefix('lib')}"]
        path = self._known_path()
        folder = os.path.dirname(path)
        return [path] if _is_system_folder(folder) else [path, f"-Wl,-rpath,{folder}"]

    def load(self) -> None:
        """Make its entry points visible to code that is loaded in this process."""
        loaded = loaded_runtime()
        if loaded is None:
            path = self._known_path()
            try:
                ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
            except OSError as error:
                raise CompileError(f"cannot load {path}: {error}") from error
        elif loaded != self.family:
            raise CompileError(
                f"{self.family} cannot run threads in a process that has {loaded} already",
                hint=f"-fopenmp={loaded}, or no library's name",
            )
        _survive_forks()

    def _known_path(self) -> str:
        if not self.path:
            raise _not_found(self.family)
        return self.path


def chosen_runtime(settings: Settings) -> ThreadsRuntime | None:
    """What the flags ask for, or the first that is here; None where nothing runs in threads.

    Raises CompileError where -fopenmp finds nothing; loops are parallelised only where they can be.
    """
    if not settings.openmp and settings.parallel is None:
        return None
    family = settings.openmp_runtime
    if family is not None:
        return ThreadsRuntime(family, _find(family) or "")
    found = _first_found()
    if found is None and settings.openmp:
        raise _not_found(None)
    return found


def _first_found() -> ThreadsRuntime | None:
    loaded = loaded_runtime()
    if loaded is not None:
        return ThreadsRuntime(loaded, _find(loaded) or "")
    for family in LIBRARIES:
        path = _find(family)
        if path is not None:
            return ThreadsRuntime(family, path)
    return None


def _not_found(family: str | None) -> CompileError:
    families = [family] if family else list(LIBRARIES)
    names = ", ".join(name for one in families for name in LIBRARIES[one])
    package = "libomp5" if family == "libomp" else "libgomp1"
    wheel = "" if family == "libgomp" else " and `pip install polyopt[openmp]`"
    verb = "bring" if wheel else "brings"
    return CompileError(
        f"there is no library that runs threads: no {names}",
        hint=f"Debian's package {package}{wheel} {verb} one; LD_LIBRARY_PATH is searched too",
    )


def loaded_runtime() -> str | None:
    """The family whose entry points are visible in this process. LLVM's has GNU's as well."""
    process = ctypes.CDLL(None)
    if hasattr(process, "__kmpc_fork_call"):
        return "libomp"
    return "libgomp" if hasattr(process, "GOMP_parallel") else None


def _find(family: str) -> str | None:
    """The file of the first library of the family."""
    folders = list(library_folders())
    for name in LIBRARIES[family]:
        for folder in folders:
            path = os.path.join(folder, name)
            if is_file(path):
                return path
    return None


def library_folders() -> Iterator[str]:
    """Where the dynamic linker looks, then where a wheel puts its libraries, then where LLVM's
    packages do."""
    yield from filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))
    yield from _SYSTEM_FOLDERS
    yield from _configured("/etc/ld.so.conf")
    yield from _wheel_folders()
    yield from reversed(matching("/usr/lib/llvm-*/lib"))


def _wheel_folders() -> list[str]:
    """`lib` of this environment, and of what holds the packages that it sees besides."""
    packages = [path for path in sys.path if path.endswith("-packages")]
    around = [os.path.dirname(os.path.dirname(path)) for path in packages]
    return [os.path.join(sys.prefix, "lib"), *around]


def _configured(path: str) -> Iterator[str]:
    """The folders that a file of the dynamic linker's names, and the files that it includes."""
    with suppress(OSError):
        for line in read_noted(path).decode(errors="replace").splitlines():
            words = line.partition("#")[0].split()
            if words[:1] == ["include"]:
                for pattern in words[1:]:
                    for name in matching(os.path.join("/etc", pattern)):
                        yield from _configured(name)
            elif words:
                yield words[0]


def _is_system_folder(folder: str) -> bool:
    folders = [*_SYSTEM_FOLDERS, *_configured("/etc/ld.so.conf")]
    return os.path.realpath(folder) in map(os.path.realpath, folders)


_SOFT_PAUSE = 1


@cache
def _survive_forks() -> None:
    """Once: let children of this process have threads of their own, or none."""
    process = ctypes.CDLL(None)
    gave_up = True

    def before() -> None:
        nonlocal gave_up
        gave_up = _give_threads_up(process)

    def after_in_child() -> None:
        if not gave_up:
            process.omp_set_num_threads(1)
            process.omp_set_max_active_levels(0)

    if loaded_runtime() == "libgomp":
        os.register_at_fork(before=before, after_in_child=after_in_child)


def _give_threads_up(process: ctypes.CDLL) -> bool:
    """End the threads that wait for this thread's next team: as OpenMP 5 can, from GCC 9 on."""
    can_pause = hasattr(process, "omp_pause_resource_all")
    return can_pause and process.omp_pause_resource_all(_SOFT_PAUSE) == 0
