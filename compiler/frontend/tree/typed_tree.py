"""The checked program: what the C text means, with every conversion written out.

The checker (`check_*.py`) makes this tree from the syntax; the emitter (`emit_*.py`) makes IR
from it and asks no question of types any more. An expression is a value or, where its class is
an `Lvalue`, designates an object; `Load` turns the latter into the former. The value of an
expression of struct type is the object that holds it. Statements and the program as a whole are
in `typed_statements`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from polyopt.frontend.language.c_types import CType, Member, VariableLength, size_of
from polyopt.frontend.language.extended import Number
from polyopt.support.diagnostics import Span
from polyopt.support.record import entity, record

SymbolKind = Literal["local", "parameter", "global", "function", "enumerator", "typedef"]
Linkage = Literal["none", "internal", "external", "common"]


@entity
class Symbol:
    """What a name denotes. `ir_name` is its symbol in the module where it has one (a static
    local is a global under a name of its own). A parameter or local that is never
    `is_modified` (stored to after its initialisation, or its address taken) is a plain value."""

    name: str
    type: CType
    span: Span
    kind: SymbolKind
    linkage: Linkage = "none"
    ir_name: str = ""
    value: int = 0  # of an enumerator
    alignment: int = 0  # asked for with _Alignas
    is_defined: bool = False
    is_tentative: bool = False
    may_be_common: bool | None = None  # whether it may be one with other files', where that is said
    is_used: bool = False
    uses: int = 0  # how often it is named
    stores: int = 0  # how often only for it, or a part of it, to be stored to
    is_modified: bool = False
    is_register: bool = False  # it has no address, as `register` says
    is_inline: bool = False
    is_noreturn: bool = False
    is_implicit: bool = False  # a function that was called before it was declared
    is_nullable: bool = False  # a parameter that may be null, by its declaration or a comparison
    is_thread_local: bool = False
    is_threadprivate: bool = False  # so too, by `#pragma omp threadprivate`
    marks: dict[str, str] = field(default_factory=dict[str, str])  # attributes, for the linker
    cleanup: Expr | None = None  # the call to make where the variable's scope ends
    initial: Initial | None = None  # of a global
    format: tuple[str, int, int] | None = None  # printf or scanf, where the format and the first
    # argument are
    must_use: bool = False  # its result has to be looked at
    nonnull: frozenset[int] = frozenset()  # the arguments that must not be null, 0 for all pointers
    declared: CType | None = None  # of a parameter: its type before adjustment
    constant: Number | int | None = None  # of a constexpr object that is a number

    @property
    def is_only_set(self) -> bool:
        return self.stores > 0 and self.uses == self.stores


# Expressions


@entity
class Expr:
    type: CType
    span: Span


@record(eq=False)
class ComputedLength(VariableLength):
    value: Expr


@entity
class Lvalue(Expr):
    """An expression that designates an object (or a function)."""


@entity
class IntConst(Expr):
    value: int


@entity
class FloatConst(Expr):
    value: Number


@entity
class ComplexConst(Expr):
    real: Number
    imaginary: Number


@entity
class StringConst(Lvalue):
    """`data` holds the terminating zero."""

    data: bytes


@entity
class Variable(Lvalue):
    """A variable or a function by its name."""

    symbol: Symbol


@entity
class Dereference(Lvalue):
    pointer: Expr


@entity
class Subscript(Lvalue):
    """`base[index]`: the base is an array lvalue or a pointer value; the index an integer. A part
    of a complex lvalue is `base[0]` or `base[1]`."""

    base: Expr
    index: Expr


@entity
class MemberOf(Lvalue):
    """`base.member`, the base a record (an lvalue, or a value that lies in memory)."""

    base: Expr
    member: Member


def variable_of(place: Expr) -> Symbol | None:
    """The variable that a place is, or is a part of."""
    while isinstance(place, MemberOf | Subscript) and isinstance(place.base, Lvalue):
        place = place.base
    return place.symbol if isinstance(place, Variable) else None


@entity
class CompoundLiteral(Lvalue):
    """An unnamed object; for one outside functions `symbol` is a global."""

    symbol: Symbol
    initial: Initial


@entity
class Load(Expr):
    """The value of an lvalue (C 6.3.2.1)."""

    place: Expr


@entity
class PartOf(Expr):
    """The real part of a complex value, or the imaginary one."""

    value: Expr
    is_imaginary: bool


@entity
class AddressOf(Expr):
    """`&place`, and the decay of arrays and functions."""

    place: Expr


@entity
class Convert(Expr):
    """The conversion of a scalar value to the type of this node, or its loss (to void)."""

    value: Expr


@entity
class Unary(Expr):
    """`-` and `~`: the operand has the type of the node; `!`: any scalar type, the node int. The
    `~` of a complex number is its conjugate."""

    operator: str
    operand: Expr


@entity
class Binary(Expr):
    """`* / % + - & | ^` and shifts: the left operand has the type of the node, and but for
    shifts the right one too. Of a complex node one operand may have the type of its parts."""

    operator: str
    left: Expr
    right: Expr


@entity
class Compare(Expr):
    """`== != < > <= >=` of two operands of the same scalar type; the node is int. Complex numbers
    are equal or not, and in no order."""

    operator: str
    left: Expr
    right: Expr


@entity
class Logical(Expr):
    """`&&` and `||`; the node is int."""

    operator: str
    left: Expr
    right: Expr


def left_chain(expr: Binary) -> list[Binary]:
    """The operations that are one another's left operand, the innermost first: sums may be longer
    than functions can call one another."""
    chain = [expr]
    while isinstance(chain[-1].left, Binary):
        chain.append(chain[-1].left)
    return chain[::-1]


def alternatives(expr: Logical) -> list[Expr]:
    """a, b, c of `a && b && c`, or of `a || b || c`."""
    operands = [expr.right]
    left = expr.left
    while isinstance(left, Logical) and left.operator == expr.operator:
        operands.append(left.right)
        left = left.left
    return [left, *reversed(operands)]


@entity
class PointerAdd(Expr):
    """`pointer + index`, or `pointer - index` where `negative`."""

    pointer: Expr
    index: Expr
    negative: bool = False


@entity
class PointerDifference(Expr):
    left: Expr
    right: Expr


@entity
class Conditional(Expr):
    condition: Expr
    if_true: Expr
    if_false: Expr


@entity
class Comma(Expr):
    """The operands in order; the value is the last one's."""

    operands: list[Expr]


