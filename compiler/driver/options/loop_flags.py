"""The flags about loops: which of them run in threads, and how the others are ordered."""

from __future__ import annotations

from polyopt.driver.options.flag_reading import (
    Flag,
    Table,
    append,
    constant,
    store,
)
from polyopt.driver.options.flag_values import (
    add_export,
    add_pass,
    configuration,
    distribution,
    form_and_folder,
    number_of,
    set_openmp,
    size_in_bytes,
    size_of_tile,
    stages,
    tile_sizes,
)
from polyopt.driver.options.pollycc_flags import pollycc_flags
from polyopt.pipeline_options import (
    EXPORT_FORMATS,
    IMPORT_FORMATS,
    PARALLEL_THRESHOLD,
    POLY_AST,
    WITHOUT_TILES,
)
from polyopt.poly.schedulers.names import SCHEDULERS

LOOP_FLAGS: Table = {
    "Threads": (
        Flag("-fopenmp", "obey #pragma omp", constant(openmp=True)),
        Flag(
            "-fopenmp=",
            "the same, through libgomp or libomp (default: what is found, in this order)",
            set_openmp,
            "RUNTIME",
            "joined",
        ),
        Flag("-fno-openmp", "take -fopenmp back", constant(openmp=False)),
        Flag("-fparallel", "run loops in as many threads as there are", constant(parallel=0)),
        Flag(
            "-fparallel=",
            "run loops in N threads",
            store("parallel", number_of("threads")),
            "N",
            "joined",
        ),
        Flag(
            "-fparallel-threshold=",
            "only nests that take more CYCLES, as far as can be told before they run "
            f"(default {PARALLEL_THRESHOLD}; with -march=native measured, once)",
            store("parallel_threshold", number_of("cycles")),
            "CYCLES",
            "joined",
        ),
        Flag(
            "-fparallel-deterministic",
            "sums that threads or processes share have the same bits for any number of these",
            constant(parallel_deterministic=True),
        ),
        Flag("-fno-parallel", "take -fparallel back", constant(parallel=None)),
    ),
    "Loops": (
        Flag("-fno-poly", "leave the loops as they are: --poly=none", constant(poly="none")),
        Flag(
            "--poly=",
            f"none, auto (default from -O2 on), {', '.join(SCHEDULERS)}, and what packages add "
            f"(docs/plugins.md); each but {' and '.join(WITHOUT_TILES)} with +tile where its bands "
            "are to be tiled; "
            f"{POLY_AST}: poly-ast, skewing, tiles and register tiles as one flow",
            store("poly", configuration),
            "CONFIG",
            "joined",
        ),
        Flag(
            "--tile-sizes=",
            "sizes of tiles, outermost loop first (default: chosen by a model)",
            store("tile_sizes", tile_sizes),
            "N,…",
            "joined",
        ),
        Flag(
            "--tile-model=",
            "what chooses these sizes: lines (default), or a model that a package adds "
            "(docs/plugins.md)",
            store("tile_model"),
            "NAME",
            "joined",
        ),
        Flag(
            "--cost-model=",
            "what says whether the loops that were made stay: lines (default), or a model that a "
            "package adds (docs/plugins.md)",
            store("cost_model"),
            "NAME",
            "joined",
        ),
        Flag(
            "--stages=",
            "of --poly=poly+ast: no-fuse, no-permute, no-tile, no-pipeline (wavefronts instead), "
            "no-reduction (loops inside instead), registers=NxN (factors of the two innermost "
            "loops: 1, 2, 4, 6, 8; default: by a count of loads)",
            store("stages", stages),
            "STAGE,…",
            "joined",
        ),
        Flag(
            "--outer-tile=",
            "of --poly=tile-simd: tiles of N iterations of the loops outside its strip (default 1: "
            "none)",
            store("outer_tile", size_of_tile),
            "N",
            "joined",
        ),
        Flag(
            "--l1=",
            "the machine's L1 cache has SIZE bytes, or K: for the models of tiles (default: the "
            "CPU of -march)",
            store("l1_bytes", size_in_bytes),
            "SIZE",
            "joined",
        ),
        Flag(
            "--schedule=",
            "transform loops by the steps in FILE (docs/schedules.md); what no step changes keeps "
            "the order of --poly=, that of the source if none is given",
            store("schedule"),
            "FILE",
            "joined",
        ),
        Flag(
            "--steps=",
            "the same with the text of such a file itself",
            store("script"),
            "TEXT",
            "joined",
        ),
        Flag(
            "--export=",
            f"write schedules to files in DIR ('-': standard output): {', '.join(EXPORT_FORMATS)} "
            "(docs/exchange.md)",
            add_export,
            "FORMAT[:DIR]",
            "joined",
        ),
        Flag(
            "--import=",
            f"take schedules from files in DIR: {', '.join(IMPORT_FORMATS)}",
            store("imports", lambda value: form_and_folder(value, IMPORT_FORMATS)),
            "FORMAT[:DIR]",
            "joined",
        ),
        Flag(
            "--skip-pass=",
            "leave one pass out, at your own risk",
            append("skipped_passes"),
            "NAME",
            "joined",
        ),
        Flag(
            "--pass-limit=",
            "run only the first N of the passes that can be left out",
            store("pass_limit", number_of("passes")),
            "N",
            "joined",
        ),
        Flag(
            "--add-pass=",
            "run a pass of any package, with its options, behind all others on the way to LEVEL "
            "(docs/plugins.md)",
            add_pass,
            "LEVEL:PASS",
            "joined",
        ),
        Flag(
            "--check",
            "the program runs each optimised loop nest in the source's order too, compares the "
            "results, and ends with status 3 where they differ (docs/checking.md)",
            constant(check=True),
        ),
        Flag(
            "--distribute=",
            "processes share loop nests, by messages (MPI): GRID is 4, 2x2, or * for as many as "
            "run the program; MAP is block (default), cyclic, block-cyclic:SIZE or "
            "lattice:VECTORS/SIZE; owned: each has its part of array parameters only (docs/mpi.md)",
            store("distribute", distribution),
            "GRID[,MAP][,owned]",
            "joined",
        ),
        Flag(
            "--assume-distinct",
            "different memrefs of a module in .mlir do not overlap; C has restrict for it",
            constant(assume_distinct=True),
        ),
        Flag("--verify-each", "verify the module after every pass", constant(verify_each=True)),
        *pollycc_flags(add_export),
    ),
}
