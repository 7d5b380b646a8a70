"""The compiler's pipeline as one table: which passes run, and in which order.

The levels of ARCHITECTURE.md are reached one after the other; a step belongs to the level on the
way to which it runs, so that `--emit=poly` is "all steps up to and including level poly". A step
has no code here: when it is wanted and with which options is all that the table says. Timing,
printing and verifying work for any pass, with no code in the pass (`pass_runs`). Which order the
passes need, and why, says `pipeline_order`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from polyopt.pipeline_options import (
    EXPORT_FORMATS,
    IMPORT_FORMATS,
    LEVELS,
    PICTURES,
    PipelineOptions,
)
from polyopt.support.record import record
from polyopt.universe import PASSES, resolve

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

Arguments = dict[str, Any]


@record
class PassStep:
    """One pass on the way to `level`, with the arguments that the options give it."""

    name: str
    level: str
    when: Callable[[PipelineOptions], bool] = lambda _: True
    arguments: Callable[[PipelineOptions], Arguments] = lambda _: {}
    is_needed: bool = False
    """Whether nothing can be made of the module without it, loops or not."""
    text: str | None = None
    """Of a pass that somebody has added: its name and options, as they were given."""
    lowers_modules: bool = False
    """Whether nothing can be made without it of another compiler's."""


def _import_step(form: str) -> PassStep:
    return PassStep(
        f"poly-import-{form}",
        "schedule",
        when=lambda o: o.imported is not None and o.imported[0] == form,
        arguments=lambda o: {} if o.imported is None else {"dir": o.imported[1]},
    )


_FOR_A_FLOW = 16_000_000
"""Of isl, for loops whose order somebody has chosen by `--poly=poly+ast`: four statements in skewed
tiles of three dimensions (fdtd-2d) take 9,000,000."""


def _export_step(form: str) -> PassStep:
    is_picture = form in PICTURES
    drawn = {"graph": "all", "format": form} if is_picture else dict[str, str]()
    return PassStep(
        "poly-export-dot" if is_picture else f"poly-export-{form}",
        "schedule",
        when=lambda o: form in dict(o.exports),
        arguments=lambda o: {"dir": dict(o.exports)[form], **drawn},
    )


def _draw_step(form: str) -> PassStep:
    """Functions, as far as they have control flow of their own."""
    return PassStep(
        "export-cfg",
        "prepared",
        when=lambda o: form in dict(o.exports) and not o.is_module,
        arguments=lambda o: {
            "dir": dict(o.exports)[form],
            "format": form,
            **({} if o.draws_lines else {"only": True}),
        },
    )


