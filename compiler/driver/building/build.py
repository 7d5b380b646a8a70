"""What a command line asks for: each C file or module to its product, or all to one program.

    product                  made from     goes to
    "nothing"                each C file   nowhere: it is checked
    "preprocessed", a level  each C file   standard output
    "llvm", "optimised-llvm" each C file   NAME.ll, NAME.s, NAME.o (standard output after
    "asm", "obj"                           --emit=)
    "executable"             all inputs    a.out
    "run"                    all inputs    nowhere: it runs, in a child of this process

`-o` names another place for any of them. Errors of one file do not keep the others from being
looked at; they and warnings go to the `Reporter`, remarks and timings to standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from polyopt.driver.building.inputs import Input, check_linkable
from polyopt.driver.building.job import SUFFIXES, Job
from polyopt.driver.building.making import Failed, included_by, make_product, put_rule, read_input
from polyopt.driver.building.reports import Reporter
from polyopt.driver.building.totals import totals
from polyopt.driver.threads.threads_runtime import chosen_runtime
from polyopt.driver.units.room_options import backend_options
from polyopt.pass_runs import check_pass_names
from polyopt.support.diagnostics import CompileError
from polyopt.support.files import write_whole
from polyopt.support.interrupts import removed_by_interrupt
from polyopt.support.noted import note_unrepeatable, write_noted
from polyopt.support.remarks import collect_remarks, overhear_remarks
from polyopt.support.timing import collect_timings

if TYPE_CHECKING:
    from polyopt.driver.observed.nest_times import Times
    from polyopt.driver.units.unit import InParts
    from polyopt.report.contents import Contents
    from polyopt.report.loop_verdict import LoopVerdict


def build(job: Job, reporter: Reporter | None = None) -> int:
    """Do the job; the status is the program's for "run", else 0, or 1 where a file was wrong."""
    reporter = reporter or Reporter()
    check_inputs(job)
    if job.dry:
        show_steps(job)
        return 0
    if job.bisect is not None:
        return _bisect(job, job.bisect, reporter)
    objects: list[str | bytes] = []
    measures = job.product == "run" and job.report is not None and _can_measure(job)
    with collect_remarks(are_read=job.reads_remarks) as remarks, collect_timings() as timings:
        try:
            make = partial(_made_and_timed if measures else _made_and_recorded, job)
            made = _sources_made(job, make, reporter)
            for item in job.inputs:
                if item.is_source:
                    objects += next(made)
                elif job.links:
                    objects.append(item.word)
        finally:
            told = [one for one in remarks.by_place() if one.kind in job.remark_kinds]
            if job.remarks and not job.as_json:
                for remark in told:
                    print(remark, file=sys.stderr)
            if job.tells_totals:
                print(totals(remarks), file=sys.stderr)
            if job.time_passes:
                print(timings.render(), file=sys.stderr)
    if reporter.failed:
        return 1
    shows = job.verdicts or job.report is not None
    found = _show_loops(job) if shows and not measures else []
    if job.as_json:
        from polyopt.report.records import as_json

        print(as_json(told, found), file=sys.stderr)
    if not job.links:
        return 0
    if job.settings.check:
        objects += _checking(job, objects)
    if job.settings.distribute is not None:
        objects += _messaging(job)
    threads = chosen_runtime(job.settings)
    if job.product == "run":
        if threads is not None:
            threads.load()
        return _run_and_show(job, objects) if measures else _run(job, objects)
    if threads is not None:
        objects += threads.link_words(job.link_options)
    _link(job, objects)
    return 0


def _bisect(job: Job, command: str, reporter: Reporter) -> int:
    from polyopt.driver.units.bisect import bisect

    if job.product in ("run", "nothing", "preprocessed"):
        raise CompileError("--bisect= asks a command about what is made: -c, -S, or a program")
    if any(item.is_module for item in job.sources):
        raise CompileError("--bisect= is about C files: a module has passes of its own")

    def make(limit: int) -> int:
        limited = replace(job.settings, pass_limit=limit)
        return build(replace(job, settings=limited, bisect=None), reporter)

    print(bisect(job.settings, command, make))
    return 0


def _sources_made(
    job: Job, make: Callable[[Input, Reporter], list[str | bytes]], reporter: Reporter
) -> Iterator[list[str | bytes]]:
    """What becomes of each source, in their order."""
    if job.jobs > 1:
        from polyopt.driver.building.side_by_side import may_be_side_by_side, sources_side_by_side

        if may_be_side_by_side(job):
            return sources_side_by_side(job, make, reporter)
    return (make(item, reporter) for item in job.sources)


def _made_and_timed(job: Job, item: Input, reporter: Reporter) -> list[str | bytes]:
    """The program is to tell what the loops of the source take."""
    timed = replace(job, settings=replace(job.settings, timed=item.word))
    return _made_and_recorded(timed, item, reporter)


