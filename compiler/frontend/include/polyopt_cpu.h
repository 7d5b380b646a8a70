/* What __builtin_cpu_supports and __builtin_cpu_is ask (checking/calls/builtin_cpu.py): words of what the CPU says of
   itself, asked for once. A bit counts where the system keeps the registers that it is about (`state`, of XCR0). */
#ifndef _POLYOPT_CPU_H
#define _POLYOPT_CPU_H
#include <cpuid.h>
static unsigned __polyopt_cpu_words[13];
static void __polyopt_cpu_init(void) {
  unsigned *__w = __polyopt_cpu_words, __unused[4], __state = 0, __high;
  if (__atomic_load_n(__w + 12, __ATOMIC_ACQUIRE)) return;
  __get_cpuid(1, __unused, __unused + 1, __w, __w + 1);
  __get_cpuid_count(7, 0, __unused, __w + 2, __w + 3, __w + 4);
  __get_cpuid_count(7, 1, __w + 5, __unused + 1, __unused + 2, __unused + 3);
  __get_cpuid(0x80000001, __unused, __unused + 1, __w + 6, __w + 7);
  __get_cpuid_count(0xd, 1, __w + 8, __unused + 1, __unused + 2, __unused + 3);
  __get_cpuid(0x80000008, __unused, __w + 9, __unused + 2, __unused + 3);
  __get_cpuid(0, __unused, __w + 10, __unused + 2, __unused + 3);
  __get_cpuid(1, __w + 11, __unused + 1, __unused + 2, __unused + 3);
  if (__w[0] & bit_OSXSAVE) __asm__ __volatile__("xgetbv" : "=a"(__state), "=d"(__high) : "c"(0));
  __atomic_store_n(__w + 12, __state | 1, __ATOMIC_RELEASE);
}
static int __polyopt_cpu_has(unsigned __word, unsigned __bits, unsigned __state) {
  __polyopt_cpu_init();
  return (__polyopt_cpu_words[__word] & __bits) == __bits && (__polyopt_cpu_words[12] & __state) == __state;
}
/* The family above 15 and the model above 15 continue in further fields. */
static int __polyopt_cpu_is(unsigned __vendor, unsigned __family, unsigned __first, unsigned __last) {
  unsigned __leaf, __its, __model;
  __polyopt_cpu_init();
  if (__polyopt_cpu_words[10] != __vendor) return 0;
  __leaf = __polyopt_cpu_words[11];
  __its = __leaf >> 8 & 15;
  __model = __leaf >> 4 & 15;
  if (__its == 6 || __its == 15) __model |= __leaf >> 12 & 0xf0;
  if (__its == 15) __its += __leaf >> 20 & 255;
  return __family == 0 || (__its == __family && __first <= __model && __model <= __last);
}
#endif
