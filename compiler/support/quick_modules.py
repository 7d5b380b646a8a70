"""Modules of polyopt, and of the packages it is made with, are found and read by a shorter way.

A compilation loads seven hundred of them. Python asks one finder after the other for each, keeps
lists of folders, and reads bytecode through layers that a file need not have: a fifth of what
loading takes. Here a module is looked for where its package is, and nowhere else. What is taken of
it, and when, is as ever Python's to say: bytecode of this version, of a source of this time and
size, in the place where Python keeps it unless told otherwise. All else is left to Python: what is
not found here, and a file whose bytecode is missing, of another form, or not of this source.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from marshal import loads
from types import CodeType, ModuleType

_OURS = "polyopt."
_PACKAGES = (_OURS, "xdsl.", "llvmlite.", "pycparser.", "pcpp.")
_PIECE = 1 << 16
"""Bytes that are read at once: all of most files."""
_HEAD = 16
"""Bytes of bytecode's version, kind, and source."""
_WORD = 0xFFFFFFFF


def find_quickly() -> None:
    """From now on, in this process."""
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)


class _Finder:
    """Of modules in the folder of their package, and of packages there."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not (path and name.startswith(_PACKAGES)):
            return None
        base = f"{path[0]}/{name.rpartition('.')[2]}"
        module, package = partial(_spec, name, f"{base}.py"), partial(_package, name, base)
        return module() or package() if name.startswith(_OURS) else package() or module()


def _spec(name: str, file: str, folder: str | None = None) -> ModuleSpec | None:
    try:
        state = os.stat(file)
    except OSError:
        return None
    loader = _Loader(name, file, state)
    spec = ModuleSpec(name, loader, origin=file, is_package=folder is not None)
    if folder is not None:
        spec.submodule_search_locations = [folder]
    spec.has_location = True
    if loader.usual is not None:
        spec.cached = loader.usual
    return spec


def _package(name: str, folder: str) -> ModuleSpec | None:
    return _spec(name, f"{folder}/__init__.py", folder=folder)


def _usual_place(file: str) -> str | None:
    """Where the bytecode of a source is, unless Python was told of another place or kind."""
    if sys.pycache_prefix is not None or sys.flags.optimize:
        return None
    folder, _, name = file.rpartition("/")
    return f"{folder}/__pycache__/{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"


class _Loader(SourceFileLoader):
    """Python's own, of a file that has been looked at."""

    def __init__(self, name: str, path: str, state: os.stat_result):
        super().__init__(name, path)
        self._state = state
        self.usual = _usual_place(path)

    def get_code(self, fullname: str) -> CodeType | None:
        """The bytecode, if Python would take it as it is."""
        if self.usual is not None:
            try:
                data = self.get_data(self.usual)
            except OSError:
                data = b""
            if data[:_HEAD] == self._head():
                code = loads(memoryview(data)[_HEAD:])
                if code.co_filename == self.path:
                    return code
        return super().get_code(fullname)

    def _head(self) -> bytes:
        """How a file begins whose bytecode is of this version, and of the source as it is now."""
        time, size = int(self._state.st_mtime) & _WORD, self._state.st_size & _WORD
        words = (0, time, size)
        return MAGIC_NUMBER + b"".join([word.to_bytes(4, "little") for word in words])

    def path_stats(self, path: str) -> dict[str, float]:
        return {"mtime": self._state.st_mtime, "size": self._state.st_size}

    def get_data(self, path: str) -> bytes:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = os.read(file, _PIECE)
            while len(data) % _PIECE == 0 and (more := os.read(file, _PIECE)):
                data += more
        finally:
            os.close(file)
        return data
