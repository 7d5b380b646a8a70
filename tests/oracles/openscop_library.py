"""The OpenScop library as a peer: reads a file, checks it, and prints it again.

It is looked for where the system has its libraries, and at `POLYOPT_LIBOSL`. (Debian's libosl is
another one, of a game.)
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from pathlib import Path

import pytest


def _library() -> ctypes.CDLL | None:
    name = os.environ.get("POLYOPT_LIBOSL") or ctypes.util.find_library("osl")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    return library if hasattr(library, "osl_scop_integrity_check") else None


def normalised_by_library(text: str, folder: Path) -> str:
    """The text as the library prints what it has read; it must find it sound."""
    library = _library()
    if library is None:
        pytest.skip("the OpenScop library is not installed (POLYOPT_LIBOSL names it)")
    system = ctypes.CDLL(None)
    system.fopen.restype = library.osl_scop_read.restype = ctypes.c_void_p
    system.fopen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    system.fclose.argtypes = library.osl_scop_read.argtypes = [ctypes.c_void_p]
    library.osl_scop_integrity_check.argtypes = [ctypes.c_void_p]
    library.osl_scop_print.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    ours, printed = folder / "ours.scop", folder / "printed.scop"
    ours.write_text(text)
    stream = system.fopen(os.fsencode(ours), b"r")
    scop = library.osl_scop_read(stream)
    system.fclose(stream)
    assert library.osl_scop_integrity_check(scop) == 1
    stream = system.fopen(os.fsencode(printed), b"w")
    library.osl_scop_print(stream, scop)
    system.fclose(stream)
    return printed.read_text()
