"""Scripts of random steps that are legal, as a person would write them (docs/schedules.md).

Names come from the loops as they stand after the steps before. A step that cannot be done or that
breaks a dependence is dropped, so that what is left has to be accepted when it is read again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.ir.problem import read_problem
from polyopt.passes.schedule.apply_steps import scop_addresses
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import check_schedule
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names, Part, iterator_names
from polyopt.poly.transform.places import single_loops
from polyopt.poly.transform.script import parse_script
from polyopt.poly.transform.steps import apply_step, check_form
from polyopt.support.diagnostics import CompileError

ATTEMPTS = 12
OPERATIONS = 2_000_000


def random_script(module: ModuleOp, seed: int) -> str:
    """Steps for each SCoP of the module."""
    random = Random(f"steps {seed}")
    scops = [op for op in module.walk() if isinstance(op, ScopOp)]
    lines = list[str]()
    for op, address in zip(scops, scop_addresses(scops), strict=True):
        steps = _legal_steps(op, random)
        if steps:
            lines += [address, *steps]
    return "\n".join([*lines, ""])


def _legal_steps(op: ScopOp, random: Random) -> list[str]:
    problem = read_problem(op)
    scop, found = problem.scop, list[str]()
    if not problem.is_understood:
        return found
    try:
        tree = single_loops(read_tree(scop.schedule))
    except UnsupportedTree:
        return found
    for _ in range(random.randint(2, ATTEMPTS)):
        names = Names.of(scop, tree)
        if not names.parts:
            break  # nothing ever runs
        text = random_step(scop, names, random)
        changed = _after(scop, tree, text)
        if changed is None:
            continue
        try:
            with budget("steps", OPERATIONS):
                schedule = build_schedule(scop.schedule.get_domain(), changed)
        except BudgetExceeded:
            continue
        if not check_schedule(scop, problem.dependences, schedule):
            found.append(text)
            tree = changed
        if len(found) >= 5:
            break
    return found


def _after(scop: Scop, tree: Tree, text: str) -> Tree | None:
    """The tree after a step, None where that cannot be done."""
    (section,) = parse_script(text, "<random>").sections
    ((step,),) = section.lines
    try:
        check_form(step)
        with budget("step", OPERATIONS):
            return apply_step(scop, tree, step)
    except (CompileError, BudgetExceeded):
        return None


Draw = Callable[[Random, list[str], list[str], tuple[str, ...]], str]
"""A step from the loops around a statement, two places, and the iterators of the statement."""


def random_step(scop: Scop, names: Names, random: Random) -> str:
    part, other = random.choice(names.parts), random.choice(names.parts)
    here, there = _place(names, part), _place(names, other)
    loops = [f"{here}.{loop.name}" for loop in part.loops if loop.name]
    if not loops:
        return f"reorder {here} {there}"
    draw = random.choice(_STEPS)
    return draw(random, loops, [here, there], iterator_names(scop, part.statement))


def _some(random: Random, loops: list[str], least: int) -> str:
    count = random.randint(min(least, len(loops)), len(loops))
    return " ".join(random.sample(loops, count))


def _tile(random: Random, loops: list[str], _: list[str], __: tuple[str, ...]) -> str:
    count = random.randint(1, len(loops))
    start = random.randint(0, len(loops) - count)
    chosen = loops[start : start + count]
    sizes = (str(random.choice([2, 3, 4, 5, 8, 16])) for _ in chosen)
    return f"tile {' '.join(chosen)} {' '.join(sizes)}"


def _split(random: Random, loops: list[str], _: list[str], iterators: tuple[str, ...]) -> str:
    if not iterators:
        return f"strip {random.choice(loops)} 4"
    i, j = random.choice(iterators), random.choice(iterators)
    conditions = [f"{i} < 2", f"{i} <= {j}", f"{i} mod 2 = 1", f"{i} + {j} > 3", f"{i} < 17"]
    return f"split {random.choice(loops)} where {random.choice(conditions)}"


_STEPS: tuple[Draw, ...] = (
    lambda r, loops, _, __: f"permute {_some(r, loops, 2)}",
    lambda r, loops, _, __: f"interchange {r.choice(loops)} {r.choice(loops)}",
    lambda r, loops, _, __: f"strip {r.choice(loops)} {r.choice([2, 3, 4, 8])}",
    _tile,
    _tile,
    _tile,
    lambda r, loops, _, __: f"unroll {r.choice(loops)} {r.choice([2, 3, 4])}",
    lambda r, loops, _, __: f"unroll {r.choice(loops)} {r.choice([2, 4])}",
    lambda r, loops, _, __: f"skew {r.choice(loops)} {r.choice(loops)} {r.choice([-2, -1, 1, 2])}",
    lambda r, loops, _, __: f"shift {r.choice(loops)} {r.choice([-2, -1, 1, 2])}",
    lambda r, loops, _, __: f"reverse {r.choice(loops)}",
    lambda r, loops, _, __: f"scale {r.choice(loops)} {r.choice([2, 3])}",
    lambda r, _, places, __: f"fuse {places[0]} {places[1]}",
    lambda r, _, places, __: f"fuse {places[1]} {places[0]}",
    lambda r, loops, _, __: f"distribute {r.choice(loops)}",
    lambda r, _, places, __: f"reorder {places[0]} {places[1]}",
    lambda r, loops, _, __: (
        f"peel {r.choice(loops)} {r.choice(['first', 'last'])} {r.choice([1, 2])}"
    ),
    _split,
)


def _place(names: Names, part: Part) -> str:
    same = [one for one in names.parts if one.statement == part.statement]
    return f"{part.statement}:{same.index(part) + 1}" if len(same) > 1 else part.statement
