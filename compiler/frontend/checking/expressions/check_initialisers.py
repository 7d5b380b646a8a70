"""Initialisers: which value goes to which byte of an object (C 6.7.9).

Braces, elided braces and designators are resolved here; what is left is a flat list of scalars,
records and strings with their offsets, in the order of the text.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from polyopt.frontend.checking.checker import Checker, span_of
from polyopt.frontend.checking.doubts.doubtful_conversions import CONVERSIONS
from polyopt.frontend.checking.expressions.overriding import Overriding
from polyopt.frontend.checking.operands.check_conversions import assign_conversion
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import (
    ArrayType,
    ComplexType,
    CType,
    IntType,
    Member,
    RecordType,
)
from polyopt.frontend.language.literals import BadLiteral, parse_any_string, parse_integer
from polyopt.frontend.parsing.gnu_nodes import NumberRange
from polyopt.frontend.tree.constants import fold, fold_integer
from polyopt.frontend.tree.expression_effects import has_effect
from polyopt.frontend.tree.typed_tree import (
    ComplexConst,
    CompoundLiteral,
    Expr,
    Initial,
    InitialItem,
    IntConst,
    Load,
    StringConst,
)
from polyopt.support.diagnostics import Span


class Cursor:
    """The items of one pair of braces, and which is next."""

    def __init__(self, nodes: list[c_ast.Node]):
        self.nodes = nodes
        self.position = 0
        self.checked: dict[int, Expr] = {}

    @property
    def next(self) -> c_ast.Node | None:
        return self.nodes[self.position] if self.position < len(self.nodes) else None

    def enter_designation(self) -> list[c_ast.Node]:
        """The designators of the next item; what they designate takes its place."""
        node = self.nodes[self.position]
        assert isinstance(node, c_ast.NamedInitializer)
        self.nodes[self.position] = node.expr
        return list(node.name)


class InitialiserChecker:
    def __init__(self, checker: Checker):
        self.checker = checker
        self.items: list[InitialItem] = []
        self.overriding = Overriding()
        self.place = Span("<unknown>", 1)
        self.lacks_braces = False
        self.is_doubted = False

    def read(self, node: c_ast.Node, type: CType, span: Span) -> tuple[CType, Initial]:
        """The initialiser of an object; an array of unknown length gets its length from it."""
        outer, self.items = self.items, []
        others, self.overriding = self.overriding, Overriding()
        around, self.place = self.place, span
        lacking, self.lacks_braces = self.lacks_braces, False
        self.is_doubted = self.checker.warnings.may_tell(CONVERSIONS)
        if isinstance(type, ArrayType) and type.length is None:
            type = replace(type, length=self._array(node, type, 0))
        else:
            self._object(node, type, 0)
        items, self.items = self.overriding.left(self.items), outer
        self.overriding = others
        if self.lacks_braces:
            message = "braces around the values of an inner array or struct are left out"
            self.checker.warn("missing-braces", message, span)
        self.place, self.lacks_braces = around, lacking
        return type, Initial(items, span, ct.is_scalar(type))

    def check_static(self, initial: Initial) -> None:
        """An object that lives from the start takes constants only; GNU C: or what a literal of a
        struct, or a cast to a union, consists of."""
        initial.items[:] = [part for item in initial.items for part in _parts_of(item)]
        for item in initial.items:
            if isinstance(item.value, StringConst | ComplexConst):
                continue
            if isinstance(item.type, RecordType) or fold(item.value) is None:
                self.checker.error("initialiser is not a constant", item.value.span)

    def _object(
        self, node: c_ast.Node, type: CType, offset: int, field: Member | None = None
    ) -> None:
        """One object, or bit-field, from one initialiser."""
        if field is None and not ct.is_scalar(type):
            is_part = self.overriding.begin(len(self.items), type, offset)
            if is_part and isinstance(node, c_ast.InitList):
                self._zeros(type, offset)
        if isinstance(type, ArrayType):
            self._array(node, type, offset)
        elif isinstance(node, c_ast.InitList):
            self._braces(node, type, offset, field)
        else:
            self._value(self.checker.expressions.value(node), type, offset, field)

    def _array(self, node: c_ast.Node, type: ArrayType, offset: int) -> int:
        """An array; gives how many elements were named."""
        text = node
        if isinstance(node, c_ast.InitList) and len(node.exprs) == 1:
            text = node.exprs[0]
        if _is_string(text) and _holds_characters(type, text):
            return self._string(text, type, offset)
        if not isinstance(node, c_ast.InitList):
            self.checker.error("an array is initialised from a list in braces", node)
        return self._members(Cursor(node.exprs), type, offset, braced=True)

    def _braces(self, node: c_ast.InitList, type: CType, offset: int, field: Member | None) -> None:
        if isinstance(type, RecordType):
            is_named = any(isinstance(item, c_ast.NamedInitializer) for item in node.exprs)
            reached = self._members(Cursor(node.exprs), type, offset, braced=True)
            if not is_named:
                self._doubt_rest(node, type, reached)
            return
        if not node.exprs:
            if not self.checker.options.std.endswith("23"):
                hint = "'{0}', or -std=c23"
                self.checker.error("empty initialiser of a scalar", node, hint)
            self._value(IntConst(ct.INT, span_of(node), 0), type, offset, field)
            return
        if any(isinstance(item, c_ast.NamedInitializer) for item in node.exprs):
            self.checker.error("designator in the initialiser of a scalar", node)
        if len(node.exprs) > 1:
            self.checker.warn("excess-initializers", "excess values in initialiser", node.exprs[1])
        self._object(node.exprs[0], type, offset, field)

    def _doubt_rest(self, node: c_ast.InitList, type: RecordType, reached: int) -> None:
        """Members that no initialiser names; `{0}` says that it is meant."""
        count = _Parts(type).count
        if count is not None and 0 < reached < count and not self._is_zero(node.exprs):
            missing = _Parts(type).at(reached).name
            which = "a member without a name" if missing is None else f"member '{missing}'"
            message = f"no initialiser for {which} of '{ct.unqualified(type)}'"
            self.checker.warn("missing-field-initializers", message, self.place)

    def _is_zero(self, nodes: list[c_ast.Node]) -> bool:
        """Is it what stands between the braces of `{0}`, or a name of that?"""
        match nodes:
            case [c_ast.Constant(value="0")]:
                return True
            case [c_ast.ID()]:
                return fold_integer(self.checker.expressions.value(nodes[0])) == 0
            case _:
                return False

    def _value(self, value: Expr, type: CType, offset: int, field: Member | None) -> None:
        converted = assign_conversion(
            self.checker, value, type, value.span, "initialisation", field
        )
        if field is None:
            self.overriding.begin(len(self.items), type, offset)
        self._store(InitialItem(offset, ct.unqualified(type), converted, field))

    def _store(self, item: InitialItem) -> None:
        self.items.append(item)
        self.overriding.store(item)

    def _zeros(self, type: CType, offset: int, field: Member | None = None) -> None:
        """What of a part of an object is not said is zero, whatever the object had there."""
        parts = None if ct.is_scalar(type) else _Parts(type)
        if parts is None:
            self._value(IntConst(ct.INT, self.place, 0), type, offset, field)
            return
        for position in range(min(parts.count or 0, 1) if parts.is_union else parts.count or 0):
            member = parts.at(position)
            is_field = member.bits is not None
            self._zeros(member.type, offset + member.offset, member if is_field else None)

    def _string(self, node: c_ast.Node, type: ArrayType, offset: int) -> int:
        text = self.checker.expressions.operand(node)
        assert isinstance(text, StringConst)
        data = text.data
        unit = ct.size_of(type.element)
        if isinstance(type.length, int):
            room = unit * type.length
            if len(data) - unit > room:
                self.checker.warn("excess-initializers", f"string is too long for '{type}'", node)
            data = data[:room].ljust(room, b"\0")
        exact = replace(type, length=len(data) // unit)
        text = StringConst(exact, text.span, data)
        self._store(InitialItem(offset, exact, text))
        return len(data) // unit

    def _members(
        self,
        cursor: Cursor,
        type: CType,
        offset: int,
        *,
        braced: bool,
        designation: list[c_ast.Node] | None = None,
    ) -> int:
        """Fill the elements or members in order from the cursor, until the aggregate is full or
        the items are used up; gives how many were reached. Without braces of its own a
        designator ends it: that belongs to an aggregate around."""
        parts = _Parts(type)
        position = reached = 0
        is_table = (
            isinstance(type, ArrayType)
            and isinstance(type.element, IntType)
            and not self.is_doubted
        )
        while True:
            if not designation:
                node = cursor.next
                if node is None:
                    break
                if isinstance(node, c_ast.NamedInitializer):
                    if not braced:
                        break
                    designation = cursor.enter_designation()
                elif is_table and (behind := self._numbers(cursor, type, offset, position)):
                    position, reached = behind, max(reached, behind)
                    continue
            last = None
            if designation:
                position, last = self._designated(designation, type)
            elif parts.count is not None and position >= parts.count:
                if braced:
                    assert cursor.next is not None
                    self.checker.warn(
                        "excess-initializers", "excess values in initialiser", cursor.next
                    )
                break
            member = parts.at(position)
            known, start = len(self.items), offset + member.offset
            whole = not designation
            if designation:
                inside, designation = designation, None
                if not isinstance(member.type, ArrayType | RecordType):
                    self.checker.error("designator in the initialiser of a scalar", inside[0])
                self._members(
                    cursor,
                    member.type,
                    start,
                    braced=False,
                    designation=inside,
                )
            else:
                self._next(cursor, member.type, start, member)
            designation = None
            if last is not None:
                self._repeat(known, last - position, member.type, start if whole else None)
                position = last
            position = parts.after(position)
            reached = max(reached, position)
        return reached

    def _numbers(self, cursor: Cursor, type: CType, offset: int, position: int) -> int:
        """Tables are long: what `_next` does with plain numbers that the elements of an array of
        integers hold as they are, for all that stand in a row. Gives the position behind them, 0
        where none is."""
        assert isinstance(type, ArrayType)
        element = ct.unqualified(type.element)
        assert isinstance(element, IntType)
        count = type.length if isinstance(type.length, int) else len(cursor.nodes) + position
        first = cursor.position
        for number in range(first, min(len(cursor.nodes), first + count - position)):
            value = _plain_number(cursor.nodes[number], element)
            if value is None:
                break
            self._store_plain(value, element, offset + position * element.size)
            position += 1
            cursor.position += 1
        return position if cursor.position > first else 0

    def _store_plain(self, value: Expr, type: IntType, offset: int) -> None:
        self.overriding.begin(len(self.items), type, offset)
        self._store(InitialItem(offset, type, value))

    def _repeat(self, first: int, times: int, type: CType, start: int | None) -> None:
        """`[1 ... 5] = x`: what is known of the first element, for those behind it; of all of
        that, if it has a `start`."""
        items = self.items[first:]
        for item in items:
            if times and isinstance(item.type, ComplexType) and has_effect(item.value):
                message = "a complex value with side effects cannot initialise a range"
                self.checker.error(message, item.value.span)
        for step in range(1, times + 1):
            distance = step * ct.size_of(type)
            if start is not None:
                self.overriding.begin(first, type, start + distance)
            for item in items:
                self._store(_moved(item, item.offset + distance))

    def _next(self, cursor: Cursor, type: CType, offset: int, member: Member) -> None:
        """One object from the next item, or from the next items where braces are elided."""
        field = member if member.bits is not None else None
        node = cursor.next
        assert node is not None
        if field is None and not self.is_doubted and isinstance(type, IntType):
            plain = ct.unqualified(type)
            number = _plain_number(node, plain)
            if number is not None:
                cursor.position += 1
                self._store_plain(number, plain, offset)
                return
        is_text = isinstance(type, ArrayType) and _is_string(node) and _holds_characters(type, node)
        if isinstance(node, c_ast.InitList) or is_text:
            cursor.position += 1
            self._object(node, type, offset, field)
            return
        if isinstance(type, ArrayType):
            self._without_braces(cursor, type, offset)
            return
        if cursor.position not in cursor.checked:
            cursor.checked[cursor.position] = self.checker.expressions.value(node)
        value = cursor.checked[cursor.position]
        if isinstance(type, RecordType) and not isinstance(value.type, RecordType):
            self._without_braces(cursor, type, offset)
            return
        cursor.position += 1
        self._value(value, type, offset, field)

    def _without_braces(self, cursor: Cursor, type: CType, offset: int) -> None:
        """`{0}` says for all of an object that it is meant."""
        self.lacks_braces = self.lacks_braces or not self._is_zero(cursor.nodes)
        self._members(cursor, type, offset, braced=False)

    def _designated(self, designation: list[c_ast.Node], type: CType) -> tuple[int, int | None]:
        """The position that the first designator names, and the last one of a range. It is taken
        off the list, unless it names a member of an anonymous member."""
        designator = designation.pop(0)
        if isinstance(designator, c_ast.ArrayDesignator):
            if not isinstance(type, ArrayType):
                self.checker.error(f"array designator in '{type}', no array", designator)
            if isinstance(designator.expr, NumberRange):
                first = self._index(designator.expr.first, type, designator)
                last = self._index(designator.expr.last, type, designator)
                if last < first:
                    self.checker.error(f"range {first} ... {last} is empty", designator)
                return first, last
            return self._index(designator.expr, type, designator), None
        assert isinstance(designator, c_ast.ID)
        if not isinstance(type, RecordType):
            self.checker.error(f"member designator in '{type}', no struct or union", designator)
        for position, member in enumerate(type.record.members or ()):
            if member.name == designator.name:
                return position, None
            inner = member.type if member.name is None else None
            if isinstance(inner, RecordType) and inner.record.find(designator.name):
                designation.insert(0, designator)
                return position, None
        self.checker.error(f"'{type}' has no member '{designator.name}'", designator)

    def _index(self, node: c_ast.Node, type: ArrayType, designator: c_ast.Node) -> int:
        index = self.checker.expressions.constant(node)
        if index < 0 or (isinstance(type.length, int) and index >= type.length):
            self.checker.error("array designator is outside the array", designator)
        return index


def _moved(item: InitialItem, offset: int) -> InitialItem:
    return InitialItem(offset, item.type, item.value, item.member)


def _parts_of(item: InitialItem) -> list[InitialItem]:
    """What a literal in braces stores, in its place."""
    literal = item.value.place if isinstance(item.value, Load) else None
    if not isinstance(literal, CompoundLiteral) or item.member is not None:
        return [item]
    parts = (_moved(one, item.offset + one.offset) for one in literal.initial.items)
    return [part for one in parts for part in _parts_of(one)]


class _Parts:
    """The elements of an array or the members of a record, by position."""

    def __init__(self, type: CType):
        self.type = type
        self.is_union = isinstance(type, RecordType) and type.record.kind == "union"
        self.members: tuple[Member, ...] = ()
        if isinstance(type, ArrayType):
            self.count = type.length if isinstance(type.length, int) else None
        else:
            assert isinstance(type, RecordType)
            self.members = type.record.members or ()
            self.count = len(self.members)

    def at(self, position: int) -> Member:
        if isinstance(self.type, ArrayType):
            element = self.type.element
            return Member(None, element, position * ct.size_of(element))
        return self.members[position]

    def after(self, position: int) -> int:
        """Only one member of a union is initialised."""
        return len(self.members) if self.is_union else position + 1


def _plain_number(node: c_ast.Node, type: IntType) -> IntConst | None:
    """What is written as digits, as an integer of a type that holds it as it is: no conversion
    that anybody could doubt, but in its type."""
    if not isinstance(node, c_ast.Constant) or "int" not in node.type or node.value[0] == "'":
        return None
    try:
        value, _ = parse_integer(node.value)
    except BadLiteral:
        return None
    if type.is_bool or not type.minimum <= value <= type.maximum:
        return None
    return IntConst(type, span_of(node), value)


def _is_string(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Constant) and node.type == "string"


def _holds_characters(type: ArrayType, text: c_ast.Node) -> bool:
    """Can the array be initialised from this string?"""
    assert isinstance(text, c_ast.Constant)
    wide = text.value.partition('"')[0] not in ("", "u8")
    if not isinstance(type.element, IntType):
        return False
    if not wide:
        return type.element.size == 1
    return type.element.size == parse_any_string(text.value)[1].size
