"""Accesses that a file has moved, against a machine that runs the loops in its order."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from random import Random

import islpy as isl
import pytest

from polyopt.poly.changes.storage import Move
from polyopt.poly.exchange.dates import tree_of
from polyopt.poly.exchange.new_places import NotMoved, check_moves
from polyopt.poly.schedule_tree import build_schedule
from polyopt.poly.scop import Access, Array, Scop, Statement

N = 4
NAMES = "PQRS"
PLACES: dict[str, Callable[[int], int]] = {
    "[i]": lambda i: i,
    "[0]": lambda i: 0,
    "[i mod 2]": lambda i: i % 2,
    "[i + 1]": lambda i: i + 1,
}
"""Where t[i] may go, as text and as a function."""

ACCESSES = {
    "P": (("A", 0), ("t", 0)),
    "Q": (("t", 0), ("B", 0)),
    "R": (("B", 0), ("t", 0)),
    "S": (("t", 0), ("C", 0)),
}
"""What each statement reads and writes at its iteration; t is nobody's afterwards."""


Dates = dict[str, tuple[int | str, ...]]


def scop() -> Scop:
    statements = list[Statement]()
    for name in NAMES:
        (read, _), (written, _) = ACCESSES[name]
        accesses = (
            Access(read, isl.Map(f"{{ {name}[i] -> {read}[i] }}"), False, True, 0),
            Access(written, isl.Map(f"{{ {name}[i] -> {written}[i] }}"), True, True, 1),
        )
        domain = isl.Set(f"{{ {name}[i] : 0 <= i < {N} }}")
        statements.append(Statement(name, domain, accesses, (), ("i",)))
    arrays = [Array(one, 8, (None,), is_local=one == "t") for one in "ABCt"]
    order = schedule({name: (k, "i") for k, name in enumerate(NAMES)})
    return Scop("f", isl.Set("{ : }"), tuple(statements), tuple(arrays), order)


def schedule(dates: Dates) -> isl.Schedule:
    domains = {name: isl.Set(f"{{ {name}[i] : 0 <= i < {N} }}") for name in NAMES}
    maps = {
        name: isl.Map(f"{{ {name}[i] -> [{', '.join(map(str, one))}] }}")
        for name, one in dates.items()
    }
    union = isl.UnionSet("{ }")
    for one in domains.values():
        union = union.union(isl.UnionSet.from_set(one))
    return build_schedule(union, tree_of(domains, maps))


def run(dates: Dates, place: dict[str, str], flip: bool) -> object:
    """What A, B and C hold at the end, values being their histories. Instances of one date run in
    the order of their names, or against it."""
    instances = sorted(
        product(NAMES, range(N)),
        key=lambda one: (
            [one[1] if date == "i" else date for date in dates[one[0]]],
            (-ord(one[0][0]) if flip else ord(one[0][0])),
        ),
    )
    memory: dict[tuple[str, int], object] = {}
    for name, i in instances:
        (read, _), (written, _) = ACCESSES[name]
        source = ("u", PLACES[place[name]](i)) if read == "t" else (read, i)
        target = ("u", PLACES[place[name]](i)) if written == "t" else (written, i)
        memory[target] = (name, i, memory.get(source, source))
    return {where: value for where, value in memory.items() if where[0] != "u"}


def orders() -> list[Dates]:
    """Each statement's loop one after the other, all in one loop in any order, and with equal
    dates."""
    found = list[Dates]()
    for order in permutations(range(4)):
        found.append({name: (k, "i") for name, k in zip(NAMES, order, strict=True)})
        found.append({name: ("i", k) for name, k in zip(NAMES, order, strict=True)})
    found += [{name: ("i", min(k, 2)) for k, name in enumerate(NAMES)}]
    found += [{"P": (0, "i", 0), "Q": (0, "i", 1), "R": (1, "i", 0), "S": (1, "i", 1)}]
    return found


def move_to(place: dict[str, str]) -> Move:
    relations = {
        (name, position): isl.Map(f"{{ {name}[i] -> u{place[name]} }}")
        for name in NAMES
        for position, (array, _) in enumerate(ACCESSES[name])
        if array == "t"
    }
    return Move(Array("u", 8, (None,), is_local=True), relations)


def test_one_date_for_two_that_meet() -> None:
    """Q reads what P has written and R overwrites: nothing says which of Q and R is first."""
    move = move_to(dict.fromkeys(NAMES, "[0]"))
    apart: Dates = {"P": ("i", 0), "Q": ("i", 1), "R": ("i", 2), "S": ("i", 3)}
    check_moves(scop(), [move], schedule(apart))
    with pytest.raises(NotMoved, match="one date"):
        check_moves(scop(), [move], schedule({**apart, "R": ("i", 1)}))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_taken_computes_the_same(seed: int) -> None:
    random, source = Random(seed), scop()
    plain = dict.fromkeys(NAMES, "[i]")
    wanted = run({name: (k, "i") for k, name in enumerate(NAMES)}, plain, flip=False)
    taken, every = 0, orders()
    for _ in range(60):
        dates = random.choice(every if random.randrange(2) else [every[0], every[1], every[-1]])
        one, two = random.choice(list(PLACES)), random.choice(list(PLACES))
        place = {"P": one, "Q": one, "R": two, "S": two}
        if not random.randrange(4):
            place[random.choice(NAMES)] = random.choice(list(PLACES))
        same = all(run(dates, place, flip) == wanted for flip in (False, True))
        try:
            check_moves(source, [move_to(place)], schedule(dates))
        except NotMoved:
            continue
        # B, which is on the way as well, is not the move's business.
        others = run(dates, plain, flip=False) == run(dates, plain, flip=True) == wanted
        assert same or not others
        taken += same
    assert taken > 3


