/* Names of parameters hide types from their declarators on, for the parameters behind them too, and
   for no longer than the declarator where there is no body (C 6.2.1). */
#include <stdio.h>
typedef struct { char c[12]; } T;
typedef double U;
typedef int V;
int f(char T, char (*to)[sizeof(T)]) { return sizeof(*to) + T * 0; }
int f2(T a, char (*to)[sizeof(T)]) { return sizeof(*to); }
int g(U U, int n[(int)sizeof(U)], V V) { return V * 2 + (U > 0); }
int h(int (*call)(int T, char (*)[sizeof T]), T t, U u) { return sizeof(t) + sizeof(u); }
int (*k(int V, char (*to)[V]))(T) { (void)to; (void)V; return 0; }
int proto(T T);
int proto(T other) { T x = other; return sizeof x; }
int main(void) {
    T t;
    char c[12];
    int n[9];
    printf("%d %d %d\n", f(1, (void *)c), f2(t, &c), g(1.0, n, 21));
    printf("%d %d %d\n", h(0, t, 1), k(3, (void *)c) == 0, proto(t));
    return 0;
}
