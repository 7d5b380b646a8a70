/* SSE4.2, and counts of bits (see <xmmintrin.h>). */
#ifndef _NMMINTRIN_H
#define _NMMINTRIN_H
#include <smmintrin.h>
__POLYOPT_I2(cmpgt_epi64);
__POLYOPT_SSE(int, cmpistri, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestri, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(__m128i, cmpistrm, __m128i, __m128i, int);
__POLYOPT_SSE(__m128i, cmpestrm, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(int, cmpistra, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestra, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(int, cmpistrc, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestrc, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(int, cmpistro, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestro, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(int, cmpistrs, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestrs, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(int, cmpistrz, __m128i, __m128i, int);
__POLYOPT_SSE(int, cmpestrz, __m128i, int, __m128i, int, int);
__POLYOPT_SSE(unsigned, crc32_u8, unsigned, unsigned char);
__POLYOPT_SSE(unsigned, crc32_u16, unsigned, unsigned short);
__POLYOPT_SSE(unsigned, crc32_u32, unsigned, unsigned);
__POLYOPT_SSE(unsigned long long, crc32_u64, unsigned long long, unsigned long long);
#define _SIDD_UBYTE_OPS 0x00
#define _SIDD_UWORD_OPS 0x01
#define _SIDD_SBYTE_OPS 0x02
#define _SIDD_SWORD_OPS 0x03
#define _SIDD_CMP_EQUAL_ANY 0x00
#define _SIDD_CMP_RANGES 0x04
#define _SIDD_CMP_EQUAL_EACH 0x08
#define _SIDD_CMP_EQUAL_ORDERED 0x0c
#define _SIDD_POSITIVE_POLARITY 0x00
#define _SIDD_NEGATIVE_POLARITY 0x10
#define _SIDD_MASKED_POSITIVE_POLARITY 0x20
#define _SIDD_MASKED_NEGATIVE_POLARITY 0x30
#define _SIDD_LEAST_SIGNIFICANT 0x00
#define _SIDD_MOST_SIGNIFICANT 0x40
#define _SIDD_BIT_MASK 0x00
#define _SIDD_UNIT_MASK 0x40
#define _mm_popcnt_u32(bits) __builtin_popcount(bits)
#define _mm_popcnt_u64(bits) ((long long)__builtin_popcountll(bits))
#endif