def one_statement(*accesses: tuple[str, str, bool]) -> Scop:
    """A loop around `accesses`: the array, its subscript, and whether it is written."""
    parts = tuple(
        Access(name, isl.Map(f"{{ P[i] -> {name}{at} }}"), is_write, True, position)
        for position, (name, at, is_write) in enumerate(accesses)
    )
    domain = isl.Set(f"{{ P[i] : 0 <= i < {N} }}")
    order = isl.Schedule(
        f'''{{ domain: "{domain}", child: {{ schedule: "[{{ P[i] -> [i] }}]" }} }}'''
    )
    arrays = [Array(one, 8, (None,), is_local=one == "t") for one in "ABt"]
    statements = (Statement("P", domain, parts, (), ("i",)),)
    return Scop("f", isl.Set("{ : }"), statements, tuple(arrays), order)


def move(one: Scop, array: str, **places: str) -> Move:
    relations = {
        ("P", int(position[1:])): isl.Map(f"{{ P[i] -> {array}{at} }}")
        for position, at in places.items()
    }
    return Move(one.array(array), relations)


@pytest.mark.parametrize(
    ("size", "place", "is_taken"),
    [
        (4, "[i]", True),
        (4, "[i + 1]", False),
        (4, "[i - 1]", False),
        (5, "[i + 1]", True),
        (None, "[i]", False),
    ],
)
def test_elements_that_an_array_may_not_have_are_not_used(
    size: int | None, place: str, is_taken: bool
):
    """It is there already, and is used nowhere else: only its size says what it has."""
    one = one_statement(("t", "[i]", True), ("t", "[i]", False), ("A", "[i]", True))
    there = Array("u", 8, (None if size is None else str(size),), is_local=True)
    one = replace(one, arrays=(*one.arrays, there))
    moves = [move(one, "u", a0=place, a1=place)]
    if is_taken:
        assert check_moves(one, moves, one.schedule)
        return
    with pytest.raises(NotMoved, match="'u' may have no such element"):
        check_moves(one, moves, one.schedule)


def through_t(**changed: str) -> Scop:
    """P writes t[i], reads it, and writes B[i]; there are u, which nobody uses, and A, which lasts.
    Of the arrays named the accesses are `may` ones or those of the first half alone."""
    one = one_statement(("t", "[i]", True), ("t", "[i]", False), ("B", "[i]", True))
    (statement,) = one.statements
    accesses = list[Access]()
    for access in statement.accesses:
        match changed.get(access.array):
            case "may":
                access = replace(access, is_must=False)
            case "half":
                first = isl.Set(f"{{ P[i] : i < {N // 2} }}")
                access = replace(access, relation=access.relation.intersect_domain(first))
            case _:
                pass
        accesses.append(access)
    arrays = [Array(name, 8, (str(N),), is_local=name in "tu") for name in "ABtu"]
    statement = replace(statement, accesses=tuple(accesses))
    return replace(one, statements=(statement,), arrays=tuple(arrays))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, ""),
        ({"t": "may"}, "'t' is accessed in ways that are not known"),
        ({"t": "half"}, "not all instances of 'P' have an element"),
        ({"B": "may"}, ""),
        ({"B": "half"}, ""),
    ],
)
def test_what_is_moved_is_known_exactly(changed: dict[str, str], message: str):
    one = through_t(**changed)
    moves = [move(one, "u", a0="[i]", a1="[i]")]
    if not message:
        assert check_moves(one, moves, one.schedule)
        return
    with pytest.raises(NotMoved, match=message):
        check_moves(one, moves, one.schedule)


def test_what_lasts_and_is_not_written_stays_so():
    """A holds what it held before."""
    one = through_t()
    with pytest.raises(NotMoved, match="memory would not end the same"):
        check_moves(one, [move(one, "A", a0="[i]", a1="[i]")], one.schedule)


def test_two_writes_of_an_instance_do_not_change_places():
    """Each instance writes both elements, but other values to them."""
    one = one_statement(("A", "[i]", True), ("B", "[i]", True))
    with pytest.raises(NotMoved):
        check_moves(one, [move(one, "B", a0="[i]"), move(one, "A", a1="[i]")], one.schedule)


def test_what_an_instance_wrote_itself_is_read_there():
    """t is written and read by the same instance: both accesses go, or none."""
    one = one_statement(("t", "[0]", True), ("t", "[0]", False), ("A", "[i]", True))
    both = move(one, "A", a0="[i]", a1="[i]")
    assert check_moves(one, [both], one.schedule)
    for alone in ("a0", "a1"):
        with pytest.raises(NotMoved):
            check_moves(one, [move(one, "A", **{alone: "[i]"})], one.schedule)


def test_a_write_between_is_in_the_way():
    one = one_statement(
        ("t", "[0]", True), ("A", "[i]", True), ("t", "[0]", False), ("A", "[i]", True)
    )
    with pytest.raises(NotMoved):
        check_moves(one, [move(one, "A", a0="[i]", a2="[i]")], one.schedule)
