"""The global symbols of an ELF object file: what it defines, what it needs from elsewhere."""

from __future__ import annotations

import struct

from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLE = 2
_LOCAL, _WEAK = 0, 2
_UNDEFINED = 0
_THREAD_LOCAL = 0x400  # a section's flag
_START_UP = {
    ".init_array": "a constructor",
    ".ctors": "a constructor",
    ".fini_array": "a destructor",
    ".dtors": "a destructor",
}


@record
class Symbols:
    """Names; a weak definition gives way to another one. `start_up`: what only a program that the
    system has linked and started can have."""

    defined: frozenset[str]
    weak: frozenset[str]
    undefined: frozenset[str]
    start_up: str | None = None


def read_symbols(code: bytes, origin: str = "the object file") -> Symbols:
    """The symbols of a 64-bit x86 object file; anything else is refused."""
    if code[:6] != b"\x7fELF\x02\x01" or code[16:20] != b"\x01\x00\x3e\x00":
        raise CompileError(f"{origin} is not an object file for x86-64")
    start = int.from_bytes(code[0x28:0x30], "little")
    entry_size, entries = struct.unpack_from("<HH", code, 0x3A)
    sections: list[tuple[int, ...]] = [
        _SECTION.unpack_from(code, start + i * entry_size) for i in range(entries)
    ]
    defined: set[str] = set()
    weak: set[str] = set()
    undefined: set[str] = set()
    start_up: str | None = None
    titles = sections[int.from_bytes(code[0x3E:0x40], "little")][4]
    for section in sections:
        title = code[titles + section[0] : code.index(b"\0", titles + section[0])].decode()
        for name, what in _START_UP.items():
            start_up = what if title.startswith(name) else start_up
        if section[2] & _THREAD_LOCAL:
            start_up = "a thread-local variable"
        if section[1] != _SYMBOL_TABLE:
            continue
        names = sections[section[6]][4]
        for offset in range(section[4], section[4] + section[5], _SYMBOL.size):
            name, info, _, index, _, _ = _SYMBOL.unpack_from(code, offset)
            binding = info >> 4
            if binding == _LOCAL or name == 0:
                continue
            end = code.index(b"\0", names + name)
            text = code[names + name : end].decode()
            if index == _UNDEFINED:
                undefined.add(text)
            else:
                (weak if binding == _WEAK else defined).add(text)
    return Symbols(frozenset(defined), frozenset(weak), frozenset(undefined), start_up)
