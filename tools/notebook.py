"""`%%polyopt` for IPython and Jupyter: a cell of C, whose functions are then functions of Python.

    %load_ext polyopt

    %%polyopt -O3 -ffast-math --time="scale(1000, x)"
    void scale(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }

The words behind the name are options of `polyopt-cc`, and these of its own:

    --name=NAME      the program itself is called NAME, too (`_polyopt` in any case)
    --time           say how long compiling took, and on what
    --time=CALL      and how long the call takes, an expression of Python
    --tune=CALL      look for the loops that make the call take the least time, and take these
    --budget=TIME    how long to look for them: 20s (default), 2m, or a number of programs
    --report         show the page about the loops beneath
    --quiet          show nothing beneath

Nothing takes the place of what Python itself has: a C function `print` or `lambda` is
`_polyopt["print"]`, and a line beneath says so.
"""

from __future__ import annotations

import builtins
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from keyword import iskeyword
from typing import Any

from polyopt.driver.options.flags import Settings, read_settings
from polyopt.driver.programs.program import Program, compile_source
from polyopt.driver.units.source import Source
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.timing import collect_timings

PROGRAM = "_polyopt"
"""The name of the last program."""

TIMED_SECONDS = 0.5
"""How long a call is repeated to be measured."""

TRIAL_SECONDS = 0.05
"""The same, where many programs are."""


TUNE_BUDGET = "20s"
"""How long loops are looked for where nobody says."""


@record
class CellOptions:
    """What a cell asks for; `calls` are to be measured, the loops chosen for `tuned`; `options` are
    the compiler's."""

    options: tuple[str, ...] = ("-O3",)
    names: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    tuned: str | None = None
    budget: str = TUNE_BUDGET
    says_time: bool = False
    shows_report: bool = False
    is_quiet: bool = False


@record
class Outcome:
    """What a cell makes: names for the namespace, and what is shown beneath it; `failed` is what a
    call that was to be measured raised: the functions are there all the same."""

    program: Program
    names: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: tuple[str, ...] = ()
    failed: CompileError | None = None


def read_line(line: str) -> CellOptions:
    """The words behind `%%polyopt`."""
    options, names, calls, alone = list[str](), list[str](), list[str](), set[str]()
    tuned, budget = None, TUNE_BUDGET
    for word in shlex.split(line):
        if word in ("--time", "--report", "--quiet"):
            alone.add(word)
        elif word.startswith("--time="):
            calls.append(word.removeprefix("--time="))
        elif word.startswith("--tune="):
            tuned = word.removeprefix("--tune=")
        elif word.startswith("--budget="):
            budget = word.removeprefix("--budget=")
        elif word.startswith("--name="):
            name = word.removeprefix("--name=")
            if not name.isidentifier() or iskeyword(name):
                raise CompileError(f"'{name}' is no name of Python")
            names.append(name)
        else:
            options.append(word)
    has_level = any(word.startswith("-O") for word in options)
    return CellOptions(
        tuple(options if has_level else ["-O3", *options]),
        tuple(names),
        tuple(calls),
        tuned,
        budget,
        "--time" in alone,
        "--report" in alone,
        "--quiet" in alone,
    )


def run_cell(options: CellOptions, cell: str, namespace: Mapping[str, Any]) -> Outcome:
    """Compile the cell; `namespace` is what calls that are measured may use."""
    with collect_timings() as timings:
        source, settings = Source("<cell>", cell), read_settings(options.options)
        if options.tuned is None:
            program, lines = compile_source(source, settings), list[str]()
        else:
            program, lines = _tuned(source, settings, options.tuned, options.budget, namespace)
    functions = {name: program[name] for name in program if name != "main"}
    kept = [name for name in functions if iskeyword(name) or hasattr(builtins, name)]
    names = {name: functions[name] for name in functions if name not in kept}
    names |= {PROGRAM: program, **dict.fromkeys(options.names, program)}
    lines += [f"{name} stays Python's own: the C function is {PROGRAM}[{name!r}]" for name in kept]
    if options.says_time:
        lines.append(timings.render())
    failed = None
    for call in options.calls:
        try:
            seconds, rounds = _measured(call, {**namespace, **names, **functions})
        except CompileError as error:
            failed = failed or error
        else:
            lines.append(f"{call}: {_in_words(seconds)} (best of {rounds})")
    return Outcome(program, names, tuple(lines), failed)


