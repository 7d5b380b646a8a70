"""Counters of loops with many accesses go through the assembler; what is computed is the same."""

import ctypes

import numpy as np
import pytest

from polyopt.backend.around_llvm.plain_counters import with_plain_counters
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.core_model import CORE

PITCH = 50


def rows_summed(accesses: int, type_: str = "i64", loop: str = "loop") -> str:
    """A sum of elements, of so many rows in each iteration."""
    body = "\n".join(
        f"""  %i{n} = add {type_} %row, {n}
  %p{n} = getelementptr inbounds [{PITCH} x double], ptr %a, {type_} %i{n}, {type_} %k
  %v{n} = load double, ptr %p{n}
  %s{n + 1} = fadd double %s{n}, %v{n}"""
        for n in range(accesses)
    )
    return f"""define double @sum(ptr %a, {type_} %row, {type_} %n) {{
entry:
  br label %{loop}

{loop}:
  %k = phi {type_} [ 0, %entry ], [ %next, %{loop} ]
  %s0 = phi double [ 0.0, %entry ], [ %s{accesses}, %{loop} ]
{body}
  %next = add nuw nsw {type_} %k, 1
  %more = icmp slt {type_} %next, %n
  br i1 %more, label %{loop}, label %done

done:
  ret double %s{accesses}
}}
"""


def result(text: str, row: int, n: int) -> float:
    machine = target_machine(BackendOptions(opt_level=3))
    code = load_objects([machine.emit_object(parse_ir(text))])
    places = ctypes.POINTER(ctypes.c_double), ctypes.c_int64, ctypes.c_int64
    call = ctypes.CFUNCTYPE(ctypes.c_double, *places)(code.address("sum"))
    array = np.arange(20.0 * PITCH)
    return call(array.ctypes.data_as(places[0]), row, n)


@pytest.mark.parametrize("type_", ["i64", "i32"])
@pytest.mark.parametrize("loop", ["loop", '"a loop"', "7"])
def test_the_next_value_is_not_seen_through(type_: str, loop: str):
    text = with_plain_counters(rows_summed(CORE.code.plain_accesses, type_, loop))
    assert f"%.counter.0 = add nuw nsw {type_} %k, 1" in text
    assert f'%next = call {type_} asm "", "=r,0"({type_} %.counter.0)' in text
    parse_ir(text)


def test_down_a_column_llvm_looks_for_counters():
    """A product in each iteration, which a second counter is instead; of vectors there are few
    such iterations."""
    text = rows_summed(CORE.code.plain_accesses)
    down = text.replace("%i0, i64 %k", "%k, i64 %i0")
    assert down != text
    assert with_plain_counters(down) == down
    vectors = down.replace(
        "%v0 = load double", "%w = load <8 x double>, ptr %a\n  %v0 = load double"
    )
    assert with_plain_counters(vectors) != vectors


@pytest.mark.parametrize(("row", "n"), [(0, 1), (3, 7), (5, 50)])
def test_the_same_sums(row: int, n: int):
    text = rows_summed(CORE.code.plain_accesses + 2)
    changed = with_plain_counters(text)
    assert changed != text
    wanted = sum(
        float(PITCH * (row + r) + k) for k in range(n) for r in range(CORE.code.plain_accesses + 2)
    )
    assert result(changed, row, n) == result(text, row, n) == wanted


def test_of_two_loops_each_has_its_own():
    one = rows_summed(CORE.code.plain_accesses)
    text = with_plain_counters(one + one.replace("@sum", "@other"))
    assert text.count('asm ""') == 2
    parse_ir(text)


def test_few_accesses_and_outer_loops_are_left_alone():
    few = rows_summed(CORE.code.plain_accesses - 1)
    assert with_plain_counters(few) == few
    outer = rows_summed(CORE.code.plain_accesses).replace(
        "  br i1 %more, label %loop", "  br label %latch\n\nlatch:\n  br i1 %more, label %loop"
    )
    outer = outer.replace(", %loop ]", ", %latch ]")
    parse_ir(outer)
    assert with_plain_counters(outer) == outer


def test_what_is_no_counter_is_left_alone():
    """Where data say what comes next, nobody looks for it anyway."""
    text = rows_summed(CORE.code.plain_accesses).replace(
        "add nuw nsw i64 %k, 1", "add i64 %row, %n"
    )
    assert with_plain_counters(text) == text


def test_a_module_without_loops():
    for text in ("", "declare void @f()\n"):
        assert with_plain_counters(text) == text
