"""Instances that nothing needs, against a machine that runs the loops and remembers who wrote."""

from random import Random

import islpy as isl
import pytest

from polyopt.poly.changes.dead_instances import needed, without
from polyopt.poly.dependences import compute_dependences
from polyopt.poly.scop import Access, Array, Scop, Statement

N = 5
Instance = tuple[str, int]
Program = list[tuple[str, int, int]]
"""In order of the source: a loop over 0..N-1 for each, which reads A[i + r] and writes A[i + w]."""


def scop_of(program: Program) -> Scop:
    statements = list[Statement]()
    filters = list[str]()
    for name, read, write in program:
        accesses = (
            Access("A", isl.Map(f"{{ {name}[i] -> A[i + {read}] }}"), False, True, 0),
            Access("A", isl.Map(f"{{ {name}[i] -> A[i + {write}] }}"), True, True, 1),
        )
        domain = isl.Set(f"{{ {name}[i] : 0 <= i < {N} }}")
        statements.append(Statement(name, domain, accesses, (), ("i",)))
        band = f'schedule: "[{{ {name}[i] -> [i] }}]"'
        filters.append(f'{{ filter: "{{ {name}[i] }}", child: {{ {band} }} }}')
    domains = "; ".join(f"{name}[i] : 0 <= i < {N}" for name, _, _ in program)
    text = f'{{ domain: "{{ {domains} }}", child: {{ sequence: [ {", ".join(filters)} ] }} }}'
    return Scop(
        "f", isl.Set("{ : }"), tuple(statements), (Array("A", 8, (None,)),), isl.Schedule(text)
    )


def run(program: Program, left_out: set[Instance]) -> tuple[dict[Instance, object], object]:
    """What each instance reads, and memory at the end, values being their histories."""
    memory: dict[int, object] = {}
    read: dict[Instance, object] = {}
    for name, source, target in program:
        for i in range(N):
            if (name, i) not in left_out:
                read[name, i] = memory.get(i + source, i + source)
                memory[i + target] = (name, i, read[name, i])
    return read, memory


@pytest.mark.parametrize("seed", range(8))
def test_nothing_needs_what_makes_no_difference(seed: int) -> None:
    random = Random(seed)
    program = [(name, random.randrange(7), random.randrange(3)) for name in "RSTU"]
    scop = scop_of(program)
    flow = compute_dependences(scop).value_flow
    whole, memory = run(program, set())
    for _ in range(25):
        count = random.randrange(1, 6)
        chosen = {(random.choice("RSTU"), random.randrange(N)) for _ in range(count)}
        points = isl.UnionSet("{ " + "; ".join(f"{name}[{i}]" for name, i in chosen) + " }")
        others = {one: value for one, value in whole.items() if one not in chosen}
        is_same = run(program, chosen) == (others, memory)
        assert needed(scop, flow, points).is_empty() == is_same
        assert without(scop, points).domain.is_equal(scop.domain.subtract(points))