@entity
class Assign(Expr):
    place: Expr
    value: Expr


@entity
class Update(Expr):
    """A compound assignment, `++` or `--`. First `operand` is evaluated, then the place, once,
    and loaded; what they gave stands for `right` and `old` in `value`, which is stored. The
    result is the new value, or the old one where `is_postfix`. A constant operand stands in
    `value` itself."""

    place: Expr
    old: Held
    operand: Expr | None
    right: Held | None
    value: Expr
    is_postfix: bool = False


@entity
class Held(Expr):
    """A value that the `Update` around it has computed."""


@entity
class Call(Expr):
    """A call: the callee is a function designator or a pointer to a function; arguments are
    converted, those after `fixed` promoted."""

    callee: Expr
    arguments: list[Expr]
    fixed: int


@entity
class VaStart(Expr):
    """The list at this address begins with the first variable argument of the function."""

    list: Expr


@entity
class VaArg(Expr):
    """The next argument of the list at this address, of the type of the node."""

    list: Expr


@entity
class Let(Expr):
    """`value` is computed first, once, and stands for `held` in `body`, which is the result."""

    held: Held
    value: Expr
    body: Expr


@entity
class Builtin(Expr):
    """An operation that C has no operator for, by GNU's name of it without `__builtin_`."""

    name: str
    operands: list[Expr]


@entity
class SizeOf(Expr):
    """`sizeof` of a variable-length array type; the operand is evaluated (C 6.5.3.4)."""

    measured: CType
    operand: Expr | None = None


# Initialisers


@entity
class InitialItem:
    """A scalar, a record or a string that goes to `offset` bytes into the object; `member` where
    it goes to a bit-field, which tells where in these bytes."""

    offset: int
    type: CType
    value: Expr
    member: Member | None = None


@entity
class Initial:
    """What an initialiser stores, in order; the rest of the object is zero unless it
    `is_scalar`."""

    items: list[InitialItem]
    span: Span
    is_scalar: bool = False

    @property
    def end(self) -> int:
        """The bytes that the items reach over."""
        return max((item.offset + size_of(item.type) for item in self.items), default=0)
