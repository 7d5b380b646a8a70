"""The data that a program works on and its calls: in this process on NumPy arrays, or as C.

Element `k` of a buffer begins as `(factor * k + offset + …) % modulus`, centred around zero where
the type is signed, in sevenths where it is floating point. `main_of` says the same in C and prints
a hash of each buffer after each call (with -DDUMP each element), so that a program that was found
here shows the same difference as a file of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from polyopt.tools.fuzz.programs.memory import Buffer
from polyopt.tools.fuzz.programs.program import FUNCTION, Program
from polyopt.tools.fuzz.programs.scalars import Scalar

Values: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Memory = dict[str, Values]
"""The contents of the buffers by name."""

GUARD = 64
"""Elements after the end of each buffer that nothing may change."""


def dtype_of(buffer: Buffer) -> np.dtype[Any]:
    if not buffer.is_struct:
        return np.dtype(buffer.fields[0][1].code)
    fields = [
        (name, scalar.code) if count == 1 else (name, scalar.code, (count,))
        for name, scalar, count in buffer.fields
    ]
    return np.dtype(fields, align=True)


def filled(buffer: Buffer) -> Values:
    """The buffer as it is before a call, and the guard after it."""
    values = np.zeros(buffer.count + GUARD, dtype_of(buffer))
    places = np.arange(buffer.count, dtype=np.int64)
    for number, (name, scalar, count) in enumerate(buffer.fields):
        for part in range(count):
            column = _sequence(buffer, scalar, places, number + part)
            if not name:
                values[: buffer.count] = column
            elif count == 1:
                values[name][: buffer.count] = column
            else:
                values[name][: buffer.count, part] = column
    return values


def _sequence(buffer: Buffer, scalar: Scalar, places: Values, more: int) -> Values:
    factor, offset, modulus = buffer.fill
    raw = (places * factor + offset + 5 * more) % modulus
    if buffer.subscripts:
        return raw
    if scalar.floating:
        return (raw - modulus // 2) / (7.0 if factor % 2 else 4.0)
    return raw - modulus // 2 if scalar.signed else raw


class Harness:
    """Calls of one program's function, each on buffers as they are at first.

    The address of a global of the code that is called is what `find` gives for its name.
    """

    def __init__(self, program: Program):
        self.program = program
        self._first = {buffer.name: filled(buffer) for buffer in program.buffers}
        self._globals = {buffer.name for buffer in program.buffers if buffer.is_global}

    def run(self, find: Callable[[str], int], number: int) -> Memory:
        """What the buffers hold after the run of that number, guards included."""
        memory = {name: values.copy() for name, values in self._first.items()}
        program = self.program
        sizes: list[Any] = [
            _integer(size.scalar)(value)
            for size, value in zip(program.sizes, program.runs[number], strict=True)
        ]
        pointers = list[ctypes.c_void_p]()
        for argument in program.arguments:
            values = memory[argument.buffer]
            start = values.ctypes.data + argument.offsets[number] * values.itemsize
            pointers.append(ctypes.c_void_p(start))
        for name in self._globals:
            ctypes.memmove(find(name), memory[name].ctypes.data, self._bytes(name, memory))
        kinds: list[Any] = [_integer(size.scalar) for size in program.sizes]
        prototype = ctypes.CFUNCTYPE(None, *kinds, *(ctypes.c_void_p for _ in pointers))
        prototype(find(FUNCTION))(*sizes, *pointers)
        for name in self._globals:
            ctypes.memmove(memory[name].ctypes.data, find(name), self._bytes(name, memory))
        return memory

    def _bytes(self, name: str, memory: Memory) -> int:
        return (len(memory[name]) - GUARD) * memory[name].itemsize


def _integer(scalar: Scalar) -> Callable[[int], Any]:
    kinds: Mapping[str, Any] = {
        "i1": ctypes.c_int8,
        "u1": ctypes.c_uint8,
        "i2": ctypes.c_int16,
        "u2": ctypes.c_uint16,
        "i4": ctypes.c_int32,
        "u4": ctypes.c_uint32,
        "i8": ctypes.c_int64,
        "u8": ctypes.c_uint64,
    }
    return kinds[scalar.code]


def columns(values: Values) -> Sequence[tuple[str, Values]]:
    """The fields of a structure, or the values themselves."""
    names = values.dtype.names
    return [("", values)] if names is None else [(name, values[name]) for name in names]


SUPPORT = """\
#include <stdio.h>
#ifndef DUMP
#define DUMP 0
#endif
static void fill(void *first, long stride, long count, char kind, long a, long b, long c, long low)
{
    char *at = first;
    for (long k = 0; k < count; k++) {
        long raw = (k * a + b) % c - low;
        switch (kind) {
        case 'd': *(double *)at = raw / (a % 2 ? 7.0 : 4.0); break;
        case 'f': *(float *)at = raw / (a % 2 ? 7.0 : 4.0); break;
        case 'l': *(long *)at = raw; break;
        case 'i': *(int *)at = raw; break;
        case 's': *(short *)at = raw; break;
        default: *at = raw; break;
        }
        at += stride;
    }
}
static void show(const char *name, void *first, long stride, long count, char kind)
{
    char *at = first;
    unsigned long hash = 0;
    for (long k = 0; k < count; k++) {
        double v;
        switch (kind) {
        case 'd': v = *(double *)at; break;
        case 'f': v = *(float *)at; break;
        case 'l': v = *(long *)at / 3 + *(long *)at % 3 * 0.0625; break;
        case 'i': v = *(int *)at; break;
        case 's': v = *(short *)at; break;
        default: v = *at; break;
        }
        if (DUMP) printf("%s[%ld] = %.17g\\n", name, k, v);
        union { double value; unsigned long bits; } u;
        u.value = v != v ? 12345.0 : v == 0 ? 0.0 : v;
        hash = (hash ^ u.bits) * 1099511628211UL;
        hash ^= hash >> 29;
        at += stride;
    }
    printf("%s %016lx\\n", name, hash);
}
"""
"""C functions that fill and show an array; kinds are letters of types."""


def main_of(program: Program, runs: Sequence[int] | None = None) -> str:
    """The C text of the calls (those of `runs`): what follows the program's functions."""
    lines = ["", *SUPPORT.splitlines()]
    for buffer in program.buffers:
        if not buffer.is_global:
            kind = f"struct s_{buffer.name}" if buffer.is_struct else buffer.fields[0][1].c
            lines.append(f"static {kind} b_{buffer.name}[{buffer.count}];")
    lines += ["", "int main(void)", "{"]
    for number in range(len(program.runs)) if runs is None else runs:
        for buffer in program.buffers:
            lines += _fill_text(buffer)
        sizes = [str(size) for size in program.runs[number]]
        pointers = [
            f"(void *)(b_{one.buffer} + {one.offsets[number]})" for one in program.arguments
        ]
        lines.append(f"    {FUNCTION}({', '.join([*sizes, *pointers])});")
        for buffer in program.buffers:
            lines += _show_text(buffer)
    return "\n".join([*lines, "    return 0;", "}", ""])


