/* Designators, switches into loops, gotos, static locals, narrowing assignments, typing of operators. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <limits.h>
struct S{char a;short b;int c[3];struct{double d;float e[2];}in;const char*s;};
static struct S gs[]={[2]={.c={[1]=5,6},.in.e[1]=2.5f,.s="z"},[0].a='x',[1]={1,2,{3,4,5},{6,{7,8}},"q"}};
static int arr[][3]={{1},{[2]=4},[3]={7,8,9},{1,2}};
static int order[]={5,[1]=2,[0]=9,[4]=1,2};
static char str1[]="ab" "cd\0ef", str2[3]="xyz", str3[8]="hi";
static int sw(int x){int r=0;switch(x){case 1:r+=1;case 2:r+=2;break;default:r+=100;case 5:{int y=7;r+=y;}break;case -1:while(r<10){case 7:r+=3;if(r>8)break;}}return r;}
static int duff(char*t,const char*f,int n){int k=(n+7)/8;char*o=t;switch(n%8){case 0:do{*t++=*f++;case 7:*t++=*f++;case 6:*t++=*f++;case 5:*t++=*f++;case 4:*t++=*f++;case 3:*t++=*f++;case 2:*t++=*f++;case 1:*t++=*f++;}while(--k>0);}return t-o;}
static int gt(int n){int i=0,s=0;top:if(i>=n)goto out;{int v=i*i;if(v%3==0)goto next;s+=v;}next:i++;goto top;out:return s;}
static int cnt(void){static int c=5;static int*p=&c;int r=(*p)++;return r+c;}
static unsigned char uc=250;static signed char sc=-128;static short sh=32767;static unsigned short us=65535;
static long fib(int n){return n<2?n:fib(n-1)+fib(n-2);}
typedef int(*op)(int,int);static int add(int a,int b){return a+b;}static int sub(int a,int b){return a-b;}static op pick(int k){static op t[]={add,sub,[3]=add};return t[k];}
static op(*pp(int k))(int){return k?pick:0;}
int main(void){
 for(int i=0;i<3;i++)printf("%d %d %d %d %d %g %g %g %s\n",gs[i].a,gs[i].b,gs[i].c[0],gs[i].c[1],gs[i].c[2],gs[i].in.d,gs[i].in.e[0],gs[i].in.e[1],gs[i].s?gs[i].s:"-");
 for(int i=0;i<(int)(sizeof arr/sizeof*arr);i++)printf("%d,%d,%d ",arr[i][0],arr[i][1],arr[i][2]);
 for(int i=0;i<(int)(sizeof order/sizeof*order);i++)printf("%d ",order[i]);printf("%zu %zu %c%c%c %s\n",sizeof str1,strlen(str1),str2[0],str2[1],str2[2],str3);
 for(int i=-2;i<9;i++)printf("%d ",sw(i));char b[40];int n=duff(b,"abcdefghijklmnopqrstuvwxyz",21);b[n]=0;printf("%d %s %d\n",n,b,gt(20));
 {int a=cnt(),b=cnt();printf("%d %d %d\n",a,b,cnt());}
 uc+=10;sc-=1;sh++;us+=2;printf("%d %d %d %d\n",uc,sc,sh,us);uc=250;printf("%d ",uc++);printf("%d\n",++uc);
 int x;x=uc*=2;printf("%d %d\n",x,uc);x=sc/=-1;printf("%d %d\n",x,sc);sh=-1;x=sh>>=1;us=0xffff;us>>=1;printf("%d %d ",x,us);printf("%d\n",us<<=4);
 unsigned u=1;int s=-1;printf("%d %d %d %d\n",u>s,(unsigned char)1>s,1u>(long)s,1ul>s);
 printf("%d %u %ld %lu\n",-7/2,-7/2u,-7%3l,-7%3ul);printf("%d %d %d\n",~0,~0u==UINT_MAX,(unsigned short)~0);
 printf("%d %d %d\n",1<<30,(int)(1u<<31),(char)0x80);printf("%lld %llu\n",LLONG_MIN/2,ULLONG_MAX*3);
 printf("%d %d\n",(short)70000,(signed char)200);unsigned char c1=200,c2=100;printf("%d %d %d\n",c1+c2,(unsigned char)(c1+c2),c1-c2*3);c1-=c2;c1<<=1;c1=~c1;printf("%d\n",c1);
 _Bool q=256;q+=5;printf("%d ",q);q=0.3;printf("%d ",q);q--;printf("%d ",q);q=!q;q^=1;printf("%d %d\n",q,-q);
 printf("%zu %zu %zu %zu %zu\n",sizeof(1?1:2.0),sizeof('a'),sizeof(1?(char)1:(short)2),sizeof((char)1+(char)1),sizeof(+(char)1));
 printf("%d\n",(1,2,3)+((x=4,x+1)));printf("%ld %d\n",fib(15),pp(1)(1)(9,4)+(*pick(0))(1,2)+(**pick)(3)(5,6));
 float f=16777217;double d=0.1f;printf("%.9g %.17g %d %d\n",f,d,0.1f==0.1,(float)0.1==0.1f);f+=1;f+=1.0;printf("%.9g\n",f);int ii=10;ii*=1.55;printf("%d ",ii);ii/=0.3f;printf("%d ",ii);ii-=0.9;printf("%d ",ii);uc=100;uc*=2.9;printf("%d\n",uc);
 long L=5;L<<=40;L^=0x123456789aL;L%=1000007;printf("%ld\n",L);unsigned long long w=1;for(int i=0;i<70;i++)w=w*3+1;printf("%llu %d\n",w,(int)(w%97));
 struct S t=gs[1],*p=&t,t2=(*p);p->c[1]=77;t2.c[2]=(t=gs[0],t.a);printf("%d %d %d\n",t.a,t2.c[1],t2.c[2]);
 int m[2][3]={1,2,3,4};int(*r)[3]=m;printf("%d %d %d %ld\n",r[1][0],*(*(m+1)),(*r)[2],(long)(&m[1][2]-&m[0][1]));
 char*z="hello"+1;printf("%c %c %s\n",z[1],1[z],&z[2]);printf("%d %d\n",'\377',"\xff"[0]);printf("%d %d\n",'ab','\0');
 volatile int v=3;v+=v*v;printf("%d\n",v);int k=0;k=k*0+k+1;printf("%d\n",k>0);do{int k=5;k++;if(k)continue;}while(0);for(int k=9,j=0;j<2;j++,k--)printf("%d",k);printf("\n");
 return (int)(signed char)0x1ff&7;}
