"""Our <x86gprintrin.h>, and what else of <immintrin.h> is written in C, give what gcc's give."""

import subprocess
from pathlib import Path

import pytest

PROGRAM = """
#include <immintrin.h>
#include <stdio.h>
#define L(value) (unsigned long long)(value)
#define ALL(bits, type)                                                                   \\
  for (int i = 0; i < 5; i++)                                                             \\
    for (int n = 0; n < 6; n++) {                                                         \\
      type x = (type)xs[i], y = (type)xs[n], sum = 0, rest = 0;                           \\
      int carry = _addcarry_u##bits(n & 1, x, y, &sum);                                   \\
      int borrow = _subborrow_u##bits(n & 1, x, y, &rest);                                \\
      printf("%d %d %llx %llx ", carry, borrow, L(sum), L(rest));                         \\
      printf("%llx %llx ", L(_bzhi_u##bits(x, counts[n])), L(__bextr_u##bits(x, 0x905))); \\
      printf("%llx %llx ", L(_bextr_u##bits(x, counts[n], 7)), L(_blsr_u##bits(x)));      \\
      printf("%llx %llx ", L(_blsi_u##bits(x)), L(_blsmsk_u##bits(x)));                   \\
      printf("%llx %llx ", L(_andn_u##bits(x, y)), L(_tzcnt_u##bits(x)));                 \\
      printf("%llx\\n", L(_lzcnt_u##bits(x)));                                            \\
    }
static unsigned long long xs[6] = {0, 1, -1ull, 1ull << 63, 0x123456789abcdef0, 40};
static unsigned counts[6] = {0, 5, 31, 32, 63, 300};
int main(void) {
  ALL(32, unsigned)
  ALL(64, unsigned long long)
  unsigned long long high, low = _mulx_u64(xs[2], xs[4], &high);
  printf("%llx %llx %x %llx\\n", low, high, __rold(xs[4], 37), L(__rorq(xs[4], -9)));
  printf("%x %llx %d %d\\n", _bswap(1), L(_bswap64(2)), __bsfd(40), __bsrd(40));
  printf("%d %x\\n", __bsrq(xs[4]), _mm_cvtsi128_si32(_mm_loadu_si16(&xs[2])));
  __m128i to = _mm_setzero_si128();
  _mm_storeu_si32(&to, _mm_set1_epi8(5));
  _mm_storeu_si16((char *)&to + 9, _mm_set1_epi8(3));
  printf("%llx ", L(_mm_cvtsi128_si64(to)));
  printf("%llx\\n", L(_mm_cvtsi128_si64(_mm_unpackhi_epi64(to, to))));
  float floats[9];
  _mm256_storeu2_m128(floats, floats + 5, _mm256_setr_ps(1, 2, 3, 4, 5, 6, 7, 8));
  double doubles[2] __attribute__((aligned(16)));
  _mm_storer_pd(doubles, _mm_loadr_pd(doubles + 0 * (doubles[0] = 7, doubles[1] = 9, 1)));
  printf("%g %g %g %g\\n", floats[0], floats[8], doubles[0], doubles[1]);
  unsigned cpu = 12345;
  unsigned long long first = __rdtsc(), second = __rdtscp(&cpu);
  printf("%d %d\\n", first < second, cpu != 12345);
}
"""


@pytest.mark.usefixtures("tools_on_path")
def test_integers_are_as_with_gcc(tmp_path: Path) -> None:
    source = tmp_path / "integers.c"
    source.write_text(PROGRAM)
    found: list[str] = []
    for compiler in (["polyopt-cc", "--cache=off"], ["gcc"]):
        binary = tmp_path / compiler[0]
        options = ["-O1", "-mbmi", "-mbmi2", "-mlzcnt", "-mavx"]
        subprocess.run([*compiler, *options, str(source), "-o", str(binary)], check=True)
        run = subprocess.run([str(binary)], check=True, capture_output=True, text=True)
        found.append(run.stdout)
    assert len(found[0].splitlines()) == 66
    assert found[0] == found[1]
