// To the next integer in each lane, and with the sign of another: single instructions.
// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64-v3}" | filecheck %s
// RUN: polyopt-cc -O2 -march=x86-64-v3 %s --assume-distinct --emit=asm -o - | filecheck %s --check-prefix ASM

// RUN: polyopt-opt %s -p "affine-vectorize{march=x86-64}" | filecheck %s --check-prefix CALLS

// Without SSE4.1 they are calls, of which lanes spare none.
// CALLS-NOT: vector<

// CHECK-LABEL: func.func @roundings
// CHECK:         math.floor %{{.*}} : vector<4xf64>
// CHECK-NEXT:    math.ceil %{{.*}} : vector<4xf64>
// CHECK-NEXT:    math.trunc %{{.*}} : vector<4xf64>
// CHECK-NEXT:    math.round %{{.*}} : vector<4xf64>
// CHECK-NEXT:    math.copysign %{{.*}} : vector<4xf64>
// ASM-LABEL: roundings:
// ASM:         vroundpd
// ASM:         vroundpd
// ASM:         vroundpd
func.func @roundings(%X: memref<?xf64>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %X[%i] : memref<?xf64>
    %a = math.floor %x : f64
    %b = math.ceil %x : f64
    %c = math.trunc %x : f64
    %d = math.round %x : f64
    %e = math.copysign %d, %x : f64
    %ab = arith.mulf %a, %b : f64
    %cd = arith.mulf %c, %e : f64
    %y = arith.addf %ab, %cd : f64
    affine.store %y, %X[%i] : memref<?xf64>
  } {poly.loop = #poly.loop<parallel, iterator = "i">}
  func.return
}
