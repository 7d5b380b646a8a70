"""Where `#include` looks, in the order of every C compiler, and which files it has read.

    "name"      the folder of the file that asks, then -iquote, then as <name>
    <name>      -I, -isystem, our own headers of the C library, the system's folders, -idirafter
    next        #include_next: behind the folder in which the file that asks was found

The system's folders lie in `sysroot`.

Ours and the system's headers of the C library do not go together: a translation unit reads ours,
which are small, as long as they have all that it asks for, and else the system's only, but for
those headers that speak of the compiler (`NeedsSystemLibrary` is raised to begin again).
`has_read_own`: what a unit misses may be what the system's headers have and ours lack.

A folder of -I that is one of the later ones keeps its later place, and -nostdinc takes ours and
the system's away. Headers that are not found beside the program's files or by -I and -iquote are
the system's: nothing is warned of in them, and -MM leaves them out.
"""

from __future__ import annotations

import os
from dataclasses import replace

from polyopt.frontend.options import CFrontendOptions
from polyopt.frontend.tokens.library_headers import HEADERS, is_library_header
from polyopt.support.charsets import decoded
from polyopt.support.noted import exists, read_noted, real_path
from polyopt.support.record import record

SYSTEM_FOLDERS = ("/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include")
_OF_THE_COMPILER = frozenset(
    f"{name}.h"
    for name in "cpuid emmintrin float immintrin iso646 math nmmintrin omp pmmintrin smmintrin "
    "stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdnoreturn tgmath tmmintrin "
    "wmmintrin x86gprintrin x86intrin xmmintrin".split()
)
_ASKED_FOR = frozenset({"limits.h"})
"""What the system's header of this name asks of the compiler's, by #include_next."""


class NeedsSystemLibrary(Exception):
    """A header that only the system has, in a unit that has read ours. `is_lack`: a function that
    is called is in none of ours, and may be in the system's."""

    def __init__(self, name: str, *, is_lack: bool = False):
        super().__init__(name)
        self.is_lack = is_lack


@record
class Header:
    """A file that was found: as it is called in messages and rules, and in which folder (None:
    beside the file that asks). `depth`: how many files include it, one in the other."""

    path: str
    is_system: bool = False
    folder: int | None = None
    depth: int = 0


class HeaderSearch:
    """The folders in their order, and the files that were read (`included`), each once.
    `is_enough`: it is known that the system's headers are of no help."""

    is_enough = False

    def __init__(self, options: CFrontendOptions, *, own_library: bool = True):
        self._own_library = own_library
        root = options.sysroot.rstrip(os.sep)
        self._system = tuple(f"{root}{folder}{os.sep}" for folder in SYSTEM_FOLDERS)
        last = [*options.system_dirs]
        if options.standard_includes:
            last += [HEADERS, *(f"{root}{f}" for f in SYSTEM_FOLDERS), HEADERS]
        last += options.after_dirs
        later = {real_path(folder) for folder in last}
        first = [f for f in options.include_dirs if real_path(f) not in later]
        self._quoted = len(options.quote_dirs)
        self._own = self._quoted + len(first)
        self._folders = [*options.quote_dirs, *first, *last]
        self._charset = options.input_charset
        self._texts: dict[str, str | None] = {}
        self.included: dict[str, Header] = {}

    def find(self, name: str, *, asking: Header, quoted: bool, following: bool) -> Header | None:
        """The file that is meant by a name in the file that asks; `following`: by #include_next."""
        if os.path.isabs(name):
            return Header(name, asking.is_system) if self.text(name) is not None else None
        if quoted and not following:
            path = os.path.join(os.path.dirname(asking.path), name)
            if self.text(path) is not None:
                return Header(path, asking.is_system, asking.folder)
        start = 0 if quoted else self._quoted
        if following and asking.folder is not None:
            start = asking.folder + 1
        for index in range(start, len(self._folders)):
            folder = self._folders[index]
            is_ours = folder == HEADERS and not self._own_library
            if is_ours and name not in _OF_THE_COMPILER and not (following and name in _ASKED_FOR):
                continue
            path = os.path.join(folder, name)
            if self.text(path) is not None:
                return Header(path, index >= self._own, index)
        return None

    def read(self, name: str, *, asking: Header, quoted: bool, following: bool) -> Header | None:
        """As `find`; the file is noted as included."""
        header = self.find(name, asking=asking, quoted=quoted, following=following)
        if header is None:
            return None
        if self._own_library and header.path.startswith(self._system):
            raise NeedsSystemLibrary(name)
        header = replace(header, depth=asking.depth + 1)
        self.included.setdefault(header.path, header)
        return header

    def note_missing(self, name: str, *, quoted: bool) -> None:
        """A header that somebody will make counts as included, by the name that it is asked by; as
        the system's where it is asked by <name>."""
        self.included.setdefault(name, Header(name, is_system=not quoted))

    @property
    def has_read_own(self) -> bool:
        if not self._own_library or not exists(f"{self._system[-1]}stdio.h"):
            return False
        return any(
            is_library_header(path) and os.path.basename(path) not in _OF_THE_COMPILER
            for path in self.included
        )

    def shown(self) -> str:
        """The folders as gcc's -v shows them: CMake and meson read which ones need not be named."""
        folders = [folder if os.path.isdir(folder) else "" for folder in self._folders]
        rest = dict.fromkeys(filter(None, folders[self._quoted :]))
        lines = [
            '#include "..." search starts here:',
            *(f" {folder}" for folder in folders[: self._quoted] if folder),
            "#include <...> search starts here:",
            *(f" {folder}" for folder in rest),
            "End of search list.",
        ]
        return "\n".join(lines)

    def text(self, path: str) -> str | None:
        """The file's text; None where there is none. Bytes that are not UTF-8 survive."""
        if path not in self._texts:
            try:
                self._texts[path] = decoded(read_noted(path), self._charset, path)
            except OSError:
                self._texts[path] = None
        return self._texts[path]
