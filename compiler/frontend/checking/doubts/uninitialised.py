"""Local variables that are read before anything is stored to them.

A path through the body of a function carries what is known of each variable that its declaration
does not initialise: nothing is stored yet, something is, or only some of the paths that meet here
have stored. The first is read: `uninitialized`, on every path. The last is read, where nothing
stands between the meeting and the reading that could keep the bad path away:
`maybe-uninitialized`. A condition between them may be the very one that the store depends on, and
nothing is told. So it is with the first round of a loop, to which nothing is stored yet, where a
later round has stored:

    double s;
    for (…) s += a[i];              maybe-uninitialized
    for (…) { if (i) f(s); s = …; } nothing is told

Of a record or an array it is known only whether something is stored to any part of it, and only
the first is told.

A function with labels, or with constructs of OpenMP, is not looked at. Whose address is taken has
been stored to.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field, fields
from typing import cast

from polyopt.frontend.checking.checker import Checker
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import ArrayType, CType
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_statements import (
    Barrier,
    Block,
    Break,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    EvaluateLengths,
    Function,
    If,
    Instructions,
    Label,
    LoopStatement,
    Return,
    Statement,
    StatementExpression,
    Switch,
)
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Assign,
    Builtin,
    Call,
    Compare,
    Conditional,
    Convert,
    Expr,
    Initial,
    InitialItem,
    Load,
    Logical,
    Lvalue,
    MemberOf,
    Subscript,
    Symbol,
    Unary,
    Update,
    Variable,
)
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity

IDS = ("uninitialized", "maybe-uninitialized")
_NOTHING, _SOME, _UNSURE, _FIRST = "nothing", "some", "unsure", "first"
"""Some paths have stored: told where it is read; and where that may never be reached by others.
Nothing is stored, in the first round of a loop that stores: told in front of conditions."""

State = dict[Symbol, str]


class _CannotSay(Exception):
    pass


@entity
class _Exits:
    """The states that leave a loop or a switch, and those that go on with its next round."""

    breaks: list[State | None] = field(default_factory=list["State | None"])
    rounds: list[State | None] = field(default_factory=list["State | None"])


def doubt_uninitialised(checker: Checker, function: Function) -> None:
    if function.has_labels or not checker.warnings.may_tell(IDS):
        return
    flow = _Flow()
    try:
        flow.run(function.body, {})
    except _CannotSay:
        return
    for symbol, (span, id) in flow.found.items():
        how = "is used" if id == "uninitialized" else "may be used"
        hint = "give it a value where it is declared"
        checker.warn(id, f"variable '{symbol.name}' {how} uninitialized", span, hint)


def _meet(left: State | None, right: State | None, *, told: bool = True) -> State | None:
    """What is known where two paths meet; None is a path that nobody takes."""
    if left is None or right is None:
        return left if right is None else right
    met: State = {}
    for symbol in left.keys() | right.keys():
        one, other = left.get(symbol, ""), right.get(symbol, "")
        if one == other:
            known = one
        elif _UNSURE in (one, other) or _FIRST in (one, other) or not told:
            known = _UNSURE
        else:
            known = _SOME
        if known:
            met[symbol] = known
    return met


def _unsure(state: State | None) -> State | None:
    """Behind a condition it is not known which of the paths goes on."""
    if state is None:
        return None
    return {s: _UNSURE if known in (_SOME, _FIRST) else known for s, known in state.items()}


def _told_again(met: State, entered: State, left: State, right: State) -> State:
    """Both ways of a condition have come to their end, and stored nothing: behind them what was
    to be told in front of it is to be told."""
    back = {s for s, known in entered.items() if known == _SOME}
    back = {s for s in back if left.get(s) == right.get(s) == _UNSURE}
    return met | dict.fromkeys(back, _SOME) if back else met


def _is_followed(type: CType) -> bool:
    """Of a record or an array it is known whether anything has been stored to any part of it."""
    while isinstance(type, ArrayType):
        if not type.length:
            return False
        type = type.element
    return not type.volatile and ct.size_of(type) > 0


def _stored_later(entered: State | None, again: State | None) -> set[Symbol]:
    """What nothing has been stored to before a loop, and something before its next round."""
    if entered is None or again is None:
        return set()
    return {s for s, known in entered.items() if known == _NOTHING and again.get(s) != _NOTHING}


class _Flow:
    """`found`: where each variable is read first, and how sure that is."""

    def __init__(self) -> None:
        self.found: dict[Symbol, tuple[Span, str]] = {}
        self.exits: list[_Exits] = []
        self.silent = 0

    # Statements: the state behind one, None where its end is not reached

    def run(self, node: Statement | None, state: State | None) -> State | None:
        if node is None or state is None:
            return state
        match node:
            case Block(items=items):
                for item in items:
                    state = self.run(item, state)
                return state
            case Evaluate(value=value):
                return self.value(value, state)
            case Declare(symbol=symbol, initial=initial):
                return self._declare(symbol, initial, state)
            case If():
                holds, fails = self.truth(node.condition, state)
                left, right = self.run(node.if_true, holds), self.run(node.if_false, fails)
                if left is None or right is None:
                    return _unsure(_meet(left, right))
                met = _meet(left, right)
                return met if met is None else _told_again(met, state, left, right)
            case LoopStatement() | DoWhile():
                return self._loop(node, state)
            case Switch():
                return self._switch(node, state)
            case Return(value=value):
                if value is not None:
                    self.value(value, state)
                return None
            case Break():
                self.exits[-1].breaks.append(state)
                return None
            case Continue():
                self.exits[-1].rounds.append(state)
                return None
            case Barrier() | Instructions() | EvaluateLengths():
                return state
            case _:
                raise _CannotSay

    def _declare(self, symbol: Symbol, initial: Initial | None, state: State) -> State | None:
        if initial is None:
            if _is_followed(symbol.type) and symbol.cleanup is None:
                return {**state, symbol: _NOTHING}
            return state
        after: State | None = state
        for item in initial.items:
            if not _is_itself(item, symbol):
                after = self.value(item.value, after)
        return after

    def _loop(self, node: LoopStatement | DoWhile, state: State) -> State | None:
        """Twice: what the first round has stored may be read by the second. And the first round
        again, where that is told what it reads of what is stored in it."""
        entered: State | None = state
        self.silent += 1
        _, again = self._round(node, entered)
        self.silent -= 1
        leaving, _ = self._round(node, _meet(entered, again, told=False))
        later = {s for s in _stored_later(entered, again) if ct.is_single(s.type)}
        if later and not self.silent:
            self._round(node, {s: _UNSURE for s in state} | dict.fromkeys(later, _NOTHING), later)
        return leaving

    def _round(
        self,
        node: LoopStatement | DoWhile,
        state: State | None,
        first: Collection[Symbol] = (),
    ) -> tuple[State | None, State | None]:
        """The states behind the loop, and before its next round. `first` are those to which
        nothing is stored before the first, which this is then."""
        self.exits.append(_Exits())
        leaving: State | None = None
        condition = node.condition
        if isinstance(node, LoopStatement) and condition is not None and state is not None:
            state, leaving = self.truth(condition, state)
            if isinstance(condition, Compare) and fold_integer(condition.right) is not None:
                leaving = _unsure_of_all(leaving)
        begun = _unsure(state)
        if first and begun is not None:
            begun = {s: _FIRST if s in first and k == _NOTHING else k for s, k in begun.items()}
        end = self.run(node.body, begun)
        exits = self.exits.pop()
        for one in exits.rounds:
            end = _meet(end, one, told=False)
        if isinstance(node, DoWhile):
            if end is not None:
                end, leaving = self.truth(node.condition, end)
        elif node.step is not None:
            end = self.value(node.step, end)
        for one in exits.breaks:
            leaving = _meet(leaving, one, told=False)
        return leaving, end

    def _switch(self, node: Switch, state: State) -> State | None:
        entered = _unsure(self.value(node.value, state))
        items = node.body.items if isinstance(node.body, Block) else []
        labels = {*node.cases.values(), *(label for _, _, label in node.ranges), node.default}
        if labels - {None, *items}:
            raise _CannotSay  # it is jumped into a loop
        self.exits.append(_Exits())
        end: State | None = None
        for item in items:
            if isinstance(item, Label):
                end = self.run(item.body, _meet(end, entered, told=False))
            else:
                end = self.run(item, end)
        exits = self.exits.pop()
        if node.default is None:
            end = _meet(end, entered, told=False)
        for one in exits.breaks:
            end = _meet(end, one, told=False)
        self._pass_on(exits)
        return end

    def _pass_on(self, exits: _Exits) -> None:
        """A `continue` in a switch is the loop's around it."""
        if exits.rounds:
            self.exits[-1].rounds += exits.rounds

    # Expressions

    def truth(self, value: Expr, state: State) -> tuple[State | None, State | None]:
        """The states where a condition holds, and where it does not."""
        known = fold_integer(value)
        if known is not None:
            return (state, None) if known else (None, state)
        match value:
            case Unary(operator="!", operand=operand):
                holds, fails = self.truth(operand, state)
                return fails, holds
            case Logical(operator=operator, left=left, right=right):
                holds, fails = self.truth(left, state)
                if operator == "&&":
                    both, second = (None, None) if holds is None else self.truth(right, holds)
                    return both, _meet(fails, second)
                first, neither = (None, None) if fails is None else self.truth(right, fails)
                return _meet(holds, first), neither
            case _:
                after = _unsure(self.value(value, state))
                return after, after

    def value(self, expr: Expr | None, state: State | None) -> State | None:
        """Evaluate an expression."""
        if expr is None or state is None:
            return state
        match expr:
            case Convert(type=ct.VoidType(), value=Load(place=Variable())):
                return state
            case Load(place=place):
                after, symbol = self._place(place, state)
                return self._read(symbol, expr.span, after)
            case AddressOf(place=place):
                after, symbol = self._place(place, state)
                return _without(after, symbol)
            case Assign(place=place, value=value):
                after, symbol = self._place(place, self.value(value, state))
                return _without(after, symbol)
            case Update(place=place, operand=operand):
                after, symbol = self._place(place, self.value(operand, state))
                return _without(self._read(symbol, expr.span, after), symbol)
            case Logical():
                holds, fails = self.truth(expr, state)
                return _meet(holds, fails)
            case Conditional(condition=condition, if_true=left, if_false=right):
                holds, fails = self.truth(condition, state)
                return _meet(self.value(left, holds), self.value(right, fails), told=False)
            case StatementExpression(block=block, value=value):
                return self.value(value, self.run(block, state))
            case Variable():
                return state
            case _:
                return self._parts(expr, state)

    def _place(self, place: Expr, state: State | None) -> tuple[State | None, Symbol | None]:
        """Evaluate what says where a place is; and the variable that it is, or is a part of."""
        match place:
            case Variable(symbol=symbol):
                return state, symbol
            case MemberOf(base=base) if isinstance(base, Lvalue):
                return self._place(base, state)
            case Subscript(base=base, index=index) if isinstance(base, Lvalue):
                after, symbol = self._place(base, state)
                return self.value(index, after), symbol
            case _:
                return self.value(place, state), None

    def _parts(self, expr: Expr, state: State | None) -> State | None:
        for each in fields(expr):
            part = getattr(expr, each.name)
            if isinstance(part, Expr):
                state = self.value(part, state)
            elif isinstance(part, list):
                for one in cast("list[object]", part):
                    if isinstance(one, Expr):
                        state = self.value(one, state)
        if isinstance(expr, Call):
            callee = expr.callee
            if isinstance(callee, Variable) and callee.symbol.is_noreturn:
                return None
        if isinstance(expr, Builtin) and expr.name in ("unreachable", "trap"):
            return None
        return state

    def _read(self, symbol: Symbol | None, at: Span, state: State | None) -> State | None:
        if symbol is None or state is None:
            return state
        known = state.get(symbol)
        is_told = known == _NOTHING or (known in (_SOME, _FIRST) and ct.is_single(symbol.type))
        if is_told and not self.silent:
            id = "uninitialized" if known == _NOTHING else "maybe-uninitialized"
            self.found.setdefault(symbol, (at, id))
        return _without(state, symbol)


def _without(state: State | None, symbol: Symbol | None) -> State | None:
    """Something has been stored, or it has been told."""
    if state is None or symbol not in state:
        return state
    return {other: known for other, known in state.items() if other is not symbol}


def _unsure_of_all(state: State | None) -> State | None:
    """The bound is a constant: the loop may be known to run."""
    return None if state is None else dict.fromkeys(state, _UNSURE)


def _is_itself(item: InitialItem, symbol: Symbol) -> bool:
    """`int x = x;` says that it is meant."""
    value = item.value
    return (
        isinstance(value, Load)
        and isinstance(value.place, Variable)
        and value.place.symbol is symbol
    )
