"""Each function of our <immintrin.h> gives what it gives with gcc and gcc's own header, bit by bit,
called with numbers that are extreme for it and through functions of other files."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyopt.backend.emit.machine.machine_vectors import PREFIX, WIDE_PREFIX, definition
from polyopt.frontend.tokens.library_headers import HEADERS
from polyopt.support.processor import processor_lines

FLAGS = frozenset(processor_lines().get("flags", "").split())

VECTORS = ("__m128", "__m128d", "__m128i", "__m256", "__m256d", "__m256i")
IMMEDIATE = re.compile(
    r"b?s[lr]li_(si|epi)\d+|(sll|srl|sra)i_.*|shuffle.*|extract.*|insert.*|blend_.*|alignr_.*|dp_.*|"
    r"round_.*|cmp[ie]str.|clmulepi64.*|aeskeygen.*|mpsadbw.*|sha1rnds4.*|permute_.*|permute4.*|"
    r"permute2.*|cmp_.*|cvtps_ph|.*gather.*"
)
LARGEST = {
    **{name: 4 for name in ("shuffle_pd", "blend_pd", "permute_pd", "extract_ps")},
    **{"extractf": 2, "insertf": 2, "blend_ps": 16, "cmp_": 32},
    **{"sha1rnds4": 4, "cmpistr": 128, "cmpestr": 128},
}
"""What the number may be below, where gcc asks for one in a range."""
ESTIMATES = ("rcp_ps", "rcp_ss", "rsqrt_ps", "rsqrt_ss")
"""What the machine gives there is its own business."""
UNKNOWN = re.compile(r"cast(ps|pd|si)128_.*|zero(upper|all)|[gs]etcsr|clflush")
"""What is in the upper half, or nothing is given, or how floats are computed (tested apart)."""

HEAD = """
#include <immintrin.h>
#include <stdio.h>
#include <string.h>
static union { unsigned u[4]; float f[4]; double d[2]; long long l[2]; }
data[16] __attribute__((aligned(32))) = {
  {.u = {0x7eff8000, 0x80007fff, 0x00ff80ff, 0x12345678}},
  {.u = {0xfeff0001, 0x7f00ff01, 0x9abcdef0, 0x00000003}},
  {.f = {1.5f, -2.25f, 3e9f, 0.0f}}, {.f = {-1.5f, 2.5f, -0.0f, 7.75f}},
  {.u = {0x7fc00000, 0x3f800000, 0x40200000, 0xc0200000}},
  {.d = {2.5, -3.75}}, {.d = {-1e10, 1.0 / 3}}, {.l = {3, 0}},
  {.f = {0.5f, 1.5f, 2.5f, -3.5f}}, {.u = {0x3c004000, 0x7c00fc00, 0x00018001, 0x3555b800}},
  {.l = {-0x123456789abcd, 7}}, {.u = {0x80000001, 5, 0x8fffffff, 0x7f7fffff}},
  {.d = {-0.0, 1e300}}, {.d = {-2.5, 0.5}}, {.u = {1, 2, 3, 4}}, {.f = {1, 2, 3, 4}},
};
static const int places[8] __attribute__((aligned(32))) = {3, -2, 0, 7, 1, 5, -1, 4};
static const long long far[4] __attribute__((aligned(32))) = {3, -2, 0, 5};
static unsigned memory[8] __attribute__((aligned(32)));
static void show(const char *name, const void *what, int size) {
  unsigned char bytes[32];
  memcpy(bytes, what, size);
  printf("%s", name);
  for (int i = 0; i < size; i++) printf(" %02x", bytes[i]);
  puts("");
}
"""


def declared() -> list[tuple[str, str, list[str]]]:
    """Result, name and parameter types, as the preprocessor shows them."""
    text = subprocess.run(
        ["cpp", "-P", f"-I{HEADERS}", f"{HEADERS}/immintrin.h"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = re.findall(r"([\w ]+?) (_mm(?:256)?_\w+)\(([^)]*)\) __asm__", text)
    return [
        (result.strip(), name, [p.strip() for p in parameters.split(",") if p.strip() != "void"])
        for result, name, parameters in found
    ]


FUNCTIONS = declared()
NAMES = [name for _, name, _ in FUNCTIONS]
MACHINE = ("-march=x86-64-v3", "-maes", "-mpclmul", "-msha")

pytestmark = pytest.mark.usefixtures("tools_on_path")


def argument(type: str, position: int, turn: int) -> str:
    if type in VECTORS:
        is_wide = type.startswith("__m256")
        place = (3 * position + turn) % 8
        return f"*(const {type} *)&data[{2 * place if is_wide else 2 * place + turn % 2}]"
    if "*" in type:
        is_const = "const" in type
        return f"({type}){'&data[' + str(2 * turn) + ']' if is_const else 'memory'}"
    values = (
        ("7", "-3", "100", "0", "-128")
        if type not in ("float", "double")
        else ("1.25", "-3.5", "0.0", "1e9", "-7e-3")
    )
    return f"({type}){values[(position + turn) % 5]}"


def gathered(name: str, parameters: list[str], turn: int) -> list[str]:
    """Elements of the table around its middle."""
    is_far = "i64" in name
    index = (
        f"*(const {parameters[-2 if 'mask' not in name else 2]} *){'far' if is_far else 'places'}"
    )
    base = next(p for p in parameters if "*" in p)
    here = f"({base})&data[4]"
    if "mask" not in name:
        return [here, index, "8" if "64" in base or "double" in base or "long" in base else "4"]
    vectors = [f"*(const {parameters[0]} *)&data[{2 * n}]" for n in (turn, (turn + 2) % 5)]
    return [vectors[0], here, index, vectors[1], "4"]


def number(name: str, turn: int) -> str:
    limits = (limit for start, limit in LARGEST.items() if name.startswith(start))
    limit = next(limits, 5 if name.startswith(("round", "cvtps")) else 256)
    lanes = 2 if name.startswith(("extracti", "inserti")) else limit
    return str((3, 0x1B, 0x72, 1, 0xE4)[turn] % lanes)


def program_text() -> str:
    """A function for each: compilers take longer for one long one."""
    parts = [calls(*function) for function in FUNCTIONS]
    functions = [
        f"static void call{n}(void) {{\n{part}\n}}" for n, part in enumerate(parts) if part
    ]
    names = [f"call{n}();" for n, part in enumerate(parts) if part]
    return "\n".join([HEAD, *functions, f"int main(void) {{ {' '.join(names)} }}", ""])


def calls(result: str, full: str, parameters: list[str]) -> str:
    """Five of one of the functions."""
    lines: list[str] = []
    name = full.split("_", 2)[2]
    if name in ESTIMATES or UNKNOWN.fullmatch(name):
        return ""
    for turn in range(5):
        immediate = bool(IMMEDIATE.fullmatch(name))
        if "comi" in name and turn == 2:
            continue  # gcc 12 takes NaN to be equal to everything (its bug 106113)
        given = [argument(p, n, turn) for n, p in enumerate(parameters)]
        if "gather" in name:
            given = gathered(name, parameters, turn)
        elif immediate and parameters[-1] in ("int", "unsigned"):
            given[-1] = number(name, turn)
        if re.fullmatch("extract_.*|insert_.*", name) and not name.endswith("_ps"):
            given[-1] = str(turn % 2 if "64" in name else turn % 4)
        call = f"{full}({', '.join(given)})"
        if result == "void":
            shown = f'show("{full}", memory, 32);'
            lines.append(f"  memset(memory, 0, 32); {call}; {shown}")
        else:
            size = f"sizeof({result})"
            lines.append(f'  {{ {result} r = {call}; show("{full}", &r, {size}); }}')
    return "\n".join(lines)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("vectors")
    source = folder / "all.c"
    source.write_text(program_text())
    return source, output(["gcc", "-O1", *MACHINE], source)


def output(command: list[str], *sources: Path) -> str:
    binary = sources[0].with_suffix(".out")
    subprocess.run([*command, *map(str, sources), "-o", str(binary)], check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(
    not {"avx2", "fma", "aes", "pclmulqdq", "sha_ni"} <= FLAGS,
    reason="a CPU without AVX2, AES or SHA",
)
@pytest.mark.parametrize("level", ["-O0", pytest.param("-O3", marks=pytest.mark.slow)])
def test_all_give_what_they_give_with_gcc(program: tuple[Path, str], level: str) -> None:
    source, expected = program
    assert len(expected.splitlines()) > 3000
    found = output(["polyopt-cc", "--cache=off", level, *MACHINE], source)
    differing = [
        (theirs, ours)
        for theirs, ours in zip(expected.splitlines(), found.splitlines(), strict=True)
        if _without_signs(theirs) != _without_signs(ours)
    ]
    assert differing == []


def _without_signs(line: str) -> str:
    """Of differences from products, a number that is none has any sign: what is taken off is
    negated first, as by clang, or by the one instruction."""
    name, *told = line.split()
    if "msub" not in name:
        return line
    data, size = bytes(int(one, 16) for one in told), 8 if name.endswith(("pd", "sd")) else 4
    numbers = np.frombuffer(data, f"f{size}").copy()
    numbers[np.isnan(numbers)] = np.nan
    return f"{name} {numbers.tobytes().hex(' ')}"


NOT_A_NUMBER = """
#include <emmintrin.h>
#include <stdio.h>
int main(void) {
  volatile float zero = 0;
  __m128 a = _mm_set1_ps(zero / zero), b = _mm_set1_ps(1);
  printf("%d%d%d%d%d%d ", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_comile_ss(a, b),
         _mm_comigt_ss(a, b), _mm_comige_ss(a, b), _mm_comineq_ss(a, b));
  printf("%d%d\\n", _mm_ucomieq_ss(a, a), _mm_ucomineq_ss(a, a));
}
"""


def test_nothing_is_so_of_what_is_no_number_but_that_it_differs(tmp_path: Path) -> None:
    source = tmp_path / "nan.c"
    source.write_text(NOT_A_NUMBER)
    assert output(["polyopt-cc", "--cache=off", "-O2"], source) == "000001 01\n"


CONTROL = """
#include <pmmintrin.h>
#include <float.h>
#include <stdio.h>
volatile float one = 1, three = 3, small = FLT_MIN;
int main(void) {
  printf("%x %x ", _mm_getcsr(), _MM_GET_EXCEPTION_MASK());
  _MM_SET_ROUNDING_MODE(_MM_ROUND_UP);
  volatile float up = one / three;
  _MM_SET_ROUNDING_MODE(_MM_ROUND_DOWN);
  volatile float down = one / three;
  printf("%d %x ", up > down, _MM_GET_ROUNDING_MODE());
  _MM_SET_ROUNDING_MODE(_MM_ROUND_NEAREST);
  volatile float kept = small / 2;
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  volatile float gone = small / 2, taken = kept * three;
  printf("%d %d %d ", kept > 0, gone == 0, taken == 0);
  printf("%x ", _MM_GET_FLUSH_ZERO_MODE() | _MM_GET_DENORMALS_ZERO_MODE());
  _MM_SET_EXCEPTION_STATE(0);
  printf("%x\\n", _mm_getcsr());
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_programs_say_how_floats_are_computed(tmp_path: Path, level: str) -> None:
    """By hand: exceptions are masked at the start, and bits are set and cleared by groups."""
    source = tmp_path / "control.c"
    source.write_text(CONTROL)
    found = output(["polyopt-cc", "--cache=off", level], source)
    assert found == "1f80 1f80 1 2000 0 1 1 8040 9fc0\n"


def test_every_declared_function_has_a_body() -> None:
    assert len(FUNCTIONS) > 750
    symbols = [name.replace("_mm256_", WIDE_PREFIX).replace("_mm_", PREFIX) for name in NAMES]
    assert [symbol for symbol in symbols if definition(symbol) is None] == []


CALLEE = """
#include <emmintrin.h>
__m128i sum(__m128i a, int n, __m128i b, double x, __m128 c, __m128d d) {
  __m128i all = _mm_add_epi32(_mm_add_epi32(a, b), _mm_set1_epi32(n));
  __m128i more = _mm_cvtpd_epi32(_mm_add_sd(d, _mm_set_sd(x)));
  return _mm_add_epi32(all, _mm_add_epi32(_mm_cvtps_epi32(c), more));
}
"""
CALLER = """
#include <emmintrin.h>
#include <stdio.h>
__m128i sum(__m128i, int, __m128i, double, __m128, __m128d);
int main(void) {
  int r[4];
  for (int i = 0; i < 3; i++) {
    __m128i a = _mm_set_epi32(i, 2, 3, 4);
    a = sum(a, 10, _mm_slli_epi32(a, 4), 5.0, _mm_set_ps(1, 2, 3, 4), _mm_set_pd(100, 200));
    _mm_storeu_si128((__m128i *)r, a);
    printf("%d %d %d %d\\n", r[0], r[1], r[2], r[3]);
  }
}
"""


def objects_of(folder: Path, caller: str, callee: str, ours: str, *flags: str) -> list[Path]:
    objects: list[Path] = []
    for name, text in (("caller", caller), ("callee", callee)):
        source, made = folder / f"{name}.c", folder / f"{name}.o"
        source.write_text(text)
        compiler = ["polyopt-cc", "--cache=off"] if name == ours else ["gcc"]
        subprocess.run([*compiler, "-O1", *flags, "-c", str(source), "-o", str(made)], check=True)
        objects.append(made)
    return objects


@pytest.mark.parametrize("ours", ["caller", "callee"])
def test_vectors_are_passed_as_gcc_passes_them(tmp_path: Path, ours: str) -> None:
    objects = objects_of(tmp_path, CALLER, CALLEE, ours)
    # By hand: r[0] = 4 + 64 + 10 + 4 + 205, r[1] = 3 + 48 + 10 + 3 + 100, ...
    assert output(["gcc"], *objects).splitlines() == [
        "287 164 46 11",
        "287 164 46 28",
        "287 164 46 45",
    ]


WIDE_CALLEE = """
#include <immintrin.h>
typedef struct { __m256 v; } one;
typedef union { __m256i i; float f[8]; } floats;
__m256i sum(__m256i a, int n, double x, __m256i b, __m128i c, one d, floats e) {
  a = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_set1_epi32(n + (int)x));
  a = _mm256_add_epi32(a, _mm256_cvtps_epi32(_mm256_add_ps(d.v, _mm256_loadu_ps(e.f))));
  return _mm256_add_epi32(a, _mm256_cvtepi16_epi32(c));
}
one same(one x) { return x; }
floats other(floats x) { x.f[1] += 1; return x; }
"""
WIDE_CALLER = """
#include <immintrin.h>
#include <stdio.h>
typedef struct { __m256 v; } one;
typedef union { __m256i i; float f[8]; } floats;
__m256i sum(__m256i, int, double, __m256i, __m128i, one, floats);
one same(one);
floats other(floats);
int main(void) {
  one a = {_mm256_setr_ps(1, 2, 3, 4, 5, 6, 7, 8)};
  floats b;
  __m256i r;
  b.i = _mm256_castps_si256(a.v);
  r = sum(_mm256_set1_epi32(1000), 100, 10.0, r = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8),
          _mm_set1_epi16(-1), same(a), other(b));
  for (int i = 0; i < 8; i++) printf("%d ", ((int *)&r)[i]);
}
"""


@pytest.mark.skipif(not {"avx2", "fma"} <= FLAGS, reason="a CPU without AVX2")
@pytest.mark.parametrize("ours", ["caller", "callee"])
def test_wide_vectors_are_passed_as_gcc_passes_them(tmp_path: Path, ours: str) -> None:
    """By hand: 1000 + 100 + 10 - 1 + three times the place, and the second one more."""
    objects = objects_of(tmp_path, WIDE_CALLER, WIDE_CALLEE, ours, *MACHINE)
    assert output(["gcc"], *objects) == "1112 1116 1118 1121 1124 1127 1130 1133 "


RECORDS = """
#include <emmintrin.h>
#include <stdio.h>
typedef struct { __m128 v; } one;
typedef struct { one in[1]; } deep;
typedef union { __m128i i; __m128d d; } either;
typedef union { __m128i i; float f[4]; } floats;
typedef union { __m128 v; unsigned w[4]; } words;
one f(one x, float y);
deep g(float k, deep x);
either h(either x, int y);
floats i(floats x, float y);
words j(words x, unsigned y);
"""
RECORDS_TAKEN = f"""{RECORDS}
one f(one x, float y) {{ x.v = _mm_add_ps(x.v, _mm_set1_ps(y)); return x; }}
deep g(float k, deep x) {{ x.in[0] = f(x.in[0], k); return x; }}
either h(either x, int y) {{ x.i = _mm_add_epi32(x.i, _mm_set1_epi32(y)); return x; }}
floats i(floats x, float y) {{ x.f[2] += y; return x; }}
words j(words x, unsigned y) {{ x.w[1] += y; return x; }}
"""
RECORDS_PASSED = f"""{RECORDS}
static void show(__m128 v) {{
  float f[4];
  _mm_storeu_ps(f, v);
  printf("%g %g %g %g\\n", f[0], f[1], f[2], f[3]);
}}
int main(void) {{
  one a = {{_mm_setr_ps(1, 2, 3, 4)}};
  deep b = {{{{a}}}};
  either c = {{_mm_castps_si128(a.v)}};
  floats d;
  words e;
  d.i = c.i, e.v = a.v;
  show(f(a, 5).v), show(g(2, b).in[0].v), show(_mm_castsi128_ps(h(c, 1 << 23).i));
  show(_mm_castsi128_ps(i(d, 4).i)), show(j(e, 1 << 23).v);
}}
"""


@pytest.mark.parametrize("ours", ["caller", "callee", "neither"])
def test_records_of_vectors_are_passed_as_gcc_passes_them(tmp_path: Path, ours: str) -> None:
    """A record of vectors alone is one; beside other members the words decide."""
    objects = objects_of(tmp_path, RECORDS_PASSED, RECORDS_TAKEN, ours)
    assert output(["gcc"], *objects).splitlines() == [
        "6 7 8 9",
        "3 4 5 6",
        "2 4 6 8",  # one more in the exponent
        "1 2 7 4",
        "1 4 3 4",
    ]


VARIABLE = """
#include <emmintrin.h>
#include <stdarg.h>
#include <stdio.h>
typedef struct { __m128 v; } one;
static float sum(int n, ...) {
  va_list rest;
  float s = 0;
  va_start(rest, n);
  for (int i = 0; i < n; i++) {
    __m128 v = i % 2 ? va_arg(rest, one).v : va_arg(rest, __m128);
    s += _mm_cvtss_f32(_mm_shuffle_ps(v, v, 3)) * (i + 1);
  }
  va_end(rest);
  return s;
}
int main(void) {
  __m128 a = _mm_set_ps(3, 0, 0, 0);
  one b = {a};
  printf("%g %g\\n", sum(3, a, b, a), sum(10, a, b, a, b, a, b, a, b, a, b));
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_vectors_are_variable_arguments(tmp_path: Path, level: str) -> None:
    """In registers and, from the ninth on, on the stack: 3 * (1 + 2 + 3), 3 * 55."""
    source = tmp_path / "variable.c"
    source.write_text(VARIABLE)
    assert output(["polyopt-cc", "--cache=off", level], source) == "18 165\n"


WIDE_VARIABLE = """
#include <immintrin.h>
#include <stdarg.h>
#include <stdio.h>
static float sum(int n, ...) {
  va_list rest;
  float s = 0;
  va_start(rest, n);
  for (int i = 0; i < n; i++) {
    s += _mm256_cvtss_f32(va_arg(rest, __m256));
    s += va_arg(rest, int);
  }
  va_end(rest);
  return s;
}
int main(void) { printf("%g\\n", sum(2, _mm256_set1_ps(1.5f), 1, _mm256_set1_ps(2), 10)); }
"""


@pytest.mark.skipif("avx2" not in FLAGS, reason="a CPU without AVX2")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_wide_vectors_are_variable_arguments(tmp_path: Path, level: str) -> None:
    source = tmp_path / "variable.c"
    source.write_text(WIDE_VARIABLE)
    assert output(["polyopt-cc", "--cache=off", level, *MACHINE], source) == "14.5\n"


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["-march=x86-64"], "'_mm256_fmadd_ps' needs FMA"),
        (["-march=x86-64", "-mavx2"], "'_mm256_fmadd_ps' needs FMA"),
        (["-march=x86-64-v3", "-mno-fma"], "'_mm256_fmadd_ps' needs FMA"),
        (["-march=sandybridge"], "'_mm256_fmadd_ps' needs FMA"),
        (["-march=x86-64-v3"], ""),
        (["-march=x86-64", "-mfma"], ""),
        (["-march=skylake"], ""),
    ],
)
def test_what_the_cpu_lacks_is_told(tmp_path: Path, flags: list[str], told: str) -> None:
    source = tmp_path / "fused.c"
    source.write_text(
        "#include <immintrin.h>\n"
        "__m256 f(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }\n"
    )
    command = ["polyopt-cc", "--cache=off", "-O1", *flags, "-c", str(source)]
    ended = subprocess.run(
        [*command, "-o", str(tmp_path / "fused.o")], check=False, capture_output=True, text=True
    )
    assert (ended.returncode != 0) == bool(told)
    assert told in ended.stderr


def test_a_streamed_integer_is_one_wherever_the_pointer_says_it_goes(tmp_path: Path) -> None:
    source = tmp_path / "stream.c"
    source.write_text("""
#include <emmintrin.h>
#include <stdio.h>
int main(void) {
  unsigned w[4] = {1, 2, 3, 4};
  void *to = w;
  _mm_stream_si32(to, 5), _mm_stream_si64(to = w + 2, -1);
  printf("%x %x %x %x\\n", w[0], w[1], w[2], w[3]);
}
""")
    assert output(["polyopt-cc", "--cache=off", "-O1"], source) == "5 2 ffffffff ffffffff\n"


LOOP = """
#include <emmintrin.h>
#include <fcntl.h>
int has_the_systems_headers(void) { return O_RDONLY; }
void add(short *a, const short *b, int n) {
  for (int i = 0; i + 8 <= n; i += 8) {
    __m128i x = _mm_loadu_si128((const __m128i *)(a + i));
    __m128i y = _mm_loadu_si128((const __m128i *)(b + i));
    _mm_storeu_si128((__m128i *)(a + i), _mm_adds_epi16(_mm_slli_epi16(x, 2), y));
  }
}
"""


@pytest.mark.skipif(not Path("/usr/include/fcntl.h").exists(), reason="no headers of the system")
def test_each_is_one_instruction(tmp_path: Path) -> None:
    source, made = tmp_path / "loop.c", tmp_path / "loop.s"
    source.write_text(LOOP)
    command = ["polyopt-cc", "--cache=off", "-O2", "-march=x86-64", "-S", str(source)]
    subprocess.run([*command, "-o", str(made)], check=True)
    words = made.read_text().split()
    assert words.count("paddsw") == words.count("psllw") > 0
    assert "movaps" not in words
    assert not any(word.startswith("call") for word in words)
