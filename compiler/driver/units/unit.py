"""One translation unit on its way from C text to whatever level was asked for.

    read_source -> parse -> lower (once or level by level) -> llvm_ir | assembly | object_code

or all of it by `produce`. Nothing is printed here and nothing is written: warnings are data,
errors are exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

from polyopt.driver.options.settings import Settings
from polyopt.driver.units.findings import Findings
from polyopt.driver.units.loading import prepare_loading
from polyopt.driver.units.module_texts import make_context, module_text
from polyopt.driver.units.room_options import backend_options, frontend_options, pipeline_options
from polyopt.driver.units.source import Source
from polyopt.pass_runs import LaterPass, Watch, run_passes
from polyopt.pipeline import PassStep, make_pass, steps_between
from polyopt.pipeline_options import LEVELS, PipelineOptions
from polyopt.support.alone import one_at_a_time
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap, Span
from polyopt.support.noted import note_unrepeatable
from polyopt.support.record import entity
from polyopt.support.remarks import collect_remarks, know_functions, remark
from polyopt.support.timing import timed
from polyopt.support.warnings import collect_warnings
from polyopt.universe import PASSES, resolve

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    from polyopt.frontend.preprocessing.header_search import Header

RACES = "openmp-races"
"""The warning of pragmas that are wrong, which `-Wno-openmp-races` silences."""


@entity
class Unit:
    """A module that stands at `level`; `lower` takes it further down."""

    module: ModuleOp
    settings: Settings
    sources: SourceMap
    warnings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    included: list[Header] = field(default_factory=list["Header"])
    level: str = LEVELS[0]
    is_foreign: bool = False
    """Whether the module is another compiler's: loops are structured, nothing is promised of C."""
    source: Source | None = None
    """Where it comes from, so that a failure can be shown again."""

    @property
    def file(self) -> str:
        """The name of what is compiled, for the symbol table."""
        return "" if self.source is None else self.source.name

    @property
    def findings(self) -> Findings:
        return Findings(self.warnings, self.sources, self.included)


InParts = Callable[[Unit], bytes | None]
"""The object code of a unit whose parts are made each by itself; None where they are not."""


@one_at_a_time
def produce(
    source: Source,
    settings: Settings,
    product: str,
    report: Callable[[Findings], None],
    watch: Watch = Watch(),
    in_parts: InParts | None = None,
) -> str | bytes:
    """One of `PRODUCTS` made of the source; `report` is called with what the front end has to
    say, before anything else is done, and with what the passes warn of. Object code may be made
    `in_parts`."""
    _check_reached(settings, product)
    if product == "preprocessed":
        if source.is_module:
            raise CompileError(f"{source.name}: a module has nothing to preprocess")
        return preprocess(source, settings, SourceMap())
    if product == "nothing":
        report(parse(source, settings, SourceMap()).findings)
        return ""
    unit = parse(source, settings, SourceMap())
    report(unit.findings)
    if product in LEVELS:
        _lower_and_report(unit, product, watch, report)
        return _text_to_go_on_from(unit)
    if product == "obj" and in_parts is not None and (data := in_parts(unit)) is not None:
        return data
    _lower_and_report(unit, LEVELS[-1], watch, report)
    match product:
        case "llvm":
            return llvm_ir(unit, optimised=False)
        case "optimised-llvm":
            return llvm_ir(unit, optimised=True)
        case "asm":
            return assembly(unit)
        case _:
            return object_code(unit)


def _lower_and_report(
    unit: Unit, level: str, watch: Watch, report: Callable[[Findings], None]
) -> None:
    found = lower(unit, level, watch)
    if found.warnings:
        report(found)


def _text_to_go_on_from(unit: Unit) -> str:
    """The module's text, which says where it stands if no other compiler's loops are in it yet."""
    from polyopt.driver.units.module_input import state_level

    if not unit.is_foreign or LEVELS.index(unit.level) >= LEVELS.index("poly"):
        state_level(unit.module, unit.level)
    return module_text(unit.module)


def _check_reached(settings: Settings, product: str) -> None:
    """Raise CompileError where the way to the product has no schedules in it."""
    early = ("nothing", "preprocessed", *LEVELS[: LEVELS.index("schedule")])
    for flag, value in (("--export", settings.exports), ("--import", settings.imports)):
        if value and product in early:
            raise CompileError(f"{flag}= is about schedules, which --emit={product} comes before")
    if settings.llvm_version is not None and product not in ("llvm", "optimised-llvm"):
        raise CompileError("--llvm-version= is about LLVM's text, which --emit=llvm shows")


def header_folders(settings: Settings) -> str:
    """Where headers are looked for, as compilers tell it."""
    from polyopt.frontend.preprocessing.header_search import HeaderSearch

    return HeaderSearch(frontend_options(settings)).shown()


@one_at_a_time
def preprocess(
    source: Source,
    settings: Settings,
    sources: SourceMap,
    *,
    with_markers: bool = True,
    macros: bool = False,
    comments: bool = False,
    skips_missing: bool = False,
    included: list[Header] | None = None,
) -> str:
    """The text after preprocessing, as `-E` shows it, or the macros that hold behind it (`-dM`)."""
    from polyopt.frontend.preprocess_c import preprocess_c

    with timed("preprocess"), _quoting(sources, settings):
        options = frontend_options(settings, is_preprocessed=source.is_preprocessed)
        return preprocess_c(
            source.text,
            source.name,
            replace(options, comments=comments, skips_missing=skips_missing),
            sources,
            with_markers=with_markers,
            macros=macros,
            included=included,
        )


