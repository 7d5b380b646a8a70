"""The compiler's flags: what they set, which wins, and what is said about a wrong one."""

from dataclasses import fields, replace
from typing import Any

import pytest

from polyopt.driver.options.flag_reading import Collected
from polyopt.driver.options.flags import FLAGS, read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.room_options import pipeline_options
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import produce
from polyopt.pipeline import steps_between
from polyopt.pipeline_options import EXTERNAL_CONFIGURATIONS, POLY_CONFIGURATIONS, Stages
from polyopt.poly.schedulers.names import SCHEDULERS
from polyopt.support.diagnostics import CompileError

FAST: dict[str, Any] = {
    "finite_math": True,
    "limited_range": True,
    "signed_zeros": False,
    "reciprocal_math": True,
    "approximate_functions": True,
    "associative_math": True,
    "unsafe_math": True,
}
LOOP_STAGE = [
    "affine-join-parts",
    "drop-buffers",
    "affine-flatten-nests",
    "affine-look-up-rows",
    "affine-contract",
    "contract-plan",
    "contract-fuse",
    "contract-block",
    "contract-place",
    "contract-to-affine",
    "affine-tile-registers",
    "affine-unroll",
    "affine-split-guards",
    "affine-split-residues",
    "affine-isolate-calls",
    "affine-stage-tables",
    "affine-narrow",
    "affine-lanes",
    "affine-split-recurrences",
    "affine-stream",
    "affine-vectorize",
    "affine-group-sums",
    "affine-interleave-rows",
    "affine-peel-masks",
    "share-transfers",
    "compute-in-turns",
    "carry-reads",
    "lower-transfers",
    "hoist-buffers",
    "affine-keep-states",
]
BEHIND = LOOP_STAGE.index("affine-unroll") + 1
WITHOUT_VECTORS = [
    "drop-buffers",
    "affine-unroll",
    "affine-split-residues",
    "affine-narrow",
    "hoist-buffers",
    "affine-keep-states",
]
BY_HAND = LOOP_STAGE[3:]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", Settings()),
        ("-O3", Settings(opt_level=3)),
        ("-O", Settings(opt_level=1)),
        ("-O3 -O0", Settings(opt_level=0)),
        ("-Ofast", Settings(opt_level=3, **FAST)),
        ("-ffast-math -fno-fast-math", Settings()),
        ("-ffast-math -fno-associative-math", replace(Settings(**FAST), associative_math=False)),
        ("-fassociative-math", Settings(associative_math=True)),
        ("-I one -Itwo", Settings(include_dirs=("one", "two"))),
        ("-DA -D B=2", Settings(defines=("A", "B=2"))),
        ("-DA=1 -UA", Settings(undefines=("A",))),
        ("-UA -DA=1", Settings(defines=("A=1",))),
        (
            "-Wall -Wno-cpp -w -Werror",
            Settings(warnings=True, silenced=("cpp",), no_warnings=True, werror=True),
        ),
        ("-std=c99 -ffp-contract=off", Settings(std="c99", fp_contract="off")),
        ("-mavx2 -mno-fma", Settings(cpu_features=("+avx2", "-fma"))),
        (
            "-march=native -mprefer-vector-width=256",
            Settings(march="native", prefer_vector_width=256),
        ),
        ("--poly=isl+tile --tile-sizes=32,8", Settings(poly="isl+tile", tile_sizes=(32, 8))),
        (
            "--poly=poly+ast --stages=no-fuse,registers=4x2",
            Settings(poly="poly+ast", stages=Stages(fuse=False, registers=(4, 2))),
        ),
        (
            "--poly=tile-simd --outer-tile=32 --l1=32K",
            Settings(poly="tile-simd", outer_tile=32, l1_bytes=32768),
        ),
        ("-fno-tree-vectorize", Settings(vectorize=False)),
        ("-fno-vectorize -ftree-vectorize", Settings()),
        ("-fopenmp", Settings(openmp=True)),
        ("-fopenmp=libomp", Settings(openmp=True, openmp_runtime="libomp")),
        ("-fopenmp -fno-openmp", Settings()),
        ("-fparallel", Settings(parallel=0)),
        ("-fparallel -fparallel=3", Settings(parallel=3)),
        ("-fparallel=3 -fno-parallel", Settings()),
        ("--schedule=steps.txt", Settings(schedule="steps.txt")),
        ("--import=openscop:a:b", Settings(imports=("openscop", "a:b"))),
        ("--export=jscop", Settings(exports=(("jscop", "."),))),
        (
            "--export=dot:x --export=jscop:y --export=dot:-",
            Settings(exports=(("jscop", "y"), ("dot", "-"))),
        ),
        ("--poly=isl -fno-poly", Settings(poly="none")),
        ("-fpolly", Settings(poly="identity")),
        ("-fpolly -ftile", Settings(poly="isl+tile")),
        ("-fpluto-tile -fpolly", Settings(poly="isl+tile")),
        ("--poly=auto -fpolly", Settings(poly="identity")),
        ("-ftile -fno-poly", Settings(poly="none")),
        ("-fpluto", Settings(poly="pluto")),
        ("-ftile -fpluto", Settings(poly="pluto+tile")),
        ("-fpluto -ftile", Settings(poly="pluto+tile")),
        ("-fview-scops", Settings(exports=(("svg", "."),))),
        ("-fview-scops-only", Settings(exports=(("svg", "."),), draws_lines=False)),
        ("-fno-vectorize -fvector", Settings()),
        ("-faligned -fno-aligned -faligned", Settings(aligned=True)),
        ("-fpolly-export", Settings(exports=(("jscop", "."),))),
        ("-fpolly-import", Settings(imports=("jscop", "."))),
        (
            "--skip-pass=if-convert --verify-each",
            Settings(skipped_passes=("if-convert",), verify_each=True),
        ),
    ],
)
def test_settings(options: str, expected: Settings):
    assert read_settings(options.split()) == expected


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ("-Oq", "bad value 'q' for '-O': expected a number, s, z, g or fast", None),
        ("-ffast-mat", "unknown option '-ffast-mat'", "did you mean '-ffast-math'?"),
        ("--pol=isl", "unknown option '--pol=isl'", "did you mean '--poly=isl'?"),
        ("-fno-poly=x", "unknown option '-fno-poly=x'", "'-fno-poly' takes no value"),
        ("--frobnicate", "unknown option '--frobnicate'", "--help lists the options"),
        ("-I", "option '-I' needs a value: -I DIR", None),
        ("-std=", "option '-std=' needs a value: -std=STANDARD", None),
        (
            "-std=c++17",
            "bad value 'c++17' for '-std=': expected one of "
            "c99, c11, c17, c23, gnu99, gnu11, gnu17, gnu23",
            None,
        ),
        (
            "--tile-sizes=8,0",
            "bad value '8,0' for '--tile-sizes=': expected positive integers with commas between",
            None,
        ),
        (
            "--poly=best",
            f"bad value 'best' for '--poly=': expected one of "
            f"{', '.join([*POLY_CONFIGURATIONS, *EXTERNAL_CONFIGURATIONS])}",
            None,
        ),
        (
            "-mprefer-vector-width=64",
            "bad value '64' for '-mprefer-vector-width=': expected one of 128, 256, 512",
            None,
        ),
        (
            "--stages=registers=3x1",
            "bad value 'registers=3x1' for '--stages=': expected two factors, each one of "
            "1, 2, 4, 6, 8",
            None,
        ),
        ("--l1=32", "bad value '32' for '--l1=': expected bytes, 1K or more, such as 32K", None),
        (
            "--outer-tile=8,8",
            "bad value '8,8' for '--outer-tile=': expected one positive integer",
            None,
        ),
        ("-fopenmp=tbb", "bad value 'tbb' for '-fopenmp=': expected one of libgomp, libomp", None),
        ("-fparallel=-1", "bad value '-1' for '-fparallel=': expected a number of threads", None),
        ("gemm.c", "'gemm.c' is no option", "options begin with a '-'"),
    ],
)
def test_wrong_option(options: str, message: str, hint: str | None):
    with pytest.raises(CompileError) as raised:
        read_settings(options.split())
    diagnostic = raised.value.diagnostic
    assert (diagnostic.message, diagnostic.hint) == (message, hint)


