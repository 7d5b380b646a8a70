"""Calls of C functions in a microsecond: machine code looks at the arguments, Python only where
that does not know them.

The machine code is `driver/runtimes/python_calls.c`; what it needs to know of a function is written
here, as an array of words (`plan_of`). To CPython the function is one of its own, by
`METH_FASTCALL`. Making the code takes as long as many slow calls, so it is made when so many have
been lost; code that was kept from before is taken much sooner. Where the interpreter is another
one, nothing of this is.
"""

from __future__ import annotations

import ast
import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any

from polyopt.backend.called.arguments import C_TYPES
from polyopt.backend.called.extents import parsed
from polyopt.backend.called.memory_arguments import LETTERS
from polyopt.backend.called.signature import Parameter, Signature, integer_range
from polyopt.backend.loaded.jit import NativeCode, load_objects
from polyopt.support.diagnostics import CompileError

ENTRY = "polyopt_call"

SOON = 50
"""Calls of one function after which code that was kept is looked for."""

AT_LAST = 20_000
"""Calls of all functions after which it is made: as much time has been lost as that takes."""

_OLDEST, _NEWEST = (3, 11), (3, 14)
_FASTCALL = 0x80

# As in python_calls.c
_MOST_ARGUMENTS, _MOST_RANK, _MOST_ON_STACK, _DEPTH = 24, 8, 24, 16
_INTEGER_REGISTERS, _REAL_REGISTERS = 6, 8
_VOID, _SIGNED, _UNSIGNED, _DOUBLE, _FLOAT, _TRUTH, _POINTER, _MEMORY = range(8)
_IS_CONST, _IS_NULLABLE, _HAS_SHAPE, _ANY_ELEMENT = 1, 2, 4, 8
_WORD, _ARGUMENT_WORDS = 8, 9 + _MOST_RANK
_END, _NUMBER, _NAME, _ADD, _SUBTRACT, _MULTIPLY, _DIVIDE, _REMAINDER, _NEGATE = range(9)
_OPERATIONS: dict[type[ast.operator], int] = {
    ast.Add: _ADD,
    ast.Sub: _SUBTRACT,
    ast.Mult: _MULTIPLY,
    ast.Div: _DIVIDE,
    ast.Mod: _REMAINDER,
}

Caller = Callable[..., Any]


class _NotQuickError(Exception):
    """A function that is called the other way."""


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class QuickCalls:
    """Makes functions of Python from plans, once there is machine code for it: `provide(False)` is
    what was kept of it, if anything; `provide(True)` makes it."""

    def __init__(self, provide: Callable[[bool], bytes | None]):
        self._provide = provide
        self._slow_calls = 0
        self._code: NativeCode | None = None
        self._is_hopeless = not is_known_interpreter()
        self._definition = _MethodDef(b"c_function", None, _FASTCALL, None)

    def is_ready(self, calls: int) -> bool:
        """One more call was slow, of a function called so often. Is there another way now?"""
        if self._code is not None:
            return True
        self._slow_calls += 1
        is_due = self._slow_calls >= AT_LAST
        if not self._is_hopeless and (is_due or calls == SOON):
            self._load(is_due)
        return self._code is not None

    def _load(self, is_due: bool) -> None:
        """What an interpreter hides from other code is missing then: nothing can be done there."""
        try:
            made = self._provide(is_due)
            code = None if made is None else load_objects([made])
        except CompileError:
            code = None
            self._is_hopeless = True
        if code is not None:
            self._definition.function = code.address(ENTRY)
            self._code = code
        elif is_due:
            self._is_hopeless = True

    def caller(self, signature: Signature, address: int, flushes: bool) -> Caller | None:
        """The function, as one of the interpreter's own; it gives NotImplemented, and has done
        nothing, where it does not know the arguments. None of a function that has no plan. It
        lives as long as this object and the function's code do. `flushes`: C's buffers are emptied
        behind each call."""
        plan = plan_of(signature, address, flushes)
        if plan is None:
            return None
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
        return new(ctypes.addressof(self._definition), plan, None)


def is_known_interpreter() -> bool:
    """Whether it keeps to the interface that the code is written for."""
    return (
        sys.implementation.name == "cpython"
        and _OLDEST <= sys.version_info[:2] <= _NEWEST
        and "t" not in sys.abiflags  # where no lock is, objects lie otherwise in memory
        and ctypes.sizeof(ctypes.c_void_p) == _WORD
    )


def plan_of(signature: Signature, address: int, flushes: bool = False) -> bytes | None:
    """What `python_calls.c` is to know of a function; None where that is more than it can."""
    try:
        return _plan(signature, address, flushes)
    except _NotQuickError:
        return None


