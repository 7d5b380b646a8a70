"""Every isl call that can explode runs under an operation budget.

isl counts its own operations; when the budget is spent the call raises, the caller takes its
legal way out (the last legal schedule, the original order, "dependence"), and the compile goes
on. isl's operations are no measure of time for very large numbers, so problems are given to isl
with symbolic sizes.

isl may also refuse a question, such as for a case that its authors did not foresee. To whoever
asked within a budget that is the same: there is no answer, and the legal way out is there.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import islpy as isl

from polyopt.poly.isl_text import explain
from polyopt.support.remarks import count, remark


class BudgetExceeded(Exception):
    """The named computation needed more isl operations than it was given."""

    def __init__(self, what: str, operations: int):
        super().__init__(f"{what}: more than {operations} isl operations")
        self.what = what
        self.operations = operations


class IslRefused(BudgetExceeded):
    """isl gave an error instead of an answer to the named computation."""

    def __init__(self, what: str, reason: str, operations: int):
        super().__init__(what, operations)
        self.args = (f"{what}: isl refuses: {reason}",)


@contextmanager
def budget(what: str, operations: int) -> Generator[None]:
    """Run the body with at most `operations` isl operations; 0 means no limit.

    Raises BudgetExceeded if they are spent, IslRefused where isl has an error of another kind.
    Budgets do not nest: the inner one counts anew and the outer one's limit is put back
    afterwards.
    """
    context = isl.DEFAULT_CONTEXT
    outer = context.get_max_operations()
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        yield
    except Exception as error:
        # Not only isl.Error: a spent budget can also show as a None where isl had a text to give.
        if _is_spent():
            count("budget-spent")
            raise BudgetExceeded(what, operations) from None
        if isinstance(error, isl.Error):
            count("isl-refused")
            reason = explain(error)
            remark("missed", "isl-refused", f"{what}: isl refuses: {reason}")
            raise IslRefused(what, reason, operations) from error
        raise
    finally:
        context.set_max_operations(outer)
        context.reset_operations()


def _is_spent() -> bool:
    """Whether isl refuses further work. Asked by giving it some: once the budget is spent isl
    stops wherever it is, and the message may be any other, such as "syntax error"."""
    try:
        isl.BasicSet("{ [i, j] : i + j >= 1 and i <= j }").sample()
    except isl.Error:
        return True
    return False
