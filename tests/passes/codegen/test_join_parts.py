"""affine-join-parts: each element sees the accesses that it saw, in the order that it saw."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest
from oracles.affine_trace import parse_module, trace
from xdsl.context import Context
from xdsl.dialects import affine, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from polyopt.passes.codegen.join_parts import AffineJoinPartsPass

LOWERS = ("%t", "affine_map<(d0) -> (d0)>(%i)", "affine_map<(d0) -> (d0 + 1)>(%i)")
UPPERS = ("%n", "affine_map<(d0) -> (d0)>(%i)", "%t")
TRIANGLES = (("%t", UPPERS[1]), (LOWERS[1], "%n"))
SIZES = ((6, 2), (3, 5), (2, 2))


def nest(lower: str, upper: str) -> str:
    return f"""
      affine.for %i = %t to %n {{
        affine.for %j = {lower} to {upper} {{
          affine.for %k = 0 to %m {{
            %a = affine.load %B[%i, %k] : memref<?x?xf64>
            %c = affine.load %A[%i, %j] : memref<?x?xf64>
            %d = arith.addf %c, %a : f64
            affine.store %d, %A[%i, %j] : memref<?x?xf64>
          }} {{poly.loop = #poly.loop<reduces = ["A"], contract>}}
        }} {{poly.loop = #poly.loop<parallel, contract>}}
      }} {{poly.loop = #poly.loop<parallel, contract>}}"""


def seen(module: ModuleOp, n: int, t: int) -> dict[object, list[object]]:
    """By element, by position: which operand, whether written, and the values of the iterators."""
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    values: dict[SSAValue, int] = dict(zip(function.args[:3], (n, t, 2), strict=True))
    found = defaultdict[object, list[object]](list)
    for one in function.body.block.ops:
        for touch in trace(one, values):
            array = list(function.args).index(touch.element[0])  # pyright: ignore
            found[array, *touch.element[1:]].append((touch.is_write, touch.iteration))
    return {where: sorted(touches) if where[0] else touches for where, touches in found.items()}  # pyright: ignore


@pytest.mark.parametrize("lowers", list(product(LOWERS, LOWERS)))
def test_each_element_sees_what_it_saw(lowers: tuple[str, str]):
    for uppers in product(UPPERS, UPPERS):
        parts = tuple(zip(lowers, uppers, strict=True))
        module = parse_module(f"""
          func.func @f(%n : index, %t : index, %m : index,
                       %A : memref<?x?xf64> {{llvm.noalias}}, %B : memref<?x?xf64> {{llvm.noalias}})
          {{ {nest(*parts[0])} {nest(*parts[1])} return }}""")
        before = [seen(module, *sizes) for sizes in SIZES]
        AffineJoinPartsPass().apply(Context(), module)
        module.verify()
        assert [seen(module, *sizes) for sizes in SIZES] == before
        if parts in (TRIANGLES, TRIANGLES[::-1]):
            assert sum(isinstance(op, affine.ForOp) for op in module.walk()) == 3
