"""A SCoP of the IR as a scheduling problem: its data, its dependences, and the way back.

Dependences are an analysis: they are computed from the operations, never read from an attribute.
They are kept by the texts that they depend on, for as long as the module is there. A schedule that
has been proved legal keeps the dependences of the order it replaces: whoever asks later gets those
of the original program, at no cost. What is spent on a SCoP is limited over all passes that change
it and ask again: what was too dear once seldom gets cheap.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import lru_cache
from weakref import WeakKeyDictionary

import islpy as isl
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from polyopt.dialects.inside import operations_in
from polyopt.dialects.locations import span_of
from polyopt.dialects.poly import BATCH, BY_HAND, ReadOp, ScheduleAttr, ScopOp, WriteOp
from polyopt.dialects.poly_view import read_scop, write_schedule
from polyopt.ir.fast_math import may_reassociate
from polyopt.poly.dependences import OPERATIONS, Dependences, compute_dependences
from polyopt.poly.isl.budget import BudgetExceeded, budget
from polyopt.poly.legality import check_schedule
from polyopt.poly.scop import Scop
from polyopt.poly.violations import Violation
from polyopt.support.diagnostics import Span
from polyopt.support.effort import part, part_of_function, priced, share
from polyopt.support.record import record

SOURCE_SCHEDULE = "poly.source_schedule"
"""The attribute of a scheduled SCoP that keeps the order of the source. It is a hint, such as
for the order inside tiles; whatever is made from it is checked."""

EXACT = frozenset(
    f"arith.{name}"
    for name in ("addi muli maxsi minsi maxui minui andi ori xori maximumf minimumf".split())
)
"""Operators whose updates give the same result in every order, to the last bit."""


@record
class Problem:
    """`scop` names only reductions that may be reordered; `dependences` do not order them.

    Not `is_understood`: what depends on what costs more than its budget. Then every instance
    depends on all before it, or, where even these are too dear, on every other: the order of the
    source stays, and no loop is parallel.
    """

    op: ScopOp
    scop: Scop
    dependences: Dependences
    is_understood: bool = True

    @property
    def span(self) -> Span | None:
        return place_of(self.op, self.scop)

    @property
    def source_schedule(self) -> isl.Schedule:
        """The order of the source."""
        kept = self.op.attributes.get(SOURCE_SCHEDULE)
        return kept.schedule() if isinstance(kept, ScheduleAttr) else self.scop.schedule

    def effort(self) -> AbstractContextManager[None]:
        """What is done in it is paid from the account of the function around."""
        return effort_around(self.op)

    def violations(self, schedule: isl.Schedule) -> list[Violation]:
        if not self.is_understood and schedule.plain_is_equal(self.scop.schedule):
            return []
        return check_schedule(self.scop, self.dependences, schedule)

    def accept(self, schedule: isl.Schedule) -> None:
        """Make `schedule`, which has been proved legal, that of the SCoP."""
        source = self.op.attributes.get(SOURCE_SCHEDULE, self.op.schedule)
        write_schedule(self.op, schedule)
        if source != self.op.schedule:
            self.op.attributes[SOURCE_SCHEDULE] = source
        _keep(self.op, _texts(self.op, self.scop), self.dependences)


def place_of(op: ScopOp, scop: Scop) -> Span | None:
    """Where `op`, which describes `scop`, stands in the source."""
    return span_of(op) or scop.span


def problems_in(module: ModuleOp) -> Iterator[Problem]:
    for op in operations_in(module, ScopOp):
        yield read_problem(op)


def open_problems_in(module: ModuleOp) -> Iterator[Problem]:
    return map(read_problem, open_scops_in(module))


def open_scops_in(module: ModuleOp) -> Iterator[ScopOp]:
    """Those whose order nobody has chosen by hand, and that need not keep the source's."""
    chosen = (BY_HAND, BATCH)
    return (op for op in operations_in(module, ScopOp) if not op.attributes.keys() & chosen)


def read_permitted(op: ScopOp) -> Scop:
    """That of the problem, for who may not need to know what depends on what."""
    return _permitted(read_scop(op), may_reassociate(op))


def read_problem(op: ScopOp) -> Problem:
    scop = read_permitted(op)
    key = _texts(op, scop)
    dependences = _kept_around(op).get(key)
    if dependences is None:
        try:
            what = f"what depends on what in {scop.name!r}"
            with effort_around(op), part(what, OPERATIONS):
                dependences = compute_dependences(scop, reassociate=True)
        except BudgetExceeded:
            return Problem(op, scop, _everything(scop), is_understood=False)
        _keep(op, key, dependences)
    return Problem(op, scop, dependences, is_understood=dependences.precision != "order")


@contextmanager
def effort_around(op: Operation) -> Generator[None]:
    """The account of the function that the operation stands in; of a static control part, at the
    price of its subscripts."""
    around = op
    while not isinstance(around, func.FuncOp) and (parent := around.parent_op()) is not None:
        around = parent
    name = around.sym_name.data if isinstance(around, func.FuncOp) else ""
    price = PRICE if isinstance(op, ScopOp) and _most_pairs(op) > MOST_PAIRS else 1
    with part_of_function(name), priced(price):
        yield


