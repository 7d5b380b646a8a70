"""Arrays that nobody has whole: parameters of functions that others call, whose declarations say
how long they are.

    void relax(int n, int m, double A[n][m], double *w)      A: each process has its rows
                                                             w: each process has it whole

How a parameter is cut, its declaration says to both sides: of n rows, process c of p has those from
floor(c n / p) on. Between two calls nothing else is anywhere, so such an array is accessed in the
loops that processes share, where what a process lacks comes to it, and nowhere else: what is left
to be run by each for itself ends the program with a message, if it runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import islpy as isl
from xdsl.dialects import arith, cf, func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.cmem_types import memref_type
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import ScopOp
from polyopt.ir.effects import is_pure
from polyopt.passes.distribute.runtime import PREFIX, call
from polyopt.passes.parallel.code import INDEX
from polyopt.poly.placement.ownership import Extents, Unplaceable
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record


@record(eq=False)
class OwnedArrays:
    """Of one function: the declared extents of its parameters, as C text, and all that leads to
    their elements."""

    function: func.FuncOp
    extents: Mapping[SSAValue, tuple[str, ...]]
    reached: frozenset[SSAValue]

    def is_in(self, op: ScopOp) -> bool:
        """Does the SCoP touch any of them?"""
        return any(value in self.reached for value in op.arrays)

    def homes(self, op: ScopOp, axes: int) -> tuple[Extents, dict[str, SSAValue]]:
        """The extents of the SCoP's arrays, by which they are cut, and the values of names in that
        which are not parameters of it. Raises Unplaceable."""
        names = self._names(op)
        found, extra = dict[str, Sequence[isl.PwAff]](), dict[str, SSAValue]()
        for value, name in zip(op.arrays, op.array_names, strict=True):
            if value not in self.reached:
                continue
            base = _base_of(value)
            rank = memref_type(value).get_num_dims()
            texts = self.extents.get(base) if base is not None else None
            if texts is None or len(texts) != rank:
                raise Unplaceable(f"'{name.data}' is accessed otherwise than its declaration says")
            extents = list(_extents(texts, axes, names))
            found[name.data] = [one for one, _ in extents]
            for _, said in extents:
                for one in said:
                    if one.startswith(_EXTENT):
                        extra[one] = self._value_of(one.removeprefix(_EXTENT))
        return found, extra

    def _names(self, op: ScopOp) -> dict[str, str]:
        """How the SCoP calls the parameters of the function."""
        arguments = {value: name for name, value, _ in _parameters_of(self.function)}
        names = {name: f"{_EXTENT}{name}" for name in arguments.values()}
        for value, name in zip(op.params, op.param_names, strict=True):
            while isinstance(value.owner, arith.IndexCastOp | arith.ExtSIOp | arith.ExtUIOp):
                value = value.owner.operands[0]
            if value in arguments:
                names[arguments[value]] = name.data
        return names

    def _value_of(self, name: str) -> SSAValue:
        """The parameter of this name, as an index, at the start of the function."""
        value, element = next(
            (value, element) for one, value, element in _parameters_of(self.function) if one == name
        )
        casts = list[Operation]()
        if element.startswith("u") and value.type != i64:
            casts.append(arith.ExtUIOp(value, i64))
            value = casts[-1].results[0]
        casts.append(arith.IndexCastOp(value, INDEX))
        Rewriter.insert_op(casts, InsertPoint.at_start(self.function.body.blocks[0]))
        return casts[-1].results[0]

    def refuse_elsewhere(self) -> None:
        """What touches their elements outside of SCoPs ends the program where it runs. Raises
        CompileError where it would run in every call."""
        always, blocks = set(_straight_on(self.function)), dict[Block, Operation]()
        for op in _outside_of_scops(self.function):
            if self._touches(op) and (block := op.parent_block()) is not None:
                blocks.setdefault(block, op)
                if block in always:
                    raise CompileError(
                        "an array of which each process has its part is accessed outside of the "
                        "loops that they share",
                        span=span_of(op),
                        hint="--remarks says which loops are left to each process, and why",
                    )
        for op in blocks.values():
            span = span_of(op)
            line = arith.ConstantOp.from_int_and_width(span.line if span else 0, i64)
            Rewriter.insert_op(
                [line, call(f"{PREFIX}owned", [line.result])], InsertPoint.before(op)
            )

    def _touches(self, op: Operation) -> bool:
        return _may_touch(op) and any(value in self.reached for value in op.operands)

    def check_used(self) -> None:
        """Raise CompileError where no SCoP is about one of them."""
        used = {
            _base_of(value)
            for op in self.function.walk()
            if isinstance(op, ScopOp)
            for value in op.arrays
        }
        for name, value, _ in _parameters_of(self.function):
            if value in self.extents and value not in used and _reads_of(value, self):
                raise CompileError(
                    f"'{name}' is accessed in no loops that processes could share, and each of "
                    "them has its part only",
                    span=span_of(self.function),
                    hint="--remarks says what stands against it; a pointer, without a size, is to "
                    "an array that each process has whole",
                )


_EXTENT = "extent_"


def owned_arrays(module: ModuleOp) -> list[OwnedArrays]:
    """Of the functions that nobody in the module calls, and others can."""
    mentioned = {
        attribute.string_value()
        for op in module.walk()
        if not isinstance(op, func.FuncOp)
        for attribute in (*op.properties.values(), *op.attributes.values())
        if isinstance(attribute, SymbolRefAttr)
    }
    found = list[OwnedArrays]()
    for op in module.ops:
        if not isinstance(op, func.FuncOp) or op.is_declaration:
            continue
        is_private = op.sym_visibility is not None and op.sym_visibility.data == "private"
        if is_private or op.sym_name.data in mentioned:
            continue
        extents = dict(_extents_of(op))
        if extents:
            found.append(OwnedArrays(op, extents, _reached(op, extents)))
    return found


def _described(function: func.FuncOp) -> Iterator[tuple[SSAValue, DictionaryAttr]]:
    described = function.attributes.get("cmem.parameters")
    # A struct or complex number by value may be several arguments, or none.
    if isa(described, ArrayAttr[DictionaryAttr]) and len(described) == len(function.args):
        yield from zip(function.args, described, strict=True)


def _parameters_of(function: func.FuncOp) -> Iterator[tuple[str, SSAValue, str]]:
    """Name, value and element of each."""
    for value, one in _described(function):
        yield _text(one.data["name"]), value, _text(one.data["element"])


def _extents_of(function: func.FuncOp) -> Iterator[tuple[SSAValue, tuple[str, ...]]]:
    for value, one in _described(function):
        shape = one.data.get("shape")
        if _text(one.data["kind"]) == "array" and isa(shape, ArrayAttr[StringAttr]):
            texts = tuple(extent.data for extent in shape)
            if _text(one.data["element"]) in ("c64", "c128"):
                texts = (*texts, "2")  # their parts
            if all(texts):
                yield value, texts


def _text(attribute: object) -> str:
    assert isinstance(attribute, StringAttr)
    return attribute.data


def _reached(function: func.FuncOp, start: Mapping[SSAValue, object]) -> frozenset[SSAValue]:
    """All values that an address of the arrays may be in, as far as computing goes."""
    found, todo = set(start), list(start)
    while todo:
        for use in todo.pop().uses:
            for value in _what_follows(use):
                if value not in found:
                    found.add(value)
                    todo.append(value)
    return frozenset(found)


def _what_follows(use: Use) -> Iterator[SSAValue]:
    """The values that may have an operand, or what is computed of it, in them."""
    op = use.operation
    if isinstance(op, cmem.DistinctObjectsOp):
        yield op.res[use.index]
    elif not _may_touch(op):
        yield from op.results
    for block in (*op.successors, *(block for region in op.regions for block in region.blocks)):
        yield from block.args
    if op.has_trait(IsTerminator) and not isinstance(around := op.parent_op(), func.FuncOp | None):
        yield from around.results


def _may_touch(op: Operation) -> bool:
    """Does it do anything with memory itself, besides what stands in its regions?"""
    return not (is_pure(op) or op.regions or op.has_trait(IsTerminator))


def _reads_of(value: SSAValue, arrays: OwnedArrays) -> bool:
    """Is an element of the array touched at all?"""
    reached = _reached(arrays.function, {value: ()})
    return any(
        (_may_touch(op) or isinstance(op, ScopOp)) and any(one in reached for one in op.operands)
        for op in arrays.function.walk()
    )


def _outside_of_scops(op: Operation) -> Iterator[Operation]:
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if not isinstance(inner, ScopOp):
                    yield inner
                    yield from _outside_of_scops(inner)


def _straight_on(function: func.FuncOp) -> Iterator[Block]:
    """The blocks that every call runs first, one after the other."""
    block, seen = function.body.blocks.first, set[Block]()
    while block is not None and block not in seen:
        seen.add(block)
        yield block
        last = block.last_op
        block = last.successor if isinstance(last, cf.BranchOp) else None


def _base_of(value: SSAValue) -> SSAValue | None:
    """The pointer that the whole array is seen through."""
    while isinstance(owner := value.owner, cmem.DistinctObjectsOp):
        value = owner.memrefs[list(owner.res).index(value)]  # pyright: ignore[reportArgumentType]
    return value.owner.operands[0] if isinstance(value.owner, cmem.ViewOp) else None


def _extents(
    texts: Sequence[str], axes: int, names: Mapping[str, str]
) -> Iterator[tuple[isl.PwAff, list[str]]]:
    """All of them, or the first ones, at least as many as there are axes. Raises Unplaceable."""
    for place, text in enumerate(texts):
        try:
            yield _extent(text, names)
        except Unplaceable:
            if place < axes:
                raise
            return


def _extent(text: str, names: Mapping[str, str]) -> tuple[isl.PwAff, list[str]]:
    """The extent that the text of a declaration means, with the names of the SCoP that are in it.
    Raises Unplaceable."""
    said = list[str]()
    try:
        spelt = _spelt(ast.parse(text.strip(), mode="eval").body, names, said)
    except (SyntaxError, _NotAffine):
        raise Unplaceable(f"the extent '{text}' is no sum of parameters and numbers") from None
    return isl.PwAff(f"[{', '.join(said)}] -> {{ [({spelt})] }}"), said


class _NotAffine(Exception):
    pass


def _spelt(tree: ast.expr, names: Mapping[str, str], said: list[str]) -> str:
    """isl's text of an affine expression; `said` gets the names in it."""
    match tree:
        case ast.Constant(int(value)):
            return str(value)
        case ast.Name(name) if name in names:
            if names[name] not in said:
                said.append(names[name])
            return names[name]
        case ast.UnaryOp(ast.USub(), inner):
            return f"-({_spelt(inner, names, said)})"
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            a, b = _spelt(left, names, said), _spelt(right, names, said)
            return f"({a}) {'+' if isinstance(sign, ast.Add) else '-'} ({b})"
        case ast.BinOp(ast.Constant(int(factor)), ast.Mult(), other):
            return f"{factor} * ({_spelt(other, names, said)})"
        case ast.BinOp(other, ast.Mult(), ast.Constant(int(factor))):
            return f"{factor} * ({_spelt(other, names, said)})"
        case _:
            raise _NotAffine
