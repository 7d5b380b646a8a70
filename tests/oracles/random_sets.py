"""Random integer sets and relations that are small enough to be listed point by point."""

from __future__ import annotations

from random import Random

import islpy as isl

from polyopt.poly.scop import Scop, Statement

NAMES = ("i", "j", "k", "l")


def linear(random: Random, names: tuple[str, ...], *, reach: int = 3) -> str:
    """A random function of some of `names`."""
    chosen = random.sample(names, random.randint(1, len(names)))
    terms = [f"{random.choice([-1, 1]) * random.randint(1, reach)}{name}" for name in chosen]
    return " + ".join([*terms, str(random.randint(-4, 4))])


def random_polyhedron(random: Random, depth: int, size: int) -> str:
    """The constraints of a bounded polyhedron or Z-polyhedron: a box, cut and thinned."""
    names = NAMES[:depth]
    parts = [f"{random.randint(-1, 0)} <= {name} < {size}" for name in names]
    for name in names:
        if random.random() < 0.3:
            parts.append(f"{name} < n")
    for _ in range(random.randint(0, 3)):
        kind = random.random()
        function = linear(random, (*names, "n") if random.random() < 0.3 else names)
        if kind < 0.6:
            parts.append(f"{function} >= 0")
        elif kind < 0.75:
            parts.append(f"{function} = {random.randint(0, 3)}")
        elif kind < 0.9:
            modulus = random.randint(2, 4)
            parts.append(f"({function}) mod {modulus} <= {random.randint(0, modulus - 1)}")
        else:
            parts.append(f"exists e : 2e <= {function} <= 3e")
    return " and ".join(f"({part})" for part in parts)


def random_set(random: Random, depth: int, size: int) -> isl.Set:
    """{ S[...] } over one parameter n: a polyhedron, or a union of a few that may overlap."""
    count = random.choice([1, 1, 1, 2, 3])
    where = " or ".join(f"({random_polyhedron(random, depth, size)})" for _ in range(count))
    return isl.Set(f"[n] -> {{ S[{', '.join(NAMES[:depth])}] : {where} }}")


def random_time(random: Random, depth: int) -> str:
    """The members of a band as isl's text: functions of the iterators, some of them of tiles."""
    members = list[str]()
    for _ in range(random.randint(1, depth)):
        function = linear(random, NAMES[:depth])
        if random.random() < 0.3:
            size = random.randint(2, 4)
            function = random.choice(["", f"{size}*"]) + f"floor(({function})/{size})"
        members.append(function)
    return ", ".join(f"{{ S[{', '.join(NAMES[:depth])}] -> [({one})] }}" for one in members)


def scop_over(domain: isl.Set, time: str | None = None) -> Scop:
    """A SCoP of one statement that accesses nothing, run in the order of its iterators or of
    `time`."""
    depth = domain.dim(isl.dim_type.set)
    names = NAMES[:depth]
    order = time or ", ".join(f"{{ S[{', '.join(names)}] -> [{name}] }}" for name in names)
    schedule = isl.Schedule(f'{{ domain: "{domain}", child: {{ schedule: "[n] -> [{order}]" }} }}')
    statement = Statement("S", domain, (), iterators=names)
    return Scop("random", isl.Set("[n] -> { : }"), (statement,), (), schedule)
