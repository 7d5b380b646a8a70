"""What cannot be translated is said with the operation's name and source line, never a traceback
from inside."""

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_llvm_ir, emit_object
from polyopt.backend.loaded.elf import read_symbols
from polyopt.backend.loaded.jit import load_objects
from polyopt.backend.processors.options import BackendOptions, default_march
from polyopt.support.diagnostics import CompileError

Parse = Callable[[str], ModuleOp]


def error_of(action: Callable[[], Any]) -> str:
    with pytest.raises(CompileError) as error:
        action()
    return error.value.render()


def in_function(body: str, arguments: str = "") -> str:
    return f"func.func @f({arguments}) {{\n{body}\nfunc.return\n}}"


UNSUPPORTED: list[tuple[str, str]] = [
    (
        in_function('"test.op"() : () -> () loc("k.c":7:3)'),
        "k.c:7:3: error: 'test.op': the LLVM back end has no translation for it\n"
        "  hint: lower it with an earlier pass",
    ),
    (
        in_function(
            '%r = affine.load %m[%i] : memref<?xf64> loc("k.c":2:1)',
            "%i : index, %m : memref<?xf64>",
        ),
        "k.c:2:1: error: 'affine.load': the LLVM back end has no translation for it\n"
        "  hint: affine-to-scf lowers it",
    ),
    (
        in_function(
            '%r = vector.extract %v[0, 1] : f64 from vector<2x2xf64> loc("k.c":2:1)',
            "%v : vector<2x2xf64>",
        ),
        "error: 'func.func': the LLVM back end has no type for 'vector<2x2xf64>'",
    ),
    (
        'func.func @f(%t : tensor<4xf64>) {\nfunc.return\n} loc("k.c":2:1)',
        "k.c:2:1: error: 'func.func': the LLVM back end has no type for 'tensor<4xf64>'\n"
        "  hint: 'mlir-opt --one-shot-bufferize' makes memrefs of tensors",
    ),
    (
        "func.func @f(%m : memref<4xf64>) -> memref<4xf64> {\n"
        'func.return %m : memref<4xf64>\n} loc("k.c":2:1)',
        "k.c:2:1: error: 'func.func': the LLVM back end cannot return a memref\n"
        "  hint: let the caller pass it one to fill",
    ),
    (
        in_function(
            "%m = cmem.view %p [] : memref<?xf64>\n%d = memref.dim %m, %z : memref<?xf64> "
            'loc("k.c":3:5)',
            "%p : !llvm.ptr, %z : index",
        ),
        "k.c:3:5: error: 'memref.dim': the dimension is not a constant",
    ),
    (
        in_function(
            "%z = arith.constant 0 : index\n%m = cmem.view %p [] : memref<?xf64>\n"
            '%d = memref.dim %m, %z : memref<?xf64> loc("k.c":3:5)',
            "%p : !llvm.ptr",
        ),
        "k.c:3:5: error: 'memref.dim': the size of dimension 0 is not known",
    ),
    (
        in_function(
            '%a = memref.alloca() : memref<4xf64, affine_map<(d0) -> (d0 * 2)>> loc("k.c":1:2)'
        ),
        "k.c:1:2: error: 'memref.alloca': 'memref<4xf64, affine_map<(d0) -> ((d0 * 2))>>' has a "
        "layout other than row-major",
    ),
    (
        in_function('%a = cmem.address_of @nowhere loc("k.c":1:2)'),
        "k.c:1:2: error: 'cmem.address_of': there is no object or function 'nowhere'",
    ),
    (
        in_function(
            "%v = cmem.view %p [] : memref<?xf128>\n%x = memref.load %v[%i] : memref<?xf128>\n"
            '%r = math.exp %x : f128 loc("k.c":9:9)',
            "%p : !llvm.ptr, %i : index",
        ),
        "k.c:9:9: error: 'math.exp': the C library has no 'exp' for 'f128'",
    ),
    (
        '"func.func"() <{sym_name = "f", function_type = (i32) -> (), '
        'arg_attrs = [{llvm.strange}]}> ({^bb0(%a : i32): func.return}) : () -> () loc("k.c":5:1)',
        "k.c:5:1: error: 'func.func': unknown argument attribute 'llvm.strange'",
    ),
]


@pytest.mark.parametrize(("text", "message"), UNSUPPORTED)
def test_unsupported(parse_ir: Parse, text: str, message: str) -> None:
    module = parse_ir(text)
    assert error_of(lambda: emit_llvm_ir(module)) == message


