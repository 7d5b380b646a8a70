"""-m flags are single instruction sets, as gcc has them; what flags ask for is in the code."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyopt.driver.options.flags import read_settings
from polyopt.driver.units.room_options import machine_of
from polyopt.support.target import Target, split_machine
from polyopt.tools import polyopt_cc

FUSABLE = "double f(double a, double b, double c) { return a * b + c; }\n"
SUMS = """\
void f(int n, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] + 3 * y[i];
}
"""


def code_of(source: str, options: str, folder: Path, compiler: str = "polyopt-cc") -> str:
    (folder / "t.c").write_text(source)
    words = [*options.split(), "-S", str(folder / "t.c"), "-o", str(folder / "t.s")]
    if compiler == "polyopt-cc":
        assert polyopt_cc.main(words) == 0
    else:
        subprocess.run([compiler, *words], check=True)
    return (folder / "t.s").read_text()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare with")
@pytest.mark.parametrize(
    "options",
    [
        "-mavx2",
        "-mfma",
        "-mavx2 -mfma",
        "-mfma -mno-fma",
        "-mfma -mno-avx",
        "-march=haswell -mno-fma",
        "-march=x86-64-v3",
        "-march=x86-64-v3 -mno-avx2",
        "-msse4.2",
        "-mavx512f",
        "-mno-avx2 -march=x86-64-v3",
    ],
)
def test_products_and_sums_are_fused_where_gcc_fuses_them(options: str, tmp_path: Path):
    def fuses(compiler: str) -> bool:
        text = code_of(FUSABLE, f"-O2 -ffp-contract=fast {options}", tmp_path, compiler)
        return "vfmadd" in text

    assert fuses("polyopt-cc") == fuses("gcc")


@pytest.mark.parametrize(
    ("options", "registers"),
    [
        ("-march=x86-64", {"xmm"}),
        ("-msse4.2", {"xmm"}),
        ("-mavx2", {"xmm", "ymm"}),
        ("-march=x86-64-v3 -mno-avx", {"xmm"}),
        ("-march=x86-64-v4 -mno-avx512f", {"xmm", "ymm"}),
        ("-mavx512f -mavx512dq -mavx512vl", {"xmm", "ymm", "zmm"}),
        ("-march=x86-64-v4 -mprefer-vector-width=256", {"xmm", "ymm"}),
        ("-march=x86-64-v4 -mprefer-vector-width=128", {"xmm"}),
    ],
)
@pytest.mark.parametrize("poly", ["", "-fno-poly"])
def test_no_other_registers(options: str, registers: set[str], poly: str, tmp_path: Path):
    text = code_of(SUMS, f"-O3 {options} {poly}", tmp_path)
    assert {name[1:] for name in re.findall(r"%[xyz]mm", text)} <= registers


@pytest.mark.parametrize(
    ("options", "machine", "bits"),
    [
        ("-march=x86-64-v3", "x86-64-v3", 256),
        ("-mavx2", "x86-64+avx2", 256),
        ("-mavx", "x86-64+avx", 128),
        ("-mavx2 -mno-avx2", "x86-64-v3~avx2", 128),
        ("-march=x86-64-v4 -mno-avx512dq", "x86-64-v4~avx512dq", 256),
        ("-march=x86-64 -mavx512f -mavx512dq", "x86-64+avx512f+avx512dq", 256),
        ("-mabm -msse4", "x86-64+lzcnt+sse4.2", 128),
        ("-mno-sse4 -march=x86-64-v3", "x86-64-v3~sse4.1", 128),
    ],
)
def test_machine_in_one_word(
    options: str, machine: str, bits: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("polyopt.backend.processors.options.default_march", lambda: "x86-64-v3")
    assert machine_of(read_settings(options.split())) == machine
    target = Target.named(machine)
    assert (target.name, target.vector_bits) == (machine, bits)


def test_words_are_taken_apart():
    assert split_machine("x86-64-v3") == ("x86-64-v3", [])
    assert split_machine("sapphirerapids+avx2~fma") == ("sapphirerapids", ["+avx2", "-fma"])


GUARDED = "void g(char *); void f(void) { char buffer[64]; g(buffer); }\n"
LARGE = "void g(char *); void f(void) { char buffer[20000]; g(buffer); }\n"
NAMED = "int visible(void) { return 1; }\nint object = 1, zero;\nconst int fixed = 3;\n"
SHOWN = """\
__attribute__((visibility("default"))) int shown(void) { return 1; }
__attribute__((visibility("hidden"))) int unseen = 2;
int visible(void) { return unseen; }
extern int also(void) __attribute__((alias("visible")));
"""
LIBRARY = "double sqrt(double); double f(double x) { return sqrt(x); }\n"
NULLS = "int f(int *p) { int x = *p; return p ? x : 7; }\n"
SIGNED = "int f(int x) { return x + 1 > x; }\n"


@pytest.mark.parametrize(
    ("source", "options", "present", "absent"),
    [
        (GUARDED, "-fstack-protector", "__stack_chk_fail", ""),
        (GUARDED, "-fstack-protector-all -fno-stack-protector", "", "__stack_chk_fail"),
        (LARGE, "-fstack-clash-protection", "movq\t$0, (%rsp)", ""),
        (LARGE, "-fstack-clash-protection -fno-stack-clash-protection", "", "movq\t$0, (%rsp)"),
        (LARGE, "-fcf-protection", "endbr64", ""),
        (LARGE, "-g -fcf-protection=branch", "endbr64", ""),
        (LARGE, "-fcf-protection=return", ".note.gnu.property", "endbr64"),
        (LARGE, "-fcf-protection -fcf-protection=none", "", "endbr64"),
        (GUARDED, "-fno-omit-frame-pointer", "%rsp, %rbp", ""),
        (GUARDED, "-fno-omit-frame-pointer -fomit-frame-pointer", "", "%rsp, %rbp"),
        (GUARDED, "-fasynchronous-unwind-tables", ".cfi_startproc", ""),
        (NAMED, "-fvisibility=hidden", ".hidden\tvisible", ""),
        (NAMED, "-fvisibility=hidden -fvisibility=default", "", ".hidden"),
        (SHOWN, "-fPIC -fvisibility=hidden", ".hidden\tvisible", ".hidden\tshown"),
        (SHOWN, "-fPIC -fvisibility=hidden", ".hidden\talso", ""),
        (SHOWN, "-fPIC", ".hidden\tunseen", ".hidden\tvisible"),
        (NAMED, "-ffunction-sections", ".text.visible", ".data.object"),
        (NAMED, "-fdata-sections", ".data.object", ".text.visible"),
        (NAMED, "-fdata-sections", ".bss.zero", ""),
        (NAMED, "-fdata-sections", ".rodata.fixed", ""),
        (LIBRARY, "", "sqrtsd", ""),
        (LIBRARY, "-fno-builtin", "", "sqrtsd"),
        (LIBRARY, "-fno-builtin-sqrt", "", "sqrtsd"),
        (LIBRARY, "-fno-builtin-sqrtf", "sqrtsd", ""),
        (LIBRARY, "-ffreestanding", "", "sqrtsd"),
        (NULLS, "-fno-delete-null-pointer-checks", "test", ""),
        (SIGNED, "", "$1", ""),
        (SIGNED, "-fwrapv", "$2147483647", ""),
        (SIGNED, "-fno-strict-overflow", "$2147483647", ""),
        (SIGNED, "-fwrapv -fno-wrapv", "", "$2147483647"),
    ],
)
def test_what_is_asked_for_is_in_the_code(
    source: str, options: str, present: str, absent: str, tmp_path: Path
):
    text = code_of(source, f"-O2 {options}", tmp_path)
    assert present in text
    assert not absent or absent not in text


CLAIMS = (
    "__SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __POPCNT__ __AVX__ __AVX2__ __FMA__ __F16C__ "
    "__SSE4_2__ __CRC32__ __AES__ __PCLMUL__ __SHA__ __BMI__ __BMI2__ __LZCNT__ "
    "__OPTIMIZE__ __OPTIMIZE_SIZE__ __NO_INLINE__ __FAST_MATH__ __FINITE_MATH_ONLY__ linux "
    "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 __GCC_ATOMIC_INT_LOCK_FREE __SIZE_WIDTH__ __unix "
    "__SSP__ __SSP_STRONG__ __SSP_ALL__ __CET__"
).split()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compare with")
@pytest.mark.parametrize(
    "options",
    [
        "",
        "-O2",
        "-Os",
        "-O3 -ffast-math",
        "-ffinite-math-only",
        "-mavx2",
        "-mavx2 -mfma -mno-avx2",
        "-march=x86-64-v3",
        "-march=x86-64-v2 -mf16c",
        "-std=c11 -msse4.2",
        "-march=haswell -mno-fma -U__AVX__",
        "-fstack-protector -fcf-protection",
        "-fstack-protector-all -fcf-protection=return",
        "-fstack-protector-strong -fcf-protection=branch -O2",
    ],
)
def test_macros_say_what_was_asked_for(
    options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """As gcc's do; of AVX-512 and AES there are no functions, and nothing is claimed."""
    source = tmp_path / "t.c"
    source.write_text("".join(f"#ifdef {name}\n{name[:-1]}: {name}\n#endif\n" for name in CLAIMS))
    words = [*options.split(), "-E", "-P", str(source)]
    by_gcc = subprocess.run(["gcc", *words], capture_output=True, text=True, check=True).stdout
    assert polyopt_cc.main(words) == 0
    assert capsys.readouterr().out.split() == by_gcc.split()


