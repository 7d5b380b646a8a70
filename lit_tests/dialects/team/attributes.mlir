// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

// What a runtime calls has the machine's attributes, whatever group of attributes was needed first.

// CHECK:      define internal void @polyopt.wait({{.*}}) #[[OF_MACHINE:[0-9]+]]
// CHECK:      define internal void @body.member(ptr {{.*}}) #[[OF_MACHINE]]
// CHECK:      attributes #[[OF_MACHINE]] = { {{.*}}"target-cpu"
func.func @first(%x: f64) -> i64 {
  %i = arith.fptosi %x : f64 to i64
  func.return %i : i64
}
func.func private @body(%member: index, %size: index, %c: memref<?x8xi64>) {
  %zero = arith.constant 0 : index
  %value = arith.constant 1 : index
  team.wait %c[%zero, %zero], %value : memref<?x8xi64>
  func.return
}
func.func @f(%c: memref<?x8xi64>, %n: index) {
  team.fork @body(%c) threads(%n) : memref<?x8xi64>
  func.return
}
