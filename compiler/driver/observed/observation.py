"""A compilation as somebody would like to see it: what there is to show (`polyopt.report`).

The unit is compiled once more, for its own sake: with line numbers, so that instructions find their
line, and with an eye on the static control parts when their schedules are final. What is computed
for pictures has an account of its own, so that the code is the same as without.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from polyopt.driver.observed.advice import gains_of_order, gains_of_sums
from polyopt.driver.observed.arrays import own_variables, source_names
from polyopt.driver.observed.assembly_lines import functions_of
from polyopt.driver.observed.examples import examples_of, is_held
from polyopt.driver.observed.source_loops import source_loops
from polyopt.driver.options.settings import Settings
from polyopt.driver.units.room_options import pipeline_options
from polyopt.driver.units.source import Source
from polyopt.driver.units.unit import Unit, assembly, lower, parse
from polyopt.pass_runs import Watch
from polyopt.pipeline import steps_between
from polyopt.report.advice import parts_held_by_order
from polyopt.report.contents import (
    CodeLine,
    Contents,
    Examples,
    Machine,
    ScopView,
    Shown,
    SourceLoop,
    Statement,
)
from polyopt.report.verdicts import advised_sums
from polyopt.support.alone import one_at_a_time
from polyopt.support.diagnostics import SourceMap, Span
from polyopt.support.effort import effort
from polyopt.support.noted import lines_of
from polyopt.support.remarks import Remark, collect_remarks

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from polyopt.driver.observed.nest_measures import Countable
    from polyopt.driver.observed.nest_times import Times
    from polyopt.ir.problem import Problem
    from polyopt.poly.dependences import Dependences
    from polyopt.poly.loops.loop_tree import Node

OPERATIONS = 4_000_000
"""For the pictures of one static control part."""

JUDGED = ("pays", "does-not-pay")
"""The remarks of the judge."""

BOTH_WAYS = ("poly-tile-written", "poly-keep-small")
"""The passes that make two of one SCoP: what is shown is the one before."""


@one_at_a_time
def observe(
    source: Source,
    settings: Settings,
    times: Times | None = None,
    machine: Machine | None = None,
    *,
    code: bool = True,
) -> Contents:
    """What there is to show of the source; CompileError for what is wrong with it. `times`: what
    its static control parts took in a run, on this machine. Without `code` LLVM is not asked: the
    instructions are missing, and what it would say of the loops."""
    settings = replace(settings, debug=True, exports=())
    sources = SourceMap()
    unit = parse(source, settings, sources)
    from polyopt.driver.observed.nest_measures import Countable, countable
    from polyopt.ir.problem import problems_in

    contents = contents_of(source, settings, unit.module)
    views = list[ScopView]()
    parts = dict[str, Countable]()

    def look(module: ModuleOp) -> None:
        for problem in problems_in(module):
            views.append(scop_view(problem, source.name, contents.loops, sources))
            if times:
                parts[problem.scop.name] = countable(problem)

    with collect_remarks() as remarks, contextlib.redirect_stderr(io.StringIO()):
        lower(unit, watch=watch_schedules(unit, look))
        text = assembly(unit) if code else ""
    if times and machine:
        views = _measured(views, source.name, times, machine, parts, remarks.items)
        if settings.openmp:
            views = [_of_main(view) for view in views]
        contents = replace(contents, machine=machine)
    contents = replace(
        contents,
        scops=tuple(sorted(views, key=_place)),
        functions=functions_of(text, source.name),
        remarks=tuple(remarks.by_place()),
    )
    sums = gains_of_sums(source, settings, remarks.items, advised_sums(contents))
    order = gains_of_order(source, settings, remarks.items, parts_held_by_order(contents))
    return replace(contents, gains_of_sums=tuple(sums.items()), gains_of_order=tuple(order.items()))


def _measured(
    views: Sequence[ScopView],
    file: str,
    times: Times,
    machine: Machine,
    parts: Mapping[str, Countable],
    remarks: Sequence[Remark],
) -> list[ScopView]:
    """With what they took, those that ran."""
    from polyopt.driver.observed.nest_measures import measure

    found = list[ScopView]()
    for view in views:
        executions = times.get((file, view.name))
        if executions:
            judged = [one for one in remarks if one.span == view.span and one.id in JUDGED]
            last = judged[-1] if judged else None
            taken = measure(parts[view.name], executions, last, machine)
            found.append(replace(view, measured=taken))
        else:
            found.append(view)
    return found


def _of_main(view: ScopView) -> ScopView:
    """Where several threads may run it: the run-time part asks the clock in one."""
    taken = view.measured
    return view if taken is None else replace(view, measured=replace(taken, of_main=True))


def _place(view: ScopView) -> tuple[bool, Span]:
    """In the order of the file; what it includes comes last."""
    return view.lines is None, view.span or Span("", 0)


def contents_of(source: Source, settings: Settings, module: ModuleOp) -> Contents:
    """What is known of the source beside its static control parts and its code; `module` is as the
    front end has made it."""
    loops = tuple(source_loops(module, source.name))
    lines = tuple(lines_of(source.text))
    why_not = why_not_looked_at(settings)
    return Contents(
        *(source.name, lines, _command(settings), loops, (), (), (), why_not),
        any_order=settings.associative_math,
    )


def why_not_looked_at(settings: Settings) -> str | None:
    """Why these settings leave all loops alone, if they do."""
    if pipeline_options(settings).poly != "none":
        return None
    if settings.poly == "none":
        return "--poly=none (-fno-poly) leaves all loops as they are written."
    if settings.size_level:
        return "Code that shall be small has its loops as they are written, but where --poly= asks."
    return "Loops are optimised from -O2 on, or where --poly= asks for it."


def watch_schedules(unit: Unit, look: Callable[[ModuleOp], None]) -> Watch:
    """A watch that shows the module to `look` when its schedules are final."""
    settings = unit.settings
    options = pipeline_options(settings, is_module=unit.is_foreign)
    steps = steps_between(options, unit.level, "schedule")
    names = [step.name for step in steps if step.name not in BOTH_WAYS]

    def after(name: str, module: ModuleOp) -> None:
        if name == names[-1]:
            with effort(), collect_remarks():
                look(module)

    return Watch(verify=settings.verify_each, after=after if names else None)


def _command(settings: Settings) -> str:
    options = pipeline_options(settings)
    threads = "" if options.parallel is None else ", in threads"
    return f"-O{settings.opt_level}, loops by --poly={options.poly}{threads}, for {options.march}"


def scop_view(
    problem: Problem, file: str, loops: Sequence[SourceLoop], sources: SourceMap
) -> ScopView:
    """`file` is the one that is shown."""
    problem = _as_run(problem)
    view = _drawn(problem, file, loops, sources)
    return replace(view, examples=examples_of(problem, view, OPERATIONS))


def _as_run(problem: Problem) -> Problem:
    """With the dependences of what its statements do whichever way their conditions go."""
    from polyopt.ir.objects.sure_writes import with_sure_writes
    from polyopt.poly.dependences import compute_dependences
    from polyopt.poly.isl.budget import BudgetExceeded

    scop = with_sure_writes(problem.op, problem.scop)
    if scop is problem.scop or problem.dependences.precision != "exact":
        return problem
    written = scop.with_schedule(problem.source_schedule)
    try:
        found = compute_dependences(written, reassociate=True, operations=OPERATIONS)
    except BudgetExceeded:
        return problem
    return replace(problem, scop=scop, dependences=found) if found.precision == "exact" else problem


def _drawn(
    problem: Problem, file: str, loops: Sequence[SourceLoop], sources: SourceMap
) -> ScopView:
    """With as many examples as there is room for in a picture."""
    from polyopt.driver.observed.statements import statements_of
    from polyopt.passes.codegen.poly_to_affine import loops_of
    from polyopt.passes.exchange.exchange_files import function_of
    from polyopt.poly.changes.expansion import expanded_variable
    from polyopt.poly.isl.budget import BudgetExceeded, budget
    from polyopt.poly.picture.tree_rows import tree_rows
    from polyopt.poly.schedule_tree import UnsupportedTree

    scop, dependences = problem.scop, problem.dependences
    statements = statements_of(problem, file, sources)
    held = {one.name: expanded_variable(one) for one in scop.arrays}
    variables = {name: variable for name, variable in held.items() if variable}
    ranks = {one.name: len(one.extents) for one in scop.arrays}
    spread = {a: ranks[a] - ranks[v] for a, v in variables.items() if v in ranks}
    view = ScopView(
        *(scop.name, function_of(problem.op), problem.span, statements, (), (), (), None),
        variables=tuple(variables.items()),
        spread=tuple(spread.items()),
        own=(*own_variables(problem.op), *variables),
        called=tuple(source_names(problem.op)),
    )
    try:
        with budget("pictures", OPERATIONS):
            view = replace(
                view,
                rows_before=tree_rows(scop, dependences, problem.source_schedule),
                rows_after=tree_rows(scop, dependences, scop.schedule),
            )
        view = _with_values(problem, view)
        view = replace(view, loops=tuple(_code_lines(loops_of(problem), statements, loops)))
        with budget("pictures", OPERATIONS):
            shown = pictures_of(problem)
    except BudgetExceeded:
        return replace(view, why_not="its sets cost too much to look at")
    except UnsupportedTree as error:
        return replace(view, why_not=str(error))
    if shown is None:
        return replace(view, why_not="it never runs, or has no end")
    if shown.arrows is not None and shown.touched is not None:
        view = replace(view, examples=Examples(shown.arrows, shown.touched))
    return replace(view, shown=shown)


def _with_values(problem: Problem, view: ScopView) -> ScopView:
    """With what its loops carry apart from memory that is used again, where they carry anything."""
    from polyopt.poly.isl.budget import BudgetExceeded, budget
    from polyopt.poly.picture.reuse import of_values, without_reuse
    from polyopt.poly.picture.tree_rows import tree_rows

    if not any(map(is_held, view.rows_before)):
        return view
    scop, order = problem.scop, problem.source_schedule
    try:
        with budget("pictures", OPERATIONS):
            written = scop.with_schedule(order)
            own = without_reuse(written, problem.dependences, view.own, OPERATIONS)
            values = of_values(problem.dependences)
            return replace(
                view,
                rows_own=tree_rows(scop, own, order),
                rows_of_values=tree_rows(scop, values, order),
                fresh=_used_only_inside(problem, values),
            )
    except BudgetExceeded:
        return view


def _used_only_inside(problem: Problem, values: Dependences) -> tuple[str, ...]:
    """The arrays of which no value from before is read, where all statements run."""
    import islpy as isl

    from polyopt.poly.isl.lists import maps

    if values.precision != "exact":
        return ()
    sizes = problem.scop.known
    for one in problem.scop.statements:
        sizes = sizes.intersect(one.domain.params())
    some = values.live_in.intersect_params(sizes)
    read = {part.get_tuple_name(isl.dim_type.out) for part in maps(some)}
    return tuple(one.name for one in problem.scop.arrays if one.name not in read)


def pictures_of(problem: Problem) -> Shown | None:
    """Raises BudgetExceeded and UnsupportedTree."""
    from polyopt.poly.picture.arrows import arrows, backward
    from polyopt.poly.picture.running_order import running_order
    from polyopt.poly.picture.sample import draw_sample
    from polyopt.poly.picture.touches import touches

    scop = problem.scop
    sample = draw_sample(scop)
    if sample is None:
        return None
    found = arrows(problem.dependences, sample)
    before = running_order(scop, problem.source_schedule, sample)
    after = running_order(scop, scop.schedule, sample)
    if found is not None and after.shrunk and backward(found, after.positions()):
        after = running_order(scop, scop.schedule, sample, shrink=False)
    touched = touches(scop, sample)
    return Shown(sample.parameters, sample.cropped, before, after, found, touched)


def _code_lines(
    nodes: Sequence[Node], statements: Sequence[Statement], loops: Sequence[SourceLoop]
) -> Iterator[CodeLine]:
    """The generated loops with the lines of the source that they run: a statement's own, and that
    of the loop of the same name around the first statement inside."""
    from polyopt.poly.loops.loop_text import loop_lines
    from polyopt.poly.loops.loop_tree import Branch, Instance, Loop

    known = {one.name: one for one in statements}

    def first_inside(node: Node) -> Statement | None:
        match node:
            case Instance():
                return known[node.statement]
            case Branch():
                inner = node.then + node.orelse
            case Loop():
                inner = node.body
        return next((one for child in inner if (one := first_inside(child))), None)

    for text, node in loop_lines(nodes):
        statement = first_inside(node)
        span = None if statement is None else statement.span
        if statement is None or span is None:
            yield CodeLine(text)
        elif isinstance(node, Instance):
            yield CodeLine(f"{text}  // {statement.text}", statement.line)
        elif isinstance(node, Loop):
            around = [one for one in loops if one.encloses(span) and one.name == node.source]
            yield CodeLine(text, around[-1].start.line if around else None)
        else:
            yield CodeLine(text)
