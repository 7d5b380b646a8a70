#ifndef _STDBIT_H
#define _STDBIT_H
#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__
/* Each function for each type: T, of W bits, with the suffix S. */
#define __stdbit(R, name, S, T) static __inline__ R stdc_##name##_##S(T x)
#define __stdbit_functions(S, T, W) \
    __stdbit(unsigned, leading_zeros, S, T) { return x ? __builtin_clzll(x) - (64u - W) : W; } \
    __stdbit(unsigned, leading_ones, S, T) { return stdc_leading_zeros_##S((T)~x); } \
    __stdbit(unsigned, trailing_zeros, S, T) { return x ? (unsigned)__builtin_ctzll(x) : W; } \
    __stdbit(unsigned, trailing_ones, S, T) { return stdc_trailing_zeros_##S((T)~x); } \
    __stdbit(unsigned, first_leading_zero, S, T) { return (T)~x ? stdc_leading_ones_##S(x) + 1 : 0; } \
    __stdbit(unsigned, first_leading_one, S, T) { return x ? stdc_leading_zeros_##S(x) + 1 : 0; } \
    __stdbit(unsigned, first_trailing_zero, S, T) { return (T)~x ? stdc_trailing_ones_##S(x) + 1 : 0; } \
    __stdbit(unsigned, first_trailing_one, S, T) { return x ? stdc_trailing_zeros_##S(x) + 1 : 0; } \
    __stdbit(unsigned, count_ones, S, T) { return (unsigned)__builtin_popcountll(x); } \
    __stdbit(unsigned, count_zeros, S, T) { return W - stdc_count_ones_##S(x); } \
    __stdbit(_Bool, has_single_bit, S, T) { return x && !(x & (T)(x - 1)); } \
    __stdbit(unsigned, bit_width, S, T) { return W - stdc_leading_zeros_##S(x); } \
    __stdbit(T, bit_floor, S, T) { return x ? (T)((T)1 << (stdc_bit_width_##S(x) - 1)) : 0; } \
    __stdbit(T, bit_ceil, S, T) \
    { \
        unsigned width = x > 1 ? stdc_bit_width_##S((T)(x - 1)) : 0; \
        return width < W ? (T)((T)1 << width) : 0; \
    }
__stdbit_functions(uc, unsigned char, 8u)
__stdbit_functions(us, unsigned short, 16u)
__stdbit_functions(ui, unsigned int, 32u)
__stdbit_functions(ul, unsigned long, 64u)
__stdbit_functions(ull, unsigned long long, 64u)
#undef __stdbit_functions
#undef __stdbit
#define __stdbit_of(name, x) \
    _Generic((x), unsigned char: name##_uc, unsigned short: name##_us, unsigned int: name##_ui, \
             unsigned long: name##_ul, unsigned long long: name##_ull)(x)
#define stdc_leading_zeros(x) __stdbit_of(stdc_leading_zeros, x)
#define stdc_leading_ones(x) __stdbit_of(stdc_leading_ones, x)
#define stdc_trailing_zeros(x) __stdbit_of(stdc_trailing_zeros, x)
#define stdc_trailing_ones(x) __stdbit_of(stdc_trailing_ones, x)
#define stdc_first_leading_zero(x) __stdbit_of(stdc_first_leading_zero, x)
#define stdc_first_leading_one(x) __stdbit_of(stdc_first_leading_one, x)
#define stdc_first_trailing_zero(x) __stdbit_of(stdc_first_trailing_zero, x)
#define stdc_first_trailing_one(x) __stdbit_of(stdc_first_trailing_one, x)
#define stdc_count_ones(x) __stdbit_of(stdc_count_ones, x)
#define stdc_count_zeros(x) __stdbit_of(stdc_count_zeros, x)
#define stdc_has_single_bit(x) __stdbit_of(stdc_has_single_bit, x)
#define stdc_bit_width(x) __stdbit_of(stdc_bit_width, x)
#define stdc_bit_floor(x) __stdbit_of(stdc_bit_floor, x)
#define stdc_bit_ceil(x) __stdbit_of(stdc_bit_ceil, x)
#endif
