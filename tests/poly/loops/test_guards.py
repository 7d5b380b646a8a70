"""Unions with lattices in them are scanned by a set around them, which ends where they end."""

from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import run_loops
from oracles.random_sets import scop_over

from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.loops.guards import guard_instances, relax_domains
from polyopt.poly.loops.loop_tree import Branch, Compare, Instance, Name, Node
from polyopt.poly.notation import parse_scop
from polyopt.poly.scanning.generate import scan_loops
from polyopt.poly.scop import Scop
from polyopt.support.remarks import collect_remarks

ENGINES = {"isl": generate_loops, "scan": scan_loops}


def generated(engine: str, scop: Scop) -> tuple[Node, ...]:
    nodes = ENGINES[engine](scop, None, scop.schedule)
    assert nodes is not None
    return nodes


def random_union(random: Random) -> isl.Set:
    """Parts with bounds of their own, for values of the parameter of their own, as loops have
    that are tested at their end; at least one of them says something of a remainder."""
    parts = list[str]()
    for number in range(random.randint(2, 3)):
        start = random.randint(-2, 2)
        end = random.choice(["n", f"{start} - n", "2n", "3", "j + n", f"{start + 1}"])
        bounds = [f"{start} <= i < {end}", f"0 <= j < {random.choice(['3', 'n', '2 - n'])}"]
        if number == 0 or random.random() < 0.5:
            modulus = random.randint(2, 4)
            bounds.append(f"({random.choice(['i', 'i + j', 'j'])}) mod {modulus} >= j")
        if random.random() < 0.5:
            bounds.append(random.choice(["n <= 0", "n >= 1", "n = 2", "n >= -1"]))
        parts.append(" and ".join(bounds))
    return isl.Set(f"[n] -> {{ S[i, j] : {' or '.join(f'({part})' for part in parts)} }}")


def points(domain: isl.Set, n: int) -> set[tuple[str, tuple[int, ...]]]:
    found = list[isl.Point]()
    domain.fix_val(isl.dim_type.param, 0, isl.Val(n)).foreach_point(found.append)
    kind = isl.dim_type.set
    return {("S", tuple(p.get_coordinate_val(kind, k).to_python() for k in (0, 1))) for p in found}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(12))
def test_unions_whose_parts_end_differently_run_their_instances_in_order(engine: str, seed: int):
    domain = random_union(Random(seed))
    scop = scop_over(domain)
    nodes = generated(engine, scop)
    for n in range(-3, 6):
        ran = list(run_loops(nodes, {"n": n}))
        assert ran == sorted(points(domain, n)), f"{domain} at n = {n}"


def test_the_unions_above_are_relaxed_and_finite():
    """Some have a convex set around them, some must stay several."""
    counts = set[int]()
    for seed in range(12):
        scop = scop_over(random_union(Random(seed)))
        schedule, guards = relax_domains(scop, scop.schedule)
        for statement in guards:
            hull = isl.Set.from_union_set(schedule.get_domain())
            assert statement == "S"
            assert hull.is_bounded()
            assert not hull.involves_locals()
            counts.add(min(len(basic_sets(hull)), 2))
    assert counts == {1, 2}


DO_WHILE = "0 <= i < n and 0 <= k <= i mod 4; S[i = 0, k = 0] : n <= 0"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_loop_tested_at_its_end_around_one_that_ends_at_a_remainder(engine: str):
    """Around both parts no convex set has an upper bound of i."""
    domain = isl.Set(f"[n] -> {{ S[i, k] : {DO_WHILE} }}")
    scop = scop_over(domain, "{ S[i, k] -> [(i)] }, { S[i, k] -> [(k)] }")
    nodes = generated(engine, scop)
    assert check_executed(scop, nodes, None, scop.schedule) is None


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("where", ["i >= 0", "i >= 0 and i mod 3 <= 1 or i = -1", "n <= i"])
def test_there_are_no_loops_of_a_domain_without_end(engine: str, where: str):
    """That is no error of the generator's, and somebody else is asked."""
    scop = scop_over(isl.Set(f"[n] -> {{ S[i] : {where} }}"))
    with collect_remarks() as remarks:
        assert ENGINES[engine](scop, None, scop.schedule) is None
    assert len(remarks.items) == 1


LATTICES = "0 <= i < n and i mod 3 <= 1 or 5 <= i < 2n and i mod 2 = 0"
IN_TURN, CUT = "S[i] -> [(i)]", "S[i] -> [(i)] : i < 3; S[i] -> [(2i)] : i >= 3"


@pytest.mark.parametrize(
    ("where", "time", "is_relaxed"),
    [
        (LATTICES, IN_TURN, True),
        (LATTICES, CUT, False),
        ("0 <= i < n and i mod 3 <= 1", IN_TURN, False),
        ("0 <= i < n or 5 <= i < 2n and n < 3", IN_TURN, False),
    ],
)
def test_only_unions_of_lattices_with_a_time_everywhere(where: str, time: str, is_relaxed: bool):
    """What is no such union needs no guards; a function in pieces says nothing of what is added."""
    scop = scop_over(isl.Set(f"[n] -> {{ S[i] : {where} }}"), f"{{ {time} }}")
    schedule, guards = relax_domains(scop, scop.schedule)
    assert set(guards) == ({"S"} if is_relaxed else set[str]())
    assert (schedule is scop.schedule) == (not is_relaxed)


@pytest.mark.parametrize("is_cut", [False, True])
def test_filters_may_not_divide_what_is_relaxed(is_cut: bool):
    """S in two parts of a sequence, or in one beside T."""
    scop = parse_scop(f"""
    [n]
    for i : {LATTICES}
      S: A[i] =
    for i : 0 <= i < n
      T: B[i] = A[i]
    """)
    schedule = scop.schedule
    if is_cut:
        parts = [
            schedule.intersect_domain(isl.UnionSet(f"[n] -> {{ S[i] : {part}; T[i] : {part} }}"))
            for part in ("i < 3", "i >= 3")
        ]
        schedule = parts[0].sequence(parts[1])
    assert set(relax_domains(scop, schedule)[1]) == (set[str]() if is_cut else {"S"})


def test_what_runs_where_a_condition_fails_is_guarded_too():
    run = Instance("S", (Name("c"),)), Instance("T", (Name("c"),))
    branch = Branch(Compare(Name("c")), run, tuple(reversed(run)))
    (made,) = guard_instances((branch,), {"S": isl.Set("{ S[i] : i mod 2 = 0 }")})
    assert isinstance(made, Branch)
    for nodes, place in (made.then, 0), (made.orelse, 1):
        assert nodes[1 - place] == run[1]
        guarded = nodes[place]
        assert isinstance(guarded, Branch)
        assert guarded.then == (run[0],)
