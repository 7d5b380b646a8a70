"""C programs run in process: what they print, how they end, what stays whole in this process.

The programs are written as IR; what they print goes to file descriptor 1, as any C program's."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

from polyopt.backend.compiled.codegen import emit_object
from polyopt.backend.loaded.run import Ending, run_main
from polyopt.support.diagnostics import CompileError

Run = Callable[..., Ending]

LIBRARY = """
  func.func private @puts(!llvm.ptr) -> i32
  func.func private @printf(!llvm.ptr) -> i32 attributes {cmem.variadic}
  func.func private @exit(i32)
  func.func private @atexit(!llvm.ptr) -> i32
  func.func private @abort()
  func.func private @sqrt(f64) -> f64
  cmem.global "internal" constant @format size 10 align 1 bytes [37,100,32,37,115,32,37,103,10,0]
  cmem.global "internal" constant @bye size 4 align 1 bytes [98,121,101,0]
"""


@pytest.fixture
def run(parse_ir: Callable[[str], ModuleOp]) -> Run:
    def compile_and_run(text: str, arguments: Sequence[str] = ("program",)) -> Ending:
        return run_main([emit_object(parse_ir(LIBRARY + text))], arguments)

    return compile_and_run


PRINTS_ARGUMENTS = """
  func.func @main(%argc : i32, %argv : !llvm.ptr) -> i32 {
    %two = arith.constant 2.0 : f64
    %root = func.call @sqrt(%two) : (f64) -> f64
    %one = arith.constant 1 : index
    %A = cmem.view %argv [] : memref<?x!llvm.ptr>
    %s = memref.load %A[%one] : memref<?x!llvm.ptr>
    %f = cmem.address_of @format
    %r = cmem.call_variadic @printf fixed 1 (%f, %argc, %s, %root)
        : (!llvm.ptr, i32, !llvm.ptr, f64) -> i32
    func.return %argc : i32
  }"""


def test_arguments_output_and_status(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    ending = run(PRINTS_ARGUMENTS, ["program", "naïve text"])
    assert ending == Ending(2)
    assert ending.message() is None
    assert capfd.readouterr().out == "2 naïve text 1.41421\n"


def test_main_without_parameters(run: Run) -> None:
    text = "func.func @main() -> i32 {\n%r = arith.constant 300 : i32\nfunc.return %r : i32\n}"
    assert run(text).shell_status == 300 % 256


def test_exit_runs_handlers_and_empties_buffers(
    run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    """Twice registered, twice called; this process lives on."""
    text = """
      func.func private @handler() {
        %b = cmem.address_of @bye
        %r = func.call @puts(%b) : (!llvm.ptr) -> i32
        func.return
      }
      func.func @main() -> i32 {
        %h = cmem.address_of @handler
        %a = func.call @atexit(%h) : (!llvm.ptr) -> i32
        %b = func.call @atexit(%h) : (!llvm.ptr) -> i32
        %status = arith.constant 7 : i32
        func.call @exit(%status) : (i32) -> ()
        func.return %status : i32
      }"""
    assert run(text) == Ending(7)
    assert capfd.readouterr().out == "bye\nbye\n"


def test_invalid_memory_access(run: Run) -> None:
    text = """
      func.func @main() -> i32 {
        %z = arith.constant 16 : i64
        %p = cmem.int_to_ptr %z
        %P = cmem.view %p [] : memref<i32>
        %x = cmem.volatile_load %P[] : memref<i32>
        func.return %x : i32
      }"""
    ending = run(text)
    assert ending.shell_status == 128 + 11
    assert ending.message() == "the program was killed by SIGSEGV: invalid memory access"


def test_abort(run: Run) -> None:
    text = """
      func.func @main() -> i32 {
        func.call @abort() : () -> ()
        %r = arith.constant 0 : i32
        func.return %r : i32
      }"""
    assert run(text).message() == "the program was killed by SIGABRT: the program aborted"


def test_failed_assertion(run: Run) -> None:
    text = """
      func.func @main(%argc : i32) -> i32 {
        %one = arith.constant 1 : i32
        %c = arith.cmpi sgt, %argc, %one : i32
        cf.assert %c, "too few arguments"
        func.return %argc : i32
      }"""
    assert run(text, ["a", "b"]) == Ending(2)
    assert run(text, ["a"]).shell_status == 128 + 6


def test_an_unknown_instruction_is_explained() -> None:
    message = Ending(0, 4).message()
    assert message is not None
    assert message.endswith("hint: compile for this machine: -march=native")


def test_no_main(parse_ir: Callable[[str], Any]) -> None:
    code = emit_object(parse_ir("func.func @f() {func.return}"))
    with pytest.raises(CompileError) as error:
        run_main([code])
    assert error.value.render() == "error: there is no function 'main' to run"
