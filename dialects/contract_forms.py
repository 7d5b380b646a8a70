"""What the operations of `contract` hold besides values: sizes of blocks, and linear maps and sets.

#contract.blocking<rows = 4, vectors = 3, lanes = 8, depth = 256, row_block = 96,
                   column_block = 1536>

and, for products of narrow integers, `group = 4` at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IntAttr
from xdsl.ir import Attribute, Data, SSAValue, TypeAttribute
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr
from xdsl.irdl import ParametrizedAttribute, irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.shaped_types import is_memref
from polyopt.support.record import record


@record
class Blocking:
    """A register tile of `rows` times `vectors * lanes` columns; blocks of `depth` steps of k,
    `row_block` rows and `column_block` columns, best multiples of the tile. `group` neighbouring
    steps of k lie side by side in the panels, and are one step in registers."""

    lanes: int
    vectors: int
    rows: int
    depth: int
    row_block: int
    column_block: int
    group: int = 1

    @property
    def longest(self) -> int:
        """Steps of k in the last block, which is up to half a block longer."""
        return self.depth + self.depth // 2

    @property
    def columns(self) -> int:
        return self.vectors * self.lanes


_SIZES = ("rows", "vectors", "lanes", "depth", "row_block", "column_block")
_GROUP = "group"


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
                sizes[name] = _parse_size(parser, name)
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword(_GROUP)
                sizes[_GROUP] = _parse_size(parser, _GROUP)
        return Blocking(**sizes)

    def print_parameter(self, printer: Printer) -> None:
        sizes = asdict(self.data)
        names = [*_SIZES, *([_GROUP] if self.data.group > 1 else [])]
        with printer.in_angle_brackets():
            printer.print_string(", ".join(f"{name} = {sizes[name]}" for name in names))


def _parse_size(parser: AttrParser, name: str) -> int:
    parser.parse_punctuation("=")
    start = parser.pos
    size = parser.parse_integer(allow_negative=False)
    if not size:
        parser.raise_error(f"expected a size for '{name}'", start, parser.pos)
    return size


@irdl_attr_definition
class PanelType(ParametrizedAttribute, TypeAttribute):
    """`!contract.panel<4, f64>`: room for values, four of them side by side for each step of
    depth; nobody has said where. `!contract.panel<4, i8, 2>`: for each two steps, the two values
    of one row or column beside those of the next."""

    name = "contract.panel"
    width: IntAttr = param_def()
    element: Attribute = param_def()
    group: IntAttr = param_def()

    def __init__(self, width: int | IntAttr, element: Attribute, group: int | IntAttr = 1):
        sizes = [IntAttr(one) if isinstance(one, int) else one for one in (width, group)]
        super().__init__(sizes[0], element, sizes[1])

    @property
    def together(self) -> int:
        """How many values lie side by side."""
        return self.width.data * self.group.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            width = parser.parse_integer(allow_negative=False)
            parser.parse_punctuation(",")
            element = parser.parse_type()
            group = 1
            if parser.parse_optional_punctuation(",") is not None:
                group = parser.parse_integer(allow_negative=False)
            return IntAttr(width), element, IntAttr(group)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.width.data}, ")
            printer.print_attribute(self.element)
            if self.group.data != 1:
                printer.print_string(f", {self.group.data}")

    def verify(self) -> None:
        if not self.width.data or not self.group.data:
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
    if is_memref(type_):
        return type_.get_element_type()
    raise VerifyException(f"expected an array or a panel, not {type_}")
