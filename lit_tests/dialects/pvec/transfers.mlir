// Transfers, printed and parsed in both forms.
// RUN: ROUNDTRIP

func.func @ops(%A : memref<?x?xf64>, %s : memref<f64>, %i : index, %v : index, %m : vector<4xi1>) {
  %a = pvec.read %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
  %b = pvec.read %A[%i, %v * 3 + 1] by [0, 3] within [-1, 0] masked %m : memref<?x?xf64>, vector<4xf64>
  %c = pvec.read %A[(%i + %v) floordiv 2, 7] by [1, 0] : memref<?x?xf64>, vector<4xf64>
  %d = pvec.read %s[] : memref<f64>, vector<4xf64>
  pvec.write %a, %A[%i, %v] masked %m : memref<?x?xf64>, vector<4xf64>
  pvec.write %b, %A[%i, %v] nontemporal : memref<?x?xf64>, vector<4xf64>
  pvec.write %c, %A[%i, %v * -1 + 9] by [0, -1] : memref<?x?xf64>, vector<4xf64>
  pvec.write_in_turns (%a, %b), %A[%i, %v * 2] : memref<?x?xf64>, vector<4xf64>
  pvec.write_in_turns (%a, %b), %A[%i, %v * 4] by [0, 4] at [0, 3] : memref<?x?xf64>, vector<4xf64>
  %w, %x, %y, %z = pvec.read_square %A[%i, %v] by [1, 0] : memref<?x?xf64>, vector<4xf64>
  pvec.write_square (%w, %x, %y, %z), %A[%v, %i] by [-1, 0] : memref<?x?xf64>, vector<4xf64>
  func.return
}

// CHECK:      %a = pvec.read %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: %b = pvec.read %A[%i, %v * 3 + 1] by [0, 3] within [-1, 0] masked %m : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: %c = pvec.read %A[(%i + %v) floordiv 2, 7] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: %d = pvec.read %s[] : memref<f64>, vector<4xf64>
// CHECK-NEXT: pvec.write %a, %A[%i, %v] masked %m : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.write %b, %A[%i, %v] nontemporal : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.write %c, %A[%i, %v * -1 + 9] by [0, -1] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.write_in_turns (%a, %b), %A[%i, %v * 2] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.write_in_turns (%a, %b), %A[%i, %v * 4] by [0, 4] at [0, 3] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: %w, %x, %y, %z = pvec.read_square %A[%i, %v] by [1, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT: pvec.write_square (%w, %x, %y, %z), %A[%v, %i] by [-1, 0] : memref<?x?xf64>, vector<4xf64>
