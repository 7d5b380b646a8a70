"""The objects that a pointer may stand on where control flow chose between several."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, builtin, cf, func, llvm, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from polyopt.dialects.cmem import CMem, ViewOp
from polyopt.ir.objects.pointed_objects import may_point_to_one, pointed_objects

HEAD = """
cmem.global "internal" @a size 80 align 8
cmem.global "internal" @b size 80 align 8
cmem.global "internal" @c size 80 align 8
func.func private @malloc(i64) -> !llvm.ptr
func.func private @given() -> !llvm.ptr
func.func private @valloc(%size : i64) -> !llvm.ptr {
  %pool = cmem.address_of @c
  func.return %pool : !llvm.ptr
}
func.func @f(%argument : !llvm.ptr, %which : i1, %n : index, %bytes : i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : index
  %a = cmem.address_of @a
  %b = cmem.address_of @b
"""

SWAPPED = """
  cf.br ^head(%a, %b : !llvm.ptr, !llvm.ptr)
^head(%now : !llvm.ptr, %next : !llvm.ptr):
  %seen = cmem.view %now [] : memref<?xi32>
  %further = cmem.offset %next, %n stride 4
  cf.cond_br %which, ^head(%further, %now : !llvm.ptr, !llvm.ptr), ^end
^end:
"""

CASES = {
    "two rows that change places": (SWAPPED, {"a", "b"}),
    "a selection": (
        "%p = arith.select %which, %a, %b : !llvm.ptr\n%seen = cmem.view %p [] : memref<?xi32>",
        {"a", "b"},
    ),
    "a place in what was selected": (
        "%p = arith.select %which, %a, %a : !llvm.ptr\n"
        "%view = cmem.view %p [] : memref<?xi32>\n"
        "%place = cmem.address %view[%n] : memref<?xi32>\n"
        "%seen = cmem.view %place [] : memref<?xi32>",
        {"a"},
    ),
    "null or an object": (
        "%null = cmem.int_to_ptr %zero\n"
        "%p = arith.select %which, %null, %a : !llvm.ptr\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        {"a"},
    ),
    "a conditional": (
        "%p = scf.if %which -> (!llvm.ptr) { scf.yield %a : !llvm.ptr }"
        " else { scf.yield %b : !llvm.ptr }\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        {"a", "b"},
    ),
    "carried by a loop": (
        "%p = scf.for %i = %one to %n step %one iter_args(%q = %a) -> (!llvm.ptr) {\n"
        "  %seen = cmem.view %q [] : memref<?xi32>\n"
        "  scf.yield %b : !llvm.ptr\n"
        "}",
        {"a", "b"},
    ),
    "a variable": (
        "%slot = memref.alloca() : memref<!llvm.ptr>\n"
        "memref.store %a, %slot[] : memref<!llvm.ptr>\n"
        "%p = memref.load %slot[] : memref<!llvm.ptr>\n"
        "%seen = cmem.view %p [] : memref<?xi32>\n"
        "memref.store %b, %slot[] : memref<!llvm.ptr>",
        {"a", "b"},
    ),
    "an allocation": (
        "%p = func.call @malloc(%bytes) : (i64) -> !llvm.ptr\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        {"%p"},
    ),
    "a function of that name in the program": (
        "%p = func.call @valloc(%bytes) : (i64) -> !llvm.ptr\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "an argument among them": (
        "%p = arith.select %which, %a, %argument : !llvm.ptr\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "what a function gives": (
        "%p = func.call @given() : () -> !llvm.ptr\n%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "another name of an object": (
        "%p = cmem.alias_of @c\n%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "an address from a number": (
        "%p = cmem.int_to_ptr %bytes\n%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "a variable whose address is taken": (
        "%slot = memref.alloca() : memref<!llvm.ptr>\n"
        "%address = cmem.address %slot[] : memref<!llvm.ptr>\n"
        "memref.store %a, %slot[] : memref<!llvm.ptr>\n"
        "%p = memref.load %slot[] : memref<!llvm.ptr>\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
    "an element of an array of pointers": (
        "%slots = memref.alloca() : memref<4x!llvm.ptr>\n"
        "memref.store %a, %slots[%one] : memref<4x!llvm.ptr>\n"
        "%p = memref.load %slots[%n] : memref<4x!llvm.ptr>\n"
        "%seen = cmem.view %p [] : memref<?xi32>",
        set[str](),
    ),
}


def _module(body: str) -> ModuleOp:
    context = Context()
    for dialect in (
        *(arith.Arith, builtin.Builtin, cf.Cf, func.Func),
        *(llvm.LLVM, memref.MemRef, scf.Scf, CMem),
    ):
        context.load_dialect(dialect)
    return Parser(context, f"{HEAD}{body}\n  func.return\n}}").parse_module()


@pytest.mark.parametrize("name", CASES)
def test_objects(name: str):
    body, expected = CASES[name]
    module = _module(body)
    views = [op.result for op in module.walk() if isinstance(op, ViewOp)]
    (seen,) = (view for view in views if view.name_hint == "seen")
    objects = pointed_objects(seen).objects
    assert {o if isinstance(o, str) else f"%{o.name_hint}" for o in objects} == expected


def test_an_allocator_that_the_program_defines_later() -> None:
    """A declaration was met; a definition has taken its place since."""
    module = _module("%p = func.call @malloc(%bytes) : (i64) -> !llvm.ptr")
    (call,) = (op for op in module.walk() if isinstance(op, func.CallOp))
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    assert pointed_objects(call.results[0]).objects
    functions["valloc"].detach()
    functions["malloc"].detach()
    functions["valloc"].sym_name = functions["malloc"].sym_name
    module.body.block.insert_op_before(functions["valloc"], functions["f"])
    assert not pointed_objects(call.results[0]).objects


TWO = """
  %c = cmem.address_of @c
  %again = cmem.address_of @a
  %further = cmem.offset %again, %one stride 4
  %a_or_b = arith.select %which, %a, %b : !llvm.ptr
  %in_a = arith.select %which, %again, %further : !llvm.ptr
  %b_or_c = arith.select %which, %b, %c : !llvm.ptr
  %any = arith.select %which, %a, %argument : !llvm.ptr
"""


@pytest.mark.parametrize(
    ("one", "other", "may_meet"),
    [
        ("a_or_b", "in_a", True),
        ("a_or_b", "b_or_c", True),
        ("in_a", "in_a", True),
        ("in_a", "b_or_c", False),
        ("a_or_b", "c", False),
        ("any", "c", True),
    ],
)
def test_pointers_meet_where_they_share_an_object(one: str, other: str, may_meet: bool):
    values = {result.name_hint: result for op in _module(TWO).walk() for result in op.results}
    assert may_point_to_one(values[one], values[other]) is may_meet
    assert may_point_to_one(values[other], values[one]) is may_meet
