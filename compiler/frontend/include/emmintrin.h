/* Two doubles, or integers, in a vector register: SSE2 (see <xmmintrin.h>). */
#ifndef _EMMINTRIN_H
#define _EMMINTRIN_H
#include <xmmintrin.h>
typedef struct __m128d {
  double __d[2];
} __attribute__((__aligned__(16))) __m128d;
typedef struct __m128i {
  long long __i[2];
} __attribute__((__aligned__(16))) __m128i;
#define __POLYOPT_D1(name) __POLYOPT_SSE(__m128d, name, __m128d)
#define __POLYOPT_D2(name) __POLYOPT_SSE(__m128d, name, __m128d, __m128d)
#define __POLYOPT_I2(name) __POLYOPT_SSE(__m128i, name, __m128i, __m128i)
#define __POLYOPT_IN(name) __POLYOPT_SSE(__m128i, name, __m128i, int)
#define __POLYOPT_COMPARE_D(name) \
  __POLYOPT_D2(cmp##name##_pd);   \
  __POLYOPT_D2(cmp##name##_sd)
#define __POLYOPT_TEST_D(name)                              \
  __POLYOPT_SSE(int, comi##name##_sd, __m128d, __m128d);    \
  __POLYOPT_SSE(int, ucomi##name##_sd, __m128d, __m128d)
__POLYOPT_D2(add_pd);
__POLYOPT_D2(add_sd);
__POLYOPT_D2(sub_pd);
__POLYOPT_D2(sub_sd);
__POLYOPT_D2(mul_pd);
__POLYOPT_D2(mul_sd);
__POLYOPT_D2(div_pd);
__POLYOPT_D2(div_sd);
__POLYOPT_D2(min_pd);
__POLYOPT_D2(min_sd);
__POLYOPT_D2(max_pd);
__POLYOPT_D2(max_sd);
__POLYOPT_D2(and_pd);
__POLYOPT_D2(or_pd);
__POLYOPT_D2(xor_pd);
__POLYOPT_D2(andnot_pd);
__POLYOPT_D2(unpacklo_pd);
__POLYOPT_D2(unpackhi_pd);
__POLYOPT_D2(move_sd);
__POLYOPT_D2(sqrt_sd);
__POLYOPT_D1(sqrt_pd);
__POLYOPT_COMPARE_D(eq);
__POLYOPT_COMPARE_D(lt);
__POLYOPT_COMPARE_D(le);
__POLYOPT_COMPARE_D(gt);
__POLYOPT_COMPARE_D(ge);
__POLYOPT_COMPARE_D(neq);
__POLYOPT_COMPARE_D(nlt);
__POLYOPT_COMPARE_D(nle);
__POLYOPT_COMPARE_D(ngt);
__POLYOPT_COMPARE_D(nge);
__POLYOPT_COMPARE_D(ord);
__POLYOPT_COMPARE_D(unord);
__POLYOPT_TEST_D(eq);
__POLYOPT_TEST_D(lt);
__POLYOPT_TEST_D(le);
__POLYOPT_TEST_D(gt);
__POLYOPT_TEST_D(ge);
__POLYOPT_TEST_D(neq);
__POLYOPT_SSE(__m128d, shuffle_pd, __m128d, __m128d, int);
__POLYOPT_SSE(int, movemask_pd, __m128d);
__POLYOPT_SSE(__m128d, setzero_pd, void);
__POLYOPT_SSE(__m128d, set_pd, double, double);
__POLYOPT_SSE(__m128d, setr_pd, double, double);
__POLYOPT_SSE(__m128d, set1_pd, double);
__POLYOPT_SSE(__m128d, set_sd, double);
__POLYOPT_SSE(__m128d, load_pd, const double *);
__POLYOPT_SSE(__m128d, loadu_pd, const double *);
__POLYOPT_SSE(__m128d, load_sd, const double *);
__POLYOPT_SSE(__m128d, load1_pd, const double *);
__POLYOPT_SSE(void, store_pd, double *, __m128d);
__POLYOPT_SSE(void, storeu_pd, double *, __m128d);
__POLYOPT_SSE(void, store_sd, double *, __m128d);
__POLYOPT_SSE(void, storel_pd, double *, __m128d);
__POLYOPT_SSE(void, storeh_pd, double *, __m128d);
__POLYOPT_SSE(__m128d, loadl_pd, __m128d, const double *);
__POLYOPT_SSE(__m128d, loadh_pd, __m128d, const double *);
__POLYOPT_SSE(double, cvtsd_f64, __m128d);
__POLYOPT_SSE(int, cvtsd_si32, __m128d);
__POLYOPT_SSE(long long, cvtsd_si64, __m128d);
__POLYOPT_SSE(__m128i, cvtps_epi32, __m128);
__POLYOPT_SSE(__m128i, cvtpd_epi32, __m128d);
__POLYOPT_SSE(int, cvttsd_si32, __m128d);
__POLYOPT_SSE(long long, cvttsd_si64, __m128d);
__POLYOPT_SSE(__m128i, cvttps_epi32, __m128);
__POLYOPT_SSE(__m128i, cvttpd_epi32, __m128d);
__POLYOPT_SSE(__m128d, cvtsi32_sd, __m128d, int);
__POLYOPT_SSE(__m128d, cvtsi64_sd, __m128d, long long);
__POLYOPT_SSE(__m128d, cvtss_sd, __m128d, __m128);
__POLYOPT_SSE(__m128, cvtsd_ss, __m128, __m128d);
__POLYOPT_SSE(__m128, cvtepi32_ps, __m128i);
__POLYOPT_SSE(__m128d, cvtepi32_pd, __m128i);
__POLYOPT_SSE(__m128d, cvtps_pd, __m128);
__POLYOPT_SSE(__m128, cvtpd_ps, __m128d);
__POLYOPT_SSE(__m128d, castps_pd, __m128);
__POLYOPT_SSE(__m128i, castps_si128, __m128);
__POLYOPT_SSE(__m128, castpd_ps, __m128d);
__POLYOPT_SSE(__m128i, castpd_si128, __m128d);
__POLYOPT_SSE(__m128, castsi128_ps, __m128i);
__POLYOPT_SSE(__m128d, castsi128_pd, __m128i);
__POLYOPT_I2(add_epi8);
__POLYOPT_I2(sub_epi8);
__POLYOPT_I2(unpacklo_epi8);
__POLYOPT_I2(unpackhi_epi8);
__POLYOPT_I2(add_epi16);
__POLYOPT_I2(sub_epi16);
__POLYOPT_I2(unpacklo_epi16);
__POLYOPT_I2(unpackhi_epi16);
__POLYOPT_I2(add_epi32);
__POLYOPT_I2(sub_epi32);
__POLYOPT_I2(unpacklo_epi32);
__POLYOPT_I2(unpackhi_epi32);
__POLYOPT_I2(add_epi64);
__POLYOPT_I2(sub_epi64);
__POLYOPT_I2(unpacklo_epi64);
__POLYOPT_I2(unpackhi_epi64);
__POLYOPT_I2(adds_epi8);
__POLYOPT_I2(adds_epu8);
__POLYOPT_I2(subs_epi8);
__POLYOPT_I2(subs_epu8);
__POLYOPT_I2(avg_epu8);
__POLYOPT_I2(adds_epi16);
__POLYOPT_I2(adds_epu16);
__POLYOPT_I2(subs_epi16);
__POLYOPT_I2(subs_epu16);
__POLYOPT_I2(avg_epu16);
__POLYOPT_I2(min_epu8);
__POLYOPT_I2(max_epu8);
__POLYOPT_I2(min_epi16);
__POLYOPT_I2(max_epi16);
__POLYOPT_I2(mullo_epi16);
__POLYOPT_I2(mulhi_epi16);
__POLYOPT_I2(mulhi_epu16);
__POLYOPT_I2(mul_epu32);
__POLYOPT_I2(madd_epi16);
__POLYOPT_I2(sad_epu8);
__POLYOPT_I2(packs_epi16);
__POLYOPT_I2(packs_epi32);
__POLYOPT_I2(packus_epi16);
__POLYOPT_I2(and_si128);
__POLYOPT_I2(or_si128);
__POLYOPT_I2(xor_si128);
__POLYOPT_I2(andnot_si128);
__POLYOPT_I2(cmpeq_epi8);
__POLYOPT_I2(cmpgt_epi8);
__POLYOPT_I2(cmplt_epi8);
__POLYOPT_I2(cmpeq_epi16);
__POLYOPT_I2(cmpgt_epi16);
__POLYOPT_I2(cmplt_epi16);
__POLYOPT_I2(cmpeq_epi32);
__POLYOPT_I2(cmpgt_epi32);
__POLYOPT_I2(cmplt_epi32);
__POLYOPT_I2(sll_epi16);
__POLYOPT_IN(slli_epi16);
__POLYOPT_I2(sll_epi32);
__POLYOPT_IN(slli_epi32);
__POLYOPT_I2(sll_epi64);
__POLYOPT_IN(slli_epi64);
__POLYOPT_I2(srl_epi16);
__POLYOPT_IN(srli_epi16);
__POLYOPT_I2(srl_epi32);
__POLYOPT_IN(srli_epi32);
__POLYOPT_I2(srl_epi64);
__POLYOPT_IN(srli_epi64);
__POLYOPT_I2(sra_epi16);
__POLYOPT_IN(srai_epi16);
__POLYOPT_I2(sra_epi32);
__POLYOPT_IN(srai_epi32);
__POLYOPT_IN(slli_si128);
__POLYOPT_IN(srli_si128);
__POLYOPT_IN(bslli_si128);
__POLYOPT_IN(bsrli_si128);
__POLYOPT_IN(shuffle_epi32);
__POLYOPT_IN(shufflelo_epi16);
__POLYOPT_IN(shufflehi_epi16);
__POLYOPT_SSE(int, movemask_epi8, __m128i);
__POLYOPT_SSE(int, extract_epi16, __m128i, int);
__POLYOPT_SSE(__m128i, insert_epi16, __m128i, int, int);
__POLYOPT_SSE(int, cvtsi128_si32, __m128i);
__POLYOPT_SSE(long long, cvtsi128_si64, __m128i);
__POLYOPT_SSE(__m128i, cvtsi32_si128, int);
__POLYOPT_SSE(__m128i, cvtsi64_si128, long long);
__POLYOPT_SSE(__m128i, move_epi64, __m128i);
__POLYOPT_SSE(__m128i, set_epi8, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char);
__POLYOPT_SSE(__m128i, set_epi16, short, short, short, short, short, short, short, short);
__POLYOPT_SSE(__m128i, set_epi32, int, int, int, int);
__POLYOPT_SSE(__m128i, setr_epi8, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char);
__POLYOPT_SSE(__m128i, setr_epi16, short, short, short, short, short, short, short, short);
__POLYOPT_SSE(__m128i, setr_epi32, int, int, int, int);
__POLYOPT_SSE(__m128i, set_epi64x, long long, long long);
__POLYOPT_SSE(__m128i, set1_epi8, char);
__POLYOPT_SSE(__m128i, set1_epi16, short);
__POLYOPT_SSE(__m128i, set1_epi32, int);
__POLYOPT_SSE(__m128i, set1_epi64x, long long);
__POLYOPT_SSE(__m128i, setzero_si128, void);
__POLYOPT_SSE(__m128i, load_si128, const __m128i *);
__POLYOPT_SSE(__m128i, loadu_si128, const __m128i *);
__POLYOPT_SSE(__m128i, loadl_epi64, const __m128i *);
__POLYOPT_SSE(void, store_si128, __m128i *, __m128i);
__POLYOPT_SSE(void, storeu_si128, __m128i *, __m128i);
__POLYOPT_SSE(void, storel_epi64, __m128i *, __m128i);
__POLYOPT_SSE(void, maskmoveu_si128, __m128i, __m128i, char *);
__POLYOPT_SSE(void, clflush, const void *);
__POLYOPT_SSE(void, lfence, void);
__POLYOPT_SSE(void, mfence, void);
#define _mm_load_pd1(from) _mm_load1_pd(from)
#define _mm_set_pd1(value) _mm_set1_pd(value)
#define _mm_stream_pd(to, value) _mm_store_pd(to, value)
#define _mm_stream_si128(to, value) _mm_store_si128(to, value)
#define _mm_loadu_si64(from) _mm_loadl_epi64((const __m128i *)(from))
#define _mm_storeu_si64(to, value) _mm_storel_epi64((__m128i *)(to), value)
#define _mm_undefined_pd() _mm_setzero_pd()
#define _mm_undefined_si128() _mm_setzero_si128()
#define _mm_cvtsd_si64x(value) _mm_cvtsd_si64(value)
#define _mm_cvttsd_si64x(value) _mm_cvttsd_si64(value)
#define _mm_cvtsi128_si64x(value) _mm_cvtsi128_si64(value)
#define _mm_cvtsi64x_si128(number) _mm_cvtsi64_si128(number)
#define _mm_cvtsi64x_sd(value, number) _mm_cvtsi64_sd(value, number)
static inline __m128i _mm_loadu_si32(const void *__from) {
  int __value;
  __builtin_memcpy(&__value, __from, sizeof __value);
  return _mm_cvtsi32_si128(__value);
}
static inline __m128i _mm_loadu_si16(const void *__from) {
  unsigned short __value;
  __builtin_memcpy(&__value, __from, sizeof __value);
  return _mm_cvtsi32_si128(__value);
}
static inline void _mm_storeu_si32(void *__to, __m128i __value) {
  int __low = _mm_cvtsi128_si32(__value);
  __builtin_memcpy(__to, &__low, sizeof __low);
}
static inline void _mm_storeu_si16(void *__to, __m128i __value) {
  short __low = (short)_mm_cvtsi128_si32(__value);
  __builtin_memcpy(__to, &__low, sizeof __low);
}
static inline __m128d _mm_loadr_pd(const double *__from) { return _mm_setr_pd(__from[1], __from[0]); }
static inline void _mm_store1_pd(double *__to, __m128d __value) { __to[0] = __to[1] = _mm_cvtsd_f64(__value); }
static inline void _mm_storer_pd(double *__to, __m128d __value) {
  _mm_storeh_pd(__to, __value);
  _mm_storel_pd(__to + 1, __value);
}
#define _mm_store_pd1(to, value) _mm_store1_pd(to, value)
static inline void _mm_stream_si32(int *__to, int __value) { *__to = __value; }
static inline void _mm_stream_si64(long long *__to, long long __value) { *__to = __value; }
#endif
