// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

// What a team runs is a function that takes who runs it, of how many, and the arguments.

func.func @unknown(%n: index) {
  team.fork @nobody() threads(%n)
  func.return
}
// CHECK: there is no function @nobody

// -----

func.func private @f(%member: index, %size: index, %x: f64) {
  func.return
}
func.func @too_few(%n: index) {
  team.fork @f() threads(%n)
  func.return
}
// CHECK: expected @f to take (index, index) and to return nothing

// -----

// Counters are 64 bits wide, and what is counted up is one of them.

func.func @narrow(%c: memref<i32>, %n: index) {
  team.post %c[], %n : memref<i32>
  func.return
}
// CHECK: expected counters of type i64

// -----

func.func @which(%c: memref<4xi64>, %n: index) {
  team.wait %c[], %n : memref<4xi64>
  func.return
}
// CHECK: expected one index for each dimension
