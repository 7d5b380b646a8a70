"""Random steps of `polyopt.poly.transform`, as a reckless person would write them.

Names come from the tree as it stands, so most steps can be done; whether they are legal is not
asked. Steps that tile by a partition run the tiles in the order of their numbers here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from polyopt.poly.schedule_tree import Tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.names import Names, Part, iterator_names
from polyopt.poly.transform.script import ScriptStep, parse_script
from polyopt.poly.transform.steps import apply_step, check_form
from polyopt.support.diagnostics import CompileError

ATTEMPTS = 40
CHOOSING = frozenset({"hexagons", "hyperplanes", "lattice"})
"""The steps that look for another order where dependences forbid the first."""


def random_change(scop: Scop, tree: Tree, random: Random) -> tuple[str, Tree] | None:
    """A step that can be done, and the tree after it; None if none was found."""
    names = Names.of(scop, tree)
    for _ in range(ATTEMPTS):
        text = random_step(scop, names, random)
        if text is None:
            continue
        step = _parsed(text)
        try:
            check_form(step)
            return text, apply_step(scop, tree, step)
        except CompileError:
            continue
    return None


def _parsed(text: str) -> ScriptStep:
    (section,) = parse_script(text, "<random>").sections
    ((step,),) = section.lines
    return step


def random_step(scop: Scop, names: Names, random: Random) -> str | None:
    """The text of a step; None if the part that was drawn has no loops for it."""
    part = random.choice(names.parts)
    loops = [f"{_place(names, part)}.{loop.name}" for loop in part.loops if loop.name]
    if not loops:
        return f"reorder {_place(names, part)} {_place(names, random.choice(names.parts))}"
    other = random.choice(names.parts)
    draw = random.choice(_STEPS)
    return draw(_Draw(scop, names, part, other, loops, random))


class _Draw:
    """What a step may be drawn from: a part of a statement with its loops, and another part."""

    def __init__(
        self,
        scop: Scop,
        names: Names,
        part: Part,
        other: Part,
        loops: list[str],
        random: Random,
    ):
        self.random = random
        self.loops = loops
        self.places = _place(names, part), _place(names, other)
        self.iterators = iterator_names(scop, part.statement)

    def loop(self) -> str:
        return self.random.choice(self.loops)

    def some(self, least: int) -> list[str]:
        count = self.random.randint(min(least, len(self.loops)), len(self.loops))
        return self.random.sample(self.loops, count)

    def number(self, *values: int) -> int:
        return self.random.choice(values)

    def how(self, *words: str) -> str:
        """Each of the words, seldom."""
        return "".join(f" {word}" for word in words if self.random.random() < 0.2)


def _tile(draw: _Draw) -> str:
    loops = draw.some(1)
    return f"tile {' '.join(loops)} {' '.join(str(draw.number(2, 3)) for _ in loops)}"


def _hexagons(draw: _Draw) -> str:
    sizes = f"{draw.number(1, 2)} {draw.number(0, 1, 2)}"
    return f"hexagons {draw.loop()} {draw.loop()} {sizes}{draw.how('full', 'dual')}"


def _hyperplanes(draw: _Draw) -> str:
    """One family, or one for each loop."""
    loops = draw.some(1)
    families = [
        [*(draw.number(-1, 0, 1, 1, 2) for _ in loops), draw.number(2, 3)]
        for _ in range(draw.number(1, len(loops)))
    ]
    numbers = " ".join(str(one) for family in families for one in family)
    return f"hyperplanes {' '.join(loops)} {numbers}{draw.how('full')}"


def _lattice(draw: _Draw) -> str:
    """Cells, or a condition on the place in a tile, which is a partition of space for bricks."""
    loops = draw.some(1)
    sizes = [draw.number(2, 3) for _ in loops]
    rows = [[size if k == j else 0 for k in range(len(sizes))] for j, size in enumerate(sizes)]
    if len(loops) > 1:
        rows[draw.number(0, 1)][draw.number(0, 1)] += draw.number(-1, 0, 1)
    text = f"lattice {' '.join(loops)} {' '.join(str(one) for row in rows for one in row)}"
    names = [loop.rpartition(".")[2] for loop in loops]
    bricks = " and ".join(f"0 <= {one} < {size}" for one, size in zip(names, sizes, strict=True))
    return f"{text}{draw.how('full', 'dual')}" + (f" where {bricks}" if draw.number(0, 1) else "")


def random_copies(names: Names, random: Random) -> str | None:
    """A step `localize`; None if the part that was drawn has no loops."""
    part = random.choice(names.parts)
    loops = [f"{_place(names, part)}.{loop.name}" for loop in part.loops if loop.name]
    if not loops:
        return None
    arrays = random.choice(["", "", " A", " M", " A B"])
    return f"localize {random.choice(loops)}{arrays}"


def _split(draw: _Draw) -> str:
    i, j = draw.random.choice(draw.iterators), draw.random.choice(draw.iterators)
    condition = draw.random.choice([f"{i} < 2", f"{i} <= {j}", f"{i} mod 2 = 1", f"{i} + {j} > 3"])
    return f"split {draw.loop()} where {condition}"


_STEPS: tuple[Callable[[_Draw], str], ...] = (
    lambda draw: f"permute {' '.join(draw.some(2))}",
    lambda draw: f"interchange {draw.loop()} {draw.loop()}",
    lambda draw: f"strip {draw.loop()} 2",
    _tile,
    _tile,
    lambda draw: f"unroll {draw.loop()} {draw.number(2, 3)}",
    lambda draw: f"skew {draw.loop()} {draw.loop()} {draw.number(-2, -1, 1, 2)}",
    lambda draw: f"shift {draw.loop()} {draw.number(-2, -1, 1, 2)}",
    lambda draw: f"reverse {draw.loop()}",
    lambda draw: f"scale {draw.loop()} {draw.number(2, 3)}",
    lambda draw: f"fuse {draw.places[0]} {draw.places[1]}",
    lambda draw: f"fuse {draw.places[1]} {draw.places[0]}",
    lambda draw: f"distribute {draw.loop()}",
    lambda draw: f"reorder {draw.places[0]} {draw.places[1]}",
    lambda draw: f"peel {draw.loop()} {draw.random.choice(['first', 'last'])} {draw.number(1, 2)}",
    _split,
    _hexagons,
    _hyperplanes,
    _lattice,
    lambda draw: f"vectorize {draw.loop()}",
    lambda draw: f"parallel {draw.loop()}",
)


def _place(names: Names, part: Part) -> str:
    same = [one for one in names.parts if one.statement == part.statement]
    return f"{part.statement}:{same.index(part) + 1}" if len(same) > 1 else part.statement
