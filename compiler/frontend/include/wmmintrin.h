/* Products without carries, and AES (see <xmmintrin.h>). */
#ifndef _WMMINTRIN_H
#define _WMMINTRIN_H
#include <emmintrin.h>
__POLYOPT_SSE(__m128i, clmulepi64_si128, __m128i, __m128i, int);
__POLYOPT_I2(aesenc_si128);
__POLYOPT_I2(aesenclast_si128);
__POLYOPT_I2(aesdec_si128);
__POLYOPT_I2(aesdeclast_si128);
__POLYOPT_SSE(__m128i, aesimc_si128, __m128i);
__POLYOPT_IN(aeskeygenassist_si128);
#endif
