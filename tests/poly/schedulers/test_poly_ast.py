"""poly-ast: the loop structures of the paper, and legal orders for every nest and kernel."""

import islpy as isl
import pytest
from oracles.kernels import KERNELS, LOCAL
from oracles.nests import NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order, run_loops

from polyopt.poly.analysis.parallelism import judge_tree
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.legality import check_schedule
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import bands, read_tree
from polyopt.poly.schedulers.interface import SchedulerOptions
from polyopt.poly.schedulers.poly_ast import schedule_poly_ast
from polyopt.poly.scop import Scop
from polyopt.support.remarks import collect_remarks

OPTIONS = SchedulerOptions(march="x86-64-v3")
SIZES = {"n": 4, "m": 5, "k": 3}


def scheduled(scop: Scop, *, reassociate: bool = True) -> isl.Schedule:
    dependences = compute_dependences(scop, reassociate=reassociate)
    found = schedule_poly_ast(scop, dependences, OPTIONS)
    assert check_schedule(scop, dependences, found) == []
    return found


def kernel(name: str) -> Scop:
    return parse_scop(KERNELS[name], local=LOCAL.get(name, ()))


def before(schedule: isl.UnionMap, domain: isl.UnionSet) -> isl.UnionMap:
    """{ s -> t : s runs before t }, whatever the numbers of the times."""
    schedule = schedule.intersect_domain(domain)
    return schedule.lex_lt_union_map(schedule)


