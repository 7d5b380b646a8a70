"""The compiler's pipeline as one table: which passes run, in which order, and why in that order.

The levels of ARCHITECTURE.md are reached one after the other; a step belongs to the level on the
way to which it runs, so that `--emit=poly` is "all steps up to and including level poly". A step
has no code here: when it is wanted and with which options is all that the table says. Timing,
printing and verifying work for any pass, with no code in the pass (`pass_runs`).
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
    PassStep("mark-pure-calls", "prepared"),
    PassStep("promote-scalars", "prepared"),
    PassStep("split-locals", "prepared"),
    PassStep("promote-places", "prepared"),
    PassStep("count-float-loops", "prepared"),
    PassStep("reroll-loops", "prepared"),
    PassStep("clean-values", "prepared"),
    PassStep("unify-types", "prepared"),
    PassStep("merge-counters", "prepared"),
    PassStep("drop-conditions", "prepared"),
    PassStep("spread-copies", "prepared"),
    PassStep("scan-records", "prepared"),
    PassStep("if-convert", "prepared"),
    PassStep("inline-calls", "prepared"),
    PassStep("unroll-windows", "prepared"),
    PassStep("fold-known-elements", "prepared"),
    PassStep("structure-branches", "prepared"),
    PassStep("unroll-turns", "prepared"),
    PassStep("merge-returns", "prepared"),
    PassStep("simplify-loops", "prepared"),
    PassStep(
        "parallelize-irregular",
        "prepared",
        when=lambda o: _may_fork(o),
        arguments=lambda o: {"threads": o.parallel, "least": o.parallel_threshold},
    ),
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
            ({"check": True} if o.check else {}) | ({"on_trial": True} if o.judges else {})
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
    PassStep("poly-relocate", "schedule", when=lambda o: o.moves_values),
    PassStep("poly-expand", "schedule", when=lambda o: o.moves_values),
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
    PassStep("poly-isolate-carriers", "schedule", when=lambda o: o.tiles),
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
    PassStep("poly-keep-small", "schedule", when=lambda o: o.tiles and not o.is_by_hand),
    PassStep("poly-to-affine", "affine"),
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
    PassStep("affine-split-guards", "transfers", when=lambda o: o.is_by_hand),
    PassStep("affine-split-residues", "transfers", when=lambda o: o.finishes_loops),
    PassStep("affine-isolate-calls", "transfers", when=lambda o: o.writes_vectors),
    PassStep("affine-narrow", "transfers", when=lambda o: o.finishes_loops),
    PassStep(
        "affine-lanes",
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
    PassStep("affine-peel-masks", "transfers", when=lambda o: o.writes_vectors),
    PassStep("share-transfers", "loops", when=lambda o: o.writes_vectors),
    PassStep(
        "carry-reads",
        "loops",
        when=lambda o: o.writes_vectors,
        arguments=lambda o: {"march": o.march},
    ),
    PassStep("lower-transfers", "loops", when=lambda o: o.writes_vectors),
    PassStep("hoist-buffers", "loops", when=lambda o: o.finishes_loops),
    PassStep(
        "keep-what-pays",
        "loops",
        when=lambda o: o.judges,
        arguments=lambda o: _judging(o),
    ),
    PassStep("omp-outline", "scf", when=lambda o: o.parallel is not None),
    PassStep("affine-to-scf", "scf", lowers_modules=True),
    PassStep("mpi-to-calls", "scf", when=lambda o: o.distribute is not None),
)


def _may_fork(options: PipelineOptions) -> bool:
    """Static control parts may stand in regions that threads run: what is compared, timed or sent
    around them is one thread's."""
    alone = options.check or options.timed is not None or options.distribute is not None
    return options.parallel is not None and not alone and not options.is_by_hand


def _judging(options: PipelineOptions) -> Arguments:
    chosen = options.cost_model
    return {"march": options.march, **({} if chosen == "lines" else {"cost_model": chosen})}


def _weighing(options: PipelineOptions) -> Arguments:
    return {**_judging(options), **({} if options.parallel is None else {"threads": True})}


def _distribute_arguments(options: PipelineOptions) -> Arguments:
    chosen = options.distribute
    return {"grid": chosen.grid, "map": chosen.map, "size": chosen.size} if chosen else {}


def _tile_arguments(options: PipelineOptions) -> Arguments:
    """poly-ast leaves skewing to the tiles. Tiles of the flow are shorter in time, where loops are
    skewed by it, as long as nobody has chosen their sizes."""
    sizes = {"sizes": options.tile_sizes} if options.tile_sizes else {}
    skew: Arguments = {**sizes, "skew": options.scheduler == "poly-ast"}
    if options.is_flow:
        skew["wavefront"] = not options.stages.pipeline
        if not options.tile_sizes:
            skew["skewed_by"] = _TIME_TILE
    return skew


