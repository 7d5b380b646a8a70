"""Floating-point numbers to integers, by truncation; what does not fit becomes what x86-64's own
instructions make of it, the least integer of the width (Intel's "integer indefinite").

C leaves that undefined (6.3.1.4), and LLVM's `fptosi` is poison there: constants fold to anything,
and the conversion of a converted integer goes away although it is out of range. Programs rely on
what the machine does, as they get it from other compilers. Comparing first costs three more
operations, which makes a loop of conversions four times slower; so the instructions themselves are
asked for, by LLVM's names for them. Integers narrower than 32 bits, and unsigned ones of 32, are
reached through a wider signed one. To an unsigned one of 64 bits, as gcc and clang do it without
AVX-512: what is at least 2^63 is converted less 2^63, and gets its bit back.

LLVM's vectorisers know no vector form of a machine's instruction. Where they run, a conversion is a
call of a function that says which functions convert more numbers at once, as those of libm do; when
they are done, these functions are written out (`conversion_functions`) and inlined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.dialects.builtin import Float32Type, Float64Type, Float80Type, IntegerType, VectorType
from xdsl.ir import Attribute

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import (
    element_of,
    float_literal,
    is_integer,
    llvm_type,
    mangled,
)
from polyopt.backend.emit.module import ModuleEmitter
from polyopt.backend.processors.options import BackendOptions, default_march
from polyopt.dialects.shaped_types import is_vector
from polyopt.support.record import record
from polyopt.support.target import Target

PREFIX = "polyopt.truncate."
_ATTRIBUTES = "nounwind willreturn memory(none)"
_COST = '"call-inline-cost"="5"'
"""What LLVM's inliner takes an instruction for, and 30 a call: a function that converts a few
numbers would stay apart, where clang's is inlined."""
_MOST_LANES = 64


@record
class _Instruction:
    """LLVM's name of an instruction that converts `lanes` numbers at once, and how many it takes
    and gives; `masked`: it takes what stands in other lanes, a mask, and maybe a rounding."""

    name: str
    bits: int
    lanes: int
    taken: int
    given: int
    masked: str = ""


_ROUND = ", i32 4"
_VECTOR: dict[tuple[str, int], tuple[_Instruction, ...]] = {
    ("float", 32): (
        _Instruction("avx512.mask.cvttps2dq.512", 512, 16, 16, 16, "i16 -1" + _ROUND),
        _Instruction("avx.cvtt.ps2dq.256", 256, 8, 8, 8),
        _Instruction("sse2.cvttps2dq", 128, 4, 4, 4),
    ),
    ("double", 32): (
        _Instruction("avx512.mask.cvttpd2dq.512", 512, 8, 8, 8, "i8 -1" + _ROUND),
        _Instruction("avx.cvtt.pd2dq.256", 256, 4, 4, 4),
        _Instruction("sse2.cvttpd2dq", 128, 2, 2, 4),
    ),
    ("float", 64): (
        _Instruction("avx512.mask.cvttps2qq.512", 512, 8, 8, 8, "i8 -1" + _ROUND),
        _Instruction("avx512.mask.cvttps2qq.256", 512, 4, 4, 4, "i8 -1"),
        _Instruction("avx512.mask.cvttps2qq.128", 512, 2, 4, 2, "i8 -1"),
    ),
    ("double", 64): (
        _Instruction("avx512.mask.cvttpd2qq.512", 512, 8, 8, 8, "i8 -1" + _ROUND),
        _Instruction("avx512.mask.cvttpd2qq.256", 512, 4, 4, 4, "i8 -1"),
        _Instruction("avx512.mask.cvttpd2qq.128", 512, 2, 2, 2, "i8 -1"),
    ),
}
_SCALAR = {
    ("float", 32): ("sse.cvttss2si", 4),
    ("float", 64): ("sse.cvttss2si64", 4),
    ("double", 32): ("sse2.cvttsd2si", 2),
    ("double", 64): ("sse2.cvttsd2si64", 2),
}


def truncate(
    f: FunctionEmitter, value: str, source: Attribute, target: Attribute, *, signed: bool
) -> str:
    """The number, or vector of numbers, as integers of the type `target`."""
    if isinstance(source, Float80Type) and not (is_integer(target) and target.width.data > 64):
        # The x87 stores integers of 64 bits; what does not fit becomes the least one.
        wide = f.temp(f"fpto{'si' if signed else 'ui'} x86_fp80 {value} to i64")
        narrower = is_integer(target) and target.width.data < 64
        return f.temp(f"trunc i64 {wide} to {llvm_type(target)}") if narrower else wide
    if not isinstance(element_of(source), Float32Type | Float64Type | Float80Type):
        wide = _like(source, Float32Type())
        value = f.temp(f"fpext {llvm_type(source)} {value} to {llvm_type(wide)}")
        source = wide
    element = element_of(target)
    width = element.width.data if is_integer(element) else 64
    if width > 64:
        mnemonic = "fptosi" if signed else "fptoui"
        return f.temp(f"{mnemonic} {llvm_type(source)} {value} to {llvm_type(target)}")
    if width == 64:
        return (_signed if signed else _unsigned)(f, value, source, 64)
    enough = 32 if signed or width < 32 else 64
    integer = _signed(f, value, source, enough)
    if width == enough:
        return integer
    wide = _like(source, IntegerType(enough))
    return f.temp(f"trunc {llvm_type(wide)} {integer} to {llvm_type(target)}")


