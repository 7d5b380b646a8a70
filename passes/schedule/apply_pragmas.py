"""poly-apply-pragmas: what the source asks of its loops, done and checked like a script's steps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from polyopt.dialects.loop_pragmas import LoopPragma, loop_pragmas_of
from polyopt.dialects.poly import BY_HAND, ScopOp
from polyopt.ir.problem import Problem, read_problem
from polyopt.passes.schedule.apply_steps import accept
from polyopt.poly.scop import Statement
from polyopt.poly.transform.by_hand import run_section
from polyopt.poly.transform.names import TILE_SUFFIX, iterator_names
from polyopt.poly.transform.script import ScriptStep, Section, Word
from polyopt.support.diagnostics import CompileError
from polyopt.support.record import record
from polyopt.support.remarks import remark

PARALLEL, TILE = "parallel", "tile"
_OF_THE_LOOP = ("unroll", "strip", "skew", "reverse", "distribute", "vectorize")


@record
class PolyApplyPragmasPass(ModulePass):
    """Do what `#pragma polyopt` asks of loops: its clauses are steps of a script
    (docs/schedules.md) on the loop behind it and those inside.

    Ensures: every dependence is kept; a pragma that breaks one is an error at its place. What was
    done so is marked `poly.by_hand`: no pass chooses another order, and no judge takes it back.
    A pragma whose loop is in no SCoP is told of by a remark.

        #pragma polyopt tile(32, 32)
        for i, for j      =>      for i step 32, for j step 32, for i in tile, for j in tile

    `threads` false: nothing will run in threads, and `parallel` asks for nothing.
    """

    name = "poly-apply-pragmas"

    threads: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pragmas = [one for one in loop_pragmas_of(op) if not one.is_off]
        if not pragmas:
            return
        obeyed: set[LoopPragma] = set()
        for scop_op in [inner for inner in op.walk() if isinstance(inner, ScopOp)]:
            obeyed |= self._obey(scop_op, pragmas)
        for pragma in pragmas:
            if pragma not in obeyed:
                message = f"the loop over {pragma.loop} is in no static control part: "
                message += "nothing of what its pragma asks for is done"
                remark("missed", "pragma-not-obeyed", message, pragma.at)

    def _obey(self, scop_op: ScopOp, pragmas: Sequence[LoopPragma]) -> set[LoopPragma]:
        """Those that are about loops of this SCoP."""
        problem = read_problem(scop_op)
        lines: list[tuple[ScriptStep, ...]] = []
        obeyed: set[LoopPragma] = set()
        for pragma in pragmas:
            statement = _statement_of(problem, pragma)
            if statement is not None:
                obeyed.add(pragma)
                lines.append(self._steps(problem, statement, pragma))
        if not obeyed:
            return obeyed
        if not problem.is_understood:
            remark("missed", "dependence-budget", "dependences cost too much", problem.span)
            return obeyed
        done = tuple(line for line in lines if line)
        if done:
            section = Section(None, done)
            accept(problem, run_section(problem.scop, problem.dependences, section))
        scop_op.attributes[BY_HAND] = UnitAttr()
        return obeyed

    def _steps(
        self, problem: Problem, statement: Statement, pragma: LoopPragma
    ) -> tuple[ScriptStep, ...]:
        names = iterator_names(problem.scop, statement.name)
        around = _Nest(statement.name, names[statement.iterators.index(pragma.loop) :], pragma)
        steps: list[ScriptStep] = []
        for clause in pragma.clauses:
            name, *arguments = clause.split()
            if name == PARALLEL and not self.threads:
                continue
            words = around.words(name, arguments)
            steps.append(ScriptStep(around.word(name), tuple(map(around.word, words))))
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
