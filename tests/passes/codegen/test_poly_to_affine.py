"""poly-to-affine makes the accesses of each instance, in the order of the schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import write_schedule
from polyopt.ir import problem as problem_module
from polyopt.passes.codegen import poly_to_affine
from polyopt.passes.codegen.poly_to_affine import PolyToAffinePass
from polyopt.passes.lower.affine_to_scf import AffineToScfPass
from polyopt.poly.dependences import Dependences
from polyopt.poly.generation.ast_generation import GenerationOptions
from polyopt.poly.loops.expressions import add
from polyopt.poly.loops.loop_tree import Const, Loop, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning import generate as generate_module
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.support import effort as effort_module
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import effort
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
CONGRUENCES = """
[n, m]
for i : 0 <= i < n
  for j : 0 <= j < m
    if (i + 2*j) mod 4 = 3 and (3*i + j + n) mod 5 <= 2
      S: A[i, j] += B[i - j]
    if i = 5 and (j + m) mod 3 = 1
      T: A[i, j] =
"""
ALL = {**NESTS, "strange": STRANGE, "congruences": CONGRUENCES}


def generated(module: ModuleOp, pass_: PolyToAffinePass = PolyToAffinePass()) -> ModuleOp:
    pass_.apply(Context(), module)
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


Change = Callable[[tuple[Node, ...]], tuple[Node, ...]]


def late_start(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Without the first iteration of each loop outside."""
    return tuple(
        replace(node, lower=add(node.lower, Const(1))) if isinstance(node, Loop) else node
        for node in nodes
    )


def other_way_round(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """What stands in a loop, or next to each other, in the other order."""
    return tuple(
        replace(node, body=other_way_round(node.body)) if isinstance(node, Loop) else node
        for node in reversed(nodes)
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [(late_start, "an instance does not run"), (other_way_round, "is not kept")],
)
@pytest.mark.parametrize("wrong", [("isl",), ("isl", "scan")])
def test_loops_that_are_wrong_are_not_used(
    change: Change, fault: str, wrong: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect of a generator does not get through: the other one is asked, and if its loops are
    wrong too they are those of the source."""
    scop = parse_scop(ALL["jacobi"])
    module = scop_module(scop)
    generate, scan = poly_to_affine.generate_loops, generate_module.scan_loops

    def by_isl(
        scop: Scop,
        dependences: Dependences | None,
        schedule: isl.Schedule,
        options: GenerationOptions,
    ) -> object:
        return change(generate(scop, dependences, schedule, options) or ())

    def by_scanning(scop: Scop, dependences: Dependences | None, schedule: isl.Schedule) -> object:
        return change(scan(scop, dependences, schedule) or ())

    monkeypatch.setattr(poly_to_affine, "generate_loops", by_isl)
    if "scan" in wrong:
        monkeypatch.setattr(generate_module, "scan_loops", by_scanning)
    with collect_remarks() as remarks:
        lowered = generated(module)
    sizes = {"n": 2, "m": 6}
    assert made_by(lowered, scop, sizes) == touches(
        scop, execution_order(scop.schedule, sizes), sizes
    )
    assert fault in remarks.items[0].message
    assert ("given-back" in [one.id for one in remarks.items]) == (len(wrong) == 2)


def test_a_part_without_end_is_an_error() -> None:
    """Neither generator has loops for it, nor has the source."""
    scop = parse_scop("[n]\nfor i : 0 <= i and n <= i\n  S: A[i] =")
    with pytest.raises(CompileError, match="no loops run exactly its instances"):
        generated(scop_module(scop))


def test_engines_and_checks_of_a_schedule_share_one_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where loops cost more than all that is tried may, it costs no multiple of that, and what
    comes of it is right."""
    scop = parse_scop(CONGRUENCES)
    monkeypatch.setattr(problem_module, "PRICE", 1)  # one of isl's, one of all
    with effort() as unlimited:
        generated(scop_module(scop))
    limit = unlimited.spent // 6
    monkeypatch.setattr(effort_module, "FLOOR", limit // 20)
    module = scop_module(parse_scop(CONGRUENCES))  # which nothing has been asked of
    with collect_remarks() as remarks, effort() as account:
        generated(module, PolyToAffinePass(operations=limit))
    assert any(one.id == "effort-spent" for one in remarks.items)
    assert account.spent < unlimited.spent
    for sizes in all_sizes(scop, 0, 3, 7):
        if known(scop, sizes):
            assert sorted(made_by(module, scop, sizes)) == sorted(
                touches(scop, execution_order(scop.schedule, sizes), sizes)
            )