def test_what_there_are_no_functions_for_is_not_claimed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    source = tmp_path / "t.c"
    source.write_text("__AVX512F__ __GFNI__ __VAES__ __AVX2__\n")
    assert polyopt_cc.main(["-march=x86-64-v4", "-mvaes", "-E", "-P", str(source)]) == 0
    assert capsys.readouterr().out.split() == [
        "__AVX512F__",
        "__GFNI__",
        "__VAES__",
        "1",
    ]


@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3"])
def test_signed_numbers_wrap_around_in_loops(level: str, tmp_path: Path):
    """Loops that end by overflow, with arrays so that they could be reordered."""
    source = tmp_path / "t.c"
    source.write_text(
        "static int a[100];\n"
        "int main(void) {\n"
        "  int n = 0;\n"
        "  for (int i = 2147483600; i > 0; i++) a[n++] = i;\n"
        "  for (int i = 0; i < n; i++) if (a[i] != 2147483600 + i) return 1;\n"
        "  return n != 48;\n"
        "}\n"
    )
    assert polyopt_cc.main([level, "-fwrapv", "--run", str(source)]) == 0


def test_size_levels_do_not_enlarge_loops(tmp_path: Path):
    sizes: dict[str, int] = {}
    for level in ("-Os", "-Oz", "-O2"):
        sizes[level] = code_of(SUMS, level, tmp_path).count("\n")
    assert sizes["-Oz"] <= sizes["-Os"] < sizes["-O2"]


