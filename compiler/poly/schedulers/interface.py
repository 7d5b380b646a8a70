"""What every scheduler takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import islpy as isl

from polyopt.poly.dependences import Dependences
from polyopt.poly.scop import Scop
from polyopt.support.record import record


@record
class SchedulerOptions:
    """What may be asked of a scheduler; the defaults are those that serve loop kernels.

    The fields of isl's scheduler have isl's names and meaning (isl manual, "Scheduling"):
    `fuse` is `serialize_sccs`: "min" puts each strongly connected component of the dependence
    graph into loops of its own. `proximity` says which pairs should run close together: values
    and their uses ("raw"), also two uses of one value ("raw+rar"), all dependences ("all").
    `operations` bounds the work (isl's own count). `tile`, `tile_sizes` (of a band's members,
    outermost first, the last one for all further members; none: those of the model that
    `tile_model` names) and `contractions`
    (left to the loop stage, which has tiles of its own for them) are for `locality`. `matrix` is
    that of the matrix scheduler, as text or "auto". `march` names the machine that the models ask
    about. `outer_tile` is the size that tile-simd gives to the loops outside its strip. `permute`:
    poly-ast may order loops otherwise than the source, turn them round, and move statements.
    """

    algorithm: Literal["isl", "feautrier"] = "isl"
    fuse: Literal["max", "min"] = "max"
    proximity: Literal["raw", "raw+rar", "all", "none"] = "raw"
    maximize_band_depth: bool = True
    maximize_coincidence: bool = False
    outer_coincidence: bool = False
    max_coefficient: int = 20
    max_constant_term: int = 20
    carry_self_first: bool = True
    separate_components: bool = True
    split_scaled: bool = True
    treat_coalescing: bool = True
    whole_component: bool = False
    operations: int = 20_000_000
    tile: bool = True
    tile_sizes: tuple[int, ...] = ()
    tile_model: str = "lines"
    contractions: bool = True
    matrix: str = "auto"
    march: str = "native"
    outer_tile: int = 1
    permute: bool = True


Scheduler = Callable[[Scop, Dependences, SchedulerOptions], isl.Schedule]
