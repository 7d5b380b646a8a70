"""Functions on the machine's vectors while they are written, in LLVM IR (`machine_vectors`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from polyopt.support.record import entity

TYPES = {
    "s": "<4 x float>",
    "d": "<2 x double>",
    "i": "<2 x i64>",
    "p": "ptr",
    "b": "i8",
    "h": "i16",
    "n": "i32",
    "l": "i64",
    "f": "float",
    "e": "double",
    "v": "void",
}
LANES = {"s": 4, "d": 2}
ELEMENTS = {"s": "float", "d": "double"}


@entity
class Body:
    """A function that is being written: its result, its parameters, and its lines.
    `intrinsics` are the declarations that it needs."""

    signature: str
    lines: list[str] = field(default_factory=list[str])
    intrinsics: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def arguments(self) -> list[str]:
        return [f"%a{number}" for number in range(len(self.signature) - 1)]

    def let(self, text: str) -> str:
        """The register that holds the value."""
        register = f"%t{len(self.lines)}"
        self.lines.append(f"{register} = {text}")
        return register

    def lanes(self, position: int, width: int) -> str:
        """An argument of integers as lanes of this width."""
        return self.let(f"bitcast <2 x i64> %a{position} to {integers(width)}")

    def call(self, result: str, name: str, *operands: tuple[str, str]) -> str:
        """Of a function of LLVM; operands are types and values."""
        types = ", ".join(type for type, _ in operands)
        self.intrinsics[name] = f"declare {result} @{name}({types})"
        values = ", ".join(f"{type} {value}" for type, value in operands)
        return self.let(f"call {result} @{name}({values})")

    def lane(self, vector: str, type: str, place: str) -> str:
        return self.let(f"extractelement {type} {vector}, i32 {place}")

    def vector(self, values: Sequence[str], element: str) -> str:
        type = f"<{len(values)} x {element}>"
        made = "poison"
        for place, value in enumerate(values):
            made = self.let(f"insertelement {type} {made}, {element} {value}, i32 {place}")
        return made

    def give(self, value: str, type: str | None = None) -> None:
        """Return it, which is of this type (of the result's, where none is said)."""
        wanted = TYPES[self.signature[0]]
        if type is not None and type != wanted:
            value = self.let(f"bitcast {type} {value} to {wanted}")
        self.lines.append(f"ret {wanted} {value}")

    def with_first(self, value: str) -> None:
        """Return the first argument with this in its first lane."""
        kind = self.signature[0]
        first = f"insertelement {TYPES[kind]} %a0, {ELEMENTS[kind]} {value}, i32 0"
        self.give(self.let(first))


Names = tuple[str, ...]
"""What of a function's name its rule asks for."""


def integers(width: int) -> str:
    return f"<{128 // width} x i{width}>"


def bits_in(text: str | None) -> int:
    return int(re.sub(r"\D", "", text or ""))


def shuffled(body: Body, type: str, a: str, b: str, places: Sequence[int]) -> tuple[str, str]:
    chosen = ", ".join(f"i32 {place}" for place in places)
    mask = f"<{len(places)} x i32> <{chosen}>"
    return body.let(f"shufflevector {type} {a}, {type} {b}, {mask}"), type


def chosen(body: Body, position: int, bits: int) -> str:
    """The number in the bits of the last argument at this position, from the low end."""
    last = body.arguments[-1]
    shifted = body.let(f"lshr i32 {last}, {bits * position}")
    return body.let(f"and i32 {shifted}, {(1 << bits) - 1}")
