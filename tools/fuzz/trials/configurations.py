"""How a program is compiled: a random choice of the compiler's options, and of ways to a schedule.

A configuration is words: options of polyopt-cc, and four of `polyopt-fuzz --check` besides.

    --steps=SEED              a script of random legal steps (docs/schedules.md), made anew
    --through=FORMAT:SEED     the schedule is exported, permuted if SEED is not 0, and imported
    --layouts=SEED            random arrays have other layouts while loops run (poly-layout)
    --pass-option=PASS.OPTION=VALUE
"""

from __future__ import annotations

from polyopt.pipeline_options import plugin_configurations
from polyopt.poly.schedulers.names import SCHEDULERS
from polyopt.support.record import record
from polyopt.support.target import Target
from polyopt.tools.fuzz.programs.choices import Choices, table

MODES = table("arithmetic", strict=65, contracted=8, associative=9, fast=18)
LEVELS = table("optimisation level", **{"-O0": 8, "-O1": 52, "-O2": 20, "-O3": 20})
POLY = table(
    "scheduler",
    **{
        "auto": 30,
        "isl": 8,
        "isl+tile": 10,
        "identity": 5,
        "feautrier": 5,
        "feautrier+tile": 4,
        "locality": 8,
        "poly-ast": 5,
        "poly-ast+tile": 5,
        "poly+ast": 5,
        "matrix": 5,
        "matrix+tile": 4,
        "tile-simd": 6,
        "tile-simd+tile": 3,
        "none": 1,
        **dict.fromkeys(plugin_configurations(), 10),
    },
)
WAYS = table(
    "way to a schedule", scheduler=64, steps=17, jscop=5, openscop=5, scoplib=4, schedule=5
)
MARCHES = table("-march", **{"x86-64": 20, "x86-64-v2": 5, "x86-64-v3": 45, "x86-64-v4": 30})
TILES = table("tile sizes", chosen=60, small=25, of_a_vector=15)
SKIPPED = table(
    "pass left out",
    **{
        "none": 100,
        "affine-contract": 3,
        "affine-lanes": 3,
        "affine-vectorize": 3,
        "affine-isolate-calls": 2,
        "affine-unroll": 2,
        "affine-stream": 2,
        "hoist-buffers": 2,
        "poly-expand": 3,
        "poly-forward": 2,
        "poly-relocate": 3,
        "poly-isolate-carriers": 3,
        "poly-isolate-edges": 3,
        "affine-tile-registers": 2,
        "affine-group-sums": 2,
        "mark-changing-steps": 2,
        "mark-scattered-stores": 2,
        "affine-interleave-rows": 2,
        "affine-peel-masks": 2,
        "poly-fuse-shifted": 2,
        "poly-keep-small": 3,
        "poly-tile-written": 2,
        "keep-what-pays": 60,
        "if-convert": 2,
        "unroll-windows": 2,
        "structure-branches": 2,
        "merge-returns": 2,
        "inline-calls": 2,
        "inline-functions": 2,
        "expand-powers": 2,
    },
)
PASS_OPTIONS = table(
    "pass option",
    **{
        "none": 100,
        "promote-scalars.all=true": 4,
        "poly-to-affine.engine=scan": 14,
        "poly-schedule.fuse=min": 3,
        "poly-schedule.algorithm=feautrier": 2,
        "poly-schedule.proximity=all": 2,
        "poly-schedule.proximity=none": 2,
        "poly-schedule.maximize-coincidence=true": 2,
        "poly-schedule.outer-coincidence=true": 2,
        "poly-schedule.whole-component=true": 2,
        "poly-schedule.separate-components=false": 2,
        "poly-schedule.split-scaled=false": 1,
        "poly-schedule.treat-coalescing=false": 1,
        "poly-schedule.outer-tile=2": 1,
        "poly-tile.shape=diamond": 4,
        "poly-tile.points=source": 4,
        "poly-tile.skew=true": 3,
        "poly-fuse-shifted.bytes=1": 5,
        "poly-keep-small.instances=64": 4,
        "poly-tile-written.instances=0": 4,
        "poly-expose-contractions.block=8": 3,
        "unroll-windows.iterations=3": 2,
        "affine-stream.bytes=64": 6,
        "affine-unroll.max-copies=8": 2,
    },
)
THREADS = table("threads", one=70, three=25, seven=5)
"""Of -fparallel=."""

WORK = table("work that threads pay from", any=50, some=25, chosen=25)
"""Where a nest has less, one thread has it, and is asked whether the source's order is better."""

COUNTS = {"three": 3, "seven": 7}
THRESHOLDS = {"any": ["-fparallel-threshold=0"], "some": ["-fparallel-threshold=200"], "chosen": []}
COMPARED = table("--check", no=92, yes=8)
"""Where arithmetic is strict: whether the program itself compares each nest with the source's."""

LAYOUTS = table("layouts of arrays", as_declared=85, drawn=15)
"""Where a scheduler orders the loops."""

