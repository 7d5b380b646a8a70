"""Atomic accesses (C 6.2.6.1, 7.17): what `_Atomic` objects and GNU C's functions for them mean.

    x                   load, sequentially consistent, as all that has no order of its own
    x = v, x += v       store; the new value, of one operation that reads and writes, or where no
                        operation gives what C's conversions ask for, of a load and comparisons
                        and exchanges until nothing came between (C 6.5.16.2)
    __atomic_*, __sync_*, __c11_atomic_*       the same on any object, with orders

Each is the call of a function of its own, `polyopt.atomic.OPERATION.ORDER.ELEMENT`, whose body the
backend writes by LLVM's atomic operations (`emit/machine/atomic_bodies`). To everything between, it
is a function of which nothing is known: no access to memory moves across it, and no loop holds it.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.operands.check_conversions import (
    assign_conversion,
    convert,
    decay,
    mark_modified,
)
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import CType, FloatType, IntType, PointerType
from polyopt.frontend.language.conversions import common_type, promote
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_atomics import (
    ORDERS,
    address_of_place,
    atomic_call,
    fence_call,
)
from polyopt.frontend.tree.typed_statements import (
    Block,
    Declare,
    DoWhile,
    Evaluate,
    StatementExpression,
)
from polyopt.frontend.tree.typed_tree import (
    AddressOf,
    Assign,
    Binary,
    Compare,
    Convert,
    Dereference,
    Expr,
    Held,
    Initial,
    InitialItem,
    IntConst,
    Let,
    Load,
    Symbol,
    Unary,
    Update,
    Variable,
)
from polyopt.support.diagnostics import Span

Arguments = list[c_ast.Node]
Reader = Callable[["_Reading"], Expr]
_ANY = ORDERS[-1]
_WORDS = {"+": "add", "-": "sub", "&": "and", "|": "or", "^": "xor"}
_FURTHER = {"*": "mul", "/": "div", "%": "rem", "<<": "shl", ">>": "shr"}


def update_atomic(place: Expr, operator: str, value: Expr, span: Span, *, is_postfix: bool) -> Expr:
    """`place operator= value`, `++` and `--`, as the one operation that it `is_exact` as."""
    mark_modified(place)
    word = _WORDS.get(operator) or _FURTHER[operator]
    word = f"fetch_{word}" if is_postfix else f"{word}_fetch"
    type = ct.unqualified(place.type)
    return _changed(word, _ANY, address_of_place(place), type, value, span)


def update_in_turns(update: Update) -> Expr:
    """The update of an atomic place, whatever its value: what was seen there is exchanged for
    the value made of it, if it still is there; else once more, with what is there now."""
    type, span = update.type, update.span
    mark_modified(update.place)
    address = Held(PointerType(ct.VOID), span)
    seen, made = (Symbol(name, type, span, "local", is_modified=True) for name in ("seen", "made"))
    loaded = Initial(
        [InitialItem(0, type, atomic_call("load", _ANY, address, [], type, span))], span, True
    )
    old = update.old
    value = Let(type, span, old, convert(_value(seen, span), old.type), update.value)
    expected = AddressOf(PointerType(type), span, Variable(type, span, seen))
    operands = [convert(expected, PointerType(ct.VOID)), _value(made, span)]
    orders = f"{_ANY}-{_ANY}"
    done = atomic_call("compare_exchange_weak", orders, address, operands, type, span, ct.INT)
    make = Evaluate(span, Assign(type, span, Variable(type, span, made), value))
    turns = DoWhile(span, Unary(ct.INT, span, "!", done), make)
    block = Block(span, [Declare(span, seen, loaded), Declare(span, made, None), turns])
    result = _value(seen if update.is_postfix else made, span)
    changed: Expr = StatementExpression(type, span, block, result)
    changed = Let(type, span, address, address_of_place(update.place), changed)
    if update.operand is None or update.right is None:
        return changed
    return Let(type, span, update.right, update.operand, changed)


def _value(symbol: Symbol, span: Span) -> Expr:
    return Load(symbol.type, span, Variable(symbol.type, span, symbol))


def is_exact(operator: str, type: CType, other: CType) -> bool:
    """Whether there is an operation on operands of the object's type that gives what C's on
    converted ones, made the object's type again, does: modulo a power of two sums and words of
    bits do."""
    if operator not in _WORDS and operator not in _FURTHER:
        return False
    if isinstance(type, PointerType):
        return operator in "+-" and ct.is_integer(other)
    if isinstance(type, FloatType):
        return operator in "+-*/" and ct.is_arithmetic(other) and common_type(type, other) == type
    if not isinstance(type, IntType) or type.is_bool or not ct.is_integer(other):
        return False
    if operator in _WORDS or operator == "*":
        return True
    if operator in ("<<", ">>"):
        return promote(type) == type
    return common_type(type, other) == type


def _changed(
    word: str, order: str, address: Expr, type: CType, value: Expr, span: Span, scale: int = 0
) -> Expr:
    """The result of `fetch_add` and its like; pointers go by elements, or by `scale` bytes."""
    if not isinstance(type, PointerType):
        return atomic_call(word, order, address, [convert(value, type)], type, span)
    size = scale or ct.size_of(type.target) if ct.is_complete(type.target) else 1
    count = convert(value, ct.LONG)
    moved = Binary(ct.LONG, span, "*", count, IntConst(ct.LONG, span, size))
    return convert(atomic_call(word, order, address, [moved], ct.LONG, span), type)


class _Reading:
    """A call of one of GNU C's functions, its arguments looked at one after the other."""

    def __init__(self, checker: Checker, node: c_ast.FuncCall, name: str, arguments: Arguments):
        self.checker = checker
        self.node = node
        self.name = name
        self.arguments = arguments
        self.span = span_of(node)
        self.type: CType = ct.VOID
        self.address: Expr = IntConst(ct.INT, self.span, 0)

    def object(self) -> None:
        """The first argument: where the object is."""
        pointer = self.pointer(0)
        assert isinstance(pointer.type, PointerType)
        self.type = ct.unqualified(pointer.type.target)
        if not ct.is_accessed_as_one(self.type):
            self.checker.error(
                f"'{self.name}' of an object of type '{self.type}' is not supported",
                self.arguments[0],
                "numbers of up to 8 bytes and pointers are accessed as one",
            )
        self.address = convert(pointer, PointerType(ct.VOID))

    def pointer(self, position: int) -> Expr:
        value = self.checker.expressions.value(self.arguments[position])
        if not isinstance(value.type, PointerType):
            what = f"argument {position + 1} of '{self.name}'"
            self.checker.error(f"{what} is no pointer", self.arguments[position])
        return value

    def value(self, position: int) -> Expr:
        argument = self.arguments[position]
        value = self.checker.expressions.value(argument)
        what = f"argument {position + 1} of '{self.name}'"
        return assign_conversion(self.checker, value, self.type, span_of(argument), what)

    def behind(self, position: int) -> Dereference:
        """The object of the same type that an argument points to."""
        return Dereference(self.type, self.span, self.pointer(position))

    def order(self, position: int) -> str:
        """That which an argument says; where only the running program knows, the strictest."""
        if position >= len(self.arguments):
            return _ANY
        number = fold_integer(self.checker.expressions.value(self.arguments[position]))
        return ORDERS[number & 7] if number is not None and number & 7 < len(ORDERS) else _ANY

    def call(
        self, word: str, order: str, operands: list[Expr], result: CType | None = None
    ) -> Expr:
        type = result or self.type
        return atomic_call(word, order, self.address, operands, self.type, self.span, type)

    def orders(self, position: int) -> str:
        """Those of a comparison: where it holds, where it does not."""
        return f"{self.order(position)}-{self.order(position + 1)}"


