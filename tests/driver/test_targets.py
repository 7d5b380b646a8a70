"""Functions for another CPU than the rest of their file (`target`, `#pragma GCC target`): gcc's
give the same, and whatever calls them stays for every CPU."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from polyopt.support.processor import processor_lines
from polyopt.tools.polyopt_cc import main

FLAGS = frozenset(processor_lines().get("flags", "").split())
PROGRAM = r"""
#include <immintrin.h>
#include <stdio.h>
#define FOLDS __attribute__((target("ssse3,sse4.1,pclmul")))
FOLDS static inline __m128i fold(__m128i v, __m128i k) {
    return _mm_xor_si128(_mm_clmulepi64_si128(v, k, 0), _mm_clmulepi64_si128(v, k, 0x11));
}
FOLDS static long long check(const unsigned char *p, int n) {
    __m128i v = _mm_set_epi64x(1, 2), k = _mm_set_epi64x(0x1d9513d7, 0x8f352d95);
    for (int i = 0; i + 16 <= n; i += 16)
        v = _mm_xor_si128(fold(v, k), _mm_loadu_si128((const __m128i *)(p + i)));
    return _mm_cvtsi128_si64(v) ^ _mm_extract_epi64(v, 1);
}
__attribute__((target("avx2,fma"))) static int low(const float *p) {
    __m256 two = _mm256_set1_ps(2), one = _mm256_set1_ps(1);
    return (int)_mm256_cvtss_f32(_mm256_fmadd_ps(_mm256_loadu_ps(p), two, one));
}
__attribute__((target("arch=haswell"))) static int bits(const unsigned char *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += __builtin_popcount(p[i]);
    return s;
}
#pragma GCC push_options
#pragma GCC target("avx2")
__attribute__((always_inline)) static inline __m256i twice(__m256i a) {
    return _mm256_add_epi32(a, a);
}
static int ends(const int *p) {
    int r[8];
    _mm256_storeu_si256((__m256i *)r, twice(_mm256_loadu_si256((const __m256i *)p)));
    return r[0] + r[7];
}
__attribute__((target("fma"))) static void sums(float *x, const float *y, int n) {
    for (int i = 0; i < n; i++) x[i] += y[i];
}
#pragma GCC pop_options
static unsigned char bytes[1000];
static float xs[100], ys[100];
int main(void) {
    for (int i = 0; i < 1000; i++) bytes[i] = i * 7;
    for (int i = 0; i < 100; i++) xs[i] = i, ys[i] = 2 * i;
    sums(xs, ys, 100);
    printf("%llx %d %d ", check(bytes, 1000), low(xs + 50), ends((int *)bytes));
    printf("%g %d\n", xs[99], bits(bytes, 1000));
}
"""


@pytest.mark.skipif(not {"avx2", "fma", "pclmulqdq"} <= FLAGS, reason="a CPU without PCLMUL")
@pytest.mark.parametrize("level", ["-O0", "-O2", "-O3 -fparallel"])
@pytest.mark.usefixtures("tools_on_path")
def test_functions_have_the_cpu_that_they_ask_for(level: str, tmp_path: Path) -> None:
    source, ours, theirs = (tmp_path / name for name in ("t.c", "ours", "theirs"))
    source.write_text(PROGRAM)
    flags = [*level.split(), "-march=x86-64", "--cache=off"]
    assert main([*flags, str(source), "-o", str(ours)]) == 0
    subprocess.run(["gcc", "-O1", str(source), "-o", str(theirs)], check=True)
    found, wanted = (
        subprocess.run([one], capture_output=True, text=True, check=True).stdout
        for one in (ours, theirs)
    )
    assert found == wanted


def test_others_are_for_every_cpu(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "t.c"
    source.write_text(
        "#include <immintrin.h>\n"
        '__attribute__((target("pclmul")))\n'
        "__m128i f(__m128i a) { return _mm_clmulepi64_si128(a, a, 0); }\n"
        "__m128i g(__m128i a) { return _mm_clmulepi64_si128(a, a, 1); }\n"
    )
    assert main(["-c", "-march=x86-64", "--cache=off", str(source), "-o", str(tmp_path / "t")]) == 1
    told = capsys.readouterr().err
    assert "'_mm_clmulepi64_si128' needs PCLMUL" in told
    assert '__attribute__((target("pclmul"))) on the function' in told