def test_every_field_has_a_flag():
    """A field that no flag sets, or a flag that sets no field, is an option that nobody honours."""
    values = {"-O": "2", "-std=": "c99", "-ffp-contract=": "off", "--poly=": "isl"}
    values |= {"-fgnuc-version=": "12.2", "-finput-charset=": "latin1", "-fexec-charset=": "cp932"}
    values |= {"-fopenmp=": "libomp", "-fparallel=": "2", "-fparallel-threshold=": "1000"}
    values |= {
        "-fvisibility=": "hidden",
        "-W": "error=cpp",
        "-mprefer-vector-width=": "256",
        "--tile-sizes=": "32",
        "--llvm-version=": "19",
        "--add-pass=": "poly:poly-check",
        "--pass-limit=": "3",
    }
    values |= {"-fcf-protection": "=return"}
    values |= {"--stages=": "no-fuse", "--outer-tile=": "32", "--l1=": "32K"}
    values |= {"--export=": "dot", "--import=": "schedule", "--distribute=": "2x2"}
    collected: Collected = {}
    for group in FLAGS.values():
        for flag in group:
            if flag.treatment == "honoured":
                flag.set(collected, values.get(flag.spelling, "x"))
    del collected["notes"]  # an unknown warning, an unknown kind of debug information
    by_the_driver = {"timed"}  # of a program that is run and shown
    assert collected.keys() == {field.name for field in fields(Settings)} - by_the_driver


