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
#define _mm_loaddup_pd(from) _mm_load1_pd(from)
#define _mm_lddqu_si128(from) _mm_loadu_si128(from)
#endif
