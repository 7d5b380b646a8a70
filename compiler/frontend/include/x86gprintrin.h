/* Integers in the machine's own registers: BMI, BMI2, LZCNT, sums with a carry, time (see <xmmintrin.h>). */
#ifndef _X86GPRINTRIN_H
#define _X86GPRINTRIN_H
unsigned _pext_u32(unsigned, unsigned) __asm__("polyopt.sse.pext_32");
unsigned _pdep_u32(unsigned, unsigned) __asm__("polyopt.sse.pdep_32");
unsigned long long _pext_u64(unsigned long long, unsigned long long) __asm__("polyopt.sse.pext_64");
unsigned long long _pdep_u64(unsigned long long, unsigned long long) __asm__("polyopt.sse.pdep_64");
unsigned long long __rdtsc(void) __asm__("polyopt.sse.rdtsc");
unsigned long long __rdtscp(unsigned *) __asm__("polyopt.sse.rdtscp");
static inline unsigned _tzcnt_u32(unsigned __x) { return __x ? (unsigned)__builtin_ctz(__x) : 32; }
static inline unsigned _lzcnt_u32(unsigned __x) { return __x ? (unsigned)__builtin_clz(__x) : 32; }
static inline unsigned _blsr_u32(unsigned __x) { return __x & (__x - 1); }
static inline unsigned _blsi_u32(unsigned __x) { return __x & -__x; }
static inline unsigned _blsmsk_u32(unsigned __x) { return __x ^ (__x - 1); }
static inline unsigned _andn_u32(unsigned __x, unsigned __y) { return ~__x & __y; }
static inline unsigned _bzhi_u32(unsigned __x, unsigned __n) {
  return (__n & 255) < 32 ? __x & ((unsigned)1 << (__n & 255)) - 1 : __x;
}
static inline unsigned __bextr_u32(unsigned __x, unsigned __y) {
  return _bzhi_u32((__y & 255) < 32 ? __x >> (__y & 255) : 0, (unsigned)(__y >> 8));
}
static inline unsigned _bextr_u32(unsigned __x, unsigned __start, unsigned __count) {
  return __bextr_u32(__x, (__start & 255) | (__count & 255) << 8);
}
static inline unsigned char _addcarry_u32(unsigned char __carry, unsigned __x, unsigned __y, unsigned *__sum) {
  unsigned __part;
  unsigned char __first = __builtin_add_overflow(__x, __y, &__part);
  return __first | __builtin_add_overflow(__part, (unsigned)(__carry != 0), __sum);
}
static inline unsigned char _subborrow_u32(unsigned char __borrow, unsigned __x, unsigned __y, unsigned *__rest) {
  unsigned __part;
  unsigned char __first = __builtin_sub_overflow(__x, __y, &__part);
  return __first | __builtin_sub_overflow(__part, (unsigned)(__borrow != 0), __rest);
}
#define __tzcnt_u32(value) _tzcnt_u32(value)
#define __lzcnt32(value) _lzcnt_u32(value)
#define __blsr_u32(value) _blsr_u32(value)
#define __blsi_u32(value) _blsi_u32(value)
#define __blsmsk_u32(value) _blsmsk_u32(value)
#define __andn_u32(first, second) _andn_u32(first, second)
#define _addcarryx_u32(carry, first, second, sum) _addcarry_u32(carry, first, second, sum)
static inline unsigned long long _tzcnt_u64(unsigned long long __x) { return __x ? (unsigned long long)__builtin_ctzll(__x) : 64; }
static inline unsigned long long _lzcnt_u64(unsigned long long __x) { return __x ? (unsigned long long)__builtin_clzll(__x) : 64; }
static inline unsigned long long _blsr_u64(unsigned long long __x) { return __x & (__x - 1); }
static inline unsigned long long _blsi_u64(unsigned long long __x) { return __x & -__x; }
static inline unsigned long long _blsmsk_u64(unsigned long long __x) { return __x ^ (__x - 1); }
static inline unsigned long long _andn_u64(unsigned long long __x, unsigned long long __y) { return ~__x & __y; }
static inline unsigned long long _bzhi_u64(unsigned long long __x, unsigned __n) {
  return (__n & 255) < 64 ? __x & ((unsigned long long)1 << (__n & 255)) - 1 : __x;
}
static inline unsigned long long __bextr_u64(unsigned long long __x, unsigned long long __y) {
  return _bzhi_u64((__y & 255) < 64 ? __x >> (__y & 255) : 0, (unsigned)(__y >> 8));
}
static inline unsigned long long _bextr_u64(unsigned long long __x, unsigned __start, unsigned __count) {
  return __bextr_u64(__x, (__start & 255) | (__count & 255) << 8);
}
static inline unsigned char _addcarry_u64(unsigned char __carry, unsigned long long __x, unsigned long long __y, unsigned long long *__sum) {
  unsigned long long __part;
  unsigned char __first = __builtin_add_overflow(__x, __y, &__part);
  return __first | __builtin_add_overflow(__part, (unsigned long long)(__carry != 0), __sum);
}
static inline unsigned char _subborrow_u64(unsigned char __borrow, unsigned long long __x, unsigned long long __y, unsigned long long *__rest) {
  unsigned long long __part;
  unsigned char __first = __builtin_sub_overflow(__x, __y, &__part);
  return __first | __builtin_sub_overflow(__part, (unsigned long long)(__borrow != 0), __rest);
}
#define __tzcnt_u64(value) _tzcnt_u64(value)
#define __lzcnt64(value) _lzcnt_u64(value)
#define __blsr_u64(value) _blsr_u64(value)
#define __blsi_u64(value) _blsi_u64(value)
#define __blsmsk_u64(value) _blsmsk_u64(value)
#define __andn_u64(first, second) _andn_u64(first, second)
#define _addcarryx_u64(carry, first, second, sum) _addcarry_u64(carry, first, second, sum)
static inline unsigned long long _mulx_u64(unsigned long long __x, unsigned long long __y, unsigned long long *__high) {
  unsigned __int128 __product = (unsigned __int128)__x * __y;
  *__high = (unsigned long long)(__product >> 64);
  return (unsigned long long)__product;
}
#define _rdtsc() __rdtsc()
#define _bswap(value) ((int)__builtin_bswap32(value))
#define _bswap64(value) ((long long)__builtin_bswap64(value))
#define __bswapd(value) _bswap(value)
#define __bswapq(value) _bswap64(value)
#define _bit_scan_forward(value) __builtin_ctz(value)
#define _bit_scan_reverse(value) (31 ^ __builtin_clz(value))
#define __bsfd(value) __builtin_ctz(value)
#define __bsrd(value) (31 ^ __builtin_clz(value))
#define __bsfq(value) __builtin_ctzll(value)
#define __bsrq(value) (63 ^ __builtin_clzll(value))
#define _popcnt32(value) __builtin_popcount(value)
#define _popcnt64(value) ((long long)__builtin_popcountll(value))
#define __popcntd(value) __builtin_popcount(value)
#define __popcntq(value) ((long long)__builtin_popcountll(value))
static inline unsigned __rold(unsigned __x, int __n) { return __x << (__n & 31) | __x >> (-__n & 31); }
static inline unsigned __rord(unsigned __x, int __n) { return __x >> (__n & 31) | __x << (-__n & 31); }
static inline unsigned long long __rolq(unsigned long long __x, int __n) { return __x << (__n & 63) | __x >> (-__n & 63); }
static inline unsigned long long __rorq(unsigned long long __x, int __n) { return __x >> (__n & 63) | __x << (-__n & 63); }
#define _rotl(value, count) __rold(value, count)
#define _rotr(value, count) __rord(value, count)
#define _lrotl(value, count) __rolq(value, count)
#define _lrotr(value, count) __rorq(value, count)
#endif
