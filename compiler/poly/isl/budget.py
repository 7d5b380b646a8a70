"""Every isl call that can explode runs under an operation budget.

isl counts its own operations; when the budget is spent the call raises, the caller takes its
legal way out (the last legal schedule, the original order, "dependence"), and the compile goes
on. What a phase has used is charged to the account of the whole unit (`support/effort.py`), and
no phase gets more than that has left. Mathematics of our own that can explode is counted in the
same operations (`spend`).

isl's operations are no measure of time for very large numbers (`weight`), nor for linear programs
with many constraints: whoever calls isl's scheduler looks at the size of the problem first.

isl may also refuse a question, such as for a case that its authors did not foresee. To whoever
asked within a budget that is the same: there is no answer, and the legal way out is there.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial

import islpy as isl

from polyopt.poly.isl.messages import explain
from polyopt.support.alone import reset_after_fork
from polyopt.support.effort import current_effort
from polyopt.support.record import entity
from polyopt.support.remarks import count, remark


class BudgetExceeded(Exception):
    """The named computation needed more isl operations than it was given."""

    def __init__(self, what: str, operations: int):
        super().__init__(f"{what}: more than {operations} isl operations")


class IslRefused(BudgetExceeded):
    """isl gave an error instead of an answer to the named computation."""

    def __init__(self, what: str, reason: str, operations: int):
        super().__init__(what, operations)
        self.args = (f"{what}: isl refuses: {reason}",)


@entity
class _Phase:
    """`limit` 0 is none. `used`: before the budget inside it that runs now, or ran last, and by
    what is no work of isl's."""

    what: str
    limit: int
    used: int = 0


_phase: ContextVar[_Phase | None] = ContextVar("phase", default=None)


@contextmanager
def budget(what: str, operations: int) -> Generator[None]:
    """Run the body with at most `operations` isl operations, and no more than the account has; 0
    means no limit at all, for what has no legal way out.

    Raises BudgetExceeded if they are spent, IslRefused where isl has an error of another kind.
    A budget inside another one has operations of its own, which the outer one does not pay for.
    """
    account, outer = current_effort(), _phase.get()
    if outer is not None:
        outer.used += _operations_done()
    limit = operations if account is None or not operations else account.allowance(operations)
    phase = _Phase(what, limit)
    token = _phase.set(phase)
    _begin(limit)
    least = 0
    try:
        yield
    except Exception as error:
        # Not only isl.Error: a spent budget can also show as a None where isl had a text to give.
        if _is_spent():
            least = limit
            count("budget-spent")
            raise BudgetExceeded(what, limit) from None
        if isinstance(error, isl.Error):
            count("isl-refused")
            reason = explain(error)
            remark("missed", "isl-refused", f"{what}: isl refuses: {reason}")
            raise IslRefused(what, reason, operations) from error
        raise
    finally:
        phase.used = max(least, phase.used + _operations_done())
        _phase.reset(token)
        if account is not None:
            account.charge(phase.used)
        if outer is None:
            _begin(0)
        else:
            _begin(max(outer.limit - outer.used, 1) if outer.limit else 0)


def spend(operations: int) -> None:
    """Mathematics of our own, which is paid for like isl's: as many of its operations as take the
    same time. Raises BudgetExceeded, within a budget, where that alone is more than it has."""
    phase = _phase.get()
    if phase is None:
        return
    phase.used += operations
    if phase.limit and phase.used > phase.limit:
        count("budget-spent")
        raise BudgetExceeded(phase.what, phase.limit)


def settle() -> int:
    """How much the budget that runs now has used up to here, to two per cent of what isl has done
    since the last time; 0 outside of budgets."""
    phase = _phase.get()
    if phase is None:
        return 0
    phase.used += _operations_done()
    _begin(max(phase.limit - phase.used, 1) if phase.limit else 0)
    return phase.used


def spend_again(operations: int) -> None:
    """What isl has done before, and need not do again, is paid for all the same: what a budget
    allows does not depend on what was asked in front of it."""
    spend(operations)
    phase = _phase.get()
    if phase is not None and phase.limit:
        isl.DEFAULT_CONTEXT.set_max_operations(max(phase.limit - phase.used, 1))


@contextmanager
def called_back() -> Generator[None]:
    """What Python does in a function that isl calls: it may end no budget, since nothing may be
    raised there (isl frees what it had lent twice). isl itself goes on to count behind it."""
    context = isl.DEFAULT_CONTEXT
    limit = context.get_max_operations()
    context.set_max_operations(0)
    try:
        yield
    finally:
        context.set_max_operations(limit)


def _begin(limit: int) -> None:
    isl.DEFAULT_CONTEXT.set_max_operations(limit)
    isl.DEFAULT_CONTEXT.reset_operations()


reset_after_fork(partial(_begin, 0))


def _operations_done() -> int:
    """How many operations isl has counted since the last reset, to two per cent. isl does not
    tell; but it refuses to work where its limit lies below them. Leaves isl without a limit."""
    context = isl.DEFAULT_CONTEXT
    space = isl.Space.set_alloc  # what is asked of isl must be an operation, however small

    def reaches(limit: int) -> bool:
        context.set_max_operations(limit)
        try:
            isl.BasicSet.universe(space(context, 0, 1))
        except isl.Error:
            return True
        return False

    most = 256
    while reaches(most):
        most *= 2
    least = most // 2 if most > 256 else 0
    while most - least > max(128, most // 50):
        middle = (least + most) // 2
        if reaches(middle):
            least = middle
        else:
            most = middle
    context.set_max_operations(0)
    return least


def _is_spent() -> bool:
    """Whether isl refuses further work. Asked by giving it the least that counts: once the budget
    is spent isl stops wherever it is, and the message may be any other, such as "syntax error"."""
    try:
        isl.BasicSet.universe(isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, 1))
    except isl.Error:
        return True
    return False
