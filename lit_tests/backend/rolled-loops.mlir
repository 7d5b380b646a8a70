// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// LLVM is asked not to unroll loops that call functions of the C library often, nor those that carry
// vectors through a loop that stays one.

builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  // 4 x 8 calls in a row, but 8 in each of the loops inside.
  // CHECK-LABEL: define dso_local void @gates(
  // CHECK:         !llvm.loop [[INNER:![0-9]+]]
  // CHECK:         !llvm.loop [[OUTER:![0-9]+]]
  func.func @gates(%a: memref<4x8xf64>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows = arith.constant 4 : index
    %columns = arith.constant 8 : index
    scf.for %i = %zero to %rows step %one {
      scf.for %j = %zero to %columns step %one {
        %x = memref.load %a[%i, %j] : memref<4x8xf64>
        %y = math.exp %x : f64
        memref.store %y, %a[%i, %j] : memref<4x8xf64>
      }
    }
    func.return
  }
  // The same with what takes no longer than the loop does.
  // CHECK-LABEL: define dso_local void @roots(
  // CHECK:         !llvm.loop
  // CHECK:         !llvm.loop [[ROOTS:![0-9]+]]
  func.func @roots(%a: memref<4x8xf64>) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows = arith.constant 4 : index
    %columns = arith.constant 8 : index
    scf.for %i = %zero to %rows step %one {
      scf.for %j = %zero to %columns step %one {
        %x = memref.load %a[%i, %j] : memref<4x8xf64>
        %y = math.sqrt %x : f64
        memref.store %y, %a[%i, %j] : memref<4x8xf64>
      }
    }
    func.return
  }
  // CHECK-LABEL: define dso_local <4 x double> @window(
  // CHECK:         !llvm.loop [[CHANNELS:![0-9]+]]
  // CHECK:         !llvm.loop [[WINDOW:![0-9]+]]
  func.func @window(%a: memref<3x?xvector<4xf64>>, %n: index) -> vector<4xf64> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %none = arith.constant dense<0.0> : vector<4xf64>
    %all = scf.for %u = %zero to %three step %one iter_args(%s = %none) -> (vector<4xf64>) {
      %row = scf.for %k = %zero to %n step %one iter_args(%t = %s) -> (vector<4xf64>) {
        %x = memref.load %a[%u, %k] : memref<3x?xvector<4xf64>>
        %y = arith.addf %t, %x : vector<4xf64>
        scf.yield %y : vector<4xf64>
      }
      scf.yield %row : vector<4xf64>
    }
    func.return %all : vector<4xf64>
  }
  // Where the loop inside is unrolled, so is the one around it.
  // CHECK-LABEL: define dso_local <4 x double> @known(
  // CHECK:         !llvm.loop
  // CHECK:         !llvm.loop [[KNOWN:![0-9]+]]
  func.func @known(%a: memref<3x5xvector<4xf64>>) -> vector<4xf64> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %five = arith.constant 5 : index
    %none = arith.constant dense<0.0> : vector<4xf64>
    %all = scf.for %u = %zero to %three step %one iter_args(%s = %none) -> (vector<4xf64>) {
      %row = scf.for %k = %zero to %five step %one iter_args(%t = %s) -> (vector<4xf64>) {
        %x = memref.load %a[%u, %k] : memref<3x5xvector<4xf64>>
        %y = arith.addf %t, %x : vector<4xf64>
        scf.yield %y : vector<4xf64>
      }
      scf.yield %row : vector<4xf64>
    }
    func.return %all : vector<4xf64>
  }
}

// CHECK:      [[ENDS:![0-9]+]] = !{!"llvm.loop.mustprogress"}
// CHECK-NEXT: [[ROLLED:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-NEXT: [[OUTER]] = distinct !{[[OUTER]], [[ENDS]], [[ROLLED]]}
// CHECK-NEXT: [[INNER]] = distinct !{[[INNER]], [[ENDS]]}
// CHECK-NEXT: [[ROOTS]] = distinct !{[[ROOTS]], [[ENDS]]}
// CHECK:      [[WINDOW]] = distinct !{[[WINDOW]], [[ENDS]], [[ROLLED]]}
// CHECK:      [[CHANNELS]] = distinct !{[[CHANNELS]], [[ENDS]], !{{[0-9]+}}}
// CHECK:      [[KNOWN]] = distinct !{[[KNOWN]], [[ENDS]]}
