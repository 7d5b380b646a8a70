/* Variable arguments: every kind of type, in registers and on the stack, lists copied, passed on, kept
   in structs and begun again. */
#include <stdarg.h>
#include <stdio.h>
struct s1 { char c; }; struct s8 {int a,b;}; struct f8{float a,b;}; struct f12 {float a,b,c;};
struct s16 {long a; double b;}; struct d16 {double a,b;}; struct l16 {long a,b;}; struct s24 {long a[3];}; struct s17 {char c[17];};
struct e {}; union u {int i; double d;};
struct al { _Alignas(16) long a; long b; };
struct al32 { _Alignas(16) long a; long b[3]; };
static int sum(int n, ...) { va_list ap; va_start(ap,n); int s=0; while(n--) s+=va_arg(ap,int); va_end(ap); return s; }
static double dsum(int n, ...) { va_list ap; va_start(ap,n); double s=0; for (int i=0;i<n;i++) { if (i&1) s+=va_arg(ap,double); else s+=va_arg(ap,long); } va_end(ap); return s; }
static void out(const char *f, ...) {
  va_list ap, bp; va_start(ap,f); va_copy(bp, ap);
  for (const char *p=f;*p;p++) switch(*p) {
   case 'i': printf("%d ", va_arg(ap,int)); break;
   case 'u': printf("%u ", va_arg(ap,unsigned)); break;
   case 'l': printf("%ld ", va_arg(ap,long)); break;
   case 'q': printf("%llu ", va_arg(ap,unsigned long long)); break;
   case 'd': printf("%g ", va_arg(ap,double)); break;
   case 's': printf("%s ", va_arg(ap,char*)); break;
   case 'p': printf("%d ", *va_arg(ap,int*)); break;
   case 'f': printf("%d ", va_arg(ap,int(*)(int))(4)); break;
   case '1': { struct s1 s=va_arg(ap,struct s1); printf("%d ", s.c); break; }
   case '8': { struct s8 s=va_arg(ap,struct s8); printf("%d,%d ", s.a,s.b); break; }
   case 'F': { struct f8 s=va_arg(ap,struct f8); printf("%g,%g ", s.a,s.b); break; }
   case '3': { struct f12 s=va_arg(ap,struct f12); printf("%g,%g,%g ", s.a,s.b,s.c); break; }
   case 'm': { struct s16 s=va_arg(ap,struct s16); printf("%ld,%g ", s.a,s.b); break; }
   case 'D': { struct d16 s=va_arg(ap,struct d16); printf("%g,%g ", s.a,s.b); break; }
   case 'L': { struct l16 s=va_arg(ap,struct l16); printf("%ld,%ld ", s.a,s.b); break; }
   case 'B': { struct s24 s=va_arg(ap,struct s24); printf("%ld,%ld,%ld ", s.a[0],s.a[1],s.a[2]); break; }
   case '7': { struct s17 s=va_arg(ap,struct s17); printf("%.17s ", s.c); break; }
   case 'e': { struct e s=va_arg(ap,struct e); printf("E "); break; }
   case 'U': { printf("%g ", va_arg(ap,union u).d); break; }
   case 'A': { struct al s=va_arg(ap,struct al); printf("%ld,%ld ", s.a, s.b); break; }
   case 'X': { struct al32 s=va_arg(ap,struct al32); printf("%ld,%ld ", s.a, s.b[1]); break; }
  }
  va_end(ap); printf("| %d\n", *f=='i' ? va_arg(bp,int) : -1); va_end(bp);
}
static int sq(int x){return x*x;}
static int pr(const char *f, ...) { va_list ap; va_start(ap,f); int r=vprintf(f,ap); va_end(ap); return r; }
static int two(char *b, const char *f, va_list ap) { va_list cp; va_copy(cp,ap); int n=vsnprintf(NULL,0,f,ap); vsprintf(b,f,cp); va_end(cp); return n; }
static int spr(char *b, const char *f, ...) { va_list ap; va_start(ap,f); int r=two(b,f,ap); va_end(ap); return r; }
struct holder { int n; va_list ap; };
static int next(struct holder *h) { h->n++; return va_arg(h->ap,int); }
static int held(int x, ...) { struct holder h={0}; va_start(h.ap,x); int s=0; while(next(&h)) s+=10; struct holder g=h; s+=va_arg(g.ap,int); s+=va_arg(h.ap,int); va_end(h.ap); return s*100+h.n; }
static int byptr(va_list *p) { return va_arg(*p,int); }
static int viaptr(int n, ...) { va_list ap; va_start(ap,n); int a=byptr(&ap), b=byptr(&ap); double c=va_arg(ap,double); va_end(ap); return a*100+b*10+c; }
static int again(int n, ...) { int s=0; for(int r=0;r<3;r++){ va_list ap; va_start(ap,n); for(int i=0;i<n;i++) s+=va_arg(ap,int)*(r+1); va_end(ap);} return s; }
static struct s24 big(int n, ...) { va_list ap; va_start(ap,n); struct s24 s; for(int i=0;i<3;i++) s.a[i]=va_arg(ap,long); va_end(ap); return s; }
static double many(int a,double b,struct l16 c, long d, struct d16 e, ...) { va_list ap; va_start(ap,e); double s=a+b+c.a+c.b+d+e.a+e.b; for(int i=0;i<12;i++) s=s*2+va_arg(ap,int)+va_arg(ap,double); va_end(ap); return s; }
static long rec(int n, ...) { va_list ap; va_start(ap,n); long x=va_arg(ap,long); va_end(ap); return n? x+rec(n-1,x*2):x; }
static va_list *gp; static int nested2(int n, ...) { va_list ap; va_start(ap,n); gp=&ap; int x=va_arg(*gp,int)+va_arg(ap,int); va_end(ap); return x; }
typedef int (*vf)(int,...); typedef struct s24 (*vb)(int,...);
int old();
int main(void){
 printf("%d %d %d\n", sum(0), sum(3,1,2,3), sum(12,1,2,3,4,5,6,7,8,9,10,11,12));
 printf("%g\n", dsum(20,1L,.5,2L,.25,3L,.125,4L,1e3,5L,2e3,6L,3e3,7L,4e3,8L,5e3,9L,6e3,10L,7e3));
 int x=7; struct s1 s1={3}; struct s8 s8={1,-2}; struct f8 f8={1.5f,2.5f}; struct f12 f12={1,2,3.5f}; struct s16 s16={-5,2.25}; struct d16 d16={1e10,-2}; struct l16 l16={1L<<40,-1}; struct s24 s24={{1,2,3}}; struct s17 s17={"sixteen letters!"}; struct e e; union u u={.d=2.75}; struct al al={5,6}; struct al32 al32={7,{8,9,10}};
 out("iulqdspf", -1, 4000000000u, -5000000000L, 18446744073709551615ull, 1.5f, "str", &x, sq);
 out("18F3mDLB7eUAX", s1,s8,f8,f12,s16,d16,l16,s24,s17,e,u,al,al32);
 out("iLLLmmDDDDDi", 1, l16,l16,l16,s16,s16,d16,d16,d16,d16,d16,5);
 out("iAXiAXi", 1, al, al32, 2, al, al32, 3);
 out("dddddddmmi", 1.,2.,3.,4.,5.,6.,7.,s16,s16,9);
 out("llllLlL", 1L,2L,3L,4L,l16,6L,l16);
 out("cc1", 1); out("i", (char)-3); out("i", (short)-3); out("d", 1.25f); out("i", 'x'); out("i", (_Bool)5);
 pr("%d %s %g %c %ld %5.2f|%*d\n", 1,"two",3.0,'4',5L,6.125,8,9);
 char b[100]; int n=spr(b,"%d-%s-%g-%d%d%d%d%d",1,"b",2.5,3,4,5,6,7); printf("%d %s\n", n,b);
 printf("%d %d %d\n", held(0,1,2,3,0,8,9), viaptr(0,4,5,6.0), again(3,1,2,3));
 struct s24 r=big(3,4L,5L,6L); printf("%ld %ld %ld\n", r.a[0],r.a[1],r.a[2]);
 vf f=sum; vb g=big; printf("%d %ld\n", f(2,30,12), g(0,7L,8L,9L).a[2]);
 printf("%g\n", many(1,2,l16,3,d16, 1,1.,2,2.,3,3.,4,4.,5,5.,6,6.,7,7.,8,8.,9,9.,10,10.,11,11.,12,12.));
 printf("%ld %d\n", rec(5,3L), nested2(0,4,5));
 printf("%d\n", old(1, s24, 2.5, s8));
 return 0; }
int old(int a, struct s24 s, double d, struct s8 t) { return a*1000+s.a[1]*100+d*10+t.b; }
