"""Integer expressions as operations on index values."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import reduce
from itertools import pairwise

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    i1,
    i64,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from polyopt.dialects import cmem
from polyopt.dialects.shaped_types import is_memref
from polyopt.ir.control.equal_values import Known
from polyopt.ir.control.loops import NaturalLoop
from polyopt.ir.expressions.expression_text import text
from polyopt.ir.expressions.integer_expr import (
    Atom,
    Both,
    Choice,
    Compare,
    Condition,
    Counter,
    Either,
    Expr,
    Extremum,
    Flag,
    Floor,
    Monomial,
    Quotient,
    Truth,
    Unknown,
    Wrapped,
)
from polyopt.support.index_width import INDEX_BITS, NEAR_THE_END

INDEX = IndexType()
WIDE = IntegerType(2 * INDEX_BITS)


class ExpressionCode:
    """Emit expressions at the end of `block`. `value_of` gives the value at hand for an SSA
    value that an expression mentions, `iterator_of` the index of a loop's iterator."""

    def __init__(
        self,
        block: Block,
        location: LocationAttr,
        value_of: Callable[[SSAValue], SSAValue] = lambda value: value,
        iterator_of: Callable[[NaturalLoop], SSAValue] | None = None,
    ):
        self.block = block
        self.location = location
        self._value_of = value_of
        self._iterator_of = iterator_of
        self._known = Known[SSAValue]()

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Emit in a nested block: what is computed there is not known outside."""
        around = self.block, self._known
        self.block, self._known = block, self._known.nested()
        yield
        self.block, self._known = around

    def index(self, expr: Expr) -> SSAValue:
        """The value of an expression, as an index."""
        return self._known.once(("sum", expr), lambda: self._sum(expr))

    def typed(self, expr: Expr, type: Attribute) -> SSAValue:
        """The value of an expression in an integer type that it fits into."""
        value = self.index(expr)
        return value if type == INDEX else self.add(arith.IndexCastOp(value, type))

    def condition(self, condition: Condition) -> SSAValue:
        """A condition as an i1."""
        match condition:
            case Truth(holds):
                return self.add(arith.ConstantOp(IntegerAttr(-1 if holds else 0, i1)))
            case Flag(value, expected):
                flag = self._value_of(value)
                if expected:
                    return flag
                return self.add(arith.XOrIOp(flag, self.condition(Truth(True))))
            case Both(left, right):
                return self.add(arith.AndIOp(self.condition(left), self.condition(right)))
            case Either(left, right):
                return self.add(arith.OrIOp(self.condition(left), self.condition(right)))
            case Compare(relation, term):
                predicate = {"<": "slt", "<=": "sle", "==": "eq", "!=": "ne"}[relation]
                positive = Expr({m: f for m, f in term.terms.items() if f > 0})
                negative = positive - term
                number = self._wide if abs(term.constant_term) >= NEAR_THE_END else self.index
                return self.add(arith.CmpiOp(number(positive), number(negative), predicate))

    def disjoint(self, a: tuple[Expr, Expr], b: tuple[Expr, Expr]) -> SSAValue:
        """An i1: of two ranges [start, end) one ends before the other starts."""
        left = arith.CmpiOp(self.index(a[1]), self.index(b[0]), "sle")
        right = arith.CmpiOp(self.index(b[1]), self.index(a[0]), "sle")
        return self.add(arith.OrIOp(self.add(left), self.add(right)))

    def constant(self, number: int) -> SSAValue:
        def make() -> SSAValue:
            return self.add(arith.ConstantOp(IntegerAttr(number, INDEX)))

        return self._known.once(("constant", number), make)

    def _sum(self, expr: Expr) -> SSAValue:
        total: SSAValue | None = None
        for monomial, factor in sorted(expr.terms.items(), key=lambda item: item[1] < 0):
            if not monomial:
                continue
            product = self._product(monomial)
            if factor < 0 and total is not None:
                total = self.add(arith.SubiOp(total, self._scaled(product, -factor)))
                continue
            term = self._scaled(product, factor)
            total = term if total is None else self.add(arith.AddiOp(total, term))
        if total is None:
            return self.constant(expr.constant_term)
        if not expr.constant_term:
            return total
        return self.add(arith.AddiOp(total, self.constant(expr.constant_term)))

    def _wide(self, expr: Expr) -> SSAValue:
        """The value of an expression of indices, exactly: no sum of products of two can be too
        great."""
        total: SSAValue | None = None
        for monomial, factor in expr.terms.items():
            parts = [self._widened(self._known_atom(atom)) for atom in _in_order(monomial)]
            if factor != 1 or not parts:
                parts.append(self.add(arith.ConstantOp(IntegerAttr(factor, WIDE))))
            one = reduce(lambda a, b: self.add(arith.MuliOp(a, b)), parts)
            total = one if total is None else self.add(arith.AddiOp(total, one))
        return self.add(arith.ConstantOp(IntegerAttr(0, WIDE))) if total is None else total

    def _widened(self, value: SSAValue) -> SSAValue:
        return self.add(arith.ExtSIOp(self.add(arith.IndexCastOp(value, i64)), WIDE))

    def _scaled(self, value: SSAValue, factor: int) -> SSAValue:
        if factor == 1:
            return value
        return self.add(arith.MuliOp(value, self.constant(factor)))

    def _product(self, monomial: Monomial) -> SSAValue:
        first, *others = (self._known_atom(atom) for atom in _in_order(monomial))
        for other in others:
            first = self.add(arith.MuliOp(first, other))
        return first

    def _known_atom(self, atom: Atom) -> SSAValue:
        return self._known.once(("atom", atom), lambda: self._atom(atom))

    def _atom(self, atom: Atom) -> SSAValue:
        match atom:
            case Unknown(value, is_signed):
                return self._as_index(self._value_of(value), is_signed)
            case Counter(loop):
                assert self._iterator_of is not None
                return self._iterator_of(loop)
            case Floor(term, divisor):
                divide = arith.DivUIOp if _is_unsigned_index(term) else arith.FloorDivSIOp
                return self.add(divide(self.index(term), self.constant(divisor)))
            case Quotient(term, divisor):
                return self.add(arith.DivSIOp(self.index(term), self.constant(divisor)))
            case Extremum(is_max, terms):
                first, *others = (self.index(term) for term in terms)
                operation = arith.MaxSIOp if is_max else arith.MinSIOp
                for other in others:
                    first = self.add(operation(first, other))
                return first
            case Choice(condition, then, orelse):
                chosen = arith.SelectOp(
                    self.condition(condition), self.index(then), self.index(orelse)
                )
                return self.add(chosen)
            case Wrapped(term, bits, is_signed):
                return self._reduced(self.index(term), bits, is_signed)
            case _:
                raise AssertionError(f"not affine: {Expr.of(atom)}")

    def _reduced(self, value: SSAValue, bits: int, is_signed: bool) -> SSAValue:
        """The number of a machine type that is congruent: arithmetic on indices does not wrap
        where that of the type does."""
        if bits >= INDEX_BITS:
            return value
        cut = self.add(arith.IndexCastOp(value, IntegerType(bits)))
        return self._as_index(cut, is_signed)

    def _as_index(self, value: SSAValue, is_signed: bool) -> SSAValue:
        if value.type == INDEX:
            return value
        if is_memref(value.type):
            zeros = [self.constant(0)] * value.type.get_num_dims()
            value = self.add(cmem.AddressOp(value, zeros))
        if isinstance(value.type, LLVMPointerType):
            value = self.add(cmem.PtrToIntOp(value))
        elif value.type == i1 or not is_signed:
            assert isa(value.type, IntegerType)
            value = self.add(arith.ExtUIOp(value, i64))
        cast = self.add(arith.IndexCastOp(value, INDEX))
        cast.name_hint = value.name_hint
        return cast

    def add(self, op: Operation) -> SSAValue:
        op.location = self.location
        self.block.add_op(op)
        return op.results[0]


def _is_unsigned_index(term: Expr) -> bool:
    """A number of the size of an index, whose greatest bit is no sign."""
    atom = term.as_atom
    return isinstance(atom, Wrapped) and atom.bits >= INDEX_BITS and not atom.is_signed


def _in_order(monomial: Monomial) -> list[Atom]:
    """By name, and of one name by where the values come from: an expression keeps its atoms by
    their hashes, which differ from run to run."""
    named = sorted(monomial, key=_name)
    if all(_name(one) != _name(other) for one, other in pairwise(named)):
        return named
    return sorted(named, key=lambda one: (_name(one), _origin(one)))


def _origin(atom: Atom) -> tuple[str, tuple[int, ...]]:
    """What the atom says, and the way from the root of the IR to the value that it is."""
    if not isinstance(atom, Unknown):
        return text(Expr.of(atom)), ()
    value = atom.value
    assert isinstance(value, OpResult | BlockArgument)
    return "", (*_way_to(value.owner), value.index, int(atom.is_signed))


def _way_to(one: Operation | Block) -> tuple[int, ...]:
    inside = one.parent
    if inside is None:
        return ()
    if isinstance(inside, Region):
        around = inside.parent
        ways = () if around is None else (*_way_to(around), around.regions.index(inside))
        return (*ways, inside.blocks.index(one)) if isinstance(one, Block) else ways
    return (*_way_to(inside), next(k for k, op in enumerate(inside.ops) if op is one))


def _name(atom: Atom) -> str:
    return atom.value.name_hint or "" if isinstance(atom, Unknown) else ""
