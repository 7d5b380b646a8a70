// Every operation, printed and parsed in both forms.
// RUN: ROUNDTRIP

func.func @ops(%p : vector<8xi16>, %z : vector<16xi8>, %T : memref<100xi8>, %y : vector<64xi8>, %A : memref<?x?xf64>, %i : index, %n : index, %a : vector<4xf64>, %k : vector<4xi32>) {
  %m = pvec.range_mask %i to %n : vector<4xi1>
  %s = pvec.select %m, %a, %a : vector<4xi1>, vector<4xf64>
  %c = pvec.cmpi "slt", %k, %k : vector<4xi32> -> vector<4xi1>
  %f = pvec.cmpf "olt", %a, %s : vector<4xf64> -> vector<4xi1>
  %x = pvec.convert "sitofp", %k : vector<4xi32> -> vector<4xf64>
  %q = pvec.quotient %k, %k through f64 : vector<4xi32>
  %r = pvec.quotient %q, %k unsigned through f32 : vector<4xi32>
  %v = pvec.strided_load %A[%i, %n] by [1, -2] : memref<?x?xf64>, vector<4xf64>
  %w = pvec.strided_load %A[%i, %n] by [1, 0] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xf64>
  pvec.strided_store %v, %A[%i, %n] by [1, -2] : memref<?x?xf64>, vector<4xf64>
  pvec.strided_store %w, %A[%i, %n] by [1, 0] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xf64>
  pvec.prefetch %A[%i, %n] : memref<?x?xf64>
  pvec.prefetch %A[%i, %n] for_write : memref<?x?xf64>
  %g = pvec.gather %A[%k, %k] : memref<?x?xf64>, vector<4xi32>, vector<4xi32> -> vector<4xf64>
  %h = pvec.gather %A[%k, %k] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xi32>, vector<4xi32> -> vector<4xf64>
  %b = pvec.misalignment %A[%i, %n] of 4 : memref<?x?xf64>
  pvec.stream_fence
  %l = pvec.look_up %T[%y] : memref<100xi8>, vector<64xi8> -> vector<64xi8>
  %d = pvec.group_dot "extsi" %p, "extsi" %p to %k : vector<8xi16> -> vector<4xi32>
  %e = pvec.group_dot "extui" %z, "extsi" %z to %d : vector<16xi8> -> vector<4xi32>
  %j = pvec.group_distance %z, %z to %e : vector<16xi8> -> vector<4xi32>
  func.return
}

// CHECK:      %m = pvec.range_mask %i to %n : vector<4xi1>
// CHECK-NEXT: %s = pvec.select %m, %a, %a : vector<4xi1>, vector<4xf64>
// CHECK-NEXT: %c = pvec.cmpi "slt", %k, %k : vector<4xi32> -> vector<4xi1>
// CHECK-NEXT: %f = pvec.cmpf "olt", %a, %s : vector<4xf64> -> vector<4xi1>
// CHECK-NEXT: %x = pvec.convert "sitofp", %k : vector<4xi32> -> vector<4xf64>
// CHECK-NEXT: %q = pvec.quotient %k, %k through f64 : vector<4xi32>
// CHECK-NEXT: %r = pvec.quotient %q, %k unsigned through f32 : vector<4xi32>
// CHECK-NEXT: %v = pvec.strided_load %A[%i, %n] by [1, -2] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: %w = pvec.strided_load %A[%i, %n] by [1, 0] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.strided_store %v, %A[%i, %n] by [1, -2] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.strided_store %w, %A[%i, %n] by [1, 0] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.prefetch %A[%i, %n] : memref<?x?xf64>
// CHECK-NEXT: pvec.prefetch %A[%i, %n] for_write : memref<?x?xf64>
// CHECK-NEXT: %g = pvec.gather %A[%k, %k] : memref<?x?xf64>, vector<4xi32>, vector<4xi32> -> vector<4xf64>
// CHECK-NEXT: %h = pvec.gather %A[%k, %k] masked %m : vector<4xi1> : memref<?x?xf64>, vector<4xi32>, vector<4xi32> -> vector<4xf64>
// CHECK-NEXT: %b = pvec.misalignment %A[%i, %n] of 4 : memref<?x?xf64>
// CHECK-NEXT: pvec.stream_fence
// CHECK-NEXT: %l = pvec.look_up %T[%y] : memref<100xi8>, vector<64xi8> -> vector<64xi8>
// CHECK-NEXT: %d = pvec.group_dot "extsi" %p, "extsi" %p to %k : vector<8xi16> -> vector<4xi32>
// CHECK-NEXT: %e = pvec.group_dot "extui" %z, "extsi" %z to %d : vector<16xi8> -> vector<4xi32>
// CHECK-NEXT: %j = pvec.group_distance %z, %z to %e : vector<16xi8> -> vector<4xi32>