@pytest.mark.parametrize(
    ("options", "poly"),
    [
        ("-O0 --schedule=f", "identity"),
        ("-O3 --schedule=f", "identity"),
        ("-O3 --schedule=f --poly=isl+tile", "isl+tile"),
    ],
)
def test_steps_change_the_source_or_what_a_scheduler_gives(options: str, poly: str):
    chosen = pipeline_options(read_settings(options.split()))
    assert (chosen.steps, chosen.poly) == ("f", poly)
    steps = [step.name for step in steps_between(chosen, "source", "scf")]
    assert "poly-apply-steps" in steps
    assert steps[steps.index("poly-to-affine") + 1 : -1] == BY_HAND


@pytest.mark.parametrize(
    ("options", "passes"),
    [
        ("--poly=identity", []),
        ("--poly=identity --schedule=f", BY_HAND),
        ("--import=jscop", BY_HAND),
        ("--poly=isl", []),
        ("--poly=isl --schedule=f", BY_HAND),
        ("--poly=tile-simd", ["affine-unroll"]),
        ("--poly=isl+tile -fno-vectorize", WITHOUT_VECTORS),
        ("--poly=poly+ast", [*LOOP_STAGE[1:3], *LOOP_STAGE[BEHIND - 1 :]]),
        (
            "--poly=auto",
            [
                *LOOP_STAGE[:3],
                "affine-batches",
                *LOOP_STAGE[3:-1],
                "keep-what-pays",
                LOOP_STAGE[-1],
            ],
        ),
        ("--poly=auto --schedule=f", BY_HAND),
    ],
)
def test_the_loop_stage_finishes_what_a_person_has_ordered(options: str, passes: list[str]):
    chosen = pipeline_options(read_settings(options.split()))
    assert [step.name for step in steps_between(chosen, "affine", "loops")] == passes


