// A parser's cursor that steps over what may stand there is moved by a branch: LLVM is told that it
// hardly ever is, or would make a selection of it, and each load would wait for the comparison before.
// Not the cursors of merges and bisections: nobody predicts which of two numbers is the smaller.
// RUN: polyopt-cc -O3 --emit=llvm %s | filecheck %s

// CHECK-LABEL: define dso_local ptr @number
// CHECK:         icmp eq i32 {{%\w+}}, 45
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[SELDOM:!\d+]]
const char *number(const char *p, int *out)
{
    int negative = 0, v = 0;
    if (*p == '-') {
        negative = 1;
        p++;
    }
    while (*p >= '0' && *p <= '9')
        v = v * 10 + (*p++ - '0');
    *out = negative ? -v : v;
    return p;
}

// Either of two, at a subscript:
// CHECK-LABEL: define dso_local i32 @fields
// CHECK:         icmp eq i32 {{%\w+}}, 44
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[SELDOM]]
// CHECK:         icmp eq i32 {{%\w+}}, 59
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[SELDOM]]
int fields(const char *s, int n)
{
    int i = 0, count = 0;
    while (i < n) {
        while (s[i] >= '0')
            i++;
        if (s[i] == ',' || s[i] == ';')
            i++;
        i++;
        count++;
    }
    return count;
}

// The loop that skips blanks is no step:
// CHECK-LABEL: define dso_local ptr @skipped
// CHECK-NOT:     !prof
const char *skipped(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

// CHECK-LABEL: define dso_local i32 @common
// CHECK-NOT:     !prof
int common(const int *p, const int *q, const int *end)
{
    int n = 0;
    while (p < end && q < end) {
        n += *p == *q;
        if (*p < *q)
            p++;
        else
            q++;
    }
    return n;
}

// What is tested is not at the cursor that moves:
// CHECK-LABEL: define dso_local i32 @blanks
// CHECK-NOT:     !prof
int blanks(const char *p, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (p[i] == ' ')
            count++;
    return count;
}

// CHECK: [[SELDOM]] = !{!"branch_weights", i32 1, i32 2000}
