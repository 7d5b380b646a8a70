"""What the operations of `contract` hold besides values: sizes of blocks, and linear maps and sets.

#contract.blocking<rows = 4, vectors = 3, lanes = 8, depth = 256, row_block = 96,
                   column_block = 1536>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IntAttr, MemRefType
from xdsl.ir import Attribute, Data, SSAValue, TypeAttribute
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr
from xdsl.irdl import ParametrizedAttribute, irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from polyopt.support.record import record


@record
class Blocking:
    """A register tile of `rows` times `vectors * lanes` columns; blocks of `depth` steps of k,
    `row_block` rows and `column_block` columns, best multiples of the tile."""

    lanes: int
    vectors: int
    rows: int
    depth: int
    row_block: int
    column_block: int

    @property
    def longest(self) -> int:
        """Steps of k in the last block, which takes in up to half of one more."""
        return self.depth + self.depth // 2

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes


_SIZES = ("rows", "vectors", "lanes", "depth", "row_block", "column_block")


@irdl_attr_definition
class BlockingAttr(Data[Blocking]):
    """In which sizes a contraction is cut."""

    name = "contract.blocking"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Blocking:
        sizes: dict[str, int] = {}
        with parser.in_angle_brackets():
            for name in _SIZES:
                if sizes:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                start = parser.pos
                sizes[name] = parser.parse_integer(allow_negative=False)
                if not sizes[name]:
                    parser.raise_error(f"expected a size for '{name}'", start, parser.pos)
        return Blocking(**sizes)

    def print_parameter(self, printer: Printer) -> None:
        sizes = asdict(self.data)
        with printer.in_angle_brackets():
            printer.print_string(", ".join(f"{name} = {sizes[name]}" for name in _SIZES))


@irdl_attr_definition
class PanelType(ParametrizedAttribute, TypeAttribute):
    """`!contract.panel<4, f64>`: room for values, four of them side by side for each step of
    depth; nobody has said where."""

    name = "contract.panel"
    width: IntAttr = param_def()
    element: Attribute = param_def()

    def __init__(self, width: int | IntAttr, element: Attribute):
        super().__init__(IntAttr(width) if isinstance(width, int) else width, element)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            width = parser.parse_integer(allow_negative=False)
            parser.parse_punctuation(",")
            return IntAttr(width), parser.parse_type()

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.width.data}, ")
            printer.print_attribute(self.element)

    def verify(self) -> None:
        if not self.width.data:
            raise VerifyException("expected a width")


def check_map(map: AffineMapAttr, dims: int, symbols: int, results: int | None = None) -> None:
    """Raise VerifyException where the map is not one of so many values, or not linear."""
    data = map.data
    if data.num_dims != dims or data.num_symbols != symbols:
        raise VerifyException(f"expected maps of {dims} iterators and {symbols} values")
    if results is not None and len(data.results) != results:
        raise VerifyException(f"expected a map with {results} results")
    _check_linear(data.results)


def check_set(set: AffineSetAttr, dims: int, symbols: int) -> None:
    """Raise VerifyException where the set is not one of so many values, or not linear."""
    data = set.data
    if data.num_dims != dims or data.num_symbols != symbols:
        raise VerifyException(f"expected a set of {dims} iterators and {symbols} values")
    _check_linear(part for one in data.constraints for part in (one.lhs, one.rhs))


def _check_linear(forms: Iterable[AffineExpr]) -> None:
    for form in forms:
        for part in form.dfs():
            if isinstance(part, AffineBinaryOpExpr):
                is_product = part.kind is AffineBinaryOpKind.Mul
                if not (part.kind is AffineBinaryOpKind.Add or is_product):
                    raise VerifyException("expected sums and products with numbers only")
        if not form.is_pure_affine():
            raise VerifyException("expected sums and products with numbers only")


def coefficients(form: AffineExpr, dims: int, symbols: int) -> list[int]:
    """Of each dimension in a linear form."""
    none = [0] * symbols
    at_origin = form.eval([0] * dims, none)
    units = ([int(n == dim) for n in range(dims)] for dim in range(dims))
    return [form.eval(unit, none) - at_origin for unit in units]


def elements_in(values: Sequence[SSAValue]) -> list[Attribute]:
    """The types of the elements of arrays or panels."""
    return [element_of(value.type) for value in values]


def element_of(type_: Attribute) -> Attribute:
    if isinstance(type_, PanelType):
        return type_.element
    if isa(type_, MemRefType[Attribute]):
        return type_.get_element_type()
    raise VerifyException(f"expected an array or a panel, not {type_}")
