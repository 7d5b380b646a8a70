"""Panels hold the exact image of their blocks: of a triangle its elements, and no rectangle's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest
from oracles.affine_native import apply, parse_affine
from oracles.contract_passes import contract_passes
from xdsl.dialects import affine, func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintKind, AffineMap, AffineSet

from polyopt.dialects.contract_blocks import PackOp

M = "memref<?x?xf64>"
TEXT = f"""
func.func @f(%n : index, %m : index, %C : {M} {{llvm.noalias}}, %A : {M} {{llvm.noalias}},
             %B : {M} {{llvm.noalias}}) {{
  affine.for %i = 0 to %n {{ affine.for %j = 0 to %m {{ affine.for %k = DEPTH {{
    %x = affine.load %C[%i, %j] : {M}
    %p = affine.load %A[%i, %k] : {M}
    %q = affine.load %B[%k, %j] : {M}
    %t = arith.mulf %p, %q : f64
    %y = arith.addf %x, %t : f64
    affine.store %y, %C[%i, %j] : {M}
  }} }} }}
  func.return
}}"""

IsThere = Callable[[int, int], bool]


def everywhere(i: int, k: int) -> bool:
    return True


def below(i: int, k: int) -> bool:
    return k <= i


def above(i: int, k: int) -> bool:
    return k >= i


def near(i: int, k: int) -> bool:
    return abs(i - k) <= 5


FROM_BELOW = "max affine_map<(d0) -> (0, d0 - 5)>(%i)"
DEPTHS: dict[str, tuple[str, IsThere]] = {
    "rectangle": ("0 to %n", everywhere),
    "lower": ("0 to affine_map<(d0) -> (d0 + 1)>(%i)", below),
    "upper": ("affine_map<(d0) -> (d0)>(%i) to %n", above),
    "band": (f"{FROM_BELOW} to min affine_map<(d0)[s0] -> (s0, d0 + 6)>(%i)[%n]", near),
}

BLOCKED = contract_passes(
    smallest=1, rows=2, vectors=1, depth=8, row_block=6, column_block=16, march="x86-64-v3"
)[:4]
"""Down to blocks and panels; panels are of 6 x 8 and of 8 x 16."""


def packed(module: ModuleOp, n: int, m: int) -> list[Counter[tuple[str | int, ...]]]:
    """What each `contract.pack` that runs takes out of the arrays."""
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    arguments = function.body.block.args
    names: dict[SSAValue, str] = {arguments[3]: "A", arguments[4]: "B"}
    values: dict[SSAValue, int] = {arguments[0]: n, arguments[1]: m}
    return [
        Counter((names[array], *element) for array, element in taken(op, state, max(n, m)))
        for op, state in run(function.body.block, values)
    ]


def run(block: Block, values: dict[SSAValue, int]) -> Iterator[tuple[PackOp, dict[SSAValue, int]]]:
    for op in block.ops:
        match op:
            case affine.ForOp():
                lower = max(results(op.lowerBoundMap.data, op.lowerBoundOperands, values))
                upper = min(results(op.upperBoundMap.data, op.upperBoundOperands, values))
                for index in range(lower, upper, op.step.value.data):
                    yield from run(op.body.block, {**values, op.body.block.args[0]: index})
            case affine.IfOp():
                condition = op.condition.data
                numbers = [values[one] for one in op.args]
                cut = condition.num_dims
                holds = is_in(condition, numbers[:cut], numbers[cut:])
                yield from run((op.then_region if holds else op.else_region).block, values)
            case affine.MinOp():
                values[op.result] = min(results(op.map.data, op.operands, values))
            case affine.ApplyOp():
                (values[op.result],) = results(op.map.data, op.mapOperands, values)
            case PackOp():
                yield op, dict(values)
            case _:
                pass


def results(
    map: AffineMap, operands: Sequence[SSAValue], values: dict[SSAValue, int]
) -> tuple[int, ...]:
    numbers = [values[one] for one in operands]
    return map.eval(numbers[: map.num_dims], numbers[map.num_dims :])


def is_in(points: AffineSet, at: Sequence[int], symbols: Sequence[int]) -> bool:
    kinds = {AffineConstraintKind.ge: int.__ge__, AffineConstraintKind.eq: int.__eq__}
    return all(
        kinds[one.kind](one.lhs.eval(at, symbols), one.rhs.eval(at, symbols))
        for one in points.constraints
    )


def taken(
    op: PackOp, values: dict[SSAValue, int], size: int
) -> Iterator[tuple[SSAValue, tuple[int, ...]]]:
    symbols = [values[one] for one in op.symbols]
    domain = op.domain.data
    for x in range(-2, size + 8):
        for k in range(-2, size + 8):
            if is_in(domain, (x, k), symbols):
                for array, map in zip(op.taken, op.maps, strict=True):
                    yield array, map.data.eval((x, k), symbols)


@pytest.mark.parametrize("shape", DEPTHS)
@pytest.mark.parametrize(("n", "m"), [(5, 5), (12, 16), (19, 16), (19, 40), (33, 17)])
def test_a_panel_takes_each_element_of_its_image_once(shape: str, n: int, m: int):
    """All blocks of A that go with one block of columns are A's image, each element of it once; so
    are all blocks of B."""
    depth, is_there = DEPTHS[shape]
    module = apply(parse_affine(TEXT.replace("DEPTH", depth)), BLOCKED)
    total = sum(packed(module, n, m), Counter[tuple[str | int, ...]]())
    columns = -(-m // 16)
    wanted = Counter(
        {("A", i, k): columns for i in range(n) for k in range(n) if is_there(i, k)}
        | {
            ("B", k, j): 1
            for k in range(n)
            for j in range(m)
            if any(is_there(i, k) for i in range(n))
        }
    )
    assert total == wanted


def test_it_is_about_packs():
    depth, _ = DEPTHS["lower"]
    module = apply(parse_affine(TEXT.replace("DEPTH", depth)), BLOCKED)
    assert len(packed(module, 33, 17)) > 20
    operations: list[Operation] = [op for op in module.walk() if isinstance(op, PackOp)]
    assert len(operations) == 2