@contextmanager
def limited(op: Operation, topic: str, operations: int) -> Generator[None]:
    """The phase in the body has so many of isl's operations for all that it asks about `op`, of
    those that its function has left; then it is BudgetExceeded."""
    with effort_around(op), share(topic, operations), budget(topic, operations):
        yield


MOST_PAIRS = 32
PRICE = 16
"""An operation of isl's on what has more pairs takes 2 to 20 microseconds, on others 0.1 to 0.3."""


def _most_pairs(op: ScopOp) -> int:
    """Of the array with most of them, what it takes to compare each write with each access: the
    cases of the quotients in both, and in the conditions under which they run."""
    accesses = dict[SSAValue, list[tuple[bool, int]]]()
    for statement in op.statements():
        conditions = _conditions(statement.domain.data)
        for inner in operations_in(statement, ReadOp, WriteOp):
            own = isinstance(inner, WriteOp), _cases(inner.relation.data) + conditions
            accesses.setdefault(inner.array, []).append(own)
    return max(map(_pairs, accesses.values()), default=0)


_PARITY = re.compile(
    r"floor\(\((?:{0})\)/\d\)|\((?:{0})\) mod \d(?!\d)".format(
        r"(?:-?\d+ [+-] )?-?[A-Za-z_][\w']*(?: [+-] \d+)?"
    )
)
"""What one variable leaves behind a number of one digit, as in `(1 + y) mod 2`."""


@lru_cache(maxsize=4096)
def _conditions(domain: str) -> int:
    """Cases of the quotients in a domain, but for one, as where a statement runs in every second
    iteration of two loops together; none where each is about one variable, as where one runs in
    every second iteration of two loops each: such conditions meet or do not."""
    return max(0, _cases(domain) - 1) if _cases(_PARITY.sub("", domain)) else 0


def _pairs(accesses: list[tuple[bool, int]]) -> int:
    writes = [cases for is_write, cases in accesses if is_write]
    return sum((1 << min(own + other, 20)) - 1 for own in writes for _, other in accesses)


@lru_cache(maxsize=4096)
def _cases(relation: str) -> int:
    """How many quotients isl writes into the piece that has most, and the pieces as a power of 2
    where there are any. A range of `7o0` is one."""
    pieces = re.split(r" or |; ", relation)
    most = max(map(_quotients, pieces))
    return most and most + (len(pieces) - 1).bit_length()


def _quotients(piece: str) -> int:
    floors = set(re.findall(r"floor\(\(?[^()]*\)", piece))
    return len(floors) + piece.count(" mod ") + len(set(re.findall(r"\d(o\d+)", piece)))


def _everything(scop: Scop) -> Dependences:
    none = isl.UnionMap.empty(scop.context.get_space())
    pairs = isl.UnionMap.from_domain_and_range(scop.domain, scop.domain)
    return Dependences(pairs, none, none, none, none, True, "order")


def _permitted(scop: Scop, any_order: bool) -> Scop:
    """`scop` without the reductions whose result depends on their order."""
    if any_order:
        return scop
    return replace(
        scop,
        statements=tuple(
            replace(one, reductions=tuple(r for r in one.reductions if r.operator in EXACT))
            for one in scop.statements
        ),
    )


# Dependences by texts

_Key = tuple[object, ...]
_Kept = OrderedDict[_Key, Dependences]
_kept: WeakKeyDictionary[Operation, _Kept] = WeakKeyDictionary()
_CAPACITY = 1024
"""Two for each SCoP of a large module, the order of the source and the one chosen: passes go
through them in turn, so one too few loses all."""


def _texts(op: ScopOp, scop: Scop) -> _Key:
    """All that the dependences depend on."""
    accesses = tuple(
        (type(inner), op.array_name(inner.array), inner.relation, inner.may)
        for inner in operations_in(op, ReadOp, WriteOp)
    )
    return (
        op.context,
        op.assumed,
        op.schedule,
        tuple((one.stmt_name, one.domain, len(one.body.block.args)) for one in op.statements()),
        tuple(one.reductions for one in scop.statements),
        accesses,
    )


def copy_known(module: ModuleOp) -> ModuleOp:
    """A copy of the module, of which is known what is known of it."""
    copy = module.clone()
    _kept[copy] = OrderedDict(_kept.get(module, {}))
    return copy


def _kept_around(op: Operation) -> _Kept:
    """What is kept for the outermost module around `op`, and is gone with it."""
    while (parent := op.parent_op()) is not None:
        op = parent
    return _kept.setdefault(op, OrderedDict())


def _keep(op: Operation, key: _Key, dependences: Dependences) -> None:
    kept = _kept_around(op)
    kept[key] = dependences
    if len(kept) > _CAPACITY:
        kept.popitem(last=False)
