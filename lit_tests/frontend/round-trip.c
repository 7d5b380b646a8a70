// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s
// The module of a program can be printed and read again, in both forms.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; struct node *next; };
static struct node *table[16];

// CHECK: cmem.global "internal" @table size 128 align 8
// CHECK: cmem.global "internal" constant @".str.0" size 7 align 1 bytes [37, 100, 32, 37, 115, 10, 0]

// CHECK-LABEL: func.func @main
int main(int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 1;
        n->key = strlen(argv[i]);
        n->next = table[n->key & 15];
        table[n->key & 15] = n;
        printf("%d %s\n", n->key, argv[i]);
    }
    switch (argc) {
    case 0: return 5;
    case 3: exit(2);
    }
    return 0;
}
