"""What a C function takes and gives, as data: how Python's functions are made of it.

Elements are named as in `cmem.parameters`: i8…i64 and u8…u64, f32, f64, f80 (long double),
c64 and c128 (complex), bool, pointer, struct, void; and, of results alone, text (`const char *`).
"""

from __future__ import annotations

from polyopt.backend.called.layouts import Layout
from polyopt.support.record import record

C_NAMES = {
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned int",
    "i64": "long",
    "u64": "unsigned long",
    "f32": "float",
    "f64": "double",
    "f80": "long double",
    "c64": "_Complex float",
    "c128": "_Complex double",
    "bool": "_Bool",
    "pointer": "void *",
    "text": "const char *",
    "void": "void",
}


def integer_range(element: str) -> tuple[int, int]:
    """The least and the greatest number that an integer element holds."""
    width = int(element[1:])
    if element[0] == "i":
        return -(1 << (width - 1)), (1 << (width - 1)) - 1
    return 0, (1 << width) - 1


@record
class Parameter:
    """`kind` is "scalar", "pointer" or "array"; `shape` holds an array's extents as C text over
    the other parameters, "" where unknown. `passes_sizes`: a memref, whose dynamic extents
    follow its pointer in the call. `is_nullable`: the declaration, or a comparison in the function,
    says that the pointer may be null. `layout` is that of a struct, where it is known;
    `function` what a function gives, and takes, that is pointed to (`f64*`: a pointer to f64)."""

    name: str
    ctype: str
    kind: str
    element: str
    is_const: bool = False
    shape: tuple[str, ...] = ()
    passes_sizes: bool = False
    is_nullable: bool = False
    layout: Layout | None = None
    function: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The declaration: `double C[n][m]`, `const float *x`, `int n`."""
        if self.kind == "array":
            const = "const " if self.is_const else ""
            return f"{const}{self.of_c} {self.name}{''.join(f'[{e}]' for e in self.shape)}"
        return _declaration(self.ctype, self.name)

    @property
    def of_c(self) -> str:
        """The elements as C calls them: of a struct its tag or its name."""
        if self.element == "struct" and "*" in self.ctype:
            target = self.ctype.partition("*")[0].rstrip("( ")
            return target.removeprefix("const ")
        return C_NAMES.get(self.element, self.element)


@record
class Variable:
    """A global variable, declared like a parameter; what is `constant` lies in memory that nobody
    can write."""

    declared: Parameter
    is_constant: bool


@record
class Signature:
    """`problem` says why the function cannot be called from Python, where it cannot;
    `result_type` is the result as C spells it, and `result_layout` how it lies, of a struct."""

    name: str
    result: str
    parameters: tuple[Parameter, ...]
    problem: str | None = None
    result_type: str = ""
    result_layout: Layout | None = None

    def __str__(self) -> str:
        result = self.result_type or C_NAMES.get(self.result, self.result)
        parameters = ", ".join(str(parameter) for parameter in self.parameters)
        return _declaration(result, f"{self.name}({parameters or 'void'})")


def _declaration(type: str, declarator: str) -> str:
    if "(*)" in type:
        return type.replace("(*)", f"(*{declarator})", 1)
    return f"{type}{declarator}" if type.endswith("*") else f"{type} {declarator}"
