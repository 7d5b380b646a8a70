"""Whether LLVM shall make vectors of straight code.

Superword-level parallelism (S. Larsen and S. Amarasinghe, PLDI 2000): equal operations side by side
become one on a vector. LLVM counts operations. It does not count how long values take from the
integer registers to the vectors' and back, nor that a vector which is read from two words that have
just been written waits until both have left the store buffer. Where words are rotated rather than
computed with as floating-point numbers (hashes, ciphers, checksums), that decides: a round waits
for the one before, each rotation is one instruction on an integer register, and the words change
places between rounds. So does it where parts of words say what is looked up in tables (AES, sliced
checksums, prefix codes): shifted side by side in a vector, each part has to come out of it again to
be a place in memory.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr, ModuleOp
from xdsl.ir import SSAValue

_JOINS = (arith.OrIOp, arith.XOrIOp, arith.AddiOp)
_CONVERSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp)
_COMPUTES = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp)


def takes_words_apart(module: ModuleOp) -> bool:
    """Whether `module` has more rotations of integers, and loads of places that are parts of
    integers, than operations on floating-point numbers."""
    apart = 0
    computations = 0
    for operation in module.walk():
        if isinstance(operation, _JOINS):
            apart += _is_rotation(operation.lhs, operation.rhs)
        elif isinstance(operation, memref.LoadOp):
            apart += any(_is_upper_part(place) for place in operation.indices)
        elif isinstance(operation, _COMPUTES):
            computations += 1
    return apart > computations


def _is_upper_part(place: SSAValue) -> bool:
    """Whether it is a word without so many of its lower bits, or some of what is left of it."""
    owner = _converted(place).owner
    if isinstance(owner, arith.AndIOp):
        owner = _converted(owner.lhs).owner
    return isinstance(owner, arith.ShRUIOp) and _number(owner.rhs) is not None


def _converted(value: SSAValue) -> SSAValue:
    """What conversions between integers were made of."""
    while isinstance(owner := value.owner, _CONVERSIONS):
        value = owner.input
    return value


def _is_rotation(one: SSAValue, other: SSAValue) -> bool:
    """Whether the bits that one operand lost on its left are those that the other one holds on its
    right, or the reverse: shifts by `n` and by the width less `n`. That both are of one value is
    not asked: it may have been read twice."""
    left, right = one.owner, other.owner
    if isinstance(left, arith.ShRUIOp):
        left, right = right, left
    if not isinstance(left, arith.ShLIOp) or not isinstance(right, arith.ShRUIOp):
        return False
    word = one.type
    return isinstance(word, FixedBitwidthType) and _are_complements(
        left.rhs, right.rhs, word.bitwidth
    )


def _are_complements(one: SSAValue, other: SSAValue, width: int) -> bool:
    """Whether `one + other == width`, of numbers or of `n` and `width - n`."""
    first, second = _number(one), _number(other)
    if first is not None and second is not None:
        return first + second == width
    return _is_less_than(width, one, other) or _is_less_than(width, other, one)


def _is_less_than(width: int, amount: SSAValue, rest: SSAValue) -> bool:
    """Whether `rest == width - amount`; of extensions, what they extend."""
    difference = _extended(rest).owner
    return (
        isinstance(difference, arith.SubiOp)
        and _number(difference.lhs) == width
        and _extended(difference.rhs) is _extended(amount)
    )


def _extended(value: SSAValue) -> SSAValue:
    while isinstance(owner := value.owner, arith.ExtSIOp | arith.ExtUIOp):
        value = owner.input
    return value


def _number(value: SSAValue) -> int | None:
    owner = _extended(value).owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None
