"""What is chosen and stored in its place is stored without masks, and is what it was."""

import ctypes
import random

import pytest

from polyopt.backend.around_llvm.blends import with_blends
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions

AVX2 = BackendOptions(march="x86-64-v3")
SIZES = {"float": 4, "double": 8, "i32": 4, "i64": 8}

FUNCTION = """
define void @f(ptr %p, ptr %q) {{
  %x = load <{lanes} x {type}>, ptr %p, align 1
  %y = load <{lanes} x {type}>, ptr %q, align 1
  %m = {compare} <{lanes} x {type}> %x, %y
  %c = select <{lanes} x i1> %m, <{lanes} x {type}> {first}, <{lanes} x {type}> {second}
  store <{lanes} x {type}> %c, ptr {place}, align 1
  ret void
}}
"""


def function(
    type_: str, lanes: int, first: str = "%y", second: str = "%x", place: str = "%p"
) -> str:
    compare = "icmp slt" if type_.startswith("i") else "fcmp olt"
    """As LLVM prints it, without what stands in front of it."""
    text = str(parse_ir(FUNCTION.format(
        type=type_, lanes=lanes, compare=compare, first=first, second=second, place=place
    )))  # fmt: skip
    return text[text.index("define") :]


CASES = [(lanes, order) for lanes in (2, 4, 8, 16) for order in (("%y", "%x"), ("%x", "%y"))]


@pytest.mark.parametrize("type_", SIZES)
def test_no_mask_is_stored_by_and_the_bytes_are_those_of_a_mask(type_: str):
    draw = random.Random(7)
    texts = [function(type_, lanes, *order) for lanes, order in CASES]
    named = "".join(
        with_blends(text).replace("@f(", f"@new{k}(") + text.replace("@f(", f"@old{k}(")
        for k, text in enumerate(texts)
    )
    code = load_objects([target_machine(AVX2).emit_object(parse_ir(named))])
    for k, (lanes, _) in enumerate(CASES):
        first, second = (draw.randbytes(lanes * SIZES[type_]) for _ in range(2))
        results = list[bytes]()
        for name in (f"old{k}", f"new{k}"):
            place = ctypes.create_string_buffer(first, len(first))
            run = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(code.address(name))
            run(place, second)
            results.append(place.raw)
        assert results[0] == results[1], CASES[k]


def test_llvm_makes_a_mask_of_it_by_itself():
    text = function("i64", 4)
    machine = target_machine(AVX2)
    assert "maskmov" in machine.emit_assembly(parse_ir(text))
    assert "maskmov" not in machine.emit_assembly(parse_ir(with_blends(text)))


@pytest.mark.parametrize(
    "text",
    [
        function("float", 8, place="%q", first="%x", second="%x"),
        function("float", 8, first="%y", second="%y"),
        function("float", 8, second="zeroinitializer"),
        function("i32", 8).replace("i32", "i16"),
    ],
    ids=["another place", "nothing of it", "another value", "no masks for them"],
)
def test_what_llvm_makes_no_mask_of_stays_as_it_is(text: str):
    assert with_blends(text) == text


def test_flags_and_facts_stay():
    text = function("float", 8).replace("select <", "select fast <").replace("%x\n", "%x, !f !0\n")
    changed = with_blends(text + "!0 = !{}\n")
    assert (
        "  %.blend.1 = freeze <8 x float> %x\n"
        "  %c = select fast <8 x i1> %m, <8 x float> %y, <8 x float> %.blend.1, !f !0\n" in changed
    )
