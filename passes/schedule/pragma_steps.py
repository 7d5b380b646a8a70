"""What the pragmas on the loops of a static control part ask for, as steps of a script."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnitAttr

from polyopt.dialects.loop_pragmas import LoopPragma, shown
from polyopt.dialects.poly import BY_HAND, ScopOp
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.schedule.apply_steps import accept
from polyopt.poly.scop import Statement
from polyopt.poly.transform.by_hand import run_section
from polyopt.poly.transform.names import TILE_SUFFIX, iterator_names
from polyopt.poly.transform.script import ScriptStep, Section, Word
from polyopt.support.diagnostics import CompileError, Diagnostic
from polyopt.support.record import record
from polyopt.support.remarks import remark
from polyopt.support.warnings import warn

PARALLEL, TILE = "parallel", "tile"
_OF_THE_LOOP = ("unroll", "strip", "skew", "reverse", "distribute", "vectorize")


def obey(scop_op: ScopOp, pragmas: Sequence[LoopPragma], *, threads: bool) -> set[LoopPragma]:
    """Do what those ask for that are about loops of this SCoP, and say which these are; without
    `threads`, `parallel` is only checked."""
    problem = read_problem(scop_op)
    lines: list[tuple[ScriptStep, ...]] = []
    obeyed: set[LoopPragma] = set()
    for pragma in pragmas:
        statement = _statement_of(problem, pragma)
        if statement is not None:
            obeyed.add(pragma)
            lines.append(_steps(problem, statement, pragma))
    if not obeyed:
        return obeyed
    if not problem.is_understood:
        for pragma in filter(obeyed.__contains__, pragmas):
            message = "dependences cost too much: nothing of what the pragma asks for is done"
            warn(Diagnostic("warning", message, pragma.at, id="pass-failed"))
        return obeyed
    asked = tuple(lines)
    done = asked if threads else _in_one_thread(asked)
    with problem.effort():
        driven = run_section(problem.scop, problem.dependences, Section(None, asked))
        if done and done != asked:
            driven = run_section(problem.scop, problem.dependences, Section(None, done))
    if done:
        accept(problem, driven)
        scop_op.attributes[BY_HAND] = UnitAttr()
    return obeyed


def _in_one_thread(lines: Sequence[tuple[ScriptStep, ...]]) -> tuple[tuple[ScriptStep, ...], ...]:
    """The steps without those that only threads can follow, of which a remark tells."""
    kept: list[tuple[ScriptStep, ...]] = []
    for line in lines:
        kept.append(tuple(step for step in line if step.name.text != PARALLEL))
        if len(kept[-1]) < len(line):
            message = "the loop runs in one thread: '-fparallel' permits more"
            remark("missed", "no-parallel", message, line[0].name.span)
    return tuple(line for line in kept if line)


def _steps(problem: Problem, statement: Statement, pragma: LoopPragma) -> tuple[ScriptStep, ...]:
    names = iterator_names(problem.scop, statement.name)
    around = _Nest(statement.name, names[statement.iterators.index(pragma.loop) :], pragma)
    steps: list[ScriptStep] = []
    for clause in pragma.clauses:
        name, *arguments = clause.split()
        words = tuple(map(around.word, around.words(name, arguments)))
        steps.append(ScriptStep(around.word(name), words, written=shown(clause)))
    return tuple(steps)


@record
class _Nest:
    """The loops from the pragma's on, outermost first, around one statement."""

    statement: str
    loops: tuple[str, ...]
    pragma: LoopPragma

    def word(self, text: str) -> Word:
        return Word(text, self.pragma.at)

    def words(self, clause: str, arguments: Sequence[str]) -> list[str]:
        """What a step of this name takes for the clause."""
        if clause == TILE:
            if len(arguments) > len(self.loops):
                raise CompileError(
                    f"tile({', '.join(arguments)}): {len(arguments)} sizes for the loops "
                    f"{', '.join(self.loops)}",
                    self.pragma.at,
                )
            return [*map(self._loop, self.loops[: len(arguments)]), *arguments]
        given = [one if one.isdecimal() else self._loop(one) for one in arguments]
        if clause == PARALLEL:
            is_tiled = any(one.startswith(f"{TILE} ") for one in self.pragma.clauses)
            return [self._loop(self.loops[0]) + (TILE_SUFFIX if is_tiled else "")]
        return [self._loop(self.loops[0]), *given] if clause in _OF_THE_LOOP else given

    def _loop(self, name: str) -> str:
        return f"{self.statement}.{name}"


def _statement_of(problem: Problem, pragma: LoopPragma) -> Statement | None:
    """The statement in the pragma's loop that most loops are around."""
    inside = [
        one
        for one in problem.scop.statements
        if pragma.holds(one.span) and pragma.loop in one.iterators
    ]
    return max(inside, key=lambda one: len(one.iterators), default=None)
