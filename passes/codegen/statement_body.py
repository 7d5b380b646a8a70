"""Statement bodies at given instances: the operations of a `poly.stmt`, with its accesses affine.

An access becomes `affine.load` / `affine.store`: its relation composed with the instance's
iteration vector, so that subscripts are maps over the loops' iterators. An access with a run-time
index becomes `memref.load` / `memref.store`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from functools import cached_property

import islpy as isl
from xdsl.dialects import affine, arith, memref, scf
from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from polyopt.dialects.poly import ReadOp, StmtOp, WriteOp
from polyopt.dialects.poly_view import accesses_of
from polyopt.ir.affine.access_maps import by_dimensions
from polyopt.passes.codegen.loop_builder import Site, affine_map, emit
from polyopt.poly.generation.executions import TooManyCases, executions
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.loops.expressions import chooses, substitute
from polyopt.poly.loops.loop_tree import Expr, Instance, Node
from polyopt.poly.loops.subscripts import subscripts_of
from polyopt.poly.scop import Scop
from polyopt.support.record import entity

_OPERATIONS = 4_000_000

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
    loops: Sequence[Node] = ()
    """In which the instances stand, as far as they are known: what a subscript chooses by may be
    decided there."""
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
            subscripts = self._element(op, node)
            element = [substitute(one, iteration) for one in subscripts]
            map, operands = affine_map(element, site)
            place = AffineMapAttr(by_dimensions(map.data))
            if isinstance(op, WriteOp):
                written = values.get(op.value, op.value)
                return affine.StoreOp(written, op.array, operands, place)
            load = affine.LoadOp(op.array, operands, place)
        values[op.result] = load.results[0]
        load.results[0].name_hint = op.result.name_hint
        return load

    def _element(self, op: ReadOp | WriteOp, node: Instance) -> tuple[Expr, ...]:
        """The subscripts over the positions of the iteration vector; read once a statement, and
        where they choose once more at each place in the loops."""
        name = node.statement
        if op not in self._subscripts:
            data = self.scop.statement(name)
            accesses = accesses_of(self.operations[name])
            for access, one in zip(accesses, data.accesses, strict=True):
                if not access.index:
                    self._subscripts[access] = subscripts_of(one.relation, self._domain(name))
        found = self._subscripts[op]
        if any(chooses(one) for one in found) and id(node) in self._here:
            position = accesses_of(self.operations[name]).index(op)
            relation = self.scop.statement(name).accesses[position].relation
            with suppress(BudgetExceeded), budget("subscripts", _OPERATIONS):
                return subscripts_of(relation, self._here[id(node)])
        return found

    def _domain(self, name: str) -> isl.Set:
        domain = self.scop.statement(name).domain
        inside = domain.intersect_params(self.scop.known)
        # What is assumed may leave a statement no instance, but a place in the loops.
        return domain if inside.is_empty() else inside

    @cached_property
    def _here(self) -> dict[int, isl.Set]:
        """What runs at each place in the loops, by the identity of its node."""
        found: dict[int, isl.Set] = {}
        try:
            with budget("subscripts", _OPERATIONS):
                for one in executions(self.loops):
                    key, part = id(one.instance), one.iterations(self.scop).domain()
                    part = part.intersect(self._domain(one.statement))
                    found[key] = found[key].union(part) if key in found else part
        except (BudgetExceeded, TooManyCases):
            return {}
        return {key: part for key, part in found.items() if not part.is_empty()}


def _operands_in(op: Operation) -> Sequence[SSAValue]:
    if not op.regions:
        return op.operands
    return [operand for inner in op.walk() for operand in inner.operands]