def test_the_line_of_an_operation_around_it_serves(parse_ir: Parse) -> None:
    text = """
    func.func @f(%n : index) {
      scf.for %i = %n to %n step %n {
        "test.op"() : () -> ()
      }
      func.return
    } loc("k.c":4:1)"""
    assert error_of(lambda: emit_llvm_ir(parse_ir(text))).startswith("k.c:4:1: error: 'test.op'")


def test_use_before_definition(parse_ir: Parse) -> None:
    """xDSL verifies no dominance; the back end must not fall over it."""
    text = """
    func.func @f(%c : i1) -> i32 {
      cf.cond_br %c, ^a, ^b
    ^a:
      %x = arith.addi %y, %y : i32
      func.return %x : i32
    ^b:
      %y = arith.constant 1 : i32 loc("k.c":6:1)
      func.return %y : i32
    }"""
    message = "k.c:6:1: error: 'arith.constant': its result y is used where it is not defined"
    assert error_of(lambda: emit_llvm_ir(parse_ir(text))) == message


def test_what_llvm_refuses(parse_ir: Parse) -> None:
    """A rule of LLVM's that neither dialect nor translation checks."""
    text = """
    cmem.global "common" @g size 4 align 4 bytes [1,0,0,0]
    func.func @f() {func.return}"""
    message = error_of(lambda: emit_llvm_ir(parse_ir(text)))
    assert message.startswith("error: LLVM refuses the module: 'common' global must have a zero")


OPTIONS: list[tuple[dict[str, Any], str]] = [
    (
        {"march": "x86-64-v33"},
        "error: unknown CPU 'x86-64-v33' for -march\n"
        "  hint: 'native', an x86-64 level or a CPU name such as x86-64-v3, x86-64-v4, x86-64-v2",
    ),
    ({"opt_level": 4}, "error: optimisation level 4 is not one of 0, 1, 2, 3"),
    ({"prefer_vector_width": 100}, "error: preferred vector width 100 is not 128, 256 or 512"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    assert error_of(lambda: BackendOptions(**options)) == message


def test_symbols_that_nobody_defines(parse_ir: Parse) -> None:
    text = """
    func.func private @missing_function()
    cmem.global "external" declaration @missing_object size 8 align 8
    func.func @f() -> !llvm.ptr {
      func.call @missing_function() : () -> ()
      %p = cmem.address_of @missing_object
      func.return %p : !llvm.ptr
    }"""
    code = emit_object(parse_ir(text))
    assert error_of(lambda: load_objects([code])) == (
        "error: 'missing_function', 'missing_object': used, but defined nowhere\n"
        "  hint: add the file that defines it, or its library by -l"
    )


def test_symbols_defined_twice(parse_ir: Parse) -> None:
    code = emit_object(parse_ir("func.func @f() {func.return}"))
    message = "error: 'f': defined in more than one file"
    assert error_of(lambda: load_objects([code, code])) == message


def test_what_is_no_object_file() -> None:
    message = "error: a.o is not an object file for x86-64"
    assert error_of(lambda: read_symbols(b"#!/bin/sh\n", "a.o")) == message


def test_libraries_that_are_not_there(parse_ir: Parse) -> None:
    code = emit_object(parse_ir("func.func @f() {func.return}"))
    message = "error: there is no shared library for -lno_such_library"
    assert error_of(lambda: load_objects([code], ["no_such_library"])) == message


def test_default_machine_is_a_known_one() -> None:
    assert BackendOptions(march=default_march()).cpu() == BackendOptions().cpu()


def test_instructions_that_the_assembler_does_not_know_have_a_place(parse_ir: Parse) -> None:
    module = parse_ir(
        in_function(
            'cmem.instructions "nop" clobbers []\n'
            'cmem.instructions "mov %eex, %eax" clobbers [] loc("k.c":4:1)'
        )
    )
    said = error_of(lambda: emit_object(module, BackendOptions()))
    assert said == "k.c:4:1: error: in assembly: invalid register name"


def test_assembly_outside_of_functions_that_is_none(parse_ir: Parse) -> None:
    module = parse_ir('module attributes {cmem.assembly = [".globl x", ".no_directive"]} {}')
    said = error_of(lambda: emit_object(module, BackendOptions()))
    assert said == "error: in assembly outside of functions: unknown directive"
