// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// Of structured loops, too, the vectors of a row whose sum goes on in the next row are not unrolled.

builtin.module attributes {polyopt.fastmath = #arith.fastmath<fast>} {
  // CHECK-LABEL: define dso_local double @on(
  // CHECK:         !llvm.loop [[ON:![0-9]+]]
  // CHECK:         !llvm.loop [[AROUND:![0-9]+]]
  func.func @on(%a: memref<100x320xf64>) -> f64 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows = arith.constant 100 : index
    %columns = arith.constant 320 : index
    %none = arith.constant 0.0 : f64
    %all = scf.for %i = %zero to %rows step %one iter_args(%s = %none) -> (f64) {
      %row = scf.for %j = %zero to %columns step %one iter_args(%t = %s) -> (f64) {
        %x = memref.load %a[%i, %j] : memref<100x320xf64>
        %u = arith.addf %t, %x : f64
        scf.yield %u : f64
      }
      scf.yield %row : f64
    }
    func.return %all : f64
  }
  // CHECK-LABEL: define dso_local double @anew(
  // CHECK:         !llvm.loop [[ANEW:![0-9]+]]
  // CHECK:         !llvm.loop
  func.func @anew(%a: memref<100x320xf64>) -> f64 {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %rows = arith.constant 100 : index
    %columns = arith.constant 320 : index
    %none = arith.constant 0.0 : f64
    %all = scf.for %i = %zero to %rows step %one iter_args(%s = %none) -> (f64) {
      %row = scf.for %j = %zero to %columns step %one iter_args(%t = %none) -> (f64) {
        %x = memref.load %a[%i, %j] : memref<100x320xf64>
        %u = arith.addf %t, %x : f64
        scf.yield %u : f64
      }
      scf.yield %row : f64
    }
    func.return %all : f64
  }
}

// CHECK:      [[ENDS:![0-9]+]] = !{!"llvm.loop.mustprogress"}
// CHECK-NEXT: [[AROUND]] = distinct !{[[AROUND]], [[ENDS]]}
// CHECK-NEXT: [[ROLLED:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
// CHECK-NEXT: [[VECTORS:![0-9]+]] = !{!"llvm.loop.vectorize.followup_vectorized", [[ROLLED]]}
// CHECK:      [[ON]] = distinct !{[[ON]], [[ENDS]], [[VECTORS]]}
// CHECK:      [[ANEW]] = distinct !{[[ANEW]], [[ENDS]]}