MODE_FLAGS = {
    "strict": ("-ffp-contract=off",),
    "contracted": ("-ffp-contract=on",),
    "associative": ("-ffp-contract=off", "-fassociative-math"),
    "fast": ("-ffast-math",),
}


OWN = ("--steps=", "--through=", "--layouts=", "--pass-option=")
"""How words begin that are no options of polyopt-cc."""


@record
class Configuration:
    """`flags` are polyopt-cc's. `steps`, `permutation` and `layouts` are seeds; 0 permutes
    nothing."""

    flags: tuple[str, ...]
    is_exact: bool = True
    steps: int | None = None
    form: str | None = None
    permutation: int = 0
    pass_options: tuple[str, ...] = ()
    layouts: int | None = None

    @property
    def words(self) -> tuple[str, ...]:
        own = list[str]()
        if self.steps is not None:
            own.append(f"--steps={self.steps}")
        if self.form is not None:
            own.append(f"--through={self.form}:{self.permutation}")
        if self.layouts is not None:
            own.append(f"--layouts={self.layouts}")
        own += [f"--pass-option={one}" for one in self.pass_options]
        return (*self.flags, *own)


def read_configuration(words: tuple[str, ...]) -> Configuration:
    """The configuration of the words."""
    own = [word for word in words if word.startswith(OWN)]
    steps, form, permutation, options, layouts = None, None, 0, list[str](), None
    for word in own:
        name, _, text = word.partition("=")
        match name:
            case "--steps":
                steps = int(text)
            case "--through":
                form, _, seed = text.partition(":")
                permutation = int(seed or 0)
            case "--layouts":
                layouts = int(text)
            case _:
                options.append(text)
    flags = tuple(word for word in words if word not in own)
    loose = {"-ffast-math", "-Ofast", "-fassociative-math", "-ffp-contract=on"}
    is_exact = not loose & set(flags) and "-ffp-contract=off" in flags
    return Configuration(flags, is_exact, steps, form, permutation, tuple(options), layouts)


def draw_mode(choices: Choices) -> str:
    """What arithmetic all configurations of a program have."""
    return choices.pick(MODES)


def random_configuration(choices: Choices, mode: str) -> Configuration:
    flags = [choices.pick(LEVELS), *MODE_FLAGS[mode]]
    way = choices.pick(WAYS)
    poly = choices.pick(POLY) if way == "scheduler" else ""
    if way == "steps":
        poly = choices.one(["identity", "identity", "isl", "locality"])
    widest = Target.host().vector_bits
    marches = [name for name in MARCHES.weights if _bits(name) <= widest]
    march = choices.pick(MARCHES, among=marches)
    flags.append(f"-march={march}")
    if _bits(march) >= 256 and choices.chance(0.4):
        flags.append(f"-mprefer-vector-width={choices.one([128, 256, _bits(march)])}")
    if poly:
        flags.append(f"--poly={poly}")
    tiles = choices.pick(TILES)
    if tiles != "chosen" and way == "scheduler" and poly not in ("none", "identity"):
        sizes = (2, 3, 4, 5, 7) if tiles == "small" else (8, 16, 32)
        count = choices.number(1, 3)
        flags.append(f"--tile-sizes={','.join(str(choices.one(sizes)) for _ in range(count))}")
    skipped = choices.pick(SKIPPED)
    if skipped != "none":
        flags.append(f"--skip-pass={skipped}")
    if skipped != "poly-keep-small" and choices.chance(0.8):
        flags.append("--skip-pass=poly-keep-small")
    if choices.chance(0.04):
        flags.append("-fno-strict-aliasing")
    if choices.chance(0.03):
        flags.append("-fPIC")
    if choices.chance(0.15):
        flags.append("--verify-each")
    threads = choices.pick(THREADS)
    if threads != "one":
        flags += [f"-fparallel={COUNTS[threads]}", *THRESHOLDS[choices.pick(WORK)]]
    is_optimised = poly not in ("", "none")
    if mode == "strict" and is_optimised and choices.pick(COMPARED) == "yes":
        flags.append("--check")
    option = choices.pick(PASS_OPTIONS)
    options = () if option == "none" else (option,)
    is_exact = mode == "strict"
    match way:
        case "scheduler":
            layouts = None
            if poly != "none" and choices.pick(LAYOUTS) == "drawn":
                layouts = choices.number(1, 10**6)
            return Configuration(tuple(flags), is_exact, pass_options=options, layouts=layouts)
        case "steps":
            seed = choices.number(1, 10**6)
            return Configuration(tuple(flags), is_exact, steps=seed, pass_options=options)
        case _:
            seed = choices.number(1, 10**6) if choices.chance(0.75) else 0
            return Configuration(
                tuple(flags), is_exact, form=way, permutation=seed, pass_options=options
            )


def _bits(march: str) -> int:
    return {"x86-64-v3": 256, "x86-64-v4": 512}.get(march, 128)


assert set(SCHEDULERS) <= set(POLY.weights), "a scheduler that is never drawn"