OTHER_MACHINE = "there is no code for this machine\n  hint: code is made for x86_64-linux-gnu only"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-flto", "-flto: there is no optimisation of a whole program at link time; leave it out"),
        ("-fsanitize=address", "-fsanitize=address: there are no run-time checks of this kind"),
        ("-m32", "-m32: code is made for the 64-bit ABI of System V only"),
        ("-funsigned-bitfields", "-funsigned-bitfields: types would have another size or sign"),
        ("--target=aarch64-linux-gnu", f"--target=aarch64-linux-gnu: {OTHER_MACHINE}"),
        ("-target x86_64-apple-darwin", f"-target x86_64-apple-darwin: {OTHER_MACHINE}"),
        ("--target=x86_64-linux-musl", f"--target=x86_64-linux-musl: {OTHER_MACHINE}"),
        ("-fnot-known", "unknown option '-fnot-known'"),
        ("-mnot-known", "unknown option '-mnot-known'"),
        ("-mtune=abacus", "unknown CPU 'abacus' for -mtune"),
        ("-Werror=not-known", "-Werror=not-known: there is no warning of this name"),
    ],
)
def test_demands_that_cannot_be_met(
    options: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "t.c").write_text(FUSABLE)
    assert polyopt_cc.main([*options.split(), "-c", str(tmp_path / "t.c")]) == 1
    assert capfd.readouterr().err.startswith(f"polyopt-cc: error: {message}\n")