def _tuned(
    source: Source, settings: Settings, call: str, budget: str, namespace: Mapping[str, Any]
) -> tuple[Program, list[str]]:
    """The program with the best loops for the call, and what to say of them."""
    from polyopt.support.progress import Progress
    from polyopt.tools.tune.budget import read_budget
    from polyopt.tools.tune.in_process import tune

    def run(program: Program) -> float:
        functions = {name: program[name] for name in program}
        return _measured(call, {**namespace, **functions}, TRIAL_SECONDS, "--tune")[0]

    with Progress(f"tuning {call}") as progress:
        tuned = tune(source, settings, run, read_budget(budget), progress.say)
    count = f"{tuned.measured} program{'s' * (tuned.measured != 1)} measured"
    if not tuned.script and tuned.gain == 1.0:
        return tuned.program, [f"{call}: nothing beats --poly={tuned.base} ({count})"]
    head = f"{call}: {tuned.gain:.2f} times as fast by --poly={tuned.base} and steps ({count})"
    return tuned.program, [head, *(f"    {line}" for line in tuned.script.splitlines())]


def _measured(
    call: str, names: dict[str, Any], least: float = TIMED_SECONDS, word: str = "--time"
) -> tuple[float, int]:
    """The least time that the expression takes, after a first one, and of how many. CompileError
    for what is no expression, and where it raises."""
    from time import perf_counter

    try:
        code = compile(call, f"<{word}>", "eval")
    except SyntaxError as error:
        raise CompileError(f"{word}={call}: not an expression of Python: {error.msg}") from None
    try:
        eval(code, names)
    except Exception as error:
        raise CompileError(f"{word}={call}: {type(error).__name__}: {error}") from None
    times = list[float]()
    began = perf_counter()
    while not times or perf_counter() - began < least:
        start = perf_counter()
        eval(code, names)
        times.append(perf_counter() - start)
    return min(times), len(times)


def _in_words(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


class Beneath:
    """What is shown beneath a cell, in a notebook or on a terminal."""

    def __init__(self, outcome: Outcome, *, with_report: bool = False):
        self._outcome = outcome
        self._with_report = with_report

    def __repr__(self) -> str:
        return "\n".join([*self._outcome.lines, *map(str, self._outcome.program.remarks)])

    def _repr_html_(self) -> str:
        from polyopt.report.markup import element, join
        from polyopt.report.program_table import program_table
        from polyopt.report.standalone import REPORT, framed

        program = self._outcome.program
        return join(
            [element("pre", line) for line in self._outcome.lines],
            program_table([str(program[name]) for name in program], program.remarks),
            framed(program.report(), REPORT) if self._with_report else None,
        )


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext polyopt` calls."""

    def polyopt(line: str, cell: str) -> None:
        display: Any = import_module("IPython.display").display
        run_magic(line, cell, shell.user_ns, shell.push, lambda shown: display(shown))

    polyopt.__doc__ = __doc__
    shell.register_magic_function(polyopt, "cell", "polyopt")


def run_magic(
    line: str,
    cell: str,
    namespace: Mapping[str, Any],
    push: Callable[[dict[str, Any]], None],
    show: Callable[[object], None],
) -> None:
    """Do the cell: names go to `push`, what is beneath to `show`. A mistake is a CompileError
    that is told as compilers do, without a traceback."""
    try:
        options = read_line(line)
        outcome = run_cell(options, cell, namespace)
    except CompileError as error:
        raise _told(error) from None
    push(dict(outcome.names))
    if not options.is_quiet:
        show(Beneath(outcome, with_report=options.shows_report))
    if outcome.failed is not None:
        raise _told(outcome.failed)


def _told(error: CompileError) -> CompileError:
    """The same error as notebooks are to show it."""
    lines: Sequence[str] = error.render().splitlines()
    setattr(error, "_render_traceback_", lambda: list(lines))
    return error
