// isl text that isl refuses is a parse error at its place.
// RUN: polyopt-opt %s --split-input-file --parsing-diagnostics | filecheck %s

"test.op"() {a = #poly.set<"{ S[i] : 0 <= }">} : () -> ()

// CHECK:      malformed.mlir:4:28
// CHECK-NEXT: "test.op"() {a = #poly.set<"{ S[i] : 0 <= }">}
// CHECK-NEXT:                            ^^^^^^^^^^^^^^^^^
// CHECK-NEXT: invalid isl text: syntax error

// -----

"test.op"() {a = #poly.map<"{ S[i] }">} : () -> ()

// CHECK:                           ^^^^^^^^^^
// CHECK-NEXT: invalid isl text:

// -----

"test.op"() {a = #poly.schedule<"{ domain: }">} : () -> ()

// CHECK:                       ^^^^^^^^^^^^^
// CHECK-NEXT: invalid isl text:

// -----

"test.op"() {a = #poly.set<{ S[i] }>} : () -> ()

// CHECK: expected isl text in quotes
