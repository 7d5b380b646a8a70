"""Index arithmetic in isl's words has the value of the arithmetic."""

from collections.abc import Callable
from itertools import product

import pytest
from oracles.affine_native import parse_affine
from xdsl.dialects import arith, func
from xdsl.ir import SSAValue

from polyopt.passes.raising.isl_text import NotAffineText, value_text

BODIES: dict[str, Callable[[int, int], int]] = {
    "addi %x, %y": lambda x, y: x + y,
    "subi %x, %y": lambda x, y: x - y,
    "muli %x, %three": lambda x, y: 3 * x,
    "muli %three, %y": lambda x, y: 3 * y,
}


def text_of(operation: str) -> str:
    name, operands = operation.split(" ", 1)
    module = parse_affine(f"""
    func.func @f(%x : index, %y : index) -> index {{
      %three = arith.constant 3 : index
      %z = arith.{name} {operands} overflow<nsw> : index
      return %z : index
    }}""")
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp))
    names: dict[SSAValue, str] = {
        argument: str(argument.name_hint) for argument in function.body.block.args
    }

    def name_of(value: SSAValue) -> str | None:
        return names.get(value)

    last = [
        op
        for op in function.body.block.ops
        if isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp)
    ]
    return value_text(last[-1].results[0], name_of)


@pytest.mark.parametrize("operation", BODIES)
def test_values(operation: str):
    text = text_of(operation)
    for x, y in product(range(-3, 4), repeat=2):
        assert eval(text, {"x": x, "y": y}) == BODIES[operation](x, y)


def test_a_product_of_two_unknowns_is_not_affine():
    with pytest.raises(NotAffineText):
        text_of("muli %x, %y")
