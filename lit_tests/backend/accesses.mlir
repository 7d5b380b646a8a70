// What an access may state: an alignment better than the element's, that caches need not keep
// what is written; volatile ones stay. A vector is as aligned as its element, if nothing is said.
// Where the first element may be masked it need not be there: its address may lie outside.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func @accesses(%p : !llvm.ptr, %i : index, %v : vector<4xf64>, %m : vector<4xi1>) {
  %A = cmem.view %p [] : memref<?xf64>
  %x = memref.load %A[%i] {alignment = 32 : i64} : memref<?xf64>
  cmem.volatile_store %x, %A[%i] : memref<?xf64>
  vector.store %v, %A[%i] : memref<?xf64>, vector<4xf64>
  vector.store %v, %A[%i] {alignment = 32 : i64, nontemporal = true} : memref<?xf64>, vector<4xf64>
  vector.maskedstore %A[%i], %m, %v : memref<?xf64>, vector<4xi1>, vector<4xf64>
  %w = vector.maskedload %A[%i], %m, %v : memref<?xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  pvec.prefetch %A[%i] for_write : memref<?xf64>
  func.return
}

// Each access has an address of its own: LLVM shares them.
// CHECK:      [[A:%\d+]] = getelementptr inbounds double, ptr %p, i64 %i
// CHECK-NEXT: %x = load double, ptr [[A]], align 32
// CHECK-NEXT: [[B:%\d+]] = getelementptr inbounds double, ptr %p, i64 %i
// CHECK-NEXT: store volatile double %x, ptr [[B]], align 8
// CHECK-NEXT: [[C:%\d+]] = getelementptr inbounds double, ptr %p, i64 %i
// CHECK-NEXT: store <4 x double> %v, ptr [[C]], align 8
// CHECK-NEXT: [[D:%\d+]] = getelementptr inbounds double, ptr %p, i64 %i
// CHECK-NEXT: store <4 x double> %v, ptr [[D]], align 32, !nontemporal [[ONE:!\d+]]
// CHECK-NEXT: [[E:%\d+]] = getelementptr double, ptr %p, i64 %i
// CHECK-NEXT: call void @llvm.masked.store.v4f64.p0(<4 x double> %v, ptr align 8 [[E]], <4 x i1> %m)
// CHECK-NEXT: [[F:%\d+]] = getelementptr double, ptr %p, i64 %i
// CHECK-NEXT: %w = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 [[F]], <4 x i1> %m, <4 x double> %v)
// CHECK-NEXT: [[G:%\d+]] = getelementptr double, ptr %p, i64 %i
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[G]], i32 1, i32 3, i32 1)
// CHECK:      [[ONE]] = !{i32 1}
