"""poly-apply-steps: a person drives a SCoP, one transformation at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from polyopt.dialects.poly import ScopOp
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.storage.localized import offer_without_buffers, write_localized
from polyopt.poly.transform.by_hand import Driven, run_section
from polyopt.poly.transform.script import Script, Section, Word, parse_script
from polyopt.support.diagnostics import CompileError, Span
from polyopt.support.noted import note_unrepeatable, read_noted
from polyopt.support.record import record

PARALLEL = "parallel"
"""The step that asks for threads."""


@record
class PolyApplyStepsPass(ModulePass):
    """Apply the steps of a script (docs/schedules.md): those in `file`, or `steps` themselves.

    Ensures: after each line every dependence is kept; a line that breaks one is an error at its
    place in the script that names the dependence, an example of it and the two statements with
    their source lines. A step `print` shows the loops on standard error.

        poly-apply-steps{steps="tile S0.i S0.j 32 32"}

    `threads` false: nothing will run in threads, so that a step `parallel` is an error.
    """

    name = "poly-apply-steps"

    file: str | None = None
    steps: str | None = None
    threads: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if (self.file is None) == (self.steps is None):
            raise CompileError(f"{self.name}: give either a file or steps")
        if self.file is not None:
            script = parse_script(read_noted(self.file).decode(), self.file)
        else:
            script = parse_script(self.steps or "", f"<{self.name}>")
        if not self.threads:
            _refuse_threads(script)
        apply_script(op, script)


def _refuse_threads(script: Script) -> None:
    for section in script.sections:
        for step in (one for line in section.lines for one in line):
            if step.name.text == PARALLEL:
                error = CompileError(
                    f"'{step.text}' is about threads, and loops run in one",
                    step.name.span,
                    "-fparallel lets loops run in threads",
                )
                error.sources = script.sources
                raise error


def apply_script(module: ModuleOp, script: Script) -> None:
    """Change the schedules of the SCoPs that the script names: those that are there before its
    first step, which may make others (`offer_without_buffers`) and write one anew."""
    try:
        named = [scop_of(module, section.scop, section.span) for section in script.sections]
        anew = dict[ScopOp, ScopOp]()
        for op, section in zip(named, script.sections, strict=True):
            anew[op] = apply_section(anew.get(op, op), section)
    except CompileError as error:
        error.sources = error.sources or script.sources
        raise


def apply_section(op: ScopOp, section: Section) -> ScopOp:
    """What the SCoP is behind the steps, paid from the account of its function. Raises
    CompileError."""
    problem = read_problem(op)
    if not problem.is_understood:
        raise CompileError("the dependences of this SCoP cost too much", section.span)
    with problem.effort():
        driven = run_section(problem.scop, problem.dependences, section, show=_show)
    return accept(problem, driven)


def accept(problem: Problem, driven: Driven) -> ScopOp:
    """Make the SCoP what steps have made of it, and give it; where parameters decide how great its
    buffers are, it stays as it was beside that, for when they are too great."""
    op = problem.op
    offer_without_buffers(op, driven.edits)
    for made in driven.edits:
        op = write_localized(op, made)
    result = replace(problem, op=op, scop=driven.scop, dependences=driven.dependences)
    result.accept(driven.scop.schedule)
    return op


def _show(text: str) -> None:
    note_unrepeatable("a step prints")
    print(text, file=sys.stderr)


def scop_of(module: ModuleOp, name: Word | None, span: Span | None = None) -> ScopOp:
    """The SCoP that is meant: by its own name, else by its function's and its number among those
    of the function; without a name the only one. `span` is where it is asked for."""
    scops = [op for op in module.walk() if isinstance(op, ScopOp)]
    if name is None:
        if len(scops) == 1:
            return scops[0]
        raise CompileError(
            f"steps for one SCoP, where there are {len(scops)}",
            span,
            f"say which: {'; '.join(scop_addresses(scops))}" if scops else None,
        )
    found = _named(scops, name)
    if len(found) == 1:
        return found[0]
    problem = f"no SCoP '{name.text}'" if not found else f"{len(found)} SCoPs in it"
    known = "; ".join(scop_addresses(scops))
    hint = f"there are: {known}" if known else "no loop nest here became a SCoP: see --remarks"
    raise CompileError(problem, name.span, hint)


def _named(scops: list[ScopOp], word: Word) -> list[ScopOp]:
    name, _, number = word.address
    exact = [op for op in scops if number is None and op.scop_name.data == name]
    inside = [op for op in scops if _function_of(op) == name]
    if number is not None:
        return inside[number - 1 : number] if number else []
    return inside if len(inside) > 1 else exact or inside


def scop_addresses(scops: list[ScopOp]) -> Iterator[str]:
    """The line of a script that begins the section of each."""
    for op in scops:
        name = _function_of(op)
        same = [other for other in scops if _function_of(other) == name]
        if name is None:
            yield f"scop {op.scop_name.data}"
        else:
            yield f"scop {name}:{same.index(op) + 1}" if len(same) > 1 else f"scop {name}"


def address_of_scop(module: ModuleOp, op: ScopOp) -> str:
    """How scripts name the SCoP."""
    scops = [one for one in module.walk() if isinstance(one, ScopOp)]
    line = list(scop_addresses(scops))[scops.index(op)]
    return line.removeprefix("scop ")


def _function_of(op: Operation) -> str | None:
    around = op.parent_op()
    while around is not None and not isinstance(around, FuncOp):
        around = around.parent_op()
    return around.sym_name.data if around is not None else None
