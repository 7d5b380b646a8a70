#ifndef _STDDEF_H
#define _STDDEF_H
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
typedef struct { long long __a; double __b; } max_align_t;
#define NULL ((void *)0)
#endif
