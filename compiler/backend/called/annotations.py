"""What the arguments and the result of a C function are in Python: annotations, and text for stubs.

The text is written over the names that `STUB_HEAD` defines; annotations are that text evaluated.
"""

from __future__ import annotations

import inspect
from enum import Enum
from keyword import iskeyword
from typing import Any, Protocol

from polyopt.backend.called.signature import Parameter, Signature

STUB_HEAD = """\
import ctypes
from array import array
from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

class _Tensor(Protocol):  # by DLPack; the device of NumPy's own arrays is no Enum
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Enum, int]: ...

Pointer: TypeAlias = ctypes._Pointer[Any] | ctypes.Array[Any] | ctypes.c_void_p
OtherArray: TypeAlias = memoryview | bytearray | array[Any] | _Tensor
Struct: TypeAlias = np.void | NDArray[np.void] | ctypes.Structure | tuple[Any, ...]
"""

_NUMPY = {
    "i8": "np.int8",
    "u8": "np.uint8",
    "i16": "np.int16",
    "u16": "np.uint16",
    "i32": "np.int32",
    "u32": "np.uint32",
    "i64": "np.int64",
    "u64": "np.uint64",
    "f32": "np.float32",
    "f64": "np.float64",
    "f80": "np.longdouble",
    "c64": "np.complex64",
    "c128": "np.complex128",
    "bool": "np.bool_",
    "pointer": "np.uintp",
    "struct": "np.void",
    "void": "Any",
}

_BYTES = ("i8", "u8", "void")


def parameter_text(parameter: Parameter) -> str:
    """The type of what may be given for the parameter."""
    element = parameter.element
    if parameter.kind == "scalar":
        return _number(element)
    if element == "function":
        return _function_text(parameter)
    ways = [f"NDArray[{_NUMPY[element]}]", "OtherArray"] if element in _NUMPY else []
    if parameter.kind == "array":
        return " | ".join(ways) or "Any"
    if not parameter.passes_sizes:
        ways.append("Pointer")
    if parameter.is_const and element in _BYTES:
        ways.append("bytes")
    if parameter.is_nullable:
        ways.append("None")
    return " | ".join(ways)


def _function_text(parameter: Parameter) -> str:
    """Addresses come to functions of Python as integers, those of numbers as ctypes pointers."""
    ways: list[str] = []
    if parameter.function:
        result, *taken = map(_passed_text, parameter.function)
        ways.append(f"Callable[[{', '.join(taken)}], {result}]")
    ways.append("Pointer")
    if parameter.is_nullable:
        ways.append("None")
    return " | ".join(ways)


def _passed_text(element: str) -> str:
    """What is passed between C and Python: a number, an address, or nothing."""
    if element.endswith("*"):
        return "Pointer"
    if element == "void":
        return "None"
    return _number(element) if element[0] in "ifub" else "int | None"


def result_text(signature: Signature) -> str:
    if signature.result == "void":
        return "None"
    others = {"pointer": "int | None", "text": "bytes | None", "struct": "np.void"}
    return others.get(signature.result) or _number(signature.result)


def _number(element: str) -> str:
    if element in ("bool", "struct"):
        return {"bool": "bool", "struct": "Struct"}[element]
    return {"f": "float", "i": "int", "u": "int", "c": "complex"}.get(element[:1], "Any")


def annotations_of(signature: Signature) -> dict[str, Any]:
    """By the names of the parameters, and "return"."""
    texts = {name: parameter_text(p) for name, p in _named(signature)}
    texts["return"] = result_text(signature)
    names = _names()
    return {name: eval(text, names) for name, text in texts.items()}


def python_signature(signature: Signature) -> inspect.Signature:
    """Parameters that Python has no name for, and those before them, go by position only."""
    types = annotations_of(signature)
    parameters = _named(signature)
    by_position = _last_unnamed(signature)
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_ONLY
                if k < by_position
                else inspect.Parameter.POSITIONAL_OR_KEYWORD,
                annotation=types[name],
            )
            for k, (name, _) in enumerate(parameters)
        ],
        return_annotation=types["return"],
    )


def stub_of(signature: Signature, communicator: bool = False) -> str:
    """The function's lines in a stub; a comment where Python cannot call it, or cannot name it.
    Some are given a communicator first."""
    name = signature.name
    if signature.problem is not None:
        return f"# {name} cannot be called from Python: {signature.problem}\n"
    if iskeyword(name):
        return f'# {name} is a keyword of Python: program["{name}"] is the function\n'
    words = [
        f"{f'{known}_' if iskeyword(known) else known}: {parameter_text(parameter)}"
        for known, parameter in _named(signature)
    ]
    by_position = _last_unnamed(signature)
    if communicator:
        words.insert(0, "comm: Any")
        by_position += 1
    if by_position:
        words.insert(by_position, "/")
    doc = f'    """The C function `{signature}`."""'
    return f"def {name}({', '.join(words)}) -> {result_text(signature)}:\n{doc}\n"


def description(signature: Signature) -> str:
    """What `help` says: the prototype, and what each argument is to be."""
    lines = [f"The C function `{signature}`."]
    if signature.problem is not None:
        return f"{lines[0]}\n\nIt cannot be called from Python: {signature.problem}."
    if signature.parameters:
        lines.append("")
    lines += [f"{name}: {_described(parameter)}" for name, parameter in _named(signature)]
    return "\n".join(lines)


def _described(parameter: Parameter) -> str:
    if parameter.kind == "scalar":
        return parameter.ctype
    if parameter.element == "function":
        return f"function, {parameter.ctype}" + (", or None" if parameter.is_nullable else "")
    use = "read" if parameter.is_const else "read and written"
    element = _NUMPY.get(parameter.element, "anything").removeprefix("np.").rstrip("_")
    if parameter.element == "struct":
        element = parameter.of_c
    if parameter.kind == "array":
        shape = ", ".join(extent or "?" for extent in parameter.shape)
        comma = "," if len(parameter.shape) == 1 else ""
        return f"array of {element}, shape ({shape}{comma}), {use}"
    may_be = ", or None" if parameter.is_nullable else ""
    return f"array of or pointer to {element}, {use}{may_be}"


def _named(signature: Signature) -> list[tuple[str, Parameter]]:
    """The parameters by their names, those without one by number."""
    return [(one.name or f"_{k}", one) for k, one in enumerate(signature.parameters)]


def _last_unnamed(signature: Signature) -> int:
    """How many parameters there are up to the last one that cannot be given by name."""
    unnamed = [
        k
        for k, one in enumerate(signature.parameters)
        if not one.name or iskeyword(one.name) or not one.name.isidentifier()
    ]
    return unnamed[-1] + 1 if unnamed else 0


def _names() -> dict[str, Any]:
    """The head of a stub, for the interpreter (ctypes' pointers are no generic there)."""
    import ctypes
    from array import array
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    pointer: Any = getattr(ctypes, "_Pointer")
    of_ctypes: Any = ctypes.Array
    pointer = pointer | of_ctypes | ctypes.c_void_p
    of_arrays: Any = array  # no generic before Python 3.12
    other = memoryview | bytearray | of_arrays | _Tensor
    struct = np.void | NDArray[np.void] | ctypes.Structure | tuple[Any, ...]
    known = {"np": np, "NDArray": NDArray, "Any": Any, "Callable": Callable}
    return {**known, "Pointer": pointer, "OtherArray": other, "Struct": struct}


class _Tensor(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Enum, int]: ...
