"""What the assembly says of a loop, from instructions written by hand."""

from __future__ import annotations

import pytest

from polyopt.report.contents import CodeLine, Contents, FunctionCode, SourceLoop
from polyopt.report.machine_code import LoopCode, loop_code
from polyopt.support.diagnostics import Span


def place(line: int, column: int) -> Span:
    return Span("k.c", line, column)


OUTER = SourceLoop("f", "i", place(2, 1), place(6, 9))
INNER = SourceLoop("f", "j", place(3, 3), place(5, 7))


def contents(*lines: CodeLine) -> Contents:
    code = (FunctionCode("f", lines),)
    return Contents("k.c", (), "", (OUTER, INNER), (), code, ())


@pytest.mark.parametrize(
    ("instruction", "width"),
    [
        ("vaddpd    %ymm1, %ymm2, %ymm2", 32),
        ("vfmadd231ps (%rsi,%rax,4), %zmm3, %zmm2", 64),
        ("mulpd     %xmm1, %xmm2", 16),
        ("vpaddd    %ymm1, %ymm2, %ymm2", 32),
        ("vmovups   %zmm1, (%rdi,%rax)", 64),
        ("vmovntpd  %ymm1, (%rdi,%rax)", 32),
        ("vaddsd    %xmm1, %xmm2, %xmm2", 0),
        ("vfmadd231sd (%rsi), %xmm3, %xmm2", 0),
        ("vxorps    %xmm1, %xmm1, %xmm1", 0),
        ("vmovups   (%rdi,%rax), %zmm1", 0),
        ("vmovaps   %ymm1, %ymm2", 0),
        ("pushq     %rbp", 0),
    ],
)
def test_the_width_of_vectors(instruction: str, width: int):
    """Of what computes or stores: a register that is cleared or copied says nothing."""
    found = loop_code(contents(CodeLine(f"  {instruction}", 4, 5)), INNER)
    assert (found.instructions, found.vector_bytes, found.moved_by) == (1, width, None)


@pytest.mark.parametrize(
    ("instruction", "lanes"),
    [
        ("vaddpd    %ymm1, %ymm2, %ymm2", 4),
        ("vfmadd231ps (%rsi,%rax,4), %zmm3, %zmm2", 16),
        ("vpaddd    %ymm1, %ymm2, %ymm2", 8),
        ("vpmulld   %ymm1, %ymm2, %ymm2", 8),
        ("paddb     %xmm1, %xmm2", 16),
        ("vpaddq    %zmm1, %zmm2, %zmm2", 8),
        ("vaddsd    %xmm1, %xmm2, %xmm2", 0),
        ("vmovups   %zmm1, (%rdi,%rax)", 0),
    ],
)
def test_how_many_numbers_are_computed_at_once(instruction: str, lanes: int):
    """What is only stored may be of any type."""
    assert loop_code(contents(CodeLine(f"  {instruction}", 4, 5)), INNER).lanes == lanes


def test_instructions_belong_to_the_innermost_loop_around_their_place():
    code = contents(
        CodeLine("  vaddpd    %ymm1, %ymm2, %ymm2", 4, 5),
        CodeLine("  vaddpd    %xmm1, %xmm2, %xmm2", 6, 2),
        CodeLine("  vaddpd    %zmm1, %zmm2, %zmm2", 1, 1),
        CodeLine("  vaddpd    %zmm1, %zmm2, %zmm2"),
    )
    assert loop_code(code, INNER).vector_bytes == 32
    assert loop_code(code, OUTER).vector_bytes == 16


def test_loops_of_one_line_are_told_apart_by_columns():
    first = SourceLoop("f", "i", place(2, 1), place(2, 9))
    second = SourceLoop("f", "j", place(2, 11), place(2, 19))
    code = (FunctionCode("f", (CodeLine("  vaddpd    %ymm1, %ymm2, %ymm2", 2, 15),)),)
    both = Contents("k.c", (), "", (first, second), (), code, ())
    assert loop_code(both, first) == LoopCode(0, 0, None)
    assert loop_code(both, second) == LoopCode(1, 32, None, computes=True, lanes=4)


def test_a_place_may_be_shared():
    code = contents(CodeLine("  vaddpd    %ymm1, %ymm2, %ymm2", 2, 1))
    assert loop_code(code, INNER).vector_bytes == 0
    assert loop_code(code, INNER, place(2, 1)).vector_bytes == 32


def test_returning_is_no_code_of_a_loop():
    assert loop_code(contents(CodeLine("  retq", 4, 5)), INNER).instructions == 0


@pytest.mark.parametrize("call", ["callq     memset@PLT", "jmp       memset@PLT"])
def test_memory_that_the_library_moves(call: str):
    assert loop_code(contents(CodeLine(f"  {call}", 4, 5)), INNER).moved_by == "memset"


@pytest.mark.parametrize(
    ("instruction", "computes", "calls"),
    [
        ("vaddsd    %xmm1, %xmm2, %xmm2", True, False),
        ("vmulpd    %ymm1, %ymm2, %ymm2", True, False),
        ("callq     memset@PLT", False, False),
        ("callq     rand@PLT", False, True),
        ("callq     *%rax", False, True),
        ("callq     _ZGVdN4v_sin@PLT", False, False),
        ("addq      $8, %rax", False, False),
    ],
)
def test_what_is_done_besides(instruction: str, computes: bool, calls: bool):
    """Beside a call that moves memory, or around one that works on one number at a time."""
    found = loop_code(contents(CodeLine(f"  {instruction}", 4, 5)), INNER)
    assert (found.computes, found.calls) == (computes, calls)
