"""GNU C's builtin operations as `arith`, `math` and `cmem`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, IntegerType, i8, i32, i64
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.ir_builder import bit_width
from polyopt.frontend.emission.values.emit_arithmetic import resize
from polyopt.frontend.emission.values.emit_constants import least_normal, real_constant
from polyopt.frontend.language import c_types as ct
from polyopt.frontend.language.c_types import FloatType, IntType, PointerType
from polyopt.frontend.language.ir_types import memref_type, scalar_type
from polyopt.frontend.tree.constants import fold_integer
from polyopt.frontend.tree.typed_tree import Builtin

_STACK_ALIGNMENT = 16


class BuiltinEmitter:
    def __init__(self, emission: Emission):
        self.emission = emission
        self.builder = emission.builder
        self.emitters: dict[str, Callable[[Builtin, list[SSAValue]], SSAValue | None]] = {
            "unreachable": self._unreachable,
            "trap": self._trap,
            "prefetch": self._prefetch,
            "alloca": self._alloca,
            "assume_aligned": self._assume_aligned,
            "frame_address": self._frame_address,
            "return_address": self._frame_address,
            "constant_p": self._is_constant,
            "popcount": self._count,
            "parity": self._count,
            "clz": self._count,
            "ctz": self._count,
            "ffs": self._first_set,
            "clrsb": self._redundant_sign_bits,
            "bswap16": self._swap_bytes,
            "bswap32": self._swap_bytes,
            "bswap64": self._swap_bytes,
            "bswap128": self._swap_bytes,
            "isnan": self._unordered,
            "isunordered": self._unordered,
            "isinf": self._is_infinite,
            "isinf_sign": self._is_infinite,
            "isfinite": self._is_finite,
            "isnormal": self._is_normal,
            "signbit": self._sign_bit,
        }

    def emit(self, expr: Builtin) -> SSAValue | None:
        """The result; None where there is none."""
        values = [self.emission.expressions.value(operand) for operand in expr.operands]
        self.builder.at(expr.span)
        if "_overflow" in expr.name:
            return self._overflow(expr, values)
        return self.emitters[expr.name](expr, values)

    # For the compiler

    def _unreachable(self, expr: Builtin, values: list[SSAValue]) -> None:
        self.builder.stop()

    def _trap(self, expr: Builtin, values: list[SSAValue]) -> None:
        self.builder.add(cmem.TrapOp())
        self.builder.stop()

    def _prefetch(self, expr: Builtin, values: list[SSAValue]) -> None:
        write, term = (fold_integer(one) for one in expr.operands[1:])
        assert write is not None
        assert term is not None
        self.builder.add(cmem.PrefetchOp(values[0], term, write=bool(write)))

    def _alloca(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """Bytes of the stack until the function returns."""
        size = self.builder.index_cast(values[0], signed=True)
        op = memref.AllocaOp.build(
            operands=[[size], []],
            result_types=[memref_type((DYNAMIC_INDEX,), i8)],
            properties={"alignment": IntegerAttr(_STACK_ALIGNMENT, i64)},
        )
        storage = self.builder.add(op).memref
        return self.emission.places.storage_address(storage)

    def _assume_aligned(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """Promised of what the function is passed, if it always comes here; else of nothing."""
        pointer, alignments = values[0], self.emission.alignments
        number = fold_integer(expr.operands[1])
        is_passed = pointer.owner is self.builder.entry
        if is_passed and self.builder.block is self.builder.entry and number is not None:
            alignments[pointer] = max(number, alignments.get(pointer, 1))
        return pointer

    def _frame_address(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        op = cmem.FrameAddressOp(caller=expr.name == "return_address")
        return self.builder.add(op).result

    def _is_constant(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        return self._truth(self.builder.add(cmem.IsConstantOp(values[0])).result)

    # Bits

    def _count(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        from xdsl.dialects import math  # few programs count bits

        kinds = {"clz": math.CountLeadingZerosOp, "ctz": math.CountTrailingZerosOp}
        count = self.builder.add(kinds.get(expr.name, math.CtPopOp)(values[0])).results[0]
        if expr.name == "parity":
            one = self.builder.integer(1, _integer(count))
            count = self.builder.add(arith.AndIOp(count, one)).result
        return resize(self.builder, count, i32)

    def _first_set(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """1 + the number of zeros behind the last one; 0 of 0."""
        (value,) = values
        type = _integer(value)
        zeros = self._count(Builtin(expr.type, expr.span, "ctz", []), values)
        behind = self.builder.add(arith.AddiOp(zeros, self.builder.integer(1, i32))).result
        zero = self.builder.integer(0, type)
        none = self.builder.add(arith.CmpiOp(value, zero, "eq")).result
        return self.builder.add(arith.SelectOp(none, self.builder.integer(0, i32), behind)).result

    def _redundant_sign_bits(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """How many bits behind the sign are the sign too."""
        (value,) = values
        type = _integer(value)
        sign = self.builder.add(
            arith.ShRSIOp(value, self.builder.integer(type.width.data - 1, type))
        ).result
        differing = self.builder.add(arith.XOrIOp(value, sign)).result
        zeros = self._count(Builtin(expr.type, expr.span, "clz", []), [differing])
        return self.builder.add(arith.SubiOp(zeros, self.builder.integer(1, i32))).result

    def _swap_bytes(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        (value,) = values
        type = _integer(value)
        size = type.width.data // 8
        swapped: SSAValue | None = None
        for position in range(size):
            byte = value
            if position:
                count = self.builder.integer(8 * position, type)
                byte = self.builder.add(arith.ShRUIOp(value, count)).result
            byte = self.builder.add(arith.AndIOp(byte, self.builder.integer(0xFF, type))).result
            if position < size - 1:
                count = self.builder.integer(8 * (size - 1 - position), type)
                byte = self.builder.add(arith.ShLIOp(byte, count)).result
            both = None if swapped is None else self.builder.add(arith.OrIOp(swapped, byte)).result
            swapped = byte if both is None else both
        assert swapped is not None
        return swapped

    # Classes of floating-point numbers

    def _truth(self, condition: SSAValue) -> SSAValue:
        return self.builder.add(arith.ExtUIOp(condition, i32)).result

    def _unordered(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        return self._truth(self.builder.add(arith.CmpfOp(values[0], values[-1], "uno")).result)

    def _magnitude(self, expr: Builtin, value: SSAValue) -> SSAValue:
        from xdsl.dialects import math

        return self.builder.add(math.AbsFOp(value)).result

    def _compare_magnitude(
        self, expr: Builtin, value: SSAValue, predicate: str, bound: float
    ) -> SSAValue:
        type = expr.operands[0].type
        limit = real_constant(self.emission, bound, type)
        return self.builder.add(arith.CmpfOp(self._magnitude(expr, value), limit, predicate)).result

    def _is_infinite(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        infinite = self._truth(self._compare_magnitude(expr, values[0], "oeq", float("inf")))
        if expr.name == "isinf":
            return infinite
        negative = self._sign_bit(expr, values)
        minus = self.builder.add(arith.SubiOp(self.builder.integer(0, i32), infinite)).result
        none = self.builder.integer(0, i32)
        below = self.builder.add(arith.CmpiOp(negative, none, "ne")).result
        return self.builder.add(arith.SelectOp(below, minus, infinite)).result

    def _is_finite(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        return self._truth(self._compare_magnitude(expr, values[0], "olt", float("inf")))

    def _is_normal(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        type = expr.operands[0].type
        assert isinstance(type, FloatType)
        least = least_normal(self.emission, type)
        finite = self._compare_magnitude(expr, values[0], "olt", float("inf"))
        magnitude = self._magnitude(expr, values[0])
        large = self.builder.add(arith.CmpfOp(magnitude, least, "oge")).result
        return self._truth(self.builder.add(arith.AndIOp(finite, large)).result)

    def _sign_bit(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """1 where the sign is set, whatever the number is."""
        type = expr.operands[0].type
        assert isinstance(type, FloatType)
        bits = IntegerType(80 if type.size > 8 else 8 * type.size)
        number = self.builder.add(arith.BitcastOp(values[0], bits)).result
        zero = self.builder.integer(0, bits)
        return self._truth(self.builder.add(arith.CmpiOp(number, zero, "slt")).result)

    # Overflow

    def _overflow(self, expr: Builtin, values: list[SSAValue]) -> SSAValue:
        """The exact result, cut to the type asked for, and whether the cut has lost anything."""
        operator, _, question = expr.name.partition("_overflow")
        target = expr.operands[2].type
        if isinstance(target, PointerType):
            target = target.target
        assert isinstance(target, IntType)
        types = [operand.type for operand in expr.operands[:2]]
        # Each sum and product of two integers, and the result, have room in twice the bits.
        wide = IntegerType(2 * max(64, *(8 * ct.size_of(type) for type in (*types, target))))
        left, right = (
            self._widened(value, type, wide) for value, type in zip(values[:2], types, strict=True)
        )
        kind = {"add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp}[operator]
        exact = self.builder.add(kind(left, right)).result
        result = self.builder.add(arith.TruncIOp(exact, IntegerType(target.bits))).result
        again = self._widened(result, target, wide)
        lost = self.builder.add(arith.CmpiOp(again, exact, "ne")).result
        if not question:
            view = self.builder.view(values[2], memref_type((), scalar_type(target)), [])
            self.builder.add(memref.StoreOp.get(result, view, []))
        return self._truth(lost)

    def _widened(self, value: SSAValue, type: ct.CType, to: IntegerType) -> SSAValue:
        assert isinstance(type, IntType)
        extend = arith.ExtSIOp if type.signed else arith.ExtUIOp
        return self.builder.add(extend(value, to)).result


def _integer(value: SSAValue) -> IntegerType:
    return IntegerType(bit_width(value))
