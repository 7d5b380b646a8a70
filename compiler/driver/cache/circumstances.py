"""What every compilation depends on beside its own inputs, as one digest.

The files of polyopt, the versions of what it is made of, Python's, and the machine: its processor
and its caches, which the models ask about whatever `-march=` says. Of a checkout each file counts
with its path, size and time of change, so that a change of the compiler is seen; of an installed
package when it was installed. Where one of these is not known, nothing may be kept: `circumstances`
is None.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache

from polyopt.support.digest import digest
from polyopt.support.processor import cache_sizes, processor_lines

DEPENDENCIES = ("xdsl", "islpy", "llvmlite", "pcpp", "pycparser")
"""What makes code. A test compares with the imports of the sources."""

_OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder of the package: its name is `polyopt` where it is installed."""

_ROOMS = ("polyopt", "polyopt.dialects", "polyopt.passes", "polyopt.tools")


@cache
def circumstances() -> str | None:
    """As they were when they were first asked for, in this process."""
    return _circumstances()


def are_still_so() -> bool:
    """Whether the compiler is the same as when this process began: its modules are loaded when
    they are needed."""
    return _circumstances() == circumstances()


def _circumstances() -> str | None:
    versions = [_version(name) for name in DEPENDENCIES]
    if None in versions:
        return None
    try:
        own_files = sorted(_own_files())
    except OSError:
        return None
    parts = [
        sys.version,
        sys.prefix,
        *map(str, versions),
        *own_files,
        *(f"{name} {text}" for name, text in processor_lines().items()),
        *(f"{level} {size}" for level, size in cache_sizes().items()),
    ]
    return digest(*(part.encode(errors="surrogateescape") for part in parts))


def _version(name: str) -> str | None:
    """The installed package that an import would find, and when it was installed. None where no
    such thing stands beside the package's code: a checkout, which may change at any time."""
    for folder in sys.path:
        if not os.path.exists(os.path.join(folder, name, "__init__.py")):
            continue
        return _installed(name, folder or ".")
    return None


def _installed(name: str, folder: str) -> str | None:
    """The version in the folder, the sums of its files, and when it was installed there; None where
    that is not known. Some installers set all times to one, and a version may be built again."""
    prefix = f"{name}-"
    infos = [
        other
        for other in os.listdir(folder)
        if other.startswith(prefix) and other.endswith(".dist-info")
    ]
    if len(infos) != 1:
        return None
    record = os.path.join(folder, infos[0], "RECORD")
    try:
        status = os.stat(record)
        with open(record, "rb") as stream:
            sums = digest(stream.read())
    except OSError:
        return None
    return f"{folder} {infos[0]} {status.st_mtime_ns} {sums}"


def _own_files() -> Iterator[str]:
    """The files of polyopt, each with its size and its time of change. Editors' own are none. In
    place of those that are installed together stands when they were."""
    home, name = os.path.split(os.path.realpath(_OWN))
    installed = _installed(name, home)
    if installed is not None:
        yield installed
        return
    from importlib.util import find_spec

    folders: set[str] = set()
    for room in _ROOMS:
        spec = find_spec(room)
        folders.update((spec and spec.submodule_search_locations) or ())
    for folder in folders:
        if not any(folder.startswith(f"{other}{os.sep}") for other in folders):
            yield from _files_below(folder)


def _files_below(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name[0] == "." or entry.name[-1] == "~" or entry.name == "__pycache__":
                continue
            if entry.is_dir():
                yield from _files_below(entry.path)
                continue
            status = entry.stat()
            yield f"{entry.path} {status.st_mtime_ns} {status.st_size}"
