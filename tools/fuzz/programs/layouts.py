"""Arrays in other layouts while loops run (docs/schedules.md), as a person would ask for them.

Passes `poly-layout` of random arrays and options. One that cannot be done is dropped, so that those
which are left have to be done when they are asked for again.
"""

from __future__ import annotations

from dataclasses import field
from random import Random

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.passes.storage.layout import PolyLayoutPass
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.tools.children import without_trace

ATTEMPTS = 6
MOST = 3


@record
class DrawLayouts(ModulePass):
    """Run where they will be asked for, behind the passes that will be before them: `found` gets
    them as `--add-pass=poly:` takes them, and the module goes through them.

    Whether one can be done is a matter of what it costs, and of what is left for it. An attempt is
    a fork: isl keeps what it has found out of a set, and an account what was paid, so that what is
    dropped must leave nothing behind."""

    name = "draw-layouts"

    seed: int = 0
    found: list[str] = field(default_factory=list[str])

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        random = Random(f"layouts {self.seed}")
        for _ in range(ATTEMPTS):
            scops = [one for one in op.walk() if isinstance(one, ScopOp) and one.array_names]
            if not scops or len(self.found) == MOST:
                break
            chosen = _random_layout(random.choice(scops), random)
            if without_trace(lambda: _can_be_done(chosen, ctx, op)):
                chosen.apply(ctx, op)
                self.found.append(str(chosen.pipeline_pass_spec()))


def _can_be_done(chosen: PolyLayoutPass, context: Context, module: ModuleOp) -> bool:
    """The module is spoilt behind this."""
    try:
        chosen.apply(context, module)
    except CompileError:
        return False
    module.verify()
    return True


def _random_layout(op: ScopOp, random: Random) -> PolyLayoutPass:
    array = random.choice([name.data for name in op.array_names])
    scops = (op.scop_name.data,) if random.random() < 0.7 else ()
    match random.choice(["transpose", "pad", "split", "split"]):
        case "transpose":
            return PolyLayoutPass(array, "transpose", scops=scops)
        case "pad":
            return PolyLayoutPass(array, "pad", number=random.choice([1, 3, 8]), scops=scops)
        case _:
            return PolyLayoutPass(array, "split", number=random.choice([2, 3, 4]), scops=scops)
