// RUN: polyopt-opt %s -p omp-outline | filecheck %s

// A region becomes a function of who runs it, how many do, and what it uses; constants and the
// addresses of globals are had again, distinct objects stay distinct. One thread is a plain call.

// CHECK-LABEL: func.func @run
// CHECK:       %[[ALONE:.*]] = arith.cmpi sle, %n,
// CHECK-NEXT:  scf.if %[[ALONE]] {
// CHECK:         func.call @run.team0(%{{.*}}, %{{.*}}, %n, %a, %b, %arrivals)
// CHECK-NEXT:  } else {
// CHECK-NEXT:    team.fork @run.team0(%n, %a, %b, %arrivals) threads(%n)
// CHECK-NEXT:  }
func.func @run(%A: memref<?xf64>, %B: memref<?xf64>, %n: index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "omp.parallel"(%n) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %n, %one) ({
      ^bb0(%part: index):
        %x = memref.load %a[%part] : memref<?xf64>
        memref.store %x, %b[%part] : memref<?xf64>
        omp.yield
      }) : (index, index, index) -> ()
    }) : () -> ()
    "omp.wsloop"(%one) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 1>}> ({
      "omp.loop_nest"(%zero, %n, %one) ({
      ^bb0(%part: index):
        %x = memref.load %b[%part] : memref<?xf64>
        memref.store %x, %a[%part] : memref<?xf64>
        omp.yield
      }) : (index, index, index) -> ()
    }) : (index) -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

// Neighbouring iterations, a meeting, then iterations in turns; the end of the function is no meeting.

// CHECK-LABEL: func.func private @run.team0(%member: index, %size: index,
// CHECK:       cmem.distinct_objects
// CHECK:       %[[SHARE:.*]] = arith.divui
// CHECK:       %[[FIRST:.*]] = arith.muli %member, %[[SHARE]]
// CHECK:       scf.for %{{.*}} = %[[FIRST]] to
// CHECK:       team.wait
// CHECK:       scf.for %{{.*}} = %member to %{{.*}} step %size {
// CHECK-NOT:   team.wait
// CHECK:       func.return

// Members count their arrivals at a place where nobody has come yet when they are forked: of s members, those of the
// first meeting are 0 to s - 1, and it is over when s have come. Who is alone meets nobody: the plain call may stand in
// somebody else's team.

// CHECK-LABEL: func.func @meet(
// CHECK-NEXT:  %arrivals = memref.alloca() {alignment = 64 : i64} : memref<8xi64>
// CHECK-NEXT:  %[[NOBODY:.*]] = arith.constant 0 : i64
// CHECK:       memref.store %[[NOBODY]], %arrivals
// CHECK:       team.fork @meet.team0(%arrivals) threads(%n)

// CHECK-LABEL: func.func private @meet.team0(%member: index, %size: index, %arrivals: memref<8xi64>)
// CHECK:       %[[MANY:.*]] = arith.cmpi sgt, %size, %{{.*}} : index
// CHECK-NEXT:  scf.if %[[MANY]] {
// CHECK:         %[[BEFORE:.*]] = team.take %arrivals[%{{.*}}], %{{.*}} : memref<8xi64>
// CHECK-NEXT:    %[[NUMBER:.*]] = arith.divui %[[BEFORE]], %size
// CHECK:         %[[NEXT:.*]] = arith.addi %[[NUMBER]],
// CHECK-NEXT:    %[[OVER:.*]] = arith.muli %[[NEXT]], %size
// CHECK-NEXT:    team.wait %arrivals[%{{.*}}], %[[OVER]] : memref<8xi64>
// CHECK-NEXT:  }
func.func @meet(%n: index) {
  "omp.parallel"(%n) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    team.barrier
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

// In step, each member runs as many parts as each other; those behind the last one are all of one number. What a
// share is a part of is of no use any more.

// CHECK-LABEL: func.func private @step.team0(%member: index, %size: index, %n: index
// CHECK:       %[[ALL:.*]] = arith.maxsi %n,
// CHECK:       %[[MOST:.*]] = arith.divui
// CHECK:       %[[FROM:.*]] = arith.muli %member, %[[MOST]]
// CHECK-NEXT:  %[[TO:.*]] = arith.addi %[[FROM]], %[[MOST]]
// CHECK:       scf.for %[[K:.*]] = %[[FROM]] to %[[TO]] step
// CHECK-NEXT:    %[[PART:.*]] = arith.minsi %[[K]], %[[ALL]]
// CHECK-NEXT:    "test.op"(%[[PART]])
func.func @step(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "omp.parallel"(%n) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %n, %one) ({
      ^bb0(%part: index):
        %first, %last = team.share %part to %n of %zero to %n
        "test.op"(%first) : (index) -> ()
        omp.yield
      }) : (index, index, index) -> ()
    }) {team.in_step} : () -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}
