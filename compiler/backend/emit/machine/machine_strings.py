"""The rules of <nmmintrin.h> that compare strings, and of sums of distances (`machine_vectors`).

What is compared, and how, is in the bits of a constant number.
"""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vector_body import Body, Names, integers


def compare_strings(names: Names, body: Body) -> None:
    """`cmpestr`: the lengths stand behind each string; `cmpistr`: a zero ends it. The last letter
    says what is given: the index, the mask, or a flag."""
    ends, given = names
    type = integers(8)
    strings = [place for place, kind in enumerate(body.signature[1:]) if kind == "i"]
    operands: list[tuple[str, str]] = []
    for place in strings:
        operands.append((type, body.lanes(place, 8)))
        if ends == "e":
            operands.append(("i32", f"%a{place + 1}"))
    flag = {"i": "i", "m": "m"}.get(given, f"i{given}")
    result = type if given == "m" else "i32"
    name = f"llvm.x86.sse42.pcmp{ends}str{flag}128"
    mode = body.let(f"and i32 {body.arguments[-1]}, 127")
    body.give(
        body.by_number(
            mode, 128, result, lambda way: body.call(result, name, *operands, ("i8", str(way)))
        ),
        result,
    )


def distances(names: Names, body: Body) -> None:
    """Sums of four distances each, of four bytes of the second to those at eight places of the
    first: the number's bits say which, three for each 128 bits."""
    type, words = body.integers(8), body.integers(16)
    operands = [(type, body.lanes(place, 8)) for place in (0, 1)]
    bits = 3 * body.bits // 128
    name = "llvm.x86.sse41.mpsadbw" if body.bits == 128 else "llvm.x86.avx2.mpsadbw"
    which = body.let(f"and i32 %a2, {(1 << bits) - 1}")
    body.give(
        body.by_number(
            which,
            1 << bits,
            words,
            lambda way: body.call(words, name, *operands, ("i8", str(way))),
        ),
        words,
    )
