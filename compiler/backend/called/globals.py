"""The global variables of loaded C: read and written by their names.

library.globals["count"]          a number: its value now
library.globals["count"] = 3      converted and refused like an argument
library.globals["table"]          an array or a struct: its own memory, as an array of NumPy
library.globals["table"] = rows   into that memory, element by element
library.globals["data"] = array   a pointer: to the array's memory, which is held as long
library.globals["name"]           a pointer's address, or None; of `const char *` the text, as bytes
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from polyopt.backend.called.argument_kinds import argument_of
from polyopt.backend.called.arguments import C_TYPES
from polyopt.backend.called.layouts import dtype_of, numpy_name
from polyopt.backend.called.signature import Parameter, Variable
from polyopt.backend.loaded.jit import NativeCode

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Globals(Mapping[str, Any]):
    """Those that other files of C would see."""

    __slots__ = ("_code", "_kept", "_variables")

    def __init__(self, variables: Sequence[Variable] = (), code: NativeCode | None = None):
        self._code = code
        self._variables = {one.declared.name: one for one in variables}
        self._kept: dict[object, Any] = {}

    def __getattr__(self, name: str) -> Any:
        raise self._no_attribute(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__slots__:
            raise self._no_attribute(name)
        super().__setattr__(name, value)

    def _no_attribute(self, name: str) -> AttributeError:
        """What is set as if it were one would never reach C."""
        if name not in self.__slots__ and name in self._variables:
            return AttributeError(f"'{name}' is a variable of C: globals[{name!r}]")
        return AttributeError(f"no attribute '{name}': variables of C are items, globals['name']")

    def __getitem__(self, name: str) -> Any:
        declared = self._variable(name).declared
        if declared.kind == "array" or declared.element == "struct":
            return self._array(name)
        if _is_text(declared):
            return C_TYPES["text"].from_address(self._address(name)).value
        return self._cell(name).value

    def __setitem__(self, name: str, value: Any) -> None:
        variable = self._variable(name)
        declared = variable.declared
        if variable.is_constant:
            raise ValueError(f"{declared}: it is const")
        if declared.kind == "array" or declared.element == "struct":
            import numpy as np

            np.copyto(self._array(name), value, casting="same_kind")
        elif declared.kind == "scalar":
            self._cell(name).value = argument_of("globals", declared).convert(value, {})[0]
        else:
            self._point(name, declared, value)

    def _point(self, name: str, declared: Parameter, value: Any) -> None:
        """What C reads through a global pointer has to be there as long as the pointer says so."""
        if value is None:
            address = None
        else:
            argument = self._kept[name, "argument"] = argument_of("globals", declared)
            passed: Any = argument.convert(value, {})[0]
            whole: Any = getattr(passed, "_as_parameter_", passed)
            address = ctypes.cast(whole, ctypes.c_void_p).value
        self._cell(name).value = address
        self._kept[name] = value

    def _variable(self, name: str) -> Variable:
        if name not in self._variables:
            known = ", ".join(self._variables) or "none"
            raise KeyError(f"there is no global variable '{name}'; there are: {known}")
        return self._variables[name]

    def _address(self, name: str) -> int:
        assert self._code is not None
        return self._code.address(name)

    def _cell(self, name: str) -> Any:
        declared = self._variable(name).declared
        type = C_TYPES["pointer" if declared.kind == "pointer" else declared.element]
        return type.from_address(self._address(name))

    def _array(self, name: str) -> NDArray[Any]:
        """Its memory; the code lives as long as the array does."""
        import numpy as np

        variable = self._variable(name)
        declared = variable.declared
        dtype: Any = dtype_of(declared.layout) if declared.layout else numpy_name(declared.element)
        if dtype is None:
            raise TypeError(f"{declared}: NumPy has no such elements")
        shape = tuple(int(extent) for extent in declared.shape)
        size = np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64))
        memory: Any = (ctypes.c_char * size).from_address(self._address(name))
        memory.code = self._code
        array = np.frombuffer(memory, np.uint8).view(dtype).reshape(shape)
        array.flags.writeable = not variable.is_constant
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def __repr__(self) -> str:
        lines = "".join(f"\n  {one.declared}" for one in self._variables.values())
        return f"<{len(self)} global variable{'s' * (len(self) != 1)}:{lines}>"


def _is_text(declared: Parameter) -> bool:
    """As of results: `const char *`, and no pointer to other bytes."""
    is_bytes = declared.kind == "pointer" and declared.element in ("i8", "u8")
    return is_bytes and declared.ctype.startswith("const char *")
