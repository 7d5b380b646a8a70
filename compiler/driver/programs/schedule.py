"""`polyopt.schedule`: a person, in Python, drives the loops of one function step by step.

    s = polyopt.schedule(source, "gemm")
    s["i", "j"].tile(32, 32)
    s.interchange("j", "l")
    gemm = s.compile().gemm

Each method is a line of the language of scripts (docs/schedules.md), and `script` gives them all
back. A step is checked when it is made: one that breaks a dependence raises a CompileError that
names it, and leaves everything as it was.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from polyopt.driver.options.flags import read_settings
from polyopt.driver.options.settings import Settings
from polyopt.driver.programs.chosen_loops import Loops
from polyopt.driver.programs.loop_names import places_of, shortest_names
from polyopt.driver.programs.program import Program, compile_source, source_of
from polyopt.driver.programs.told_remarks import ToldRemarks
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import lower, parse
from polyopt.support.alone import one_at_a_time
from polyopt.support.diagnostics import CompileError, SourceMap, Span
from polyopt.support.record import record
from polyopt.support.remarks import collect_remarks, how_many

if TYPE_CHECKING:
    from polyopt.poly.transform.names import Names
    from polyopt.report.contents import ScopView
    from polyopt.report.standalone import Picture


def schedule(
    source: str | os.PathLike[str],
    scop: str | None = None,
    options: Sequence[str] | str = ("-O3",),
    script: str = "",
) -> Schedule:
    """The loops of C text, or of the file that is named, to be transformed by hand: those of the
    function `scop` ("f:2" for the second part of it); none needs naming where there is only one.
    They start in the order of the source, or as `--poly=` says. `script` is applied at once."""
    return schedule_source(source_of(source), scop, options, script)


def schedule_source(
    text: Source, scop: str | None, options: Sequence[str] | str, script: str
) -> Schedule:
    settings = read_settings(shlex.split(options) if isinstance(options, str) else options)
    if settings.schedule is not None or settings.script is not None:
        raise CompileError("a script is given as script=, not by --schedule= or --steps=")
    try:
        result = Schedule(text, settings, scop)
    except CompileError as error:
        error.add_note(error.render())
        raise error.with_traceback(None) from None
    if script:
        result.apply(script)
    return result


class Text(str):
    """Text that a prompt shows as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@record
class _State:
    """A line of the script, and what it has made of the SCoP: `driven` (`by_hand.Driven`), after
    all of `edits` to its statements."""

    line: str
    driven: Any
    edits: tuple[Any, ...] = ()


