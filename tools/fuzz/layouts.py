"""Arrays in other layouts while loops run (docs/schedules.md), as a person would ask for them.

Passes `poly-layout` of random arrays and options. One that cannot be done is dropped, so that those
which are left have to be done when they are asked for again.
"""

from __future__ import annotations

from random import Random

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from polyopt.dialects.poly import ScopOp
from polyopt.passes.storage.layout import PolyLayoutPass
from polyopt.support.diagnostics import CompileError

ATTEMPTS = 6
MOST = 3


def random_layouts(module: ModuleOp, context: Context, seed: int) -> list[str]:
    """The passes, as `--add-pass=poly:` takes them; the module has gone through them then."""
    random = Random(f"layouts {seed}")
    found = list[str]()
    for _ in range(ATTEMPTS):
        scops = [op for op in module.walk() if isinstance(op, ScopOp) and op.array_names]
        if not scops or len(found) == MOST:
            break
        chosen = _random_layout(random.choice(scops), random)
        copy = module.clone()
        try:
            chosen.apply(context, copy)
            copy.verify()
        except CompileError:
            continue
        module = copy
        found.append(str(chosen.pipeline_pass_spec()))
    return found


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
