// Teams, loops whose iterations wait for each other, and ways out of a region are printed and read again.
// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s

func.func private @work(%m: memref<4xf64>) {
  func.return
}

// CHECK-LABEL: func.func @regions
// CHECK:         "ompx.teams"(%count, %limit)
// CHECK:           "omp.parallel"
// CHECK:             "ompx.doacross"(%rounds) ({
// CHECK:               ^bb0(%i: i32):
// CHECK-NEXT:            ompx.body {
// CHECK-NEXT:              ompx.await %rounds
// CHECK-NEXT:              ompx.post %rounds
// CHECK-NEXT:              "omp.terminator"() : () -> ()
// CHECK-NEXT:            }
// CHECK:             %stop = "ompx.cancel"() <{construct = "parallel"}> : () -> i1
// CHECK:             ompx.leave
// CHECK:         "ompx.league"(%m, %n, %n) <{callee = @work}>
func.func @regions(%count: i64, %limit: i64, %rounds: i64, %n: i32, %m: memref<4xf64>) {
  "ompx.teams"(%count, %limit) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    "omp.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0>}> ({
      "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
        "ompx.doacross"(%rounds) ({
          "omp.loop_nest"(%n, %n, %n) ({
          ^bb0(%i: i32):
            ompx.body {
              ompx.await %rounds
              ompx.post %rounds
              "omp.terminator"() : () -> ()
            }
            omp.yield
          }) {ompx.directions = ["up"]} : (i32, i32, i32) -> ()
        }) : (i64) -> ()
      }) : () -> ()
      %stop = "ompx.cancel"() <{construct = "parallel"}> : () -> i1
      cf.cond_br %stop, ^bb1, ^bb2
    ^bb1:
      ompx.leave
    ^bb2:
      "omp.terminator"() : () -> ()
    }) : () -> ()
    "omp.terminator"() : () -> ()
  }) : (i64, i64) -> ()
  "ompx.league"(%m, %n, %n) <{callee = @work}> : (memref<4xf64>, i32, i32) -> ()
  func.return
}
