// Sizes are named, all of them and in their order, and none is zero.
// RUN: polyopt-opt %s --split-input-file --parsing-diagnostics | filecheck %s

"test.op"() {a = #contract.blocking<rows = 0, vectors = 1>} : () -> ()

// CHECK: expected a size for 'rows'

// -----

"test.op"() {a = #contract.blocking<rows = 4, lanes = 1>} : () -> ()

// CHECK: Expected 'vectors'
