"""Vectors of integers of 64 bits divided by a constant, through floating-point numbers.

LLVM has no high halves of products of 64 bits in vectors: it takes the lanes one by one, twelve
instructions each. A CPU that converts such integers (AVX-512) estimates the quotient. Of u, without
sign, by c, with numbers of 53 bits, in whatever direction the machine rounds,

    q = trunc(double(u) * (1 / c))       is less than 12289 / c from u / c,

so r = u - q * c is between -c and 2 c where c is not less than 2^14. As a number without sign, r
below zero is greater than r + c, and r below c less than r - c:

    rest = umin(r', r' - c), r' = umin(r, r + c)

The quotient is corrected where the rest was. Of a lesser c, r and a multiple of c that r is not
less than the negative of have 17 bits, which a product of 32 bits divides. Numbers with signs are
divided as what they are without, and get the sign of the dividend.
"""

from __future__ import annotations

import struct

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64

from polyopt.backend.emit.function import FunctionEmitter
from polyopt.backend.emit.llvm_types import llvm_type
from polyopt.dialects.pvec_lanes import lanes_of
from polyopt.dialects.shaped_types import is_vector
from polyopt.ir.effects import constant_in_all_lanes
from polyopt.support.core_model import CORE

Division = arith.DivSIOp | arith.DivUIOp | arith.RemSIOp | arith.RemUIOp
_EXACT_FROM = 1 << 14
_GREATEST_ERROR = 12289
_HALF = 1 << 32


def emit_wide_division(f: FunctionEmitter, op: Division) -> bool:
    """False where LLVM's own way is as good: of powers of two, or what is no constant."""
    type_, by = op.result.type, _divisor(op)
    if by is None or f.module.options.target().vector_bits < CORE.nests.converting_bits:
        return False
    _Writer(f, llvm_type(type_), lanes_of(op.result), by).write(op)
    return True


def _divisor(op: Division) -> int | None:
    type_ = op.result.type
    if not is_vector(type_) or type_.element_type != i64:
        return None
    by = constant_in_all_lanes(op.rhs)
    return by if by is not None and 2 < by < 1 << 62 and by & (by - 1) else None


class _Writer:
    def __init__(self, f: FunctionEmitter, type_: str, lanes: int, by: int):
        self.f, self.type, self.floats = f, type_, f"<{lanes} x double>"
        self.lanes, self.by = lanes, by
        self.divisor = _all(by)
        self.reciprocal = f"splat (double 0x{struct.pack('>d', 1 / by).hex()})"

    def write(self, op: Division) -> None:
        is_signed = isinstance(op, (arith.DivSIOp, arith.RemSIOp))
        value = self.f.value(op.lhs)
        sign = self._of("ashr", value, _all(63)) if is_signed else ""
        size = self._magnitude(value) if is_signed else value
        quotient, rest = self._estimate(size)
        exact = self._of_great if self.by >= _EXACT_FROM else self._of_small
        is_quotient = isinstance(op, (arith.DivSIOp, arith.DivUIOp))
        found = exact(quotient, rest, is_quotient=is_quotient)
        if is_signed:
            found = self._of("sub", self._of("xor", found, sign), sign)
        self.f.bind(op.result, found)

    def _estimate(self, value: str) -> tuple[str, str]:
        """About how often the divisor is in it, and what that leaves."""
        f, floats = self.f, self.floats
        number = f.temp(f"uitofp {self.type} {value} to {floats}")
        share = f.temp(f"fmul {floats} {number}, {self.reciprocal}")
        quotient = f.temp(f"fptoui {floats} {share} to {self.type}")
        return quotient, self._of("sub", value, self._of("mul", quotient, self.divisor))

    def _of_great(self, quotient: str, rest: str, *, is_quotient: bool) -> str:
        if not is_quotient:
            rest = self._least(rest, self._of("add", rest, self.divisor))
            return self._least(rest, self._of("sub", rest, self.divisor))
        f, mask = self.f, f"<{self.lanes} x i1>"
        is_less = f.temp(f"icmp slt {self.type} {rest}, zeroinitializer")
        is_more = f.temp(f"icmp sge {self.type} {rest}, {self.divisor}")
        less = f.temp(f"sext {mask} {is_less} to {self.type}")
        more = f.temp(f"sext {mask} {is_more} to {self.type}")
        return self._of("sub", self._of("add", quotient, less), more)

    def _of_small(self, quotient: str, rest: str, *, is_quotient: bool) -> str:
        times = -(-_GREATEST_ERROR // self.by)
        natural = self._of("add", rest, _all(times * self.by))
        low = self._of("and", natural, _all(_HALF - 1))
        product = self._of("mul", low, _all(-(-_HALF // self.by)))
        more = self._of("lshr", product, _all(32))
        if is_quotient:
            return self._of("add", quotient, self._of("sub", more, _all(times)))
        return self._of("sub", low, self._of("mul", more, self.divisor))

    def _of(self, operation: str, left: str, right: str) -> str:
        return self.f.temp(f"{operation} {self.type} {left}, {right}")

    def _least(self, left: str, right: str) -> str:
        name = f"llvm.umin.v{self.lanes}i64"
        function = self.f.module.intrinsic(name, self.type, f"{self.type}, {self.type}")
        return self.f.temp(f"call {self.type} {function}({self.type} {left}, {self.type} {right})")

    def _magnitude(self, value: str) -> str:
        """Of the least number, too, without sign."""
        name = f"llvm.abs.v{self.lanes}i64"
        function = self.f.module.intrinsic(name, self.type, f"{self.type}, i1")
        return self.f.temp(f"call {self.type} {function}({self.type} {value}, i1 false)")


def _all(number: int) -> str:
    return f"splat (i64 {number})"
