"""What a program asks about its CPU: `__builtin_cpu_supports`, `__builtin_cpu_is`, <cpuid.h>. The
judge is gcc on the same CPU: of features by name, of the bits of <cpuid.h>, and of who made it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from polyopt.frontend.checking.calls.builtin_cpu import READERS
from polyopt.frontend.tokens.library_headers import CPU_QUESTIONS, HEADERS
from polyopt.tools import polyopt_cc

FEATURES = (
    "cmov mmx popcnt sse sse2 sse3 ssse3 sse4.1 sse4.2 avx avx2 sse4a fma4 xop fma avx512f bmi "
    "bmi2 aes pclmul avx512vl avx512bw avx512dq avx512cd avx512er avx512pf avx512vbmi avx512ifma "
    "avx512vpopcntdq avx512vbmi2 gfni vpclmulqdq avx512vnni avx512bitalg avx512bf16 3dnow adx abm "
    "clflushopt clwb clzero cmpxchg16b f16c fsgsbase fxsave lm lzcnt movbe osxsave pku prfchw "
    "rdpid rdrnd rdseed rtm sha tbm vaes xsave xsavec xsaveopt avxvnni avx512fp16 amx-tile "
    "x86-64 x86-64-v2 x86-64-v3 x86-64-v4"
).split()
MAKERS = ("intel", "amd", "core2", "haswell", "skylake", "amdfam17h", "amdfam19h")


def _program(questions: Sequence[str], before: str = "") -> str:
    lines = "".join(f'    printf("%d\\n", ({each}) != 0);\n' for each in questions)
    head = f"#include <stdio.h>\n{before}int main(void) {{\n    __builtin_cpu_init();\n"
    return f"{head}{lines}    return 0;\n}}\n"


def _agree(
    text: str, run_c: Callable[..., str], judge: Callable[[Sequence[Path]], str], folder: Path
) -> None:
    source = folder / "cpu.c"
    source.write_text(text)
    try:
        wanted = judge([source])
    except subprocess.CalledProcessError:
        pytest.skip("this gcc does not know all of the names")
    assert run_c(text, filename=str(source)) == wanted
    assert run_c(text, filename=str(source), opt_level=2) == wanted


def test_features_are_those_that_gcc_finds(
    run_c: Callable[..., str], run_with_gcc: Callable[[Sequence[Path]], str], tmp_path: Path
) -> None:
    text = _program([f'__builtin_cpu_supports("{name}")' for name in FEATURES])
    _agree(text, run_c, run_with_gcc, tmp_path)


def test_makers_and_families_are_those_that_gcc_finds(
    run_c: Callable[..., str], run_with_gcc: Callable[[Sequence[Path]], str], tmp_path: Path
) -> None:
    text = _program([f'__builtin_cpu_is("{name}")' for name in MAKERS])
    _agree(text, run_c, run_with_gcc, tmp_path)


def test_bits_of_cpuid_are_gcc_s(
    run_c: Callable[..., str], run_with_gcc: Callable[[Sequence[Path]], str], tmp_path: Path
) -> None:
    """Each bit's number, what the leaves say but for the core that they say it of, and a leaf that
    is not there."""
    text = Path(HEADERS, "cpuid.h").read_text()
    names = [n for n in re.findall(r"#define ((?:bit|signature)_\w+)", text) if "SHANGHAI" not in n]
    printed = "".join(f'printf("{name} %u\\n", (unsigned){name});\n' for name in names)
    program = f"""#include <cpuid.h>
#include <stdio.h>
int main(void) {{
    unsigned a = 1, b = 2, c = 3, d = 4, sign = 0, last;
    {printed}
    last = __get_cpuid_max(0, &sign);
    printf("%u %u\\n", last, sign);
    printf("%d", __get_cpuid_count(7, 0, &a, &b, &c, &d));
    printf(" %u\\n", a);
    printf("%u %u %u\\n", b, c, d);
    __cpuid(0x80000000, a, b, c, d);
    printf("%u %u %u %u %u\\n", a, b, c, d, __get_cpuid_max(0x80000000, 0));
    a = 5;
    printf("%d", __get_cpuid(0x70000000, &a, &b, &c, &d));
    printf(" %u\\n", a);
    return 0;
}}
"""
    _agree(program, run_c, run_with_gcc, tmp_path)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ('__builtin_cpu_supports("avx3")', "'avx3' is no feature of CPUs that is known"),
        ('__builtin_cpu_is("znver0")', "'znver0' is no CPU that is known"),
        ("__builtin_cpu_supports(name)", "is a text in quotation marks"),
        ("__builtin_cpu_is(3)", "is a text in quotation marks"),
    ],
)
def test_names_that_nobody_knows_are_errors(
    question: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.c"
    source.write_text(f"int f(const char *name) {{ return {question}; }}\n")
    assert polyopt_cc.main(["-c", str(source), "-o", str(tmp_path / "a.o")]) == 1
    assert message in capsys.readouterr().err


def test_functions_of_ours_take_no_name_from_the_program(run_c: Callable[..., str]) -> None:
    """A program may have functions called as if they were what the builtin ones are made of, and
    what it does not ask for is not in it."""
    text = _program(
        ['cpu_supports() + __builtin_cpu_supports("sse2") == 8'],
        "static int cpu_supports(void) { return 7; }\nint cpu_is = 1, bit_SSE = 2;\n",
    )
    assert run_c(text) == "1\n--- stderr\n--- status 0\n"


def test_each_question_has_its_function() -> None:
    header = Path(HEADERS, "polyopt_cpu.h").read_text()
    for question, function in CPU_QUESTIONS.items():
        assert question.removeprefix("__builtin_") in READERS
        assert f"static int {function}(" in header


def test_preprocessed_text_asks_as_well(tmp_path: Path) -> None:
    source, text = tmp_path / "a.c", tmp_path / "a.i"
    source.write_text(_program(['__builtin_cpu_supports("sse2")']))
    assert polyopt_cc.main(["-E", str(source), "-o", str(text)]) == 0
    assert polyopt_cc.main(["-c", str(text), "-o", str(tmp_path / "a.o")]) == 0
