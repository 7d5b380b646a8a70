// Vectors of 64 bits are divided by a constant through floating-point numbers, where the CPU converts
// such integers: by a small one with a product of 32 bits behind it. Powers of two, and what is no
// constant, are LLVM's.
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="x86-64-v4"}' | filecheck %s
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="x86-64-v3"}' | filecheck %s --check-prefix NARROW

func.func @rest(%a : vector<8xi64>) -> vector<8xi64> {
  %m = arith.constant dense<1000000007> : vector<8xi64>
  %r = arith.remsi %a, %m : vector<8xi64>
  func.return %r : vector<8xi64>
}

// CHECK-LABEL: @rest(
// CHECK:         call <8 x i64> @llvm.abs.v8i64(
// CHECK:         uitofp <8 x i64>
// CHECK-NOT:     srem
// CHECK-COUNT-2: call <8 x i64> @llvm.umin.v8i64(
// NARROW-LABEL: @rest(
// NARROW:         srem <8 x i64>

func.func @tens(%a : vector<8xi64>) -> vector<8xi64> {
  %ten = arith.constant 10 : i64
  %m = vector.broadcast %ten : i64 to vector<8xi64>
  %r = arith.divui %a, %m : vector<8xi64>
  func.return %r : vector<8xi64>
}

// CHECK-LABEL: @tens(
// CHECK:         uitofp <8 x i64>
// CHECK:         lshr <8 x i64> {{.*}}, splat (i64 32)
// CHECK-NOT:     umin

func.func @left_alone(%a : vector<8xi64>, %b : vector<8xi64>, %c : i64) -> (vector<8xi64>, i64) {
  %m = arith.constant dense<1024> : vector<8xi64>
  %k = arith.constant 1000000007 : i64
  %r = arith.divsi %a, %m : vector<8xi64>
  %s = arith.remui %r, %b : vector<8xi64>
  %t = arith.remsi %c, %k : i64
  func.return %s, %t : vector<8xi64>, i64
}

// CHECK-LABEL: @left_alone(
// CHECK:         sdiv <8 x i64>
// CHECK:         urem <8 x i64>
// CHECK:         srem i64