def _unsigned(f: FunctionEmitter, value: str, source: Attribute, width: int) -> str:
    type, target = llvm_type(source), llvm_type(_like(source, IntegerType(width)))
    truths = llvm_type(_like(source, IntegerType(1)))
    half = _constant(2.0 ** (width - 1), source)
    is_large = f.temp(f"fcmp oge {type} {value}, {half}")
    rest = f.temp(f"fsub {type} {value}, {half}")
    chosen = f.temp(f"select {truths} {is_large}, {type} {rest}, {type} {value}")
    integer = _signed(f, chosen, source, width)
    bit = f.temp(f"zext {truths} {is_large} to {target}")
    places = f"splat (i{width} {width - 1})" if is_vector(source) else str(width - 1)
    return f.temp(f"xor {target} {integer}, {f.temp(f'shl {target} {bit}, {places}')}")


def _signed(f: FunctionEmitter, value: str, source: Attribute, width: int) -> str:
    """Through a signed integer of 32 or 64 bits: one instruction where there is one."""
    if is_vector(source):
        return _convert_lanes(f, value, source.get_shape()[0], source.element_type, width)
    if f.module.vectorised_later:
        return _call(f, value, source, width)
    return _convert_one(f, value, source, width)


# One number, and many


def _convert_one(f: FunctionEmitter, value: str, source: Attribute, width: int) -> str:
    type = llvm_type(source)
    name, lanes = _SCALAR[type, width]
    vector = f"<{lanes} x {type}>"
    function = f.module.intrinsic(f"llvm.x86.{name}", f"i{width}", vector)
    whole = f.temp(f"insertelement {vector} poison, {type} {value}, i64 0")
    return f.temp(f"call i{width} {function}({vector} {whole})")


def _convert_lanes(
    f: FunctionEmitter, value: str, lanes: int, source: Attribute, width: int
) -> str:
    """In as many pieces as the machine's vectors are narrower; lane by lane where it has no such
    instruction."""
    type = llvm_type(source)
    bits = _vector_bits(f.module.options)
    known = [each for each in _VECTOR[type, width] if each.bits <= bits]
    if not known:
        vector = f"<{lanes} x i{width}>"
        found = "poison"
        for lane in range(lanes):
            one = f.temp(f"extractelement <{lanes} x {type}> {value}, i64 {lane}")
            integer = _convert_one(f, one, source, width)
            found = f.temp(f"insertelement {vector} {found}, i{width} {integer}, i64 {lane}")
        return found
    piece = next((each for each in known if each.lanes <= lanes), known[-1])
    starts = range(0, lanes, piece.lanes)
    pieces = [_convert_piece(f, piece, value, lanes, start, type, width) for start in starts]
    have = piece.lanes
    while len(pieces) > 1:
        if len(pieces) % 2:
            pieces.append("poison")
        both = [f"<{have} x i{width}> {each}" for each in pieces]
        have *= 2
        pieces = [
            f.temp(f"shufflevector {first}, {second}, {_indices(range(have))}")
            for first, second in zip(both[::2], both[1::2], strict=True)
        ]
    return _resized(f, pieces[0], have, 0, lanes, f"i{width}")


def _convert_piece(
    f: FunctionEmitter, by: _Instruction, value: str, lanes: int, start: int, type: str, width: int
) -> str:
    """The integers of `by.lanes` numbers from this one on."""
    taken, given = f"<{by.taken} x {type}>", f"<{by.given} x i{width}>"
    parameters, more = taken, ""
    if by.masked:
        kinds = [word.split()[0] for word in by.masked.split(", ")]
        parameters = ", ".join([taken, given, *kinds])
        more = f", {given} zeroinitializer, {by.masked}"
    function = f.module.intrinsic(f"llvm.x86.{by.name}", given, parameters)
    part = _resized(f, value, lanes, start, by.taken, type)
    integers = f.temp(f"call {given} {function}({taken} {part}{more})")
    return _resized(f, integers, by.given, 0, by.lanes, f"i{width}")


