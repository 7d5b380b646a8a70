// RUN: not polyopt-cc -Wall -c %s -o %t.o 2>&1 | filecheck %s
// RUN: not polyopt-cc -Wall -Werror=format -fdiagnostics-format=json -c %s -o %t.o 2>&1 | filecheck %s --check-prefix JSON

// A file with errors is told its warnings, too, in the order of its lines; not those that may be
// there only because a part of a function was not understood (`left` is used by what is wrong, and
// `sum` may get its value there).

#include <stdio.h>

int total(int n, const int *x)
{
    int sum, left = n;
    printf("%s\n", n);
    sum = left + beginning;
    if ((n = 3))
        sum == 2;
}

// CHECK: errors-and-warnings.c:13:20: warning: '%s' asks for an argument of type 'char *'
// CHECK-NOT: {{'left'|'sum'|return-type}}
// CHECK: errors-and-warnings.c:14:18: error: use of undeclared name 'beginning'
// CHECK-NOT: {{'left'|'sum'|return-type}}
// CHECK: errors-and-warnings.c:16:{{.*}}: warning: {{.*}} [-Wunused-value]
// CHECK-NOT: {{'left'|'sum'|return-type}}
// JSON: "kind": "error", "message": "'%s' asks
// JSON: "kind": "error", "message": "use of undeclared
// JSON: "kind": "warning", "message":
