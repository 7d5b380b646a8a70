"""What the settings of a translation unit ask of each room: the front end, the pipeline, the back
end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from polyopt.driver.options.claimed_macros import claimed_macros
from polyopt.driver.options.cpu_flags import machine
from polyopt.driver.options.settings import Settings
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.pipeline_options import PARALLEL_THRESHOLD, POLY_AST, PipelineOptions, Stages
from polyopt.support.diagnostics import CompileError
from polyopt.support.target import L1_BYTES

if TYPE_CHECKING:
    from polyopt.backend.processors.options import BackendOptions
    from polyopt.frontend.options import CFrontendOptions

FIRST_POLY_LEVEL = 2
"""The optimisation level from which on loop nests are optimised when nothing else is said."""


def frontend_options(settings: Settings, *, is_preprocessed: bool = False) -> CFrontendOptions:
    from polyopt.frontend.options import CFrontendOptions

    runtime = chosen_runtime(settings) if settings.openmp else None
    return CFrontendOptions(
        include_dirs=(*settings.include_dirs, *_folders("CPATH")),
        quote_dirs=settings.quote_dirs,
        system_dirs=(*settings.system_dirs, *_folders("C_INCLUDE_PATH")),
        after_dirs=settings.after_dirs,
        standard_includes=settings.standard_includes,
        sysroot=settings.sysroot if settings.header_sysroot is None else settings.header_sysroot,
        forced_includes=settings.forced_includes,
        macro_files=settings.macro_files,
        is_preprocessed=is_preprocessed,
        defines=settings.defines,
        undefines=settings.undefines,
        std=settings.std,
        warnings=settings.warnings,
        extra_warnings=settings.extra_warnings,
        wanted=frozenset(settings.wanted),
        silenced=frozenset(settings.silenced),
        builtins=settings.builtins,
        no_builtins=frozenset(settings.no_builtins),
        hosted=settings.hosted,
        gnuc=settings.gnuc,
        claims=claimed_macros(settings, lambda: backend_options(settings).cpu()),
        wrapping=settings.wrapping,
        common=settings.common,
        unsigned_char=settings.unsigned_char,
        input_charset=settings.input_charset,
        execution_charset=settings.execution_charset,
        finite_math=settings.finite_math,
        limited_range=settings.limited_range,
        signed_zeros=settings.signed_zeros,
        reciprocal_math=settings.reciprocal_math,
        approximate_functions=settings.approximate_functions,
        associative_math=settings.associative_math,
        fp_contract=settings.fp_contract,
        strict_aliasing=settings.strict_aliasing,
        aligned=settings.aligned,
        openmp=None if runtime is None else runtime.family,
    )


def _folders(variable: str) -> list[str]:
    """The folders in a variable of the environment that every C compiler reads."""
    value = os.environ.get(variable, "")
    return [folder or "." for folder in value.split(os.pathsep)] if value else []


def machine_of(settings: Settings) -> str:
    """The machine that code is made for, in one word."""
    from polyopt.backend.processors.options import default_march

    return machine(settings.march, settings.cpu_features, default_march())


def _machine_of_passes(settings: Settings) -> str:
    """The machine that loops are made for: with no longer vectors than are wished, and with the
    cache that it is said to have."""
    width, l1 = settings.prefer_vector_width, settings.l1_bytes
    prefers = "" if width is None else f"+prefer{width}"
    return machine_of(settings) + prefers + ("" if l1 is None else f"+{L1_BYTES}{l1}")


def _parallel_threshold(settings: Settings) -> int:
    """From how many cycles on a nest may run in threads."""
    if settings.parallel_threshold is not None:
        return settings.parallel_threshold
    runtime = chosen_runtime(settings) if settings.parallel is not None else None
    if runtime is None or settings.march != "native":
        return PARALLEL_THRESHOLD
    from polyopt.driver.threads.fork_cost import measured_threshold

    return measured_threshold(runtime)


def pipeline_options(settings: Settings, *, is_module: bool = False) -> PipelineOptions:
    return PipelineOptions(
        poly=_configuration(settings),
        tile_sizes=settings.tile_sizes,
        tile_model=settings.tile_model,
        cost_model=settings.cost_model,
        stages=settings.stages or Stages(),
        outer_tile=settings.outer_tile,
        steps=settings.schedule,
        script=settings.script,
        exports=settings.exports,
        draws_lines=settings.draws_lines,
        imported=settings.imports,
        march=_machine_of_passes(settings),
        vectorize=settings.vectorize,
        declared_sizes=settings.declared_sizes,
        check=settings.check,
        timed=settings.timed,
        openmp=settings.openmp,
        parallel=None if chosen_runtime(settings) is None else settings.parallel,
        parallel_threshold=_parallel_threshold(settings),
        parallel_deterministic=settings.parallel_deterministic,
        distribute=settings.distribute,
        is_module=is_module,
        assume_distinct=settings.assume_distinct,
        skipped=settings.skipped_passes,
        added=settings.added_passes,
        limit=settings.pass_limit,
    )


def _configuration(settings: Settings) -> str:
    """How loops are optimised: as `--poly=` says, or as the other flags imply."""
    asks = {
        "--schedule= transforms": settings.schedule,
        "--steps= transforms": settings.script,
        "--import= changes": settings.imports,
        "--export= is about": settings.exports,
        "--check compares optimised": settings.check,
        "--distribute= shares": settings.distribute,
    }
    if settings.distribute is not None:
        _check_distributes(settings)
    if settings.schedule is not None and settings.script is not None:
        raise CompileError("--schedule= and --steps= are one script each: give one of them")
    poly, wanted = settings.poly, [what for what, value in asks.items() if value]
    if poly == "none" and wanted:
        raise CompileError(f"{wanted[0]} loops, and --poly=none leaves them alone")
    if settings.stages is not None and poly != POLY_AST:
        raise CompileError(f"--stages= are those of --poly={POLY_AST}")
    if settings.outer_tile != 1 and poly != "tile-simd":
        raise CompileError("--outer-tile= is for what is around the strips of --poly=tile-simd")
    if settings.imports and poly not in (None, "identity"):
        raise CompileError(f"--import= brings the schedules, and --poly={poly} looks for others")
    if poly is not None:
        return poly
    if any(one is not None for one in (settings.schedule, settings.script, settings.imports)):
        return "identity"
    if settings.opt_level >= FIRST_POLY_LEVEL and not settings.size_level:
        return "auto"
    if settings.check:
        level = settings.opt_level
        raise CompileError(
            f"--check compares optimised loops, and at -O{level} there are none",
            hint="-O3, or one of the configurations of --poly=",
        )
    return "identity" if settings.exports or settings.distribute else "none"


def _check_distributes(settings: Settings) -> None:
    """Raise CompileError for what is about whole SCoPs: those of one process are parts of them."""
    others = {
        "--check": settings.check,
        "--schedule=": settings.schedule,
        "--steps=": settings.script,
        "--import=": settings.imports,
        "-fopenmp": settings.openmp,
    }
    for flag, value in others.items():
        if value:
            raise CompileError(f"{flag} and --distribute= do not go together")


def backend_options(settings: Settings) -> BackendOptions:
    from polyopt.backend.processors.options import BackendOptions

    runtime = chosen_runtime(settings)
    return BackendOptions(
        opt_level=settings.opt_level,
        size_level=settings.size_level,
        march=machine_of(settings),
        mtune=settings.mtune or "",
        prefer_vector_width=settings.prefer_vector_width,
        pic=settings.pic,
        openmp="libgomp" if runtime is None else runtime.family,
        debug=settings.debug,
        visibility=settings.visibility,
        frame_pointer=settings.frame_pointer,
        unwind_tables=settings.unwind_tables or settings.unwinds,
        unwinds=settings.unwinds,
        stack_protector=settings.stack_protector,
        probes_stack=settings.probes_stack,
        control_flow=settings.control_flow,
        red_zone=settings.red_zone,
        null_is_valid=settings.null_is_valid,
        function_sections=settings.function_sections,
        data_sections=settings.data_sections,
        builtins=settings.builtins,
        no_builtins=settings.no_builtins,
        loop_vectorize=settings.vectorize,
        slp_vectorize=settings.vectorize and settings.slp_vectorize,
        unroll_loops=settings.unroll_loops,
        llvm_version=settings.llvm_version,
    )
