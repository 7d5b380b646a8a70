"""The loop transformations of `polyopt.poly.transform`, each as a pass.

A pass puts its options together to one step of the language that scripts are written in, and
everything else is that step's: what it does, what it refuses, and its messages.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.passes.schedule.apply_steps import apply_script
from polyopt.poly.transform.script import parse_script
from polyopt.support.record import record


class _StepPass(ModulePass):
    """The SCoP is the only one, or the one that `scop` addresses as scripts do."""

    scop: str | None

    @abstractmethod
    def step(self) -> str: ...

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        head = f"scop {self.scop}\n" if self.scop is not None else ""
        apply_script(op, parse_script(head + self.step(), f"<{self.name}>"))


def _words(*parts: str | int | tuple[str | int, ...]) -> str:
    groups = (part if isinstance(part, tuple) else (part,) for part in parts)
    return " ".join(str(word) for group in groups for word in group)


@record
class PolyInterchangePass(_StepPass):
    """Two loops of a perfect nest in each other's place. Refused if a dependence forbids it.

    for i, for j { S }     =>     for j, for i { S }
    """

    name = "poly-interchange"

    first: str
    second: str
    scop: str | None = None

    def step(self) -> str:
        return _words("interchange", self.first, self.second)


@record
class PolyPermutePass(_StepPass):
    """The loops of a perfect nest in the order in which they are listed, outermost first. Refused
    if a dependence forbids it.

        for i, for j, for k { S }     =>     for k, for i, for j { S }
    """

    name = "poly-permute"

    loops: tuple[str, ...]
    scop: str | None = None

    def step(self) -> str:
        return _words("permute", self.loops)


@record
class PolyStripMinePass(_StepPass):
    """A loop over strips of `size` iterations, and the loop in a strip right inside. Always legal.

    for i { S }     =>     for i_tile step size, for i in the strip { S }
    """

    name = "poly-strip-mine"

    loop: str
    size: int
    scop: str | None = None

    def step(self) -> str:
        return _words("strip", self.loop, self.size)


@record
class PolyTileLoopsPass(_StepPass):
    """Tiles of `sizes` iterations of `loops`, one size for each. Refused if a dependence forbids
    it. (`poly-tile` tiles whatever bands there are.)

        for i, for j { S }     =>     for i_tile, for j_tile, for i in tile, for j in tile { S }
    """

    name = "poly-tile-loops"

    loops: tuple[str, ...]
    sizes: tuple[int, ...]
    scop: str | None = None

    def step(self) -> str:
        return _words("tile", self.loops, self.sizes)


@record
class PolyUnrollPass(_StepPass):
    """The shape of unroll-and-jam: strips of `count` iterations where the loop is, the loop in a
    strip innermost and marked "unroll", for `affine-unroll`. Refused if a dependence forbids it.

        for i, for j { S }     =>     for i_tile step count, for j, for i in the strip { S }
    """

    name = "poly-unroll"

    loop: str
    count: int
    scop: str | None = None

    def step(self) -> str:
        return _words("unroll", self.loop, self.count)


@record
class PolySkewPass(_StepPass):
    """`loop` counts `factor` times what `by` counts more. Refused if a dependence forbids it,
    which none does where `by` is the outer one.

        for t, for i { S(t, i) }     =>     for t, for c = factor t + i { S(t, c - factor t) }
    """

    name = "poly-skew"

    loop: str
    by: str
    factor: int = 1
    scop: str | None = None

    def step(self) -> str:
        return _words("skew", self.loop, self.by, self.factor)


@record
class PolyShiftPass(_StepPass):
    """Retiming: the statement in whose name `loop` is given runs `amount` iterations of it later;
    the others in the loop stay. Refused if a dependence forbids it.

        for i { S(i); T(i) }     =>     for c { S(c); T(c - amount) }     for loop="T.i"
    """

    name = "poly-shift"

    loop: str
    amount: int
    scop: str | None = None

    def step(self) -> str:
        return _words("shift", self.loop, self.amount)


@record
class PolyReversePass(_StepPass):
    """The loop from its last iteration to its first. Refused if a dependence forbids it.

    for i = 0, ..., n - 1     =>     for i = n - 1, ..., 0
    """

    name = "poly-reverse"

    loop: str
    scop: str | None = None

    def step(self) -> str:
        return _words("reverse", self.loop)


@record
class PolyScalePass(_StepPass):
    """The loop counts in steps `factor` times as long, which leaves room for the iterations of a
    loop that is fused with it. Always legal.

        for i { S(i) }     =>     for c step factor { S(c / factor) }
    """

    name = "poly-scale"

    loop: str
    factor: int
    scop: str | None = None

    def step(self) -> str:
        return _words("scale", self.loop, self.factor)


@record
class PolyFusePass(_StepPass):
    """Loops that run one after another become one, iteration by iteration. A statement stands for
    the loop around it that the others are not in. Refused if a dependence forbids it.

        for i { S }  for i { T }     =>     for i { S; T }
    """

    name = "poly-fuse"

    places: tuple[str, ...]
    scop: str | None = None

    def step(self) -> str:
        return _words("fuse", self.places)


@record
class PolyDistributePass(_StepPass):
    """Fission: a loop of its own for each child of the loop's body, or, where `before` names
    statements, cut in front of what they are in only. Refused if a dependence forbids it.

        for i { S; T }     =>     for i { S }  for i { T }
    """

    name = "poly-distribute"

    loop: str
    before: tuple[str, ...] = ()
    scop: str | None = None

    def step(self) -> str:
        return _words("distribute", self.loop, self.before)


@record
class PolyReorderPass(_StepPass):
    """Statements or loops that run one after another, in the order in which they are listed.
    Refused if a dependence forbids it.

        S; T     =>     T; S
    """

    name = "poly-reorder"

    places: tuple[str, ...]
    scop: str | None = None

    def step(self) -> str:
        return _words("reorder", self.places)


@record
class PolyPeelPass(_StepPass):
    """The first or the last `count` iterations of a loop apart from the others. Always legal.

    for i { S(i) }     =>     S(0)  for i >= 1 { S(i) }
    """

    name = "poly-peel"

    loop: str
    end: Literal["first", "last"] = "first"
    count: int = 1
    scop: str | None = None

    def step(self) -> str:
        return _words("peel", self.loop, self.end, self.count)


@record
class PolySplitPass(_StepPass):
    """Index-set splitting: the loop for the instances that fulfil `where` first, then for the
    others. `where` is a condition of isl's over the C names of loops and the parameters. Refused
    if a dependence forbids it.

        for i { S }     =>     for i where c(i) { S }  for i where not c(i) { S }
    """

    name = "poly-split"

    loop: str
    where: str
    scop: str | None = None

    def step(self) -> str:
        return f"split {self.loop} where {self.where}"


@record
class PolyVectorizePass(_StepPass):
    """An innermost loop is to run in vectors, whatever is expected of it (`affine-vectorize`).
    Refused if it carries a dependence, but for sums in any order where these are permitted.

        for i { S }     =>     for i { S }, marked "vectors"
    """

    name = "poly-vectorize"

    loop: str
    scop: str | None = None

    def step(self) -> str:
        return _words("vectorize", self.loop)


@record
class PolyParallelPass(_StepPass):
    """A loop is to run in threads, whatever is expected of it (`affine-parallelize`). Refused if it
    carries a dependence that threads cannot keep: all but sums in any order and pipelines.

        for i { S }     =>     for i { S }, marked "threads"
    """

    name = "poly-parallel"

    loop: str
    scop: str | None = None

    def step(self) -> str:
        return _words("parallel", self.loop)
