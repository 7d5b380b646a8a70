"""Loops in threads, in the way that was chosen for them, and what a user is told of it."""

from __future__ import annotations

from polyopt.dialects.locations import span_of
from polyopt.dialects.loop_facts import facts_of
from polyopt.passes.parallel.choice import Way
from polyopt.passes.parallel.doall import Neighbours, count_parts, parts_of, write_doall
from polyopt.passes.parallel.iteration_private import Own
from polyopt.passes.parallel.pipeline import write_pipeline
from polyopt.passes.parallel.private_arrays import Privates
from polyopt.passes.parallel.reduction import write_reduction
from polyopt.passes.parallel.row import write_row
from polyopt.passes.parallel.shape import LoopRow, Pipeline
from polyopt.passes.parallel.slices import grain_of
from polyopt.passes.parallel.steps import Steps
from polyopt.passes.parallel.summing_pipeline import Lanes, write_summing_pipeline
from polyopt.passes.parallel.write_steps import write_steps
from polyopt.support.remarks import remark


def write_way(by: str, place: Neighbours, chosen: Way) -> None:
    """In front of what follows the loops, and a remark of the pass."""
    loops, code = place.loops, place.code
    span, name = span_of(loops[0]), facts_of(loops[0]).iterator
    parent, following = loops[0].parent, loops[-1].next_op
    assert parent is not None
    assert following is not None
    match chosen:
        case LoopRow():
            what = f"loop {chosen.loops[0].facts.iterator} in threads: doall"
            grain = grain_of([one.op for one in chosen.loops])
            write_row(code, loops[0], chosen, place.threads, grain)
        case Privates():
            arrays = " and ".join(facts_of(loops[0]).reduces)
            what = f"loop {name} in threads: reduction of {arrays}"
            write_reduction(code, loops[0], chosen, parts_of(place), place.threads)
        case Pipeline(steps, sums):
            what = f"loop {name} in threads: pipeline along {facts_of(steps).iterator}"
            if sums is None:
                write_pipeline(code, loops[0], steps, place.work, place.threads)
            else:
                what += f", reduction of {' and '.join(facts_of(loops[0]).reduces)}"
                lanes = Lanes(count_parts(place), place.threads)
                write_summing_pipeline(code, loops[0], steps, sums, place.work, lanes)
        case Steps():
            names = [facts_of(one).iterator or "?" for one in chosen.shared]
            what = f"loop {name} in threads: in steps of {' and '.join(dict.fromkeys(names))}"
            write_steps(code, loops[0], chosen, place.work.lanes, place.threads)
        case Own():
            arrays = " and ".join(array.name_hint or "a variable" for array in chosen.arrays)
            what = f"loop {name} in threads: doall, each thread with its own {arrays}"
            write_doall(place, chosen)
        case "doall":
            what = f"loop {name} in threads: doall"
            write_doall(place, Own(()))
    for op in list(code.block.ops):
        op.detach()
        parent.insert_op_before(op, following)
    remark("applied", by, what, span)
