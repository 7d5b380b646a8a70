"""`polyopt.compile`: C functions as functions of Python, compiled and loaded in this process."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, SupportsIndex

from polyopt.backend.called.bind import CFunction, Library, bind
from polyopt.backend.called.globals import Globals
from polyopt.backend.loaded.jit import load_objects
from polyopt.driver.cache.folder import chosen_store
from polyopt.driver.options.flags import read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.programs.python_calls import quick_calls
from polyopt.driver.programs.told_remarks import ToldRemarks
from polyopt.driver.runtimes.check_runtime import CheckFailed as CheckFailed
from polyopt.driver.runtimes.check_runtime import Examiner, runtime_object
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.findings import Findings, together
from polyopt.driver.units.products import Made, Products
from polyopt.driver.units.source import PRODUCTS, Source, read_source
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.files import write_whole
from polyopt.support.noted import collect_noted
from polyopt.support.remarks import Remark, Remarks, collect_remarks

if TYPE_CHECKING:
    from polyopt.driver.programs.parts import Parts

TEXTS = tuple(product for product in PRODUCTS if product not in ("nothing", "obj"))


class Program(Library):
    """The C functions as attributes (as items where a name is taken, `program["ir"]`); variables in
    `globals`.

    `remarks` says what was done to each loop nest; `ir(level)` shows the program on its way.
    """

    def __init__(
        self,
        functions: Mapping[str, CFunction],
        remarks: Sequence[Remark],
        source: Source,
        settings: Settings,
        variables: Globals | None = None,
    ):
        super().__init__(functions, variables)
        self.remarks = ToldRemarks(remarks)
        self._source = source
        self._settings = settings
        for name, function in functions.items():
            function.recipe = (_function_again, (source, settings, name))

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """The text and the options are what is pickled: machine code stays where it is."""
        return _again, (self._source, self._settings)

    def parts(self, communicator: Any) -> Parts:
        """Who owns which elements of arrays, of a program compiled with `--distribute=…,owned`
        (`polyopt.driver.programs.parts`). Raises ValueError for other programs."""
        from polyopt.driver.programs.parts import Parts

        chosen = self._settings.distribute
        if chosen is None or not chosen.owned:
            raise ValueError(
                "each process has arrays whole: it was compiled without --distribute=…,owned"
            )
        return Parts(communicator, chosen)

    def ir(self, level: str) -> str:
        """The program's text at one of `TEXTS`: any level of the pipeline, LLVM's, assembly."""
        if level not in TEXTS:
            raise ValueError(f"unknown level '{level}': expected one of {', '.join(TEXTS)}")
        from polyopt.driver.units.unit import produce

        text = produce(self._source, self._settings, level, lambda _: None)
        assert isinstance(text, str)
        return text

    def stubs(self) -> str:
        """The functions as a `.pyi` file declares them."""
        from polyopt.backend.called.stub_file import stub_file

        return stub_file({name: self[name].stub() for name in self})

    def _repr_html_(self) -> str:
        from polyopt.report.program_table import program_table

        return program_table([str(self[name]) for name in self], self.remarks)

    def report(self) -> str:
        """A page about what became of each loop, as HTML (docs/report.md); notebooks show it."""
        from polyopt.driver.observed.observation import observe
        from polyopt.report.page import page
        from polyopt.report.standalone import Page

        found = observe(self._source, self._settings)
        return Page(page([found], os.path.basename(self._source.name)))


def compile(
    source: str | os.PathLike[str],
    options: Sequence[str] | str = ("-O3",),
    *,
    check: bool = False,
    cache: str | None = None,
) -> Program:
    """Compile C text, or the file that is named, with the options of `polyopt-cc`.

    A string that holds a line break, a brace or a semicolon is C text; any other is a file's name.
    The code is made for this machine unless `-march=` says otherwise. Raises CompileError.

    `check` is the option `--check`: each call also runs the optimised loop nests in the source's
    order, and raises CheckFailed where the results differ (docs/checking.md).

    What was compiled before is found again, in this process or another (docs/cache.md): in the
    folder `cache`, "off" for nowhere, the user's own where nothing is said.
    """
    settings = read_settings(_words(options) if isinstance(options, str) else options)
    if check:
        settings = replace(settings, check=True)
    return compile_source(source_of(source), settings, cache)


def _words(options: str) -> list[str]:
    """As a shell reads them."""
    from shlex import split

    return split(options)


def stubs(program: Program, path: str | os.PathLike[str] | None = None) -> str:
    """The program's functions as a stub declares them, for editors and type checkers; written to
    the file if one is named."""
    text = program.stubs()
    if path is not None:
        write_whole(os.fspath(path), text)
    return text


def source_of(source: str | os.PathLike[str]) -> Source:
    """C text, or that of the file which is named."""
    if isinstance(source, str) and (not source.strip() or any(sign in source for sign in "\n{;")):
        return Source("<string>", source)
    try:
        return read_source(os.fspath(source))
    except FileNotFoundError as error:
        if isinstance(source, str) and any(sign in source for sign in " ()"):
            told = "no such file, and no C text either: that has a ';', a '{' or several lines"
            raise FileNotFoundError(error.errno, told, source) from None
        raise


def compile_source(text: Source, settings: Settings, cache: str | None = None) -> Program:
    """The program, for this machine unless the settings name another."""
    if settings.march is None:
        settings = replace(settings, march="native")
    sources = SourceMap()
    try:
        return _compile(text, settings, sources, cache)
    except CompileError as error:
        error.add_note(error.render())
        raise error.with_traceback(None)


@lru_cache(64)
def _again(source: Source, settings: Settings) -> Program:
    """The program that was pickled somewhere: once in this process, however often it comes."""
    return compile_source(source, settings)


def _function_again(source: Source, settings: Settings, name: str) -> CFunction:
    return _again(source, settings)[name]


def _compile(source: Source, settings: Settings, sources: SourceMap, cache: str | None) -> Program:
    if settings.skipped_passes:
        from polyopt.pass_runs import check_pass_names

        check_pass_names(settings.skipped_passes)
    made = _found_or_made(source, settings, sources, cache)
    assert isinstance(made.product, bytes)
    objects = [made.product]
    if settings.check:
        objects.append(runtime_object(for_program=False, folder=cache))
    if settings.distribute is not None:
        from polyopt.driver.runtimes.hosted_messages import hosted_objects

        objects += hosted_objects(cache)
    threads = chosen_runtime(settings)
    if threads is not None:
        threads.load()
    code = load_objects(objects)
    examine = Examiner(code, sources).examine if settings.check else None
    library = bind(made.signatures, code, examine, quick_calls(cache))
    functions = {name: library[name] for name in library}
    if settings.distribute is not None:
        from polyopt.driver.runtimes.hosted_messages import share

        functions = share(functions, code, settings.distribute)
    variables = Globals(made.variables, code)
    return Program(functions, made.remarks.by_place(), source, settings, variables)


def _found_or_made(
    source: Source, settings: Settings, sources: SourceMap, cache: str | None
) -> Made:
    """The object code and what was said of it, from before or made now. What checks itself quotes
    the text while it runs."""
    store = None if settings.check else chosen_store(cache)
    products = None if store is None else Products(store)
    question = None if products is None else products.question(source, settings, "program")
    if products is None or question is None:
        with collect_remarks() as remarks:
            return _made(source, settings, sources, remarks)
    found = products.find(question)
    if found is not None:
        _warn(found.findings, settings, 6)
        return found
    with collect_noted() as noted, collect_remarks() as remarks:
        made = _made(source, settings, sources, remarks)
        products.keep(question, made, noted)
    return made


def _made(source: Source, settings: Settings, sources: SourceMap, remarks: Remarks) -> Made:
    from polyopt.backend.called.signature_reader import read_signatures, read_variables
    from polyopt.driver.units.unit import lower, object_code, parse
    from polyopt.pass_runs import Watch

    unit = parse(source, settings, sources)
    _warn(unit.findings, settings, 7)
    late = lower(unit, watch=Watch(verify=settings.verify_each))
    _warn(late, settings, 7)
    signatures, variables = read_signatures(unit.module), read_variables(unit.module)
    findings = together([unit.findings, late])
    return Made(object_code(unit), findings, remarks, signatures, variables)


def _warn(findings: Findings, settings: Settings, depth: int) -> None:
    """Warn whoever has called `compile`, so many calls above."""
    for item in findings.warnings:
        if settings.werror:
            raise CompileError(item.message, item.span, f"-Wno-{item.id} silences it")
        warnings.warn(item.render(findings.sources), stacklevel=depth)
