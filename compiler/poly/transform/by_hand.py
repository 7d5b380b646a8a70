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

import islpy as isl

from polyopt.poly.analysis.permutability import Place
from polyopt.poly.dependences import Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import Violation, check_schedule
from polyopt.poly.schedule_tree import Tree, UnsupportedTree, build_schedule, read_tree
from polyopt.poly.scop import Scop
from polyopt.poly.transform.bands import join_loops
from polyopt.poly.transform.outline import outline
from polyopt.poly.transform.places import single_loops, without_mark
from polyopt.poly.transform.promises import broken_promises
from polyopt.poly.transform.script import Section, Step, parse_script
from polyopt.poly.transform.steps import apply_step, check_form
from polyopt.poly.transform.tiling import JAM
from polyopt.support.diagnostics import CompileError
from polyopt.support.remarks import remark

OPERATIONS = 4_000_000
SHOWN_VIOLATIONS = 3
PRINT = "print"

Show = Callable[[str], None]
"""Takes the text that a `print` step gives."""


def schedule_by_hand(
    scop: Scop, dependences: Dependences | None, text: str, *, show: Show = print
) -> isl.Schedule:
    """The SCoP's own schedule, changed by the steps of a script for this one SCoP. Without
    `dependences` they are those of the SCoP's schedule."""
    script = parse_script(text, "<steps>")
    try:
        for section in script.sections:
            given = dependences or compute_dependences(scop)
            scop = scop.with_schedule(run_section(scop, given, section, show))
    except CompileError as error:
        error.sources = error.sources or script.sources
        raise
    return scop.schedule


def run_section(
    scop: Scop, dependences: Dependences, section: Section, show: Show = print
) -> isl.Schedule:
    """The schedule after all lines of the section. Raises CompileError at the first step that is
    unknown, cannot be done, or is illegal."""
    for line in section.lines:
        for step in line:
            if step.name.text != PRINT:
                check_form(step)
            elif step.words or step.condition is not None:
                raise CompileError("'print' stands alone", step.name.span)
    try:
        before = tree = single_loops(read_tree(scop.schedule))
    except UnsupportedTree as error:
        raise CompileError(f"cannot be scheduled by hand: {error}", section.span) from None
    for line in section.lines:
        tree = _run_line(scop, dependences, tree, line, show)
    if tree is before:
        return scop.schedule
    tree = without_mark(tree, JAM)  # it promises that another order is legal: of the old tree
    return build_schedule(scop.schedule.get_domain(), _in_bands(scop, dependences, tree))


def _in_bands(scop: Scop, dependences: Dependences, tree: Tree) -> Tree:
    """The same order; if it costs too much to say more of it, as it stands."""
    try:
        with budget("bands", OPERATIONS):
            pending = dependences.validity.intersect_params(scop.known)
            return join_loops(tree, Place((), pending))
    except BudgetExceeded:
        remark("missed", "band-budget", "which loops commute costs too much to say", scop.span)
        return tree


def _run_line(
    scop: Scop, dependences: Dependences, tree: Tree, line: Sequence[Step], show: Show
) -> Tree:
    before = tree
    pairs = dependences.validity.intersect_params(scop.known)
    for step in line:
        if step.name.text == PRINT:
            show(outline(scop, tree))
            continue
        try:
            with budget("step", OPERATIONS):
                tree = apply_step(scop, tree, step, pairs)
        except BudgetExceeded:
            raise CompileError(f"'{step.text}' costs too much", step.name.span) from None
    if tree is not before:
        schedule = build_schedule(scop.schedule.get_domain(), tree)
        _refuse(line, check_schedule(scop, dependences, schedule))
        _refuse(line, _broken_promises(scop, dependences, tree))
    return tree


def _broken_promises(scop: Scop, dependences: Dependences, tree: Tree) -> list[str]:
    try:
        with budget("promises", OPERATIONS):
            return broken_promises(scop, dependences, tree)
    except BudgetExceeded:
        return ["whether a loop may run in vectors or threads costs too much to decide"]


def _refuse(line: Sequence[Step], violations: Sequence[Violation | str]) -> None:
    if not violations:
        return
    what = "; ".join(step.text for step in line)
    shown = [f"\n  {violation}" for violation in violations[:SHOWN_VIOLATIONS]]
    if len(violations) > SHOWN_VIOLATIONS:
        shown.append(f"\n  and {len(violations) - SHOWN_VIOLATIONS} more")
    raise CompileError(f"'{what}' is illegal:{''.join(shown)}", line[0].name.span)
