"""cmem: memory as C sees it, beside `memref`.

A C pointer is an `!llvm.ptr`. An access to memory is always a `memref.load` or `memref.store`
on a memref, so that a subscript `A[i][j]` keeps its dimensions and its declared sizes. Between
the two stand the operations of this dialect:

    pointer  --cmem.view-->     memref     (the array that starts at this address)
    memref   --cmem.address-->  pointer    (the address of one element)
    pointer  --cmem.offset-->   pointer    (pointer arithmetic, in elements of `stride` bytes)

Objects: a local variable or array is a `memref.alloca` (a variable has rank 0, a VLA dynamic
sizes), a global is a `cmem.global` whose address is taken by `cmem.address_of`. A struct is
bytes: `memref<Nxi8>` as storage, fields reached by `cmem.offset` and viewed as rank 0.

Sizes, strides and offsets are bytes where the name says so, elements otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I8,
    I64,
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    FlatSymbolRefAttrConstr,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from polyopt.dialects.canonical import Canonical
from polyopt.dialects.cmem_accesses import (
    CopyOp,
    UnalignedLoadOp,
    UnalignedStoreOp,
    VolatileLoadOp,
    VolatileStoreOp,
)
from polyopt.dialects.cmem_calls import CallIndirectOp, CallVariadicOp, VaArgOp, VaStartOp
from polyopt.dialects.cmem_types import PTR, memref_type
from polyopt.dialects.cmem_types import element_type as element_type
from polyopt.dialects.cmem_values import ApartOp

THREAD_LOCAL = "cmem.thread_local"
"""On a `cmem.global` (unit): each thread has one of its own, which begins with these bytes."""

DECLARED = "cmem.declared"
"""On a `cmem.global` that other files see: its declaration, as `cmem.parameters` has them."""

ASSEMBLY = "cmem.assembly"
"""Of a module: texts for the assembler, `asm(".globl x")` outside of functions."""

STRICT_ALIASING = "cmem.strict_aliasing"
"""The attribute of a module in which memory is accessed as of one type only, characters apart."""

PART = "cmem.part"
"""Of an operation on a part of an element that the source has as a whole (`split-accesses`): of
what puts it together of its first part and others, and of what takes one that is not the first."""

LINKER = "cmem.linker"
"""The attribute of a global or a function with what its declaration says to the linker, and to the
back end of its calls: a dictionary of strings, the names those of GNU C's attributes (`weak`,
`used`, `aligned` (of functions), `section`, `visibility`, `alias`, `constructor`, `destructor`,
`thread_local`, `const`, `pure`, `always_inline`, `noinline`, `optnone`, `returns_twice`), "" where
they say nothing more."""

AS_WRITTEN = "cmem.as_written"
"""The attribute of a function that is not inlined and whose floating-point operations keep the
order of the source, whatever the module permits; fusing two of them is all that may be done."""

SELDOM = "cmem.seldom"
"""The attribute of a conditional branch one of whose targets, an arm that goes on to the other one,
is hardly ever entered: it is to stay a branch. Where there is no such arm, it is the first one."""

PROGRESS = "cmem.progress"
"""The attribute of a branch back to the head of a loop that may be assumed to end (C11 6.8.5p6)."""

NO_VECTOR = "cmem.no_vector"
"""The attribute of a branch back to the head of a loop that LLVM is to leave without vectors."""

NO_UNROLL = "cmem.no_unroll"
"""The same without copies of its body: of a loop that is known to go a few times only."""

HIDDEN_STEP = "cmem.hidden_step"
"""The attribute of a load of which LLVM is not to see how far the next iteration's is away."""


def assembly_of(module: Operation) -> list[str]:
    """The texts for the assembler that stand outside of functions."""
    texts = module.attributes.get(ASSEMBLY)
    if not isinstance(texts, ArrayAttr):
        return []
    return [
        text.data for text in cast("ArrayAttr[Attribute]", texts) if isinstance(text, StringAttr)
    ]


def linker_marks(op: Operation) -> dict[str, str]:
    """What a global or a function says to the linker."""
    marks = op.attributes.get(LINKER)
    if not isinstance(marks, DictionaryAttr):
        return {}
    return {name: text.data for name, text in marks.data.items() if isinstance(text, StringAttr)}


