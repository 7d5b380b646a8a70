"""Atomic operations, written out in LLVM IR: `polyopt.atomic.OPERATION.ORDER.ELEMENT`.

    load store exchange               one access of LLVM's
    fetch_add add_fetch …             `atomicrmw` where LLVM has the operation; what the object held
                                      before, or what it holds then
    fetch_mul …                       a comparison and exchange, until nothing came between
    compare_exchange compare_swap     C's, by the address of what is expected; by its value
    fence signal_fence                orders of accesses around it, of threads or of a signal

Orders are C's (C11 7.17.3): `consume` is `acquire`, and one that an access cannot have is the
strictest. LLVM inlines each body at every level.
"""

from __future__ import annotations

from polyopt.backend.emit.machine.machine_vectors import Definition
from polyopt.support.record import entity

PREFIX = "polyopt.atomic."
_ORDERS = {"relaxed": "monotonic", "consume": "acquire"}
_STRICTEST = "seq_cst"
_LOADS = frozenset(("monotonic", "acquire", _STRICTEST))
_STORES = frozenset(("monotonic", "release", _STRICTEST))
_FLOATS = {"f32": "float", "f64": "double"}
_AT_ONCE = frozenset(("add", "sub", "and", "or", "xor", "nand"))
_BY_SIGN = {"div": "sdiv udiv", "rem": "srem urem", "shr": "ashr lshr"}


def definition(symbol: str) -> Definition | None:
    """That of this symbol; None where nothing is known of it."""
    word, order, *rest = symbol.removeprefix(PREFIX).split(".")
    if not rest:
        return Definition(_fence(symbol, word, _ORDERS.get(order, order)), {})
    (element,) = rest
    first, _, second = order.partition("-")
    body = _Body(symbol, element, _ORDERS.get(first, first), _ORDERS.get(second, second))
    operator = word.removeprefix("fetch_").removesuffix("_fetch")
    match word:
        case "load":
            lines = body.load()
        case "store":
            lines = body.store()
        case "exchange":
            lines = body.exchange()
        case "compare_exchange" | "compare_exchange_weak":
            lines = body.compare_exchange("weak " * word.endswith("weak"))
        case "compare_swap":
            lines = body.compare_swap()
        case _ if operator == word:
            return None
        case _:
            gives_new = word.endswith("_fetch")
            is_one = operator in _AT_ONCE and element not in _FLOATS
            change = body.change_at_once if is_one else body.change_in_turns
            lines = change(operator, gives_new=gives_new)
    return Definition(lines, {})


def _fence(symbol: str, word: str, order: str) -> list[str]:
    scope = 'syncscope("singlethread") ' * (word == "signal_fence")
    fence = [] if order == "monotonic" else [f"  fence {scope}{order}"]
    return [f'define internal void @"{symbol}"() alwaysinline nounwind {{', *fence, *_END_OF_VOID]


_END_OF_VOID = ("  ret void", "}", "")