def test_stages_of_the_flow_by_name():
    """Algorithm 1: each stage is a pass, or an option of one, and each switch changes that one."""

    def chosen(options: str) -> dict[str, dict[str, Any]]:
        asked = pipeline_options(read_settings(["--poly=poly+ast", *options.split()]))
        return {one.name: one.arguments(asked) for one in steps_between(asked, "poly", "scf")}

    steps = chosen("-fparallel")
    names = ["poly-schedule", "poly-tile", "poly-register-tile", "affine-parallelize"]
    assert [name for name in steps if name in names] == names
    assert (steps["poly-schedule"]["fuse"], steps["poly-schedule"]["permute"]) == ("max", True)
    assert steps["poly-tile"] == {"skew": True, "wavefront": False, "skewed_by": 5}
    assert "poly-tile" not in chosen("--stages=no-tile")
    assert chosen("--stages=no-fuse")["poly-schedule"]["fuse"] == "min"
    assert not chosen("--stages=no-permute")["poly-schedule"]["permute"]
    off = chosen("-fparallel --stages=no-pipeline,no-reduction,registers=4x1")
    assert off["poly-tile"]["wavefront"]
    assert off["poly-register-tile"]["factors"] == (4, 1)
    kinds = off["affine-parallelize"]
    assert not kinds["pipelines"]
    assert not kinds["reductions"]


def test_the_help_says_which_schedulers_take_tiles():
    """By name, and of each of the others that it does."""
    told = next(one.help for flags in FLAGS.values() for one in flags if one.spelling == "--poly=")
    excepted = told.partition("each but ")[2].partition(" with +tile")[0].split(" and ")
    for name in SCHEDULERS:
        assert (f"{name}+tile" in POLY_CONFIGURATIONS) == (name not in excepted)


def test_flags_of_one_configuration_are_refused_elsewhere():
    for flag, message in (("--stages=no-fuse", "poly.ast"), ("--outer-tile=8", "tile-simd")):
        with pytest.raises(CompileError, match=message):
            pipeline_options(read_settings([flag, "--poly=isl"]))


def test_only_by_hand_unrolled_loops_are_kept_from_contractions():
    for options, is_kept in (("--schedule=f", True), ("-O3", False)):
        chosen = pipeline_options(read_settings(options.split()))
        steps = steps_between(chosen, "affine", "loops")
        contract = next(step for step in steps if step.name == "affine-contract")
        assert contract.arguments(chosen)["keep_unrolled"] is is_kept


def test_steps_need_loops_that_may_be_changed():
    with pytest.raises(CompileError, match="leaves them alone"):
        pipeline_options(read_settings(["--schedule=f", "-fno-poly"]))


@pytest.mark.parametrize(
    ("options", "poly"),
    [
        ("--export=jscop", "identity"),
        ("-O2 --export=jscop", "auto"),
        ("-O2 --import=jscop", "identity"),
        ("--poly=isl --export=svg:x", "isl"),
        ("--poly=identity --import=schedule", "identity"),
    ],
)
def test_schedules_from_and_for_other_tools(options: str, poly: str):
    chosen = pipeline_options(read_settings(options.split()))
    assert chosen.poly == poly
    steps = [step.name for step in steps_between(chosen, "source", "scf")]
    wanted = options.rpartition("-")[2].partition(":")[0].replace("=", "-")
    assert f"poly-{wanted}".replace("svg", "dot") in steps


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--export=jscop -fno-poly", "is about loops, and --poly=none leaves them alone"),
        ("--import=jscop -fno-poly", "changes loops, and --poly=none leaves them alone"),
        ("--import=jscop --poly=isl", "brings the schedules, and --poly=isl looks for others"),
    ],
)
def test_schedules_that_there_cannot_be(options: str, message: str):
    with pytest.raises(CompileError, match=message):
        pipeline_options(read_settings(options.split()))


@pytest.mark.parametrize("product", ["preprocessed", "source", "prepared", "poly"])
@pytest.mark.parametrize("flag", ["--export=", "--import="])
def test_products_before_there_are_schedules(flag: str, product: str):
    settings = read_settings([f"{flag}jscop:nowhere"])
    with pytest.raises(CompileError, match=f"which --emit={product} comes before"):
        produce(Source("a.c", "int x;"), settings, product, lambda _: None)