def set_linker_marks(op: Operation, marks: dict[str, str]) -> None:
    if marks:
        op.attributes[LINKER] = DictionaryAttr(
            {name: StringAttr(text) for name, text in marks.items()}
        )


def set_alignment(op: Operation, alignment: int) -> None:
    """Say of an access that its place is aligned otherwise than its type asks for."""
    op.attributes["alignment"] = IntegerAttr(alignment, i64)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """The row-major array that starts at `source`.

    `sizes` are the extents of the dynamic dimensions in order, except that of dimension 0:
    C does not know how many rows a pointer reaches, so a dynamic dimension 0 has no extent.

        cmem.view %p [%m] : memref<?x?xf64>      // double (*p)[m]
        cmem.view %p []   : memref<?x20xf64>     // double (*p)[20]
        cmem.view %p []   : memref<f64>          // *p
    """

    name = "cmem.view"
    source = operand_def(PTR)
    sizes = var_operand_def(IndexType())
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    assembly_format = "$source `[` $sizes `]` attr-dict `:` type($result)"

    def __init__(
        self,
        source: SSAValue | Operation,
        sizes: Sequence[SSAValue | Operation],
        result_type: MemRefType[Attribute],
    ):
        super().__init__(operands=[source, sizes], result_types=[result_type])

    def verify_(self) -> None:
        inner = memref_type(self.result).get_shape()[1:]
        dynamic = sum(1 for extent in inner if extent == DYNAMIC_INDEX)
        if dynamic != len(self.sizes):
            raise VerifyException(
                f"expected one size for each dynamic dimension but the first: {dynamic}, "
                f"got {len(self.sizes)}"
            )


@irdl_op_definition
class AddressOp(IRDLOperation):
    """The address of one element: `&m[indices]`. Indices may be out of bounds by one past the
    end, as in C."""

    name = "cmem.address"
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    result = result_def(PTR)
    traits = traits_def(Pure(), Canonical("cmem_canonical", "AddressOfFirst"))
    assembly_format = "$memref `[` $indices `]` attr-dict `:` type($memref)"

    def __init__(self, memref: SSAValue | Operation, indices: Sequence[SSAValue | Operation]):
        super().__init__(operands=[memref, indices], result_types=[PTR])

    def verify_(self) -> None:
        if memref_type(self.memref).get_num_dims() != len(self.indices):
            raise VerifyException("expected one index for each dimension")


@irdl_op_definition
class OffsetOp(IRDLOperation):
    """`result = base + index * stride` bytes, inside the object of `base` (C 6.5.6)."""

    name = "cmem.offset"
    base = operand_def(PTR)
    index = operand_def(IndexType())
    stride = prop_def(IntegerAttr[I64])
    result = result_def(PTR)
    traits = traits_def(
        Pure(),
        Canonical("cmem_canonical", "OffsetByNothing OffsetOfOffset"),
    )
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$base `,` $index `stride` $stride attr-dict"

    def __init__(self, base: SSAValue | Operation, index: SSAValue | Operation, stride: int):
        super().__init__(
            operands=[base, index],
            properties={"stride": IntegerAttr(stride, i64)},
            result_types=[PTR],
        )


@irdl_op_definition
class PtrToIntOp(IRDLOperation):
    """The address as an i64."""

    name = "cmem.ptr_to_int"
    source = operand_def(PTR)
    result = result_def(i64)
    traits = traits_def(Pure(), Canonical("cmem_canonical", "IntegerOfPointer"))
    assembly_format = "$source attr-dict"

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=[source], result_types=[i64])


