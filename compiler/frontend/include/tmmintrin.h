/* SSSE3 (see <xmmintrin.h>). */
#ifndef _TMMINTRIN_H
#define _TMMINTRIN_H
#include <pmmintrin.h>
#define __POLYOPT_I1(name) __POLYOPT_SSE(__m128i, name, __m128i)
__POLYOPT_I1(abs_epi8);
__POLYOPT_I1(abs_epi16);
__POLYOPT_I1(abs_epi32);
__POLYOPT_I2(hadd_epi16);
__POLYOPT_I2(hadd_epi32);
__POLYOPT_I2(hadds_epi16);
__POLYOPT_I2(hsub_epi16);
__POLYOPT_I2(hsub_epi32);
__POLYOPT_I2(hsubs_epi16);
__POLYOPT_I2(maddubs_epi16);
__POLYOPT_I2(mulhrs_epi16);
__POLYOPT_I2(shuffle_epi8);
__POLYOPT_I2(sign_epi8);
__POLYOPT_I2(sign_epi16);
__POLYOPT_I2(sign_epi32);
__POLYOPT_SSE(__m128i, alignr_epi8, __m128i, __m128i, int);
#endif
