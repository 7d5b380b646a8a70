/* Directives that speak of the lines to come: push_macro and pop_macro, #line through macros. */
int printf(const char*,...);
#define A 1
#define B(x) (x+A)
int a0 = A;
#pragma push_macro("A")
int a1 = A;
#undef A
#define A 2
int a2 = A, b2 = B(1);
#  pragma   push_macro ( "A" )
#undef A
#define A 3
int a3 = A, b3 = B(1);
#pragma pop_macro("A")
int a4 = A, b4 = B(1);
#pragma pop_macro("A")
int a5 = A, b5 = B(1);
#pragma pop_macro("A")
int a6 = A;
#undef A
#pragma push_macro("A")
#define A 7
int a7 = A;
#pragma pop_macro("A")
#ifdef A
int a8 = 1;
#else
int a8 = 0;
#endif
#if 0
#pragma push_macro("B")
#pragma nonsense
#line 1000 "nowhere.c"
#endif
int l1 = __LINE__;
#define L 500
#define FILENAME "some.c"
int l2 = __LINE__;
#line L FILENAME
int l3 = __LINE__; const char *f3 = __FILE__;
#define BOTH 700 "both.c"
#line BOTH
int l4 = __LINE__; const char *f4 = __FILE__;
#line 42
int l5 = __LINE__; const char *f5 = __FILE__;
# 99 "marker.c" 1
int l6 = __LINE__; const char *f6 = __FILE__;
int main(void){ printf("%d %d %d %d %d %d %d %d\n",a0,a1,a2,a3,a4,a5,a6,a7);
 printf("%d %d %d %d %d\n", b2,b3,b4,b5,a8);
 printf("%d %d %d %s %d %s %d %s %d %s\n",l1,l2,l3,f3,l4,f4,l5,f5,l6,f6);
 return 0; }