@irdl_op_definition
class IntToPtrOp(IRDLOperation):
    """The pointer whose address is an i64; 0 is the null pointer."""

    name = "cmem.int_to_ptr"
    source = operand_def(i64)
    result = result_def(PTR)
    traits = traits_def(Pure())
    assembly_format = "$source attr-dict"

    def __init__(self, source: SSAValue | Operation):
        super().__init__(operands=[source], result_types=[PTR])


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """A global object of `size` bytes.

    `initial` holds its bytes (absent: zero, or undefined for a `declaration`); `relocations`
    are triples [byte offset, symbol, addend]: the 8 bytes there hold that address.
    `linkage` is "internal" (static), "external" or "common".
    """

    name = "cmem.global"
    sym_name = prop_def(SymbolNameConstraint())
    size = prop_def(IntegerAttr[I64])
    alignment = prop_def(IntegerAttr[I64])
    linkage = prop_def(StringAttr)
    constant = opt_prop_def(UnitAttr)
    declaration = opt_prop_def(UnitAttr)
    initial = opt_prop_def(DenseArrayBase[I8])
    relocations = opt_prop_def(ArrayAttr[ArrayAttr[Attribute]])
    traits = traits_def(SymbolOpInterface())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$linkage (`constant` $constant^)? (`declaration` $declaration^)? $sym_name "
        "`size` $size `align` $alignment (`bytes` $initial^)? "
        "(`relocations` $relocations^)? attr-dict"
    )

    def __init__(
        self,
        name: str,
        size: int,
        alignment: int,
        *,
        linkage: str = "external",
        constant: bool = False,
        declaration: bool = False,
        initial: bytes | None = None,
        relocations: Sequence[tuple[int, str, int]] = (),
    ):
        held = None if initial is None else DenseArrayBase(i8, BytesAttr(initial))
        triples = [
            ArrayAttr([IntAttr(offset), SymbolRefAttr(symbol), IntAttr(addend)])
            for offset, symbol, addend in relocations
        ]
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "size": IntegerAttr(size, i64),
                "alignment": IntegerAttr(alignment, i64),
                "linkage": StringAttr(linkage),
                "constant": UnitAttr() if constant else None,
                "declaration": UnitAttr() if declaration else None,
                "initial": held,
                "relocations": ArrayAttr(triples) if triples else None,
            }
        )

    def initial_bytes(self) -> bytes | None:
        if self.initial is None:
            return None
        return self.initial.data.data

    def verify_(self) -> None:
        if self.linkage.data not in ("internal", "external", "common"):
            raise VerifyException(f"unknown linkage {self.linkage.data!r}")
        if self.initial is not None and len(self.initial) != self.size.value.data:
            raise VerifyException("expected as many initial bytes as the size says")


@irdl_op_definition
class AddressOfOp(IRDLOperation):
    """The address of a global object or of a function."""

    name = "cmem.address_of"
    symbol = prop_def(FlatSymbolRefAttrConstr)
    result = result_def(PTR)
    traits = traits_def(Pure())
    assembly_format = "$symbol attr-dict"

    def __init__(self, symbol: str | SymbolRefAttr):
        if isinstance(symbol, str):
            symbol = SymbolRefAttr(symbol)
        super().__init__(properties={"symbol": symbol}, result_types=[PTR])


@irdl_op_definition
class AliasOfOp(IRDLOperation):
    """The address of a global that is another name of an object (`__attribute__((alias))`): what is
    known of different objects is not known of it."""

    name = "cmem.alias_of"
    symbol = prop_def(FlatSymbolRefAttrConstr)
    result = result_def(PTR)
    traits = traits_def(Pure())
    assembly_format = "$symbol attr-dict"

    def __init__(self, symbol: str):
        super().__init__(properties={"symbol": SymbolRefAttr(symbol)}, result_types=[PTR])


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """No access to memory moves across it (`asm volatile("" ::: "memory")` of GNU C)."""

    name = "cmem.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