def _places(buffer: Buffer) -> Iterator[tuple[str, str, Scalar, int]]:
    """(label, first element and stride, type, number of the sequence) of each field."""
    stride = str(dtype_of(buffer).itemsize)
    base = f"&{buffer.name}" if buffer.is_global else f"b_{buffer.name}"
    for number, (name, scalar, count) in enumerate(buffer.fields):
        for part in range(count):
            if not name:
                yield buffer.name, f"{base}, {stride}", scalar, number + part
                continue
            element = f".{name}[{part}]" if count > 1 else f".{name}"
            place = f"&b_{buffer.name}[0]{element}, {stride}"
            yield f"{buffer.name}{element}", place, scalar, number + part


def _letter(scalar: Scalar) -> str:
    if scalar.floating:
        return "'d'" if scalar.bits == 64 else "'f'"
    return {8: "'c'", 16: "'s'", 32: "'i'", 64: "'l'"}[scalar.bits]


def _fill_text(buffer: Buffer) -> Iterator[str]:
    a, b, c = buffer.fill
    for _, place, scalar, more in _places(buffer):
        low = c // 2 if scalar.signed and not buffer.subscripts else 0
        letter = _letter(scalar)
        yield f"    fill({place}, {buffer.count}, {letter}, {a}, {b + 5 * more}, {c}, {low});"


def _show_text(buffer: Buffer) -> Iterator[str]:
    for label, place, scalar, _ in _places(buffer):
        yield f'    show("{label}", {place}, {buffer.count}, {_letter(scalar)});'
