// On a CPU that gathers no faster than element by element, a vector without a mask is put together of
// elements that are loaded one by one, whatever its width; LLVM is told of the CPU then. Others gather
// what fills the widest vectors.
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="znver5"}' | filecheck %s
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="x86-64-v4"}' | filecheck %s --check-prefix=GATHER

// CHECK-LABEL: @looked_up(
// CHECK: [[FIRST:%[a-z0-9.]+]] = extractelement <8 x i32> %at, i64 0
// CHECK: load double, ptr {{.*}}
// CHECK-NEXT: [[ONE:%[a-z0-9.]+]] = insertelement <8 x double> poison, double {{%.*}}, i64 0
// CHECK: insertelement <8 x double> {{%.*}}, double {{%.*}}, i64 7
// CHECK-NOT: masked.gather
// CHECK: prefer-no-gather

// GATHER-LABEL: @looked_up(
// GATHER-NOT: load double
// GATHER: call <8 x double> @llvm.masked.gather
// GATHER-NOT: prefer-no-gather
func.func @looked_up(%A : memref<?xf64>, %at : vector<8xi32>, %B : memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %v = pvec.gather %A[%at] : memref<?xf64>, vector<8xi32> -> vector<8xf64>
  vector.store %v, %B[%c0] : memref<8xf64>, vector<8xf64>
  func.return
}
