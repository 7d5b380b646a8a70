"""contract: contractions as operations, from the nest of loops that one is to tiles and panels.

A contraction updates elements of arrays, once for each step of a sum, by a value each of whose
parts varies with the rows or with the columns of the result, never with both: n^3 work runs on n^2
data. Three levels, each with operations of its own:

    structured   contract.nest: what is computed, and which iterator has which role
    blocked      affine loops over blocks; contract.panel, contract.pack, contract.tile in them
    packed       the same where panels are places in memory

A nest says:

    contract.nest ["rows", "columns", "depth"] in affine_set<(d0, d1, d2)[s0] : (…)> with (%n)
      updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
      at [affine_map<(d0, d1, d2)[s0] -> (d0, d1)>, …] {
    ^bb0(%i : index, %j : index, %k : index, %x : f64, %p : f64, %q : f64):
      %t = arith.mulf %p, %q : f64
      %y = arith.addf %x, %t : f64
      contract.yield %y : f64
    }

As `linalg.generic` it has a map for each array and a body on elements; the domain need not be a
box, and maps may take values from outside (`with`). For each point of the domain: the elements at
the maps' places are read, and what the body yields is written to those of `updates`.

The law of the order: the updates of one element come in ascending order of `depth`. Else points
come in any order in which no element of `takes` is read behind a point that has written it, and
all that read an element written by the nest come, in each iterator, no later than its writer.
Whoever makes a nest has proved that the order which it had is one of these.

  rows, columns   one iterator each; no array of `takes` varies with both. A step along `columns`
                  leads to the next element in each array of `updates`
  depth           one iterator; no array of `updates` varies with it
  batch           the others

Each constraint of the domain has a coefficient of 1 or -1 for the last iterator that it uses, so
the points are those of loops in the order of the iterators: `loops`, if there, are facts on these.
`blocking` says in which sizes the nest is to be cut, and whether steps of `depth` are done in
groups, as `contract_groups.py` permits; `kept`, that the loop around it, which runs it in all
iterations or in none, gives what is packed of its columns the same values in each; `shared`, that
all members of a team run it at once, each on its own rows (`team.share`), and that what is packed
of its columns is the same for all.

What goes with the updates of an element stands in the body, in operations of their own:

    contract.begin %x : f64 { ^bb0(%old : f64): … contract.yield %new : f64 }
    contract.finish %x : f64 to %Y at affine_map<(d0, d1) -> (d0, d1)>(%i, %j) : memref<?x?xf64> {
      ^bb0(%sum : f64): … contract.yield %out : f64 }

`begin`: what it yields takes the place of an element in front of its first update. `finish`: what
it yields, of the element behind its last update, goes to Y. Both run once for each element that
the nest updates, and the nest has the same steps of `depth` for all of them. Nobody else in the
nest touches what `begin` changes or `finish` writes, but where `finish` says `reads_back`: then
arrays of `takes` read Y, each before it is written, as what is said of the order above.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.array_effects import ArrayEffects
from polyopt.dialects.contract_blocks import PackOp, PanelOp, TileOp
from polyopt.dialects.contract_body import AroundOp, BeginOp, BodyOp, FinishOp, YieldOp
from polyopt.dialects.contract_forms import BlockingAttr, PanelType, coefficients
from polyopt.dialects.loop_facts import LoopAttr

SINGLE_ROLES = ("rows", "columns", "depth")
BATCH = "batch"


class _NestArrays(ArrayEffects):
    def writes(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, NestOp)
        return op.updated

    def reads(self, op: Operation) -> Sequence[SSAValue]:
        assert isinstance(op, NestOp)
        return op.arrays


@irdl_op_definition
class NestOp(BodyOp):
    """For each point of the domain, what the body yields of elements is written to those that are
    updated; of the order, the law above.

    contract.nest ["rows", "columns", "depth"] in affine_set<…> with (%n)
      updates (%C : memref<?x?xf64>) takes (%A, %B : memref<?x?xf64>, memref<?x?xf64>)
      at [affine_map<…>, …] { ^bb0(%i : index, %j : index, %k : index, %x : f64, …): …
    }
    """

    name = "contract.nest"
    traits = traits_def(_NestArrays())
    roles = prop_def(ArrayAttr[StringAttr])
    updated = var_operand_def(MemRefType)
    taken = var_operand_def(MemRefType)
    loops = opt_prop_def(ArrayAttr[LoopAttr])
    blocking = opt_prop_def(BlockingAttr)
    kept = opt_prop_def(UnitAttr)
    shared = opt_prop_def(UnitAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$roles `in` $domain `with` `(` $symbols `)`"
        " `updates` `(` $updated `:` type($updated) `)` `takes` `(` $taken `:` type($taken) `)`"
        " `at` $maps (`loops` $loops^)? (`blocking` $blocking^)? (`kept` $kept^)?"
        " (`shared` $shared^)? $body attr-dict"
    )

    def __init__(
        self,
        roles: Sequence[str],
        domain: AffineSetAttr,
        symbols: Sequence[SSAValue],
        updated: Sequence[SSAValue],
        taken: Sequence[SSAValue],
        maps: Sequence[AffineMapAttr],
        body: Region,
        loops: Sequence[LoopAttr] | None = None,
    ):
        super().__init__(
            operands=[updated, taken, symbols],
            properties={
                "roles": ArrayAttr([StringAttr(role) for role in roles]),
                "domain": domain,
                "maps": ArrayAttr(maps),
                "loops": None if loops is None else ArrayAttr(loops),
            },
            regions=[body],
        )

    @property
    def arrays(self) -> Sequence[SSAValue]:
        return (*self.updated, *self.taken)

    def dims_as(self, role: str) -> list[int]:
        return [dim for dim, one in enumerate(self.roles) if one.data == role]

    def verify_(self) -> None:
        if len(self.roles) != self.dims:
            raise VerifyException("expected a role for each iterator")
        if any(len(self.dims_as(role)) != 1 for role in SINGLE_ROLES):
            raise VerifyException("expected one iterator each for rows, columns and depth")
        if len(self.dims_as(BATCH)) != self.dims - len(SINGLE_ROLES):
            raise VerifyException("expected no roles but rows, columns, depth and batch")
        if not self.updated:
            raise VerifyException("expected an array that is updated")
        if self.loops is not None and len(self.loops) != self.dims:
            raise VerifyException("expected facts on a loop for each iterator")
        self.check_arrays(self.arrays)
        self._check_order()
        self._check_roles()
        self.check_computes(len(self.updated))
        if any(isinstance(op, AroundOp) for op in self.body.block.ops):
            self._check_steps()

    def _check_order(self) -> None:
        """The domain is one of loops in the order of the iterators."""
        for one in self.domain.data.constraints:
            form = one.lhs - one.rhs
            factors = [c for c in coefficients(form, self.dims, len(self.symbols)) if c]
            if not factors or abs(factors[-1]) != 1:
                raise VerifyException("expected a factor of 1 for the last iterator of each form")

    def _check_steps(self) -> None:
        """There are the same steps of depth for all elements."""
        (depth,) = self.dims_as("depth")
        for one in self.domain.data.constraints:
            factors = coefficients(one.lhs - one.rhs, self.dims, len(self.symbols))
            if factors.pop(depth) and any(factors):
                raise VerifyException("expected the same steps of depth for all elements")

    def _check_roles(self) -> None:
        (rows,), (columns,), (depth,) = (self.dims_as(role) for role in SINGLE_ROLES)
        batch = self.dims_as(BATCH)
        for number, one in enumerate(self.maps):
            factors = [coefficients(f, self.dims, len(self.symbols)) for f in one.data.results]
            varies = {dim for form in factors for dim, c in enumerate(form) if c}
            if number >= len(self.updated):
                if columns in varies and not varies.isdisjoint((rows, *batch)):
                    raise VerifyException("an array is taken by rows or batches, and by columns")
                continue
            *others, last = [form[columns] for form in factors] or [0]
            if last != 1 or any(others):
                raise VerifyException("expected columns side by side in what is updated")
            if depth in varies:
                raise VerifyException("what is updated varies with depth")


Contract = Dialect(
    "contract",
    [NestOp, BeginOp, FinishOp, YieldOp, PanelOp, PackOp, TileOp],
    [BlockingAttr, PanelType],
)
