"""The data that a program works on and its calls: in this process on NumPy arrays, or as C.

Element `k` of a buffer begins as `(factor * k + offset + …) % modulus`, centred around zero where
the type is signed, in sevenths where it is floating point. `main_of` says the same in C and prints
a hash of each buffer after each call (with -DDUMP each element), so that a program that was found
here shows the same difference as a file of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from polyopt.tools.fuzz.memory import Buffer
from polyopt.tools.fuzz.program import FUNCTION, Program
from polyopt.tools.fuzz.scalars import Scalar

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
        sizes = [
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
        prototype = ctypes.CFUNCTYPE(
            None, *(type(size) for size in sizes), *(ctypes.c_void_p for _ in pointers)
        )
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


def main_of(program: Program) -> str:
    """The C text of the same calls: declarations for the head of a file, and a `main`."""
    lines = [
        "",
        "#include <stdio.h>",
        "static unsigned long hash;",
        "static void see(const char *name, int k, double v)",
        "{",
        "    union { double value; unsigned long bits; } u;",
        "    u.value = v != v ? 12345.0 : v == 0 ? 0.0 : v;",
        "    hash = (hash ^ u.bits) * 1099511628211UL;",
        "    hash ^= hash >> 29;",
        "#ifdef DUMP",
        '    printf("%s[%d] = %.17g\\n", name, k, v);',
        "#endif",
        "}",
    ]
    for buffer in program.buffers:
        if not buffer.is_global:
            kind = f"struct s_{buffer.name}" if buffer.is_struct else buffer.fields[0][1].c
            lines.append(f"static {kind} b_{buffer.name}[{buffer.count}];")
    for number, run in enumerate(program.runs):
        lines += ["", f"static void run{number}(void)", "{"]
        for buffer in program.buffers:
            lines += _fill_text(buffer)
        sizes = [str(size) for size in run]
        pointers = [
            f"(void *)(b_{one.buffer} + {one.offsets[number]})" for one in program.arguments
        ]
        lines.append(f"    {FUNCTION}({', '.join([*sizes, *pointers])});")
        for buffer in program.buffers:
            lines += _show_text(buffer)
        lines.append("}")
    calls = [f"    run{number}();" for number in range(len(program.runs))]
    lines += ["", "int main(void)", "{", *calls, "    return 0;", "}", ""]
    return "\n".join(lines)


def _base(buffer: Buffer) -> str:
    return f"(({buffer.fields[0][1].c} *){buffer.name})" if buffer.is_global else f"b_{buffer.name}"


def _fill_text(buffer: Buffer) -> list[str]:
    factor, offset, modulus = buffer.fill
    lines = [f"    for (long k = 0; k < {buffer.count}; k++) {{"]
    for number, (name, scalar, count) in enumerate(buffer.fields):
        for part in range(count):
            raw = f"(k * {factor} + {offset + 5 * (number + part)}) % {modulus}"
            if buffer.subscripts:
                text = raw
            elif scalar.floating:
                text = f"({raw} - {modulus // 2}) / {7.0 if factor % 2 else 4.0}"
            else:
                text = f"{raw} - {modulus // 2}" if scalar.signed else raw
            target = f"{_base(buffer)}[k]" + (f".{name}" if name else "")
            lines.append(f"        {target}{f'[{part}]' if count > 1 else ''} = {text};")
    return [*lines, "    }"]


def _show_text(buffer: Buffer) -> list[str]:
    lines = ["    hash = 0;", f"    for (int k = 0; k < {buffer.count}; k++) {{"]
    for name, scalar, count in buffer.fields:
        for part in range(count):
            field = f".{name}" if name else ""
            text = f"{_base(buffer)}[k]{field}{f'[{part}]' if count > 1 else ''}"
            label = f"{buffer.name}{field}"
            if scalar.bits == 64 and not scalar.floating:
                lines.append(f'        see("{label} high", k, {text} >> 32);')
                text = f"(unsigned){text}"
            lines.append(f'        see("{label}", k, {text});')
    return [*lines, "    }", f'    printf("{buffer.name} %016lx\\n", hash);']
