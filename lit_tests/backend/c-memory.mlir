// double at(double (*restrict a)[m], double b[][20], ...): how C's arrays are addressed.
// A row of constant size is an array type; a row of run-time size is a product of its own, so
// that it can leave the loop. Loads and stores state the element's alignment.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

func.func @at(%m : index, %a : !llvm.ptr {llvm.noalias}, %b : !llvm.ptr, %i : index, %j : index) -> f64 {
  %A = cmem.view %a [%m] : memref<?x?xf64>
  %B = cmem.view %b [] : memref<?x20xf64>
  %x = memref.load %A[%i, %j] : memref<?x?xf64>
  memref.store %x, %B[%i, %j] : memref<?x20xf64>
  func.return %x : f64
}

// CHECK-LABEL: define dso_local double @at(i64 %m, ptr noalias %a, ptr %b, i64 %i, i64 %j) #0 {
// CHECK-NEXT:  entry:
// CHECK-NEXT:    [[OFFSET:%\d+]] = mul nsw i64 %i, %m
// CHECK-NEXT:    [[ROW:%\d+]] = getelementptr inbounds double, ptr %a, i64 [[OFFSET]]
// CHECK-NEXT:    [[PLACE:%\d+]] = getelementptr inbounds double, ptr [[ROW]], i64 %j
// CHECK-NEXT:    %x = load double, ptr [[PLACE]], align 8
// CHECK-NEXT:    [[TARGET:%\d+]] = getelementptr inbounds [20 x double], ptr %b, i64 %i, i64 %j
// CHECK-NEXT:    store double %x, ptr [[TARGET]], align 8
// CHECK-NEXT:    ret double %x
// CHECK-NEXT:  }
