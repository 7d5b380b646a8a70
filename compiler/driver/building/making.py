"""What one source becomes: its product, its warnings, its rule for make.

C and modules are ours; assembly goes to the system's compiler, and with --fallback=cc so does what
we cannot read. What was compiled before is found again (`cache`), where nothing has changed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polyopt.driver.building.dependencies import rule, rule_file
from polyopt.driver.building.inputs import Input, input_of
from polyopt.driver.building.job import Job
from polyopt.driver.building.reports import Reporter
from polyopt.driver.cache.folder import chosen_store
from polyopt.driver.options.settings import Settings
from polyopt.driver.units import unit as stages
from polyopt.driver.units.findings import Findings, together
from polyopt.driver.units.products import Made, Products
from polyopt.driver.units.source import Source, read_source
from polyopt.driver.units.unit import InParts
from polyopt.pass_runs import Watch
from polyopt.support.diagnostics import CompileError, Diagnostic, SourceMap
from polyopt.support.files import write_whole
from polyopt.support.interrupts import removed_by_interrupt
from polyopt.support.noted import collect_noted, note_unrepeatable, write_noted
from polyopt.support.progress import Progress, is_looked_on
from polyopt.support.remarks import overhear_remarks, repeat_remarks

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from polyopt.frontend.preprocessing.header_search import Header


class Failed(Exception):
    """A file could not be compiled, and why has been said."""


def read_input(item: Input, settings: Settings) -> Source:
    source = read_source(item.word, settings.input_charset)
    return replace(source, is_preprocessed=item.language == "cpp-output", is_module=item.is_module)


def make_product(
    job: Job,
    source: Input | str,
    product: str,
    reporter: Reporter | None = None,
    in_parts: InParts | None = None,
) -> str | bytes:
    """What one source becomes; a name is a file in the language of its suffix."""
    reporter = reporter or Reporter()
    item = input_of(source, "none") if isinstance(source, str) else source
    if not item.is_compiled:
        return _by_system(job, item, product)
    text = read_input(item, job.settings)
    if job.verbose and item.is_c:
        print(stages.header_folders(job.settings), file=sys.stderr, flush=True)
    included: list[Header] = []
    if product == "preprocessed" and item.is_c:
        data = stages.preprocess(
            text,
            job.settings,
            SourceMap(),
            with_markers=job.with_markers,
            macros=job.macros,
            comments=job.comments,
            included=included,
        )
        _tell_headers(job, included)
        if job.dependencies is not None:
            put_rule(job, item, included)
        return data

    def report(findings: Findings) -> None:
        _report_warnings(job, findings, reporter)
        _tell_headers(job, findings.included)
        if job.dependencies is not None:
            put_rule(job, item, findings.included)

    try:
        data = _compiled(job, text, product, report, in_parts)
    except CompileError as error:
        error.warnings = tuple(_severe(job, one) for one in error.warnings)
        if not (job.fallback and error.in_source and item.is_c):
            raise
        return _fall_back(job, item, product, error, reporter)
    if job.save_temps is not None and item.is_c:
        _save_temps(job, item, text)
    return data


def _compiled(
    job: Job,
    source: Source,
    product: str,
    report: Callable[[Findings], None],
    in_parts: InParts | None,
) -> str | bytes:
    """The product, made now or before."""
    store = None if is_watched(job) or source.is_module else chosen_store(job.cache)
    products = None if store is None else Products(store)
    question = None if products is None else products.question(source, job.settings, product)
    if products is None or question is None:
        return _produced(job, source, product, report, in_parts)
    found = products.find(question)
    if found is not None:
        report(found.findings)
        repeat_remarks(found.remarks)
        return found.product
    said: list[Findings] = []

    def hear(findings: Findings) -> None:
        said.append(findings)
        report(findings)

    with collect_noted() as noted, overhear_remarks() as remarks:
        data = _produced(job, source, product, hear, in_parts)
        products.keep(question, Made(data, together(said), remarks), noted)
    return data


def _produced(
    job: Job,
    source: Source,
    product: str,
    report: Callable[[Findings], None],
    in_parts: InParts | None,
) -> str | bytes:
    """The product; somebody who waits for it at a terminal is told how far it has come."""
    watch = watch_of(job)
    if is_watched(job) or not is_looked_on():
        return stages.produce(source, job.settings, product, report, watch, in_parts)
    with Progress(f"compiling {source.name}") as progress:

        def before(name: str, _: ModuleOp) -> None:
            progress.say(name)

        def after(name: str, _: ModuleOp) -> None:
            progress.say(f"{name} is done")

        told = replace(watch, before=before, after=after)
        return stages.produce(source, job.settings, product, report, told, in_parts)


def is_watched(job: Job) -> bool:
    """Whether somebody wants to see the work, not only what comes of it."""
    prints = job.printed_passes or job.printed_before or job.print_changed
    return job.time_passes or bool(prints)


def included_by(job: Job, item: Input) -> list[Header]:
    """The files that a source includes, and nothing else."""
    included: list[Header] = []
    if item.is_c:
        stages.preprocess(
            read_input(item, job.settings),
            job.settings,
            SourceMap(),
            skips_missing=job.dependencies is not None and job.dependencies.generated,
            included=included,
        )
        _tell_headers(job, included)
    return included


def _tell_headers(job: Job, included: Sequence[Header]) -> None:
    """-H: each file once, behind as many dots as files include it one in the other."""
    if job.tells_headers:
        lines = (f"{'.' * header.depth} {header.path}\n" for header in included)
        sys.stderr.write("".join(lines))


def put_rule(job: Job, item: Input, included: Sequence[Header]) -> None:
    """Write the rule for make where it belongs."""
    options = job.dependencies
    assert options is not None
    headers = [header.path for header in included if options.system or not header.is_system]
    stem = os.path.splitext(os.path.basename(item.word))[0]
    is_output = job.product in ("obj", "asm") or (job.links and len(job.sources) == 1)
    is_named = is_output and job.output not in (None, "-") and not options.only
    target = job.output if is_named else f"{stem}.o"
    text = rule(options, target or "", item.word, headers)
    if options.only:
        path = options.file or job.output
    else:
        path = _rule_file(job, item)
    if path in (None, "-"):
        note_unrepeatable("standard output is written")
        sys.stdout.write(text)
    else:
        write_noted(path, text.encode(errors="surrogateescape"))


def _save_temps(job: Job, item: Input, source: Source) -> None:
    """-save-temps: the preprocessed text and the assembly, beside the output (=obj) or here."""
    folder = os.path.dirname(job.output or "") if job.save_temps == "obj" else ""
    stem = os.path.join(folder, os.path.splitext(os.path.basename(item.word))[0])
    text = stages.preprocess(source, job.settings, SourceMap())
    write_whole(f"{stem}.i", text.encode(errors="surrogateescape"))
    text = stages.produce(source, job.settings, "asm", lambda _: None)
    write_whole(f"{stem}.s", text)


def _by_system(job: Job, item: Input, product: str) -> bytes:
    """What the system's assembler, or its preprocessor, makes of a file."""
    if product not in ("obj", "preprocessed"):
        raise CompileError(f"{item.word}: assembly becomes object code only")
    action = "-c" if product == "obj" else "-E"
    return _system_output(job, item, action, [*job.system_words, *job.assembler_words])