STRUCTURES = {
    # Figure 3: one loop over rows, and inside it each product by itself with rows innermost.
    "2mm": """{ S0[i, j] -> [i, 0, j, 0]; S1[i, j, k] -> [i, 1, k, j];
                S2[i, l] -> [i, 2, l, 0]; S3[i, l, j] -> [i, 3, j, l] }""",
    # E = A B and G = E F share rows of E; F = C D shares no row with either.
    "3mm": """{ S2[i, j] -> [0, i, 0, j, 0]; S3[i, j, k] -> [0, i, 1, k, j];
                S0[i, j] -> [1, i, 0, j, 0]; S1[i, j, k] -> [1, i, 1, k, j];
                S4[i, j] -> [1, i, 2, j, 0]; S5[i, j, k] -> [1, i, 3, k, j] }""",
    "gemm": "{ S0[i, j] -> [i, 0, j, 0]; S1[i, k, j] -> [i, 1, k, j] }",
    # Fused in all loops, with no permutation (table IV): the second sweep one row and column late.
    "jacobi-2d": "{ S0[t, i, j] -> [t, i, j, 0]; S1[t, i, j] -> [t, i + 1, j + 1, 1] }",
    # The division of row i at j = i, behind the updates: no loop backward for its sake.
    "trisolv": "{ S0[i] -> [0, i, 0, 0]; S1[i, j] -> [1, i, j, 0]; S2[i] -> [1, i, i, 1] }",
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures(name: str):
    scop = kernel(name)
    domain = scop.domain.intersect_params(scop.known)
    wanted = before(isl.UnionMap(STRUCTURES[name]), domain)
    assert before(scheduled(scop).get_map(), domain).is_equal(wanted)


def test_correlation_reduces_over_observations_outermost():
    """Table III has it among the kernels whose parallel loop is a reduction."""
    scop = kernel("correlation")
    found = scheduled(scop)
    nodes = generate_loops(scop, compute_dependences(scop, reassociate=True), found)
    assert "reductions=('corr',)" in str(nodes)
    wanted = isl.UnionMap("{ S12[i, j, k] -> [k, i, j] }")
    domain = isl.UnionSet.from_set(scop.statement("S12").domain)
    assert before(found.get_map(), domain).is_equal(before(wanted, domain))


@pytest.mark.parametrize("reassociate", [False, True])
@pytest.mark.parametrize(("name", "loops"), [("trisolv", 2), ("cholesky", 3), ("lu", 3)])
def test_what_has_no_iterator_left_goes_along_one_that_it_had(
    name: str, loops: int, reassociate: bool
):
    """Table III: solvers and factorisations are pipelines, along all of their loops but the last,
    whether or not sums may be reordered."""
    scop = kernel(name)
    dependences = compute_dependences(scop, reassociate=reassociate)
    tree = read_tree(scheduled(scop, reassociate=reassociate))
    band = bands(tree)[-1]
    assert (len(band.members), band.permutable) == (loops, True)
    judged = judge_tree(scop, dependences, tree)[-loops:]
    assert [one.parallelism.kind for one in judged[:-1]] == ["pipeline"] * (loops - 1)


def test_reversal_and_retiming():
    """In each row the second loop counts down along what the first has written: it turns round,
    one late. The rows stay parallel."""
    scop = parse_scop(
        "[n]\nfor r : 0 <= r < n\n  for i : 0 <= i <= n\n    S: A[r, i] = B[r, i]\n"
        "for r : 0 <= r < n\n  for i down : 0 <= i < n\n    T: C[r, i] = A[r, i] A[r, i + 1]"
    )
    wanted = isl.UnionMap("{ S[r, i] -> [r, i, 0]; T[r, i] -> [r, i + 1, 1] }")
    assert before(scheduled(scop).get_map(), scop.domain).is_equal(before(wanted, scop.domain))


def test_a_parallel_loop_is_not_fused_with_a_serial_one():
    text = "[n]\nfor i : 1 <= i < n\n  S: A[i] = B[i]\nfor i : 1 <= i < n\n  T: C[i] = A[i] C[i-1]"
    assert len(bands(read_tree(scheduled(parse_scop(text))))) == 2
    alike = parse_scop(text.replace("A[i] C[i-1]", "A[i] C[i]"))
    assert len(bands(read_tree(scheduled(alike)))) == 1


def test_nothing_that_has_to_run_between_is_jumped_over():
    """S and U share A, but T has to follow the whole of S, and U the whole of T."""
    scop = parse_scop(
        "[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i]\nfor i : 0 <= i < n\n  T: x[] = A[n-1-i] x[]\n"
        "for i : 0 <= i < n\n  U: B[i] = A[i] x[]"
    )
    assert len(bands(read_tree(scheduled(scop)))) == 3


def test_statements_that_never_run_have_no_place_in_the_order():
    nothing = "for i : 0 <= i < n and i < 0\n  S: A[i] = B[i]\n"
    some = parse_scop(f"[n]\n{nothing}for i : 0 <= i < n\n  T: C[i] = A[i]")
    assert before(scheduled(some).get_map(), some.domain).is_equal(
        before(isl.UnionMap("{ T[i] -> [i] }"), some.domain)
    )
    none = parse_scop(f"[n]\n{nothing}")
    assert scheduled(none).plain_is_equal(none.schedule)


def test_a_spent_budget_keeps_the_order_of_the_source():
    scop = kernel("gemm")
    with collect_remarks() as remarks:
        found = schedule_poly_ast(scop, compute_dependences(scop), SchedulerOptions(operations=50))
    assert found.plain_is_equal(scop.schedule)
    assert [item.id for item in remarks.items] == ["schedule-budget"]


@pytest.mark.parametrize("name", NESTS)
def test_nests_run_every_instance_in_a_legal_order(name: str):
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    found = scheduled(scop)
    nodes = generate_loops(scop, None, found)
    assert nodes is not None
    order = list(run_loops(nodes, SIZES))
    original = execution_order(scop.schedule, SIZES)
    assert sorted(order) == sorted(original)


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.slow
def test_nests_by_brute_force(name: str):
    """Conflicting accesses in their order, with no help from any dependence analysis."""
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    order = execution_order(scheduled(scop, reassociate=False), SIZES)
    original = execution_order(scop.schedule, SIZES)
    when = {instance: time for time, instance in enumerate(order)}
    for source, target in conflicts(scop, original, SIZES):
        assert when[source] < when[target]


QUICK = ("fdtd-2d", "lu", "gramschmidt")


@pytest.mark.parametrize("reassociate", [False, True])
@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=() if k in QUICK else pytest.mark.slow) for k in KERNELS]
)
def test_kernels_are_legal_and_complete(name: str, reassociate: bool):
    scop = kernel(name)
    with collect_remarks() as remarks:
        found = scheduled(scop, reassociate=reassociate)
    assert remarks.items == []
    nodes = generate_loops(scop, None, found)
    assert nodes is not None
    assert check_executed(scop, nodes, operations=5_000_000) is None
