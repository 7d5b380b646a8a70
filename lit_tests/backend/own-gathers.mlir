// Where a function of the module gathers under a mask as a model of ours has counted, LLVM is told nothing of the
// CPU's gathers, in no function of the module: it does not inline what knows more than the caller.
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="znver5"}' | filecheck %s

// CHECK: define {{.*}} @looked_up({{.*}}) {{#[0-9]+}} {
// CHECK: define {{.*}} @plain({{.*}}) {{#[0-9]+}} {
// CHECK-NOT: prefer-no-gather
func.func @looked_up(%A : memref<?xf64>, %at : vector<8xi64>, %m : vector<8xi1>, %B : memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %v = pvec.gather %A[%at] masked %m : vector<8xi1> : memref<?xf64>, vector<8xi64> -> vector<8xf64>
  vector.store %v, %B[%c0] : memref<8xf64>, vector<8xf64>
  func.return
}
func.func @plain(%n : index, %B : memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.load %B[%i] : memref<?xf64>
    %twice = arith.addf %b, %b : f64
    memref.store %twice, %B[%i] : memref<?xf64>
  }
  func.return
}