@one_at_a_time
def parse(source: Source, settings: Settings, sources: SourceMap) -> Unit:
    """The source IR of C text, or the module that the text is; CompileError for what is not C as
    polyopt knows it."""
    if source.is_module:
        return _parse_module(source, settings, sources)
    with timed("load the front end"):
        prepare_loading()
        from polyopt.frontend.parse_c import parse_c

    warnings: list[Diagnostic] = []
    included: list[Header] = []
    options = frontend_options(settings, is_preprocessed=source.is_preprocessed)
    with timed("parse"), _quoting(sources, settings):
        module = parse_c(source.text, source.name, options, sources, warnings, included)
    if settings.openmp and not settings.no_warnings and RACES not in settings.silenced:
        warnings += _races(module)
    know_functions(_functions(module))
    kept = [] if settings.no_warnings else warnings
    return Unit(module, settings, sources, kept, included, source=source)


def _parse_module(source: Source, settings: Settings, sources: SourceMap) -> Unit:
    prepare_loading()
    from polyopt.driver.units.module_input import read_module

    with timed("parse"), _quoting(sources, settings):
        sources.add(source.name, source.text)
        read = read_module(source.text, source.name, settings)
    know_functions(_functions(read.module))
    foreign = read.is_foreign
    return Unit(read.module, settings, sources, level=read.level, is_foreign=foreign, source=source)


def _functions(module: ModuleOp) -> list[tuple[Span, str]]:
    """Where those begin that the module defines."""
    from xdsl.dialects.func import FuncOp

    from polyopt.dialects.locations import span_of

    defined = (op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration)
    places = ((span_of(op), op.sym_name.data) for op in defined)
    return [(span, name) for span, name in places if span is not None]


def _races(module: ModuleOp) -> list[Diagnostic]:
    """What the dependences say against the pragmas of OpenMP."""
    with timed("check pragmas"), collect_warnings() as found:
        resolve(PASSES["check-worksharing"])().apply(make_context(), module)
    return found


@contextmanager
def _quoting(sources: SourceMap, settings: Settings) -> Generator[None]:
    """What goes wrong in the block is shown with the text that was read, a file's or not, and the
    warnings beside it, but for `-w`."""
    try:
        yield
    except CompileError as error:
        error.sources = sources
        error.in_source = True
        if settings.no_warnings:
            error.warnings = ()
        raise


@one_at_a_time
def lower(unit: Unit, level: str = LEVELS[-1], watch: Watch = Watch()) -> Findings:
    """Run the pipeline's passes until the module stands at `level`, and say what they warn of."""
    options = pipeline_options(unit.settings, is_module=unit.is_foreign)
    if LEVELS.index(level) < LEVELS.index(unit.level):
        raise CompileError(f"the module stands at level {unit.level} already, behind {level}")
    if options.poly == "none" and LEVELS.index(unit.level) >= LEVELS.index("poly"):
        options = replace(options, poly="auto")
    if unit.settings.parallel is not None and options.parallel is None:
        remark("missed", "no-threads", "there is no library that runs threads: loops run in one")
    if unit.settings.added_passes:
        note_unrepeatable("passes may be another package's, which may change")
    passes = [_planned(step, options) for step in steps_between(options, unit.level, level)]
    try:
        with collect_warnings() as warnings:
            run_passes(unit.module, make_context(), passes, watch)
    except Exception as error:
        if isinstance(error, CompileError):
            error.sources = error.sources or unit.sources
        if unit.source is not None and is_defect(error):
            _reproduce(error, unit.source, unit.settings, passes)
        raise
    unit.level = level
    silenced = unit.settings.silenced
    told = [] if unit.settings.no_warnings else [one for one in warnings if one.id not in silenced]
    return Findings(told, unit.sources, unit.included)


def _planned(step: PassStep, options: PipelineOptions) -> ModulePass | LaterPass:
    """A pass that somebody has added is made before any runs: its text may be wrong."""
    if step.text is not None:
        return make_pass(step, options)
    return LaterPass(step.name, partial(make_pass, step, options))


def _reproduce(
    error: Exception,
    source: Source,
    settings: Settings,
    passes: Sequence[ModulePass | LaterPass],
) -> None:
    from polyopt.driver.units.reproducer import add_reproducer

    def again(count: int) -> ModuleOp:
        with collect_remarks():
            module = parse(source, settings, SourceMap()).module
            run_passes(module, make_context(), passes[:count])
        return module

    add_reproducer(error, passes, again)


def is_defect(error: BaseException) -> bool:
    """Whether an exception is a mistake of ours, none of the user's or of the machine."""
    from xdsl.utils.exceptions import DiagnosticException

    return not isinstance(error, CompileError | DiagnosticException | OSError)


@one_at_a_time
def llvm_ir(unit: Unit, *, optimised: bool) -> str:
    """LLVM's text, as it is handed to LLVM or as LLVM's passes leave it."""
    from polyopt.backend.compiled.codegen import emit_llvm_ir

    with timed("LLVM"):
        options = backend_options(unit.settings)
        return emit_llvm_ir(unit.module, options, file=unit.file, optimised=optimised)


@one_at_a_time
def assembly(unit: Unit) -> str:
    from polyopt.backend.compiled.codegen import emit_assembly

    with timed("LLVM"):
        return emit_assembly(unit.module, backend_options(unit.settings), file=unit.file)


@one_at_a_time
def object_code(unit: Unit) -> bytes:
    from polyopt.backend.compiled.codegen import emit_object

    with timed("LLVM"):
        return emit_object(unit.module, backend_options(unit.settings), file=unit.file)