STEPS: tuple[PassStep, ...] = (
    PassStep("omp-to-teams", "prepared", when=lambda o: o.openmp, is_needed=True),
    PassStep("tail-calls", "prepared"),
    PassStep("known-arguments", "prepared", arguments=lambda o: {"copies": not o.names_scops}),
    PassStep("keep-as-written", "prepared", when=lambda o: o.judges),
    PassStep("inline-functions", "prepared"),
    PassStep("answer-constants", "prepared"),
    PassStep("mark-pure-calls", "prepared"),
    PassStep("promote-scalars", "prepared"),
    PassStep("drop-prefetches", "prepared"),
    PassStep("split-locals", "prepared"),
    PassStep("promote-places", "prepared"),
    PassStep("count-float-loops", "prepared"),
    PassStep("reroll-loops", "prepared"),
    PassStep("clean-values", "prepared"),
    PassStep("count-bits", "prepared"),
    PassStep("unify-types", "prepared"),
    PassStep(
        "split-accesses",
        "prepared",
        when=lambda o: o.scheduler != "identity",
    ),
    PassStep("merge-counters", "prepared"),
    PassStep("drop-conditions", "prepared"),
    PassStep("spread-copies", "prepared"),
    PassStep("scan-records", "prepared"),
    PassStep("if-convert", "prepared"),
    PassStep("inline-calls", "prepared"),
    PassStep("peel-doublings", "prepared"),
    PassStep("unroll-windows", "prepared"),
    PassStep("fold-known-elements", "prepared"),
    PassStep("expand-powers", "prepared"),
    PassStep("cancel-terms", "prepared"),
    PassStep("structure-branches", "prepared"),
    PassStep("unroll-turns", "prepared"),
    PassStep("merge-returns", "prepared"),
    PassStep("simplify-loops", "prepared"),
    PassStep(
        "permute-irregular",
        "prepared",
        when=lambda o: o.stages.permute and o.scheduler != "identity" and not o.names_scops,
        arguments=lambda o: {} if o.parallel is None else {"threads": True},
    ),
    PassStep(
        "parallelize-irregular",
        "prepared",
        when=lambda o: _may_fork(o),
        arguments=lambda o: {
            "threads": o.parallel,
            "least": o.parallel_threshold,
            "deterministic": o.parallel_deterministic,
        },
    ),
    PassStep(
        "jam-irregular",
        "prepared",
        when=lambda o: o.finishes_loops and o.scheduler != "identity" and not o.names_scops,
        arguments=lambda o: {"march": o.march, **_jammed(o)},
    ),
    PassStep("mark-changing-steps", "prepared", when=lambda o: o.finishes_loops),
    PassStep(
        "mark-scattered-stores",
        "prepared",
        when=lambda o: o.finishes_loops,
        arguments=lambda o: {"march": o.march},
    ),
    *(_draw_step(form) for form in PICTURES),
    PassStep(
        "detect-scops",
        "poly",
        arguments=lambda o: (
            ({"check": True} if o.check else {})
            | ({"on_trial": True} if o.judges else {})
            | _declared(o)
        ),
    ),
    PassStep("linalg-to-contract", "poly", when=lambda o: o.is_module and o.finishes_contractions),
    PassStep("stencil-to-loops", "poly", when=lambda o: o.is_module, lowers_modules=True),
    PassStep("raise-to-affine", "poly", when=lambda o: o.is_module, lowers_modules=True),
    PassStep(
        "affine-to-poly",
        "poly",
        when=lambda o: o.is_module,
        arguments=lambda o: {"assume_distinct": o.assume_distinct, "check_overlaps": True},
    ),
    PassStep(
        "time-nests",
        "poly",
        when=lambda o: o.timed is not None,
        arguments=lambda o: {"unit": o.timed},
    ),
    PassStep("poly-weigh", "poly", when=lambda o: o.judges, arguments=lambda o: _weighing(o)),
    PassStep(
        "poly-place",
        "schedule",
        when=lambda o: o.distribute is not None,
        arguments=lambda o: _distribute_arguments(o),
    ),
    PassStep("poly-keep-batches", "schedule", when=lambda o: o.keeps_batches),
    PassStep(
        "poly-split-records",
        "schedule",
        when=lambda o: o.judges and o.tiles and o.distribute is None,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("poly-forward", "schedule", when=lambda o: o.moves_values),
    PassStep("poly-relocate", "schedule", when=lambda o: o.moves_values),
    PassStep(
        "poly-expand", "schedule", when=lambda o: o.moves_values, arguments=lambda o: _declared(o)
    ),
    PassStep(
        "poly-apply-pragmas",
        "schedule",
        arguments=lambda o: {"threads": o.parallel is not None},
    ),
    PassStep(
        "poly-schedule",
        "schedule",
        arguments=lambda o: {
            "scheduler": o.scheduler,
            "tile_sizes": o.tile_sizes,
            **({} if o.tile_model == "lines" else {"tile_model": o.tile_model}),
            "march": o.march,
            **_schedule_stages(o),
            **({} if o.outer_tile == 1 else {"outer_tile": o.outer_tile}),
        },
    ),
    PassStep(
        "poly-fuse-shifted",
        "schedule",
        when=lambda o: o.judges and o.tiles and o.parallel is None and not o.is_by_hand,
        arguments=lambda o: {"march": o.march},
    ),
    *(_import_step(form) for form in IMPORT_FORMATS),
    PassStep("poly-expose-contractions", "schedule", when=lambda o: o.tiles_afterwards),
    PassStep(
        "poly-tile",
        "schedule",
        when=lambda o: o.tiles_afterwards or (o.is_flow and o.stages.tile),
        arguments=lambda o: _tile_arguments(o),
    ),
    PassStep(
        "poly-register-tile",
        "schedule",
        when=lambda o: o.is_flow,
        arguments=lambda o: {"march": o.march, "factors": o.stages.registers or ()},
    ),
    PassStep(
        "poly-isolate-carriers",
        "schedule",
        when=lambda o: o.tiles,
        arguments=lambda o: {"threads": o.parallel is not None},
    ),
    PassStep("poly-isolate-edges", "schedule", when=lambda o: o.tiles),
    PassStep(
        "poly-apply-steps",
        "schedule",
        when=lambda o: o.has_steps,
        arguments=lambda o: {
            "file": o.steps,
            "steps": o.script,
            "threads": o.parallel is not None,
        },
    ),
    *(_export_step(form) for form in EXPORT_FORMATS),
    PassStep(
        "poly-tile-written",
        "schedule",
        when=lambda o: o.parallel is not None and o.tiles and not o.is_by_hand,
    ),
    PassStep("poly-keep-small", "schedule", when=lambda o: o.tiles and not o.is_by_hand),
    PassStep(
        "poly-transpose",
        "schedule",
        when=lambda o: o.judges and o.tiles,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "poly-pad-rows",
        "schedule",
        when=lambda o: o.judges and o.tiles,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "poly-to-affine",
        "affine",
        arguments=lambda o: {"operations": _FOR_A_FLOW} if o.is_flow else {},
    ),
    PassStep(
        "affine-join-parts",
        "structured",
        when=lambda o: o.finishes_contractions and not o.is_by_hand,
    ),
    PassStep("drop-buffers", "structured", when=lambda o: o.moves_values and not o.is_by_hand),
    PassStep(
        "affine-flatten-nests",
        "structured",
        when=lambda o: o.writes_vectors and not o.is_by_hand,
    ),
    PassStep(
        "affine-parallelize",
        "structured",
        when=lambda o: o.parallel is not None,
        arguments=lambda o: {
            "threads": o.parallel,
            "march": o.march,
            "least": o.parallel_threshold,
            "deterministic": o.parallel_deterministic,
            **_kinds(o),
        },
    ),
    PassStep(
        "affine-batches",
        "structured",
        when=lambda o: o.keeps_batches,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("affine-look-up-rows", "structured", when=lambda o: o.finishes_contractions),
    PassStep(
        "affine-contract",
        "structured",
        when=lambda o: o.finishes_contractions,
        arguments=lambda o: {"keep_unrolled": o.is_by_hand, "tiles": True, "march": o.march},
    ),
    PassStep(
        "contract-plan",
        "structured",
        when=lambda o: o.finishes_contractions,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("contract-fuse", "structured", when=lambda o: o.finishes_contractions),
    PassStep("contract-block", "blocked", when=lambda o: o.finishes_contractions),
    PassStep("contract-place", "packed", when=lambda o: o.finishes_contractions),
    PassStep("contract-to-affine", "transfers", when=lambda o: o.finishes_contractions),
    PassStep(
        "affine-tile-registers",
        "transfers",
        when=lambda o: o.finishes_contractions,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("affine-unroll", "transfers", when=lambda o: o.may_mark_for_unrolling),
    PassStep(
        "affine-split-guards",
        "transfers",
        when=lambda o: o.is_by_hand or o.writes_vectors,
        arguments=lambda o: {} if o.is_by_hand else {"recurrences": True},
    ),
    PassStep("affine-split-residues", "transfers", when=lambda o: o.finishes_loops),
    PassStep("affine-isolate-calls", "transfers", when=lambda o: o.writes_vectors),
    PassStep(
        "affine-stage-tables",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("affine-narrow", "transfers", when=lambda o: o.finishes_loops),
    PassStep(
        "affine-lanes",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-split-recurrences",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-stream",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-vectorize",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-group-sums",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-interleave-rows",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "affine-peel-masks",
        "transfers",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("share-transfers", "loops", when=lambda o: o.writes_vectors),
    PassStep("compute-in-turns", "loops", when=lambda o: o.writes_vectors),
    PassStep(
        "carry-reads",
        "loops",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep(
        "lower-transfers",
        "loops",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("hoist-buffers", "loops", when=lambda o: o.finishes_loops),
    PassStep(
        "keep-what-pays",
        "loops",
        when=lambda o: o.judges,
        arguments=lambda o: _judging(o),
    ),
    PassStep("affine-keep-states", "loops", when=lambda o: o.finishes_loops),
    PassStep("omp-outline", "scf", when=lambda o: o.parallel is not None),
    PassStep("affine-to-scf", "scf", lowers_modules=True),
    PassStep("mpi-to-calls", "scf", when=lambda o: o.distribute is not None),
)


def _may_fork(options: PipelineOptions) -> bool:
    """Static control parts may stand in regions that threads run: what is compared, timed or sent
    around them is one thread's."""
    alone = options.check or options.timed is not None or options.distribute is not None
    return options.parallel is not None and not alone and not options.names_scops


def _judging(options: PipelineOptions) -> Arguments:
    chosen = options.cost_model
    return {"march": options.march, **({} if chosen == "lines" else {"cost_model": chosen})}


def _weighing(options: PipelineOptions) -> Arguments:
    return {**_judging(options), **({} if options.parallel is None else {"threads": True})}


def _distribute_arguments(options: PipelineOptions) -> Arguments:
    chosen = options.distribute
    if chosen is None:
        return {}
    given: Arguments = {"grid": chosen.grid, "map": chosen.map, "size": chosen.size}
    if chosen.generators:
        given["generators"] = chosen.generators
    if options.parallel_deterministic:
        given["deterministic"] = True
    return {**given, "owned": True} if chosen.owned else given


def _tile_arguments(options: PipelineOptions) -> Arguments:
    """poly-ast leaves skewing to the tiles. Tiles of the flow are shorter in time, where loops are
    skewed by it, as long as nobody has chosen their sizes; in one thread there are none that bring
    nothing, while in several they are the steps of pipelines."""
    sizes = {"sizes": options.tile_sizes} if options.tile_sizes else {}
    skew: Arguments = {**sizes, "skew": options.scheduler == "poly-ast"}
    if options.is_flow:
        skew["wavefront"] = not options.stages.pipeline
        if not options.tile_sizes:
            skew["skewed_by"] = _TIME_TILE
        if options.parallel is None and not options.tile_sizes:
            skew |= {"pays": True, "march": options.march}
    return skew


_TIME_TILE = 5
"""J. Shirako, L.-N. Pouchet, V. Sarkar, SC 2014, §V.A: "5 is used for the outer time-tile size"."""


def _schedule_stages(options: PipelineOptions) -> Arguments:
    if not options.is_flow:
        return {}
    fused = "max" if options.stages.fuse else "min"
    return {"fuse": fused, "permute": options.stages.permute}


def _declared(options: PipelineOptions) -> Arguments:
    return {} if options.declared_sizes else {"declared": False}


def _jammed(options: PipelineOptions) -> Arguments:
    chosen = options.stages.registers if options.is_flow else None
    return {"factor": chosen[0]} if chosen else {}


def _kinds(options: PipelineOptions) -> Arguments:
    if not options.is_flow:
        return {}
    return {"pipelines": options.stages.pipeline, "reductions": options.stages.reduction}


ON_SCOPS = frozenset(step.name for step in STEPS if step.level in ("poly", "schedule"))
"""The passes that make static control parts or change them."""


def steps_between(options: PipelineOptions, start: str, end: str) -> Iterator[PassStep]:
    """The steps that take a module from level `start` to level `end`."""
    reached = LEVELS[LEVELS.index(start) + 1 : LEVELS.index(end) + 1]
    number = 0
    for step in _wanted(options):
        number += _is_optional(step)
        is_beyond = options.limit is not None and number > options.limit
        if step.level in reached and not (is_beyond and _is_optional(step)):
            yield step


def optional_steps(options: PipelineOptions) -> list[PassStep]:
    """The steps that `limit` counts."""
    return [step for step in _wanted(options) if _is_optional(step)]


def _wanted(options: PipelineOptions) -> Iterator[PassStep]:
    """All steps of these options, of all levels."""
    steps = [*STEPS, *(_added(level, text) for level, text in options.added)]
    for step in sorted(steps, key=lambda step: LEVELS.index(step.level)):
        lowers = step.is_needed or (step.lowers_modules and options.is_module)
        is_wanted = lowers or options.poly != "none"
        if is_wanted and step.when(options) and step.name not in options.skipped:
            yield step


_LOWERING = frozenset(
    (
        *("keep-as-written", "keep-what-pays", "poly-to-affine", "affine-to-scf", "omp-outline"),
        *("contract-plan", "contract-block", "contract-place", "contract-to-affine"),
        "lower-transfers",
        *("omp-to-teams", "mpi-to-calls", "stencil-to-loops", "raise-to-affine"),
    )
)
"""Passes without which the module could not become code, once those before them have run."""


def _is_optional(step: PassStep) -> bool:
    return step.name not in _LOWERING


def _added(level: str, text: str) -> PassStep:
    return PassStep(text.partition("{")[0], level, text=text, is_needed=True)


def make_pass(step: PassStep, options: PipelineOptions) -> ModulePass:
    if step.text is not None:
        from polyopt.pass_specs import pass_from_text

        return pass_from_text(step.text)
    return resolve(PASSES[step.name])(**step.arguments(options))
