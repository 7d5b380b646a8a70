// RUN: polyopt-cc -O3 --emit=prepared -o - %s | polyopt-opt -p 'detect-scops{on-trial=true},time-nests{unit="k.c"}' | filecheck %s
// RUN: polyopt-cc -O3 --emit=prepared -o - %s | polyopt-opt -p 'detect-scops,time-nests' | filecheck %s --check-prefix=ALONE
// RUN: polyopt-cc -O3 --emit=prepared -DNONE -o - %s | polyopt-opt -p 'detect-scops,time-nests' | filecheck %s --check-prefix=NONE

// The clock is read in front of the choice between the loops and what they were made from, and where
// both have ended; where there is no choice, before and behind the loops; without SCoPs not at all.

#ifdef NONE
void f(int n, volatile double *x)
#else
void f(int n, double *restrict x)
#endif
{
    for (int i = 0; i < n; i++)
        x[i] = 2 * x[i];
}

// CHECK:      func.func @f
// CHECK-SAME:   poly.timed
// CHECK:        %[[N:.+]] = arith.index_cast %{{.+}} : index to i64
// CHECK-NEXT:   func.call @__polyopt_time_parameter(%[[N]])
// CHECK-NEXT:   %[[SITE:.+]] = cmem.address_of @[[NAME:__polyopt_time_site.0]]
// CHECK-NEXT:   func.call @__polyopt_time_begin(%[[SITE]])
// CHECK-NEXT:   cf.cond_br
// CHECK:        poly.scop "f"
// CHECK:        cf.br ^[[AFTER:bb[0-9]+]]
// CHECK:      ^[[AFTER]]:
// CHECK-NEXT:   cmem.address_of @[[NAME]]
// CHECK-NEXT:   func.call @__polyopt_time_end

// ALONE:      func.call @__polyopt_time_begin
// ALONE:      poly.scop "f"
// ALONE:      func.call @__polyopt_time_end

// NONE-NOT:   __polyopt_time
