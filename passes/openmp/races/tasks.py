"""Tasks whose variables are used before anything waits for them.

    #pragma omp task shared(x)        the task may run at any time up to the next wait
    x = f(n - 1);
    return x;                         ← here nothing has waited

Followed is what the thread that made the task does for sure behind it, up to whatever may wait, be
it a call or the end of a block, and what the task itself does for sure. Asked about are scalars
that both name. Tasks with `if` or `final` may be done at once, and are left alone; so are two tasks
one of which depends on something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, func, math, memref, omp
from xdsl.ir import Operation, OpResult, SSAValue

from polyopt.dialects import cmem
from polyopt.dialects.locations import span_of
from polyopt.passes.openmp.races.reports import ID
from polyopt.support.diagnostics import Diagnostic

_Access = memref.LoadOp | memref.StoreOp
_DIALECTS = frozenset((arith.Arith.name, math.Math.name))
_PLAIN = (
    memref.LoadOp,
    memref.StoreOp,
    memref.AllocaOp,
    cmem.ViewOp,
    cmem.AddressOp,
    cmem.OffsetOp,
)
"""Operations that wait for nobody, beside those of the dialects above."""


def task_races(function: func.FuncOp) -> Iterator[Diagnostic]:
    """One warning for each task and variable at most."""
    for op in function.walk():
        if isinstance(op, omp.TaskOp) and _is_deferred(op) and _is_for_a_team(op, function):
            accesses = _accesses_of(op, function)
            if accesses:
                yield from _behind(op, accesses, function)


def _is_deferred(task: omp.TaskOp) -> bool:
    """Whether it may run later."""
    return task.if_expr is None and task.final is None


def _is_for_a_team(task: omp.TaskOp, function: func.FuncOp) -> bool:
    """Whether there may be others to run it: it stands in a parallel region, or makes more tasks of
    its kind. A thread alone runs its tasks as it meets them."""
    around = task.parent_op()
    while around is not None and not isinstance(around, omp.ParallelOp):
        around = around.parent_op()
    if around is not None:
        return True
    return any(_is_recursion(inner, function) for inner in task.walk())


def _behind(
    task: omp.TaskOp, accesses: Mapping[SSAValue, _Access], function: func.FuncOp
) -> Iterator[Diagnostic]:
    told = set[SSAValue]()
    op = task.next_op
    while op is not None and (_waits_for_nobody(op) or isinstance(op, omp.TaskOp)):
        theirs: Mapping[SSAValue, _Access] = {}
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            theirs = {op.memref: op}
        elif isinstance(op, omp.TaskOp) and _is_deferred(op):
            if not task.depend_vars and not op.depend_vars:
                theirs = _accesses_of(op, function)
        for place, other in theirs.items():
            mine = accesses.get(place)
            if mine is None or place in told or not _either_writes(mine, other):
                continue
            told.add(place)
            yield _warning(task, mine, other, is_task=isinstance(op, omp.TaskOp))
        op = op.next_op


def _accesses_of(task: omp.TaskOp, function: func.FuncOp) -> dict[SSAValue, _Access]:
    """What the task does for sure to scalars of the outside: a store to each where there is one."""
    region = task.regions[0]
    entry = region.blocks.first
    assert entry is not None
    found: dict[SSAValue, _Access] = {}
    for op in entry.ops:
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            if _is_scalar_outside(op.memref, task):
                known = found.setdefault(op.memref, op)
                if isinstance(op, memref.StoreOp) and isinstance(known, memref.LoadOp):
                    found[op.memref] = op
        elif not _waits_for_nobody(op) and not _is_recursion(op, function):
            break
    return found


def _is_scalar_outside(place: SSAValue, task: omp.TaskOp) -> bool:
    if not isinstance(place, OpResult) or not isinstance(place.op, memref.AllocaOp):
        return False
    return cmem.memref_type(place).get_num_dims() == 0 and not task.is_ancestor(place.op)


def _waits_for_nobody(op: Operation) -> bool:
    return isinstance(op, _PLAIN) or op.dialect_name() in _DIALECTS


def _is_recursion(op: Operation, function: func.FuncOp) -> bool:
    return isinstance(op, func.CallOp) and op.callee.string_value() == function.sym_name.data


def _either_writes(one: _Access, other: _Access) -> bool:
    return isinstance(one, memref.StoreOp) or isinstance(other, memref.StoreOp)


def _warning(task: omp.TaskOp, mine: _Access, other: _Access, *, is_task: bool) -> Diagnostic:
    name = mine.memref.name_hint or "memory"
    if is_task:
        message = f"two tasks race on '{name}': nothing lets one wait for the other"
        hint = f"add depend(inout: {name}) to both, or put '#pragma omp taskwait' between them"
        who = "another task"
    else:
        message = f"a task and what follows it race on '{name}': nothing waits for the task"
        hint = "put '#pragma omp taskwait' in front of what follows"
        who = "what follows"
    notes = tuple(
        Diagnostic("note", f"{whose} {_does(access)} {name} here", span_of(access))
        for whose, access in (("the task", mine), (who, other))
    )
    return Diagnostic("warning", message, span_of(task), hint, ID, notes)


def _does(access: _Access) -> str:
    return "writes" if isinstance(access, memref.StoreOp) else "reads"
