"""What may be changed of floating-point arithmetic: flags of operations, and of their module."""

from __future__ import annotations

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp

from polyopt.ir.fast_math import is_fused, is_summand, may_reassociate

PRODUCTS = """
builtin.module ATTRIBUTES {
  func.func @f(%a : f64, %b : f64) -> f64 {
    %0 = arith.mulf %a, %b : f64
    %1 = arith.addf %0, %a : f64
    %2 = arith.mulf %1, %b : f64
    %3 = arith.subf %a, %2 : f64
    %4 = arith.mulf %3, %b : f64
    %5 = arith.divf %4, %a : f64
    %6 = arith.mulf %5, %5 : f64
    %7 = arith.addf %6, %6 : f64
    %8 = arith.mulf %7, %b : f64
    %9 = arith.addf %8, %a fastmath<contract,reassoc> : f64
    func.return %9 : f64
  }
}
"""
TAKEN_UP_BY_A_SUM = [True, True, False, False, True]
"""The third is divided, the fourth has two uses."""


def module_of(attributes: str) -> ModuleOp:
    return parse_affine(PRODUCTS.replace("ATTRIBUTES", attributes))


def products_in(module: ModuleOp) -> list[arith.MulfOp]:
    return [op for op in module.walk() if isinstance(op, arith.MulfOp)]


@pytest.mark.parametrize(
    ("flags", "fused"),
    [
        ("contract", TAKEN_UP_BY_A_SUM),
        ("fast", TAKEN_UP_BY_A_SUM),
        ("reassoc", [False, False, False, False, True]),
    ],
)
def test_products_that_a_sum_takes_up(flags: str, fused: list[bool]):
    module = module_of(f"attributes {{polyopt.fastmath = #arith.fastmath<{flags}>}}")
    assert [is_summand(op) for op in products_in(module)] == TAKEN_UP_BY_A_SUM
    assert [is_fused(op) for op in products_in(module)] == fused


def test_flags_of_an_operation_are_its_own():
    *_, last = (op for op in module_of("").walk() if isinstance(op, arith.AddfOp))
    first, *_ = products_in(module_of(""))
    assert may_reassociate(last)
    assert not may_reassociate(first)
    assert not is_fused(first)
