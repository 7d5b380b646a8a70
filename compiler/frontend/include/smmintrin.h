/* SSE4.1 (see <xmmintrin.h>). */
#ifndef _SMMINTRIN_H
#define _SMMINTRIN_H
#include <tmmintrin.h>
__POLYOPT_I2(min_epi8);
__POLYOPT_I2(max_epi8);
__POLYOPT_I2(min_epu16);
__POLYOPT_I2(max_epu16);
__POLYOPT_I2(min_epi32);
__POLYOPT_I2(max_epi32);
__POLYOPT_I2(min_epu32);
__POLYOPT_I2(max_epu32);
__POLYOPT_I2(mullo_epi32);
__POLYOPT_I2(mul_epi32);
__POLYOPT_I2(cmpeq_epi64);
__POLYOPT_I2(packus_epi32);
__POLYOPT_I1(minpos_epu16);
__POLYOPT_I1(cvtepi8_epi16);
__POLYOPT_I1(cvtepi8_epi32);
__POLYOPT_I1(cvtepi8_epi64);
__POLYOPT_I1(cvtepi16_epi32);
__POLYOPT_I1(cvtepi16_epi64);
__POLYOPT_I1(cvtepi32_epi64);
__POLYOPT_I1(cvtepu8_epi16);
__POLYOPT_I1(cvtepu8_epi32);
__POLYOPT_I1(cvtepu8_epi64);
__POLYOPT_I1(cvtepu16_epi32);
__POLYOPT_I1(cvtepu16_epi64);
__POLYOPT_I1(cvtepu32_epi64);
__POLYOPT_SSE(__m128i, blend_epi16, __m128i, __m128i, int);
__POLYOPT_SSE(__m128, blend_ps, __m128, __m128, int);
__POLYOPT_SSE(__m128d, blend_pd, __m128d, __m128d, int);
__POLYOPT_SSE(__m128i, blendv_epi8, __m128i, __m128i, __m128i);
__POLYOPT_SSE(__m128, blendv_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, blendv_pd, __m128d, __m128d, __m128d);
__POLYOPT_SSE(int, extract_epi8, __m128i, int);
__POLYOPT_SSE(int, extract_epi32, __m128i, int);
__POLYOPT_SSE(long long, extract_epi64, __m128i, int);
__POLYOPT_SSE(int, extract_ps, __m128, int);
__POLYOPT_SSE(__m128i, insert_epi8, __m128i, int, int);
__POLYOPT_SSE(__m128i, insert_epi32, __m128i, int, int);
__POLYOPT_SSE(__m128i, insert_epi64, __m128i, long long, int);
__POLYOPT_SSE(__m128, insert_ps, __m128, __m128, int);
__POLYOPT_SSE(int, testz_si128, __m128i, __m128i);
__POLYOPT_SSE(int, testc_si128, __m128i, __m128i);
__POLYOPT_SSE(int, testnzc_si128, __m128i, __m128i);
__POLYOPT_SSE(__m128, round_ps, __m128, int);
__POLYOPT_SSE(__m128d, round_pd, __m128d, int);
__POLYOPT_SSE(__m128, round_ss, __m128, __m128, int);
__POLYOPT_SSE(__m128d, round_sd, __m128d, __m128d, int);
__POLYOPT_1(floor_ps);
__POLYOPT_1(ceil_ps);
__POLYOPT_D1(floor_pd);
__POLYOPT_D1(ceil_pd);
__POLYOPT_2(floor_ss);
__POLYOPT_2(ceil_ss);
__POLYOPT_D2(floor_sd);
__POLYOPT_D2(ceil_sd);
__POLYOPT_SSE(__m128, dp_ps, __m128, __m128, int);
__POLYOPT_SSE(__m128d, dp_pd, __m128d, __m128d, int);
__POLYOPT_SSE(__m128i, mpsadbw_epu8, __m128i, __m128i, int);
#define _mm_stream_load_si128(from) _mm_load_si128((const __m128i *)(from))
#define _mm_test_all_zeros(value, mask) _mm_testz_si128(value, mask)
#define _mm_test_mix_ones_zeros(value, mask) _mm_testnzc_si128(value, mask)
#define _mm_test_all_ones(value) _mm_testc_si128(value, _mm_set1_epi32(-1))
#define _MM_FROUND_TO_NEAREST_INT 0
#define _MM_FROUND_TO_NEG_INF 1
#define _MM_FROUND_TO_POS_INF 2
#define _MM_FROUND_TO_ZERO 3
#define _MM_FROUND_CUR_DIRECTION 4
#define _MM_FROUND_RAISE_EXC 0
#define _MM_FROUND_NO_EXC 8
#define _MM_FROUND_NINT 0
#define _MM_FROUND_FLOOR 1
#define _MM_FROUND_CEIL 2
#define _MM_FROUND_TRUNC 3
#define _MM_FROUND_RINT 4
#define _MM_FROUND_NEARBYINT 12
#endif
