"""The rules of <wmmintrin.h>, products without carries and AES, and of SHA (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vector_body import TYPES, Body, Names, integers


def carryless_product(names: Names, body: Body) -> None:
    """Of a half of each: the number's first bit says which of the first, its fifth which of the
    second."""
    type = TYPES["i"]
    first = body.let("and i32 %a2, 1")
    second = body.let(f"and i32 {body.let('lshr i32 %a2, 3')}, 2")
    which = body.let(f"or i32 {first}, {second}")

    def product(way: int) -> str:
        number = (way & 1) | (way & 2) << 3
        operands = ((type, "%a0"), (type, "%a1"), ("i8", str(number)))
        return body.call(type, "llvm.x86.pclmulqdq", *operands)

    body.give(body.by_number(which, 4, type, product))


def cipher(names: Names, body: Body) -> None:
    """A round of AES, or the inverse of its columns."""
    type = TYPES["i"]
    operands = [(type, argument) for argument in body.arguments]
    body.give(body.call(type, f"llvm.x86.aesni.{names[0]}", *operands))


def key_of_cipher(names: Names, body: Body) -> None:
    """The number, a constant of the round, is added without carries to the second and the fourth
    word of what is made with zero."""
    type, words = TYPES["i"], integers(32)
    made = body.call(type, "llvm.x86.aesni.aeskeygenassist", (type, "%a0"), ("i8", "0"))
    number = body.let("and i32 %a1, 255")
    numbers = body.vector(["0", number, "0", number], "i32")
    made = body.let(f"bitcast {type} {made} to {words}")
    body.give(body.let(f"xor {words} {made}, {numbers}"), words)


def digest(names: Names, body: Body) -> None:
    """A step of SHA-1 or SHA-256."""
    body.features.add("sha")
    words = integers(32)
    name = f"llvm.x86.{names[0]}"
    operands = [
        (words, body.lanes(place, 32))
        for place, kind in enumerate(body.signature[1:])
        if kind == "i"
    ]
    if "n" not in body.signature:
        body.give(body.call(words, name, *operands), words)
        return
    which = body.let(f"and i32 {body.arguments[-1]}, 3")
    made = body.by_number(
        which, 4, words, lambda way: body.call(words, name, *operands, ("i8", str(way)))
    )
    body.give(made, words)
