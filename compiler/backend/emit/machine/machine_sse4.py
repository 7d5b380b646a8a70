"""The rules of <pmmintrin.h>, <tmmintrin.h>, <smmintrin.h> and <nmmintrin.h>, SSE3 to SSE4.2, and
of what <immintrin.h> has of it for vectors of 256 bits (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vector_body import (
    BITS,
    ELEMENTS,
    LANES,
    TYPES,
    Body,
    Names,
    bits_in,
    integers,
    shuffled,
)

_LETTERS = {8: "b", 16: "w", 32: "d"}


def pairs_of_floats(names: Names, body: Body) -> None:
    """`hadd`, `hsub`, `addsub`"""
    kind = body.signature[0]
    room, tail = ("sse3", "") if body.bits == 128 else ("avx", ".256")
    name = f"llvm.x86.{room}.{names[0]}.p{names[1]}{tail}"
    type = TYPES[kind]
    body.give(body.call(type, name, (type, "%a0"), (type, "%a1")))


_PAIRS = {
    "hadd_epi16": ("phadd.w", 16, 16),
    "hadd_epi32": ("phadd.d", 32, 32),
    "hadds_epi16": ("phadd.sw", 16, 16),
    "hsub_epi16": ("phsub.w", 16, 16),
    "hsub_epi32": ("phsub.d", 32, 32),
    "hsubs_epi16": ("phsub.sw", 16, 16),
    "maddubs_epi16": ("pmadd.ub.sw", 8, 16),
    "mulhrs_epi16": ("pmul.hr.sw", 16, 16),
    "shuffle_epi8": ("pshuf.b", 8, 8),
    "sign_epi8": ("psign.b", 8, 8),
    "sign_epi16": ("psign.w", 16, 16),
    "sign_epi32": ("psign.d", 32, 32),
    "packus_epi32": ("packusdw", 32, 16),
}


def of_two(names: Names, body: Body) -> None:
    """Two vectors of integers into one, by an instruction."""
    instruction, taken, given = _PAIRS[names[0]]
    operands = [(body.integers(taken), body.lanes(place, taken)) for place in (0, 1)]
    if body.bits == 256:
        name = f"avx2.{instruction}"
    else:
        name = f"ssse3.{instruction}.128" if "pack" not in instruction else f"sse41.{instruction}"
    result = body.integers(given)
    body.give(body.call(result, f"llvm.x86.{name}", *operands), result)


def absolute(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    type = body.integers(width)
    name = f"llvm.abs.v{body.bits // width}i{width}"
    body.give(body.call(type, name, (type, body.lanes(0, width)), ("i1", "false")), type)


def signed_product(names: Names, body: Body) -> None:
    """Of the lower halves of 64 bits."""
    type, half = body.integers(64), "splat (i64 32)"
    a, b = (
        body.let(f"ashr {type} {body.let(f'shl {type} %a{n}, {half}')}, {half}") for n in (0, 1)
    )
    body.give(body.let(f"mul {type} {a}, {b}"))


def blend(names: Names, body: Body) -> None:
    """Lanes of the second operand where the number has a bit; words by the same ones in each 128
    bits."""
    width = {"ps": 32, "pd": 64}.get(names[0]) or bits_in(names[0])
    type, count = body.integers(width), body.bits // width
    bits = body.let(f"trunc i32 %a2 to i{min(count, 8)}")
    wanted = body.let(f"bitcast i{min(count, 8)} {bits} to <{min(count, 8)} x i1>")
    if count > 8:
        places = [place % 8 for place in range(count)]
        wanted, _ = shuffled(body, "<8 x i1>", wanted, "poison", places)
    a, b = body.lanes(0, width), body.lanes(1, width)
    body.give(body.let(f"select <{count} x i1> {wanted}, {type} {b}, {type} {a}"), type)


def blend_by_signs(names: Names, body: Body) -> None:
    """Lanes of the second operand where the third is negative."""
    width = {"ps": 32, "pd": 64, "epi8": 8}[names[0]]
    type = body.integers(width)
    a, b, mask = (body.lanes(place, width) for place in range(3))
    wanted = body.let(f"icmp slt {type} {mask}, zeroinitializer")
    count = body.bits // width
    body.give(body.let(f"select <{count} x i1> {wanted}, {type} {b}, {type} {a}"), type)


def extended(names: Names, body: Body) -> None:
    """The first lanes in a greater width."""
    extend = "zext" if "u" in names[0] else "sext"
    narrow, wide = bits_in(names[0]), bits_in(names[1])
    count = body.bits // wide
    lanes = body.lanes(0, narrow)
    if count < 128 // narrow:
        lanes, _ = shuffled(body, integers(narrow), lanes, "poison", range(count))
    type = body.integers(wide)
    body.give(body.let(f"{extend} <{count} x i{narrow}> {lanes} to {type}"), type)


def test_bits(names: Names, body: Body) -> None:
    """`testz`: no bit is in both; `testc`: none is in the second alone; `testnzc`: neither."""
    test, kind = names
    if kind.startswith("si"):
        name = "sse41.ptest" if body.bits == 128 else "avx.ptest"
        tail = "" if body.bits == 128 else ".256"
    else:
        name, tail = "avx.vtest", f".{kind}" + ("" if body.bits == 128 else ".256")
    type = TYPES[body.signature[1]]
    full = f"llvm.x86.{name}{test.removeprefix('test')}{tail}"
    body.give(body.call("i32", full, (type, "%a0"), (type, "%a1")))


_ROUNDINGS = ("roundeven", "floor", "ceil", "trunc", "nearbyint")


def rounded(names: Names, body: Body) -> None:
    """To whole numbers, as the last argument or the name says; of one lane, the second's first."""
    how, scope = names[0], names[1]
    kind = body.signature[0]
    body.features.add("sse4.1")
    type = TYPES[kind] if scope == "p" else ELEMENTS[kind]
    suffix = ("f32" if ELEMENTS[kind] == "float" else "f64") if scope == "s" else mangled(kind)
    operand = "%a0" if scope == "p" else body.lane("%a1", TYPES[kind], "0")
    ways = _ROUNDINGS if how == "round" else (how,)
    found = [body.call(type, f"llvm.{way}.{suffix}", (type, operand)) for way in ways]
    if how == "round":
        mode = body.let(f"and i32 {body.arguments[-1]}, 7")
        value = body.choice(mode, found, type)
    else:
        value = found[0]
    body.give(value) if scope == "p" else body.with_first(value)


