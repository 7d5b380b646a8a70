// What an access may state: an alignment better than the element's, that caches need not keep
// what is written; volatile ones stay. A vector is as aligned as its element, if nothing is said.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func @accesses(%p : !llvm.ptr, %i : index, %v : vector<4xf64>, %m : vector<4xi1>) {
  %A = cmem.view %p [] : memref<?xf64>
  %x = memref.load %A[%i] {alignment = 32 : i64} : memref<?xf64>
  cmem.volatile_store %x, %A[%i] : memref<?xf64>
  vector.store %v, %A[%i] : memref<?xf64>, vector<4xf64>
  vector.store %v, %A[%i] {alignment = 32 : i64, nontemporal = true} : memref<?xf64>, vector<4xf64>
  vector.maskedstore %A[%i], %m, %v : memref<?xf64>, vector<4xi1>, vector<4xf64>
  func.return
}

// CHECK:      [[P:%\d+]] = getelementptr inbounds double, ptr %p, i64 %i
// CHECK-NEXT: %x = load double, ptr [[P]], align 32
// CHECK-NEXT: store volatile double %x, ptr [[P]], align 8
// CHECK-NEXT: store <4 x double> %v, ptr [[P]], align 8
// CHECK-NEXT: store <4 x double> %v, ptr [[P]], align 32, !nontemporal [[ONE:!\d+]]
// CHECK-NEXT: call void @llvm.masked.store.v4f64.p0(<4 x double> %v, ptr align 8 [[P]], <4 x i1> %m)
// CHECK:      [[ONE]] = !{i32 1}
