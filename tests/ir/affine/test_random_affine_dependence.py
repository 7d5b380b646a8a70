"""Dependences of random affine loops against a run: with bounds that are constants, so that the
classic tests decide most, and where elements are met by the first or the last iteration only."""

from itertools import combinations
from random import Random

import pytest
from oracles.affine_trace import parse_module, trace
from xdsl.ir import Operation

from polyopt.ir.affine.affine_dependence import dependences_below


def random_loops(random: Random) -> str:
    def subscript(names: str) -> str:
        terms = [
            f"%{name} * {random.choice((-2, -1, 1, 1, 1, 2))}"
            for name in names
            if random.random() < 0.7
        ]
        return " + ".join([*terms, str(random.randint(-1, 9))])

    def access(names: str, number: int) -> str:
        if random.random() < 0.5:
            return f"%x{number} = affine.load %v[{subscript(names)}] : memref<?xf64>"
        return f"affine.store %f, %v[{subscript(names)}] : memref<?xf64>"

    def bounds(outer: str) -> str:
        low = random.randint(-1, 2)
        high = low + random.randint(1, 4)
        if outer and random.random() < 0.3:
            return f"affine_map<(d0) -> (d0 + {random.randint(-1, 1)})>(%{outer}) to {high + 2}"
        step = random.choice(("", "", " step 2"))
        return f"{f'affine_map<() -> ({low})>()' if low < 0 else low} to {high}{step}"

    return f"""
    func.func @f(%v : memref<?xf64> {{llvm.noalias}}, %f : f64) {{
      affine.for %i = {bounds("")} {{
        {access("i", 0)}
        affine.for %j = {bounds("i")} {{
          {access("ij", 1)}
        }}
        affine.for %k = {bounds("i")} {{
          {access("ik", 2)}
        }}
        {access("i", 3)}
      }}
      return
    }}"""


Meeting = tuple[Operation, Operation]


@pytest.mark.parametrize("seed", range(60))
def test_who_meets_whom(seed: int):
    module = parse_module(random_loops(Random(seed)))
    loop = next(op for op in module.walk() if op.name == "affine.for")
    wanted = set[Meeting]()
    for a, b in combinations(trace(loop, {}), 2):
        if a.element == b.element and (a.is_write or b.is_write):
            wanted.add((a.op, b.op))
    found = dependences_below(loop)
    assert found.is_complete
    assert {(one.source.op, one.sink.op) for one in found.dependences} == wanted


@pytest.mark.parametrize(("element", "meets"), [(-1, False), (0, True), (9, True), (10, False)])
def test_the_first_and_the_last_iteration_count(element: int, meets: bool):
    module = parse_module(f"""
    func.func @f(%v : memref<?xf64> {{llvm.noalias}}, %f : f64) {{
      affine.for %i = 0 to 10 {{
        %x = affine.load %v[{element}] : memref<?xf64>
        affine.store %f, %v[%i] : memref<?xf64>
      }}
      return
    }}""")
    loop = next(op for op in module.walk() if op.name == "affine.for")
    found = {(one.source.op.name, one.sink.op.name) for one in dependences_below(loop).dependences}
    assert (("affine.store", "affine.load") in found) == (meets and element < 9)
    assert (("affine.load", "affine.store") in found) == meets


def test_a_stride_from_where_nobody_knows():
    """A lower bound that is computed inside says nothing, its step neither."""
    module = parse_module("""
    func.func @f(%v : memref<?xf64> {llvm.noalias}, %p : memref<?xindex> {llvm.noalias}, %f : f64) {
      affine.for %i = 0 to 4 {
        %low = affine.load %p[%i] : memref<?xindex>
        affine.for %j = affine_map<()[s0] -> (s0)>()[%low] to 10 step 2 {
          %x = affine.load %v[%j] : memref<?xf64>
          affine.store %f, %v[%j + 1] : memref<?xf64>
        }
      }
      return
    }""")
    loop = next(op for op in module.walk() if op.name == "affine.for")
    kinds = {one.kind for one in dependences_below(loop).dependences}
    assert kinds == {"RAW", "WAR", "WAW"}
