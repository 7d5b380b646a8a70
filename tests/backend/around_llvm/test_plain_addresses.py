"""Addresses that several operands lie behind go through the assembler; what is computed is the
same."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

from polyopt.backend.around_llvm.plain_addresses import with_plain_addresses
from polyopt.backend.compiled.codegen import parse_ir, target_machine
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions
from polyopt.support.core_model import CORE
from polyopt.tools.polyopt_cc import main

LEAST = CORE.code.address_operands


def rows(count: int, operands: int, use: str = "fmul double %v{n}, 2.0") -> str:
    """A loop over so many rows, `operands` elements of each side by side."""
    lines: list[str] = []
    for r in range(count):
        lines.append(f"  %p{r} = getelementptr inbounds nuw double, ptr %a{r}, i64 %k")
        for k in range(operands):
            n = r * operands + k
            place = f"%p{r}"
            if k:
                place = f"%q{n}"
                lines.append(f"  {place} = getelementptr inbounds i8, ptr %p{r}, i64 {8 * k}")
            lines.append(f"  %v{n} = load double, ptr {place}, align 8")
            lines.append(f"  %m{n} = {use.format(n=n)}")
            lines.append(f"  %s{n + 1} = fadd double %s{n}, %m{n}")
    body = "\n".join(lines)
    arguments = ", ".join(f"ptr %a{r}" for r in range(count))
    return f"""define double @sum({arguments}, i64 %n) {{
entry:
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi double [ 0.0, %entry ], [ %s{count * operands}, %loop ]
{body}
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret double %s{count * operands}
}}
"""


def result(text: str, n: int) -> float:
    machine = target_machine(BackendOptions(opt_level=3))
    code = load_objects([machine.emit_object(parse_ir(text))])
    place = ctypes.POINTER(ctypes.c_double)
    call = ctypes.CFUNCTYPE(ctypes.c_double, place, place, ctypes.c_int64)(code.address("sum"))
    a, b = np.arange(60.0), np.arange(60.0) ** 2
    return call(a.ctypes.data_as(place), b.ctypes.data_as(place), n)


@pytest.mark.parametrize("n", [1, 7, 50])
def test_the_same_sums(n: int):
    text = rows(2, 4)
    changed = with_plain_addresses(text)
    assert changed.count('call ptr asm "", "=r,0"') == 2
    assert result(changed, n) == result(text, n)


def test_the_address_is_computed_where_it_was():
    text = with_plain_addresses(rows(1, 6))
    assert "  %.address.0 = getelementptr inbounds nuw double, ptr %a0, i64 %k\n" in text
    assert '  %p0 = call ptr asm "", "=r,0"(ptr %.address.0)\n' in text


def test_one_operand_is_no_reason():
    assert with_plain_addresses(rows(6, LEAST - 1)) == rows(6, LEAST - 1)


def test_what_is_no_operand_of_arithmetic_is_no_reason():
    text = rows(2, 4, use="call double @llvm.sqrt.f64(double %v{n})")
    text += "declare double @llvm.sqrt.f64(double)\n"
    parse_ir(text)
    assert with_plain_addresses(text) == text


def test_while_registers_last():
    most = CORE.code.address_registers
    assert with_plain_addresses(rows(most, LEAST)) == rows(most, LEAST)
    changed = with_plain_addresses(rows(most - 2, LEAST))
    assert changed.count('call ptr asm "", "=r,0"') == 2
    parse_ir(changed)


def test_few_accesses_are_left_alone():
    few = CORE.code.plain_accesses - 1
    assert with_plain_addresses(rows(1, few)) == rows(1, few)


SOURCE = """
void f(int n, double *restrict x, const double *restrict u, double r) {
  for (int k = 0; k < n; k++)
    x[k] = u[k] + r * (u[k + 1] + r * (u[k + 2] + r * (u[k + 3] + r * (u[k + 4] + r * u[k + 5]))));
}
"""


@pytest.mark.parametrize(("march", "is_done"), [("sapphirerapids", True), ("znver4", False)])
def test_only_where_sums_of_registers_cost(tmp_path: Path, march: str, is_done: bool):
    source, made = tmp_path / "f.c", tmp_path / "f.s"
    source.write_text(SOURCE)
    assert main(["-O3", f"-march={march}", "-fno-poly", "-S", str(source), "-o", str(made)]) == 0
    assert (made.read_text().count("#APP") > 2) == is_done
