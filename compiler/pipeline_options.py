"""What is asked of the pipeline: its levels, the ways to schedule, all options of a run as data.

What they make the pipeline do stands in its table (`pipeline.STEPS`).
"""

from __future__ import annotations

from collections.abc import Sequence

from polyopt.poly.schedulers.names import PROGRAMS, SCHEDULERS, plugin_schedulers
from polyopt.support.record import record

LEVELS = (
    *("source", "prepared", "poly", "schedule", "affine"),
    *("structured", "blocked", "packed", "transfers", "loops", "scf"),
)
"""From C to what is made LLVM IR of; contractions are operations from "structured" to "packed",
what vector code takes from memory and leaves there is transfers at "transfers"."""


WITHOUT_TILES = ("identity", "locality")
"""Those that take no tiles of their bands."""


def _configurations(schedulers: Sequence[str]) -> tuple[str, ...]:
    """Each scheduler, and with tiles of its bands where it makes none itself."""
    return (
        *schedulers,
        *(f"{name}+tile" for name in schedulers if name not in WITHOUT_TILES),
    )


POLY_AST = "poly+ast"

POLY_CONFIGURATIONS = ("none", *_configurations(SCHEDULERS), POLY_AST, "auto")
"""Leave loops alone; one scheduler; one scheduler and tiles of its bands; poly-ast, then skewing,
threads of any kind, tiles and register tiles as one flow; what -O3 uses."""


def plugin_configurations() -> tuple[str, ...]:
    """Those by the schedulers of other packages."""
    return _configurations(plugin_schedulers())


EXTERNAL_CONFIGURATIONS = _configurations(PROGRAMS)
"""Those by programs of others, which need not be there."""


def is_configuration(name: str) -> bool:
    if name in POLY_CONFIGURATIONS or name in EXTERNAL_CONFIGURATIONS:
        return True
    return name in plugin_configurations()


PARALLEL_THRESHOLD = 60_000
"""Cycles, some 20 microseconds: a team costs one or two, and more where processors are busy."""

IMPORT_FORMATS = ("jscop", "openscop", "scoplib", "schedule")
PICTURES = ("dot", "svg")
EXPORT_FORMATS = (*IMPORT_FORMATS, "cloog", *PICTURES)
"""Of schedules, by the names that `--import=` and `--export=` take."""


MOST_PROCESSES = 1 << 20


@record
class Distribution:
    """The options of `poly-place`: a grid of processes, how arrays are cut into parts, the
    generators of a lattice, and whether processes have nothing but these."""

    grid: str
    map: str = "block"
    size: int = 1
    generators: tuple[int, ...] = ()
    owned: bool = False


@record
class Stages:
    """What of the flow poly+ast is done (J. Shirako, L.-N. Pouchet, V. Sarkar, Oil and water can
    mix, SC 2014, algorithm 1; the switches are those of its tables III and IV). Without `pipeline`
    tiles run along wavefronts; without `reduction` loops inside are shared out instead.
    `registers`: the factors of register tiles, None: those of a count."""

    fuse: bool = True
    permute: bool = True
    tile: bool = True
    pipeline: bool = True
    reduction: bool = True
    registers: tuple[int, int] | None = None