def mangled(kind: str) -> str:
    """The vector's type as LLVM's names of functions have it."""
    return f"v{LANES[kind]}f{BITS[kind] // LANES[kind]}"


def dot_product(names: Names, body: Body) -> None:
    """The sum of those products that the number's upper bits say, in the lanes that its lower bits
    say; in each 128 bits."""
    kind = body.signature[0]
    element, type = ELEMENTS[kind], TYPES[kind]
    each = LANES[kind] * 128 // body.bits
    product = body.let(f"fmul {type} %a0, %a1")
    values: list[str] = []
    for first in range(0, LANES[kind], each):
        taken = [
            _if_bit(body, 4 + lane, body.lane(product, type, str(first + lane)), element)
            for lane in range(each)
        ]
        while len(taken) > 1:
            pairs = zip(taken[::2], taken[1::2], strict=True)
            taken = [body.let(f"fadd {element} {a}, {b}") for a, b in pairs]
        values += [_if_bit(body, lane, taken[0], element) for lane in range(each)]
    body.give(body.vector(values, element))


def _if_bit(body: Body, bit: int, value: str, type: str) -> str:
    """The value where the last argument has this bit, else 0."""
    alone = body.let(f"and i32 {body.arguments[-1]}, {1 << bit}")
    is_set = body.let(f"icmp ne i32 {alone}, 0")
    return body.let(f"select i1 {is_set}, {type} {value}, {type} 0.0")


def duplicated(names: Names, body: Body) -> None:
    kind = body.signature[0]
    places = {
        "movehdup_ps": [place | 1 for place in range(LANES[kind])],
        "moveldup_ps": [place & ~1 for place in range(LANES[kind])],
        "movedup_pd": [place & ~1 for place in range(LANES[kind])],
    }[names[0]]
    body.give(*shuffled(body, TYPES[kind], "%a0", "poison", places))


def insert_float(names: Names, body: Body) -> None:
    """A lane of the second operand; lanes that the number's last bits say are zero."""
    source = body.let(f"and i32 {body.let('lshr i32 %a2, 6')}, 3")
    target = body.let(f"and i32 {body.let('lshr i32 %a2, 4')}, 3")
    value = body.lane("%a1", TYPES["s"], source)
    made = body.let(f"insertelement {TYPES['s']} %a0, float {value}, i32 {target}")
    bits = body.let(f"bitcast i4 {body.let('trunc i32 %a2 to i4')} to <4 x i1>")
    cleared = f"select <4 x i1> {bits}, {TYPES['s']} zeroinitializer, {TYPES['s']} {made}"
    body.give(body.let(cleared))


def extract_float_bits(names: Names, body: Body) -> None:
    body.give(body.lane(body.lanes(0, 32), "<4 x i32>", body.let("and i32 %a1, 3")))


def least_word(names: Names, body: Body) -> None:
    type = integers(16)
    body.give(body.call(type, "llvm.x86.sse41.phminposuw", (type, body.lanes(0, 16))), type)


def checksum(names: Names, body: Body) -> None:
    width = bits_in(names[0])
    type = "i64" if width == 64 else "i32"
    taken = TYPES[body.signature[2]]
    body.features.add("crc32")
    name = f"llvm.x86.sse42.crc32.{64 if width == 64 else 32}.{width}"
    body.give(body.call(type, name, (type, "%a0"), (taken, "%a1")))


def move_bits(names: Names, body: Body) -> None:
    """`pext` and `pdep` of BMI2."""
    body.features.add("bmi2")
    type = TYPES[body.signature[0]]
    body.give(body.call(type, f"llvm.x86.bmi.{names[0]}.{names[1]}", (type, "%a0"), (type, "%a1")))


def time_stamp(names: Names, body: Body) -> None:
    body.give(body.call("i64", "llvm.x86.rdtsc"))


def time_stamp_and_cpu(names: Names, body: Body) -> None:
    """The number of the CPU goes where the argument points."""
    both = body.call("{ i64, i32 }", "llvm.x86.rdtscp")
    number = body.let(f"extractvalue {{ i64, i32 }} {both}, 1")
    body.lines.append(f"store i32 {number}, ptr %a0, align 4")
    body.give(body.let(f"extractvalue {{ i64, i32 }} {both}, 0"))
