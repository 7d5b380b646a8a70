"""The rules of <emmintrin.h> for vectors of integers (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine_vector_body import (
    TYPES,
    Body,
    Names,
    bits_in,
    chosen,
    integers,
    shuffled,
)


def lanewise(names: Names, body: Body) -> None:
    operation, width = names[0], bits_in(names[1])
    type = integers(width)
    a, b = body.lanes(0, width), body.lanes(1, width)
    operation = {"mullo": "mul"}.get(operation, operation)
    body.give(body.let(f"{operation} {type} {a}, {b}"), type)


def by_intrinsic(names: Names, body: Body) -> None:
    """Saturated sums and differences, minima and maxima."""
    operation, sign, width = names[0], "u" if "u" in names[1] else "s", bits_in(names[1])
    known = {"adds": "add.sat", "subs": "sub.sat", "min": "min", "max": "max"}
    type = integers(width)
    operands = [(type, body.lanes(place, width)) for place in (0, 1)]
    name = f"llvm.{sign}{known[operation]}.v{128 // width}i{width}"
    body.give(body.call(type, name, *operands), type)


def compare(names: Names, body: Body) -> None:
    width = bits_in(names[1])
    type = integers(width)
    test = {"eq": "eq", "gt": "sgt", "lt": "slt"}[names[0]]
    a, b = body.lanes(0, width), body.lanes(1, width)
    is_so = body.let(f"icmp {test} {type} {a}, {b}")
    body.give(body.let(f"sext <{128 // width} x i1> {is_so} to {type}"), type)


def average(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    count = 128 // width
    type, wide = integers(width), f"<{count} x i32>"
    a, b = (body.let(f"zext {type} {body.lanes(n, width)} to {wide}") for n in (0, 1))
    ones = "splat (i32 1)"
    total = body.let(f"add {wide} {body.let(f'add {wide} {a}, {b}')}, {ones}")
    half = body.let(f"lshr {wide} {total}, {ones}")
    body.give(body.let(f"trunc {wide} {half} to {type}"), type)


def high_product(names: Names, body: Body) -> None:
    extend = "zext" if "u" in names[0] else "sext"
    wide = "<8 x i32>"
    a, b = (body.let(f"{extend} <8 x i16> {body.lanes(n, 16)} to {wide}") for n in (0, 1))
    product = body.let(f"lshr {wide} {body.let(f'mul {wide} {a}, {b}')}, splat (i32 16)")
    body.give(body.let(f"trunc {wide} {product} to <8 x i16>"), "<8 x i16>")


def wide_product(names: Names, body: Body) -> None:
    low = "splat (i64 4294967295)"
    a, b = (body.let(f"and <2 x i64> %a{n}, {low}") for n in (0, 1))
    body.give(body.let(f"mul <2 x i64> {a}, {b}"))


def by_instruction(names: Names, body: Body) -> None:
    """Two vectors of integers into one."""
    instruction, taken, given = {
        "madd_epi16": ("pmadd.wd", 16, 32),
        "sad_epu8": ("psad.bw", 8, 64),
        "packs_epi16": ("packsswb.128", 16, 8),
        "packs_epi32": ("packssdw.128", 32, 16),
        "packus_epi16": ("packuswb.128", 16, 8),
    }[names[0]]
    operands = [(integers(taken), body.lanes(place, taken)) for place in (0, 1)]
    result = integers(given)
    body.give(body.call(result, f"llvm.x86.sse2.{instruction}", *operands), result)


def unpack(names: Names, body: Body) -> None:
    width = bits_in(names[1])
    count = 128 // width
    start = 0 if names[0] == "lo" else count // 2
    places = [p for lane in range(start, start + count // 2) for p in (lane, lane + count)]
    body.give(*shuffled(body, integers(width), body.lanes(0, width), body.lanes(1, width), places))


_LETTERS = {16: "w", 32: "d", 64: "q"}


def shift(names: Names, body: Body) -> None:
    """By a number (`slli`), or by the low half of a vector (`sll`)."""
    kind, immediate, width = names[0], names[1], bits_in(names[2])
    type, letter = integers(width), _LETTERS[width]
    count = ("i32", "%a1") if immediate else (type, body.lanes(1, width))
    name = f"llvm.x86.sse2.p{kind}{'i' if immediate else ''}.{letter}"
    body.give(body.call(type, name, (type, body.lanes(0, width)), count), type)


def shift_bytes(names: Names, body: Body) -> None:
    """The sixteen bytes that lie behind the count, of the vector with zeros around it."""
    type = integers(8)
    count = body.let("call i32 @llvm.umin.i32(i32 %a1, i32 16)")
    body.intrinsics["llvm.umin.i32"] = "declare i32 @llvm.umin.i32(i32, i32)"
    bytes = body.lanes(0, 8)
    is_left = names[0] == "l"
    a, b = ("zeroinitializer", bytes) if is_left else (bytes, "zeroinitializer")
    places = ", ".join(f"i32 {place}" for place in range(32))
    both = body.let(f"shufflevector {type} {a}, {type} {b}, <32 x i32> <{places}>")
    start = body.let(f"sub i32 16, {count}") if is_left else count
    lanes = [
        body.lane(both, "<32 x i8>", body.let(f"add i32 {start}, {place}")) for place in range(16)
    ]
    body.give(body.vector(lanes, "i8"), type)


def shuffle_integers(names: Names, body: Body) -> None:
    part = names[0]
    width, start = (32, 0) if not part else (16, 4 if part == "hi" else 0)
    type, lanes = integers(width), body.lanes(0, width)
    values = [body.lane(lanes, type, str(place)) for place in range(128 // width)]
    for position in range(4):
        place = body.let(f"add i32 {chosen(body, position, 2)}, {start}")
        values[start + position] = body.lane(lanes, type, place)
    body.give(body.vector(values, f"i{width}"), type)


def bitwise(names: Names, body: Body) -> None:
    operation = names[0]
    kind = body.signature[0]
    a, b = (
        f"%a{n}" if kind == "i" else body.let(f"bitcast {TYPES[kind]} %a{n} to <2 x i64>")
        for n in (0, 1)
    )
    if operation == "andnot":
        a, operation = body.let(f"xor <2 x i64> {a}, splat (i64 -1)"), "and"
    body.give(body.let(f"{operation} <2 x i64> {a}, {b}"), "<2 x i64>")


def move_mask(names: Names, body: Body) -> None:
    kind = names[0]
    width = {"epi8": 8, "ps": 32, "pd": 64}[kind]
    count = 128 // width
    lanes = body.let(f"bitcast {TYPES[body.signature[1]]} %a0 to {integers(width)}")
    signs = body.let(f"icmp slt {integers(width)} {lanes}, zeroinitializer")
    bits = body.let(f"bitcast <{count} x i1> {signs} to i{count}")
    body.give(body.let(f"zext i{count} {bits} to i32"))


def extract(names: Names, body: Body) -> None:
    place = body.let("and i32 %a1, 7")
    body.give(body.let(f"zext i16 {body.lane(body.lanes(0, 16), '<8 x i16>', place)} to i32"))


def insert(names: Names, body: Body) -> None:
    value, place = body.let("trunc i32 %a1 to i16"), body.let("and i32 %a2, 7")
    lanes = body.lanes(0, 16)
    made = body.let(f"insertelement <8 x i16> {lanes}, i16 {value}, i32 {place}")
    body.give(made, "<8 x i16>")


def first_integer(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    body.give(body.lane(body.lanes(0, width), integers(width), "0"))


def from_integer(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    type = integers(width)
    made = f"insertelement {type} zeroinitializer, i{width} %a0, i32 0"
    body.give(body.let(made), type)


def set(names: Names, body: Body) -> None:
    """`set`: the last argument is the first lane; `setr`: the other way round."""
    arguments = body.arguments if names[0] == "setr" else body.arguments[::-1]
    element = TYPES[body.signature[1]]
    body.give(body.vector(arguments, element), f"<{len(arguments)} x {element}>")


def set_all(names: Names, body: Body) -> None:
    element = TYPES[body.signature[1]]
    count = 128 // {"float": 32, "double": 64}.get(element, _digits(element))
    body.give(body.vector(["%a0"] * count, element), f"<{count} x {element}>")


def _digits(text: str) -> int:
    return int("".join(filter(str.isdigit, text)) or "0")


def zero(names: Names, body: Body) -> None:
    body.give("zeroinitializer")