class Schedule:
    """Loops are named as in the source: `s["j"]`; as `s["S1.j"]` where several loops have a name,
    `print(s)` shows which; loops over tiles are `s["j_tile"]`."""

    @one_at_a_time
    def __init__(self, source: Source, settings: Settings, scop: str | None):
        from polyopt.ir.problem import read_problem
        from polyopt.passes.schedule.apply_steps import scop_of
        from polyopt.poly.transform.by_hand import Driven
        from polyopt.poly.transform.script import Word

        self._source, self._sources = source, SourceMap()
        self._settings = replace(settings, march=settings.march or "native")
        given = replace(self._settings, script="", exports=())
        unit = parse(source, given, self._sources)
        self._loops = unit.module.clone()
        lower(unit, "schedule")
        self._unit = unit
        word = None if scop is None else Word(scop, Span("<schedule>", 1))
        self._word = word
        self._op = scop_of(unit.module, word)
        self._problem = read_problem(self._op)
        if not self._problem.is_understood:
            raise CompileError("the dependences of these loops cost too much", self._problem.span)
        self._past = [_State("", Driven(self._problem.scop, self._problem.dependences))]
        self._future = list[_State]()
        self._edits: tuple[Any, ...] = ()
        self._as_given = unit.module
        self._remarks: ToldRemarks | None = None

    # Steps

    @one_at_a_time
    def apply(self, text: str) -> Schedule:
        """Do the lines of a script, all or none; names of loops may be short."""
        done = len(self._past)
        try:
            for line in text.splitlines():
                text = line.partition("#")[0].strip()
                if text.startswith("scop "):
                    self._check_scop(text.split()[1:])
                elif text:
                    self._step(text)
        except CompileError:
            self._go_back(len(self._past) - done)
            self._future.clear()
            raise
        return self

    def interchange(self, first: str, second: str) -> Schedule:
        """Two loops of a perfect nest in each other's place."""
        return self._named("interchange", first, second)

    def permute(self, *loops: str) -> Schedule:
        """The loops of a perfect nest in this order, outermost first."""
        return self._named("permute", *loops)

    def tile(self, *loops_and_sizes: str | int) -> Schedule:
        """Tiles: the loops, then a size for each."""
        return self._named("tile", *loops_and_sizes)

    def hexagons(self, first: str, second: str, *sizes: int, how: str = "") -> Schedule:
        """Hexagonal tiles: the height, then the width; `how`: "full", "dual", or both."""
        return self._named("hexagons", first, second, *sizes, end=how)

    def hyperplanes(self, *loops_and_numbers: str | int, how: str = "") -> Schedule:
        """Stripes: for each family a factor for each loop, then the spacing; `how`: "full"."""
        return self._named("hyperplanes", *loops_and_numbers, end=how)

    def lattice(self, *loops_and_generators: str | int, how: str = "", where: str = "") -> Schedule:
        """One shape, the cell or `where` says, at each sum of the generators; `how`: as above."""
        condition = f"where {where}" if where else ""
        return self._named("lattice", *loops_and_generators, end=f"{how} {condition}".strip())

    def localize(self, loop: str, *arrays: str) -> Schedule:
        """The loop's body works on copies of what it touches: of these arrays, or of all."""
        return self._step(" ".join([f"localize {self._place(loop)}", *arrays]))

    def strip(self, loop: str, size: int) -> Schedule:
        """A loop over strips around the loop."""
        return self._named("strip", loop, size)

    def unroll(self, loop: str, count: int) -> Schedule:
        """Unroll and jam."""
        return self._named("unroll", loop, count)

    def skew(self, loop: str, by: str, factor: int = 1) -> Schedule:
        """The loop counts `factor` times `by` more."""
        return self._named("skew", loop, by, factor)

    def shift(self, loop: str, amount: int) -> Schedule:
        """A statement, by the loop `S1.i` around it, runs so many iterations later."""
        return self._named("shift", loop, amount)

    def reverse(self, loop: str) -> Schedule:
        """The loop runs from its last iteration to its first."""
        return self._named("reverse", loop)

    def scale(self, loop: str, factor: int) -> Schedule:
        """The loop counts in longer steps."""
        return self._named("scale", loop, factor)

    def fuse(self, *places: str) -> Schedule:
        """Loops that follow each other become one."""
        return self._named("fuse", *places)

    def distribute(self, loop: str, *statements: str) -> Schedule:
        """A loop around several statements becomes one around each, or cut before those named."""
        return self._named("distribute", loop, *statements)

    def reorder(self, *places: str) -> Schedule:
        """What follows each other, in this order."""
        return self._named("reorder", *places)

    def peel(self, loop: str, end: str = "first", count: int = 1) -> Schedule:
        """The first or last iterations apart."""
        return self._step(f"peel {self._place(loop)} {end} {count}")

    def split(self, loop: str, where: str) -> Schedule:
        """The iterations where the condition holds, then the others."""
        return self._step(f"split {self._place(loop)} where {where}")

    def vectorize(self, loop: str) -> Schedule:
        """The innermost loop runs in vectors."""
        return self._named("vectorize", loop)

    def parallel(self, loop: str) -> Schedule:
        """The loop runs in threads."""
        return self._named("parallel", loop)

    def undo(self, count: int = 1) -> Schedule:
        """Take back so many steps."""
        if not 0 <= count < len(self._past):
            raise ValueError(f"there are {len(self._past) - 1} steps to take back")
        return self._go_back(count)

    def redo(self, count: int = 1) -> Schedule:
        """Do again what was taken back last."""
        if not 0 <= count <= len(self._future):
            raise ValueError(f"there are {len(self._future)} steps to do again")
        for _ in range(count):
            self._past.append(self._future.pop())
        self._accept()
        return self

    # What there is

    @property
    def script(self) -> Text:
        """The steps that were done, as `polyopt-cc --schedule=` takes them."""
        lines = [f"scop {self._address}", *(state.line for state in self._past[1:])]
        return Text("\n".join(lines) + "\n")

    @one_at_a_time
    def loops(self) -> Text:
        """The loops that run, in the manner of C."""
        from polyopt.passes.codegen.poly_to_affine import loops_of
        from polyopt.poly.loops.loop_text import loop_text

        return Text(loop_text(loops_of(self._problem)))

    @property
    @one_at_a_time
    def names(self) -> tuple[str, ...]:
        """The loops by their shortest names, outermost first."""
        return shortest_names(self._names)

    @property
    @one_at_a_time
    def remarks(self) -> ToldRemarks:
        """What is done with these steps, and what is not, and why: of the whole way to scf. Those
        of the function, and of what is no function's."""
        from polyopt.passes.exchange.exchange_files import function_of

        if self._remarks is None:
            with collect_remarks() as remarks:
                lower(parse(self._source, self._final_settings, SourceMap()))
            own = ("", function_of(self._op))
            told = (one for one in remarks.by_place() if (one.function or "") in own)
            self._remarks = ToldRemarks(told)
        return self._remarks

    @one_at_a_time
    def picture(self) -> Picture:
        """The iterations before and now; a notebook shows it, `picture().save(path)` keeps it."""
        from polyopt.driver.observed.observation import contents_of
        from polyopt.report.standalone import Picture

        contents = contents_of(self._source, self._final_settings, self._loops)
        return Picture(contents, self.view)

    @property
    @one_at_a_time
    def view(self) -> ScopView:
        """What pictures are made of."""
        from polyopt.driver.observed.observation import scop_view
        from polyopt.driver.observed.source_loops import source_loops

        loops = tuple(source_loops(self._loops, self._source.name))
        return scop_view(self._problem, self._source.name, loops, self._sources)

    def compile(self) -> Program:
        """The functions of the source, these loops as they are now."""
        return compile_source(self._source, self._final_settings)

    def __getitem__(self, names: str | tuple[str, ...]) -> Loops[Schedule]:
        names = (names,) if isinstance(names, str) else names
        return Loops(self._step, tuple(self._places(names)))

    def __getattr__(self, name: str) -> Loops[Schedule]:
        if name.startswith("_") or name not in self.names:
            raise AttributeError(f"no loop and no method is called {name!r}")
        return self[name]

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *(name for name in self.names if name.isidentifier())]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    @one_at_a_time
    def __str__(self) -> str:
        from polyopt.poly.transform.outline import outline

        return outline(self._problem.scop, self._tree)

    def __repr__(self) -> str:
        return f"<schedule of {self._address}, {how_many(len(self._past) - 1, 'step')}>\n{self}"

    @one_at_a_time
    def _repr_html_(self) -> str:
        from polyopt.report.standalone import with_style
        from polyopt.report.tree_picture import tree_picture

        view, title = self.view, f"order of {self._address}"
        return with_style(tree_picture(view.rows_after, view.statements, title))

    def __reduce__(self) -> tuple[Any, ...]:
        """By its text, options and script; what was taken back is not taken along."""
        return _again, (self._source, self._settings, self._address, str(self.script))

    # How it is done

    @property
    def _final_settings(self) -> Settings:
        asks = any(word == "parallel" for state in self._past for word in state.line.split())
        threads = 0 if asks and self._settings.parallel is None else self._settings.parallel
        return replace(self._settings, script=str(self.script), parallel=threads)

    @cached_property
    def _address(self) -> str:
        from polyopt.passes.schedule.apply_steps import address_of_scop

        return address_of_scop(self._unit.module, self._op)

    @property
    @one_at_a_time
    def _tree(self) -> Any:
        from polyopt.poly.schedule_tree import read_tree
        from polyopt.poly.transform.places import single_loops

        return single_loops(read_tree(self._problem.scop.schedule))

    @property
    @one_at_a_time
    def _names(self) -> Names:
        from polyopt.poly.transform.names import Names

        return Names.of(self._problem.scop, self._tree)

    def _place(self, name: str) -> str:
        (place,) = self._places([name])
        return place

    def _places(self, names: Sequence[str]) -> list[str]:
        return places_of(self._names, names, self._sources)

    def _named(self, step: str, *words: str | int, end: str = "") -> Schedule:
        names = [word for word in words if isinstance(word, str)]
        known = iter(self._places(names))
        text = [next(known) if isinstance(word, str) else str(word) for word in words]
        return self._step(" ".join([step, *text, end]).rstrip())

    @one_at_a_time
    def _step(self, line: str) -> Schedule:
        """Do one line, which may hold several steps; CompileError leaves all as it was."""
        from polyopt.poly.transform.by_hand import run_section
        from polyopt.poly.transform.script import parse_script
        from polyopt.poly.transform.short_names import with_places

        try:
            long = with_places(self._names, line)
            script = parse_script(long, "<schedule>")
            state = self._past[-1]
            driven, edits = state.driven, state.edits
            for section in script.sections:
                driven = run_section(driven.scop, driven.dependences, section, show=_show)
                edits = (*edits, *driven.edits)
        except CompileError as error:
            error.add_note(error.render(self._sources))
            raise error.with_traceback(None) from None
        self._past.append(_State(long, driven, edits))
        self._future.clear()
        self._accept()
        return self

    def _check_scop(self, words: list[str]) -> None:
        if words not in ([self._address], [self._op.scop_name.data]):
            raise CompileError(f"these are the loops of {self._address}, not of {' '.join(words)}")

    @one_at_a_time
    def _go_back(self, count: int) -> Schedule:
        for _ in range(count):
            self._future.append(self._past.pop())
        self._accept()
        return self

    def _accept(self) -> None:
        """Make the SCoP what the last state says."""
        from polyopt.ir.problem import read_problem

        state = self._past[-1]
        if state.edits != self._edits:
            self._write_edits(state.edits)
        scop, dependences = state.driven.scop, state.driven.dependences
        found = replace(self._problem, op=self._op, scop=scop, dependences=dependences)
        found.accept(scop.schedule)
        self._problem = read_problem(self._op)
        self._remarks = None

    def _write_edits(self, edits: tuple[Any, ...]) -> None:
        """Statements that steps have made or changed, written anew from what was given."""
        from polyopt.passes.schedule.apply_steps import scop_of
        from polyopt.passes.storage.localized import write_localized

        if self._as_given is self._unit.module:
            self._as_given = self._unit.module.clone()
        self._unit.module = self._as_given.clone()
        self._op = scop_of(self._unit.module, self._word)
        for made in edits:
            self._op = write_localized(self._op, made)
        self._edits = edits


def _again(source: Source, settings: Settings, scop: str, script: str) -> Schedule:
    return Schedule(source, settings, scop).apply(script)


def _show(text: str) -> None:
    print(text)
