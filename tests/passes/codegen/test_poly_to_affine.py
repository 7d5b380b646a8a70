"""poly-to-affine makes the accesses of each instance, in the order of the schedule."""

from __future__ import annotations

from itertools import product
from random import Random

import islpy as isl
import pytest
from oracles.mutations import mutate
from oracles.nests import NESTS
from oracles.polyhedral import Sizes, execution_order
from oracles.scop_ir import Touch, scop_module, touches
from oracles.structured import run
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.loop_facts import facts_of
from polyopt.dialects.poly import ScheduleAttr, ScopOp
from polyopt.dialects.poly_view import write_schedule
from polyopt.passes.codegen import poly_to_affine
from polyopt.passes.codegen.poly_to_affine import PolyToAffinePass
from polyopt.passes.lower.affine_to_scf import AffineToScfPass
from polyopt.passes.schedule.problem import SOURCE_SCHEDULE
from polyopt.poly.dependences import Dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import collect_remarks

STRANGE = """
[n, m]
for i : 0 <= i < n
  if i mod 3 = 1 or i > m
    S: A[i] = B[floor(i/2), 3*i - m] B[i mod 4, n]
  for j down : m - i <= 2*j < n + m
    if j != i
      T: C[i, j] += A[i - j] A[m]
"""
ALL = {**NESTS, "strange": STRANGE}


def generated(module: ModuleOp) -> ModuleOp:
    PolyToAffinePass().apply(Context(), module)
    module.verify()
    assert not [op for op in module.walk() if op.name.startswith("poly.")]
    return module


def made_by(module: ModuleOp, scop: Scop, sizes: Sizes) -> list[Touch]:
    names = [scop.context.get_dim_name(isl.dim_type.param, k) or "" for k in range(len(sizes))]
    return [event[:3] for event in run(module, *(sizes[name] for name in names)).events]


def all_sizes(scop: Scop, *values: int) -> list[Sizes]:
    count = scop.context.dim(isl.dim_type.param)
    names = [scop.context.get_dim_name(isl.dim_type.param, k) or "" for k in range(count)]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(values, repeat=count)]


def known(scop: Scop, sizes: Sizes) -> bool:
    bounds = " and ".join(f"{name} = {value}" for name, value in sizes.items())
    return isl.Set(f"[{', '.join(sizes)}] -> {{ : {bounds} }}").is_subset(scop.context)


@pytest.mark.parametrize("name", ALL)
def test_original_order(name: str) -> None:
    scop = parse_scop(ALL[name])
    module = generated(scop_module(scop))
    lowered = module.clone()
    AffineToScfPass().apply(Context(), lowered)
    for sizes in all_sizes(scop, 1, 5):
        if known(scop, sizes):
            expected = touches(scop, execution_order(scop.schedule, sizes), sizes)
            assert made_by(module, scop, sizes) == expected
            assert made_by(lowered, scop, sizes) == expected


@pytest.mark.parametrize("name", ALL)
def test_any_order(name: str) -> None:
    """Schedules that nobody would choose, with reversals, shifts, scales, tiles and skews; the
    pass generates what it is given, so that it need not be legal."""
    random = Random(name)
    scop = parse_scop(ALL[name])
    tree, sizes = read_tree(scop.schedule), all_sizes(scop, 4)[0]
    checked = 0
    while checked < 8:
        schedule = build_schedule(scop.domain, mutate(tree, random))
        try:
            order = execution_order(schedule, sizes)
        except AssertionError:
            continue
        module = scop_module(scop)
        write_schedule(next(op for op in module.walk() if isinstance(op, ScopOp)), schedule)
        assert made_by(generated(module), scop, sizes) == touches(scop, order, sizes), schedule
        checked += 1


def test_facts_are_carried_down() -> None:
    module = generated(scop_module(parse_scop(ALL["gemm"])))
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    iterators = {facts_of(loop).iterator for loop in loops}
    assert iterators == {"i", "j", "l"}
    for loop in loops:
        is_sum = facts_of(loop).iterator == "l"
        assert facts_of(loop).is_parallel != is_sum


def test_loops_that_miss_an_instance_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect of the generator does not get through: the source's order is generated instead,
    and if that is wrong too there is no code at all."""
    scop = parse_scop(ALL["jacobi"])
    changed = parse_scop(ALL["jacobi"].replace("1 <= i", "2 <= i"))
    module = scop_module(scop)
    op = next(op for op in module.walk() if isinstance(op, ScopOp))
    op.attributes[SOURCE_SCHEDULE] = op.schedule
    op.properties["schedule"] = ScheduleAttr.of(
        scop.schedule.insert_partial_schedule(
            isl.MultiUnionPwAff("[n, m] -> [{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }]")
        )
    )
    generate, calls = poly_to_affine.generate_loops, list[isl.Schedule]()

    def faulty(scop: Scop, dependences: Dependences | None, schedule: isl.Schedule) -> object:
        calls.append(schedule)
        broken = len(calls) in broken_calls
        return generate(changed if broken else scop, None, changed.schedule if broken else schedule)

    monkeypatch.setattr(poly_to_affine, "generate_loops", faulty)
    broken_calls = {1}
    with collect_remarks() as remarks:
        lowered = generated(module.clone())
    sizes = {"n": 2, "m": 6}
    assert made_by(lowered, scop, sizes) == touches(
        scop, execution_order(scop.schedule, sizes), sizes
    )
    assert "an instance does not run" in remarks.items[0].message
    calls.clear()
    broken_calls = {1, 2}
    with pytest.raises(CompileError, match="run exactly its instances"):
        generated(module.clone())
