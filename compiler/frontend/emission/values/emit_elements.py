"""Elements and the bits of records, loaded and stored: as memref says it, or as `cmem` does where
they are volatile or aligned less than their type."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from polyopt.dialects import cmem
from polyopt.frontend.emission.emission import Emission
from polyopt.frontend.emission.stored_elements import BitPlace, Element
from polyopt.frontend.emission.values.emit_bit_fields import load_bits, store_bits


def load_element(emission: Emission, element: Element | BitPlace) -> SSAValue:
    if isinstance(element, BitPlace):
        return load_bits(emission, element)
    if element.volatile:
        op = cmem.VolatileLoadOp(element.memref, element.indices)
        if element.alignment is not None:
            cmem.set_alignment(op, element.alignment)
        return emission.builder.add(op).result
    if element.alignment is not None:
        unaligned = cmem.UnalignedLoadOp(element.memref, element.indices, element.alignment)
        return emission.builder.add(unaligned).result
    # `create` asks fewer questions than the constructors of these most frequent operations.
    op = memref.LoadOp.create(
        operands=[element.memref, *element.indices],
        result_types=[cmem.element_type(element.memref)],
    )
    return emission.builder.add(op).res


def store_element(emission: Emission, value: SSAValue, element: Element | BitPlace) -> None:
    if isinstance(element, BitPlace):
        store_bits(emission, value, element)
    elif element.volatile:
        op = cmem.VolatileStoreOp(value, element.memref, element.indices)
        if element.alignment is not None:
            cmem.set_alignment(op, element.alignment)
        emission.builder.add(op)
    elif element.alignment is not None:
        emission.builder.add(
            cmem.UnalignedStoreOp(value, element.memref, element.indices, element.alignment)
        )
    else:
        operands = [value, element.memref, *element.indices]
        emission.builder.add(memref.StoreOp.create(operands=operands))
