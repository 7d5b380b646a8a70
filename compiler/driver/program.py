"""`polyopt.compile`: C functions as functions of Python, compiled and loaded in this process."""

from __future__ import annotations

import os
import shlex
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

from polyopt.backend.bind import CFunction, Library, bind
from polyopt.backend.jit import load_objects
from polyopt.driver.check_runtime import CheckFailed as CheckFailed
from polyopt.driver.check_runtime import Examiner, runtime_object
from polyopt.driver.flags import Settings, read_settings
from polyopt.driver.threads_runtime import chosen_runtime
from polyopt.driver.unit import PRODUCTS, Source, lower, object_code, parse, produce, read_source
from polyopt.pipeline import Watch, check_pass_names
from polyopt.support.diagnostics import CompileError, SourceMap
from polyopt.support.files import write_whole
from polyopt.support.remarks import Remark, collect_remarks

TEXTS = tuple(product for product in PRODUCTS if product not in ("nothing", "obj"))


class Program(Library):
    """The C functions as attributes (as items where a name is taken, `program["ir"]`).

    `remarks` says what was done to each loop nest; `ir(level)` shows the program on its way.
    """

    def __init__(
        self,
        functions: Mapping[str, CFunction],
        remarks: Sequence[Remark],
        source: Source,
        settings: Settings,
    ):
        super().__init__(functions)
        self.remarks = tuple(remarks)
        self._source = source
        self._settings = settings

    def ir(self, level: str) -> str:
        """The program's text at one of `TEXTS`: any level of the pipeline, LLVM's, assembly."""
        if level not in TEXTS:
            raise ValueError(f"unknown level '{level}': expected one of {', '.join(TEXTS)}")
        text = produce(self._source, self._settings, level, lambda _: None)
        assert isinstance(text, str)
        return text

    def stubs(self) -> str:
        """The functions as a `.pyi` file declares them."""
        from polyopt.backend.annotations import STUB_HEAD

        return "\n".join([STUB_HEAD, *(self[name].stub() for name in self)])

    def _repr_html_(self) -> str:
        from polyopt.report.program_table import program_table

        return program_table([str(self[name]) for name in self], self.remarks)

    def report(self) -> str:
        """A page about what became of each loop, as HTML (docs/report.md)."""
        from polyopt.driver.observation import observe
        from polyopt.report.page import page

        return page([observe(self._source, self._settings)], os.path.basename(self._source.name))


def compile(
    source: str | os.PathLike[str],
    options: Sequence[str] | str = ("-O3",),
    *,
    check: bool = False,
) -> Program:
    """Compile C text, or the file that is named, with the options of `polyopt-cc`.

    A string that holds a line break, a brace or a semicolon is C text; any other is a file's name.
    The code is made for this machine unless `-march=` says otherwise. Raises CompileError.

    `check` is the option `--check`: each call also runs the optimised loop nests in the source's
    order, and raises CheckFailed where the results differ (docs/checking.md).
    """
    settings = read_settings(shlex.split(options) if isinstance(options, str) else options)
    if check:
        settings = replace(settings, check=True)
    return compile_source(source_of(source), settings)


def stubs(program: Program, path: str | os.PathLike[str] | None = None) -> str:
    """The program's functions as a stub declares them, for editors and type checkers; written to
    the file if one is named."""
    text = program.stubs()
    if path is not None:
        write_whole(os.fspath(path), text)
    return text


def source_of(source: str | os.PathLike[str]) -> Source:
    """C text, or that of the file which is named."""
    if isinstance(source, str) and any(sign in source for sign in "\n{;"):
        return Source("<string>", source)
    return read_source(os.fspath(source))


def compile_source(text: Source, settings: Settings) -> Program:
    """The program, for this machine unless the settings name another."""
    if settings.march is None:
        settings = replace(settings, march="native")
    sources = SourceMap()
    try:
        return _compile(text, settings, sources)
    except CompileError as error:
        error.add_note(error.render())
        raise error.with_traceback(None)


def _compile(source: Source, settings: Settings, sources: SourceMap) -> Program:
    check_pass_names(settings.skipped_passes)
    with collect_remarks() as remarks:
        unit = parse(source, settings, sources)
        for item in unit.warnings:
            if settings.werror:
                raise CompileError(item.message, item.span, f"-Wno-{item.id} silences it")
            warnings.warn(item.render(sources), stacklevel=5)
        lower(unit, watch=Watch(verify=settings.verify_each))
        objects = [object_code(unit)]
        if settings.check:
            objects.append(runtime_object(for_program=False))
        if settings.distribute is not None:
            from polyopt.driver.hosted_messages import hosted_objects

            objects += hosted_objects()
        threads = chosen_runtime(settings)
        if threads is not None:
            threads.load()
        code = load_objects(objects)
    examine = Examiner(code, sources).examine if settings.check else None
    library = bind(unit.module, code, examine)
    functions = {name: library[name] for name in library}
    if settings.distribute is not None:
        from polyopt.driver.hosted_messages import share

        functions = share(functions, code, settings.distribute)
    return Program(functions, remarks.by_place(), source, settings)
