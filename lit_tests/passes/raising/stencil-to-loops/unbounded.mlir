// RUN: polyopt-opt %s -p stencil-to-loops --verify-diagnostics | filecheck %s

// A field of unknown bounds is no field to load from: xDSL's own verifier refuses it before any pass.

// CHECK: should be of base attribute stencil.bounds
func.func @unbounded(%u : !stencil.field<?xf64>) {
  %t = stencil.load %u : !stencil.field<?xf64> -> !stencil.temp<?xf64>
  func.return
}
