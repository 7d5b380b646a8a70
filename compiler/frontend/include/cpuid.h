/* What the CPU says of itself, by the names that GCC has for it. */
#ifndef _CPUID_H
#define _CPUID_H
/* leaf 1: edx */
#define bit_CMPXCHG8B (1 << 8)
#define bit_CMOV (1 << 15)
#define bit_MMX (1 << 23)
#define bit_FXSAVE (1 << 24)
#define bit_SSE (1 << 25)
#define bit_SSE2 (1 << 26)
/* leaf 1: ecx */
#define bit_SSE3 (1 << 0)
#define bit_PCLMUL (1 << 1)
#define bit_SSSE3 (1 << 9)
#define bit_FMA (1 << 12)
#define bit_CMPXCHG16B (1 << 13)
#define bit_SSE4_1 (1 << 19)
#define bit_SSE4_2 (1 << 20)
#define bit_MOVBE (1 << 22)
#define bit_POPCNT (1 << 23)
#define bit_AES (1 << 25)
#define bit_XSAVE (1 << 26)
#define bit_OSXSAVE (1 << 27)
#define bit_AVX (1 << 28)
#define bit_F16C (1 << 29)
#define bit_RDRND (1 << 30)
/* leaf 7: ebx */
#define bit_FSGSBASE (1 << 0)
#define bit_SGX (1 << 2)
#define bit_BMI (1 << 3)
#define bit_HLE (1 << 4)
#define bit_AVX2 (1 << 5)
#define bit_BMI2 (1 << 8)
#define bit_RTM (1 << 11)
#define bit_AVX512F (1 << 16)
#define bit_AVX512DQ (1 << 17)
#define bit_RDSEED (1 << 18)
#define bit_ADX (1 << 19)
#define bit_AVX512IFMA (1 << 21)
#define bit_CLFLUSHOPT (1 << 23)
#define bit_CLWB (1 << 24)
#define bit_AVX512CD (1 << 28)
#define bit_SHA (1 << 29)
#define bit_AVX512BW (1 << 30)
#define bit_AVX512VL (1u << 31)
/* leaf 7: ecx */
#define bit_AVX512VBMI (1 << 1)
#define bit_PKU (1 << 3)
#define bit_OSPKE (1 << 4)
#define bit_WAITPKG (1 << 5)
#define bit_AVX512VBMI2 (1 << 6)
#define bit_SHSTK (1 << 7)
#define bit_GFNI (1 << 8)
#define bit_VAES (1 << 9)
#define bit_VPCLMULQDQ (1 << 10)
#define bit_AVX512VNNI (1 << 11)
#define bit_AVX512BITALG (1 << 12)
#define bit_AVX512VPOPCNTDQ (1 << 14)
#define bit_RDPID (1 << 22)
#define bit_CLDEMOTE (1 << 25)
#define bit_MOVDIRI (1 << 27)
#define bit_MOVDIR64B (1 << 28)
/* leaf 7: edx */
#define bit_AVX512VP2INTERSECT (1 << 8)
#define bit_SERIALIZE (1 << 14)
#define bit_IBT (1 << 20)
#define bit_AMX_BF16 (1 << 22)
#define bit_AVX512FP16 (1 << 23)
#define bit_AMX_TILE (1 << 24)
#define bit_AMX_INT8 (1 << 25)
/* leaf 7, 1: eax */
#define bit_AVXVNNI (1 << 4)
#define bit_AVX512BF16 (1 << 5)
/* leaf 0xd, 1: eax */
#define bit_XSAVEOPT (1 << 0)
#define bit_XSAVEC (1 << 1)
#define bit_XSAVES (1 << 3)
/* leaf 0x80000001: ecx */
#define bit_LAHF_LM (1 << 0)
#define bit_ABM (1 << 5)
#define bit_LZCNT (1 << 5)
#define bit_SSE4a (1 << 6)
#define bit_PRFCHW (1 << 8)
#define bit_XOP (1 << 11)
#define bit_LWP (1 << 15)
#define bit_FMA4 (1 << 16)
#define bit_TBM (1 << 21)
#define bit_MWAITX (1 << 29)
/* leaf 0x80000001: edx */
#define bit_MMXEXT (1 << 22)
#define bit_LM (1 << 29)
#define bit_3DNOWP (1 << 30)
#define bit_3DNOW (1u << 31)
/* leaf 0x80000008: ebx */
#define bit_CLZERO (1 << 0)
#define bit_WBNOINVD (1 << 9)

/* Who made it, in leaf 0: "GenuineIntel", "AuthenticAMD" and others. */
#define signature_INTEL_ebx 0x756e6547
#define signature_INTEL_edx 0x49656e69
#define signature_INTEL_ecx 0x6c65746e
#define signature_AMD_ebx 0x68747541
#define signature_AMD_edx 0x69746e65
#define signature_AMD_ecx 0x444d4163
#define signature_CENTAUR_ebx 0x746e6543
#define signature_CENTAUR_edx 0x48727561
#define signature_CENTAUR_ecx 0x736c7561
#define signature_VIA_ebx 0x20414956
#define signature_VIA_edx 0x20414956
#define signature_VIA_ecx 0x20414956
#define signature_SHANGHAI_ebx 0x68532020
#define signature_SHANGHAI_edx 0x68676e61
#define signature_SHANGHAI_ecx 0x20206961

#define __cpuid(leaf, a, b, c, d) __asm__ __volatile__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(leaf))
#define __cpuid_count(leaf, count, a, b, c, d) \
  __asm__ __volatile__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "0"(leaf), "2"(count))

/* The last leaf of those from 0 on, or from 0x80000000; *sig is ebx, unless null. */
static __inline unsigned int __get_cpuid_max(unsigned int __ext, unsigned int *__sig) {
  unsigned int __a, __b, __c, __d;
  __cpuid(__ext, __a, __b, __c, __d);
  if (__sig) *__sig = __b;
  return __a;
}
/* 1 where the CPU has this leaf, which is written, else 0. */
static __inline int __get_cpuid(unsigned int __leaf, unsigned int *__a, unsigned int *__b, unsigned int *__c,
                                unsigned int *__d) {
  unsigned int __last = __get_cpuid_max(__leaf & 0x80000000, 0);
  if (__last == 0 || __last < __leaf) return 0;
  __cpuid(__leaf, *__a, *__b, *__c, *__d);
  return 1;
}
static __inline int __get_cpuid_count(unsigned int __leaf, unsigned int __count, unsigned int *__a, unsigned int *__b,
                                      unsigned int *__c, unsigned int *__d) {
  unsigned int __last = __get_cpuid_max(__leaf & 0x80000000, 0);
  if (__last == 0 || __last < __leaf) return 0;
  __cpuid_count(__leaf, __count, *__a, *__b, *__c, *__d);
  return 1;
}
static __inline void __cpuidex(int __words[4], int __leaf, int __count) {
  __cpuid_count(__leaf, __count, __words[0], __words[1], __words[2], __words[3]);
}
#endif