def check_builtin(
    checker: Checker, node: c_ast.FuncCall, name: str, arguments: Arguments
) -> Expr | None:
    """The meaning of a call by this name; None where it is none of these."""
    found = _reader_of(name)
    if found is None:
        return None
    reader, fewest = found
    if len(arguments) < fewest:
        checker.error(f"'{name}' takes {fewest} arguments, not {len(arguments)}", node)
    return reader(_Reading(checker, node, name, arguments))


def knows(name: str) -> bool:
    return _reader_of(name) is not None


def _reader_of(name: str) -> tuple[Reader, int] | None:
    for prefix in ("__atomic_", "__sync_", "__c11_atomic_"):
        if name.startswith(prefix):
            return (_SYNC if prefix == "__sync_" else _ATOMIC).get(name.removeprefix(prefix))
    return None


def _load(call: _Reading) -> Expr:
    call.object()
    return call.call("load", call.order(1), [])


def _load_to(call: _Reading) -> Expr:
    call.object()
    loaded = call.call("load", call.order(2), [])
    return Convert(ct.VOID, call.span, Assign(call.type, call.span, call.behind(1), loaded))


def _store(call: _Reading) -> Expr:
    call.object()
    return call.call("store", call.order(2), [call.value(1)], ct.VOID)


def _store_from(call: _Reading) -> Expr:
    call.object()
    return call.call("store", call.order(2), [decay(call.behind(1))], ct.VOID)


def _initialise(call: _Reading) -> Expr:
    call.object()
    return call.call("store", ORDERS[0], [call.value(1)], ct.VOID)


def _exchange(call: _Reading) -> Expr:
    call.object()
    return call.call("exchange", call.order(2), [call.value(1)])


def _exchange_to(call: _Reading) -> Expr:
    call.object()
    before = call.call("exchange", call.order(3), [decay(call.behind(1))])
    return Convert(ct.VOID, call.span, Assign(call.type, call.span, call.behind(2), before))


