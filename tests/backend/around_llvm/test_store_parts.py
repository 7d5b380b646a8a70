"""Stores of lanes side by side, in parts, write the bytes of those lanes and no others."""

import ctypes
import random
from pathlib import Path

import pytest

from polyopt.backend.around_llvm.store_parts import has_masked_stores, with_store_parts
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.target import Target
from polyopt.tools.polyopt_cc import main

GUARD = 64
TYPES = {"float": ("f32", 4), "double": ("f64", 8), "i32": ("i32", 4), "i64": ("i64", 8)}

FUNCTION = """
define void @f{number}(ptr %p, ptr %q) {{
  %v = load <{lanes} x {type}>, ptr %q, align 1
  call void @llvm.masked.store.v{lanes}{name}.p0(<{lanes} x {type}> %v, ptr align 1 %p, <{lanes} x i1> <{mask}>)
  ret void
}}
"""  # noqa: E501


def function(number: int, type_: str, chosen: list[bool]) -> str:
    mask = ", ".join(f"i1 {str(one).lower()}" for one in chosen)
    name, lanes = TYPES[type_][0], len(chosen)
    return FUNCTION.format(number=number, lanes=lanes, type=type_, name=name, mask=mask)


def declared(type_: str, lanes: int) -> str:
    vector, name = f"<{lanes} x {type_}>", TYPES[type_][0]
    return f"declare void @llvm.masked.store.v{lanes}{name}.p0({vector}, ptr, <{lanes} x i1>)\n"


@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("type_", TYPES)
def test_lanes_side_by_side_are_stored_and_nothing_around_them(type_: str, lanes: int):
    size = TYPES[type_][1]
    text = declared(type_, lanes)
    runs = [(0, stop) for stop in range(1, lanes)] + [(start, lanes) for start in range(1, lanes)]
    runs += [(1, lanes - 1)] if lanes > 2 else []
    for number, (start, stop) in enumerate(runs):
        text += function(number, type_, [start <= lane < stop for lane in range(lanes)])
    changed = with_store_parts(str(parse_ir(text)))
    assert "call void @llvm.masked.store" not in changed
    code = load_objects([target_machine(BackendOptions()).emit_object(parse_ir(changed))])
    source = random.Random(lanes).randbytes(lanes * size)
    for number, (start, stop) in enumerate(runs):
        places = bytearray(b"\xab" * (GUARD + lanes * size + GUARD))
        wanted = places[:]
        wanted[GUARD + start * size : GUARD + stop * size] = source[start * size : stop * size]
        buffer = (ctypes.c_char * len(places)).from_buffer(places)
        store = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(code.address(f"f{number}"))
        store(ctypes.addressof(buffer) + GUARD, source)
        assert bytes(places) == bytes(wanted), (start, stop)


def test_what_is_said_of_the_store_is_said_of_its_parts():
    text = declared("double", 4) + function(0, "double", [True, True, True, False])
    text = text.replace("align 1 %p, <", "align 16 %p, <").replace(
        ">)\n  ret", ">), !tbaa !0\n  ret"
    )
    text += '!0 = !{!1, !1, i64 0}\n!1 = !{!"double", !2}\n!2 = !{!"root"}\n'
    changed = with_store_parts(str(parse_ir(text)))
    assert "store <2 x double> %stored.part.1.0, ptr %p, align 16, !tbaa !0" in changed
    assert "%stored.place.1.2 = getelementptr i8, ptr %p, i64 16" in changed
    assert "store double %stored.part.1.2, ptr %stored.place.1.2, align 16, !tbaa !0" in changed


@pytest.mark.parametrize("chosen", [[False, True, False, True], [False] * 4])
def test_other_lanes_stay_under_their_mask(chosen: list[bool]):
    written = str(parse_ir(declared("float", 4) + function(0, "float", chosen)))
    assert with_store_parts(written) == written


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("type_", TYPES)
def test_where_masks_are_slow_lanes_with_others_between_are_stored_too(type_: str, lanes: int):
    size = TYPES[type_][1]
    masks = [
        [bool(bits >> lane & 1) for lane in range(lanes)] for bits in range(1, (1 << lanes) - 1)
    ]
    text = declared(type_, lanes)
    for number, chosen in enumerate(masks):
        text += function(number, type_, chosen)
    changed = with_store_parts(str(parse_ir(text)), with_holes=True)
    assert "call void @llvm.masked.store" not in changed
    code = load_objects([target_machine(BackendOptions()).emit_object(parse_ir(changed))])
    source = random.Random(lanes).randbytes(lanes * size)
    for number, chosen in enumerate(masks):
        places = bytearray(b"\xab" * (GUARD + lanes * size + GUARD))
        wanted = places[:]
        for lane in range(lanes):
            if chosen[lane]:
                at = GUARD + lane * size
                wanted[at : at + size] = source[lane * size : (lane + 1) * size]
        buffer = (ctypes.c_char * len(places)).from_buffer(places)
        store = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(code.address(f"f{number}"))
        store(ctypes.addressof(buffer) + GUARD, source)
        assert bytes(places) == bytes(wanted), chosen


def test_only_words_are_looked_for():
    assert has_masked_stores(["f", "llvm.masked.store.v4f64.p0"])
    assert not has_masked_stores(["llvm.masked.store.v16i8.p0", "llvm.masked.load.v4f64.p0"])


SOURCE = """
void product(int n, double a[][3][3], double b[][3][3], double c[restrict][3][3])
{
    for (int m = 0; m < n; m++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += a[m][i][k] * b[m][k][j];
                c[m][i][j] = sum;
            }
}
"""


def test_rows_of_three_are_stored_without_masks_where_masks_are_in_no_registers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "product.c"
    path.write_text(SOURCE)
    assert main(["-O3", "-march=x86-64-v3", "-S", str(path), "-o", str(tmp_path / "s")]) == 0
    code = (tmp_path / "s").read_text()
    stores = [line for line in code.splitlines() if "vmaskmov" in line and line.endswith(")")]
    assert "vfmadd" in code
    assert not stores, capsys.readouterr().err


def test_mask_registers_come_with_avx_512():
    assert not Target.named("x86-64-v3").has_mask_registers
    assert Target.named("x86-64-v4+prefer256").has_mask_registers