def _made_and_recorded(job: Job, item: Input, reporter: Reporter) -> list[str | bytes]:
    if job.record is None:
        return _made(job, item, reporter)
    from polyopt.report.records import as_yaml

    with overhear_remarks() as remarks:
        made = _made(job, item, reporter)
    write_noted(_record_file(job, item), as_yaml(remarks.by_place()).encode())
    return made


def _record_file(job: Job, item: Input) -> str:
    """As clang calls it: after what is made, or after the source where that is a program."""
    if job.record:
        return job.record
    named = None if job.links or job.output == "-" else job.output
    return str(Path(named or Path(item.word).name).with_suffix(".opt.yaml"))


def _made(job: Job, item: Input, reporter: Reporter) -> list[str | bytes]:
    """What the linker gets of a source; nothing where it is wrong, or where nothing is linked."""
    product = "obj" if job.links else job.product
    try:
        if job.dependencies is not None and job.dependencies.only:
            put_rule(job, item, included_by(job, item))
            return []
        data = make_product(job, item, product, reporter, _in_parts(job))
    except CompileError as error:
        reporter.error(error, "polyopt-cc")
        return []
    except FileNotFoundError as error:
        if error.filename != item.word:
            raise
        reporter.error(CompileError(f"{item.word}: {error.strerror}"), "polyopt-cc")
        return []
    except Failed:
        return []
    if job.links:
        return [data]
    if product != "nothing":
        _put(job, item.word, data)
    return []


def _in_parts(job: Job) -> InParts | None:
    if job.jobs > 1:
        from polyopt.driver.building.parts_side_by_side import may_be_in_parts, object_of_parts

        if may_be_in_parts(job):
            return partial(object_of_parts, jobs=job.jobs)
    return None


def check_inputs(job: Job) -> None:
    """Raise CompileError for inputs and outputs that do not go together."""
    if not job.files and not _only_asks_linker(job):
        raise CompileError("no input files")
    for item in job.inputs:
        if not item.is_file:
            continue
        if not item.is_source:
            check_linkable(item)
        elif item.language == "c-header" and job.product not in ("preprocessed", "nothing"):
            only = job.dependencies is not None and job.dependencies.only
            if not only:
                raise CompileError(f"{item.word}: headers are not compiled by themselves")
        if job.output is not None and _is_same_file(item.word, job.output):
            raise CompileError(f"{item.word}: input file is the same as the output file")
    check_pass_names([*job.settings.skipped_passes, *job.printed_passes, *job.printed_before])
    if job.record and len(job.sources) > 1:
        raise CompileError(
            "-foptimization-record-file= names one file, but there are several to make"
        )
    if job.report is not None:
        _check_shows_loops(job, "--report=")
    elif job.verdicts:
        _check_shows_loops(job, "--remarks=loops")
    backend_options(job.settings)
    linker_words = [item.word for item in job.inputs if not item.is_file and item.word[:2] != "-l"]
    if job.product == "run" and (job.link_options or job.output or linker_words):
        option = next(iter([*job.link_options, *linker_words]), "-o")
        raise CompileError(f"{option}: cannot be used with --run, which does not link")
    if job.links:
        return
    if job.output is not None and len(job.sources) > 1:
        raise CompileError("-o names one file, but there are several to make")
    for item in job.inputs:
        if item.is_file and not item.is_source:
            print(
                f"polyopt-cc: warning: {item.word}: not used, as nothing is linked", file=sys.stderr
            )


def _check_shows_loops(job: Job, flag: str) -> None:
    """Raise CompileError where there would be nothing to show."""
    if job.product in ("nothing", "preprocessed"):
        raise CompileError(f"{flag} shows what becomes of loops, and nothing is compiled")
    if not any(item.is_compiled for item in job.sources):
        raise CompileError(f"{flag} shows what becomes of C files and modules, and there is none")
    if "-" in job.files:
        raise CompileError(f"{flag} reads its files again, which standard input cannot be")


def _can_measure(job: Job) -> bool:
    """Where the source's order runs, too, or other processes, it is not to be told."""
    return not (job.settings.check or job.settings.distribute is not None)


def _run_and_show(job: Job, objects: list[str | bytes]) -> int:
    """The program tells what its static control parts take, and the page shows it."""
    import tempfile

    from polyopt.driver.observed.nest_times import read_times, runtime_object

    with tempfile.TemporaryDirectory(prefix="polyopt-") as folder, removed_by_interrupt(folder):
        results = os.path.join(folder, "times")
        status = _run(job, [*objects, runtime_object(results)])
        _show_loops(job, read_times(results))
    return status


def _show_loops(job: Job, times: Times | None = None) -> list[LoopVerdict]:
    """What became of the loops of all C files and modules: a verdict for each, a page about all."""
    from polyopt.driver.observed.observation import observe
    from polyopt.driver.programs.machine_peaks import machine_peaks
    from polyopt.report.verdicts import verdicts

    settings = job.settings
    machine = machine_peaks() if times else None
    compiled = [item for item in job.sources if item.is_compiled]
    units = [observe(read_input(item, settings), settings, times, machine) for item in compiled]
    found = [one for unit in units for one in verdicts(unit)] if job.verdicts else []
    for line in (line for one in found for line in one.lines() if not job.as_json):
        print(line, file=sys.stderr)
    if job.report is not None:
        _write_page(units, job.report)
    return found