@record
class PipelineOptions:
    """`poly` is one of `POLY_CONFIGURATIONS`, or of a plug-in; `tile_sizes` () leaves the sizes to
    the model, which `tile_model` names; `cost_model` says whether loops pay.
    `stages` belong to poly+ast, `outer_tile` to tile-simd: the size of what is around its strips.
    `march` names the machine that the models ask about, as after `-march=`. `steps` is a file of
    transformations by hand (docs/schedules.md), done to what the scheduler gives; `script` is the
    text of one.

    `declared_sizes`: no subscript is beyond what its array is declared with, which says how far
    loops go.

    `check`: SCoPs run in the source's order too, and are compared (docs/checking.md).

    `timed`: SCoPs tell what they take when the program runs, by this name of the file.

    `openmp`: the module holds what `#pragma omp` says. `parallel`: loops may run in so many
    threads, in as many as the runtime has where it is 0; None: in one. `parallel_threshold`: where
    they take more cycles than that, as far as can be told. `parallel_deterministic`: what they give
    does not depend on how many threads there are.

    `is_module`: the module is another compiler's, and its loops are structured; `assume_distinct`:
    different memrefs of it do not overlap.

    `distribute`: processes that run the same program share its SCoPs (docs/mpi.md).

    `limit`: of the passes that can be left out only so many are run, the first ones.

    `added`: passes of any package, as text, each behind a level's own.

    `exports` are pairs of one of `EXPORT_FORMATS` and a folder, "-" for standard output;
    functions are drawn with the lines of C if `draws_lines`.
    `imported` is such a pair for the schedules to take instead of a scheduler's
    (docs/exchange.md)."""

    poly: str = "auto"
    tile_sizes: tuple[int, ...] = ()
    tile_model: str = "lines"
    cost_model: str = "lines"
    stages: Stages = Stages()
    outer_tile: int = 1
    steps: str | None = None
    script: str | None = None
    exports: tuple[tuple[str, str], ...] = ()
    draws_lines: bool = True
    imported: tuple[str, str] | None = None
    march: str = "native"
    vectorize: bool = True
    declared_sizes: bool = True
    check: bool = False
    timed: str | None = None
    openmp: bool = False
    parallel: int | None = None
    parallel_threshold: int = PARALLEL_THRESHOLD
    parallel_deterministic: bool = False
    distribute: Distribution | None = None
    is_module: bool = False
    assume_distinct: bool = False
    skipped: tuple[str, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    limit: int | None = None

    @property
    def scheduler(self) -> str:
        """`locality` is isl's scheduler with tiles where a model says so: what `auto` picks today,
        and what isl and tiles are where no sizes are given."""
        is_modelled = self.poly == "isl+tile" and not self.tile_sizes
        is_locality = self.poly == "auto" or is_modelled
        name = "poly-ast" if self.is_flow else self.poly.partition("+")[0]
        return "locality" if is_locality else name

    @property
    def is_flow(self) -> bool:
        """Whether the stages of poly+ast are all that is done: its tiles are its own, and so are
        its register tiles."""
        return self.poly == POLY_AST

    @property
    def tiles(self) -> bool:
        return self.scheduler == "locality" or self.tiles_afterwards

    @property
    def moves_values(self) -> bool:
        """Whether temporaries may live in other places, for the sake of the loops."""
        return self.tiles or self.is_flow

    @property
    def tiles_afterwards(self) -> bool:
        """Whether tiles are cut from the bands of a scheduler that makes none itself."""
        return self.scheduler != "locality" and self.poly.endswith("+tile")

    @property
    def may_mark_for_unrolling(self) -> bool:
        return self.finishes_loops or self.scheduler == "tile-simd"

    @property
    def finishes_contractions(self) -> bool:
        """Whether contractions and small products get register tiles of their own kind, which are
        vectors."""
        return self.writes_vectors and (not self.is_flow or self.is_by_hand)

    @property
    def writes_vectors(self) -> bool:
        return self.finishes_loops and self.vectorize

    @property
    def keeps_batches(self) -> bool:
        """Whether small problems side by side are left in the order of the source, for lanes."""
        return self.judges and self.writes_vectors

    @property
    def finishes_loops(self) -> bool:
        """Whether contractions, lanes and vectors are written: not where a scheduler without tiles
        is to show what its order alone gives, but where a person has chosen the order."""
        return self.tiles or self.is_flow or self.is_by_hand

    @property
    def judges(self) -> bool:
        """Whether loops are put on trial against the code that they were made from: not where a
        person has chosen what is done to them, or both run anyway in one thread. Loops that may
        run in threads are kept."""
        is_chosen = self.poly != "auto" or self.tile_sizes or self.is_by_hand
        runs_both = self.check and self.parallel is None
        is_told = self.distribute is not None or runs_both or self.is_module
        return not (is_chosen or is_told or "keep-what-pays" in self.skipped)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person has the last word on the order."""
        return self.has_steps or self.imported is not None

    @property
    def names_scops(self) -> bool:
        """Somebody says by name, or will, which static control part is meant."""
        return self.is_by_hand or any(form not in PICTURES for form, _ in self.exports)

    @property
    def has_steps(self) -> bool:
        return self.steps is not None or self.script is not None