def _plan(signature: Signature, address: int, flushes: bool) -> bytes:
    parameters = signature.parameters
    if signature.problem is not None or len(parameters) > _MOST_ARGUMENTS:
        raise _NotQuickError
    result = _VOID if signature.result == "void" else _kind(signature.result)
    header = [address, result, _size(signature.result), id(None), id(NotImplemented)]
    header += [int(flushes), len(parameters), _on_stack(parameters)]
    programs: list[int] = []
    names = {one.name: k for k, one in enumerate(parameters) if _is_integer(one)}
    begin = len(header) + _ARGUMENT_WORDS * len(parameters)
    arguments: list[int] = []
    for parameter in parameters:
        starts: list[int] = []
        for extent in parameter.shape:
            program = _program(extent, names)
            starts.append(begin + len(programs) if program else 0)
            programs += program
        arguments += _argument(parameter, starts)
    words = [*header, *arguments, *programs]
    return struct.pack(f"<{len(words)}q", *words)


def _argument(parameter: Parameter, starts: Sequence[int]) -> list[int]:
    """The words of an argument whose extents are computed by the programs that start there."""
    kind = _MEMORY if parameter.kind != "scalar" else _kind(parameter.element)
    least, most = _range(parameter.element) if kind in (_SIGNED, _UNSIGNED) else (0, 0)
    letters, flags = "\0\0", 0
    if kind == _MEMORY:
        if parameter.element == "void":
            flags |= _ANY_ELEMENT
        elif parameter.element in LETTERS and parameter.layout is None:
            letters = LETTERS[parameter.element]
        else:
            raise _NotQuickError
    flags |= _IS_CONST if parameter.is_const else 0
    flags |= _IS_NULLABLE if parameter.is_nullable and parameter.kind != "array" else 0
    flags |= _HAS_SHAPE if parameter.kind == "array" else 0
    if len(starts) > _MOST_RANK:
        raise _NotQuickError
    extents = [*starts, *[0] * (_MOST_RANK - len(starts))]
    passed = sum(1 << d for d in _passed(parameter))
    formats = [ord(letter) for letter in letters]
    size = _size(parameter.element)
    return [kind, least, most, *formats, size, flags, len(starts), *extents, passed]


def _kind(element: str) -> int:
    match element:
        case "f32":
            return _FLOAT
        case "f64":
            return _DOUBLE
        case "bool":
            return _TRUTH
        case "pointer":
            return _POINTER
        case _ if element[0] in "iu" and element in C_TYPES:
            return _SIGNED if element[0] == "i" else _UNSIGNED
        case _:
            raise _NotQuickError


def _size(element: str) -> int:
    type = C_TYPES.get(element)
    return 0 if type is None else ctypes.sizeof(type)


def _range(element: str) -> tuple[int, int]:
    """Of an integer type; the greatest of all as the word that it is."""
    least, greatest = integer_range(element)
    return least, greatest if greatest < 1 << (8 * _WORD - 1) else -1


def _is_integer(parameter: Parameter) -> bool:
    return parameter.kind == "scalar" and parameter.element[0] in "iu"


def _passed(parameter: Parameter) -> list[int]:
    """The extents that go behind the pointer."""
    shape = parameter.shape if parameter.passes_sizes else ()
    return [d for d, extent in enumerate(shape) if not extent]


def _on_stack(parameters: Sequence[Parameter]) -> int:
    """How many words of a call have no register."""
    reals = sum(one.kind == "scalar" and one.element[0] == "f" for one in parameters)
    integers = len(parameters) - reals + sum(len(_passed(one)) for one in parameters)
    number = max(0, integers - _INTEGER_REGISTERS) + max(0, reals - _REAL_REGISTERS)
    if number > _MOST_ON_STACK:
        raise _NotQuickError
    return number


def _program(extent: str, names: dict[str, int]) -> list[int]:
    """Operations that compute an extent; none where any size will do."""
    tree = parsed(extent.strip())
    if tree is None:
        return []
    try:
        words, depth = _operations(tree, names)
    except (KeyError, TypeError):
        return []
    if depth > _DEPTH:
        raise _NotQuickError
    return [*words, _END]


def _operations(tree: ast.expr, names: dict[str, int]) -> tuple[list[int], int]:
    """In Polish order behind their operands, and how many values are there at most. TypeError and
    KeyError as `extents.evaluate` has them: such an extent is not known."""
    match tree:
        case ast.Constant(value=int(number)) if abs(number) < 1 << 62:
            return [_NUMBER, int(number)], 1
        case ast.Name(id=name):
            return [_NAME, names[name]], 1
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            words, depth = _operations(operand, names)
            return [*words, _NEGATE], depth
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _operations(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            first, deep = _operations(left, names)
            second, deeper = _operations(right, names)
            return [*first, *second, _OPERATIONS[type(op)]], max(deep, deeper + 1)
        case ast.Constant(value=int()):
            raise _NotQuickError
        case _:
            raise TypeError
