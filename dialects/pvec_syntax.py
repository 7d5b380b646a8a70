"""How transfers are written: `%A[%i + 1, %v] by [0, 2] masked %m : memref<?x?xf64>, vector<4xf64>`.

xDSL's `affine` writes its accesses the same way, by functions of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import AffineMapAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from polyopt.dialects.pvec_lanes import mask_type
from polyopt.dialects.shaped_types import is_vector

Address = tuple[AffineMapAttr, Sequence[SSAValue]]
"""Subscripts, and the indices that they are made of."""


def is_unit(steps: Sequence[int]) -> bool:
    """Do lanes lie side by side in the last dimension?"""
    return bool(steps) and steps[-1] == 1 and not any(steps[:-1])


def unit(place: Address) -> list[int]:
    """The steps of such lanes."""
    rank = len(place[0].data.results)
    return [0] * (rank - 1) + [1] * min(1, rank)


def parse_values(parser: Parser) -> list[UnresolvedOperand]:
    """`(%x, %y), `"""
    values = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(",")
    return values


def parse_place(parser: Parser) -> tuple[UnresolvedOperand, Address]:
    """`%A[%i + 1, %v]`"""
    array = parser.parse_unresolved_operand()
    map, indices = parser.parse_affine_map_of_ssa_ids()
    return array, (AffineMapAttr(map), indices)


def parse_numbers(parser: Parser, word: str) -> list[int] | None:
    """`by [0, 2]`"""
    if parser.parse_optional_keyword(word) is None:
        return None
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)


def parse_mask(parser: Parser) -> UnresolvedOperand | None:
    if parser.parse_optional_keyword("masked") is None:
        return None
    return parser.parse_unresolved_operand()


def parse_types(parser: Parser, array: UnresolvedOperand) -> tuple[SSAValue, VectorType[Attribute]]:
    """` : memref<?x?xf64>, vector<4xf64>`: the array, and the type of vectors."""
    parser.parse_punctuation(":")
    memref = parser.resolve_operand(array, parser.parse_type())
    parser.parse_punctuation(",")
    vector = parser.parse_type()
    if not is_vector(vector) or vector.get_num_dims() != 1:
        parser.raise_error("expected a vector of one dimension")
    return memref, vector


def resolve_mask(
    parser: Parser, mask: UnresolvedOperand | None, vector: VectorType[Attribute]
) -> SSAValue | None:
    """A mask has as many lanes as the vectors, or the operation is not valid."""
    (lanes,) = vector.get_shape()
    return None if mask is None else parser.resolve_operand(mask, mask_type(lanes))


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    printer.print_string(" (")
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string("),")


def print_place(
    printer: Printer, array: SSAValue, map: AffineMap, indices: Sequence[SSAValue]
) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(array)

    def print_subscript(expr: AffineExpr) -> None:
        _print_expression(printer, expr, map.num_dims, indices)

    with printer.in_square_brackets():
        printer.print_list(map.results, print_subscript)


def _print_expression(
    printer: Printer, expr: AffineExpr, dims: int, indices: Sequence[SSAValue]
) -> None:
    match expr:
        case AffineConstantExpr():
            printer.print_string(str(expr.value))
        case AffineDimExpr():
            printer.print_ssa_value(indices[expr.position])
        case AffineSymExpr():
            printer.print_ssa_value(indices[dims + expr.position])
        case AffineBinaryOpExpr(kind=kind):
            for side, is_right in ((expr.lhs, False), (expr.rhs, True)):
                if is_right:
                    printer.print_string(f" {kind.get_token()} ")
                if _is_apart(side, kind, is_right=is_right):
                    with printer.in_parens():
                        _print_expression(printer, side, dims, indices)
                else:
                    _print_expression(printer, side, dims, indices)
        case _:
            raise AssertionError(f"no subscript: {expr}")


def _is_apart(side: AffineExpr, around: AffineBinaryOpKind, *, is_right: bool) -> bool:
    """Does a part of an expression need parentheses?"""
    if not isinstance(side, AffineBinaryOpExpr) or around is AffineBinaryOpKind.Add:
        return False
    return is_right or side.kind is AffineBinaryOpKind.Add


def print_numbers(printer: Printer, word: str, numbers: Sequence[int]) -> None:
    printer.print_string(f" {word} [{', '.join(map(str, numbers))}]")


def print_mask(printer: Printer, mask: SSAValue | None) -> None:
    if mask is not None:
        printer.print_string(" masked ")
        printer.print_ssa_value(mask)


def print_rest(printer: Printer, op: Operation, array: SSAValue, vector: Attribute) -> None:
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(array.type)
    printer.print_string(", ")
    printer.print_attribute(vector)
