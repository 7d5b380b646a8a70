// What separates runs is seldom there: LLVM is told that the branch that sets a length back is hardly ever
// taken, or would make selections, of which each waits for the one of the element before. Not of bits,
// nor where the other elements are not counted.
// RUN: polyopt-cc -O3 --emit=llvm %s | filecheck %s

// CHECK-LABEL: define dso_local i32 @longest_line
// CHECK:         icmp eq i32 {{%\w+}}, 10
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[SELDOM:!\d+]]
int longest_line(const char *s, int n)
{
    int length = 0, most = 0;
    for (int i = 0; i < n; i++) {
        if (s[i] == '\n') {
            if (length > most)
                most = length;
            length = 0;
        } else
            length++;
    }
    return length > most ? length : most;
}

// The other way round, the length is set back on one of several ways to the join:
// CHECK-LABEL: define dso_local i32 @words
// CHECK:         icmp ne i32 {{%\w+}}, 32
// CHECK-NEXT:    br i1 {{%\w+}}, label {{%\w+}}, label {{%\w+}}, !prof [[OFTEN:!\d+]]
int words(const unsigned short *s, int n)
{
    int length = 0, count = 0;
    for (int i = 0; i < n; i++)
        if (s[i] != ' ')
            length += 1;
        else if (length) {
            count++;
            length = 0;
        }
    return count + length;
}

// CHECK-LABEL: define dso_local i32 @ones
// CHECK-NOT:     !prof
int ones(const char *bit, int n)
{
    int length = 0, most = 0;
    for (int i = 0; i < n; i++) {
        if (bit[i] == 0)
            length = 0;
        else
            length++;
        most = length > most ? length : most;
    }
    return most;
}

// CHECK-LABEL: define dso_local i32 @last
// CHECK-NOT:     !prof
int last(const char *s, int n, int start)
{
    int at = start;
    for (int i = 0; i < n; i++)
        if (s[i] == '\n')
            at = 0;
        else
            at = at * 2 + start;
    return at;
}

// CHECK: [[SELDOM]] = !{!"branch_weights", i32 1, i32 2000}
// CHECK: [[OFTEN]] = !{!"branch_weights", i32 2000, i32 1}
