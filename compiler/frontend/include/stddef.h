#ifndef _STDDEF_H
#define _STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
typedef struct { long long __a; long double __b; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#define NULL ((void *)0)
#endif
