// RUN: polyopt-cc -fopenmp=libgomp --emit=source %s | polyopt-opt -p omp-to-teams | filecheck %s

// A league runs a function once for each team; a loop is shared among them, with no waiting.

// CHECK-LABEL: func.func private @scale.teams.0(
// CHECK:         func.call @omp_get_team_num() : () -> i32
// CHECK:         func.call @omp_get_num_teams() : () -> i32
// CHECK-NOT:     barrier
// CHECK-LABEL: func.func @scale(
// CHECK:         "ompx.league"(%{{.*}}) <{callee = @scale.teams.0}>
void scale(int n, double *a) {
#pragma omp teams distribute num_teams(4) thread_limit(2)
  for (int i = 0; i < n; i++) a[i] *= 2;
}

// The threads of a team share what it has: two shares, one in the other.

// CHECK-LABEL: func.func private @both.teams.0.omp.0(%member: index, %size: index
// CHECK:         func.call @omp_get_team_num() : () -> i32
// CHECK:         arith.divsi
// CHECK:         %{{.*}} = arith.index_cast %member : index to i64
// CHECK:         arith.divsi
// CHECK-LABEL: func.func private @both.teams.0(
// CHECK:         team.fork @both.teams.0.omp.0
void both(int n, double *a) {
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; i++) a[i] *= 2;
}
