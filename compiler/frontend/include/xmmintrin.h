/* Four floats in a vector register: SSE. Each function is one operation of the machine (backend/emit/machine/machine_vectors.py). */
#ifndef _XMMINTRIN_H
#define _XMMINTRIN_H
#include <stdlib.h>
typedef struct __m128 {
  float __f[4];
} __attribute__((__aligned__(16))) __m128;
typedef struct __m64 {
  long long __q;
} __attribute__((__may_alias__)) __m64;
#define __POLYOPT_SSE(result, name, ...) result _mm_##name(__VA_ARGS__) __asm__("polyopt.sse." #name)
#define __POLYOPT_1(name) __POLYOPT_SSE(__m128, name, __m128)
#define __POLYOPT_2(name) __POLYOPT_SSE(__m128, name, __m128, __m128)
#define __POLYOPT_COMPARE(name) \
  __POLYOPT_2(cmp##name##_ps);  \
  __POLYOPT_2(cmp##name##_ss)
#define __POLYOPT_TEST(name)                              \
  __POLYOPT_SSE(int, comi##name##_ss, __m128, __m128);    \
  __POLYOPT_SSE(int, ucomi##name##_ss, __m128, __m128)
__POLYOPT_2(add_ps);
__POLYOPT_2(add_ss);
__POLYOPT_2(sub_ps);
__POLYOPT_2(sub_ss);
__POLYOPT_2(mul_ps);
__POLYOPT_2(mul_ss);
__POLYOPT_2(div_ps);
__POLYOPT_2(div_ss);
__POLYOPT_2(min_ps);
__POLYOPT_2(min_ss);
__POLYOPT_2(max_ps);
__POLYOPT_2(max_ss);
__POLYOPT_2(and_ps);
__POLYOPT_2(or_ps);
__POLYOPT_2(xor_ps);
__POLYOPT_2(andnot_ps);
__POLYOPT_2(unpacklo_ps);
__POLYOPT_2(unpackhi_ps);
__POLYOPT_2(movehl_ps);
__POLYOPT_2(movelh_ps);
__POLYOPT_2(move_ss);
__POLYOPT_1(sqrt_ps);
__POLYOPT_1(sqrt_ss);
__POLYOPT_1(rcp_ps);
__POLYOPT_1(rcp_ss);
__POLYOPT_1(rsqrt_ps);
__POLYOPT_1(rsqrt_ss);
__POLYOPT_COMPARE(eq);
__POLYOPT_COMPARE(lt);
__POLYOPT_COMPARE(le);
__POLYOPT_COMPARE(gt);
__POLYOPT_COMPARE(ge);
__POLYOPT_COMPARE(neq);
__POLYOPT_COMPARE(nlt);
__POLYOPT_COMPARE(nle);
__POLYOPT_COMPARE(ngt);
__POLYOPT_COMPARE(nge);
__POLYOPT_COMPARE(ord);
__POLYOPT_COMPARE(unord);
__POLYOPT_TEST(eq);
__POLYOPT_TEST(lt);
__POLYOPT_TEST(le);
__POLYOPT_TEST(gt);
__POLYOPT_TEST(ge);
__POLYOPT_TEST(neq);
__POLYOPT_SSE(__m128, shuffle_ps, __m128, __m128, unsigned);
__POLYOPT_SSE(int, movemask_ps, __m128);
__POLYOPT_SSE(__m128, setzero_ps, void);
__POLYOPT_SSE(__m128, set_ps, float, float, float, float);
__POLYOPT_SSE(__m128, setr_ps, float, float, float, float);
__POLYOPT_SSE(__m128, set1_ps, float);
__POLYOPT_SSE(__m128, set_ss, float);
__POLYOPT_SSE(__m128, load_ps, const float *);
__POLYOPT_SSE(__m128, loadu_ps, const float *);
__POLYOPT_SSE(__m128, load_ss, const float *);
__POLYOPT_SSE(__m128, load1_ps, const float *);
__POLYOPT_SSE(void, store_ps, float *, __m128);
__POLYOPT_SSE(void, storeu_ps, float *, __m128);
__POLYOPT_SSE(void, store_ss, float *, __m128);
__POLYOPT_SSE(__m128, loadl_pi, __m128, const __m64 *);
__POLYOPT_SSE(void, storel_pi, __m64 *, __m128);
__POLYOPT_SSE(__m128, loadh_pi, __m128, const __m64 *);
__POLYOPT_SSE(void, storeh_pi, __m64 *, __m128);
__POLYOPT_SSE(float, cvtss_f32, __m128);
__POLYOPT_SSE(int, cvtss_si32, __m128);
__POLYOPT_SSE(long long, cvtss_si64, __m128);
__POLYOPT_SSE(int, cvttss_si32, __m128);
__POLYOPT_SSE(long long, cvttss_si64, __m128);
__POLYOPT_SSE(__m128, cvtsi32_ss, __m128, int);
__POLYOPT_SSE(__m128, cvtsi64_ss, __m128, long long);
__POLYOPT_SSE(void, sfence, void);
__POLYOPT_SSE(void, pause, void);
__POLYOPT_SSE(unsigned, getcsr, void);
__POLYOPT_SSE(void, setcsr, unsigned);
#define _MM_EXCEPT_MASK 0x3f
#define _MM_EXCEPT_INVALID 0x01
#define _MM_EXCEPT_DENORM 0x02
#define _MM_EXCEPT_DIV_ZERO 0x04
#define _MM_EXCEPT_OVERFLOW 0x08
#define _MM_EXCEPT_UNDERFLOW 0x10
#define _MM_EXCEPT_INEXACT 0x20
#define _MM_MASK_MASK 0x1f80
#define _MM_MASK_INVALID 0x0080
#define _MM_MASK_DENORM 0x0100
#define _MM_MASK_DIV_ZERO 0x0200
#define _MM_MASK_OVERFLOW 0x0400
#define _MM_MASK_UNDERFLOW 0x0800
#define _MM_MASK_INEXACT 0x1000
#define _MM_ROUND_MASK 0x6000
#define _MM_ROUND_NEAREST 0x0000
#define _MM_ROUND_DOWN 0x2000
#define _MM_ROUND_UP 0x4000
#define _MM_ROUND_TOWARD_ZERO 0x6000
#define _MM_FLUSH_ZERO_MASK 0x8000
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FLUSH_ZERO_OFF 0x0000
#define __POLYOPT_GET_CSR(mask) (_mm_getcsr() & (mask))
#define __POLYOPT_SET_CSR(mask, value) _mm_setcsr((_mm_getcsr() & ~(unsigned)(mask)) | (value))
#define _MM_GET_EXCEPTION_STATE() __POLYOPT_GET_CSR(_MM_EXCEPT_MASK)
#define _MM_SET_EXCEPTION_STATE(value) __POLYOPT_SET_CSR(_MM_EXCEPT_MASK, value)
#define _MM_GET_EXCEPTION_MASK() __POLYOPT_GET_CSR(_MM_MASK_MASK)
#define _MM_SET_EXCEPTION_MASK(value) __POLYOPT_SET_CSR(_MM_MASK_MASK, value)
#define _MM_GET_ROUNDING_MODE() __POLYOPT_GET_CSR(_MM_ROUND_MASK)
#define _MM_SET_ROUNDING_MODE(value) __POLYOPT_SET_CSR(_MM_ROUND_MASK, value)
#define _MM_GET_FLUSH_ZERO_MODE() __POLYOPT_GET_CSR(_MM_FLUSH_ZERO_MASK)
#define _MM_SET_FLUSH_ZERO_MODE(value) __POLYOPT_SET_CSR(_MM_FLUSH_ZERO_MASK, value)
#define _mm_set_ps1(value) _mm_set1_ps(value)
#define _mm_load_ps1(from) _mm_load1_ps(from)
#define _mm_stream_ps(to, value) _mm_store_ps(to, value)
#define _mm_undefined_ps() _mm_setzero_ps()
#define _mm_cvtss_si64x(value) _mm_cvtss_si64(value)
#define _mm_cvttss_si64x(value) _mm_cvttss_si64(value)
#define _mm_cvtsi64x_ss(value, number) _mm_cvtsi64_ss(value, number)
#define _mm_cvt_ss2si(value) _mm_cvtss_si32(value)
#define _mm_cvtt_ss2si(value) _mm_cvttss_si32(value)
#define _mm_cvt_si2ss(value, number) _mm_cvtsi32_ss(value, number)
#define _MM_SHUFFLE(d, c, b, a) (((d) << 6) | ((c) << 4) | ((b) << 2) | (a))
#define _MM_TRANSPOSE4_PS(row0, row1, row2, row3)     \
  do {                                                \
    __m128 __low01 = _mm_unpacklo_ps(row0, row1);     \
    __m128 __low23 = _mm_unpacklo_ps(row2, row3);     \
    __m128 __high01 = _mm_unpackhi_ps(row0, row1);    \
    __m128 __high23 = _mm_unpackhi_ps(row2, row3);    \
    row0 = _mm_movelh_ps(__low01, __low23);           \
    row1 = _mm_movehl_ps(__low23, __low01);           \
    row2 = _mm_movelh_ps(__high01, __high23);         \
    row3 = _mm_movehl_ps(__high23, __high01);         \
  } while (0)
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(address, hint) __builtin_prefetch((address), 0, (hint))
static inline __m128 _mm_loadr_ps(const float *__from) { return _mm_setr_ps(__from[3], __from[2], __from[1], __from[0]); }
static inline void _mm_store1_ps(float *__to, __m128 __value) {
  __to[0] = __to[1] = __to[2] = __to[3] = _mm_cvtss_f32(__value);
}
static inline void _mm_storer_ps(float *__to, __m128 __value) { _mm_store_ps(__to, _mm_shuffle_ps(__value, __value, 0x1b)); }
#define _mm_store_ps1(to, value) _mm_store1_ps(to, value)
static inline void *_mm_malloc(size_t __size, size_t __alignment) {
  void *__memory;
  if (__alignment < sizeof(void *)) __alignment = sizeof(void *);
  return posix_memalign(&__memory, __alignment, __size) ? (void *)0 : __memory;
}
static inline void _mm_free(void *__memory) { free(__memory); }
#endif
