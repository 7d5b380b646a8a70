// A number kept apart goes through an assembler text without instructions, which LLVM neither looks
// into nor holds other code back for.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s
// RUN: polyopt-opt %s -t polyopt-asm | filecheck %s --check-prefix=ASM

// CHECK-LABEL: define{{.*}} double @twice(
// CHECK:         [[SUM:%.*]] = fadd double %x, %x
// CHECK-NEXT:    [[OWN:%.*]] = call double asm "", "=x,0"(double [[SUM]]) nounwind willreturn memory(none)
// CHECK:         ret double [[OWN]]

// ASM-LABEL: twice:
// ASM:         addsd
// ASM-NOT:     mov
// ASM:         ret
func.func @twice(%x : f64) -> f64 {
  %sum = arith.addf %x, %x : f64
  %own = cmem.apart %sum : f64
  func.return %own : f64
}