@irdl_op_definition
class InstructionsOp(IRDLOperation):
    """Instructions of the machine (`asm("pause")` of GNU C), in the words of LLVM's inline
    assembly, where `$$` is a dollar; `clobbers` are the registers that they change. They may do
    anything to memory, and none is left out or moved across an access of it."""

    name = "cmem.instructions"
    text = prop_def(StringAttr)
    clobbers = prop_def(ArrayAttr[StringAttr])
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$text `clobbers` $clobbers attr-dict"

    def __init__(self, text: str, clobbers: Sequence[str] = ()):
        super().__init__(
            properties={
                "text": StringAttr(text),
                "clobbers": ArrayAttr([StringAttr(name) for name in clobbers]),
            }
        )


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Bring what lies at an address nearer, which will soon be read, or written (GNU C's
    `__builtin_prefetch`). `term`: how long it will be wanted, from 0 to 3. It has no effect that a
    program can see, and nothing need be there; it stays where it is."""

    name = "cmem.prefetch"
    address = operand_def(PTR)
    term = prop_def(IntegerAttr[I64])
    write = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$address `term` $term (`for_write` $write^)? attr-dict"

    def __init__(self, address: SSAValue | Operation, term: int, *, write: bool = False):
        super().__init__(
            operands=[address],
            properties={
                "term": IntegerAttr(term, 64),
                "write": UnitAttr() if write else None,
            },
        )

    def verify_(self) -> None:
        if not 0 <= self.term.value.data <= 3:
            raise VerifyException("expected a term from 0 to 3")


@irdl_op_definition
class TrapOp(IRDLOperation):
    """The program is stopped by the machine; nothing comes back."""

    name = "cmem.trap"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


@irdl_op_definition
class FrameAddressOp(IRDLOperation):
    """Where this function's frame lies, or, where `caller`, where it returns to."""

    name = "cmem.frame_address"
    caller = opt_prop_def(UnitAttr)
    result = result_def(PTR)
    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "(`of` `caller` $caller^)? attr-dict"

    def __init__(self, *, caller: bool = False):
        super().__init__(properties={"caller": UnitAttr() if caller else None}, result_types=[PTR])


@irdl_op_definition
class IsConstantOp(IRDLOperation):
    """Whether what the compiler knows of the value is that it is one number, wherever that is found
    out (`__builtin_constant_p`): false is always a right answer."""

    name = "cmem.is_constant"
    value = operand_def()
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue | Operation):
        super().__init__(operands=[value], result_types=[i1])


@irdl_op_definition
class StackSaveOp(IRDLOperation):
    """The stack's mark at the entry of a scope that declares a VLA."""

    name = "cmem.stack_save"
    result = result_def(PTR)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__(result_types=[PTR])


@irdl_op_definition
class StackRestoreOp(IRDLOperation):
    """Free what was allocated on the stack since the mark."""

    name = "cmem.stack_restore"
    mark = operand_def(PTR)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$mark attr-dict"

    def __init__(self, mark: SSAValue | Operation):
        super().__init__(operands=[mark])


@irdl_op_definition
class DistinctObjectsOp(IRDLOperation):
    """The same memrefs, with the promise that what is accessed through one result is not
    accessed through another result (as MLIR's `memref.distinct_objects`).

    Proved, or checked at run time, by the pass that inserts it; the back end turns it into
    alias scopes.
    """

    name = "cmem.distinct_objects"
    memrefs = var_operand_def(MemRefType)
    res = var_result_def(MemRefType)
    assembly_format = "$memrefs attr-dict `:` type($memrefs) `->` type($res)"
    traits = traits_def(Pure())

    def __init__(self, memrefs: Sequence[SSAValue | Operation]):
        values = [SSAValue.get(m) for m in memrefs]
        super().__init__(operands=[values], result_types=[[v.type for v in values]])

    def verify_(self) -> None:
        if self.memrefs.types != self.res.types:
            raise VerifyException("expected each result to have the type of its operand")


CMem = Dialect(
    "cmem",
    [
        ViewOp,
        AddressOp,
        OffsetOp,
        PtrToIntOp,
        IntToPtrOp,
        GlobalOp,
        AddressOfOp,
        AliasOfOp,
        CallVariadicOp,
        CallIndirectOp,
        VaStartOp,
        VaArgOp,
        CopyOp,
        VolatileLoadOp,
        VolatileStoreOp,
        UnalignedLoadOp,
        UnalignedStoreOp,
        BarrierOp,
        InstructionsOp,
        PrefetchOp,
        TrapOp,
        FrameAddressOp,
        IsConstantOp,
        ApartOp,
        StackSaveOp,
        StackRestoreOp,
        DistinctObjectsOp,
    ],
    [],
)
