"""affine-look-up-rows: which row of a table a nest reads is found in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from xdsl.context import Context
from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from polyopt.dialects import cmem
from polyopt.dialects.inside import operations_in
from polyopt.ir.affine.affine_nest import is_defined_inside
from polyopt.ir.affine.linear import Linear, map_of
from polyopt.ir.control.equal_values import drop_unused_values
from polyopt.ir.expressions.shapes import dynamic_sizes
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.memory.row_lookups import (
    Lookup,
    find_lookup,
    loads_of,
    runs_conditions,
)
from polyopt.support.record import entity, record


@record
class AffineLookUpRowsPass(ModulePass):
    """Give what a nest reads and writes of a row that it looks up subscripts that are affine.

    Neighbours by their numbers, embeddings, blocks of a sparse matrix: as far as a nest of two
    loops or more is concerned, the row is an array like any other, of which tiles, vectors and
    panels can be made (what is inspected in front of where it is needed: J. Saltz, R. Mirchandaney,
    K. Crowley, Run-Time Parallelization and Scheduling of Loops, IEEE Trans. Computers 40(5) 1991).

    Requires: nothing; that nobody writes in the nest what the row is found from is proved
    (`row_lookups.py`).
    Ensures: the same elements are touched in the same order. Where the nest has no iteration,
    nothing is loaded.

        affine.for %x { affine.for %z {              %r = affine.load %c[%p]
          %r = affine.load %c[%p]                    %a = cmem.address %T[%r, 0, 0]
          memref.load %T[%r, %x, %z] } }      =>     %row = cmem.view %a[]
                                                     affine.for %x { affine.for %z {
                                                       affine.load %row[%x, %z] } }
    """

    name = "affine-look-up-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loads = operations_in(op, memref.LoadOp)
        stores = operations_in(op, memref.StoreOp) if loads else []
        rows: dict[tuple[object, ...], SSAValue] = {}
        fronts: dict[Operation, _Front] = {}
        for place in (*loads, *stores):
            lookup = find_lookup(place)
            sizes = None if lookup is None else _sizes_inside(lookup)
            if lookup is None or sizes is None:
                continue
            front = fronts.setdefault(lookup.root, _Front(lookup.root))
            leading = tuple(front.form(form, lookup) for form in lookup.leading)
            key = (lookup.root, place.memref, leading, lookup.is_added)
            if key not in rows:
                rows[key] = front.row(lookup, leading, sizes)
            _touch(lookup, rows[key])
        for root in fronts:
            drop_unused_values([root])


def _sizes_inside(lookup: Lookup) -> list[SSAValue] | None:
    """The dynamic extents of a row's dimensions but the first; None where they are not known."""
    array = lookup.op.memref
    shape = cmem.memref_type(array).get_shape()
    first = len(shape) - len(lookup.inside) + 1
    wanted = [number for number in range(first, len(shape)) if shape[number] == DYNAMIC_INDEX]
    if not wanted:
        return []
    sizes = dynamic_sizes(array)
    if sizes is None:
        return None
    dynamic = [number for number, extent in enumerate(shape) if extent == DYNAMIC_INDEX]
    found = [size for number, size in zip(dynamic, sizes, strict=True) if number in wanted]
    known = [size for size in found if size is not None]
    return known if len(known) == len(found) else None


def _touch(lookup: Lookup, row: SSAValue) -> None:
    """The same place, as one of the row."""
    op = lookup.op
    map_, operands = map_of(lookup.inside)
    block = op.parent
    assert block is not None
    new: affine.LoadOp | affine.StoreOp
    if isinstance(op, memref.LoadOp):
        new = affine.LoadOp(row, operands, map_)
        new.result.name_hint = op.res.name_hint
        op.res.replace_all_uses_with(new.result)
    else:
        new = affine.StoreOp(op.value, row, operands, map_)
    new.attributes.update(op.attributes)
    new.location = op.location
    block.insert_op_before(new, op)
    op.detach()
    op.erase()


@entity
class _Front:
    """What is computed in front of a nest, the same once."""

    root: affine.ForOp
    _same: dict[tuple[object, ...], Sequence[SSAValue]] = field(
        default_factory=dict[tuple[object, ...], Sequence[SSAValue]]
    )

    def form(self, form: Linear, lookup: Lookup) -> Linear:
        found = {
            value: Linear.of(self._value(value, lookup))
            for value in form.values
            if is_defined_inside(value, self.root)
        }
        return form.substitute(found)

    def row(self, lookup: Lookup, leading: Sequence[Linear], sizes: Sequence[SSAValue]) -> SSAValue:
        array = lookup.op.memref
        type_ = cmem.memref_type(array)
        shape = type_.get_shape()
        inside = list(shape[len(shape) - len(lookup.inside) :])
        if lookup.is_added:
            inside[0] = DYNAMIC_INDEX
        builder = AffineBuilder(Block(), lookup.op)
        rest = [Linear()] * (len(shape) - len(leading))
        place = [builder.value(form) for form in (*leading, *rest)]
        address = builder.insert(cmem.AddressOp(array, place)).result
        row_type: MemRefType[Attribute] = MemRefType(type_.element_type, inside)
        view = builder.insert(cmem.ViewOp(address, sizes, row_type)).result
        view.name_hint = array.name_hint
        self._put(builder)
        return view

    def _value(self, value: SSAValue, lookup: Lookup) -> SSAValue:
        """The value in front of the nest."""
        if not is_defined_inside(value, self.root):
            return value
        op = value.owner
        assert isinstance(op, Operation)
        operands = [self._value(operand, lookup) for operand in op.operands]
        # Of two places in loops beside each other, one may run where the other does not.
        conditions = (runs_conditions(lookup.loops) or ()) if op in loads_of(lookup) else ()
        said = (*op.properties.items(), *op.attributes.items())
        key = (type(op), tuple(operands), said, conditions)
        if key not in self._same:
            copy = op.clone(dict(zip(op.operands, operands, strict=True)))
            builder = AffineBuilder(Block(), lookup.op)
            if conditions:
                self._same[key] = _where(builder, conditions, copy)
            else:
                self._same[key] = builder.insert(copy).results
            self._put(builder)
        return self._same[key][value.index if isinstance(value, OpResult) else 0]

    def _put(self, builder: AffineBuilder) -> None:
        block = self.root.parent
        assert block is not None
        for op in list(builder.block.ops):
            op.detach()
            block.insert_op_before(op, self.root)


def _where(
    builder: AffineBuilder, conditions: Sequence[Linear], load: Operation
) -> Sequence[SSAValue]:
    """What is loaded where the conditions hold; elsewhere nobody needs it, and it is zero."""
    [type_] = [result.type for result in load.results]
    branch = builder.branch(conditions, [type_])
    with branch.then() as side:
        side.yielded = tuple(builder.insert(load).results)
    with branch.orelse() as side:
        side.yielded = (builder.zero(type_),)
    return branch.close()
