"""What the options do to the code, and that LLVM knows what we say it knows."""

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import (
    emit_assembly,
    emit_llvm_ir,
    emit_object,
    target_machine,
)
from polyopt.backend.emit import emit_module
from polyopt.backend.loaded.elf import read_symbols
from polyopt.backend.processors.cpus import CPU_NAMES
from polyopt.backend.processors.options import DATA_LAYOUT, TRIPLE, BackendOptions

Parse = Callable[[str], ModuleOp]

# y[i] = x[i] * x[i], with y and x restrict
SQUARES = """
  func.func @f(%n : i32, %x : !llvm.ptr {llvm.noalias}, %y : !llvm.ptr {llvm.noalias}) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %X = cmem.view %x [] : memref<?xf64>
    %Y = cmem.view %y [] : memref<?xf64>
    cf.br ^test(%zero : i32)
  ^test(%i : i32):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    %k = arith.index_cast %i : i32 to index
    %v = memref.load %X[%k] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    memref.store %w, %Y[%k] : memref<?xf64>
    %j = arith.addi %i, %one overflow<nsw> : i32
    cf.br ^test(%j : i32)
  ^end:
    func.return
  }
"""


def test_llvm_knows_every_cpu_by_name(capfd: pytest.CaptureFixture[str]) -> None:
    """LLVM warns about the others, on file descriptor 2."""
    target_machine(BackendOptions())
    target = llvm.Target.from_triple(TRIPLE)
    for name in sorted(CPU_NAMES):
        target.create_target_machine(cpu=name)
    assert capfd.readouterr().err == ""
    target.create_target_machine(cpu="no-such-cpu")
    assert "no-such-cpu" in capfd.readouterr().err


def test_data_layout_is_llvms() -> None:
    assert str(target_machine(BackendOptions()).target_data) == DATA_LAYOUT


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level_computes_the_same(call_ir: Callable[..., Any], level: int) -> None:
    f = call_ir(SQUARES, "void", "i32", "ptr", "ptr", options=BackendOptions(opt_level=level))
    x, y = np.arange(37.0), np.zeros(40)
    f(37, x.ctypes.data, y.ctypes.data)
    np.testing.assert_array_equal(y, [*x * x, 0, 0, 0])


def test_vectors_come_at_level_2(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    one = emit_llvm_ir(module, BackendOptions(opt_level=1, march="x86-64-v3"))
    two = emit_llvm_ir(module, BackendOptions(opt_level=2, march="x86-64-v3"))
    off = emit_llvm_ir(module, BackendOptions(march="x86-64-v3", loop_vectorize=False))
    assert "fmul <4 x double>" in two
    assert "x double>" not in one
    assert "x double>" not in off


def test_preferred_width_of_vectors(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    for width, register in ((512, "zmm"), (256, "ymm"), (128, "xmm")):
        options = BackendOptions(march="x86-64-v4", prefer_vector_width=width)
        assembly = emit_assembly(module, options)
        assert f"%{register}" in assembly
        wider = {"xmm": ("%ymm", "%zmm"), "ymm": ("%zmm",), "zmm": ()}[register]
        assert not any(name in assembly for name in wider)


def test_the_cpu_is_that_of_the_functions(parse_ir: Parse) -> None:
    text = emit_module(parse_ir(SQUARES), BackendOptions(march="skylake"))
    assert '"target-cpu"="skylake"' in text
    native = emit_module(parse_ir(SQUARES), BackendOptions(march="native"))
    assert '"target-features"="' in native


def test_position_independent_code_leaves_symbols_replaceable(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    assert "define dso_local void @f" in emit_module(module, BackendOptions())
    assert "define void @f" in emit_module(module, BackendOptions(pic=True))


def test_outputs(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    assert "\t.globl\tf" in emit_assembly(module)
    assert read_symbols(emit_object(module)).defined == {"f"}
    assert emit_llvm_ir(module, optimised=False) == emit_module(module)


def test_objects_name_their_source(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    name = 'some "dir"/squares.c'
    assert emit_module(module, file=name).startswith(
        'source_filename = "some \\22dir\\22/squares.c"\n'
    )
    assert b"\0squares.c\0" in emit_object(module, file=name)
    assert "source_filename" not in emit_module(module)


def test_emission_is_deterministic(parse_ir: Parse) -> None:
    module = parse_ir(SQUARES)
    assert emit_module(module) == emit_module(module)
    assert emit_object(module) == emit_object(module)
