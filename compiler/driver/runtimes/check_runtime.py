"""The run-time library of programs that check themselves: `check_runtime.c`, compiled by ourselves.

A program says at its end what was compared, and ends with status 3 where something differed; a
library that is loaded into another program leaves both to that.
"""

from __future__ import annotations

import ctypes
from functools import cache

from polyopt.backend.loaded.elf import read_symbols
from polyopt.backend.loaded.jit import NativeCode
from polyopt.driver.cache.folder import OFF
from polyopt.driver.options.settings import Settings
from polyopt.driver.runtimes.runtime_code import runtime_code
from polyopt.support.diagnostics import Diagnostic, SourceMap, Span

PREFIX = "__polyopt_check_"

_Reporter = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)


class CheckFailed(RuntimeError):
    """An optimised loop nest gave other results than the source's order. The arrays hold what the
    source's order gave."""


class Examiner:
    """Asks loaded code, after each call, whether what it has compared was the same."""

    def __init__(self, code: NativeCode, sources: SourceMap):
        self._sources = sources
        self._told: list[str] = []
        self._reporter = _Reporter(self._take)
        place = ctypes.c_void_p.from_address(code.address(f"{PREFIX}reporter"))
        place.value = ctypes.cast(self._reporter, ctypes.c_void_p).value
        self._taken = ctypes.CFUNCTYPE(ctypes.c_long)(code.address(f"{PREFIX}taken"))

    def examine(self) -> None:
        """Raise CheckFailed if a difference was found since the last time."""
        number = self._taken()
        told, self._told = self._told, []
        if number:
            count = "1 element differs" if number == 1 else f"{number} elements differ"
            raise CheckFailed("\n".join([count, *told]))

    def _take(self, place: bytes, message: bytes) -> None:
        words = place.decode(errors="replace").rsplit(":", 2)
        span = Span(words[0], int(words[1]), int(words[2])) if len(words) == 3 else None
        text = message.decode(errors="replace")
        self._told.append(Diagnostic("check", text, span).render(self._sources))


@cache
def runtime_object(*, for_program: bool, pic: bool = False, folder: str | None = OFF) -> bytes:
    """Its object code, kept in the folder that the word means."""
    defines = ("PROGRAM",) if for_program else ()
    settings = Settings(defines=defines, opt_level=2, poly="none", pic=pic)
    return runtime_code("check_runtime.c", settings, folder, "the run-time library of --check")


def compares_anything(objects: list[bytes]) -> bool:
    """Whether there is a SCoP in one of the objects that is compared."""
    return any(f"{PREFIX}begin" in read_symbols(code).undefined for code in objects)
