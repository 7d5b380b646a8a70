"""Object files put into this process's memory by ourselves, in a millisecond.

LLVM's linker does this too, but LLVM is a hundred megabytes to load, which a process that finds
its code in the cache needs for nothing else. Sections of one kind lie together, code first, so
that references between them fit 32 bits; what lies outside is reached through a table of addresses
and, for calls, a jump through it. What is not known here is left to LLVM: `place` gives None.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Iterator, Sequence
from dataclasses import field

from polyopt.support.record import entity, record

_HEADER = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QIIq")
_SYMBOL_TABLE, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITABLE, _ALLOCATED, _EXECUTABLE = 1, 2, 4
_UNDEFINED, _ABSOLUTE, _RESERVED = 0, 0xFFF1, 0xFF00
_LOCAL, _WEAK = 0, 2
_INDIRECT_FUNCTION = 10
_ABSOLUTE_64, _RELATIVE_32, _CALL_32, _RELATIVE_64 = 1, 2, 4, 24
_THROUGH_TABLE = (9, 41, 42)
_KNOWN = frozenset({_ABSOLUTE_64, _RELATIVE_32, _CALL_32, _RELATIVE_64, *_THROUGH_TABLE})
_JUMP = b"\xff\x25"  # jmp *OFFSET(%rip)
_JUMP_BYTES, _ADDRESS_BYTES = 8, 8
_PAGE = mmap.PAGESIZE
_READ, _WRITE, _EXECUTE = 1, 2, 4


@record
class Placed:
    """Where each global name is. The memory lives as long as this object."""

    addresses: dict[str, int]
    memory: mmap.mmap


class _NotKnownHereError(Exception):
    """Something that LLVM's linker is for."""


@record
class _Section:
    name: str
    type: int
    flags: int
    start: int
    size: int
    link: int
    info: int
    alignment: int


@record
class _Symbol:
    name: str
    binding: int
    section: int
    value: int


@record
class _Relocation:
    """A reference to be filled in, at this place of a section."""

    section: int
    place: int
    symbol: _Symbol
    type: int
    addend: int


@entity
class _File:
    code: bytes
    sections: list[_Section] = field(default_factory=list[_Section])
    symbols: list[_Symbol] = field(default_factory=list[_Symbol])
    offsets: dict[int, int] = field(default_factory=dict[int, int])
    """Where in memory each section is."""

    def relocations(self) -> Iterator[_Relocation]:
        for section in self.sections:
            if section.type != _RELOCATIONS or not self.sections[section.info].flags & _ALLOCATED:
                continue
            data = memoryview(self.code)[section.start : section.start + section.size]
            entries: Iterator[tuple[int, int, int, int]] = _RELOCATION.iter_unpack(data)
            for place, type, symbol, addend in entries:
                yield _Relocation(section.info, place, self.symbols[symbol], type, addend)


def place(objects: Sequence[bytes]) -> Placed | None:
    """The object files in memory, ready to run; None where LLVM is needed for it."""
    try:
        return _placed([_read(code) for code in objects])
    except (_NotKnownHereError, struct.error, OSError):
        return None


def _read(code: bytes) -> _File:
    start = int.from_bytes(code[0x28:0x30], "little")
    size, count, names = struct.unpack_from("<HHH", code, 0x3A)
    headers = [_HEADER.unpack_from(code, start + i * size) for i in range(count)]
    file = _File(code)
    for name, type, flags, _, begin, length, link, info, alignment, _ in headers:
        text = _text(code, headers[names][4] + name)
        if text.startswith(".debug_"):
            raise _NotKnownHereError  # debuggers learn of code that LLVM has loaded
        file.sections.append(_Section(text, type, flags, begin, length, link, info, alignment))
    for section in file.sections:
        if section.type != _SYMBOL_TABLE:
            continue
        texts = file.sections[section.link].start
        data = memoryview(code)[section.start : section.start + section.size]
        for name, info, _, index, value, _ in _SYMBOL.iter_unpack(data):
            if info & 15 == _INDIRECT_FUNCTION or (index >= _RESERVED and index != _ABSOLUTE):
                raise _NotKnownHereError
            file.symbols.append(_Symbol(_text(code, texts + name), info >> 4, index, value))
    return file


def _text(code: bytes, start: int) -> str:
    return code[start : code.index(b"\0", start)].decode()


def _placed(files: Sequence[_File]) -> Placed:
    image = _Image(files)
    image.lay_out()
    image.fill()
    return Placed(image.addresses(), image.memory)


