"""The legality check against the order in which instances really run."""

from dataclasses import replace
from random import Random

import islpy as isl
import pytest
from oracles.mutations import mutate
from oracles.nests import GEMM, JACOBI, NESTS
from oracles.polyhedral import at_sizes, conflicts, execution_order, times

from polyopt.poly.dependences import compute_dependences
from polyopt.poly.legality import backward, check_schedule, is_legal
from polyopt.poly.notation import parse_scop
from polyopt.poly.schedule_tree import build_schedule, read_tree
from polyopt.support.diagnostics import Span

SIZES = {"n": 3, "m": 4, "k": 3}


@pytest.mark.parametrize("name", NESTS)
def test_the_original_order_is_legal(name: str):
    scop = parse_scop(NESTS[name])
    assert check_schedule(scop, compute_dependences(scop), scop.schedule) == []


def test_a_violation_names_the_dependence_and_an_example():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i - 1]")
    backwards = isl.Schedule(str(scop.schedule).replace("(i)", "(-i)"))
    (violation,) = check_schedule(scop, compute_dependences(scop), backwards)
    assert (violation.kind, violation.source, violation.target) == ("flow", "S", "S")
    pair = isl.Map(violation.pair)
    assert not pair.is_empty()
    assert pair.is_subset(isl.Map("[n] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }"))


def test_a_violation_says_where_the_statements_stand():
    scop = parse_scop("[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i - 1]")
    placed = replace(scop, statements=(replace(scop.statements[0], span=Span("a.c", 3, 5)),))
    backwards = isl.Schedule(str(scop.schedule).replace("(i)", "(-i)"))
    (violation,) = check_schedule(placed, compute_dependences(placed), backwards)
    assert str(violation).startswith(
        "flow dependence from S to S (a.c:3:5 and a.c:3:5) is not kept: "
    )


