/* Sizes in casts and sizeof, constant addresses, recursion, conversions of every kind. */
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
static int n=3;static int bump(void){return ++n;}
static int sizes(int i){int a=sizeof(int[i++]);int b=sizeof(char[bump()]);int(*p)[i]=0;int c=sizeof*p;typedef int T[i];i=10;T t;c+=sizeof t;return a*10000+b*1000+c+i;}
static int casts(int i,void*q){int v=((int(*)[i++])q)[1][0];return v*100+i;}
static int skip(int k){int i=1;if(k>2)goto in;for(i=0;i<3;i++){int loc=i*2;k+=loc;in:k++;if(k>20)return k;}return k*2;}
static int*ptrs[3];static int vals[]={1,2,3},*const cp=vals+1,**pp=&ptrs[1];static const char*names[]={"a","b"};static struct node{int v;struct node*next;}list[3]={{1,&list[1]},{2,list+2},{3,0}};
static size_t off=offsetof(struct node,next)+sizeof(struct node);static int diff=(int)(&vals[2]-vals);static char*ps=(char*)"xyz"+1;static intptr_t ad=(intptr_t)&vals[1];
static double poly(const double*c,int k,double x){return k?c[0]+x*poly(c+1,k-1,x):c[0];}
static int ack(int m,int k){return m==0?k+1:k==0?ack(m-1,1):ack(m-1,ack(m,k-1));}
static int even(int k);static int odd(int k){return k?even(k-1):0;}static int even(int k){return k?odd(k-1):1;}
static void sort(int*a,int k,int(*cmp)(const int*,const int*)){for(int i=1;i<k;i++)for(int j=i;j>0&&cmp(a+j-1,a+j)>0;j--){int t=a[j];a[j]=a[j-1];a[j-1]=t;}}
static int up(const int*a,const int*b){return(*a>*b)-(*a<*b);}static int down(const int*a,const int*b){return-up(a,b);}
enum e{A=-1,B,C=5,D};enum u{U=3000000000u};struct flex{int n;int d[];};
#define CMP(T,x,y) ((T)(x)<(T)(y)),((T)(x)-(T)(y)>0),((T)((T)(x)+(T)(y)))
static int shifts(int k){unsigned char c=0xf0;signed char s=(signed char)0xf0;return(c>>k)+(s>>k)*1000+((c<<k)&0xff);}
static const char*cat(char*d,const char*s){char*r=d;while(*d)d++;while((*d++=*s++));return r;}
int main(void){printf("%d ",sizes(2));printf("%d\n",n);int g[6]={1,2,3,4,5,6};printf("%d\n",casts(2,g));printf("%d %d %d\n",skip(0),skip(3),skip(19));
*pp=&vals[2];printf("%d %d %zu %d %s %d %s\n",*ptrs[1],*cp,off,diff,ps,*(int*)ad,names[1]);int s=0;for(struct node*p=list;p;p=p->next)s=s*10+p->v;printf("%d\n",s);
printf("%g %d %d %d\n",poly((double[]){1,2,3,4},3,2),ack(2,3),even(10),odd(7));int a[]={5,3,9,-1,0};sort(a,5,up);for(int i=0;i<5;i++)printf("%d ",a[i]);sort(a,5,down);for(int i=0;i<5;i++)printf("%d ",a[i]);printf("\n");
printf("%d %d %d %d %lu %d %d\n",A,B,D,(int)sizeof(enum e),(unsigned long)U,A<0u,U>0);printf("%d %d %d\n",CMP(unsigned char,200,100));printf("%d %d %d\n",CMP(int8_t,-100,100));printf("%d %d %u\n",CMP(unsigned,1,-1));printf("%d %d %d\n",CMP(uint16_t,1,65535));printf("%d %d %d\n",CMP(long,1,-1)?1:0,2,3);
for(int k=0;k<8;k++)printf("%d ",shifts(k));char d[20]="ab";printf("%s\n",cat(cat(d,"cd"),"")+1);int i=5;int j=(i=3,i*2);printf("%d %d\n",j,i);i=4;i^=i<<1;i|=1<<4;i&=~2;printf("%d %d %d\n",i,!i,!!i);
unsigned char uc=255;uc++;printf("%d ",uc);printf("%d\n",uc--==0);printf("%d\n",uc);short h=-32768;h=-h;printf("%d\n",h);h=32767;h+=1;printf("%d\n",h);long l=1;l<<=sizeof(l)*8-1;printf("%d\n",l<0);printf("%d\n",(unsigned char)-1>>4);printf("%d\n",-1>>31);printf("%u\n",-1u>>31);
float f=3.7f;int q=f;unsigned u=-f+10;char c=f*30;printf("%d %u %d\n",q,u,c);f=1e10f;long lf=f;printf("%ld\n",lf);double dd=9007199254740993LL;printf("%.0f\n",dd);f=(float)0.1+0.2f;printf("%.9g\n",f);printf("%d\n",0.1+0.2==0.3);printf("%d\n",(int)-0.9);printf("%g %g\n",1/2+1/2.,5%3*2/4.f);
unsigned long long big=0x8000000000000401ULL;printf("%.0f %.9g\n",(double)big,(float)big);long long nb=-0x7fffffffffffffffLL;printf("%.0f\n",(double)nb);uint32_t u3=4294967295u;printf("%.9g %.0f\n",(float)u3,(double)u3);printf("%d\n",(int)(char)(unsigned char)(1000)==-24);
struct{int a;struct flex*p;union{char c[4];int i;};}an={.c={1,2},.a=3};printf("%d %d\n",an.i,an.a);int z[2][2]={[1][1]=4,[0]={1}};printf("%d %d\n",z[1][1],z[0][0]);int w=0;for(int i=0,k=10;i<k;i++,k--)w+=i*k;printf("%d\n",w);switch(w&3){int hidden;case 0:hidden=1;w+=hidden;case 1:w+=10;break;default:hidden=5;w-=hidden;}printf("%d\n",w);
return !(ps[0]=='y');}
