// RUN: polyopt-cc -O3 -ffast-math -fno-poly --emit=llvm %s | filecheck %s
// RUN: polyopt-cc -O3 -fno-poly --emit=llvm %s | filecheck %s --check-prefix=STRICT

// Vectors of a row whose sum goes on in the next row are not unrolled; others, and sums in order, are as LLVM likes.

double a[100][320], o[100];

// CHECK-LABEL: define dso_local double @whole
// CHECK:         br label {{.*}}, !llvm.loop [[ON:![0-9]+]]
// CHECK:         br label {{.*}}, !llvm.loop [[AROUND:![0-9]+]]
double whole(void) {
  double s = 0;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 320; j++) s = a[i][j] - (1 - s);
  return s;
}

// CHECK-LABEL: define dso_local void @rows
// CHECK:         br label {{.*}}, !llvm.loop [[OWN:![0-9]+]]
void rows(void) {
  for (int i = 0; i < 100; i++) {
    double s = 0;
    for (int j = 0; j < 320; j++) s += a[i][j];
    o[i] = s;
  }
}

// CHECK-LABEL: define dso_local double @one
// CHECK:         br label {{.*}}, !llvm.loop [[SINGLE:![0-9]+]]
double one(void) {
  double s = 0;
  for (int j = 0; j < 320; j++) s += a[0][j];
  return s;
}

// CHECK:      [[ENDS:![0-9]+]] = !{!"llvm.loop.mustprogress"}
// CHECK-NEXT: [[ROLLED:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-NEXT: [[VECTORS:![0-9]+]] = !{!"llvm.loop.vectorize.followup_vectorized", [[ROLLED]]}
// CHECK-NEXT: [[ON]] = distinct !{[[ON]], [[ENDS]], [[VECTORS]]}
// CHECK-NEXT: [[AROUND]] = distinct !{[[AROUND]], [[ENDS]]}
// CHECK-NEXT: [[OWN]] = distinct !{[[OWN]], [[ENDS]]}
// CHECK:      [[SINGLE]] = distinct !{[[SINGLE]], [[ENDS]]}

// STRICT-NOT: followup_vectorized