_TIME_TILE = 5
"""J. Shirako, L.-N. Pouchet, V. Sarkar, SC 2014, §V.A: "5 is used for the outer time-tile size"."""


def _schedule_stages(options: PipelineOptions) -> Arguments:
    if not options.is_flow:
        return {}
    fused = "max" if options.stages.fuse else "min"
    return {"fuse": fused, "permute": options.stages.permute}


def _kinds(options: PipelineOptions) -> Arguments:
    if not options.is_flow:
        return {}
    return {"pipelines": options.stages.pipeline, "reductions": options.stages.reduction}


@record
class Before:
    """`first` runs before `second` wherever both run, because of `reason`."""

    first: str
    second: str
    reason: str


ORDER: tuple[Before, ...] = (
    Before("omp-to-teams", "promote-scalars", "a region's variables are those of a function"),
    Before("omp-to-teams", "tail-calls", "what a region's frame holds is known then"),
    Before("tail-calls", "keep-as-written", "what is kept as it was written are loops"),
    Before("tail-calls", "inline-functions", "what calls itself last is a loop"),
    Before("keep-as-written", "inline-functions", "what was written has the calls"),
    Before("split-locals", "spread-copies", "clearing a local struct is no loop"),
    Before("clean-values", "unify-types", "equal places are one value"),
    Before("unify-types", "detect-scops", "arrays are of one type"),
    Before("clean-values", "spread-copies", "sizes are numbers, or products with one"),
    Before("spread-copies", "unroll-windows", "a short copy is straight code"),
    Before("inline-functions", "mark-pure-calls", "what goes in is no call"),
    Before("mark-pure-calls", "clean-values", "equal calls of what only computes are one"),
    Before("mark-pure-calls", "detect-scops", "a call that only computes is part of a statement"),
    Before("known-arguments", "keep-as-written", "all calls must be there, those of copies too"),
    Before("known-arguments", "inline-functions", "calls that go in were made, too"),
    Before("known-arguments", "promote-scalars", "a variable may begin as a number"),
    Before("inline-functions", "promote-scalars", "what a function is passed are values"),
    Before("tail-calls", "promote-scalars", "a parameter becomes a variable of a loop"),
    Before("promote-scalars", "split-locals", "values tell where the pointers to locals go"),
    Before("split-locals", "count-float-loops", "the variable may be a member"),
    Before("split-locals", "promote-places", "a place in a local struct is a variable"),
    Before("count-float-loops", "reroll-loops", "counters are integers"),
    Before("promote-places", "reroll-loops", "counters are values"),
    Before("reroll-loops", "clean-values", "each statement has loads of its own"),
    Before("promote-places", "clean-values", "equal counters are computed once"),
    Before("promote-places", "merge-counters", "a counter behind a pointer is one among others"),
    Before("count-float-loops", "clean-values", "what it computes twice is computed once"),
    Before("split-locals", "clean-values", "a member is loaded like a variable"),
    Before("promote-scalars", "clean-values", "a variable's loads become one value"),
    Before("clean-values", "merge-counters", "equal operations are one, and more chains are equal"),
    Before("clean-values", "drop-conditions", "the same value is compared by the same name"),
    Before("drop-conditions", "if-convert", "what never runs is not selected from"),
    Before("drop-conditions", "inline-calls", "a call that never runs need not be inlined"),
    Before("clean-values", "if-convert", "the same element is seen by the same values"),
    Before("clean-values", "scan-records", "the same element is seen by the same values"),
    Before("scan-records", "if-convert", "a selection has no arm that runs seldom"),
    Before("if-convert", "inline-calls", "functions without branches are one block"),
    Before("inline-calls", "unroll-windows", "a window may hold calls"),
    Before("inline-calls", "detect-scops", "a call may do anything"),
    Before("if-convert", "structure-branches", "a selection is better than a conditional"),
    Before("if-convert", "unroll-windows", "bodies without branches become one block"),
    Before("unroll-windows", "structure-branches", "a conditional is cloned as blocks only"),
    Before("unroll-windows", "fold-known-elements", "its places in tables are constants"),
    Before("fold-known-elements", "detect-scops", "a table that is not read is no array"),
    Before("unroll-windows", "detect-scops", "what it leaves is one statement"),
    Before("structure-branches", "unroll-turns", "what is copied is small, and has few blocks"),
    Before("structure-branches", "merge-returns", "data that decide are in conditionals"),
    Before("merge-returns", "simplify-loops", "regions go on to one place"),
    Before("unroll-turns", "simplify-loops", "its loops have two ways out"),
    Before("structure-branches", "simplify-loops", "blocks that it joins leave no edges behind"),
    Before("simplify-loops", "parallelize-irregular", "a loop has one entry and one latch"),
    Before("structure-branches", "parallelize-irregular", "conditions are no ways out of a loop"),
    Before("parallelize-irregular", "mark-scattered-stores", "regions are functions like others"),
    Before("parallelize-irregular", "detect-scops", "what a thread runs has static parts, too"),
    Before("simplify-loops", "detect-scops", "a loop is entered by one edge, with one latch"),
    Before("promote-scalars", "detect-scops", "scalar evolution follows SSA values"),
    Before("simplify-loops", "export-cfg", "it draws what detect-scops will find"),
    Before("detect-scops", "poly-schedule", "schedules belong to SCoPs"),
    Before("linalg-to-contract", "raise-to-affine", "what is no contraction becomes loops"),
    Before("stencil-to-loops", "raise-to-affine", "it leaves loops of scf over views"),
    Before("raise-to-affine", "affine-to-poly", "it makes the loops that are read"),
    Before("affine-to-poly", "poly-schedule", "schedules belong to SCoPs"),
    Before("poly-schedule", "poly-tile", "tiles are cut from the permutable bands it finds"),
    Before("detect-scops", "poly-place", "it cuts SCoPs into steps"),
    Before("poly-place", "poly-relocate", "what a process computes is a SCoP of its own"),
    Before("poly-place", "poly-schedule", "it keeps to the order of the source"),
    Before("affine-to-scf", "mpi-to-calls", "messages are made of affine loops"),
    Before("detect-scops", "poly-relocate", "it changes the accesses of SCoPs"),
    Before("poly-relocate", "poly-expand", "what lives in a result needs no memory"),
    Before("detect-scops", "poly-expand", "it changes the accesses of SCoPs"),
    Before("poly-expand", "poly-schedule", "it reads the order of the source, and frees others"),
    Before("poly-expand", "poly-apply-pragmas", "freed of dependences more is legal"),
    Before("poly-apply-pragmas", "poly-schedule", "what is chosen by hand is not chosen again"),
    Before("poly-relocate", "poly-schedule", "it reads the order of the source, and frees others"),
    Before("poly-tile", "poly-isolate-carriers", "what it splits is a band no longer"),
    Before("poly-schedule", "poly-expose-contractions", "it cuts the bands that were found"),
    Before("poly-expose-contractions", "poly-tile", "a contraction has tiles of its own"),
    Before("poly-export-schedule", "poly-keep-small", "what is exported is there once"),
    Before("poly-isolate-carriers", "poly-keep-small", "it takes schedules as they will be"),
    Before("poly-tile", "poly-register-tile", "register tiles are parts of tiles"),
    Before("poly-register-tile", "poly-apply-steps", "a person has the last word on the order"),
    Before("poly-tile", "poly-isolate-edges", "what it splits is a band no longer"),
    Before("poly-isolate-edges", "poly-keep-small", "it takes schedules as they will be"),
    Before("poly-keep-small", "poly-to-affine", "it chooses between schedules"),
    Before("poly-to-affine", "affine-contract", "contractions are found on loops"),
    Before("poly-to-affine", "affine-parallelize", "what loops carry is proved of generated loops"),
    Before("affine-parallelize", "affine-contract", "each thread packs and vectorises its share"),
    Before("affine-contract", "contract-plan", "it finds what is to be cut"),
    Before("contract-plan", "contract-fuse", "what a contraction takes in depends on its blocks"),
    Before("contract-fuse", "contract-block", "tiles begin and finish what they update"),
    Before("contract-block", "contract-place", "blocks say which panels there are"),
    Before("contract-place", "contract-to-affine", "it writes to panels in memory"),
    Before("contract-to-affine", "affine-to-scf", "it writes affine loops"),
    Before("poly-tile", "poly-apply-steps", "a person has the last word on the order"),
    Before("poly-schedule", "poly-import-schedule", "what is imported is the last word"),
    Before("poly-import-schedule", "poly-apply-steps", "steps go on from what there is"),
    Before("poly-apply-steps", "poly-export-schedule", "what is exported is what runs"),
    Before("poly-apply-steps", "poly-to-affine", "it changes schedule trees, not loops"),
    Before("poly-tile", "poly-to-affine", "tiling works on schedule trees, not on loops"),
    Before("poly-to-affine", "affine-unroll", "marks of the tree become attributes of loops"),
    Before("contract-to-affine", "affine-vectorize", "what it takes has vectors of its own"),
    Before("contract-to-affine", "affine-tile-registers", "panels are for what is large"),
    Before("affine-tile-registers", "affine-lanes", "lanes are for what waits for itself"),
    Before("affine-unroll", "affine-vectorize", "rows that are unrolled run together already"),
    Before("affine-unroll", "affine-lanes", "an unrolled loop is no recurrence to run in lanes"),
    Before("affine-unroll", "affine-split-guards", "a register tile tests once, not in each copy"),
    Before("affine-split-guards", "affine-lanes", "lanes have no branches"),
    Before("affine-split-guards", "affine-vectorize", "vectors have no branches"),
    Before("affine-unroll", "affine-split-residues", "what is unrolled has no iterator left"),
    Before("affine-split-residues", "affine-lanes", "quotients become subscripts that it reads"),
    Before("affine-split-residues", "affine-vectorize", "it is left the stores of all remainders"),
    Before("affine-tile-registers", "affine-narrow", "products of narrow integers are theirs"),
    Before("affine-contract", "affine-narrow", "products of narrow integers are theirs"),
    Before("affine-unroll", "affine-narrow", "it reads the bodies of innermost loops"),
    Before("affine-unroll", "affine-isolate-calls", "it reads the bodies of innermost loops"),
    Before(
        "affine-isolate-calls", "affine-vectorize", "what is left may be a recurrence in vectors"
    ),
    Before("affine-narrow", "affine-lanes", "the widest value says how many lanes there are"),
    Before("affine-narrow", "affine-vectorize", "the widest value says how many lanes there are"),
    Before("affine-lanes", "affine-vectorize", "its rest is left to it"),
    Before("affine-lanes", "affine-stream", "what runs in lanes has stores of its own"),
    Before("affine-stream", "affine-vectorize", "it marks stores for it"),
    Before("contract-to-affine", "hoist-buffers", "it allocates panels where it packs them"),
    Before("affine-lanes", "hoist-buffers", "it allocates rows where it turns them"),
    Before("affine-vectorize", "affine-interleave-rows", "it writes what runs in rows"),
    Before("affine-vectorize", "affine-group-sums", "it writes what is summed"),
    Before("affine-group-sums", "affine-interleave-rows", "rows share registers of elements"),
    Before("affine-interleave-rows", "affine-peel-masks", "rows have one loop for all their masks"),
    Before("affine-peel-masks", "share-transfers", "vectors of one step share what they read"),
    Before("affine-vectorize", "share-transfers", "it writes transfers"),
    Before("share-transfers", "carry-reads", "vectors that are one are read once"),
    Before("carry-reads", "lower-transfers", "it tells rows apart, not how they are read"),
    Before("share-transfers", "lower-transfers", "it tells transfers apart, not what they become"),
    Before("lower-transfers", "keep-what-pays", "it weighs loads and stores"),
    Before("lower-transfers", "affine-to-scf", "it writes affine loads and stores"),
    Before("affine-vectorize", "hoist-buffers", "it knows allocations, not parts of them"),
    Before("hoist-buffers", "omp-outline", "a thread's buffers stay its own"),
    Before("omp-outline", "affine-to-scf", "shares of loops are computed by affine maps"),
    Before("omp-to-teams", "keep-as-written", "directives have been read"),
    Before("keep-what-pays", "omp-outline", "it reads loops in their function"),
    Before("keep-as-written", "promote-scalars", "it keeps what no pass has changed"),
    Before("detect-scops", "poly-weigh", "it weighs what was found"),
    Before("detect-scops", "time-nests", "it times what was found"),
    Before("affine-to-poly", "time-nests", "it times what was found"),
    Before("time-nests", "poly-relocate", "a SCoP is one, and not yet in several versions"),
    Before("poly-weigh", "poly-relocate", "accesses are those of the source"),
    Before("hoist-buffers", "keep-what-pays", "it weighs the loops as they will be"),
    Before("keep-what-pays", "affine-to-scf", "it reads affine loops"),
    Before("hoist-buffers", "affine-to-scf", "it leaves affine loops and conditionals"),
    Before("simplify-loops", "mark-scattered-stores", "loops have one way back"),
    Before("keep-as-written", "mark-scattered-stores", "what is kept is marked, too"),
    Before("mark-scattered-stores", "detect-scops", "loops are copied with their marks"),
    Before("affine-vectorize", "affine-to-scf", "it reads and writes affine loops"),
    Before("affine-unroll", "affine-to-scf", "full tiles are told apart by their affine bounds"),
)


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
