"""The rules of <immintrin.h> for AVX, AVX2, FMA and F16C (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_sse4 import mangled
from polyopt.backend.emit.machine.machine_vector_body import (
    BITS,
    ELEMENTS,
    HALF_OF,
    LANES,
    TYPES,
    Body,
    Names,
    bits_in,
    chosen,
    integers,
    shuffled,
)

# Halves


def take_half(names: Names, body: Body) -> None:
    kind = body.signature[1]
    halves = [body.half("%a0", kind, which) for which in (0, 1)]
    body.give(body.choice(body.let("and i32 %a1, 1"), halves, TYPES[HALF_OF[kind]]))


def low_half(names: Names, body: Body) -> None:
    body.give(body.half("%a0", body.signature[1], 0))


def widened(names: Names, body: Body) -> None:
    """With what is there behind it (a cast), or with zeros."""
    above = "zeroinitializer" if names[0] == "zext" else "poison"
    body.give(body.whole("%a0", above, body.signature[0]))


def put_half(names: Names, body: Body) -> None:
    kind = body.signature[0]
    type = TYPES[HALF_OF[kind]]
    which = body.let("and i32 %a2, 1")
    low, high = (body.half("%a0", kind, place) for place in (0, 1))
    low = body.choice(which, ["%a1", low], type)
    high = body.choice(which, [high, "%a1"], type)
    body.give(body.whole(low, high, kind))


def of_halves(names: Names, body: Body) -> None:
    """`set`: the high one first"""
    low, high = ("%a0", "%a1") if names[0] == "setr" else ("%a1", "%a0")
    body.give(body.whole(low, high, body.signature[0]))


def both_halves(names: Names, body: Body) -> None:
    body.give(body.whole("%a0", "%a0", body.signature[0]))


def load_both_halves(names: Names, body: Body) -> None:
    kind = body.signature[0]
    half = body.let(f"load {TYPES[HALF_OF[kind]]}, ptr %a0, align 1")
    body.give(body.whole(half, half, kind))


def permute_halves(names: Names, body: Body) -> None:
    """Each half is one of the four of both operands, or zero."""
    kind = body.signature[0]
    type = TYPES[HALF_OF[kind]]
    four = [body.half(f"%a{n}", kind, which) for n in (0, 1) for which in (0, 1)]
    taken: list[str] = []
    for position in (0, 4):
        field = body.let(f"lshr i32 %a2, {position}")
        one = body.choice(body.let(f"and i32 {field}, 3"), four, type)
        is_zero = body.let(f"icmp ne i32 {body.let(f'and i32 {field}, 8')}, 0")
        taken.append(body.let(f"select i1 {is_zero}, {type} zeroinitializer, {type} {one}"))
    body.give(body.whole(taken[0], taken[1], kind))


# Lanes that move


def permute_quarters(names: Names, body: Body) -> None:
    """Four lanes of 64 bits by two bits each."""
    element = ELEMENTS.get(body.signature[0], "i64")
    type = TYPES[body.signature[0]]
    lanes = [body.lane("%a0", type, chosen(body, position, 2)) for position in range(4)]
    body.give(body.vector(lanes, element))


def permute_by_vector(names: Names, body: Body) -> None:
    """In each 128 bits, `permutevar`; `permutevar8x32`: anywhere."""
    kind = body.signature[0]
    if names[0] == "permutevar8x32":
        type = "<8 x i32>" if kind == "z" else TYPES[kind]
        value = body.lanes(0, 32) if kind == "z" else "%a0"
        name = "permd" if kind == "z" else "permps"
        where = ("<8 x i32>", body.lanes(1, 32))
        body.give(body.call(type, f"llvm.x86.avx2.{name}", (type, value), where), type)
        return
    width = BITS[kind] // LANES[kind]
    tail = "" if body.bits == 128 else ".256"
    name = f"llvm.x86.avx.vpermilvar.{names[1]}{tail}"
    where = (body.integers(width), body.lanes(1, width))
    body.give(body.call(TYPES[kind], name, (TYPES[kind], "%a0"), where))


def first_to_all(names: Names, body: Body) -> None:
    width = {"b": 8, "w": 16, "d": 32, "q": 64, "ss": 32, "sd": 64}[names[0]]
    value = body.lane(body.lanes(0, width), integers(width), "0")
    body.give(body.vector([value] * (body.bits // width), f"i{width}"), body.integers(width))


def shift_each(names: Names, body: Body) -> None:
    """Each lane by a count of its own."""
    width = bits_in(names[1])
    type, letter = body.integers(width), {32: "d", 64: "q"}[width]
    tail = "" if body.bits == 128 else ".256"
    name = f"llvm.x86.avx2.p{names[0]}.{letter}{tail}"
    body.give(
        body.call(type, name, (type, body.lanes(0, width)), (type, body.lanes(1, width))), type
    )


# Memory


def masked_load(names: Names, body: Body) -> None:
    """Lanes whose mask is not negative are zero, and not read."""
    name, type, width = _masked(names[0], body, body.signature[0])
    mask = (body.integers(width), body.lanes(1, width))
    body.give(body.call(type, name.format("load"), ("ptr", "%a0"), mask), type)


def masked_store(names: Names, body: Body) -> None:
    kind = body.signature[3]
    name, type, width = _masked(names[0], body, kind)
    mask = f"{body.integers(width)} {body.lanes(1, width)}"
    value = body.let(f"bitcast {TYPES[kind]} %a2 to {type}")
    full = name.format("store")
    body.features.add(name.split(".")[2])
    body.intrinsics[full] = f"declare void @{full}(ptr, {body.integers(width)}, {type})"
    body.lines.append(f"call void @{full}(ptr %a0, {mask}, {type} {value})")


def _masked(what: str, body: Body, kind: str) -> tuple[str, str, int]:
    """The instruction's name, the vector's type and the width of a lane."""
    tail = "" if body.bits == 128 else ".256"
    if what in ("ps", "pd"):
        return f"llvm.x86.avx.mask{{}}.{what}{tail}", TYPES[kind], {"ps": 32, "pd": 64}[what]
    width = bits_in(what)
    letter = {32: "d", 64: "q"}[width]
    return f"llvm.x86.avx2.mask{{}}.{letter}{tail}", body.integers(width), width


def gather(names: Names, body: Body) -> None:
    """`i32gather_ps(base, places, scale)`; `mask_i32gather_ps(before, base, places, mask, scale)`:
    lanes whose mask is not negative stay as they were before."""
    masked, of_index, element = names
    body.features.add("avx2")
    kind = body.signature[0]
    base, places, scale = (1, 2, 4) if masked else (0, 1, 2)
    width = {"ps": 32, "pd": 64}.get(element) or bits_in(element)
    index = int(of_index)
    lanes = min(BITS[kind] // width, BITS[body.signature[places + 1]] // index)
    item = "float" if element == "ps" else "double" if element == "pd" else f"i{width}"
    vector, whole = f"<{lanes} x {item}>", BITS[kind] // width
    numbers = body.lanes(places, index)
    given = BITS[body.signature[places + 1]] // index
    if lanes < given:
        numbers, _ = shuffled(body, f"<{given} x i{index}>", numbers, "poison", range(lanes))
    if index == 32:
        numbers = body.let(f"sext <{lanes} x i32> {numbers} to <{lanes} x i64>")
    long = body.let(f"sext i32 %a{scale} to i64")
    factors = body.vector([long] * lanes, "i64")
    bytes = body.let(f"mul <{lanes} x i64> {numbers}, {factors}")
    pointers = body.let(f"getelementptr i8, ptr %a{base}, <{lanes} x i64> {bytes}")
    mask, before = "splat (i1 true)", "zeroinitializer"
    if masked:
        type = f"<{whole} x i{width}>"
        wanted = body.let(f"icmp slt {type} {body.lanes(3, width)}, zeroinitializer")
        old = body.let(f"bitcast {TYPES[kind]} %a0 to <{whole} x {item}>")
        mask, before = wanted, old
        if lanes < whole:
            mask, _ = shuffled(body, f"<{whole} x i1>", wanted, "poison", range(lanes))
            before, _ = shuffled(body, f"<{whole} x {item}>", old, "poison", range(lanes))
    short = item.replace("float", "f32").replace("double", "f64")
    name = f"llvm.masked.gather.v{lanes}{short}.v{lanes}p0"
    found = body.call(
        vector, name, (f"<{lanes} x ptr>", pointers), (f"<{lanes} x i1>", mask), (vector, before)
    )
    if lanes < whole:
        found, _ = shuffled(body, vector, found, "zeroinitializer", range(whole))
    body.give(found, f"<{whole} x {item}>")


# Numbers

_TESTS = "oeq olt ole uno une uge ugt ord ueq ult ule false one oge ogt true".split()


def compare_as_said(names: Names, body: Body) -> None:
    """By one of 16 tests, which the last argument says; those from 16 on are the same, but for
    what they do of what is no number."""
    kind, scope = body.signature[0], names[0]
    width = BITS[kind] // LANES[kind]
    count = LANES[kind] if scope == "p" else 1
    type = TYPES[kind]
    truths = f"<{LANES[kind]} x i1>"
    results = [body.let(f"fcmp {test} {type} %a0, %a1") for test in _TESTS]
    which = body.let("and i32 %a2, 15")
    bits = body.let(
        f"sext {truths} {body.choice(which, results, truths)} to {body.integers(width)}"
    )
    if count > 1:
        body.give(bits, body.integers(width))
        return
    made = body.let(f"bitcast {body.integers(width)} {bits} to {type}")
    body.with_first(body.lane(made, type, "0"))


def fused(names: Names, body: Body) -> None:
    """`a * b + c`, rounded once; `n`: of the negative product; `sub`: less c. `addsub`: less c in
    the even lanes, `subadd`: in the odd ones."""
    sign, way, scope = names
    kind = body.signature[0]
    body.features.add("fma")
    type = TYPES[kind]
    if scope == "p":
        a, b, c = "%a0", "%a1", "%a2"
        name = f"llvm.fma.{mangled(kind)}"
    else:
        a, b, c = (body.lane(f"%a{n}", type, "0") for n in range(3))
        type = ELEMENTS[kind]
        name = f"llvm.fma.{'f32' if type == 'float' else 'f64'}"
    if sign:
        a = body.let(f"fneg {type} {a}")
    values: list[str] = []
    for ends in ("add", "sub"):
        if ends in way:
            third = body.let(f"fneg {type} {c}") if ends == "sub" else c
            values.append(body.call(type, name, (type, a), (type, b), (type, third)))
    value = values[0]
    if len(values) > 1:
        count, odd = LANES[kind], 1 if way == "addsub" else 0
        places = [n if n % 2 == odd else n + count for n in range(count)]
        value, _ = shuffled(body, type, values[0], values[1], places)
    body.give(value) if scope == "p" else body.with_first(value)


def from_half_precision(names: Names, body: Body) -> None:
    body.features.add("f16c")
    count = LANES[body.signature[0]]
    halves = body.let("bitcast <2 x i64> %a0 to <8 x half>")
    if count < 8:
        halves, _ = shuffled(body, "<8 x half>", halves, "poison", range(count))
    body.give(body.let(f"fpext <{count} x half> {halves} to {TYPES[body.signature[0]]}"))


def to_half_precision(names: Names, body: Body) -> None:
    kind = body.signature[1]
    name = f"llvm.x86.vcvtps2ph.{body.bits if kind == 's' else 256}"
    result, type = integers(16), TYPES[kind]
    body.intrinsics[name] = f"declare {result} @{name}({type}, i32 immarg)"
    body.features.add("f16c")
    ways = [body.let(f"call {result} @{name}({type} %a0, i32 {n})") for n in range(5)]
    body.give(body.choice(body.let("and i32 %a1, 7"), ways, result), result)


def zero_upper(names: Names, body: Body) -> None:
    name = f"llvm.x86.avx.vzero{names[0]}"
    body.intrinsics[name] = f"declare void @{name}()"
    body.features.add("avx")
    body.lines.append(f"call void @{name}()")
