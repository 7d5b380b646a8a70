"""Functions on the machine's vectors while they are written, in LLVM IR (`machine_vectors`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field

from polyopt.support.record import entity

TYPES = {
    "s": "<4 x float>",
    "d": "<2 x double>",
    "i": "<2 x i64>",
    "x": "<8 x float>",
    "y": "<4 x double>",
    "z": "<4 x i64>",
    "p": "ptr",
    "b": "i8",
    "h": "i16",
    "n": "i32",
    "l": "i64",
    "f": "float",
    "e": "double",
    "v": "void",
}
LANES = {"s": 4, "d": 2, "x": 8, "y": 4}
ELEMENTS = {"s": "float", "d": "double", "x": "float", "y": "double"}
BITS = {**dict.fromkeys("sdi", 128), **dict.fromkeys("xyz", 256)}
HALF_OF = {"x": "s", "y": "d", "z": "i"}
"""The kinds of vectors of 256 bits, and of their halves."""


@entity
class Body:
    """A function that is being written: its result, its parameters, and its lines.
    `intrinsics` are the declarations that it needs, `features` what the CPU has to have."""

    signature: str
    lines: list[str] = field(default_factory=list[str])
    intrinsics: dict[str, str] = field(default_factory=dict[str, str])
    features: set[str] = field(default_factory=set[str])

    @property
    def bits(self) -> int:
        """Of the vectors that are worked on: of the result, or else of the first that is given."""
        return next((BITS[kind] for kind in self.signature if kind in BITS), 128)

    def integers(self, width: int) -> str:
        """The vector of such integers."""
        return integers(width, self.bits)

    @property
    def arguments(self) -> list[str]:
        return [f"%a{number}" for number in range(len(self.signature) - 1)]

    def let(self, text: str) -> str:
        """The register that holds the value."""
        register = f"%t{len(self.lines)}"
        self.lines.append(f"{register} = {text}")
        return register

    def lanes(self, position: int, width: int) -> str:
        """An argument as lanes of integers of this width."""
        kind = self.signature[position + 1]
        return self.let(f"bitcast {TYPES[kind]} %a{position} to {integers(width, BITS[kind])}")

    def half(self, value: str, kind: str, which: int) -> str:
        """One half of a vector of 256 bits, the low one first."""
        type = TYPES[kind]
        count = LANES.get(kind, 4) // 2
        return shuffled(self, type, value, "poison", range(count * which, count * (which + 1)))[0]

    def whole(self, low: str, high: str, kind: str) -> str:
        """The vector of this kind that has these halves."""
        half, count = TYPES[HALF_OF[kind]], LANES.get(kind, 4)
        return shuffled(self, half, low, high, range(count))[0]

    def choice(self, number: str, values: Sequence[str], type: str) -> str:
        """The value that has this number in the list; the last, where none has."""
        found = values[-1]
        for place, value in reversed(list(enumerate(values[:-1]))):
            is_it = self.let(f"icmp eq i32 {number}, {place}")
            found = self.let(f"select i1 {is_it}, {type} {value}, {type} {found}")
        return found

    def by_number(self, number: str, limit: int, type: str, value: Callable[[int], str]) -> str:
        """The value for each number below the limit, from code that it has for itself: a constant
        of the machine's instruction. Inlined at a call with a constant, one of them stays."""
        at = len(self.lines)
        ways = [f"case{at}.{way}" for way in range(limit)]
        cases = " ".join(f"i32 {way}, label %{name}" for way, name in enumerate(ways))
        self.lines.append(f"switch i32 {number}, label %{ways[0]} [{cases}]")
        found: list[str] = []
        for way, name in enumerate(ways):
            self.lines.append(f"{name}:")
            found.append(f"[{value(way)}, %{name}]")
            self.lines.append(f"br label %end{at}")
        self.lines.append(f"end{at}:")
        return self.let(f"phi {type} {', '.join(found)}")

    def call(self, result: str, name: str, *operands: tuple[str, str]) -> str:
        """Of a function of LLVM; operands are types and values."""
        types = ", ".join(type for type, _ in operands)
        self.intrinsics[name] = f"declare {result} @{name}({types})"
        self.features |= _features_of(name)
        values = ", ".join(f"{type} {value}" for type, value in operands)
        return self.let(f"call {result} @{name}({values})")

    def do(self, name: str, *operands: tuple[str, str]) -> None:
        """Call a function of LLVM that gives nothing."""
        types = ", ".join(type for type, _ in operands)
        self.intrinsics[name] = f"declare void @{name}({types})"
        values = ", ".join(f"{type} {value}" for type, value in operands)
        self.lines.append(f"call void @{name}({values})")

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


_FEATURES = {
    "aesni": "aes",
    "pclmulqdq": "pclmul",
    "sse3": "sse3",
    "ssse3": "ssse3",
    "sse41": "sse4.1",
    "sse42": "sse4.2",
    "avx": "avx",
    "avx2": "avx2",
    "vcvtps2ph": "f16c",
}
"""What LLVM's names of instructions say of the CPU; SSE and SSE2 are always there."""


def _features_of(name: str) -> set[str]:
    machine, room = name.split(".")[1:3]
    return {_FEATURES[room]} if machine == "x86" and room in _FEATURES else set()


def integers(width: int, bits: int = 128) -> str:
    return f"<{bits // width} x i{width}>"


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
