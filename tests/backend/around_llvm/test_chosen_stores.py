"""Behind branches, stores under masks write the same lanes."""

import ctypes
import random
import re

import pytest

from polyopt.backend.around_llvm.chosen_stores import with_chosen_stores
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.target import Target

LANES = 4
STORE = "call void @llvm.masked.store.v4f32.p0(<4 x float>"

LOOP = f"""
define void @f(ptr %p, ptr %q, ptr %keys, i64 %n) {{
entry:
  br label %0

0:
  %i = phi i64 [ 0, %entry ], [ %next, %0 ]
  %last = phi <4 x float> [ zeroinitializer, %entry ], [ %y, %0 ]
  %1 = getelementptr float, ptr %keys, i64 %i
  %2 = load <4 x float>, ptr %1, align 4
  %low = fcmp olt <4 x float> %2, splat (float 1.0)
  %high = fcmp ogt <4 x float> %2, splat (float 2.0)
  %3 = getelementptr float, ptr %p, i64 %i
  %4 = load <4 x float>, ptr %3, align 4
  %5 = fadd <4 x float> %4, %last
  {STORE} %5, ptr align 4 %3, <4 x i1> %low)
  %6 = getelementptr float, ptr %q, i64 %i
  %7 = load <4 x float>, ptr %6, align 4
  %"8, (" = fmul <4 x float> %7, splat (float 3.0)
  {STORE} %"8, (", ptr align 4 %6, <4 x i1> %low)
  %y = load <4 x float>, ptr %3, align 4
  {STORE} %y, ptr align 4 %6, <4 x i1> %low)
  {STORE} %2, ptr align 4 %3, <4 x i1> %high)
  %next = add i64 %i, 4
  %ends = icmp uge i64 %next, %n
  br i1 %ends, label %on, label %0

on:
  %left = phi <4 x float> [ %y, %0 ]
  store <4 x float> %left, ptr %q, align 4
  ret void
}}
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)
"""


def _results(text: str, keys: list[float]) -> tuple[list[float], list[float]]:
    code = load_objects([target_machine(BackendOptions()).emit_object(parse_ir(text))])
    made = (ctypes.c_float * len(keys)).from_buffer
    p, q, k = (
        made(bytearray((ctypes.c_float * len(keys))(*values)))
        for values in (range(len(keys)), range(7, 7 + len(keys)), keys)
    )
    f = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long)
    f(code.address("f"))(*map(ctypes.addressof, (p, q, k)), len(keys))
    return list(p), list(q)


@pytest.mark.parametrize("choices", [(0.5, 1.5, 2.5), (0.5,), (1.5,), (2.5,), (0.5, 2.5)])
def test_the_same_lanes_are_written(choices: tuple[float, ...]):
    keys = random.Random(1).choices(choices, k=64 * LANES)
    given = str(parse_ir(LOOP))
    changed = with_chosen_stores(given)
    assert _results(changed, keys) == _results(given, keys)


def test_what_is_stored_under_one_mask_is_behind_one_branch():
    """As far as nothing is computed that is used further down."""
    changed = with_chosen_stores(str(parse_ir(LOOP)))
    first, second, third = re.findall(r"(?ms)^\.chosen\.\d\.whole:$(.*?)^  br label", changed)
    stored = [re.findall(r"store .*ptr (\S+),", one) for one in (first, second, third)]
    assert stored == [["%3", "%.chosen.0.whole.6"], ["%6"], ["%3"]]
    assert '%".chosen.0.part.8, (" = fmul' in changed
    assert ".chosen.0.on:\n  %6 = getelementptr" in re.sub(r":  +; preds.*", ":", changed)
    assert "[ %y, %.chosen.2.on ]" in changed


KNOWN = """
define void @f(<4 x float> %v, ptr %p, i1 %b) {
entry:
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
  %s = load volatile float, ptr %p, align 4
  ret void
}
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)
"""  # noqa: E501


def test_masks_that_are_known_stay():
    text = str(parse_ir(KNOWN))
    assert with_chosen_stores(text) == text


@pytest.mark.parametrize("between", ["load volatile float, ptr %q, align 4", "call float @g()"])
def test_what_has_an_order_stays_between_the_stores(between: str):
    text = f"""
define void @f(<4 x float> %v, ptr %p, ptr %q, <4 x i1> %m) {{
entry:
  {STORE} %v, ptr align 4 %p, <4 x i1> %m)
  %s = {between}
  {STORE} %v, ptr align 4 %q, <4 x i1> %m), !nontemporal !0
  ret void
}}
declare float @g()
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, <4 x i1>)
!0 = !{{i32 1}}
"""
    changed = with_chosen_stores(str(parse_ir(text)))
    parse_ir(changed)
    *_, first, second = changed.split(".on:\n")
    assert f"%s = {between}" in first
    assert changed.count(between) == 1
    assert "store <4 x float> %v, ptr %q, align 4, !nontemporal !0" in first
    assert second.strip().startswith("ret void")


@pytest.mark.parametrize(
    ("machine", "slow"),
    [("znver3", True), ("znver4", False), ("x86-64-v3", False), ("haswell", False)],
)
def test_who_stores_lanes_one_by_one(machine: str, slow: bool):
    assert Target.named(machine).slow_masked_stores == slow
