"""Unions with lattices in them are scanned by a set around them, which ends where they end."""

from random import Random

import islpy as isl
import pytest
from oracles.polyhedral import run_loops
from oracles.random_sets import scop_over

from polyopt.poly.generation.ast_generation import generate_loops
from polyopt.poly.generation.executed_set import check_executed
from polyopt.poly.isl.lists import basic_sets
from polyopt.poly.loops.guards import relax_domains
from polyopt.poly.loops.loop_tree import Node
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
