"""Rows that are shorter than a vector, several in one.

    for i: for j < 4: c[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + …        c: … x 4, a: … x 4

A vector of 4 lanes is a quarter of a register. Where the rows of a tile lie one behind the other in
memory, `fold` of them are one vector of 4 * fold lanes:

    what moves with rows and columns    is one vector in memory
    what moves with the columns alone   is loaded once and repeated for each row
    what moves with the rows alone      is picked out of the vector of all such elements: those of a
                                        row, all of which the tile reads, lie side by side

So gcc's vectorizer does it for batches of matrices of 4 x 4, by loops that it has unrolled and
groups of accesses (I. Rosen, D. Nuzman, A. Zaks, Loop-aware SLP in GCC, GCC Developers' Summit
2007). Each element sees the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import prod

from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.cmem import memref_type
from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.affine.affine_nest import AffineLoop
from polyopt.ir.affine.linear import Linear
from polyopt.ir.expressions.shapes import is_row_major
from polyopt.passes.loops.affine_builder import AffineBuilder
from polyopt.passes.loops.registers.nest_groups import Element, is_count
from polyopt.passes.loops.registers.register_nest import RegisterNest
from polyopt.passes.loops.transfer_builder import read
from polyopt.support.record import entity


def most_folded(
    nest: RegisterNest, columns: AffineLoop, rows: AffineLoop, lanes: int, widest: int
) -> int:
    """How many rows of `lanes` columns, all that there are, a vector of `widest` lanes may hold; 1
    where they do not lie so, or serial loops choose among the elements of a row."""
    if lanes >= widest or any(group.loops for group in nest.groups):
        return 1
    picked: dict[object, set[int]] = {}
    for group in nest.groups:
        if any(is_count(op) and op.operands[0] in (columns.iv, rows.iv) for op in group.operations):
            return 1
        for element in group.elements.values():
            if nest.held.get(element):
                continue
            pitch, step = _pitch(element, rows.iv), _pitch(element, columns.iv)
            if pitch != lanes and (pitch or element in nest.held):
                return 1
            if step != 1 and (step or element in nest.held):
                return 1
            if pitch and not step:
                place = flat(element)
                picked.setdefault((element[0], frozenset(place.terms)), set()).add(place.constant)
    if any(max(places) - min(places) != lanes - 1 for places in picked.values()):
        return 1
    return widest // lanes


def folded(rows: int, most: int) -> int:
    """How many of so many rows go into one vector: the tile has no other ones."""
    while rows % most:
        most //= 2
    return most


def flat(element: Element) -> Linear:
    """The number of the element from the array's first one; the inner extents are known."""
    array, forms = element
    shape = memref_type(array).get_shape()
    place = Linear()
    for depth, form in enumerate(forms):
        place = place + form * prod(shape[depth + 1 :])
    return place


def _pitch(element: Element, iterator: SSAValue) -> int | None:
    """How far apart in memory the elements of two neighbouring iterations are; None where that is
    not known."""
    array, forms = element
    if not any(form.uses([iterator]) for form in forms):
        return 0
    type_ = memref_type(array)
    if not is_row_major(type_) or DYNAMIC_INDEX in type_.get_shape()[1:]:
        return None
    return flat(element).coefficient(iterator)


def arrays_as_lines(
    builder: AffineBuilder, nest: RegisterNest, rows: AffineLoop
) -> dict[SSAValue, SSAValue]:
    """The arrays of which each row has elements of its own, from their first element on as arrays
    of one dimension."""
    lines: dict[SSAValue, SSAValue] = {}
    for element in dict.fromkeys(p for group in nest.groups for p in group.elements.values()):
        array, forms = element
        if array in lines or nest.held.get(element) or not any(f.uses([rows.iv]) for f in forms):
            continue
        type_ = memref_type(array)
        first = [builder.value(Linear()) for _ in type_.get_shape()]
        pointer = builder.insert(cmem.AddressOp(array, first))
        line = MemRefType(type_.element_type, [DYNAMIC_INDEX])
        lines[array] = builder.insert(cmem.ViewOp(pointer, (), line)).result
    return lines


@entity
class FoldedRows:
    """Loads for the vectors of one tile. `lanes` are those of one row."""

    builder: AffineBuilder
    lanes: int
    fold: int
    rows: SSAValue
    columns: SSAValue
    lines: Mapping[SSAValue, SSAValue]
    """The arrays as rows (`arrays_as_lines`)."""
    _rows_read: dict[tuple[SSAValue, Linear], SSAValue] = field(
        default_factory=dict[tuple[SSAValue, Linear], SSAValue]
    )

    def moves(self, element: Element) -> bool:
        """Has each row an element of its own?"""
        return any(form.uses([self.rows]) for form in element[1])

    def place(self, element: Element) -> tuple[SSAValue, tuple[Linear, ...]]:
        """The same element of the array as one row: lanes go on in the next row."""
        return self.lines[element[0]], (flat(element),)

    def load(self, element: Element, here: Element, elements: Sequence[Element]) -> SSAValue:
        """The vector of `element`, which is `here` for its first lane, of a nest that touches
        `elements`."""
        b, (array, forms) = self.builder, here
        type_ = memref_type(array).element_type
        wide: VectorType[Attribute] = VectorType(type_, [self.lanes * self.fold])
        if not self.moves(element):
            row = read(b, array, forms, VectorType(type_, [self.lanes]))
            return self._shuffled(row, [*range(self.lanes)] * self.fold)
        line, (place,) = self.place(here)
        if any(form.uses([self.columns]) for form in element[1]):
            return read(b, line, [place], wide)
        nth = self._number_in_row(element, elements)
        first = place - nth
        if (line, first) not in self._rows_read:
            self._rows_read[line, first] = read(b, line, [first], wide)
        order = [nth + row * self.lanes for row in range(self.fold) for _ in range(self.lanes)]
        return self._shuffled(self._rows_read[line, first], order)

    def _number_in_row(self, element: Element, elements: Sequence[Element]) -> int:
        """How many elements of the row that is read lie in front of this one."""
        own = flat(element)
        beside = [
            flat(other) - own for other in elements if other[0] is element[0] and self.moves(other)
        ]
        return -min(one.constant for one in beside if not one.terms)

    def _shuffled(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        type_ = value.type
        assert is_vector(type_)
        mask = DenseArrayBase.from_list(i64, order)
        wide = VectorType(type_.element_type, [len(order)])
        return self.builder.insert(vector.ShuffleOp(value, value, mask, result_type=wide)).result
