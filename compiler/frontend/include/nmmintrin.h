/* SSE4.2 but for what compares strings, and counts of bits (see <xmmintrin.h>). */
#ifndef _NMMINTRIN_H
#define _NMMINTRIN_H
#include <smmintrin.h>
__POLYOPT_I2(cmpgt_epi64);
__POLYOPT_SSE(unsigned, crc32_u8, unsigned, unsigned char);
__POLYOPT_SSE(unsigned, crc32_u16, unsigned, unsigned short);
__POLYOPT_SSE(unsigned, crc32_u32, unsigned, unsigned);
__POLYOPT_SSE(unsigned long long, crc32_u64, unsigned long long, unsigned long long);
#define _mm_popcnt_u32(bits) __builtin_popcount(bits)
#define _mm_popcnt_u64(bits) ((long long)__builtin_popcountll(bits))
#endif
