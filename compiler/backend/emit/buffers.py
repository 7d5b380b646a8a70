"""Buffers that a piece of code allocates and frees: small ones are in the frame of the function.

    allocate n bytes                 if (n <= SMALL) p = its place in the frame
    …                         =>     else            p = allocate n bytes
    free                             … and only what is not in the frame is freed

Loops around loops whose sizes data tell come here over and over, with rows of a few elements: the
C library takes longer to find the memory than they take for their work. What is allocated and freed
in one block is there once at a time.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX

from polyopt.backend.emit.function import FunctionEmitter, Join
from polyopt.backend.emit.llvm_types import LINE_BYTES
from polyopt.dialects.cmem import memref_type
from polyopt.support.core_model import CORE


def is_passing(op: memref.AllocOp, align: int) -> bool:
    """It is of a size that shows when it runs, and freed once, in its own block."""
    if DYNAMIC_INDEX not in memref_type(op.memref).get_shape() or align > LINE_BYTES:
        return False
    users = [use.operation for use in op.memref.uses]
    frees = [user for user in users if isinstance(user, memref.DeallocOp)]
    return len(frees) == 1 and frees[0].parent is op.parent


def emit_passing(f: FunctionEmitter, op: memref.AllocOp, size: str, large: str) -> str:
    """The pointer to so many bytes; `large` is the call that allocates them."""
    hint = op.memref.name_hint
    most = CORE.code.small_buffer
    slot = f.stack_slot(f"[{most} x i8]", LINE_BYTES, None)
    is_small = f.temp(f"icmp ule i64 {size}, {most}")
    join = Join(f.new_label("allocated"), ["ptr"])
    label = f.new_label("large")
    f.terminate(f"br i1 {is_small}, label %{f.edge(join, [slot])}, label %{label}")
    f.start_block(label)
    f.jump(join, [f.temp(large, hint)])
    (pointer,) = f.enter(join, [hint])
    f.slots[pointer] = slot
    return pointer


def free_passing(f: FunctionEmitter, pointer: str, call: str) -> None:
    """`call` frees the buffer, which is left where it is if it is in the frame."""
    slot = f.slots.get(pointer)
    if slot is None:
        f.emit(call)
        return
    is_small = f.temp(f"icmp eq ptr {pointer}, {slot}")
    label, join = f.new_label("large"), Join(f.new_label("freed"), [])
    f.terminate(f"br i1 {is_small}, label %{f.edge(join)}, label %{label}")
    f.start_block(label)
    f.emit(call)
    f.jump(join)
    f.enter(join)
