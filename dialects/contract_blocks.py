"""The operations of `contract` for a nest in blocks: panels, what packs them, register tiles.

Wherever one is reached, `assuming` holds: what is around it has seen to that. Where a panel is a
place in memory (a memref of three dimensions: tile, step of depth, value) all of them say the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.contract_body import BodyOp, check_body, rank_of
from polyopt.dialects.contract_forms import (
    BlockingAttr,
    PanelType,
    check_map,
    check_set,
    coefficients,
    element_of,
)
from polyopt.dialects.contract_groups import narrow_product
from polyopt.dialects.shaped_types import is_memref


@irdl_op_definition
class PanelOp(IRDLOperation):
    """Room for a block of at most the least of `across` rows or columns, and of `deep` steps.

    For each of a few rows, side by side, there is a value for one step after the other; then come
    the next rows. `kept`: what was packed stays for the next iteration of the loop around;
    `shared`: there is one for all members of the team around.

    %p = contract.panel across affine_map<()[s0] -> (s0, 96)> deep … with (%n)
           : !contract.panel<4, f64>
    """

    name = "contract.panel"
    across = prop_def(AffineMapAttr)
    deep = prop_def(AffineMapAttr)
    symbols = var_operand_def(IndexType())
    kept = opt_prop_def(UnitAttr)
    shared = opt_prop_def(UnitAttr)
    panel = result_def(PanelType)
    assembly_format = (
        "`across` $across `deep` $deep `with` `(` $symbols `)` (`kept` $kept^)?"
        " (`shared` $shared^)? attr-dict `:` type($panel)"
    )

    def __init__(
        self,
        across: AffineMapAttr,
        deep: AffineMapAttr,
        symbols: Sequence[SSAValue],
        type: PanelType,
        *,
        is_kept: bool = False,
        is_shared: bool = False,
    ):
        super().__init__(
            operands=[symbols],
            properties={
                "across": across,
                "deep": deep,
                "kept": UnitAttr() if is_kept else None,
                "shared": UnitAttr() if is_shared else None,
            },
            result_types=[type],
        )

    @property
    def type(self) -> PanelType:
        assert isinstance(self.panel.type, PanelType)
        return self.panel.type

    def verify_(self) -> None:
        for one in (self.across, self.deep):
            check_map(one, 0, len(self.symbols))
            if not one.data.results:
                raise VerifyException("expected a size")


@irdl_op_definition
class PackOp(BodyOp):
    """Fill a panel: its first place is (x, k) of `from`, and for each (x, k) of the domain it gets
    what the body yields.

    Of x, there are as many as the least of `counts`. A place without a point holds anything, but
    zero behind the last x. With a `group`, so many steps of k lie side by side, as its type said,
    and a place behind the last k holds zero. `shared`: the members of a team, all of which are
    here, do it together, and go on when all is done.

    contract.pack %p from affine_map<()[…] -> (s0, s1)> counts affine_map<()[…] -> (s2 - s0, 96)>
      in affine_set<(d0, d1)[…] : (…)> assuming affine_set<()[…] : (…)> with (%ib, %kb, %m)
      takes (%A : memref<?x?xf64>) at [affine_map<(d0, d1)[…] -> (d0, d1)>] lanes 8 {
    ^bb0(%x : index, %k : index, %a : f64):
      contract.yield %a : f64
    } : !contract.panel<4, f64>
    """

    name = "contract.pack"
    panel = operand_def(PanelType | MemRefType)
    corner = prop_def(AffineMapAttr)
    counts = prop_def(AffineMapAttr)
    assuming = prop_def(AffineSetAttr)
    taken = var_operand_def(MemRefType)
    lanes = prop_def(IntegerAttr[I64])
    group = opt_prop_def(IntegerAttr[I64])
    shared = opt_prop_def(UnitAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$panel `from` $corner `counts` $counts `in` $domain `assuming` $assuming"
        " `with` `(` $symbols `)` `takes` `(` $taken `:` type($taken) `)` `at` $maps"
        " `lanes` $lanes (`group` $group^)? (`shared` $shared^)? $body attr-dict `:` type($panel)"
    )

    def __init__(
        self,
        panel: SSAValue,
        corner: AffineMapAttr,
        counts: AffineMapAttr,
        domain: AffineSetAttr,
        assuming: AffineSetAttr,
        symbols: Sequence[SSAValue],
        taken: Sequence[SSAValue],
        maps: Sequence[AffineMapAttr],
        lanes: int,
        group: int,
        body: Region,
    ):
        super().__init__(
            operands=[panel, taken, symbols],
            properties={
                "corner": corner,
                "counts": counts,
                "domain": domain,
                "assuming": assuming,
                "maps": ArrayAttr(maps),
                "lanes": IntegerAttr(lanes, i64),
                "group": IntegerAttr(group, i64) if group > 1 else None,
            },
            regions=[body],
        )

    @property
    def steps(self) -> int:
        """How many steps of k lie side by side."""
        return 1 if self.group is None else self.group.value.data

    @property
    def width(self) -> int:
        return together_of(self.panel.type) // self.steps

    def verify_(self) -> None:
        if self.dims != 2 or any(one.first_use for one in self.iterators):
            raise VerifyException("expected two iterators, which no value depends on")
        values = len(self.symbols)
        check_map(self.corner, 0, values, 2)
        check_map(self.counts, 0, values)
        check_set(self.assuming, 0, values)
        self.check_arrays(self.taken)
        check_panels([self.panel])
        type_, steps = self.panel.type, self.steps
        told = type_.group.data if isinstance(type_, PanelType) else steps
        if steps < 1 or steps != told or together_of(type_) % steps:
            raise VerifyException("expected the group of the panel")
        check_body(self.body.block, [element_of(self.panel.type)])


@irdl_op_definition
class TileOp(BodyOp):
    """The points (row, column, step of depth) of the domain that lie in one tile of the result.

    `at` gives the tile's number among the panel's rows and its first row, the same of columns, and
    the first step of depth in the panels. What it takes are scalars in memory; all else is in
    panels. The block of depth is the first, or the last, where `first` or `last` holds: there
    `begin` and `finish` run, but a `finish` that reads back only where `room` holds too.

    contract.tile at affine_map<()[…] -> (…)> in affine_set<(d0, d1, d2)[…] : (…)>
      assuming affine_set<…> first affine_set<…> last affine_set<…> room affine_set<…> with (…)
      blocking <…> updates (%C : …) takes (%s : memref<f64>) maps […]
      rows (%p : …) columns (%q : …) {
    ^bb0(%i : index, %j : index, %k : index, %x : f64, %scale : f64, %a : f64, %b : f64): …
    }
    """

    name = "contract.tile"
    corner = prop_def(AffineMapAttr)
    assuming = prop_def(AffineSetAttr)
    first = prop_def(AffineSetAttr)
    last = prop_def(AffineSetAttr)
    room = prop_def(AffineSetAttr)
    blocking = prop_def(BlockingAttr)
    updated = var_operand_def(MemRefType)
    taken = var_operand_def(MemRefType)
    row_panels = var_operand_def(PanelType | MemRefType)
    column_panels = var_operand_def(PanelType | MemRefType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "`at` $corner `in` $domain `assuming` $assuming `first` $first `last` $last `room` $room"
        " `with` `(` $symbols `)` `blocking` $blocking"
        " `updates` `(` $updated `:` type($updated) `)` (`takes` `(` $taken^ `:` type($taken) `)`)?"
        " `maps` $maps `rows` `(` $row_panels `:` type($row_panels) `)`"
        " `columns` `(` $column_panels `:` type($column_panels) `)` $body attr-dict"
    )

    def __init__(
        self,
        places: dict[str, Attribute],
        symbols: Sequence[SSAValue],
        blocking: BlockingAttr,
        arrays: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        maps: Sequence[AffineMapAttr],
        panels: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        body: Region,
    ):
        """`places` are the properties from `corner` to `room`."""
        super().__init__(
            operands=[*arrays, *panels, symbols],
            properties={**places, "blocking": blocking, "maps": ArrayAttr(maps)},
            regions=[body],
        )

    def verify_(self) -> None:
        if self.dims != 3:
            raise VerifyException("expected a row, a column and a step of depth")
        values = len(self.symbols)
        check_map(self.corner, 0, values, 5)
        for one in (self.assuming, self.first, self.last, self.room):
            check_set(one, 0, values)
        if any(rank_of(one) for one in self.taken):
            raise VerifyException("expected scalars in memory; all else is in panels")
        self.check_arrays([*self.updated, *self.taken], [*self.row_panels, *self.column_panels])
        sizes = self.blocking.data
        check_panels(self.row_panels, sizes.rows * sizes.group)
        check_panels(self.column_panels, sizes.columns * sizes.group)
        self.check_computes(len(self.updated))
        if sizes.group > 1:
            self._check_group(sizes.group)

    def _check_group(self, group: int) -> None:
        """Groups are of narrow products, all of whose steps are there for all elements."""
        product = narrow_product(self.yielded, self.elements[0]) if self.updated else None
        panels = [*self.row_panels, *self.column_panels]
        if product is None or {*product.factors} != {*self.elements[-len(panels) :]}:
            raise VerifyException("expected a product of narrow integers where steps are grouped")
        if product.lhs.input.type != IntegerType(32 // group):
            raise VerifyException("expected groups of 32 bits")
        for one in self.domain.data.constraints:
            row, column, depth = coefficients(one.lhs - one.rhs, self.dims, len(self.symbols))
            if depth and (row or column):
                raise VerifyException("expected the same steps of depth for all elements")


def together_of(type_: Attribute) -> int:
    """How many values lie side by side in a panel."""
    if isinstance(type_, PanelType):
        return type_.together
    assert is_memref(type_)
    return type_.get_shape()[-1]


def check_panels(panels: Sequence[SSAValue], width: int | None = None) -> None:
    """Raise VerifyException where a panel in memory has no place for tile, step and value, or
    not so many values side by side."""
    for one in panels:
        if not isinstance(one.type, PanelType) and rank_of(one) != 3:
            raise VerifyException("expected a panel in memory to have three dimensions")
        if width is not None and together_of(one.type) != width:
            raise VerifyException(f"expected panels {width} wide")
