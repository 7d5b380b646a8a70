"""The rules of <xmmintrin.h> and <emmintrin.h> for vectors of floating-point numbers, and for what
both kinds have (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_integers import unpacked
from polyopt.backend.emit.machine.machine_vector_body import (
    ELEMENTS,
    LANES,
    TYPES,
    Body,
    Names,
    bits_in,
    chosen,
    shuffled,
)


def first(body: Body, argument: int) -> str:
    kind = body.signature[argument + 1]
    return body.lane(f"%a{argument}", TYPES[kind], "0")


def _operands(body: Body, scope: str) -> tuple[str, str, str]:
    """The type that is worked on, and both operands: whole vectors, or their first elements."""
    kind = body.signature[1]
    if scope == "p":
        return TYPES[kind], "%a0", "%a1"
    return ELEMENTS[kind], first(body, 0), first(body, 1)


def _give(body: Body, scope: str, value: str) -> None:
    body.give(value) if scope == "p" else body.with_first(value)


def arithmetic(names: Names, body: Body) -> None:
    operation, scope = names[0], names[1]
    type, a, b = _operands(body, scope)
    if operation in ("min", "max"):
        test = "olt" if operation == "min" else "ogt"
        choice = "i1" if scope == "s" else f"<{LANES[body.signature[0]]} x i1>"
        is_so = body.let(f"fcmp {test} {type} {a}, {b}")
        value = body.let(f"select {choice} {is_so}, {type} {a}, {type} {b}")
    else:
        value = body.let(f"f{operation} {type} {a}, {b}")
    _give(body, scope, value)


def root(names: Names, body: Body) -> None:
    """Of the first operand; sqrt_sd takes the second, and the rest of the first."""
    scope, kind = names[0], body.signature[0]
    if scope == "p":
        type = TYPES[kind]
        suffix = {"s": "v4f32", "d": "v2f64", "x": "v8f32", "y": "v4f64"}[kind]
        body.give(body.call(type, f"llvm.sqrt.{suffix}", (type, "%a0")))
        return
    type = ELEMENTS[kind]
    operand = first(body, len(body.signature) - 2)
    suffix = {"s": "f32", "d": "f64"}[kind]
    body.with_first(body.call(type, f"llvm.sqrt.{suffix}", (type, operand)))


def estimate(names: Names, body: Body) -> None:
    type = TYPES[body.signature[0]]
    room, tail = ("sse", "") if body.bits == 128 else ("avx", ".256")
    body.give(body.call(type, f"llvm.x86.{room}.{names[0]}.{names[1]}s{tail}", (type, "%a0")))


_TESTS = {
    **{"eq": "oeq", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "neq": "une"},
    **{"nlt": "uge", "nle": "ugt", "ngt": "ule", "nge": "ult", "ord": "ord", "unord": "uno"},
}


def compare_floats(names: Names, body: Body) -> None:
    """All ones where it is so."""
    kind = body.signature[0]
    width = 32 if kind in "sx" else 64
    type, a, b = _operands(body, names[1])
    is_so = body.let(f"fcmp {_TESTS[names[0]]} {type} {a}, {b}")
    if names[1] == "p":
        count, type = LANES[kind], body.integers(width)
        body.give(body.let(f"sext <{count} x i1> {is_so} to {type}"), type)
        return
    bits = body.let(f"sext i1 {is_so} to i{width}")
    body.with_first(body.let(f"bitcast i{width} {bits} to {type}"))


def compare_first(names: Names, body: Body) -> None:
    type, a, b = _operands(body, "s")
    is_so = body.let(f"fcmp {_TESTS[names[0]]} {type} {a}, {b}")
    body.give(body.let(f"zext i1 {is_so} to i32"))


def rearranged(names: Names, body: Body) -> None:
    places = {
        "movehl_ps": (6, 7, 2, 3),
        "movelh_ps": (0, 1, 4, 5),
        "move_ss": (4, 1, 2, 3),
        "move_sd": (2, 1),
    }[names[0]]
    body.give(*shuffled(body, TYPES[body.signature[0]], "%a0", "%a1", places))


def unpack_floats(names: Names, body: Body) -> None:
    kind = body.signature[0]
    places = unpacked(names[0], body.bits // LANES[kind], body.bits)
    body.give(*shuffled(body, TYPES[kind], "%a0", "%a1", places))


def shuffle_floats(names: Names, body: Body) -> None:
    """In each 128 bits the lower half from the first operand, the upper one from the second; of
    one operand (`permute`) both. Two bits say which of four, one which of two: those of doubles go
    on from one 128 bits to the next."""
    kind = body.signature[0]
    type, each = TYPES[kind], LANES[kind] * 128 // body.bits
    values: list[str] = []
    for lane in range(LANES[kind]):
        position = lane % each
        source = 2 * position // each if len(body.signature) == 4 else 0
        place = chosen(body, position if each == 4 else lane, each // 2)
        if lane >= each:
            place = body.let(f"add i32 {place}, {lane - position}")
        values.append(body.lane(f"%a{source}", type, place))
    body.give(body.vector(values, ELEMENTS[kind]))


def reinterpret(names: Names, body: Body) -> None:
    body.give("%a0", TYPES[body.signature[1]])


def first_float(names: Names, body: Body) -> None:
    body.give(first(body, 0))


def only(names: Names, body: Body) -> None:
    type = TYPES[body.signature[0]]
    given = TYPES[body.signature[1]]
    body.give(body.let(f"insertelement {type} zeroinitializer, {given} %a0, i32 0"))


def rounded_to_integer(names: Names, body: Body) -> None:
    """As the machine rounds (`cvt`), or towards zero (`cvtt`)."""
    how, kind, width = names[0], names[1], bits_in(names[2])
    room = "sse" if kind == "s" else "sse2"
    tail = "64" if width == 64 else ""
    vector = TYPES[body.signature[1]]
    body.give(body.call(f"i{width}", f"llvm.x86.{room}.{how}s{kind}2si{tail}", (vector, "%a0")))


def rounded_vector(names: Names, body: Body) -> None:
    how, kind = names[0], names[1]
    vector = TYPES[body.signature[1]]
    type = "<8 x i32>" if body.signature[0] == "z" else "<4 x i32>"
    room, tail = ("sse2", "dq") if body.signature[1] in "sd" else ("avx", ".dq.256")
    if room == "avx":
        how = {"cvt": "cvt.", "cvtt": "cvtt."}[how]
        given = body.call(type, f"llvm.x86.avx.{how}p{kind}2{tail[1:]}", (vector, "%a0"))
    else:
        given = body.call(type, f"llvm.x86.sse2.{how}p{kind}2dq", (vector, "%a0"))
    body.give(given, type)


def converted(names: Names, body: Body) -> None:
    """Vectors of one kind of number as another; of two numbers the upper half is zero."""
    name = names[0]
    operation = {"epi32": "sitofp", "ps": "fpext", "pd": "fptrunc"}[name.split("_")[0]]
    if name == "epi32_ps":
        count = body.bits // 32
        numbers = body.lanes(0, 32)
        body.give(body.let(f"sitofp <{count} x i32> {numbers} to <{count} x float>"))
        return
    if body.bits == 256 or "y" in body.signature:
        value = body.lanes(0, 32) if name == "epi32_pd" else "%a0"
        given, wanted = ("double", "float") if name == "pd_ps" else ("float", "double")
        given = "i32" if name == "epi32_pd" else given
        body.give(body.let(f"{operation} <4 x {given}> {value} to <4 x {wanted}>"))
        return
    if name == "pd_ps":
        two = body.let("fptrunc <2 x double> %a0 to <2 x float>")
        mask = "<4 x i32> <i32 0, i32 1, i32 2, i32 3>"
        zeros = "<2 x float> zeroinitializer"
        body.give(body.let(f"shufflevector <2 x float> {two}, {zeros}, {mask}"))
        return
    type = "<4 x i32>" if name == "epi32_pd" else "<4 x float>"
    whole = body.lanes(0, 32) if name == "epi32_pd" else "%a0"
    half = f"<2 x {type[5:]}"
    low = body.let(f"shufflevector {type} {whole}, {type} poison, <2 x i32> <i32 0, i32 1>")
    body.give(body.let(f"{operation} {half} {low} to <2 x double>"))


def converted_first(names: Names, body: Body) -> None:
    """Into the first element of the first argument."""
    element = ELEMENTS[body.signature[0]]
    given = body.signature[2]
    if given in "nl":
        body.with_first(body.let(f"sitofp {TYPES[given]} %a1 to {element}"))
        return
    operation = "fpext" if given == "s" else "fptrunc"
    value = body.let(f"{operation} {ELEMENTS[given]} {first(body, 1)} to {element}")
    body.with_first(value)


def upper_zero(names: Names, body: Body) -> None:
    body.give(body.let("insertelement <2 x i64> %a0, i64 0, i32 1"))


def fence(names: Names, body: Body) -> None:
    name = f"llvm.x86.{'sse' if names[0] == 'sfence' else 'sse2'}.{names[0]}"
    body.do(name)


def control_of_floats(names: Names, body: Body) -> None:
    """MXCSR; the machine stores it, and loads it, in memory only."""
    place = body.let("alloca i32")
    body.do("llvm.x86.sse.stmxcsr", ("ptr", place))
    body.give(body.let(f"load i32, ptr {place}"))


def set_control_of_floats(names: Names, body: Body) -> None:
    place = body.let("alloca i32")
    body.lines.append(f"store i32 %a0, ptr {place}")
    body.do("llvm.x86.sse.ldmxcsr", ("ptr", place))