class _Image:
    """Code, then what is only read with the table of addresses, then what is written."""

    memory: mmap.mmap

    def __init__(self, files: Sequence[_File]):
        self._files = files
        self._base = 0
        self._table = self._jumps = 0
        self._rights: list[tuple[int, int, int]] = []
        self._process = ctypes.CDLL(None)
        self._definitions: dict[str, tuple[_File, _Symbol]] = {}
        for file in files:
            for symbol in file.symbols:
                if symbol.binding == _LOCAL or symbol.section == _UNDEFINED:
                    continue
                if symbol.binding != _WEAK or symbol.name not in self._definitions:
                    self._definitions[symbol.name] = (file, symbol)
        self._slots: dict[object, int] = {}
        """Entries of the table, by `_key`."""

    def lay_out(self) -> None:
        size = 0
        for kind, rights in (
            (_EXECUTABLE, _READ | _EXECUTE),
            (0, _READ),
            (_WRITABLE, _READ | _WRITE),
        ):
            begin = size
            for file in self._files:
                size = _with_sections(file, kind, size)
            if kind == _EXECUTABLE:
                self._find_slots()
                self._jumps = _aligned(size, _JUMP_BYTES)
                size = self._jumps + _JUMP_BYTES * len(self._slots)
            elif kind == 0:
                self._table = _aligned(size, _ADDRESS_BYTES)
                size = self._table + _ADDRESS_BYTES * len(self._slots)
            size = _aligned(size, _PAGE)
            self._rights.append((begin, size - begin, rights))
        self.memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))

    def _find_slots(self) -> None:
        for file in self._files:
            for relocation in file.relocations():
                if relocation.type not in _KNOWN:
                    raise _NotKnownHereError
                is_call_out = relocation.type == _CALL_32 and self._is_outside(relocation.symbol)
                if is_call_out or relocation.type in _THROUGH_TABLE:
                    self._slots.setdefault(self._key(file, relocation.symbol), len(self._slots))

    def fill(self) -> None:
        """Contents, addresses and references; then no more than is needed may be done with them."""
        for file in self._files:
            for number, offset in file.offsets.items():
                section = file.sections[number]
                if section.type != _NO_BITS:
                    content = file.code[section.start : section.start + section.size]
                    self.memory[offset : offset + section.size] = content
            for relocation in file.relocations():
                self._resolve(file, relocation)
        for begin, size, rights in self._rights:
            at = ctypes.c_void_p(self._base + begin)
            if size and self._process.mprotect(at, ctypes.c_size_t(size), rights) != 0:
                raise _NotKnownHereError

    def _resolve(self, file: _File, relocation: _Relocation) -> None:
        offset = file.offsets[relocation.section] + relocation.place
        slot = self._slots.get(self._key(file, relocation.symbol))
        type = relocation.type
        if slot is not None and (type in _THROUGH_TABLE or type == _CALL_32):
            entry = self._table + _ADDRESS_BYTES * slot
            target = self._address(file, relocation.symbol)
            struct.pack_into("<Q", self.memory, entry, target)
            goal = self._base + entry
            if type == _CALL_32 and self._is_outside(relocation.symbol):
                jump = self._jumps + _JUMP_BYTES * slot
                distance = entry - (jump + len(_JUMP) + 4)
                self.memory[jump : jump + 6] = _JUMP + struct.pack("<i", distance)
                goal = self._base + jump
            elif type == _CALL_32:
                goal = target
        else:
            goal = self._address(file, relocation.symbol)
        goal += relocation.addend
        if type == _ABSOLUTE_64:
            struct.pack_into("<Q", self.memory, offset, goal)
        else:
            form = "<q" if type == _RELATIVE_64 else "<i"
            struct.pack_into(form, self.memory, offset, goal - (self._base + offset))

    def _key(self, file: _File, symbol: _Symbol) -> object:
        return symbol.name if symbol.binding != _LOCAL else (id(file), symbol)

    def _is_outside(self, symbol: _Symbol) -> bool:
        return symbol.section == _UNDEFINED and symbol.name not in self._definitions

    def _address(self, file: _File, symbol: _Symbol) -> int:
        if symbol.binding != _LOCAL and symbol.name in self._definitions:
            file, symbol = self._definitions[symbol.name]
        if symbol.section == _ABSOLUTE:
            return symbol.value
        if symbol.section != _UNDEFINED:
            return self._base + file.offsets[symbol.section] + symbol.value
        found = getattr(self._process, symbol.name, None)
        if found is None and symbol.binding != _WEAK:
            raise _NotKnownHereError
        return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0

    def addresses(self) -> dict[str, int]:
        return {
            name: self._address(file, symbol) for name, (file, symbol) in self._definitions.items()
        }


def _with_sections(file: _File, kind: int, size: int) -> int:
    """Give the file's sections of this kind places behind `size`; the size with them."""
    for number, section in enumerate(file.sections):
        if not section.flags & _ALLOCATED or section.flags & (_EXECUTABLE | _WRITABLE) != kind:
            continue
        file.offsets[number] = _aligned(size, max(1, section.alignment))
        size = file.offsets[number] + section.size
    return size


def _aligned(number: int, to: int) -> int:
    return -(-number // to) * to
