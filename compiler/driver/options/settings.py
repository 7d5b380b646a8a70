"""What shall become of a translation unit, as plain data: all that flags can say."""

from __future__ import annotations

from typing import Literal

from polyopt.frontend.options import GNU_C_VERSION, Contraction, Standard
from polyopt.pipeline_options import Distribution, Stages
from polyopt.support.charsets import UTF_8
from polyopt.support.record import record

Visibility = Literal["default", "hidden", "protected", "internal"]
StackProtector = Literal["none", "some", "strong", "all"]
ControlFlow = Literal["none", "branch", "return", "full"]


@record
class Settings:
    """What shall become of a translation unit; every field is set by some flag of `flags.FLAGS`.

    `poly` None means: as the optimisation level has it. `openmp_runtime` None: what is found.
    `stages` None: all, where loops go through stages. `l1_bytes` None: the compiling machine's.
    `sysroot`: where the system's headers and libraries lie; `header_sysroot`: where the headers do.
    `parallel`: loops run in so many threads, in as many as the runtime has where it is 0; None: no.
    `parallel_threshold`: only where a nest takes more cycles than that; None: than threads cost.
    `parallel_deterministic`: sums that threads or processes share do not depend on their number.
    `distribute`: processes share loops.
    `unsafe_math`: programs may start with numbers too small to be normal as zeros.
    """

    include_dirs: tuple[str, ...] = ()
    quote_dirs: tuple[str, ...] = ()
    system_dirs: tuple[str, ...] = ()
    after_dirs: tuple[str, ...] = ()
    standard_includes: bool = True
    sysroot: str = ""
    header_sysroot: str | None = None
    forced_includes: tuple[str, ...] = ()
    macro_files: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: Standard = "gnu17"
    builtins: bool = True
    no_builtins: tuple[str, ...] = ()
    hosted: bool = True
    gnuc: tuple[int, ...] = GNU_C_VERSION
    wrapping: bool = False
    common: bool = False
    unsigned_char: bool = False
    input_charset: str = UTF_8
    execution_charset: str = UTF_8

    warnings: bool = False
    extra_warnings: bool = False
    wanted: tuple[str, ...] = ()
    silenced: tuple[str, ...] = ()
    no_warnings: bool = False
    werror: bool = False
    errors: tuple[str, ...] = ()
    not_errors: tuple[str, ...] = ()

    opt_level: int = 0
    size_level: int = 0
    debug: bool = False
    finite_math: bool = False
    limited_range: bool = False
    signed_zeros: bool = True
    reciprocal_math: bool = False
    approximate_functions: bool = False
    associative_math: bool = False
    unsafe_math: bool = False
    fp_contract: Contraction = "on"
    strict_aliasing: bool = True
    declared_sizes: bool = True
    aligned: bool = False
    vectorize: bool = True
    slp_vectorize: bool = True
    unroll_loops: bool = True
    march: str | None = None
    mtune: str | None = None
    cpu_features: tuple[str, ...] = ()
    prefer_vector_width: int | None = None
    pic: bool = False
    visibility: Visibility = "default"
    frame_pointer: bool = False
    unwind_tables: bool = False
    unwinds: bool = False
    stack_protector: StackProtector = "none"
    probes_stack: bool = False
    control_flow: ControlFlow = "none"
    red_zone: bool = True
    null_is_valid: bool = False
    function_sections: bool = False
    data_sections: bool = False
    llvm_version: int | None = None

    openmp: bool = False
    openmp_runtime: str | None = None
    parallel: int | None = None
    parallel_threshold: int | None = None
    parallel_deterministic: bool = False
    distribute: Distribution | None = None

    poly: str | None = None
    tile_sizes: tuple[int, ...] = ()
    tile_model: str = "lines"
    cost_model: str = "lines"
    stages: Stages | None = None
    outer_tile: int = 1
    l1_bytes: int | None = None
    schedule: str | None = None
    script: str | None = None
    draws_lines: bool = True
    exports: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, str] | None = None
    skipped_passes: tuple[str, ...] = ()
    added_passes: tuple[tuple[str, str], ...] = ()
    pass_limit: int | None = None
    assume_distinct: bool = False
    verify_each: bool = False
    check: bool = False
    timed: str | None = None
