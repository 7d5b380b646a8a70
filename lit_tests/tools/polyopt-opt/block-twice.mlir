// RUN: not polyopt-opt %s 2>&1 | filecheck %s

// What xDSL's parser has no message for is still the file's mistake, not a defect of the tool.

// CHECK: error: {{.*}}block-twice.mlir: xDSL cannot read this: KeyError: 'again'
// CHECK-NEXT: hint: malformed IR
func.func @twice(%n : i32) {
  cf.br ^again(%n : i32)
^again(%a : i32):
  cf.br ^again(%a : i32)
^again(%b : i32):
  func.return
}
