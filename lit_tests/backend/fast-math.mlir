// What the module permits, each operation may do; an operation's own flags come on top of it.
// But in_order: that operation is not to be reassociated; and unfused: it is not to be
// computed with an addition. libm is called as a known function only where results may be approximate.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

builtin.module attributes {polyopt.fastmath = #arith.fastmath<contract>} {
  func.func @f(%a : f64, %b : f64) -> f64 {
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %b fastmath<reassoc,nsz> : f64
    %o = arith.addf %s, %b fastmath<reassoc,nsz> {poly.rounding = #poly.rounding<in_order>} : f64
    %u = arith.mulf %o, %b fastmath<nsz> {poly.rounding = #poly.rounding<unfused>} : f64
    %c = arith.cmpf olt, %u, %b : f64
    %m = arith.select %c, %s, %b : f64
    %e = math.exp %m : f64
    %l = math.log %e fastmath<fast> : f64
    %v = vector.broadcast %l : f64 to vector<4xf64>
    %w = math.log %v fastmath<fast> : vector<4xf64>
    %x = vector.extract %w[0] : f64 from vector<4xf64>
    func.return %x : f64
  }
}

// CHECK:      %p = fmul contract double %a, %b
// CHECK-NEXT: %s = fadd contract nsz reassoc double %p, %b
// CHECK-NEXT: %o = fadd contract nsz double %s, %b
// CHECK-NEXT: %u = fmul nsz double %o, %b
// CHECK-NEXT: %c = fcmp contract olt double %u, %b
// CHECK-NEXT: %m = select contract i1 %c, double %s, double %b
// CHECK-NEXT: %e = call contract double @exp(double %m) [[EXACT:#\d+]]
// CHECK-NEXT: %l = call {{fast|afn arcp contract nnan nsz reassoc}} double @log(double %e) [[LOOSE:#\d+]]
// CHECK:      attributes [[EXACT]] = { nounwind willreturn memory(none) nobuiltin }
// CHECK-NEXT: attributes [[LOOSE]] = { nounwind willreturn memory(none){{( "vector-function-abi-variant"=".*")?}} }
