/* SSE3 (see <xmmintrin.h>). */
#ifndef _PMMINTRIN_H
#define _PMMINTRIN_H
#include <emmintrin.h>
__POLYOPT_2(hadd_ps);
__POLYOPT_2(hsub_ps);
__POLYOPT_2(addsub_ps);
__POLYOPT_D2(hadd_pd);
__POLYOPT_D2(hsub_pd);
__POLYOPT_D2(addsub_pd);
__POLYOPT_1(movehdup_ps);
__POLYOPT_1(moveldup_ps);
__POLYOPT_D1(movedup_pd);
#define _MM_DENORMALS_ZERO_MASK 0x0040
#define _MM_DENORMALS_ZERO_ON 0x0040
#define _MM_DENORMALS_ZERO_OFF 0x0000
#define _MM_GET_DENORMALS_ZERO_MODE() __POLYOPT_GET_CSR(_MM_DENORMALS_ZERO_MASK)
#define _MM_SET_DENORMALS_ZERO_MODE(value) __POLYOPT_SET_CSR(_MM_DENORMALS_ZERO_MASK, value)
#define _mm_loaddup_pd(from) _mm_load1_pd(from)
#define _mm_lddqu_si128(from) _mm_loadu_si128(from)
#endif