ADVICE = """
-pipe -m64 -mtune=generic -fPIE -fno-plt -ftree-vectorize -fno-tree-loop-distribute-patterns
-funroll-loops -finline-limit=100 --param=max-inline-insns=5 --param x=1 -fno-strict-aliasing
-fno-math-errno -fno-trapping-math -fexcess-precision=fast -Wpedantic -Wshadow -Wformat=2
-Wno-unused-parameter -Wno-not-known -Wconversion -Wstrict-prototypes -ansi -std=gnu89
--target=x86_64-linux-gnu -target x86_64-pc-linux-gnu --target=x86_64-unknown-linux
-fallow-store-data-races -fselective-scheduling2 -fno-ree -fanalyzer -Wno-analyzer-double-free
-fdiagnostics-plain-output -mno-3dnow -mrtm -mno-avx512er -mcpu=generic -mprefer-avx128 -fasm
-fsigned-bitfields -m128bit-long-double -fno-pcc-struct-return -mveclibabi=svml
-fdiagnostics-show-option -fno-common -fno-semantic-interposition -ffile-prefix-map=a=b
"""


def test_advice_is_taken_in_silence(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "t.c").write_text(FUSABLE)
    words = ["-c", str(tmp_path / "t.c"), "-o", str(tmp_path / "t.o")]
    assert polyopt_cc.main([*ADVICE.split(), *words]) == 0
    assert capfd.readouterr() == ("", "")


def test_unknown_advice_is_told_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "t.c").write_text(FUSABLE)
    words = ["-c", str(tmp_path / "t.c"), "-o", str(tmp_path / "t.o")]
    assert polyopt_cc.main(["-Wnot-known", "-gstrange", *words]) == 0
    assert capfd.readouterr().err == (
        "polyopt-cc: warning: -gstrange: unknown kind of debug information; the same as -g\n"
        "polyopt-cc: warning: unknown warning option '-Wnot-known' is ignored "
        "[-Wunknown-warning-option]\n"
    )


CHOSEN = """
int dot(int n, const signed char *a, const unsigned char *b) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
void whole(int n, const double *restrict a, long *restrict o) {
  for (int i = 0; i < n; i++) o[i] = (long)(a[i] * 3);
}
"""


@pytest.mark.parametrize(
    "options",
    [
        "-march=nehalem",
        "-march=sandybridge",
        "-march=x86-64-v4 -mno-fma",
        "-march=x86-64-v4 -mno-ssse3",
        "-march=x86-64-v4 -mno-avx512bw -mavx512vnni",
        "-march=x86-64-v4 -mno-avx512vl",
        "-march=x86-64-v4 -mavxvnni",
        "-march=x86-64-v3 -mavx512vnni",
        "-march=x86-64-v3 -mavx512f -mavx512dq",
    ],
)
def test_no_instruction_is_chosen_that_the_machine_lacks(options: str, tmp_path: Path):
    """LLVM would end the process: a feature that is taken away takes others with it."""
    (tmp_path / "t.c").write_text(CHOSEN)
    words = ["-O3", *options.split(), "--skip-pass=keep-what-pays", "-c", "t.c", "-o", "t.o"]
    command = [sys.executable, "-m", "polyopt.tools.polyopt_cc", "--cache=off", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "t.o").exists()


@pytest.mark.parametrize(
    ("machine", "bits", "registers", "shuffles", "sums"),
    [
        ("nehalem", 128, 16, False, False),
        ("sandybridge", 128, 16, False, False),
        ("znver5", 256, 16, True, True),
        ("znver5~fma", 256, 16, False, False),
        ("sapphirerapids+avx512dq", 512, 32, True, True),
        ("x86-64-v4~avx512bw", 256, 16, False, False),
        ("x86-64-v4~popcnt", 512, 32, False, False),
        ("x86-64-v4+avxvnni", 512, 32, False, False),
        ("x86-64-v3+avx512vl+avx512vbmi+avx512dq", 512, 32, True, False),
    ],
)
def test_what_a_machine_has_stands_on_what_else_it_has(
    machine: str, bits: int, registers: int, shuffles: bool, sums: bool
):
    target = Target.named(machine)
    assert (target.vector_bits, target.vector_registers) == (bits, registers)
    assert (target.shuffles_bytes, target.sums_bytes) == (shuffles, sums)
