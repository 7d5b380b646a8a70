// RUN: polyopt-cc -O2 --run %s one two | filecheck %s
// RUN: polyopt-cc %s --run one two | filecheck %s
// RUN: polyopt-cc -O3 -ffast-math -c %s -o %t.o
// RUN: polyopt-cc %t.o --run one two | filecheck %s

// A program runs in process, from C or from an object file; what follows belongs to the program.

#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        puts(argv[i]);
    return 0;
}

// CHECK:      one
// CHECK-NEXT: two
