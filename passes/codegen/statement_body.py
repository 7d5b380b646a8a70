"""Statement bodies at given instances: the operations of a `poly.stmt`, with its accesses affine.

An access becomes `affine.load` / `affine.store`: its relation composed with the instance's
iteration vector, so that subscripts are maps over the loops' iterators. An access with a run-time
index becomes `memref.load` / `memref.store`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from xdsl.dialects import affine, arith, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.poly import ReadOp, StmtOp, WriteOp
from polyopt.dialects.poly_view import accesses_of
from polyopt.passes.codegen.loop_builder import Site, affine_map, emit
from polyopt.poly.loops.expressions import substitute
from polyopt.poly.loops.loop_tree import Expr, Instance
from polyopt.poly.loops.subscripts import subscripts_of
from polyopt.poly.scop import Scop
from polyopt.support.record import entity

NO_FLAGS = arith.IntegerOverflowAttr("none")

Values = dict[SSAValue, SSAValue]
"""From values of the `poly.stmt` to those of the copy."""


@entity
class StatementBodies:
    """`reassociated` are the statements whose reduction may run in another order. Its partial
    results are then others than in C and may wrap, so it loses its promise of no overflow."""

    scop: Scop
    operations: Mapping[str, StmtOp]
    reassociated: frozenset[str] = frozenset()
    _subscripts: dict[Operation, tuple[Expr, ...]] = field(
        default_factory=dict[Operation, tuple[Expr, ...]]
    )

    def build(self, node: Instance, site: Site) -> None:
        """The body of one statement at one instance."""
        statement = self.operations[node.statement]
        values: Values = {}
        iteration: dict[SSAValue, Expr] = {}
        iteration.update(zip(statement.body.block.args, node.arguments, strict=True))
        for op in statement.body.block.ops:
            for used in _operands_in(op):
                if used in iteration and used not in values:
                    values[used] = emit(iteration[used], site)
            self._copy(op, node, values, site)

    def _copy(self, op: Operation, node: Instance, values: Values, site: Site) -> None:
        if isinstance(op, ReadOp | WriteOp):
            new = self._access(op, node, values, site)
        elif isinstance(op, scf.IfOp):
            new = self._conditional(op, node, values, site)
        else:
            new = op.clone(values)
            if node.statement in self.reassociated and "overflowFlags" in new.properties:
                new.properties["overflowFlags"] = NO_FLAGS
        new.location = op.location
        site.block.add_op(new)

    def _conditional(self, op: scf.IfOp, node: Instance, values: Values, site: Site) -> scf.IfOp:
        """Accesses that data decide on."""
        regions: list[Region] = []
        for region in op.regions:
            blocks = [Block() for _ in region.blocks]
            for old, new in zip(region.blocks, blocks, strict=True):
                for inner in old.ops:
                    self._copy(inner, node, values, site.inside(new))
            regions.append(Region(blocks))
        condition = values.get(op.cond, op.cond)
        copy = scf.IfOp(condition, op.result_types, regions[0], regions[1])
        values.update(zip(op.results, copy.results, strict=True))
        return copy

    def _access(
        self, op: ReadOp | WriteOp, node: Instance, values: Values, site: Site
    ) -> Operation:
        if op.index:
            index = [values.get(value, value) for value in op.index]
            if isinstance(op, WriteOp):
                return memref.StoreOp.get(values.get(op.value, op.value), op.array, index)
            load = memref.LoadOp.get(op.array, index)
        else:
            iteration = {str(k): value for k, value in enumerate(node.arguments)}
            subscripts = self._element(op, node.statement)
            element = [substitute(one, iteration) for one in subscripts]
            place, operands = affine_map(element, site)
            if isinstance(op, WriteOp):
                written = values.get(op.value, op.value)
                return affine.StoreOp(written, op.array, operands, place)
            load = affine.LoadOp(op.array, operands, place)
        values[op.result] = load.results[0]
        load.results[0].name_hint = op.result.name_hint
        return load

    def _element(self, op: ReadOp | WriteOp, name: str) -> tuple[Expr, ...]:
        """The subscripts over the positions of the iteration vector; read once a statement."""
        if op not in self._subscripts:
            data = self.scop.statement(name)
            domain = data.domain.intersect_params(self.scop.known)
            if domain.is_empty():
                # What is assumed leaves this statement no instance, but a place in the loops.
                domain = data.domain
            accesses = accesses_of(self.operations[name])
            for access, one in zip(accesses, data.accesses, strict=True):
                if not access.index:
                    self._subscripts[access] = subscripts_of(one.relation, domain)
        return self._subscripts[op]


def _operands_in(op: Operation) -> Sequence[SSAValue]:
    if not op.regions:
        return op.operands
    return [operand for inner in op.walk() for operand in inner.operands]