def _write_page(units: Sequence[Contents], path: str) -> None:
    from polyopt.report.page import page

    title = ", ".join(os.path.basename(unit.file) for unit in units)
    data = page(units, title).encode()
    if path == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        write_whole(path, data)


def _only_asks_linker(job: Job) -> bool:
    """Without any file the linker may still be asked for its version."""
    words = [item.word for item in job.inputs]
    return job.product == "executable" and any(w.startswith(("-Wl,", "-Xlinker")) for w in words)


def _is_same_file(first: str, second: str) -> bool:
    return os.path.isfile(first) and os.path.exists(second) and os.path.samefile(first, second)


def _put(job: Job, name: str, data: str | bytes) -> None:
    """Put what was made of the C file where it belongs; bytes that are not UTF-8 come out as they
    came in."""
    content = data.encode(errors="surrogateescape") if isinstance(data, str) else data
    path = _place(job, name)
    if path is None:
        note_unrepeatable("standard output is written")
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    else:
        write_noted(path, content)


def _place(job: Job, name: str) -> str | None:
    """The file that a product goes to, None for standard output."""
    if job.output is not None:
        return None if job.output == "-" else job.output
    if job.to_files and job.product in SUFFIXES and name != "-":
        return Path(name).with_suffix(SUFFIXES[job.product]).name
    return None


def show_steps(job: Job) -> None:
    """-###: what would be done, and nothing is."""
    product = "obj" if job.links else job.product
    for item in job.sources:
        by = "polyopt" if item.is_compiled else "the system's compiler"
        print(f"{item.word}: {product} by {by}", file=sys.stderr)
    if job.product == "executable":
        from polyopt.driver.building.link import find_linker

        words = [f"{item.word}.o" if item.is_source else item.word for item in job.inputs]
        command = [*find_linker(), *_linker_options(job), *words, "-o", job.output or "a.out"]
        print(" ".join(f'"{word}"' for word in command), file=sys.stderr)


def _checking(job: Job, inputs: Sequence[str | bytes]) -> list[str | bytes]:
    """What else is linked into a program that checks itself."""
    from polyopt.driver.runtimes.check_runtime import compares_anything, runtime_object

    if not compares_anything([item for item in inputs if isinstance(item, bytes)]):
        print("polyopt-cc: --check: no optimised loop here can be compared", file=sys.stderr)
    return [_runtime(job, runtime_object), "-lm"]


def _messaging(job: Job) -> list[str | bytes]:
    """What else is linked into a program that several processes run."""
    from polyopt.driver.runtimes.mpi_runtime import link_words, loaded_object, runtime_object

    if job.product == "run":
        raise CompileError(
            "--run is one process, and --distribute= is about several",
            hint="-o prog makes a program, and mpiexec -n 4 ./prog runs it",
        )
    return [*(_runtime(job, one) for one in (runtime_object, loaded_object)), *link_words()]


def _runtime(job: Job, made: Callable[..., bytes]) -> bytes:
    """The run-time part that `made` gives, in the form that the job links."""
    is_shared = "-shared" in job.link_options
    return made(for_program=not is_shared, pic=job.settings.pic, folder=job.cache)


def _linker_options(job: Job) -> list[str]:
    """What the linker is given in front of all files. Asked for fast arithmetic, the system's
    compiler links its start-up file by which numbers too small to be normal are zeros."""
    sysroot = job.settings.sysroot
    return [
        *(["-ffast-math"] if job.flushes_denormals else []),
        *([f"--sysroot={sysroot}"] if sysroot else []),
        *job.link_options,
    ]


def _link(job: Job, inputs: Sequence[str | bytes]) -> None:
    """Link object code and the files and words between into an executable or a library."""
    import tempfile

    from polyopt.driver.building.link import link

    with tempfile.TemporaryDirectory(prefix="polyopt-") as folder, removed_by_interrupt(folder):
        words: list[str] = []
        for number, item in enumerate(inputs):
            if isinstance(item, bytes):
                path = Path(folder) / f"{number}.o"
                path.write_bytes(item)
                words.append(str(path))
            else:
                words.append(item)
        link(words, job.output or "a.out", _linker_options(job), job.verbose)


def _run(job: Job, inputs: Sequence[str | bytes]) -> int:
    """Run the program in a child of this process; the status is what a shell would show."""
    from polyopt.backend.loaded.run import run_main

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
    argv = (job.files[0], *job.arguments)
    ending = run_main(objects, argv, libraries, flush_denormals=job.flushes_denormals)
    message = ending.message()
    if message is not None:
        print(f"polyopt-cc: {message}", file=sys.stderr)
    return ending.shell_status
