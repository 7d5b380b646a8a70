"""Illegal schedules do not get through: random steps against the order of execution.

The legality check says yes to a change exactly if, at small sizes, every element is read and
written in the order of the source: listed instance by instance, in Python, without dependences.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import islpy as isl
import pytest
from oracles.element_order import ElementOrder
from oracles.kernel_runs import PROGRAMS
from oracles.kernels import KERNELS
from oracles.mutations import mutate
from oracles.polyhedral import at_sizes, execution_order, instances_of, times
from oracles.random_steps import random_change
from xdsl.dialects import func

from polyopt.dialects.poly import ScopOp
from polyopt.dialects.poly_view import read_scop
from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import read_source
from polyopt.driver.units.unit import lower, parse
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.legality import is_legal
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.places import single_loops
from polyopt.support.diagnostics import SourceMap

LONGEST = 4
"""Steps that are done one after another before it starts again from the source."""
MOST_INSTANCES = 130


def check_changes(
    scop: Scop,
    sizes: dict[str, int],
    changes: int,
    random: Random,
    dependences_of: Callable[[Scop], Dependences] = compute_dependences,
) -> Counter[bool]:
    """How many changes were legal, and how many not; fails where check and execution differ."""
    small = at_sizes(scop, sizes)
    dependences = dependences_of(small)
    domain = small.schedule.get_domain()
    source = execution_order(small.schedule, sizes)
    order = ElementOrder(small, source, sizes)
    original = single_loops(read_tree(small.schedule))
    verdicts = Counter[bool]()
    tree, done = original, list[str]()
    while verdicts.total() < changes:
        change = random_change(small, tree, random) if random.random() < 0.9 else None
        text, changed = change or ("(mutation)", mutate(tree, random))
        schedule = build_schedule(domain, changed)
        when = times(schedule, sizes)
        assert when.keys() == order.instances, (done, text)
        legal = is_legal(small, dependences, schedule)
        verdict = "legal" if legal else "illegal"
        assert legal == order.is_kept(when), f"{'; '.join([*done, text])} is {verdict}?"
        verdicts[legal] += 1
        if legal and change is not None:
            tree = changed
            done.append(text)
        if len(done) == LONGEST or random.random() < 0.1:
            tree, done = original, []
    return verdicts


def sizes_of(scop: Scop) -> dict[str, int]:
    """Sizes, different for neighbours among the parameters: the largest with few instances, else
    the smallest."""
    dims = scop.context.dim(isl.dim_type.param)
    names = [scop.context.get_dim_name(isl.dim_type.param, k) or "" for k in range(dims)]
    sizes = dict[str, int]()
    for least in (6, 5, 4, 3):
        sizes = {name: least + k % 2 for k, name in enumerate(names)}
        if len(instances_of(scop.domain, sizes)) <= MOST_INSTANCES:
            break
    assert not at_sizes(scop, sizes).known.is_empty()
    return sizes


def scop_of_kernel(kernel: str) -> Scop:
    """The SCoP that is found in the kernel's function."""
    program = PROGRAMS[kernel]
    source = read_source(str(program.source))
    unit = parse(source, read_settings(["--poly=identity"]), SourceMap())
    lower(unit, "poly")
    (function,) = (
        op
        for op in unit.module.ops
        if isinstance(op, func.FuncOp) and op.sym_name.data == program.function
    )
    (op,) = (op for op in function.walk() if isinstance(op, ScopOp))
    return read_scop(op)


QUICK = ("atax", "bicg", "cholesky", "gemm", "jacobi-2d", "lu", "seidel-2d", "trisolv")


@pytest.mark.parametrize("kernel", QUICK)
def test_random_steps_against_execution(kernel: str):
    scop = parse_scop(KERNELS[kernel])
    verdicts = check_changes(scop, sizes_of(scop), 25, Random(kernel))
    assert verdicts.keys() == {True, False}


PAIRS = {
    "flow": ("S: A[i] =", "T: B[i] = A[i]"),
    "anti": ("S: B[i] = A[i]", "T: A[i] ="),
    "output": ("S: A[i] =", "T: A[i] ="),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_a_kind_of_dependence_left_out_is_noticed(kind: str):
    first, second = PAIRS[kind]
    scop = parse_scop(f"[n]\nfor i : 0 <= i < n\n  {first}\n  {second}")
    check_changes(scop, sizes_of(scop), 40, Random(kind))

    def incomplete(scop: Scop) -> Dependences:
        return replace(compute_dependences(scop), **{kind: isl.UnionMap("{ }")})

    with pytest.raises(AssertionError, match="is legal"):
        check_changes(scop, sizes_of(scop), 40, Random(kind), incomplete)


CHANGES = {**dict.fromkeys(PROGRAMS, 150), "adi": 30, "deriche": 30}
"""Fewer where a SCoP has so many statements that each takes long."""


def test_all_kernels_together_make_five_thousand():
    assert sum(CHANGES.values()) >= 5000


@pytest.mark.slow
@pytest.mark.parametrize("kernel", PROGRAMS)
def test_many_random_steps_against_execution(kernel: str):
    scop = scop_of_kernel(kernel)
    verdicts = check_changes(scop, sizes_of(scop), CHANGES[kernel], Random(kernel))
    print(f"{kernel}: {verdicts[True]} accepted, {verdicts[False]} refused")
    assert verdicts[True] > 0
