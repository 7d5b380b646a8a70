"""Native code in this process: object files linked into memory, by ourselves where they are simple
(`elf_loader`), else by LLVM's JIT linker.

What the code needs from outside (libc, libm, libraries given by name) is found as the dynamic
linker would find it; what is missing is an error with its name, before anything runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

from polyopt.backend.loaded.elf import Symbols, read_symbols
from polyopt.backend.loaded.elf_loader import place
from polyopt.backend.processors.options import TRIPLE
from polyopt.support.diagnostics import CompileError

if TYPE_CHECKING:
    from llvmlite.binding import ExecutionEngine


class Resident:
    """What lives in this process only: a copy is the thing itself, as it is of Python's own
    functions."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        raise TypeError(
            f"{type(self).__name__}: machine code in memory cannot be pickled; "
            "pickle the C text, and compile it where it is wanted"
        )


class NativeCode(Resident):
    """Loaded code: the global `names` it defines, those it takes from elsewhere (`undefined`).
    It stays in memory as long as this object lives, which holds whatever `memory` is."""

    def __init__(
        self,
        address_of: Callable[[str], int],
        memory: object,
        names: frozenset[str],
        undefined: frozenset[str],
    ):
        self._address_of = address_of
        self._memory = memory
        self.names = names
        self.undefined = undefined

    def address(self, name: str) -> int:
        """Where a function or an object starts; KeyError if there is none."""
        if name not in self.names:
            raise KeyError(name)
        return self._address_of(name)


def load_objects(objects: Sequence[bytes], libraries: Iterable[str] = ()) -> NativeCode:
    """Link object files; `libraries` are named as for a linker's -l."""
    _load_libraries(libraries)
    names, undefined = _check_symbols([read_symbols(code) for code in objects])
    placed = place(objects)
    if placed is not None:
        return NativeCode(placed.addresses.__getitem__, placed.memory, names, undefined)
    engine = _engine(objects)
    return NativeCode(engine.get_global_value_address, engine, names, undefined)


def _engine(objects: Sequence[bytes]) -> ExecutionEngine:
    """LLVM's, with the object files in it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # The engine wants a module and a machine of its own; all code is in the object files.
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), llvm.Target.from_triple(TRIPLE).create_target_machine()
    )
    for code in objects:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _load_libraries(names: Iterable[str]) -> None:
    """Make the symbols of shared libraries visible to native code: libm's and, for what LLVM
    calls where the machine has no instruction, the compiler run-time's always."""
    for name in ("libm.so.6", "libmvec.so.1", "libgcc_s.so.1"):
        with suppress(OSError):
            ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
    for name in names:
        if name in ("c", "m"):
            continue
        from ctypes.util import find_library

        path = find_library(name)
        if path is None:
            raise CompileError(f"there is no shared library for -l{name}")
        try:
            ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        except OSError as error:
            raise CompileError(f"cannot load the library of -l{name}: {error}") from error


def _check_symbols(files: Sequence[Symbols]) -> tuple[frozenset[str], frozenset[str]]:
    """The names that the files define, and those they need beyond these.

    Refuse what is defined twice or nowhere."""
    defined: set[str] = set()
    weak: set[str] = set()
    undefined: set[str] = set()
    for symbols in files:
        if symbols.start_up is not None:
            raise CompileError(
                f"{symbols.start_up} needs a program of its own",
                hint="compile and link it to a file, and run that",
            )
        twice = defined & symbols.defined
        if twice:
            raise CompileError(f"{_quoted(twice)}: defined in more than one file")
        defined |= symbols.defined
        weak |= symbols.weak
        undefined |= symbols.undefined
    defined |= weak
    process = ctypes.CDLL(None)
    missing = {
        name
        for name in undefined - defined
        if name != "_GLOBAL_OFFSET_TABLE_" and not hasattr(process, name)
    }
    if missing:
        raise CompileError(
            f"{_quoted(missing)}: used, but defined nowhere",
            hint="add the file that defines it, or its library by -l",
        )
    return frozenset(defined), frozenset(undefined - defined)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in sorted(names))
