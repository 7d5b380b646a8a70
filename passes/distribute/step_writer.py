"""Steps as operations: loops of `scf`, SCoPs for what a process computes, exchanges.

    repeat t = first to last           scf.for %t = … {
      compute  { S[t, i] : … }   =>      poly.scop … params(%n, %t, %own_first0_0, …) { … }
      exchange B                         … mpi.irecv … mpi.isend …
        meanwhile { S[t, i] : … }        poly.scop … params(…) { … }
                                         … mpi.waitall …
                                       }

What a process computes between two exchanges is a SCoP like any other, for schedulers, tiles,
vectors and threads; the steps around it are parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from polyopt.dialects.poly import ScheduleAttr, ScopOp, SetAttr
from polyopt.passes.codegen.loop_builder import emit
from polyopt.passes.distribute.combined_sums import Combination, CombinedSum
from polyopt.passes.distribute.exchange_writer import Process, message_of, write_exchange
from polyopt.passes.distribute.runtime import LAST_TAG
from polyopt.passes.parallel.code import INDEX
from polyopt.poly.isl.lists import sets
from polyopt.poly.placement.steps import Compute, Exchange, ProcessStep, Repeat
from polyopt.poly.placement.values import bounded, value_of
from polyopt.poly.schedule_tree import build_schedule, restrict
from polyopt.support.record import record

_Param = isl.dim_type.param


@record(eq=False)
class StepWriter:
    """`known` holds of the parameters wherever code is written; `tags` tell messages of arrays
    apart, and `extents` are theirs, as far as they are known; `sums` are the arrays whose elements
    MPI combines on their way."""

    scop: ScopOp
    known: isl.Set
    tags: Mapping[str, int]
    extents: Mapping[str, tuple[str | None, ...]]
    sums: Mapping[str, CombinedSum]

    def write(self, steps: Sequence[ProcessStep], at: Process) -> None:
        """Statements that the SCoP has no code for stand for what is in place. Raises Unplaceable;
        what has been written by then is to be thrown away."""
        for step in steps:
            match step:
                case Compute():
                    self._compute(step, at)
                case Exchange():
                    self._exchange(step, at)
                case Repeat():
                    self._repeat(step, at)

    def finish(self, step: Exchange, at: Process) -> None:
        """The exchange behind the last step, where there is anything to exchange."""
        if not step.elements:
            return
        later = {name: tag + LAST_TAG for name, tag in self.tags.items()}
        replace(self, tags=later).write([step], at)

    def _repeat(self, step: Repeat, at: Process) -> None:
        first, last = emit(value_of(step.first), at.site), emit(value_of(step.last), at.site)
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = step.name
        facts = bounded(step.name, step.first, step.last)
        known = self.known if facts is None else self.known.intersect(facts)
        inside = at.inside(block).named({step.name: block.args[0]})
        replace(self, known=known).write(step.body, inside)
        block.add_op(scf.YieldOp())
        end = at.code.index(at.code.add(last, 1))
        at.code.block.add_op(scf.ForOp(first, end, at.code.index(1), [], Region(block)))

    def _exchange(self, step: Exchange, at: Process) -> None:
        messages = {
            name: message_of(
                self._array(name),
                self.tags[name],
                elements,
                self.known,
                self.extents[name] if step.is_last else (),
            )
            for name, elements in step.elements.items()
        }
        combined = [] if step.is_last else [name for name in messages if name in self.sums]
        sums = [Combination.begin(messages[name], self.sums[name], at) for name in combined]

        def meanwhile() -> None:
            if step.meanwhile is not None:
                self._compute(step.meanwhile, at)

        sent = [one for name, one in messages.items() if name not in combined]
        if sent:
            write_exchange(sent, at, meanwhile)
        else:
            meanwhile()
        for one in sums:
            one.end(at)

    def _array(self, name: str) -> SSAValue:
        names = [one.data for one in self.scop.array_names]
        return self.scop.arrays[names.index(name)]

    def _compute(self, step: Compute, at: Process) -> None:
        op = self.scop
        written = {one.stmt_name.data for one in op.statements()}
        parts = [one.drop_unused_params() for one in sets(step.instances)]
        domains = {name: one for one in parts if (name := one.get_tuple_name() or "") in written}
        if not domains:
            return
        instances, tree = step.instances, step.tree
        if len(domains) < len(parts):
            instances = reduce(isl.UnionSet.union, map(isl.UnionSet.from_set, domains.values()))
            tree = restrict(tree, instances)
        schedule = build_schedule(instances, tree)
        given = [name.data for name in op.param_names]
        space = schedule.get_domain().get_space()
        spoken = [space.get_dim_name(_Param, k) or "" for k in range(space.dim(_Param))]
        names = [*given, *(name for name in spoken if name not in given)]
        values = [*op.params, *(at.site.names[name] for name in names[len(given) :])]
        body = Block()
        for statement in op.statements():
            domain = domains.get(statement.stmt_name.data)
            if domain is not None:
                copy = statement.clone()
                copy.properties["domain"] = SetAttr.from_text(str(domain))
                body.add_op(copy)
        new = ScopOp(
            op.scop_name.data,
            values,
            names,
            op.arrays,
            [name.data for name in op.array_names],
            SetAttr.from_text(str(_about(self.known, names))),
            ScheduleAttr.from_text(str(schedule)),
            Region(body),
            assumed=op.assumed,
        )
        new.location = op.location
        at.code.block.add_op(new)


def _about(known: isl.Set, names: Sequence[str]) -> isl.Set:
    """What is known of these parameters."""
    for position in reversed(range(known.dim(_Param))):
        if known.get_dim_name(_Param, position) not in names:
            known = known.project_out(_Param, position, 1)
    return known.coalesce()
