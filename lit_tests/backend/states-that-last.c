// A branch that asks for a state which lasts (a trigger with two limits) stays a branch: LLVM is
// told so by weights, which are gone in what it makes. Other variables of few values say nothing.
// RUN: polyopt-cc --cache=off -O3 --emit=llvm %s | filecheck %s
// RUN: polyopt-cc --cache=off -O3 --emit=optimised-llvm %s | filecheck %s --check-prefix=MADE

// CHECK-LABEL: define dso_local i32 @trigger
// CHECK:         br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+$}}
// CHECK:         br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[EVEN:!\d+]]
// CHECK-NOT:     !prof
// MADE-LABEL:  define dso_local i32 @trigger
// MADE-NOT:      !prof
// MADE:          br i1 %s.{{.*}}, label {{.*}}, label
// MADE-NOT:      !prof
// MADE:        ret i32
int trigger(const short *x, unsigned char *y, int n, int low, int high)
{
    int s = 0, count = 0;
    for (int i = 0; i < n; i++) {
        if (s) {
            if (x[i] < low)
                s = 0;
        } else if (x[i] > high) {
            s = 1;
            count++;
        }
        y[i] = s;
    }
    return count;
}

// Both of two branches, and a state that goes through values:
// CHECK-LABEL: define dso_local void @crossings
// CHECK:         icmp sgt i32 %sign, 0
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[EVEN]]
// CHECK:         icmp slt i32 %sign, 0
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[EVEN]]
void crossings(const short *x, int n, int limit, int *out)
{
    int sign = 0, longest = 0, length = 0;
    for (int i = 0; i < n; i++) {
        if (sign > 0) {
            if (x[i] < -limit) {
                sign = -1;
                length = 0;
            } else
                length++;
        } else if (sign < 0) {
            if (x[i] > limit) {
                sign = 1;
                length = 0;
            } else
                length++;
        } else {
            if (x[i] > limit)
                sign = 1;
            else if (x[i] < -limit)
                sign = -1;
        }
        if (length > longest)
            longest = length;
    }
    *out = longest;
}

// Characters end words whatever the state is:
// CHECK-LABEL: define dso_local i32 @words
// CHECK-NOT:     !prof
int words(const char *text, int n)
{
    int count = 0, inside = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] == ' ' || text[i] == '\n')
            inside = 0;
        else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}

// What changes each time does not last:
// CHECK-LABEL: define dso_local void @turns
// CHECK-NOT:     !prof
void turns(const int *x, int *y, int n)
{
    int odd = 0;
    for (int i = 0; i < n; i++) {
        if (odd) {
            y[i] = x[i] >> 1;
            odd = 0;
        } else {
            y[i] = x[i];
            odd = 1;
        }
    }
}

// Nor does a state outside of a loop:
// CHECK-LABEL: define dso_local i32 @once
// CHECK-NOT:     !prof
int once(int s, int x)
{
    if (s) {
        if (x < 3)
            s = 0;
    } else if (x > 9)
        s = 1;
    return s;
}
