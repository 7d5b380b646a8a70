"""The first lanes of a vector, loaded as a shorter one, are those that the mask says."""

import ctypes
import random

import pytest

from polyopt.backend.around_llvm.load_parts import has_masked_loads, with_load_parts
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions

TYPES = {"float": ("f32", 4), "double": ("f64", 8), "i32": ("i32", 4), "i64": ("i64", 8)}

FUNCTION = """
define void @f{number}(ptr %p, ptr %q) {{
  %v = call <{lanes} x {type}> @llvm.masked.load.v{lanes}{name}.p0(ptr align 1 %q, <{lanes} x i1> <{mask}>, <{lanes} x {type}> {other})
  store <{lanes} x {type}> %v, ptr %p, align 1
  ret void
}}
"""  # noqa: E501


def module_of(type_: str, masks: list[list[bool]], other: str = "zeroinitializer") -> str:
    name, lanes = TYPES[type_][0], len(masks[0])
    vector = f"<{lanes} x {type_}>"
    text = f"declare {vector} @llvm.masked.load.v{lanes}{name}.p0(ptr, <{lanes} x i1>, {vector})\n"
    for number, chosen in enumerate(masks):
        mask = ", ".join(f"i1 {str(one).lower()}" for one in chosen)
        text += FUNCTION.format(
            number=number, lanes=lanes, type=type_, name=name, mask=mask, other=other
        )
    return str(parse_ir(text))


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize("type_", TYPES)
def test_first_lanes_are_loaded_and_the_others_are_zero(type_: str, lanes: int):
    size = TYPES[type_][1]
    counts = [count for count in (1, 2, 4) if count < lanes]
    text = module_of(type_, [[lane < count for lane in range(lanes)] for count in counts])
    changed = with_load_parts(text)
    assert "call <" not in changed
    code = load_objects([target_machine(BackendOptions()).emit_object(parse_ir(changed))])
    source = random.Random(lanes).randbytes(lanes * size)
    for number, count in enumerate(counts):
        found = ctypes.create_string_buffer(b"\xab" * lanes * size, lanes * size)
        load = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(code.address(f"f{number}"))
        load(ctypes.addressof(found), source)
        assert found.raw == source[: count * size].ljust(lanes * size, b"\0"), count


@pytest.mark.parametrize(
    ("chosen", "other"),
    [
        ([True, True, True, False], "zeroinitializer"),
        ([False, True, True, False], "zeroinitializer"),
        ([True, False, True, False], "zeroinitializer"),
        ([False] * 4, "zeroinitializer"),
        ([True, True, False, False], "<double 1.0, double 2.0, double 3.0, double 4.0>"),
    ],
    ids=["three", "middle", "apart", "none", "others"],
)
def test_what_is_no_shorter_vector_keeps_its_mask(chosen: list[bool], other: str):
    text = module_of("double", [chosen], other)
    assert with_load_parts(text) == text


def test_lanes_that_nobody_reads_may_be_zero_or_not():
    others = "<double poison, double 5.0, double 0.0, double poison>"
    changed = with_load_parts(module_of("double", [[True, True, False, False]], others))
    assert "load <2 x double>" in changed
    assert "zeroinitializer" in changed


def test_what_is_said_of_the_load_is_kept():
    text = module_of("double", [[True, True, False, False]], "poison").replace(
        "double> poison)", "double> poison), !nontemporal !{i32 1}"
    )
    assert "load <2 x double>, ptr %q, align 1, !nontemporal !{i32 1}" in with_load_parts(text)


def test_only_modules_with_masked_loads_of_words_are_asked():
    assert has_masked_loads(["f", "llvm.masked.load.v4f64.p0"])
    assert not has_masked_loads(["llvm.masked.load.v4i8.p0", "llvm.masked.store.v4f64.p0"])
