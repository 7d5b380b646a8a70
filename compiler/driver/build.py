"""What a command line asks for: each C file to its product, or all together to one program.

    product                  made from     goes to
    "preprocessed", a level  each C file   standard output
    "llvm", "optimised-llvm" each C file   NAME.ll, NAME.s, NAME.o (standard output after
    "asm", "obj"                           --emit=)
    "executable"             all inputs    a.out
    "run"                    all inputs    nowhere: it runs, in a child of this process

`-o` names another place for any of them. Errors are exceptions; warnings, remarks and timings
are printed on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from polyopt.driver import unit as stages
from polyopt.driver.flags import Settings
from polyopt.driver.threads_runtime import chosen_runtime
from polyopt.driver.unit import PRODUCTS, Unit
from polyopt.pipeline import Watch, check_pass_names
from polyopt.support.diagnostics import CompileError
from polyopt.support.files import removed_by_interrupt, write_whole
from polyopt.support.record import record
from polyopt.support.remarks import collect_remarks
from polyopt.support.timing import collect_timings

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

SUFFIXES = {"llvm": ".ll", "optimised-llvm": ".ll", "asm": ".s", "obj": ".o"}
C_SUFFIXES = (".c",)
LINKABLE = (".o", ".a", ".so")


@record
class Job:
    """`inputs` are files and -l…, -Wl,… words, in order; `arguments` are the program's. With
    `to_files` a product that has a suffix goes to a file named after its source."""

    inputs: tuple[str, ...] = ()
    product: str = "executable"
    output: str | None = None
    to_files: bool = True
    link_options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    remarks: bool = False
    time_passes: bool = False
    printed_passes: tuple[str, ...] = ()
    verbose: bool = False
    settings: Settings = field(default_factory=Settings)

    @property
    def files(self) -> list[str]:
        return [name for name in self.inputs if name == "-" or not name.startswith("-")]

    @property
    def sources(self) -> list[str]:
        return [name for name in self.inputs if is_source(name)]


def is_source(name: str) -> bool:
    return name == "-" or name.endswith(C_SUFFIXES)


def build(job: Job) -> int:
    """Do the job; the status is the program's for "run", else 0."""
    check_inputs(job)
    with collect_remarks() as remarks, collect_timings() as timings:
        try:
            if job.product in PRODUCTS:
                for name in job.sources:
                    _put(job, name, make_product(job, name, job.product))
                return 0
            objects = [
                make_product(job, name, "obj") if is_source(name) else name for name in job.inputs
            ]
        finally:
            if job.remarks:
                for item in remarks.by_place():
                    print(item, file=sys.stderr)
            if job.time_passes:
                print(timings.render(), file=sys.stderr)
    if job.settings.check:
        objects += _checking(job, objects)
    threads = chosen_runtime(job.settings)
    if job.product == "run":
        if threads is not None:
            threads.load()
        return _run(job, objects)
    if threads is not None:
        objects += threads.link_words(job.link_options)
    _link(job, objects)
    return 0


def check_inputs(job: Job) -> None:
    """Raise CompileError for inputs and outputs that do not go together."""
    if not job.files:
        raise CompileError("no input files")
    for name in job.files:
        if not is_source(name) and not name.endswith(LINKABLE):
            raise CompileError(
                f"{name}: not a kind of file that polyopt-cc knows",
                hint=f"C files end in .c, files to link in {', '.join(LINKABLE)}",
            )
        if job.output is not None and _is_same_file(name, job.output):
            raise CompileError(f"{name}: input file is the same as the output file")
    check_pass_names([*job.settings.skipped_passes, *job.printed_passes])
    stages.backend_options(job.settings)
    if job.product == "run" and (job.link_options or job.output):
        option = job.link_options[0] if job.link_options else "-o"
        raise CompileError(f"{option}: cannot be used with --run, which does not link")
    if job.product not in PRODUCTS:
        return
    if job.output is not None and len(job.sources) > 1:
        raise CompileError("-o names one file, but there are several to make")
    for name in job.files:
        if not is_source(name):
            print(f"polyopt-cc: warning: {name}: not used, as nothing is linked", file=sys.stderr)


def _is_same_file(first: str, second: str) -> bool:
    return os.path.isfile(first) and os.path.exists(second) and os.path.samefile(first, second)


def _put(job: Job, name: str, data: str | bytes) -> None:
    """Put what was made of the C file where it belongs; bytes that are not UTF-8 come out as they
    came in."""
    content = data.encode(errors="surrogateescape") if isinstance(data, str) else data
    if job.output not in (None, "-"):
        write_whole(job.output, content)
    elif job.to_files and job.product in SUFFIXES and job.output is None and name != "-":
        write_whole(Path(name).with_suffix(SUFFIXES[job.product]).name, content)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)


def make_product(job: Job, name: str, product: str) -> str | bytes:
    """What one C file becomes."""
    source = stages.read_source(name)
    return stages.produce(source, job.settings, product, _report_warnings, watch_of(job))


def _checking(job: Job, inputs: Sequence[str | bytes]) -> list[str | bytes]:
    """What else is linked into a program that checks itself."""
    from polyopt.driver.check_runtime import compares_anything, runtime_object

    if not compares_anything([item for item in inputs if isinstance(item, bytes)]):
        print("polyopt-cc: --check: no loop of these files is optimised", file=sys.stderr)
    is_shared = "-shared" in job.link_options
    return [runtime_object(for_program=not is_shared, pic=job.settings.pic), "-lm"]


def _report_warnings(unit: Unit) -> None:
    for warning in unit.warnings:
        print(warning.render(unit.sources), file=sys.stderr)
    if unit.warnings and unit.settings.werror:
        raise CompileError("warnings are treated as errors", hint="-Wno-ID silences one kind")


def watch_of(job: Job) -> Watch:
    def show(name: str, module: ModuleOp) -> None:
        if name in job.printed_passes or "all" in job.printed_passes:
            print(f"// IR after {name}\n{stages.module_text(module)}", file=sys.stderr)

    return Watch(verify=job.settings.verify_each, after=show if job.printed_passes else None)


def _link(job: Job, inputs: Sequence[str | bytes]) -> None:
    """Link object code and the files and words between into an executable or a library."""
    import tempfile

    from polyopt.driver.link import link

    with tempfile.TemporaryDirectory(prefix="polyopt-") as folder, removed_by_interrupt(folder):
        words: list[str] = []
        for number, item in enumerate(inputs):
            if isinstance(item, bytes):
                path = Path(folder) / f"{number}.o"
                path.write_bytes(item)
                words.append(str(path))
            else:
                words.append(item)
        link(words, job.output or "a.out", job.link_options, job.verbose)


def _run(job: Job, inputs: Sequence[str | bytes]) -> int:
    """Run the program in a child of this process; the status is what a shell would show."""
    from polyopt.backend.run import run_main

    objects: list[bytes] = []
    libraries: list[str] = []
    for item in inputs:
        if isinstance(item, bytes):
            objects.append(item)
        elif item.startswith("-l"):
            libraries.append(item.removeprefix("-l"))
        elif item.endswith(".o"):
            objects.append(Path(item).read_bytes())
        else:
            raise CompileError(
                f"{item}: cannot be used with --run",
                hint="without a linker, only C files, object files and -l libraries can",
            )
    ending = run_main(objects, (job.files[0], *job.arguments), libraries)
    message = ending.message()
    if message is not None:
        print(f"polyopt-cc: {message}", file=sys.stderr)
    return ending.shell_status