def _compare_exchange(call: _Reading) -> Expr:
    call.object()
    expected = convert(call.pointer(1), PointerType(ct.VOID))
    by_address = call.name == "__atomic_compare_exchange"
    desired = decay(call.behind(2)) if by_address else call.value(2)
    is_weak = call.name.endswith("weak")
    orders = call.orders(3 if call.name.startswith("__c11") else 4)
    word = "compare_exchange_weak" if is_weak else "compare_exchange"
    return convert(call.call(word, orders, [expected, desired], ct.INT), ct.BOOL)


def _change(word: str) -> Reader:
    def read(call: _Reading) -> Expr:
        call.object()
        scale = 0 if call.name.startswith("__c11") else 1
        is_number = isinstance(call.type, IntType) and not call.type.is_bool
        is_moved = isinstance(call.type, PointerType) and word.replace("fetch", "") in (
            "_add",
            "_sub",
            "add_",
            "sub_",
        )
        if not (is_number or is_moved):
            call.checker.error(f"'{call.name}' of an object of type '{call.type}'", call.node)
        value = call.checker.expressions.value(call.arguments[1])
        if not ct.is_integer(value.type):
            call.checker.error(f"argument 2 of '{call.name}' is no integer", call.arguments[1])
        order = _ANY if call.name.startswith("__sync_") else call.order(2)
        return _changed(word, order, call.address, call.type, value, call.span, scale)

    return read


def _test_and_set(call: _Reading) -> Expr:
    call.address, call.type = convert(call.pointer(0), PointerType(ct.VOID)), ct.BOOL
    one = IntConst(ct.BOOL, call.span, 1)
    return call.call("exchange", call.order(1), [one])


def _clear(call: _Reading) -> Expr:
    call.address, call.type = convert(call.pointer(0), PointerType(ct.VOID)), ct.BOOL
    return call.call("store", call.order(1), [IntConst(ct.BOOL, call.span, 0)], ct.VOID)


def _fence(kind: str) -> Reader:
    return lambda call: fence_call(kind, call.order(0), call.span)


def _is_lock_free(call: _Reading) -> Expr:
    size = fold_integer(call.checker.expressions.value(call.arguments[0]))
    return IntConst(ct.BOOL, call.span, int(size in (1, 2, 4, 8)))


def _swap_value(call: _Reading) -> Expr:
    call.object()
    return call.call("compare_swap", f"{_ANY}-{_ANY}", [call.value(1), call.value(2)])


def _swap_if(call: _Reading) -> Expr:
    call.object()
    expected = Held(call.type, call.span)
    before = call.call("compare_swap", f"{_ANY}-{_ANY}", [expected, call.value(2)])
    same = Compare(ct.INT, call.span, "==", before, expected)
    return Let(ct.BOOL, call.span, expected, call.value(1), convert(same, ct.BOOL))


def _lock(call: _Reading) -> Expr:
    call.object()
    return call.call("exchange", "acquire", [call.value(1)])


def _unlock(call: _Reading) -> Expr:
    call.object()
    nothing = convert(IntConst(ct.INT, call.span, 0), call.type)
    return call.call("store", "release", [nothing], ct.VOID)


_CHANGES = ("add", "sub", "and", "or", "xor", "nand")
_ATOMIC: dict[str, tuple[Reader, int]] = {
    **{f"fetch_{word}": (_change(f"fetch_{word}"), 2) for word in _CHANGES},
    **{f"{word}_fetch": (_change(f"{word}_fetch"), 2) for word in _CHANGES},
    "load_n": (_load, 1),
    "load": (_load_to, 3),
    "store_n": (_store, 2),
    "store": (_store_from, 3),
    "init": (_initialise, 2),
    "exchange_n": (_exchange, 2),
    "exchange": (_exchange_to, 4),
    "compare_exchange_n": (_compare_exchange, 6),
    "compare_exchange": (_compare_exchange, 6),
    "compare_exchange_strong": (_compare_exchange, 5),
    "compare_exchange_weak": (_compare_exchange, 5),
    "test_and_set": (_test_and_set, 1),
    "clear": (_clear, 1),
    "thread_fence": (_fence("fence"), 1),
    "signal_fence": (_fence("signal_fence"), 1),
    "is_lock_free": (_is_lock_free, 1),
    "always_lock_free": (_is_lock_free, 1),
}
_SYNC: dict[str, tuple[Reader, int]] = {
    **{f"fetch_and_{word}": (_change(f"fetch_{word}"), 2) for word in _CHANGES},
    **{f"{word}_and_fetch": (_change(f"{word}_fetch"), 2) for word in _CHANGES},
    "val_compare_and_swap": (_swap_value, 3),
    "bool_compare_and_swap": (_swap_if, 3),
    "lock_test_and_set": (_lock, 2),
    "lock_release": (_unlock, 1),
    "synchronize": (_fence("fence"), 0),
}
