// A function with gathers of ours, which a model has counted, keeps them: LLVM is told nothing of the
// CPU there. The one beside it, with a loop, has none; what has no loop could not be inlined into the
// first if it knew more.
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="znver5"}' | filecheck %s

// CHECK: define {{.*}} @looked_up({{.*}}) [[OURS:#[0-9]+]] {
// CHECK: define {{.*}} @plain({{.*}}) [[PLAIN:#[0-9]+]] {
// CHECK: define {{.*}} @straight({{.*}}) [[STRAIGHT:#[0-9]+]] {
// CHECK: attributes [[OURS]] = {{{.*}} "target-cpu"="znver5" "min-legal-vector-width"
// CHECK: attributes [[PLAIN]] = {{{.*}} "target-features"="+prefer-no-gather,+prefer-no-scatter"
// CHECK: attributes [[STRAIGHT]] = {{{.*}} "target-cpu"="znver5" "min-legal-vector-width"
func.func @looked_up(%A : memref<?xf64>, %at : vector<8xi64>, %B : memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %v = pvec.gather %A[%at] : memref<?xf64>, vector<8xi64> -> vector<8xf64>
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
func.func @straight(%a : f64) -> f64 {
  func.return %a : f64
}