def _fall_back(
    job: Job, item: Input, product: str, error: CompileError, reporter: Reporter
) -> bytes:
    """What the system's compiler makes of a file that we cannot read (--fallback=cc)."""
    actions = {"obj": "-c", "asm": "-S", "nothing": "-fsyntax-only"}
    if product not in actions or item.word == "-":
        raise error
    reporter.report(
        Diagnostic(
            "warning",
            f"{error.diagnostic.message}: this file goes to the system's compiler",
            error.diagnostic.span or None,
            id="fallback",
        ),
        error.sources,
    )
    words = list(job.system_words)
    if job.dependencies is not None:
        words += _rule_words(job, item)
    return _system_output(job, item, actions[product], words)


def _rule_file(job: Job, item: Input) -> str:
    """Where the rule goes: several sources of one program have one each."""
    assert job.dependencies is not None
    is_part = job.links and (job.output is None or len(job.sources) > 1)
    output = job.output or ("a.out" if job.links else None)
    return rule_file(job.dependencies, item.word, output, is_part=is_part)


def _rule_words(job: Job, item: Input) -> list[str]:
    options = job.dependencies
    assert options is not None
    path = _rule_file(job, item)
    stem = os.path.splitext(os.path.basename(item.word))[0]
    targets = options.targets or (job.output if not job.links and job.output else f"{stem}.o",)
    words = ["-MD" if options.system else "-MMD", "-MF", path]
    words += [word for target in targets for word in ("-MT", target)]
    return [*words, "-MP"] if options.phony else words


def _system_output(job: Job, item: Input, action: str, words: Sequence[str]) -> bytes:
    import tempfile

    from polyopt.driver.building.system_compiler import system_compile

    note_unrepeatable("the system's compiler has made it")
    with tempfile.TemporaryDirectory(prefix="polyopt-") as folder, removed_by_interrupt(folder):
        made = Path(folder) / "made"
        given = ["-x", item.language, item.word, "-o", str(made)]
        if action == "-fsyntax-only":
            given = given[:-2]
        try:
            system_compile([*words, action, *given], verbose=job.verbose)
        except CompileError as error:
            raise CompileError(f"{item.word}: not compiled: {error.diagnostic.message}") from None
        return made.read_bytes() if made.exists() else b""


def _report_warnings(job: Job, findings: Findings, reporter: Reporter) -> None:
    """Warnings that are errors by name are told as such; -Werror ends the file behind them all."""
    settings, warnings, sources = job.settings, findings.warnings, findings.sources
    for warning in warnings:
        reporter.report(_severe(job, warning), sources)
    if any(w.severity == "error" or w.id in settings.errors for w in warnings):
        raise Failed
    if settings.werror and any(w.id not in settings.not_errors for w in warnings):
        raise CompileError("warnings are treated as errors", hint="-Wno-ID silences one kind")


def _severe(job: Job, warning: Diagnostic) -> Diagnostic:
    """An error, where it is one by name."""
    is_error = warning.id in job.settings.errors
    return replace(warning, severity="error") if is_error else warning


def watch_of(job: Job) -> Watch:
    from polyopt.driver.building.watching import Printing

    printing = Printing(
        job.printed_before, job.printed_passes, job.print_changed, job.printed_functions
    )
    return printing.watch(verify=job.settings.verify_each)
