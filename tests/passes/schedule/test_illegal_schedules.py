"""No illegal schedule comes in: by thousands through every door, each judged by running it.

The nests, the orders and the verdicts are plain Python; what is legal but refused is counted and
printed, and what is accepted is looked at once more as it stands in the module: its order, and
what its bands promise.
"""

from dataclasses import replace
from random import Random

import islpy as isl
import pytest
from oracles import polyhedral
from oracles.nests import NESTS
from oracles.plain_nests import PlainOrder, parse_nest
from oracles.random_nests import random_nest
from oracles.schedule_doors import ACCEPTED, DOORS, LEGAL, REFUSED, Case, Tally, ask_for_copies
from xdsl.ir import Operation

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.ir import problem
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.notation import parse_scop
from polyopt.poly.scop import Array, Scop
from polyopt.poly.transform import localizing
from polyopt.poly.transform.copied_elements import Copied
from polyopt.poly.transform.local_copies import Buffer, buffer_for
from polyopt.poly.transform.steps import STEPS
from polyopt.poly.transform.tile_numbers import Numbered
from polyopt.support.diagnostics import SourceMap

SIZES = {"n": 4, "m": 3, "k": 3}


def tried(seeds: range, door: str, count: int) -> Tally:
    tally = Tally()
    for seed in seeds:
        case = Case.of(random_nest(seed), may_reassociate=bool(seed % 2))
        if case is not None:
            DOORS[door](case, Random(f"{seed} {door}"), count, tally)
    return tally


def check(tally: Tally) -> None:
    assert not tally.wrong, f"{len(tally.wrong)} illegal accepted:\n" + "\n\n".join(tally.wrong[:3])
    assert tally.total(ACCEPTED)
    assert tally.total(REFUSED)


@pytest.mark.parametrize("name", [*NESTS, *range(25)])
def test_both_readings_of_the_notation_agree(name: str | int) -> None:
    """The plain one is right about instances, their order and their conflicts if isl is."""
    text = NESTS[name] if isinstance(name, str) else random_nest(name)
    nest, scop = parse_nest(text), parse_scop(text)
    if not nest.admits(SIZES):
        return
    when = polyhedral.times(scop.schedule, SIZES)
    instances = nest.instances(SIZES)
    assert sorted(when, key=lambda one: when[one]) == instances
    assert all(nest.runs(one, SIZES) for one in instances)
    if "*]" not in text:
        wanted = polyhedral.conflicts(scop, instances, SIZES)
        assert PlainOrder(nest, SIZES).pairs == wanted


@pytest.mark.parametrize("door", DOORS)
def test_a_few_changes(door: str) -> None:
    check(tried(range(3), door, 4))


WRAPPING = {
    "unsigned char": (
        """
        void f(int n, double A[256], double B[256]) {
            unsigned char c = 254;
            for (int i = 0; i < n; i++) { A[c] = B[i] + A[c]; c++; B[(i + 3) % 4] = 1.0; }
        }""",
        """[n] : n <= 2
        for i : 0 <= i < n
          S0: A[(i + 254) mod 256] += B[i]
          S1: B[(i + 3) mod 4] =""",
    ),
    "unsigned": (
        """
        void f(int n, double A[4]) {
            for (unsigned i = 0; i < n; i++) { A[(i + 3u) % 4u] = 1.0; A[i % 4u] *= 3.0; }
        }""",
        """[n] :
        for i : 0 <= i < n
          S0: A[(i + 3) mod 4] =
          S1: A[i mod 4] *=""",
    ),
}


@pytest.mark.parametrize("name", WRAPPING)
def test_counters_of_c_that_wrap_around(name: str) -> None:
    """C's types make the subscripts, plain Python knows only the remainders."""
    text, notation = WRAPPING[name]
    unit = parse(Source("f.c", text), read_settings(["--poly=identity"]), SourceMap())
    lower(unit, "poly")
    tally = Tally()
    case = Case.of_module(notation, unit.module, may_reassociate=False)
    assert case is not None
    for door in ("steps", "tree"):
        DOORS[door](case, Random(name), 8, tally)
    check(tally)


ORDERED_BY = {
    "flow": "S: A[i] =\n  T: B[i] = A[i]",
    "anti": "S: B[i] = A[i]\n  T: A[i] =",
    "output": "S: A[i] =\n  T: A[i] =",
}


def _keep_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(op: Operation) -> dict[object, Dependences]:
        return {}

    monkeypatch.setattr(problem, "_kept_around", nothing)


@pytest.mark.parametrize("kind", ORDERED_BY)
def test_a_hole_is_noticed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were one kind of dependence forgotten, something illegal would be accepted."""

    def incomplete(scop: Scop, *, reassociate: bool) -> Dependences:
        found = compute_dependences(scop, reassociate=reassociate)
        return replace(found, **{kind: isl.UnionMap("{ }")})

    monkeypatch.setattr(problem, "compute_dependences", incomplete)
    _keep_nothing(monkeypatch)
    text = f"[n, m]\nfor i : 0 <= i < n\n  {ORDERED_BY[kind]}"
    case = Case.of(text, may_reassociate=False)
    assert case is not None
    tally = Tally()
    DOORS["jscop"](case, Random(kind), 30, tally)
    assert tally.wrong


def test_a_copy_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were nothing copied back, other memory would be left."""

    def never_back(numbered: Numbered, array: Array, elements: Copied, limit: int) -> Buffer:
        return replace(buffer_for(numbered, array, elements, limit), out=None)

    monkeypatch.setattr(localizing, "buffer_for", never_back)
    text = "[n, m]\nfor i : 0 <= i < n\n  S: A[i] = A[i]\n  T: B[i] = A[i]"
    case = Case.of(text, may_reassociate=False)
    assert case is not None
    tally = Tally()
    for seed in range(4):
        ask_for_copies(case, Random(seed), tally)
    assert any("other memory" in one for one in tally.wrong)


def test_what_may_be_left_out_is_what_nothing_needs() -> None:
    """A JSCoP may leave out what is overwritten, and nothing else."""
    text = "[n, m]\nfor i : 0 <= i < n\n  S: A[i] =\n  T: A[i] =\n  U: B[] = B[] A[i]"
    case = Case.of(text, may_reassociate=False)
    assert case is not None
    sizes = {"n": 3, "m": 1}
    free = {name: case.is_without_effect({(name, (i,)) for i in range(3)}, sizes) for name in "STU"}
    assert free == {"S": True, "T": False, "U": False}


def test_refusals_of_what_is_legal_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were two instances ordered that touch nothing in common, that would be counted."""

    def excessive(scop: Scop, *, reassociate: bool) -> Dependences:
        found = compute_dependences(scop, reassociate=reassociate)
        return replace(found, flow=isl.UnionMap("[n, m] -> { S[i] -> S[i + 1] : 0 <= i < n - 1 }"))

    monkeypatch.setattr(problem, "compute_dependences", excessive)
    _keep_nothing(monkeypatch)
    case = Case.of("[n, m]\nfor i : 0 <= i < n\n  S: A[i] = \n  T: x[] =", may_reassociate=False)
    assert case is not None
    tally = Tally()
    DOORS["jscop"](case, Random(1), 40, tally)
    assert tally.total(LEGAL)


MANY = range(150)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_thousands_of_changes(door: str) -> None:
    tally = tried(MANY, door, 12)
    print(f"\n{tally.table()}")
    print(*tally.refused, sep="\n\n")
    check(tally)
    assert tally.total() >= 1000
    if door == "steps":
        assert {kind for _, kind, _ in tally.counts} == {*STEPS, "all"}