# Each: a nest, the change of its schedule tree, and the least pair that changes places.
SAID = {
    "flow": (
        "[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i - 1]",
        ("(i)", "(-i)"),
        "A[0] is written by S at i = 0, and then read by S at i = 1 (for n = 2)",
    ),
    "anti": (
        "[n]\nfor i : 0 <= i < n\n  S: A[i] = A[i + 2]",
        ("(i)", "(-i)"),
        "A[2] is read by S at i = 0, and then written by S at i = 2 (for n = 3)",
    ),
    "output": (
        "[]\nfor i : 4 <= i < 6\n  S: x[] = A[i]",
        ("(i)", "(-i)"),
        "x is written by S at i = 4, and then written again by S at i = 5",
    ),
    "reduction": (
        "[n]\nfor i : 0 <= i < n\n  S: A[3] += B[i]",
        ("(i)", "(-i)"),
        "A[3] is updated by S at i = 0, and then updated again by S at i = 1 (for n = 2)",
    ),
    "between-statements": (
        "[n]\nS: x[] =\nfor i : 0 <= i < n\n  T: A[i] = x[]",
        ("sequence:", "set:"),
        "x is written by S, and then read by T at i = 0 (for n = 1)",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_violation_is_said_of_the_least_pair(name: str):
    text, (old, new), wanted = SAID[name]
    scop = parse_scop(text)
    changed = isl.Schedule(str(scop.schedule).replace(old, new))
    kind = "flow" if name == "between-statements" else name
    found = check_schedule(scop, compute_dependences(scop), changed)
    said = next(one for one in found if one.kind == kind)
    assert said.example == wanted
    assert str(said).endswith(f"is not kept: {wanted}")
    assert isl.Map(said.pair).wrap().is_singleton()


# Each: a nest, what to change in its schedule tree, and whether that is legal.
CHANGES = {
    "gemm-reverse-initialisation": (GEMM, ("S[i, j] -> [(i)]", "S[i, j] -> [(-i)]"), True),
    "gemm-reverse-update": (GEMM, ("T[i, j, l] -> [(i)]", "T[i, j, l] -> [(-i)]"), False),
    "jacobi-reverse-both": (JACOBI, ("(i)", "(-i)"), True),
    "jacobi-reverse-time": (JACOBI, ("(t)", "(-t)"), False),
    "jacobi-all-points-at-once": (JACOBI, ("(i)", "(0)"), True),
    "jacobi-all-times-at-once": (JACOBI, ("(t)", "(0)"), False),
    "jacobi-skew": (JACOBI, ("(i)", "(i + 3t)"), True),
    "jacobi-halve": (JACOBI, ("(t)", "(floor(t/2))"), False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_schedules(name: str):
    text, (old, new), legal = CHANGES[name]
    scop = parse_scop(text)
    changed = isl.Schedule(str(scop.schedule).replace(old, new))
    assert str(changed) != str(scop.schedule)
    assert is_legal(scop, compute_dependences(scop), changed) == legal


def test_children_of_a_set_node_have_no_order():
    scop = parse_scop("[n]\nS: x[] =\nT: y[] = x[]")
    unordered = isl.Schedule(str(scop.schedule).replace("sequence:", "set:"))
    assert not is_legal(scop, compute_dependences(scop), unordered)
    apart = parse_scop("[n]\nS: x[] =\nT: y[] = z[]")
    unordered = isl.Schedule(str(apart.schedule).replace("sequence:", "set:"))
    assert is_legal(apart, compute_dependences(apart), unordered)


@pytest.mark.parametrize(
    ("filter", "example"),
    [("{ T[i] : i < 5 }", "T[5]"), ("{ T[i]; S[i] : i > 3 }", "S[4]")],
)
def test_instances_left_out_or_run_twice(filter: str, example: str):
    scop = parse_scop("[]\nfor i : 0 <= i < 6\n  S: A[i] =\nfor i : 0 <= i < 6\n  T: B[i] =")
    tree = '{{ domain: "{}", child: {{ sequence: [{{ filter: "{}" }}, {{ filter: "{}" }}] }} }}'
    schedule = isl.Schedule(tree.format(scop.domain, "{ S[i] }", filter))
    violations = check_schedule(scop, compute_dependences(scop), schedule)
    assert [violation.kind for violation in violations] == ["domain"]
    assert example in violations[0].pair


def test_what_the_budget_does_not_decide_is_refused():
    scop = parse_scop(GEMM)
    dependences = compute_dependences(scop)
    (violation,) = check_schedule(scop, dependences, scop.schedule, operations=10)
    assert violation.kind == "unknown"


def check_mutations(name: str, count: int) -> dict[bool, int]:
    """Random changes of a nest's tree: the check says yes exactly if execution does."""
    scop = at_sizes(parse_scop(NESTS[name]), SIZES)
    dependences = compute_dependences(scop)
    wanted = conflicts(scop, execution_order(scop.schedule, SIZES), SIZES)
    random = Random(name)
    verdicts = {True: 0, False: 0}
    tree = read_tree(scop.schedule)
    for _ in range(count):
        schedule = build_schedule(scop.domain, mutate(tree, random))
        when = times(schedule, SIZES)
        runs_in_order = all(when[source] < when[target] for source, target in wanted)
        assert is_legal(scop, dependences, schedule) == runs_in_order, schedule
        verdicts[runs_in_order] += 1
    return verdicts


@pytest.mark.parametrize("name", NESTS)
def test_random_schedules_against_execution(name: str):
    verdicts = check_mutations(name, 20)
    assert min(verdicts.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NESTS)
def test_many_random_schedules_against_execution(name: str):
    verdicts = check_mutations(name, 650)
    print(f"{name}: {verdicts[True]} accepted, {verdicts[False]} refused")
    assert min(verdicts.values()) > 0


def test_pairs_that_go_back_in_time():
    """As many as by comparing all instances of both ends, pair by pair of statements."""
    draw = Random(5)
    forms = ["i", "-i", "i + j", "j - i", "floor((i + j)/2)", "n - j", "i mod 3", "0"]
    pairs = isl.UnionMap(
        "[n] -> { S[i, j] -> T[k, l] : 0 <= i, j, k, l < n and (i + l) mod 2 = 0;"
        " S[i, j] -> S[k, l] : 0 <= i, j, k, l < n and k >= i; T[i, j] -> U[k] : 0 <= i, j, k < n }"
    )
    for _ in range(30):
        one, other = draw.choice(forms), draw.choice(forms)
        # Nothing is said of U: pairs with it are ordered by no member.
        text = f"[n] -> [{{ S[i, j] -> [({one})]; T[i, j] -> [({other})] }}]"
        member = isl.MultiUnionPwAff(text)
        time = isl.UnionMap.from_multi_union_pw_aff(member)
        assert backward(pairs, member).is_equal(pairs.intersect(time.lex_gt_union_map(time)))


def test_only_what_was_proved_is_remembered():
    """The same schedule of the same SCoP; neither another schedule nor another SCoP, and nothing
    that was refused."""
    scop = parse_scop(NESTS["jacobi"])
    dependences = compute_dependences(scop)
    assert is_legal(scop, dependences, scop.schedule)
    assert not check_schedule(scop, dependences, isl.Schedule(str(scop.schedule)), operations=1)
    backwards = isl.Schedule(str(scop.schedule).replace("(t)", "(-t)"))
    for _ in range(2):
        assert check_schedule(scop, dependences, backwards)
    larger = parse_scop(NESTS["jacobi"].replace("0 <= t", "-1 <= t"))
    (violation, *_) = check_schedule(larger, dependences, scop.schedule)
    assert violation.kind == "domain"
