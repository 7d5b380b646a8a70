"""Lanes that are moved where arithmetic is done: not if that takes longer than all loads."""

from dataclasses import replace

import pytest
from xdsl.dialects import affine
from xdsl.parser import Parser

from polyopt.dialects.inside import operations_in
from polyopt.driver.units.module_texts import make_context
from polyopt.passes.loops.transfers.carry_model import choose_chains
from polyopt.passes.loops.transfers.read_rows import rows_of
from polyopt.support.target import Target

LINES = replace(Target.named("x86-64-v4"), vector_bits=512, vector_registers=32)
INTEL = replace(LINES, moves_by_arithmetic=True)


def neighbours(count: int, work: int) -> str:
    """A sum of so many neighbours, and more arithmetic of that length."""
    lines = [
        f"%x{k} = pvec.read %a[%i, %v + {k}] : memref<?x?xf64>, vector<8xf64>" for k in range(count)
    ]
    lines.append("%s0 = arith.addf %x0, %x1 : vector<8xf64>")
    lines += [
        f"%s{k} = arith.addf %s{k - 1}, %x{k + 1} : vector<8xf64>" for k in range(1, count - 1)
    ]
    last = f"%s{count - 2}"
    for k in range(work):
        lines.append(f"%t{k} = arith.addf {last}, %x0 : vector<8xf64>")
        last = f"%t{k}"
    body = "\n".join(lines)
    both = "memref<?x?xf64>, memref<?x?xf64>"
    return f"""
func.func @f(%A : memref<?x?xf64>, %B : memref<?x?xf64>, %i : index, %n : index) {{
  %a, %b = cmem.distinct_objects %A, %B : {both} -> {both}
  affine.for %v = 0 to %n step 8 {{
    {body}
    pvec.write {last}, %b[%i, %v] : memref<?x?xf64>, vector<8xf64>
  }}
  func.return
}}
"""


@pytest.mark.parametrize(
    ("work", "target", "is_carried"),
    [(0, INTEL, True), (9, LINES, True), (20, INTEL, False)],
)
def test_arithmetic_is_not_crowded(work: int, target: Target, is_carried: bool):
    module = Parser(make_context(), neighbours(7, work)).parse_module()
    (loop,) = operations_in(module, affine.ForOp)
    reads = rows_of(loop)
    assert reads is not None
    assert bool(choose_chains(reads, target)) == is_carried
