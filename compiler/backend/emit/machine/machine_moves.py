"""The rules of <emmintrin.h> for what lies in memory (`machine_vectors`)."""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vector_body import ELEMENTS, LANES, TYPES, Body, Names


def load(names: Names, body: Body) -> None:
    alignment = 1 if names[0] == "u" else body.bits // 8
    body.give(body.let(f"load {TYPES[body.signature[0]]}, ptr %a0, align {alignment}"))


def store(names: Names, body: Body) -> None:
    alignment = 1 if names[0] == "u" else body.bits // 8
    body.lines.append(f"store {TYPES[body.signature[2]]} %a1, ptr %a0, align {alignment}")


def load_low(names: Names, body: Body) -> None:
    """One element, zeros behind it."""
    type = {"l_epi64": "i64", "_ss": "float", "_sd": "double"}[names[0]]
    value = body.let(f"load {type}, ptr %a0, align 1")
    vector = TYPES[body.signature[0]]
    body.give(body.let(f"insertelement {vector} zeroinitializer, {type} {value}, i32 0"))


def store_half(names: Names, body: Body) -> None:
    place = 1 if names[0].startswith("h") else 0
    kind = body.signature[2]
    type = "float" if names[0] == "_ss" else "i64" if kind == "i" else "double"
    vector, value = TYPES[kind], "%a1"
    if kind == "s" and type == "double":
        vector, value = "<2 x double>", body.let("bitcast <4 x float> %a1 to <2 x double>")
    lane = body.lane(value, vector, str(place))
    body.lines.append(f"store {type} {lane}, ptr %a0, align 1")


def load_half(names: Names, body: Body) -> None:
    type, place = TYPES[body.signature[0]], 1 if names[0] == "h" else 0
    half = body.let("load double, ptr %a1, align 1")
    pair = body.let(f"bitcast {type} %a0 to <2 x double>")
    made = body.let(f"insertelement <2 x double> {pair}, double {half}, i32 {place}")
    body.give(made, "<2 x double>")


def load_all(names: Names, body: Body) -> None:
    element = ELEMENTS[body.signature[0]]
    value = body.let(f"load {element}, ptr %a0, align 1")
    body.give(body.vector([value] * LANES[body.signature[0]], element))


def store_bytes(names: Names, body: Body) -> None:
    """Those of which the mask's byte has its highest bit."""
    type = body.integers(8)
    operands = [(type, body.lanes(place, 8)) for place in (0, 1)]
    body.do("llvm.x86.sse2.maskmov.dqu", *operands, ("ptr", "%a2"))


def out_of_cache(names: Names, body: Body) -> None:
    body.do("llvm.x86.sse2.clflush", ("ptr", "%a0"))
