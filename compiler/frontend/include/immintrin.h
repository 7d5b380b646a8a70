/* Vectors of 256 bits, AVX and AVX2, products and sums rounded once, FMA, and numbers of 16 bits, F16C (see
   <xmmintrin.h>); steps of SHA. */
#ifndef _IMMINTRIN_H
#define _IMMINTRIN_H
#include <nmmintrin.h>
#include <wmmintrin.h>
#include <x86gprintrin.h>
typedef struct __m256 {
  float __f[8];
} __attribute__((__aligned__(32))) __m256;
typedef struct __m256d {
  double __d[4];
} __attribute__((__aligned__(32))) __m256d;
typedef struct __m256i {
  long long __i[4];
} __attribute__((__aligned__(32))) __m256i;
#define __POLYOPT_AVX(result, name, ...) result _mm256_##name(__VA_ARGS__) __asm__("polyopt.avx." #name)
#define __POLYOPT_Y1(name) __POLYOPT_AVX(__m256, name, __m256)
#define __POLYOPT_Y2(name) __POLYOPT_AVX(__m256, name, __m256, __m256)
#define __POLYOPT_E1(name) __POLYOPT_AVX(__m256d, name, __m256d)
#define __POLYOPT_E2(name) __POLYOPT_AVX(__m256d, name, __m256d, __m256d)
#define __POLYOPT_Z2(name) __POLYOPT_AVX(__m256i, name, __m256i, __m256i)
/* AVX */
__POLYOPT_Y2(add_ps);
__POLYOPT_Y2(sub_ps);
__POLYOPT_Y2(mul_ps);
__POLYOPT_Y2(div_ps);
__POLYOPT_Y2(min_ps);
__POLYOPT_Y2(max_ps);
__POLYOPT_Y2(and_ps);
__POLYOPT_Y2(or_ps);
__POLYOPT_Y2(xor_ps);
__POLYOPT_Y2(andnot_ps);
__POLYOPT_Y2(addsub_ps);
__POLYOPT_Y2(hadd_ps);
__POLYOPT_Y2(hsub_ps);
__POLYOPT_Y2(unpacklo_ps);
__POLYOPT_Y2(unpackhi_ps);
__POLYOPT_E2(add_pd);
__POLYOPT_E2(sub_pd);
__POLYOPT_E2(mul_pd);
__POLYOPT_E2(div_pd);
__POLYOPT_E2(min_pd);
__POLYOPT_E2(max_pd);
__POLYOPT_E2(and_pd);
__POLYOPT_E2(or_pd);
__POLYOPT_E2(xor_pd);
__POLYOPT_E2(andnot_pd);
__POLYOPT_E2(addsub_pd);
__POLYOPT_E2(hadd_pd);
__POLYOPT_E2(hsub_pd);
__POLYOPT_E2(unpacklo_pd);
__POLYOPT_E2(unpackhi_pd);
__POLYOPT_Y1(sqrt_ps);
__POLYOPT_Y1(rcp_ps);
__POLYOPT_Y1(rsqrt_ps);
__POLYOPT_Y1(floor_ps);
__POLYOPT_Y1(ceil_ps);
__POLYOPT_Y1(movehdup_ps);
__POLYOPT_Y1(moveldup_ps);
__POLYOPT_E1(sqrt_pd);
__POLYOPT_E1(floor_pd);
__POLYOPT_E1(ceil_pd);
__POLYOPT_E1(movedup_pd);
__POLYOPT_AVX(__m256, shuffle_ps, __m256, __m256, int);
__POLYOPT_AVX(__m256, blend_ps, __m256, __m256, int);
__POLYOPT_AVX(__m256, cmp_ps, __m256, __m256, int);
__POLYOPT_AVX(__m256, permute2f128_ps, __m256, __m256, int);
__POLYOPT_AVX(__m256, round_ps, __m256, int);
__POLYOPT_AVX(__m256, permute_ps, __m256, int);
__POLYOPT_AVX(__m256, blendv_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256, permutevar_ps, __m256, __m256i);
__POLYOPT_AVX(int, movemask_ps, __m256);
__POLYOPT_AVX(__m256, setzero_ps, void);
__POLYOPT_AVX(int, testz_ps, __m256, __m256);
__POLYOPT_AVX(int, testc_ps, __m256, __m256);
__POLYOPT_AVX(int, testnzc_ps, __m256, __m256);
__POLYOPT_AVX(__m256d, shuffle_pd, __m256d, __m256d, int);
__POLYOPT_AVX(__m256d, blend_pd, __m256d, __m256d, int);
__POLYOPT_AVX(__m256d, cmp_pd, __m256d, __m256d, int);
__POLYOPT_AVX(__m256d, permute2f128_pd, __m256d, __m256d, int);
__POLYOPT_AVX(__m256d, round_pd, __m256d, int);
__POLYOPT_AVX(__m256d, permute_pd, __m256d, int);
__POLYOPT_AVX(__m256d, blendv_pd, __m256d, __m256d, __m256d);
__POLYOPT_AVX(__m256d, permutevar_pd, __m256d, __m256i);
__POLYOPT_AVX(int, movemask_pd, __m256d);
__POLYOPT_AVX(__m256d, setzero_pd, void);
__POLYOPT_AVX(int, testz_pd, __m256d, __m256d);
__POLYOPT_AVX(int, testc_pd, __m256d, __m256d);
__POLYOPT_AVX(int, testnzc_pd, __m256d, __m256d);
__POLYOPT_AVX(__m256, dp_ps, __m256, __m256, int);
__POLYOPT_AVX(__m128, extractf128_ps, __m256, int);
__POLYOPT_AVX(__m256, insertf128_ps, __m256, __m128, int);
__POLYOPT_AVX(__m128d, extractf128_pd, __m256d, int);
__POLYOPT_AVX(__m256d, insertf128_pd, __m256d, __m128d, int);
__POLYOPT_AVX(__m128i, extractf128_si256, __m256i, int);
__POLYOPT_AVX(__m256i, insertf128_si256, __m256i, __m128i, int);
__POLYOPT_AVX(__m256i, permute2f128_si256, __m256i, __m256i, int);
__POLYOPT_AVX(__m256, load_ps, const float *);
__POLYOPT_AVX(__m256, loadu_ps, const float *);
__POLYOPT_AVX(void, store_ps, float *, __m256);
__POLYOPT_AVX(void, storeu_ps, float *, __m256);
__POLYOPT_AVX(__m256, maskload_ps, const float *, __m256i);
__POLYOPT_AVX(void, maskstore_ps, float *, __m256i, __m256);
__POLYOPT_AVX(__m256, set1_ps, float);
__POLYOPT_AVX(__m256, set_ps, float, float, float, float, float, float, float, float);
__POLYOPT_AVX(__m256, setr_ps, float, float, float, float, float, float, float, float);
__POLYOPT_AVX(__m256d, load_pd, const double *);
__POLYOPT_AVX(__m256d, loadu_pd, const double *);
__POLYOPT_AVX(void, store_pd, double *, __m256d);
__POLYOPT_AVX(void, storeu_pd, double *, __m256d);
__POLYOPT_AVX(__m256d, maskload_pd, const double *, __m256i);
__POLYOPT_AVX(void, maskstore_pd, double *, __m256i, __m256d);
__POLYOPT_AVX(__m256d, set1_pd, double);
__POLYOPT_AVX(__m256d, set_pd, double, double, double, double);
__POLYOPT_AVX(__m256d, setr_pd, double, double, double, double);
__POLYOPT_AVX(__m256, broadcast_ss, const float *);
__POLYOPT_AVX(__m256d, broadcast_sd, const double *);
__POLYOPT_AVX(__m256, broadcast_ps, const __m128 *);
__POLYOPT_AVX(__m256d, broadcast_pd, const __m128d *);
__POLYOPT_AVX(__m256i, load_si256, const __m256i *);
__POLYOPT_AVX(__m256i, loadu_si256, const __m256i *);
__POLYOPT_AVX(void, store_si256, __m256i *, __m256i);
__POLYOPT_AVX(void, storeu_si256, __m256i *, __m256i);
__POLYOPT_AVX(__m256i, setzero_si256, void);
__POLYOPT_AVX(__m256i, set1_epi8, char);
__POLYOPT_AVX(__m256i, set_epi8, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char);
__POLYOPT_AVX(__m256i, setr_epi8, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char, char);
__POLYOPT_AVX(__m256i, set1_epi16, short);
__POLYOPT_AVX(__m256i, set_epi16, short, short, short, short, short, short, short, short, short, short, short, short, short, short, short, short);
__POLYOPT_AVX(__m256i, setr_epi16, short, short, short, short, short, short, short, short, short, short, short, short, short, short, short, short);
__POLYOPT_AVX(__m256i, set1_epi32, int);
__POLYOPT_AVX(__m256i, set_epi32, int, int, int, int, int, int, int, int);
__POLYOPT_AVX(__m256i, setr_epi32, int, int, int, int, int, int, int, int);
__POLYOPT_AVX(__m256i, set1_epi64x, long long);
__POLYOPT_AVX(__m256i, set_epi64x, long long, long long, long long, long long);
__POLYOPT_AVX(__m256i, setr_epi64x, long long, long long, long long, long long);
__POLYOPT_AVX(__m256, set_m128, __m128, __m128);
__POLYOPT_AVX(__m256, setr_m128, __m128, __m128);
__POLYOPT_AVX(__m256d, set_m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256d, setr_m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256i, set_m128i, __m128i, __m128i);
__POLYOPT_AVX(__m256i, setr_m128i, __m128i, __m128i);
__POLYOPT_AVX(__m256d, castps_pd, __m256);
__POLYOPT_AVX(__m256i, castps_si256, __m256);
__POLYOPT_AVX(__m256, castpd_ps, __m256d);
__POLYOPT_AVX(__m256i, castpd_si256, __m256d);
__POLYOPT_AVX(__m256, castsi256_ps, __m256i);
__POLYOPT_AVX(__m256d, castsi256_pd, __m256i);
__POLYOPT_AVX(__m128, castps256_ps128, __m256);
__POLYOPT_AVX(__m128d, castpd256_pd128, __m256d);
__POLYOPT_AVX(__m128i, castsi256_si128, __m256i);
__POLYOPT_AVX(__m256, castps128_ps256, __m128);
__POLYOPT_AVX(__m256d, castpd128_pd256, __m128d);
__POLYOPT_AVX(__m256i, castsi128_si256, __m128i);
__POLYOPT_AVX(__m256, zextps128_ps256, __m128);
__POLYOPT_AVX(__m256d, zextpd128_pd256, __m128d);
__POLYOPT_AVX(__m256i, zextsi128_si256, __m128i);
__POLYOPT_AVX(float, cvtss_f32, __m256);
__POLYOPT_AVX(double, cvtsd_f64, __m256d);
__POLYOPT_AVX(int, cvtsi256_si32, __m256i);
__POLYOPT_AVX(__m256, cvtepi32_ps, __m256i);
__POLYOPT_AVX(__m256d, cvtepi32_pd, __m128i);
__POLYOPT_AVX(__m256d, cvtps_pd, __m128);
__POLYOPT_AVX(__m128, cvtpd_ps, __m256d);
__POLYOPT_AVX(__m256i, cvtps_epi32, __m256);
__POLYOPT_AVX(__m128i, cvtpd_epi32, __m256d);
__POLYOPT_AVX(__m256i, cvttps_epi32, __m256);
__POLYOPT_AVX(__m128i, cvttpd_epi32, __m256d);
__POLYOPT_AVX(int, testz_si256, __m256i, __m256i);
__POLYOPT_AVX(int, testc_si256, __m256i, __m256i);
__POLYOPT_AVX(int, testnzc_si256, __m256i, __m256i);
__POLYOPT_AVX(void, zeroupper, void);
__POLYOPT_AVX(void, zeroall, void);
__POLYOPT_AVX(int, extract_epi8, __m256i, int);
__POLYOPT_AVX(int, extract_epi16, __m256i, int);
__POLYOPT_AVX(int, extract_epi32, __m256i, int);
__POLYOPT_AVX(long long, extract_epi64, __m256i, int);
__POLYOPT_AVX(__m256i, insert_epi8, __m256i, char, int);
__POLYOPT_AVX(__m256i, insert_epi16, __m256i, short, int);
__POLYOPT_AVX(__m256i, insert_epi32, __m256i, int, int);
__POLYOPT_AVX(__m256i, insert_epi64, __m256i, long long, int);
/* AVX2 */
__POLYOPT_Z2(add_epi8);
__POLYOPT_Z2(add_epi16);
__POLYOPT_Z2(add_epi32);
__POLYOPT_Z2(add_epi64);
__POLYOPT_Z2(sub_epi8);
__POLYOPT_Z2(sub_epi16);
__POLYOPT_Z2(sub_epi32);
__POLYOPT_Z2(sub_epi64);
__POLYOPT_Z2(unpacklo_epi8);
__POLYOPT_Z2(unpacklo_epi16);
__POLYOPT_Z2(unpacklo_epi32);
__POLYOPT_Z2(unpacklo_epi64);
__POLYOPT_Z2(unpackhi_epi8);
__POLYOPT_Z2(unpackhi_epi16);
__POLYOPT_Z2(unpackhi_epi32);
__POLYOPT_Z2(unpackhi_epi64);
__POLYOPT_Z2(cmpeq_epi8);
__POLYOPT_Z2(cmpeq_epi16);
__POLYOPT_Z2(cmpeq_epi32);
__POLYOPT_Z2(cmpeq_epi64);
__POLYOPT_Z2(cmpgt_epi8);
__POLYOPT_Z2(cmpgt_epi16);
__POLYOPT_Z2(cmpgt_epi32);
__POLYOPT_Z2(cmpgt_epi64);
__POLYOPT_Z2(adds_epi8);
__POLYOPT_Z2(adds_epi16);
__POLYOPT_Z2(adds_epu8);
__POLYOPT_Z2(adds_epu16);
__POLYOPT_Z2(subs_epi8);
__POLYOPT_Z2(subs_epi16);
__POLYOPT_Z2(subs_epu8);
__POLYOPT_Z2(subs_epu16);
__POLYOPT_Z2(min_epi8);
__POLYOPT_Z2(min_epi16);
__POLYOPT_Z2(min_epi32);
__POLYOPT_Z2(min_epu8);
__POLYOPT_Z2(min_epu16);
__POLYOPT_Z2(min_epu32);
__POLYOPT_Z2(max_epi8);
__POLYOPT_Z2(max_epi16);
__POLYOPT_Z2(max_epi32);
__POLYOPT_Z2(max_epu8);
__POLYOPT_Z2(max_epu16);
__POLYOPT_Z2(max_epu32);
__POLYOPT_Z2(avg_epu8);
__POLYOPT_Z2(avg_epu16);
__POLYOPT_Z2(mullo_epi16);
__POLYOPT_Z2(mullo_epi32);
__POLYOPT_Z2(mulhi_epi16);
__POLYOPT_Z2(mulhi_epu16);
__POLYOPT_Z2(mulhrs_epi16);
__POLYOPT_Z2(mul_epi32);
__POLYOPT_Z2(mul_epu32);
__POLYOPT_Z2(madd_epi16);
__POLYOPT_Z2(maddubs_epi16);
__POLYOPT_Z2(sad_epu8);
__POLYOPT_AVX(__m256i, mpsadbw_epu8, __m256i, __m256i, int);
__POLYOPT_Z2(packs_epi16);
__POLYOPT_Z2(packs_epi32);
__POLYOPT_Z2(packus_epi16);
__POLYOPT_Z2(packus_epi32);
__POLYOPT_Z2(hadd_epi16);
__POLYOPT_Z2(hadd_epi32);
__POLYOPT_Z2(hadds_epi16);
__POLYOPT_Z2(hsub_epi16);
__POLYOPT_Z2(hsub_epi32);
__POLYOPT_Z2(hsubs_epi16);
__POLYOPT_Z2(sign_epi8);
__POLYOPT_Z2(sign_epi16);
__POLYOPT_Z2(sign_epi32);
__POLYOPT_Z2(shuffle_epi8);
__POLYOPT_Z2(and_si256);
__POLYOPT_Z2(or_si256);
__POLYOPT_Z2(xor_si256);
__POLYOPT_Z2(andnot_si256);
__POLYOPT_Z2(sllv_epi32);
__POLYOPT_Z2(sllv_epi64);
__POLYOPT_Z2(srlv_epi32);
__POLYOPT_Z2(srlv_epi64);
__POLYOPT_Z2(srav_epi32);
__POLYOPT_Z2(permutevar8x32_epi32);
__POLYOPT_AVX(__m256i, abs_epi8, __m256i);
__POLYOPT_AVX(__m256i, abs_epi16, __m256i);
__POLYOPT_AVX(__m256i, abs_epi32, __m256i);
__POLYOPT_AVX(__m256i, slli_epi16, __m256i, int);
__POLYOPT_AVX(__m256i, sll_epi16, __m256i, __m128i);
__POLYOPT_AVX(__m256i, slli_epi32, __m256i, int);
__POLYOPT_AVX(__m256i, sll_epi32, __m256i, __m128i);
__POLYOPT_AVX(__m256i, slli_epi64, __m256i, int);
__POLYOPT_AVX(__m256i, sll_epi64, __m256i, __m128i);
__POLYOPT_AVX(__m256i, srli_epi16, __m256i, int);
__POLYOPT_AVX(__m256i, srl_epi16, __m256i, __m128i);
__POLYOPT_AVX(__m256i, srli_epi32, __m256i, int);
__POLYOPT_AVX(__m256i, srl_epi32, __m256i, __m128i);
__POLYOPT_AVX(__m256i, srli_epi64, __m256i, int);
__POLYOPT_AVX(__m256i, srl_epi64, __m256i, __m128i);
__POLYOPT_AVX(__m256i, srai_epi16, __m256i, int);
__POLYOPT_AVX(__m256i, sra_epi16, __m256i, __m128i);
__POLYOPT_AVX(__m256i, srai_epi32, __m256i, int);
__POLYOPT_AVX(__m256i, sra_epi32, __m256i, __m128i);
__POLYOPT_AVX(__m256i, slli_si256, __m256i, int);
__POLYOPT_AVX(__m256i, srli_si256, __m256i, int);
__POLYOPT_AVX(__m256i, bslli_epi128, __m256i, int);
__POLYOPT_AVX(__m256i, bsrli_epi128, __m256i, int);
__POLYOPT_AVX(__m256i, shuffle_epi32, __m256i, int);
__POLYOPT_AVX(__m256i, shufflelo_epi16, __m256i, int);
__POLYOPT_AVX(__m256i, shufflehi_epi16, __m256i, int);
__POLYOPT_AVX(__m256i, permute4x64_epi64, __m256i, int);
__POLYOPT_AVX(__m256d, permute4x64_pd, __m256d, int);
__POLYOPT_AVX(__m256i, alignr_epi8, __m256i, __m256i, int);
__POLYOPT_AVX(__m256i, blend_epi16, __m256i, __m256i, int);
__POLYOPT_AVX(__m256i, blend_epi32, __m256i, __m256i, int);
__POLYOPT_AVX(__m256i, permute2x128_si256, __m256i, __m256i, int);
__POLYOPT_AVX(__m256i, blendv_epi8, __m256i, __m256i, __m256i);
__POLYOPT_AVX(__m256, permutevar8x32_ps, __m256, __m256i);
__POLYOPT_AVX(int, movemask_epi8, __m256i);
__POLYOPT_AVX(__m128i, extracti128_si256, __m256i, int);
__POLYOPT_AVX(__m256i, inserti128_si256, __m256i, __m128i, int);
__POLYOPT_AVX(__m256i, broadcastb_epi8, __m128i);
__POLYOPT_AVX(__m256i, broadcastw_epi16, __m128i);
__POLYOPT_AVX(__m256i, broadcastd_epi32, __m128i);
__POLYOPT_AVX(__m256i, broadcastq_epi64, __m128i);
__POLYOPT_AVX(__m256i, broadcastsi128_si256, __m128i);
__POLYOPT_AVX(__m256i, cvtepi8_epi16, __m128i);
__POLYOPT_AVX(__m256i, cvtepi8_epi32, __m128i);
__POLYOPT_AVX(__m256i, cvtepi8_epi64, __m128i);
__POLYOPT_AVX(__m256i, cvtepi16_epi32, __m128i);
__POLYOPT_AVX(__m256i, cvtepi16_epi64, __m128i);
__POLYOPT_AVX(__m256i, cvtepi32_epi64, __m128i);
__POLYOPT_AVX(__m256i, cvtepu8_epi16, __m128i);
__POLYOPT_AVX(__m256i, cvtepu8_epi32, __m128i);
__POLYOPT_AVX(__m256i, cvtepu8_epi64, __m128i);
__POLYOPT_AVX(__m256i, cvtepu16_epi32, __m128i);
__POLYOPT_AVX(__m256i, cvtepu16_epi64, __m128i);
__POLYOPT_AVX(__m256i, cvtepu32_epi64, __m128i);
__POLYOPT_AVX(__m256, broadcastss_ps, __m128);
__POLYOPT_AVX(__m256d, broadcastsd_pd, __m128d);
__POLYOPT_AVX(__m256i, maskload_epi32, const int *, __m256i);
__POLYOPT_AVX(void, maskstore_epi32, int *, __m256i, __m256i);
__POLYOPT_AVX(__m256i, maskload_epi64, const long long *, __m256i);
__POLYOPT_AVX(void, maskstore_epi64, long long *, __m256i, __m256i);
__POLYOPT_AVX(__m256, i32gather_ps, const float *, __m256i, int);
__POLYOPT_AVX(__m256, mask_i32gather_ps, __m256, const float *, __m256i, __m256, int);
__POLYOPT_AVX(__m128, i64gather_ps, const float *, __m256i, int);
__POLYOPT_AVX(__m128, mask_i64gather_ps, __m128, const float *, __m256i, __m128, int);
__POLYOPT_AVX(__m256d, i32gather_pd, const double *, __m128i, int);
__POLYOPT_AVX(__m256d, mask_i32gather_pd, __m256d, const double *, __m128i, __m256d, int);
__POLYOPT_AVX(__m256d, i64gather_pd, const double *, __m256i, int);
__POLYOPT_AVX(__m256d, mask_i64gather_pd, __m256d, const double *, __m256i, __m256d, int);
__POLYOPT_AVX(__m256i, i32gather_epi32, const int *, __m256i, int);
__POLYOPT_AVX(__m256i, mask_i32gather_epi32, __m256i, const int *, __m256i, __m256i, int);
__POLYOPT_AVX(__m128i, i64gather_epi32, const int *, __m256i, int);
__POLYOPT_AVX(__m128i, mask_i64gather_epi32, __m128i, const int *, __m256i, __m128i, int);
__POLYOPT_AVX(__m256i, i32gather_epi64, const long long *, __m128i, int);
__POLYOPT_AVX(__m256i, mask_i32gather_epi64, __m256i, const long long *, __m128i, __m256i, int);
__POLYOPT_AVX(__m256i, i64gather_epi64, const long long *, __m256i, int);
__POLYOPT_AVX(__m256i, mask_i64gather_epi64, __m256i, const long long *, __m256i, __m256i, int);
/* The forms for 128 bits. */
__POLYOPT_I2(sllv_epi32);
__POLYOPT_I2(sllv_epi64);
__POLYOPT_I2(srlv_epi32);
__POLYOPT_I2(srlv_epi64);
__POLYOPT_I2(srav_epi32);
__POLYOPT_I1(broadcastb_epi8);
__POLYOPT_I1(broadcastw_epi16);
__POLYOPT_I1(broadcastd_epi32);
__POLYOPT_I1(broadcastq_epi64);
__POLYOPT_1(broadcastss_ps);
__POLYOPT_SSE(__m128, broadcast_ss, const float *);
__POLYOPT_SSE(__m128i, blend_epi32, __m128i, __m128i, int);
__POLYOPT_SSE(__m128, cmp_ps, __m128, __m128, int);
__POLYOPT_SSE(__m128, cmp_ss, __m128, __m128, int);
__POLYOPT_SSE(__m128, permute_ps, __m128, int);
__POLYOPT_SSE(__m128, permutevar_ps, __m128, __m128i);
__POLYOPT_SSE(__m128, maskload_ps, const float *, __m128i);
__POLYOPT_SSE(void, maskstore_ps, float *, __m128i, __m128);
__POLYOPT_SSE(int, testz_ps, __m128, __m128);
__POLYOPT_SSE(int, testc_ps, __m128, __m128);
__POLYOPT_SSE(int, testnzc_ps, __m128, __m128);
__POLYOPT_SSE(__m128d, cmp_pd, __m128d, __m128d, int);
__POLYOPT_SSE(__m128d, cmp_sd, __m128d, __m128d, int);
__POLYOPT_SSE(__m128d, permute_pd, __m128d, int);
__POLYOPT_SSE(__m128d, permutevar_pd, __m128d, __m128i);
__POLYOPT_SSE(__m128d, maskload_pd, const double *, __m128i);
__POLYOPT_SSE(void, maskstore_pd, double *, __m128i, __m128d);
__POLYOPT_SSE(int, testz_pd, __m128d, __m128d);
__POLYOPT_SSE(int, testc_pd, __m128d, __m128d);
__POLYOPT_SSE(int, testnzc_pd, __m128d, __m128d);
__POLYOPT_SSE(__m128i, maskload_epi32, const int *, __m128i);
__POLYOPT_SSE(void, maskstore_epi32, int *, __m128i, __m128i);
__POLYOPT_SSE(__m128i, maskload_epi64, const long long *, __m128i);
__POLYOPT_SSE(void, maskstore_epi64, long long *, __m128i, __m128i);
__POLYOPT_SSE(__m128, i32gather_ps, const float *, __m128i, int);
__POLYOPT_SSE(__m128, mask_i32gather_ps, __m128, const float *, __m128i, __m128, int);
__POLYOPT_SSE(__m128, i64gather_ps, const float *, __m128i, int);
__POLYOPT_SSE(__m128, mask_i64gather_ps, __m128, const float *, __m128i, __m128, int);
__POLYOPT_SSE(__m128d, i32gather_pd, const double *, __m128i, int);
__POLYOPT_SSE(__m128d, mask_i32gather_pd, __m128d, const double *, __m128i, __m128d, int);
__POLYOPT_SSE(__m128d, i64gather_pd, const double *, __m128i, int);
__POLYOPT_SSE(__m128d, mask_i64gather_pd, __m128d, const double *, __m128i, __m128d, int);
__POLYOPT_SSE(__m128i, i32gather_epi32, const int *, __m128i, int);
__POLYOPT_SSE(__m128i, mask_i32gather_epi32, __m128i, const int *, __m128i, __m128i, int);
__POLYOPT_SSE(__m128i, i64gather_epi32, const int *, __m128i, int);
__POLYOPT_SSE(__m128i, mask_i64gather_epi32, __m128i, const int *, __m128i, __m128i, int);
__POLYOPT_SSE(__m128i, i32gather_epi64, const long long *, __m128i, int);
__POLYOPT_SSE(__m128i, mask_i32gather_epi64, __m128i, const long long *, __m128i, __m128i, int);
__POLYOPT_SSE(__m128i, i64gather_epi64, const long long *, __m128i, int);
__POLYOPT_SSE(__m128i, mask_i64gather_epi64, __m128i, const long long *, __m128i, __m128i, int);
/* FMA */
__POLYOPT_SSE(__m128, fmadd_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmadd_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fmadd_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fmadd_pd, __m256d, __m256d, __m256d);
__POLYOPT_SSE(__m128, fmadd_ss, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmadd_sd, __m128d, __m128d, __m128d);
__POLYOPT_SSE(__m128, fmsub_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmsub_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fmsub_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fmsub_pd, __m256d, __m256d, __m256d);
__POLYOPT_SSE(__m128, fmsub_ss, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmsub_sd, __m128d, __m128d, __m128d);
__POLYOPT_SSE(__m128, fnmadd_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fnmadd_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fnmadd_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fnmadd_pd, __m256d, __m256d, __m256d);
__POLYOPT_SSE(__m128, fnmadd_ss, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fnmadd_sd, __m128d, __m128d, __m128d);
__POLYOPT_SSE(__m128, fnmsub_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fnmsub_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fnmsub_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fnmsub_pd, __m256d, __m256d, __m256d);
__POLYOPT_SSE(__m128, fnmsub_ss, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fnmsub_sd, __m128d, __m128d, __m128d);
__POLYOPT_SSE(__m128, fmaddsub_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmaddsub_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fmaddsub_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fmaddsub_pd, __m256d, __m256d, __m256d);
__POLYOPT_SSE(__m128, fmsubadd_ps, __m128, __m128, __m128);
__POLYOPT_SSE(__m128d, fmsubadd_pd, __m128d, __m128d, __m128d);
__POLYOPT_AVX(__m256, fmsubadd_ps, __m256, __m256, __m256);
__POLYOPT_AVX(__m256d, fmsubadd_pd, __m256d, __m256d, __m256d);
/* F16C */
__POLYOPT_SSE(__m128, cvtph_ps, __m128i);
__POLYOPT_SSE(__m128i, cvtps_ph, __m128, int);
__POLYOPT_AVX(__m256, cvtph_ps, __m128i);
__POLYOPT_AVX(__m128i, cvtps_ph, __m256, int);
/* SHA */
__POLYOPT_I2(sha1msg1_epu32);
__POLYOPT_I2(sha1msg2_epu32);
__POLYOPT_I2(sha1nexte_epu32);
__POLYOPT_SSE(__m128i, sha1rnds4_epu32, __m128i, __m128i, int);
__POLYOPT_I2(sha256msg1_epu32);
__POLYOPT_I2(sha256msg2_epu32);
__POLYOPT_SSE(__m128i, sha256rnds2_epu32, __m128i, __m128i, __m128i);
#define _mm256_stream_ps(to, value) _mm256_store_ps(to, value)
#define _mm256_stream_pd(to, value) _mm256_store_pd(to, value)
#define _mm256_stream_si256(to, value) _mm256_store_si256(to, value)
#define _mm256_stream_load_si256(from) _mm256_load_si256((const __m256i *)(from))
#define _mm256_lddqu_si256(from) _mm256_loadu_si256(from)
#define _mm256_undefined_ps() _mm256_setzero_ps()
#define _mm256_undefined_pd() _mm256_setzero_pd()
#define _mm256_undefined_si256() _mm256_setzero_si256()
#define _mm256_set1_epi64(value) _mm256_set1_epi64x(value)
#define _mm256_loadu2_m128(high, low) _mm256_set_m128(_mm_loadu_ps(high), _mm_loadu_ps(low))
#define _mm256_loadu2_m128d(high, low) _mm256_set_m128d(_mm_loadu_pd(high), _mm_loadu_pd(low))
#define _mm256_loadu2_m128i(high, low) _mm256_set_m128i(_mm_loadu_si128(high), _mm_loadu_si128(low))
static inline void _mm256_storeu2_m128(float *__high, float *__low, __m256 __value) {
  _mm_storeu_ps(__low, _mm256_castps256_ps128(__value));
  _mm_storeu_ps(__high, _mm256_extractf128_ps(__value, 1));
}
static inline void _mm256_storeu2_m128d(double *__high, double *__low, __m256d __value) {
  _mm_storeu_pd(__low, _mm256_castpd256_pd128(__value));
  _mm_storeu_pd(__high, _mm256_extractf128_pd(__value, 1));
}
static inline void _mm256_storeu2_m128i(__m128i *__high, __m128i *__low, __m256i __value) {
  _mm_storeu_si128(__low, _mm256_castsi256_si128(__value));
  _mm_storeu_si128(__high, _mm256_extractf128_si256(__value, 1));
}
#define _mm_broadcastsd_pd(value) _mm_movedup_pd(value)
#define _mm_broadcastsi128_si256(value) _mm256_broadcastsi128_si256(value)
#define _CMP_EQ_OQ 0
#define _CMP_LT_OS 1
#define _CMP_LE_OS 2
#define _CMP_UNORD_Q 3
#define _CMP_NEQ_UQ 4
#define _CMP_NLT_US 5
#define _CMP_NLE_US 6
#define _CMP_ORD_Q 7
#define _CMP_EQ_UQ 8
#define _CMP_NGE_US 9
#define _CMP_NGT_US 10
#define _CMP_FALSE_OQ 11
#define _CMP_NEQ_OQ 12
#define _CMP_GE_OS 13
#define _CMP_GT_OS 14
#define _CMP_TRUE_UQ 15
#define _CMP_EQ_OS 16
#define _CMP_LT_OQ 17
#define _CMP_LE_OQ 18
#define _CMP_UNORD_S 19
#define _CMP_NEQ_US 20
#define _CMP_NLT_UQ 21
#define _CMP_NLE_UQ 22
#define _CMP_ORD_S 23
#define _CMP_EQ_US 24
#define _CMP_NGE_UQ 25
#define _CMP_NGT_UQ 26
#define _CMP_FALSE_OS 27
#define _CMP_NEQ_OS 28
#define _CMP_GE_OQ 29
#define _CMP_GT_OQ 30
#define _CMP_TRUE_US 31
#endif