def _resized(f: FunctionEmitter, value: str, lanes: int, start: int, wanted: int, type: str) -> str:
    """So many lanes from this one on; those that are not there are anything."""
    if (start, wanted) == (0, lanes):
        return value
    vector = f"<{lanes} x {type}>"
    chosen = [lane if lane < lanes else None for lane in range(start, start + wanted)]
    return f.temp(f"shufflevector {vector} {value}, {vector} poison, {_indices(chosen)}")


def _indices(lanes: range | list[int | None]) -> str:
    texts = ["i32 poison" if lane is None else f"i32 {lane}" for lane in lanes]
    return f"<{len(texts)} x i32> <{', '.join(texts)}>"


def _vector_bits(options: BackendOptions) -> int:
    """Of a CPU by name it is not known here what it has beyond SSE2."""
    march = options.march or default_march()
    if not march.startswith(("native", "x86-64")):
        return 128
    return Target.named(march).vector_bits


# Calls that the vectorisers can widen


def _call(f: FunctionEmitter, value: str, source: Attribute, width: int) -> str:
    type = llvm_type(source)
    name = _name(mangled(source), width)
    f.module.keep(name, f"i{width}", type, f"{_ATTRIBUTES} speculatable")
    forms: list[str] = []
    lanes = 2
    while lanes <= _MOST_LANES:
        form = _name(f"v{lanes}{mangled(source)}", width)
        f.module.keep(
            form, f"<{lanes} x i{width}>", f"<{lanes} x {type}>", _ATTRIBUTES + " speculatable"
        )
        forms.append(f"_ZGV_LLVM_N{lanes}v_{name}({form})")
        lanes *= 2
    variants = f'"vector-function-abi-variant"="{",".join(forms)}"'
    attributes = f"{_ATTRIBUTES} {_COST} {variants}"
    group = f.module.attribute_group(attributes)
    return f.temp(f"call i{width} @{name}({type} {value}) {group}")


def _name(source: str, width: int) -> str:
    return f"{PREFIX}{source}.i{width}"


_NAMED = re.compile(re.escape(PREFIX) + r"(?:v(\d+))?f(32|64)\.i(32|64)")
_DECLARED = re.compile(rf"^declare .*@{re.escape(PREFIX)}.*\n", re.MULTILINE)
_CALLED = re.compile(rf"call [^@\n]*@({re.escape(PREFIX)}[\w.]+)\(")
_KEPT = re.compile(r"^@llvm\.compiler\.used = appending global \[\d+ x ptr\] \[(.*)\](.*)\n", re.M)


def with_conversion_functions(text: str, options: BackendOptions) -> str:
    """A module with the functions written out that its conversions call."""
    called = sorted(set(_CALLED.findall(text)))
    text = _KEPT.sub(_without_conversions, _DECLARED.sub("", text))
    module = ModuleEmitter(options, frozenset(), {})
    cpu, features = options.cpu()
    attributes = f'alwaysinline nounwind "target-cpu"="{cpu}" "target-features"="{features}"'
    definitions = [line for name in called for line in _definition(module, name, attributes)]
    lines = [line for name, line in module.declarations.items() if f"@{name}(" not in text]
    return "\n".join([text, *definitions, *lines, ""])


def _definition(module: ModuleEmitter, name: str, attributes: str) -> Iterator[str]:
    named = _NAMED.fullmatch(name)
    assert named is not None
    element = Float32Type() if named[2] == "32" else Float64Type()
    width = int(named[3])
    shape = VectorType(element, [int(named[1])]) if named[1] else element
    target = llvm_type(_like(shape, IntegerType(width)))
    f = FunctionEmitter(module)
    legal = f'"min-legal-vector-width"="{int(named[1] or 0) * max(int(named[2]), width)}"'
    yield f"define internal {target} @{name}({llvm_type(shape)} %x) {attributes} {legal} {{"
    result = _signed(f, "%x", shape, width)
    yield "entry:"
    yield from f.lines
    yield f"  ret {target} {result}"
    yield "}"


def _without_conversions(kept: re.Match[str]) -> str:
    names = [name for name in kept[1].split(", ") if PREFIX not in name]
    if not names:
        return ""
    listed = ", ".join(names)
    return f"@llvm.compiler.used = appending global [{len(names)} x ptr] [{listed}]{kept[2]}\n"


def _constant(value: float, type: Attribute) -> str:
    element = element_of(type)
    literal = float_literal(value, element)
    return f"splat ({llvm_type(element)} {literal})" if is_vector(type) else literal


def _like(shape: Attribute, element: Attribute) -> Attribute:
    """The type of this element with as many lanes."""
    return VectorType(element, shape.get_shape()) if is_vector(shape) else element