@entity
class _Body:
    """A function on an object of this element; `failing` is the order where a comparison fails."""

    symbol: str
    element: str
    order: str
    failing: str

    @property
    def type(self) -> str:
        if self.element == "pointer":
            return "ptr"
        return _FLOATS.get(self.element, f"i{self.size * 8}")

    @property
    def size(self) -> int:
        return 8 if self.element == "pointer" else int(self.element[1:]) // 8

    @property
    def word(self) -> str:
        """The type of the element's bits, which are compared."""
        return f"i{self.size * 8}" if self.element in _FLOATS else self.type

    @property
    def on_failure(self) -> str:
        """A failed comparison stores nothing."""
        if not self.failing:
            given = {"acq_rel": "acquire", "release": "monotonic"}
            return given.get(self.order, self.order)
        return self.failing if self.failing in _LOADS else _STRICTEST

    def written(self, result: str, parameters: str, *lines: str) -> list[str]:
        head = f'define internal {result} @"{self.symbol}"({parameters}) alwaysinline nounwind {{'
        return [head, *(line if line.endswith(":") else f"  {line}" for line in lines), "}", ""]

    def as_word(self, name: str, value: str) -> str:
        return f"{name} = bitcast {self.type} {value} to {self.word}"

    def as_element(self, name: str, value: str) -> str:
        return f"{name} = bitcast {self.word} {value} to {self.type}"

    def load(self) -> list[str]:
        order = self.order if self.order in _LOADS else _STRICTEST
        loaded = f"%r = load atomic {self.type}, ptr %p {order}, align {self.size}"
        return self.written(self.type, "ptr %p", loaded, f"ret {self.type} %r")

    def store(self) -> list[str]:
        order = self.order if self.order in _STORES else _STRICTEST
        stored = f"store atomic {self.type} %v, ptr %p {order}, align {self.size}"
        return self.written("void", f"ptr %p, {self.type} %v", stored, "ret void")

    def exchange(self) -> list[str]:
        swapped = f"%r = {self.read_and_write('xchg')}"
        return self.written(self.type, f"ptr %p, {self.type} %v", swapped, f"ret {self.type} %r")

    def read_and_write(self, kind: str) -> str:
        return f"atomicrmw {kind} ptr %p, {self.type} %v {self.order}, align {self.size}"

    def compared(self, expected: str, desired: str, weak: str = "") -> str:
        orders = f"{self.order} {self.on_failure}, align {self.size}"
        return f"cmpxchg {weak}ptr %p, {self.word} {expected}, {self.word} {desired} {orders}"

    def compare_exchange(self, weak: str) -> list[str]:
        pair = f"{{ {self.word}, i1 }} %pair"
        return self.written(
            "i32",
            f"ptr %p, ptr %expected, {self.type} %v",
            f"%old = load {self.word}, ptr %expected, align {self.size}",
            self.as_word("%new", "%v"),
            f"%pair = {self.compared('%old', '%new', weak)}",
            f"%seen = extractvalue {pair}, 0",
            f"%done = extractvalue {pair}, 1",
            "br i1 %done, label %end, label %other",
            "other:",
            f"store {self.word} %seen, ptr %expected, align {self.size}",
            "br label %end",
            "end:",
            "%r = zext i1 %done to i32",
            "ret i32 %r",
        )

    def compare_swap(self) -> list[str]:
        return self.written(
            self.type,
            f"ptr %p, {self.type} %expected, {self.type} %v",
            self.as_word("%old", "%expected"),
            self.as_word("%new", "%v"),
            f"%pair = {self.compared('%old', '%new')}",
            f"%seen = extractvalue {{ {self.word}, i1 }} %pair, 0",
            self.as_element("%r", "%seen"),
            f"ret {self.type} %r",
        )

    def change_at_once(self, operator: str, *, gives_new: bool) -> list[str]:
        lines = [f"%old = {self.read_and_write(operator)}"]
        if gives_new:
            lines += self.computed(operator)
        result = "%new" if gives_new else "%old"
        return self.written(
            self.type, f"ptr %p, {self.type} %v", *lines, f"ret {self.type} {result}"
        )

    def change_in_turns(self, operator: str, *, gives_new: bool) -> list[str]:
        pair = f"{{ {self.word}, i1 }} %pair"
        return self.written(
            self.type,
            f"ptr %p, {self.type} %v",
            f"%first = load atomic {self.word}, ptr %p monotonic, align {self.size}",
            "br label %again",
            "again:",
            f"%seen = phi {self.word} [ %first, %0 ], [ %now, %again ]",
            self.as_element("%old", "%seen"),
            *self.computed(operator),
            self.as_word("%changed", "%new"),
            f"%pair = {self.compared('%seen', '%changed', 'weak ')}",
            f"%now = extractvalue {pair}, 0",
            f"%done = extractvalue {pair}, 1",
            "br i1 %done, label %end, label %again",
            "end:",
            f"ret {self.type} {'%new' if gives_new else '%old'}",
        )

    def computed(self, operator: str) -> list[str]:
        """What is stored."""
        if operator == "nand":
            return [f"%both = and {self.type} %old, %v", f"%new = xor {self.type} %both, -1"]
        if self.element in _FLOATS:
            operator = f"f{operator}"
        signed, unsigned = _BY_SIGN.get(operator, f"{operator} {operator}").split()
        operator = unsigned if self.element.startswith("u") else signed
        return [f"%new = {operator} {self.type} %old, %v"]
