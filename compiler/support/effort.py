"""What one translation unit may cost in all: an account that every expensive phase draws on.

A phase has a cap of its own; together they take no more than the account holds, so that a file
with many loop nests, each of them bearable, stays bearable. It counts operations, never time: the
same text compiles the same way on every machine. What is left when the account is empty are
`FLOOR` operations for each phase: small nests are understood even behind the largest. Phases that
try one way after the other have a share of it in all, so that trying costs no multiple of a cap;
what is asked again and again by different phases has a part of it, by its name: what was too dear
once is not tried for the same price again. So have the functions: all that passes ask about the
static control parts of one, from finding them to their loops, is paid from the part that is the
function's, and the dearest leaves something to the others.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import field, replace

from polyopt.support.record import entity
from polyopt.support.remarks import count, remark

UNIT = 20_000_000
"""Operations for one translation unit. The most that a kernel of PolyBench takes is 9,000,000."""

FUNCTION = 10_000_000
"""Operations for one function of it. The most that one of PolyBench takes is 8,300,000."""

FLOOR = 50_000


@entity
class Effort:
    """`spent` of `total` operations by `what`; of `outer` too, if this is a share of it. `parts`:
    what is spent so far, by name. `price`: for how many each one counts here."""

    total: int
    spent: int = 0
    what: str = "this file"
    outer: Effort | None = None
    parts: dict[str, int] = field(default_factory=dict[str, int])
    price: int = 1

    def allowance(self, wanted: int) -> int:
        """How many of the operations that a phase wants it may use."""
        left = self.total - self.spent
        mine = min(wanted, max(left, FLOOR))
        return (mine if self.outer is None else self.outer.allowance(mine)) // self.price

    def charge(self, operations: int) -> None:
        operations *= self.price
        if self.spent < self.total <= self.spent + operations:
            message = (
                f"{self.what} has used up its effort: what costs more than little is left as it is"
            )
            remark("missed", "effort-spent", message)
        self.spent += operations
        if self.outer is not None:
            self.outer.charge(operations)
        else:
            count("operations", operations)

    def copy(self) -> Effort:
        """An account of its own of which as much is spent."""
        return replace(self, parts=dict(self.parts))


_account: ContextVar[Effort | None] = ContextVar("effort", default=None)


def current_effort() -> Effort | None:
    return _account.get()


def effort(total: int = UNIT, account: Effort | None = None) -> AbstractContextManager[Effort]:
    """All phases in the body draw on one account: a new one of `total` operations, or what others
    have left of `account`."""
    return _drawing_on(account or Effort(total))


@contextmanager
def share(what: str, total: int) -> Generator[Effort]:
    """The phases in the body have `total` operations together, of those that are left."""
    with _drawing_on(Effort(total, what=what, outer=current_effort())) as account:
        yield account


@contextmanager
def priced(price: int) -> Generator[None]:
    """Each operation in the body counts for `price`: what takes so much longer than others, as
    those on systems with many quotients, gets so many fewer."""
    outer = current_effort()
    if price == 1 or outer is None:
        yield
        return
    with _drawing_on(Effort(outer.total, what=outer.what, outer=outer, price=price)):
        yield


@contextmanager
def part(what: str, total: int) -> Generator[Effort]:
    """Like a share, of `total` operations for all bodies that name the same `what` in one unit."""
    unit = current_effort()
    while unit is not None and unit.outer is not None:
        unit = unit.outer
    with share(what, total) as account:
        if unit is not None:
            account.spent = unit.parts.get(what, 0)
        try:
            yield account
        finally:
            if unit is not None:
                unit.parts[what] = account.spent


def part_of_function(name: str) -> AbstractContextManager[Effort]:
    """What all phases together may spend on the function."""
    return part(f"the function '{name}'", FUNCTION)


@contextmanager
def _drawing_on(account: Effort) -> Generator[Effort]:
    token = _account.set(account)
    try:
        yield account
    finally:
        _account.reset(token)
