"""affine-to-poly: loops that no C front end made become SCoPs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import combinations

from xdsl.context import Context
from xdsl.dialects import affine, func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from polyopt.dialects.locations import span_of
from polyopt.ir.effects import is_pure
from polyopt.ir.objects.alias import may_overlap
from polyopt.passes.raising.apart_at_run_time import Pair, has_known_ends, run_if_apart
from polyopt.passes.raising.scalars import NESTED, demote, is_inside
from polyopt.passes.raising.scop_builder import build_scop
from polyopt.passes.raising.scop_reader import NotRaisable, ScopReader
from polyopt.support.record import entity, record
from polyopt.support.remarks import remark


@record
class AffineToPolyPass(ModulePass):
    """Replace rows of affine loops and branches by `poly.scop`.

    Requires: subscripts are in bounds. Memrefs that are different values must be proved to be
    apart; `assume_distinct` says that they are, as affine passes of MLIR assume, and with
    `check_overlaps` the program compares their addresses and runs the loops as they were where
    they are not.
    Ensures: loops that are no SCoP stay as they are, and a remark says why.

        affine.for %i = 0 to %n {         poly.scop … schedule <"[{ S[i] -> [(i)] }]"> {
          %x = affine.load %A[%i]     =>    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
          affine.store %x, %B[%i + 1]         … poly.read %A … poly.write %x, %B … } }
        }
    """

    name = "affine-to-poly"

    assume_distinct: bool = False
    check_overlaps: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [inner for inner in op.walk() if isinstance(inner, func.FuncOp)]:
            if function.body.blocks:
                _Raising(function, self.assume_distinct, self.check_overlaps).region(function.body)


Loops = affine.ForOp | affine.IfOp


def _called(row: Sequence[Loops]) -> str:
    """The row in the user's words."""
    first = row[0]
    name = first.body.block.args[0].name_hint if isinstance(first, affine.ForOp) else None
    one = "conditional" if isinstance(first, affine.IfOp) else f"loop {name}" if name else "loop"
    return one if len(row) == 1 else f"{one} with its neighbours"


@entity
class _Raising:
    function: func.FuncOp
    assume_distinct: bool
    check_overlaps: bool
    count: int = 0
    cells: list[SSAValue] = field(default_factory=list[SSAValue])

    def region(self, region: Region) -> None:
        for block in region.blocks:
            self.block(block)

    def block(self, block: Block) -> None:
        """Raise the rows of loops in a block; between the loops of a row stand only operations
        without effects, which can go before all of them."""
        row: list[Loops] = []
        for op in list(block.ops):
            if isinstance(op, NESTED) and self.is_scop([op]):
                row.append(op)
                if not op.results:
                    continue
            elif is_pure(op):
                continue
            else:
                for region in op.regions:
                    self.region(region)
            self.finish(row)
            row = []
        self.finish(row)

    def finish(self, row: list[Loops]) -> None:
        if len(row) > 1 and not self.is_scop(row):
            for op in row:
                self.build([op])
        elif row:
            self.build(row)

    def is_scop(self, row: Sequence[Loops]) -> bool:
        reader = ScopReader(row)
        try:
            reader.read()
        except NotRaisable as error:
            if error.op.name.startswith("contract."):
                return False
            message = f"{_called(row)} not optimised: {error}"
            remark("missed", "not-a-scop", message, span_of(row[0]) or span_of(error.op))
            return False
        overlapping = [
            f"'{reader.arrays[a]}' and '{reader.arrays[b]}'"
            for a, b in self.overlaps(reader)
            if not (self.check_overlaps and all(self.is_comparable(one, row) for one in (a, b)))
        ]
        if not overlapping:
            return True
        message = (
            f"{_called(row)} not optimised: {', '.join(overlapping)} may overlap; "
            "assume-distinct says that different memrefs do not, llvm.noalias that an argument "
            "does not"
        )
        remark("missed", "may-overlap", message, span_of(row[0]))
        return False

    def overlaps(self, reader: ScopReader) -> list[Pair]:
        """The memrefs that are not known to be apart, and of which one is written."""
        if self.assume_distinct:
            return []
        return [
            (a, b)
            for a, b in combinations(reader.arrays, 2)
            if (a in reader.written or b in reader.written) and may_overlap(a, b)
        ]

    def is_comparable(self, array: SSAValue, row: Sequence[Loops]) -> bool:
        """Whether its addresses can be asked for in front of the row."""
        return has_known_ends(array) and not is_inside(array, row)

    def make_cell(self, value: SSAValue) -> SSAValue:
        """A variable of the function for a value that passes between statements."""
        first = self.function.body.blocks.first
        assert first is not None
        cell = memref.AllocaOp.get(value.type, shape=[])
        cell.memref.name_hint = value.name_hint or "scalar"
        cell.location = self.function.location
        Rewriter.insert_op(cell, InsertPoint.at_start(first))
        self.cells.append(cell.memref)
        return cell.memref

    def build(self, row: Sequence[Loops]) -> None:
        self.cells = []
        row = [demote(op, self.make_cell) for op in row]
        last = row[-1]
        reader = ScopReader(row)
        reader.read()
        pairs = self.overlaps(reader)
        name = self.function.sym_name.data + (f"_{self.count}" if self.count else "")
        self.count += 1
        arrays, scop = build_scop(name, row, self.cells)
        if pairs:
            named = ", ".join(f"'{reader.arrays[a]}' and '{reader.arrays[b]}'" for a, b in pairs)
            message = f"{_called(row)} behind a run-time check that {named} do not overlap"
            remark("analysis", "checked-overlap", message, span_of(row[0]))
            run_if_apart(pairs, [scop] if arrays is None else [arrays, scop], row)
            return
        if arrays is not None:
            Rewriter.insert_op(arrays, InsertPoint.before(last))
        Rewriter.insert_op(scop, InsertPoint.before(last))
        for op in row:
            Rewriter.erase_op(op)
