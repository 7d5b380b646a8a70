"""Bodies of contractions that machines do several steps of depth of at once.

    x + extend(p) * extend(q)      x an i32, p of rows and q of columns of 8 or 16 bits

Modulo 2^32 sums come in any order: neighbouring steps may go to one lane together. What is done to
them, `pvec.group_dot` says.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from polyopt.support.record import record

Extension = arith.ExtSIOp | arith.ExtUIOp


@record
class NarrowProduct:
    """The two extensions; which of them is of rows, their users know."""

    lhs: Extension
    rhs: Extension

    @property
    def factors(self) -> tuple[SSAValue, SSAValue]:
        return self.lhs.input, self.rhs.input

    def extending(self, factor: SSAValue) -> str:
        """How this factor is extended, in arith's word."""
        op = self.lhs if self.lhs.input is factor else self.rhs
        return op.name.removeprefix("arith.")


def product_added(results: Sequence[SSAValue], element: SSAValue) -> arith.MuliOp | None:
    """The product, where the only result is `element` and a product of other values."""
    if len(results) != 1 or element.type != i32:
        return None
    total = results[0].owner
    if not isinstance(total, arith.AddiOp) or element not in total.operands:
        return None
    product = (total.rhs if total.lhs is element else total.lhs).owner
    if not isinstance(product, arith.MuliOp) or element in product.operands:
        return None
    return product


def narrow_product(results: Sequence[SSAValue], element: SSAValue) -> NarrowProduct | None:
    """The body as at the head of this file; None where it is another."""
    product = product_added(results, element)
    if product is None:
        return None
    lhs, rhs = product.lhs.owner, product.rhs.owner
    if not isinstance(lhs, Extension) or not isinstance(rhs, Extension):
        return None
    return NarrowProduct(lhs, rhs) if lhs.input.type == rhs.input.type else None
