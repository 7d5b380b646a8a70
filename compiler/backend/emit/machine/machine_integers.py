"""The rules of <emmintrin.h> for vectors of integers (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vector_body import (
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
    type = body.integers(width)
    a, b = body.lanes(0, width), body.lanes(1, width)
    operation = {"mullo": "mul"}.get(operation, operation)
    body.give(body.let(f"{operation} {type} {a}, {b}"), type)


def by_intrinsic(names: Names, body: Body) -> None:
    """Saturated sums and differences, minima and maxima."""
    operation, sign, width = names[0], "u" if "u" in names[1] else "s", bits_in(names[1])
    known = {"adds": "add.sat", "subs": "sub.sat", "min": "min", "max": "max"}
    type = body.integers(width)
    operands = [(type, body.lanes(place, width)) for place in (0, 1)]
    name = f"llvm.{sign}{known[operation]}.v{body.bits // width}i{width}"
    body.give(body.call(type, name, *operands), type)


def compare(names: Names, body: Body) -> None:
    width = bits_in(names[1])
    type = body.integers(width)
    test = {"eq": "eq", "gt": "sgt", "lt": "slt"}[names[0]]
    a, b = body.lanes(0, width), body.lanes(1, width)
    is_so = body.let(f"icmp {test} {type} {a}, {b}")
    body.give(body.let(f"sext <{body.bits // width} x i1> {is_so} to {type}"), type)


def average(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    count = body.bits // width
    type, wide = body.integers(width), f"<{count} x i32>"
    a, b = (body.let(f"zext {type} {body.lanes(n, width)} to {wide}") for n in (0, 1))
    ones = "splat (i32 1)"
    total = body.let(f"add {wide} {body.let(f'add {wide} {a}, {b}')}, {ones}")
    half = body.let(f"lshr {wide} {total}, {ones}")
    body.give(body.let(f"trunc {wide} {half} to {type}"), type)


def high_product(names: Names, body: Body) -> None:
    extend = "zext" if "u" in names[0] else "sext"
    type = body.integers(16)
    wide = type.replace("i16", "i32")
    a, b = (body.let(f"{extend} {type} {body.lanes(n, 16)} to {wide}") for n in (0, 1))
    product = body.let(f"lshr {wide} {body.let(f'mul {wide} {a}, {b}')}, splat (i32 16)")
    body.give(body.let(f"trunc {wide} {product} to {type}"), type)


def wide_product(names: Names, body: Body) -> None:
    type, low = body.integers(64), "splat (i64 4294967295)"
    a, b = (body.let(f"and {type} %a{n}, {low}") for n in (0, 1))
    body.give(body.let(f"mul {type} {a}, {b}"))


def by_instruction(names: Names, body: Body) -> None:
    """Two vectors of integers into one."""
    instruction, taken, given = {
        "madd_epi16": ("pmadd.wd", 16, 32),
        "sad_epu8": ("psad.bw", 8, 64),
        "packs_epi16": ("packsswb.128", 16, 8),
        "packs_epi32": ("packssdw.128", 32, 16),
        "packus_epi16": ("packuswb.128", 16, 8),
    }[names[0]]
    operands = [(body.integers(taken), body.lanes(place, taken)) for place in (0, 1)]
    result = body.integers(given)
    room = "sse2" if body.bits == 128 else "avx2"
    name = instruction if room == "sse2" else instruction.removesuffix(".128")
    body.give(body.call(result, f"llvm.x86.{room}.{name}", *operands), result)


def unpack(names: Names, body: Body) -> None:
    """Within each 128 bits, as most of what moves lanes does."""
    width = bits_in(names[1])
    a, b = body.lanes(0, width), body.lanes(1, width)
    body.give(*shuffled(body, body.integers(width), a, b, unpacked(names[0], width, body.bits)))


def unpacked(which: str, width: int, bits: int) -> list[int]:
    """The places of lanes that are taken in turns from the low or the high halves."""
    count, each = bits // width, 128 // width
    start = 0 if which == "lo" else each // 2
    return [
        place
        for first in range(0, count, each)
        for lane in range(first + start, first + start + each // 2)
        for place in (lane, lane + count)
    ]


_LETTERS = {16: "w", 32: "d", 64: "q"}


def shift(names: Names, body: Body) -> None:
    """By a number (`slli`), or by the low half of a vector (`sll`)."""
    kind, immediate, width = names[0], names[1], bits_in(names[2])
    type, letter = body.integers(width), _LETTERS[width]
    count = ("i32", "%a1") if immediate else (integers(width), body.lanes(1, width))
    room = "sse2" if body.bits == 128 else "avx2"
    name = f"llvm.x86.{room}.p{kind}{'i' if immediate else ''}.{letter}"
    body.give(body.call(type, name, (type, body.lanes(0, width)), count), type)


def shift_bytes(names: Names, body: Body) -> None:
    """The sixteen bytes that lie behind the count, of the vector with zeros around it; so in each
    128 bits."""
    count = body.call("i32", "llvm.umin.i32", ("i32", "%a1"), ("i32", "16"))
    is_left = names[0] == "l"
    start = body.let(f"sub i32 16, {count}") if is_left else count
    lanes: list[str] = []
    for bytes in _sixteens(body, 0):
        a, b = ("zeroinitializer", bytes) if is_left else (bytes, "zeroinitializer")
        lanes += _window(body, a, b, start)
    body.give(body.vector(lanes, "i8"), body.integers(8))


def align_right(names: Names, body: Body) -> None:
    """The sixteen bytes behind the count, of the second vector with the first behind it."""
    count = body.call("i32", "llvm.umin.i32", ("i32", "%a2"), ("i32", "32"))
    is_far = body.let(f"icmp ugt i32 {count}, 16")
    start = body.let(f"select i1 {is_far}, i32 {body.let(f'sub i32 {count}, 16')}, i32 {count}")
    lanes: list[str] = []
    type = integers(8)
    for high, low in zip(_sixteens(body, 0), _sixteens(body, 1), strict=True):
        first = body.let(f"select i1 {is_far}, {type} {high}, {type} {low}")
        second = body.let(f"select i1 {is_far}, {type} zeroinitializer, {type} {high}")
        lanes += _window(body, first, second, start)
    body.give(body.vector(lanes, "i8"), body.integers(8))


def _sixteens(body: Body, position: int) -> list[str]:
    """An argument's bytes, sixteen at a time."""
    bytes, type = body.lanes(position, 8), body.integers(8)
    if body.bits == 128:
        return [bytes]
    starts = range(0, body.bits // 8, 16)
    return [shuffled(body, type, bytes, "poison", range(n, n + 16))[0] for n in starts]


def _window(body: Body, first: str, second: str, start: str) -> list[str]:
    """Sixteen of the bytes of two vectors, from `start` on."""
    both, _ = shuffled(body, integers(8), first, second, range(32))
    return [
        body.lane(both, "<32 x i8>", body.let(f"add i32 {start}, {place}")) for place in range(16)
    ]


def shuffle_integers(names: Names, body: Body) -> None:
    """Four lanes of each 128 bits by two bits each."""
    part = names[0]
    width, start = (32, 0) if not part else (16, 4 if part == "hi" else 0)
    type, lanes = body.integers(width), body.lanes(0, width)
    values = [body.lane(lanes, type, str(place)) for place in range(body.bits // width)]
    for first in range(start, len(values), 128 // width):
        for position in range(4):
            place = body.let(f"add i32 {chosen(body, position, 2)}, {first}")
            values[first + position] = body.lane(lanes, type, place)
    body.give(body.vector(values, f"i{width}"), type)


def bitwise(names: Names, body: Body) -> None:
    operation = names[0]
    kind = body.signature[0]
    type = body.integers(64)
    a, b = (
        f"%a{n}" if kind in "iz" else body.let(f"bitcast {TYPES[kind]} %a{n} to {type}")
        for n in (0, 1)
    )
    if operation == "andnot":
        a, operation = body.let(f"xor {type} {a}, splat (i64 -1)"), "and"
    body.give(body.let(f"{operation} {type} {a}, {b}"), type)


def move_mask(names: Names, body: Body) -> None:
    kind = names[0]
    width = {"epi8": 8, "ps": 32, "pd": 64}[kind]
    count = body.bits // width
    signs = body.let(f"icmp slt {body.integers(width)} {body.lanes(0, width)}, zeroinitializer")
    bits = body.let(f"bitcast <{count} x i1> {signs} to i{count}")
    body.give(bits if count == 32 else body.let(f"zext i{count} {bits} to i32"))


def extract(names: Names, body: Body) -> None:
    """One lane, with zeros before it (bytes and words), where the last bits of the number say."""
    width = bits_in(names[0])
    type, count = body.integers(width), body.bits // width
    value = body.lane(body.lanes(0, width), type, body.let(f"and i32 %a1, {count - 1}"))
    body.give(value if width >= 32 else body.let(f"zext i{width} {value} to i32"))


def insert(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    type, count = body.integers(width), body.bits // width
    is_so_wide = TYPES[body.signature[2]] == f"i{width}"
    value = "%a1" if is_so_wide else body.let(f"trunc i32 %a1 to i{width}")
    place, lanes = body.let(f"and i32 %a2, {count - 1}"), body.lanes(0, width)
    body.give(body.let(f"insertelement {type} {lanes}, i{width} {value}, i32 {place}"), type)


def first_integer(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    body.give(body.lane(body.lanes(0, width), body.integers(width), "0"))


def from_integer(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    type = body.integers(width)
    made = f"insertelement {type} zeroinitializer, i{width} %a0, i32 0"
    body.give(body.let(made), type)


def set(names: Names, body: Body) -> None:
    """`set`: the last argument is the first lane; `setr`: the other way round."""
    arguments = body.arguments if names[0] == "setr" else body.arguments[::-1]
    element = TYPES[body.signature[1]]
    body.give(body.vector(arguments, element), f"<{len(arguments)} x {element}>")


def set_all(names: Names, body: Body) -> None:
    element = TYPES[body.signature[1]]
    count = body.bits // {"float": 32, "double": 64}.get(element, _digits(element))
    body.give(body.vector(["%a0"] * count, element), f"<{count} x {element}>")


def _digits(text: str) -> int:
    return int("".join(filter(str.isdigit, text)) or "0")


def zero(names: Names, body: Body) -> None:
    body.give("zeroinitializer")
