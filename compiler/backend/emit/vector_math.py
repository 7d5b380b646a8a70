"""Functions of the C library for all lanes of a vector: glibc's libmvec.

Where approximations are allowed, a call of `exp` says which functions compute it for 2, 4 or 8
elements at once, by the names of the x86 vector function ABI; LLVM calls them in the loops that
it vectorises. Their results differ from those of `exp` by up to 4 units in the last place. gcc
does so too under -ffast-math.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from xdsl.dialects.utils import FastMathFlag

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.module import ModuleEmitter
from polyopt.backend.processors.options import default_march
from polyopt.support.target import Target
from polyopt.support.vector_library import library_functions

_OF_TWO = frozenset({"atan2", "hypot", "pow"})
_CLASSES = (("b", 128), ("d", 256), ("e", 512))
"""The ABI's letters for instruction sets, and how many bits their vectors have."""

ATTRIBUTES = "nounwind willreturn memory(none)"

_HINDERED = frozenset({"log", "log10", "log2"})
_HINDERING = frozenset[str]({FastMathFlag.NO_INFS})


def vector_forms(name: str, bits: int, arguments: int, march: str) -> list[tuple[str, int]]:
    """The vector functions, with their lanes, for `name` on scalars of so many bits. Of a CPU by
    name it is not known here which it can call."""
    march = march or default_march()
    if name not in library_functions() or arguments != (2 if name in _OF_TWO else 1):
        return []
    if not march.startswith(("native", "x86-64")):
        return []
    scalar = name + ("f" if bits == 32 else "")
    return [
        (f"_ZGV{letter}N{width // bits}{'v' * arguments}_{scalar}", width // bits)
        for letter, width in _CLASSES
        if width <= Target.named(march).vector_bits
    ]


def hindering_flags(name: str) -> frozenset[str]:
    """The permissions that a call with vector forms is better written without: logarithms that may
    assume finite operands and results (nnan with ninf) look cheaper to LLVM 22 as scalars."""
    return _HINDERING if name.removesuffix("f") in _HINDERED else frozenset()


def vector_form(
    module: ModuleEmitter, name: str, type: str, arguments: int, lanes: int
) -> str | None:
    """The function, declared, for a libm function of so many scalars of this LLVM type at once."""
    bits = {"float": 32, "double": 64}[type]
    vector = f"<{lanes} x {type}>"
    for form, width in vector_forms(name, bits, arguments, module.options.march):
        if width == lanes:
            module.intrinsic(form, vector, ", ".join([vector] * arguments))
            return form
    return None


def vector_forms_attribute(f: FunctionEmitter, name: str, type: str, arguments: int) -> str:
    """The attribute of a call that names the vector forms of a libm function of scalars of this
    LLVM type, and their declarations; "" where there are none. Their vectors are then legal in the
    function, or arguments would be passed in pieces."""
    bits = {"float": 32, "double": 64}[type]
    base = name.removesuffix("f") if bits == 32 else name
    forms = vector_forms(base, bits, arguments, f.module.options.march)
    for form, lanes in forms:
        vector = f"<{lanes} x {type}>"
        f.needs_vectors(lanes * bits)
        f.module.library_bits = max(f.module.library_bits, lanes * bits)
        f.module.keep(form, vector, ", ".join([vector] * arguments), ATTRIBUTES)
    if not forms:
        return ""
    mapped = ",".join(f"{form}({form})" for form, _ in forms)
    return f' "vector-function-abi-variant"="{mapped}"'


def library_call_attributes(f: FunctionEmitter, name: str, result: str, types: Seq[str]) -> str:
    """What may be said of a call of a libm function that no operation stands for (erfc, hypot)
    where approximations are allowed; "" for other functions."""
    if not f.module.may("afn", None) or result not in ("float", "double"):
        return ""
    if not types or any(type != result for type in types):
        return ""
    known = vector_forms_attribute(f, name, result, len(types))
    return f" {f.module.attribute_group(ATTRIBUTES + known)}" if known else ""
