/* Structs of every size by value, directly and through pointers; bits, wraps and shifts. */
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#define ST(N) struct b##N{unsigned char c[N];}; static struct b##N mk##N(int s){struct b##N r; for(int i=0;i<N;i++) r.c[i]=s+i*3; return r;} static struct b##N tw##N(struct b##N a,int k,struct b##N b){ for(int i=0;i<N;i++) a.c[i]^=b.c[N-1-i]+k; return a;} static unsigned ck##N(void){ struct b##N a=mk##N(N),b=mk##N(7),c=tw##N(a,3,b),(*f)(struct b##N,int,struct b##N)=tw##N,d=f(c,5,tw##N(b,1,a)); unsigned h=0; for(int i=0;i<N;i++) h=h*31+d.c[i]+c.c[i]; return h;}
ST(1) ST(2) ST(3) ST(4) ST(5) ST(6) ST(7) ST(8) ST(9) ST(10) ST(11) ST(12) ST(13) ST(14) ST(15) ST(16) ST(17) ST(24) ST(31) ST(32) ST(33) ST(64) ST(100)
struct m1{float f;char c;};struct m2{double d;int i;};struct m3{int i;float f;double d;};struct m4{float a,b,c,d;};struct m5{char*p;float x;};struct m6{long l;struct{float x,y;}v;};struct m7{double d[3];};
#define M(T,...) static T r##T(T a,T b,int k){ return k?a:b; }
typedef struct m1 m1;typedef struct m2 m2;typedef struct m3 m3;typedef struct m4 m4;typedef struct m5 m5;typedef struct m6 m6;typedef struct m7 m7; M(m1) M(m2) M(m3) M(m4) M(m5) M(m6) M(m7)
static m6 chain(m6 a,int n){ if(!n) return a; a.l+=n; a.v.x*=1.5f; return chain(a,n-1);}
static m2 arr2(m2 (*f)(m2,m2,int), m2 x){ m2 y=x; y.i*=3; return f(x,y,0); }
static uint32_t rotl(uint32_t x,int n){return x<<n|x>>(32-n);} static uint64_t mix(uint64_t x){x^=x>>33;x*=0xff51afd7ed558ccdULL;x^=x>>33;return x;}
static int popc(unsigned x){int n=0;while(x){x&=x-1;n++;}return n;} static unsigned rev(unsigned x){unsigned r=0;for(int i=0;i<32;i++){r=r<<1|(x&1);x>>=1;}return r;}
static int bits(int8_t a,uint8_t b,int16_t c,uint16_t d){return (a&b)|(c^d)<<2|(~a&0xf)|(b>>3)-(a>>2);}
union pun{float f;uint32_t u;uint8_t b[4];int16_t s[2];};
int main(void){
#define P(N) printf("%u ",ck##N());
P(1)P(2)P(3)P(4)P(5)P(6)P(7)P(8)P(9)P(10)P(11)P(12)P(13)P(14)P(15)P(16)P(17)P(24)P(31)P(32)P(33)P(64)P(100) printf("\n");
 m1 a=rm1((m1){1.5f,'a'},(m1){2.5f,'b'},0);m2 b=arr2(rm2,(m2){2.5,7});m3 c=rm3((m3){1,2,3},(m3){4,5,6},1);m4 d=rm4((m4){1,2,3,4},(m4){5,6,7,8},0);m5 e=rm5((m5){"p",1},(m5){"q",2},0);m6 f=chain((m6){1,{2,3}},5);m7 g=rm7((m7){{1,2,3}},(m7){{4,5,6}},0);
 printf("%g %c %g %d %d %g %g %g %s %g %ld %g %g %g\n",a.f,a.c,b.d,b.i,c.i,c.f,c.d,d.c,e.p,e.x,f.l,f.v.x,f.v.y,g.d[2]);
 printf("%u %llu %d %u\n",rotl(0x80000001u,7),(unsigned long long)mix(12345),popc(0xf0f0f0f1),rev(1));
 for(int i=-3;i<3;i++)printf("%d ",bits(i*50,i*70,i*9000,i*20000));printf("\n");
 union pun p={.f=-1.5f};printf("%x %d %d %d\n",p.u,p.b[3],p.s[1],p.s[0]);p.b[0]=1;printf("%.9g\n",p.f);
 unsigned i=0;i--;printf("%u %d\n",i,i>0);size_t z=0;z-=1;printf("%zu\n",z);uint8_t w=0;for(int k=0;k<300;k++)w+=k;printf("%d\n",w);int16_t sgn=0;for(int k=0;k<300;k++)sgn=sgn*3+k;printf("%d\n",sgn);uint16_t m=0xffff;printf("%d %u\n",m*1,(unsigned)m*m);
 int8_t q[16];for(int k=0;k<16;k++)q[k]=k*17;int t=0;for(int k=0;k<16;k++)t+=q[k]*(k&1?-1:1);printf("%d\n",t);uint64_t acc=0;for(uint8_t k=250;k>=250;k++)acc+=k;printf("%llu\n",(unsigned long long)acc);
 long long sh=-1;printf("%lld %lld %d\n",sh>>63,(long long)((unsigned long long)sh>>60),-5>>1);printf("%d %d\n",(int)(int8_t)(uint8_t)-1,(uint8_t)(int8_t)-1);
 char s[20]="x";char*e2=s;*e2++='A';*e2++="BC"[1];e2[0]=*(e2-1)+1;e2[1]=0;printf("%s %zu %d\n",s,sizeof s,(int)(e2-s));const char*w3[]={"a","bb",[4]="eee"};int l=0;for(int k=0;k<5;k++)l=l*10+(w3[k]?(int)strlen(w3[k]):9);printf("%d\n",l);
 printf("%d %d %d\n",0x7fffffff+1u>0,(int)2147483648u,-2147483648<0);printf("%d\n",(0?-1:1u)>-2);printf("%d\n",sizeof(int)>-1);printf("%d %d\n",'a'<<24>>24,(char)200>>1);
 return 0;}
