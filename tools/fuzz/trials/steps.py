"""Scripts of random steps that are legal, as a person would write them (docs/schedules.md).

Names come from the loops as they stand after the steps before. A step that cannot be done or that
breaks a dependence is dropped, so that what is left has to be accepted when it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from random import Random

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.ir.problem import read_problem
from polyopt.passes.schedule.apply_steps import apply_section, scop_addresses
from polyopt.poly.scop import Scop
from polyopt.poly.transform.by_hand import begun, run_line
from polyopt.poly.transform.names import Names, Part, iterator_names
from polyopt.poly.transform.script import ScriptStep, parse_script
from polyopt.poly.transform.steps import check_form
from polyopt.support.diagnostics import CompileError
from polyopt.support.effort import share
from polyopt.support.record import record
from polyopt.tools.children import without_trace

ATTEMPTS = 12
LONGEST = 5
OPERATIONS = 4_000_000
"""Of isl's for the steps of a SCoP, those that are dropped among them, if the account of its
function has as many left: then those that are kept find enough there when they are read again."""


def random_script(module: ModuleOp, seed: int, *, threads: bool = False) -> str:
    """Steps for each SCoP of the module. `threads`: whether loops may run in some."""
    random = Random(f"steps {seed}")
    scops = [op for op in module.walk() if isinstance(op, ScopOp)]
    steps = _STEPS + _IN_THREADS if threads else _STEPS
    lines = list[str]()
    for op, address in zip(scops, scop_addresses(scops), strict=True):
        found = _legal_steps(op, steps, random)
        if found:
            lines += [address, *found]
    return "\n".join([*lines, ""])


@record
class DrawSteps(ModulePass):
    """Run where a script will be: `found` gets the lines of one, and the module goes through it.

    Steps on one SCoP cost something that those behind it no longer have, so the ones that were
    drawn are done, as they will be; that they can be is not asked again. They are drawn in forks:
    isl keeps what it has found out of a set, and what is dropped must leave nothing behind."""

    name = "draw-steps"

    seed: int = 0
    threads: bool = False
    found: list[str] = field(default_factory=list[str])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        steps = _STEPS + _IN_THREADS if self.threads else _STEPS
        scops = [one for one in op.walk() if isinstance(one, ScopOp)]
        for number, (scop, address) in enumerate(zip(scops, [*scop_addresses(scops)], strict=True)):
            random = Random(f"steps {self.seed} {number}")
            drawn = without_trace(partial(_legal_steps, scop, steps, random))
            if drawn:
                (section,) = parse_script("\n".join(drawn), "<random>").sections
                apply_section(scop, section)
                self.found.extend([address, *drawn])


def _legal_steps(op: ScopOp, steps: Sequence[Draw], random: Random) -> list[str]:
    problem, found = read_problem(op), list[str]()
    if not problem.is_understood:
        return found
    try:
        state = begun(problem.scop, problem.dependences)
    except CompileError:
        return found
    with problem.effort(), share("random steps", OPERATIONS):
        for _ in range(random.randint(2, ATTEMPTS)):
            names = Names.of(state.scop, state.tree)
            if not names.parts:
                break  # nothing ever runs
            text = random_step(state.scop, names, steps, random)
            try:
                state = run_line(state, [_step(text)])
            except CompileError:
                continue
            found.append(text)
            if len(found) >= LONGEST:
                break
    return found


def _step(text: str) -> ScriptStep:
    (section,) = parse_script(text, "<random>").sections
    ((step,),) = section.lines
    check_form(step)
    return step


Draw = Callable[[Random, list[str], list[str], tuple[str, ...]], str]
"""A step from the loops around a statement, two places, and the iterators of the statement."""


def random_step(scop: Scop, names: Names, steps: Sequence[Draw], random: Random) -> str:
    part, other = random.choice(names.parts), random.choice(names.parts)
    here, there = _place(names, part), _place(names, other)
    loops = [f"{here}.{loop.name}" for loop in part.loops if loop.name]
    if not loops:
        return f"reorder {here} {there}"
    draw = random.choice(steps)
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


def _hexagons(random: Random, loops: list[str], _: list[str], __: tuple[str, ...]) -> str:
    sizes = f"{random.choice([1, 2, 4, 8])} {random.choice([0, 1, 3, 8])}"
    return f"hexagons {random.choice(loops)} {random.choice(loops)} {sizes}{_how(random)}"


def _hyperplanes(random: Random, loops: list[str], _: list[str], __: tuple[str, ...]) -> str:
    """One family of them, or one for each loop."""
    chosen = random.sample(loops, random.randint(1, min(2, len(loops))))
    families = [
        [*(random.choice([-1, 0, 1, 1, 2]) for _ in chosen), random.choice([2, 3, 4, 8])]
        for _ in range(random.randint(1, len(chosen)))
    ]
    numbers = " ".join(str(one) for family in families for one in family)
    full = random.choice(["", "", "", " full"])
    return f"hyperplanes {' '.join(chosen)} {numbers}{full}"


def _lattice(random: Random, loops: list[str], _: list[str], __: tuple[str, ...]) -> str:
    """Cells between generators, or the bricks that a condition describes."""
    chosen = random.sample(loops, random.randint(1, min(2, len(loops))))
    sizes = [random.choice([2, 3, 4, 8]) for _ in chosen]
    rows = [[size if k == j else 0 for k in range(len(sizes))] for j, size in enumerate(sizes)]
    rows[0][-1] += random.choice([-1, 0, 1])
    text = f"lattice {' '.join(chosen)} {' '.join(str(one) for row in rows for one in row)}"
    if random.random() < 0.5:
        return f"{text}{_how(random)}"
    places = zip(chosen, sizes, strict=True)
    inside = " and ".join(f"0 <= {one.rpartition('.')[2]} < {size}" for one, size in places)
    return f"{text}{_how(random)} where {inside}"


def _how(random: Random) -> str:
    return random.choice(["", "", "", " full", " dual"])


_IN_THREADS: tuple[Draw, ...] = (
    lambda r, loops, _, __: f"parallel {r.choice(loops)}",
    lambda r, loops, _, __: f"parallel {r.choice(loops)}",
)
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
    _hexagons,
    _hyperplanes,
    _lattice,
    lambda r, loops, _, __: f"localize {r.choice(loops)}",
    lambda r, loops, _, __: f"vectorize {r.choice(loops)}",
)


def _place(names: Names, part: Part) -> str:
    same = [one for one in names.parts if one.statement == part.statement]
    return f"{part.statement}:{same.index(part) + 1}" if len(same) > 1 else part.statement
