"""`poly.scop` from what has been read of a row of loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, memref
from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from polyopt.dialects.cmem import DistinctObjectsOp
from polyopt.dialects.poly import MapAttr, ReadOp, ScheduleAttr, ScopOp, SetAttr, StmtOp, WriteOp
from polyopt.passes.raising.scalars import is_inside
from polyopt.passes.raising.scop_reader import ACCESSES, STORES, RawStatement, ScopReader
from polyopt.support.record import entity

INDEX = IndexType()


def build_scop(
    name: str, row: Sequence[Operation], cells: Sequence[SSAValue]
) -> tuple[DistinctObjectsOp | None, ScopOp]:
    """The SCoP of a row of loops, which it does not use any more, and the operation that says
    that its arrays are apart. `cells` are variables of the row, local unless read elsewhere."""
    reader = ScopReader(row)
    tree = reader.read()
    # Subscripts may name further parameters: all are known before the first text is written.
    accesses = [op for one in reader.statements for op in one.ops if isinstance(op, ACCESSES)]
    elements: dict[Operation, list[str] | None] = {op: reader.element(op) for op in accesses}
    used = {op.memref for op in accesses}
    arrays = [array for array in reader.arrays if array in used]
    names = [reader.arrays[array] for array in arrays]
    apart = DistinctObjectsOp(arrays) if len(arrays) > 1 else None
    results = list(apart.res) if apart is not None else arrays
    writer = _Writer(reader, elements, dict(zip(arrays, results, strict=True)))
    statements = [writer.statement(one) for one in reader.statements]
    domains = "; ".join(writer.domain_text(one) for one in reader.statements)
    below = f", child: {{ {tree} }}" if tree else ""
    prefix = writer.prefix
    scop = ScopOp(
        name,
        list(reader.parameters),
        list(reader.parameters.values()),
        results,
        names,
        SetAttr.from_text(f"{prefix}{{ : }}"),
        ScheduleAttr.from_text(f'{{ domain: "{prefix}{{ {domains} }}"{below} }}'),
        Region(Block(statements)),
        local=[reader.arrays[cell] for cell in cells if cell in used and _is_dead(cell, row)],
    )
    scop.location = row[0].location
    if apart is not None:
        apart.location = row[0].location
        for old, new in zip(arrays, results, strict=True):
            new.name_hint = old.name_hint
    return apart, scop


@entity
class _Writer:
    reader: ScopReader
    elements: Mapping[Operation, list[str] | None]
    arrays: dict[SSAValue, SSAValue]
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    body: Block = field(default_factory=Block)

    @property
    def prefix(self) -> str:
        return f"[{', '.join(self.reader.parameters.values())}] -> "

    def domain_text(self, raw: RawStatement) -> str:
        tests = " and ".join(f"({test})" for test in raw.around.conditions)
        return f"{raw.instance} : {tests or '0 = 0'}"

    def statement(self, raw: RawStatement) -> StmtOp:
        iterators = raw.around.iterators
        self.body = Block(arg_types=[INDEX] * len(iterators))
        self.values = {}
        for argument, (iterator, name) in zip(self.body.args, iterators, strict=True):
            argument.name_hint = name
            self.values[iterator] = argument
        for op in raw.ops:
            self.operation(op, raw)
        domain = SetAttr.from_text(f"{self.prefix}{{ {self.domain_text(raw)} }}")
        statement = StmtOp(
            raw.name, domain, Region(self.body), iterators=[name for _, name in iterators]
        )
        statement.location = raw.ops[-1].location
        return statement

    def operation(self, op: Operation, raw: RawStatement) -> None:
        if not isinstance(op, ACCESSES):
            self.compute(op)
            return
        name, array = self.reader.arrays[op.memref], self.arrays[op.memref]
        element = self.elements[op]
        index: list[SSAValue] = []
        if element is None:
            index = self.run_time_index(op)
            element = [self.reader.fresh("o") for _ in index]
        text = f"{self.prefix}{{ {raw.instance} -> {name}[{', '.join(element)}] }}"
        relation = MapAttr.from_text(text)
        if isinstance(op, STORES):
            value = self.value(op.value)
            self.append(WriteOp(value, array, relation, may=bool(index), index=index), op)
        else:
            read = ReadOp(array, relation, may=bool(index), index=index)
            self.append(read, op)
            read.result.name_hint = op.results[0].name_hint
            self.values[op.results[0]] = read.result

    def run_time_index(self, op: Operation) -> list[SSAValue]:
        match op:
            case affine.LoadOp() | affine.StoreOp():
                operands = [self.value(operand) for operand in op.indices]
                whole = op.map.data
                applied = [
                    affine.ApplyOp(operands, _only(whole, k)) for k in range(len(whole.results))
                ]
                for one in applied:
                    self.append(one, op)
                return [one.result for one in applied]
            case memref.LoadOp() | memref.StoreOp():
                return [self.value(index) for index in op.indices]
            case _:
                raise AssertionError(f"{op.name} is no access")

    def value(self, original: SSAValue) -> SSAValue:
        """The statement's own copy of a value: computed again where it is not there yet."""
        if original not in self.values and is_inside(original, self.reader.region):
            assert isinstance(original.owner, Operation)
            self.compute(original.owner)
        return self.values.get(original, original)

    def compute(self, op: Operation) -> None:
        if any(result in self.values for result in op.results):
            return
        for operand in op.operands:
            self.value(operand)
        self.body.add_op(op.clone(self.values))

    def append(self, new: Operation, like: Operation) -> None:
        new.location = like.location
        self.body.add_op(new)


def _is_dead(cell: SSAValue, row: Sequence[Operation]) -> bool:
    """Does nothing but the row read the cell?"""
    return all(
        not isinstance(use.operation, affine.LoadOp) or _is_within(use.operation, row)
        for use in cell.uses
    )


def _is_within(op: Operation | None, row: Sequence[Operation]) -> bool:
    while op is not None and op not in row:
        op = op.parent_op()
    return op is not None


def _only(map: AffineMap, result: int) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(map.num_dims, map.num_symbols, (map.results[result],)))
