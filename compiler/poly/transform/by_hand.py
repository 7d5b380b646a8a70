"""A person drives a kernel: the steps of a script, each checked before the next.

Whatever a step does, its result is asked the one question that every schedule is asked: is every
dependence of the program kept? An illegal line is an error at its place in the script that says
which dependence forbids it, between which statements, on which lines of the source, and between
which two instances.

    scop = ...
    schedule = schedule_by_hand(scop, dependences, "tile S0.i S0.j 32 32")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import islpy as isl

from polyopt.poly.analysis.permutability import TreePosition
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import check_schedule
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.bands import join_loops
from polyopt.poly.transform.localizing import Localized
from polyopt.poly.transform.outline import outline
from polyopt.poly.transform.places import single_loops, without_mark
from polyopt.poly.transform.promises import broken_promises
from polyopt.poly.transform.script import ScriptStep, Section, parse_script
from polyopt.poly.transform.steps import check_form, take_step
from polyopt.poly.transform.tiling import JAM
from polyopt.poly.violations import Violation
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.record import record
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000
SHOWN_VIOLATIONS = 3
PRINT = "print"

Show = Callable[[str], None]
"""Takes the text that a `print` step gives."""


@record(eq=False)
class Driven:
    """A SCoP with the schedule that steps have given it. `edits`: what was done to its statements
    on the way; `dependences` are those of the SCoP that it is now."""

    scop: Scop
    dependences: Dependences
    edits: tuple[Localized, ...] = ()


@record(eq=False)
class State:
    """Between two steps: `tree` is what `scop` will be ordered by."""

    scop: Scop
    dependences: Dependences
    tree: Tree
    edits: tuple[Localized, ...] = ()


def schedule_by_hand(
    scop: Scop, dependences: Dependences | None, text: str, *, show: Show = print
) -> isl.Schedule:
    """The SCoP's own schedule, changed by the steps of a script for this one SCoP. Without
    `dependences` they are those of the SCoP's schedule."""
    script = parse_script(text, "<steps>")
    try:
        for section in script.sections:
            given = dependences or compute_dependences(scop)
            driven = run_section(scop, given, section, show)
            if driven.edits:
                raise CompileError("a step makes statements, where an order is asked for")
            scop = driven.scop
    except CompileError as error:
        error.sources = error.sources or script.sources
        raise
    return scop.schedule


def run_section(
    scop: Scop, dependences: Dependences, section: Section, show: Show = print
) -> Driven:
    """What all lines of the section make of the SCoP. Raises CompileError at the first step that is
    unknown, cannot be done, or is illegal."""
    for line in section.lines:
        for step in line:
            if step.name.text != PRINT:
                check_form(step)
            elif step.words or step.condition is not None:
                raise CompileError("'print' stands alone", step.name.span)
    state = first = begun(scop, dependences, section.span)
    for line in section.lines:
        state = run_line(state, line, show)
    return finished(state.scop, state.dependences, state.tree, state.edits, state is not first)


def begun(scop: Scop, dependences: Dependences, span: Span | None = None) -> State:
    """Before the first step."""
    try:
        tree = single_loops(read_tree(scop.schedule))
    except UnsupportedTree as error:
        raise CompileError(f"cannot be scheduled by hand: {error}", span) from None
    return State(scop, dependences, tree)


def finished(
    scop: Scop,
    dependences: Dependences,
    tree: Tree,
    edits: tuple[Localized, ...],
    is_changed: bool = True,
) -> Driven:
    """The SCoP with the order of a tree that has been proved legal."""
    if is_changed:
        # "jam" promises that another order is legal: of the old tree
        tree = _in_bands(scop, dependences, without_mark(tree, JAM))
        scop = scop.with_schedule(build_schedule(scop.schedule.get_domain(), tree))
    return Driven(scop, dependences, edits)


def _in_bands(scop: Scop, dependences: Dependences, tree: Tree) -> Tree:
    """The same order; if it costs too much to say more of it, as it stands."""
    try:
        with budget("bands", OPERATIONS):
            pending = dependences.validity.intersect_params(scop.known)
            return join_loops(tree, TreePosition((), pending))
    except BudgetExceeded:
        remark("missed", "band-budget", "which loops commute costs too much to say", scop.span)
        return tree


def run_line(state: State, line: Sequence[ScriptStep], show: Show = print) -> State:
    """What the steps of a line, which have their forms, make of it. Raises CompileError at the
    first that cannot be done; where all of them together are illegal, at the first."""
    first, scop = state, state.scop
    pairs = state.dependences.validity.intersect_params(scop.known)
    for step in line:
        if step.name.text == PRINT:
            show(outline(state.scop, state.tree))
            continue
        try:
            with budget("step", OPERATIONS):
                made = take_step(scop, state.tree, step, pairs)
        except BudgetExceeded:
            raise CompileError(f"'{step.text}' costs too much", step.name.span) from None
        if not isinstance(made, Localized):
            state = replace(state, tree=made)
            continue
        _refuse_illegal(first, state, line)
        dependences = dependences_after(made, state.dependences, step.name.span)
        state = first = State(made.scop, dependences, made.tree, (*state.edits, made))
        scop, pairs = made.scop, dependences.validity.intersect_params(scop.known)
    _refuse_illegal(first, state, line)
    return state


def _refuse_illegal(first: State, state: State, line: Sequence[ScriptStep]) -> None:
    """What the steps since `first` have made of its tree."""
    if state.tree is not first.tree:
        scop = state.scop
        schedule = build_schedule(scop.schedule.get_domain(), state.tree)
        _refuse(line, check_schedule(scop, state.dependences, schedule))
        _refuse(line, _broken_promises(scop, state.dependences, state.tree))


def dependences_after(made: Localized, before: Dependences, span: Span | None) -> Dependences:
    """Those of the SCoP with its copies, whose order is that of the source from now on: it keeps
    all that the old one had."""
    try:
        found = made.dependences(before)
    except BudgetExceeded:
        raise CompileError("the dependences of the copies cost too much", span) from None
    violations = check_schedule(made.scop, found, made.scop.schedule)
    if violations:
        raise CompileError(f"the copies break the order: {violations[0]}", span)
    for one in made.buffers:
        remark("applied", "localize", one.told, made.scop.span)
    return found


def _broken_promises(scop: Scop, dependences: Dependences, tree: Tree) -> list[str]:
    try:
        with budget("promises", OPERATIONS):
            return broken_promises(scop, dependences, tree)
    except BudgetExceeded:
        return ["whether a loop may run in vectors or threads costs too much to decide"]


def _refuse(line: Sequence[ScriptStep], violations: Sequence[Violation | str]) -> None:
    if not violations:
        return
    what = "; ".join(step.text for step in line)
    shown = [f"\n  {violation}" for violation in violations[:SHOWN_VIOLATIONS]]
    if len(violations) > SHOWN_VIOLATIONS:
        shown.append(f"\n  and {len(violations) - SHOWN_VIOLATIONS} more")
    raise CompileError(f"'{what}' is illegal:{''.join(shown)}", line[0].name.span)
