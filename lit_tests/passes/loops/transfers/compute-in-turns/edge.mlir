// At the edges: values that something else needs, two writes that share what they write, and reads
// that a write stands behind.
// RUN: polyopt-opt %s -p 'compute-in-turns' | filecheck %s

// The sum needs a component: what is taken apart for it stays.
func.func @needed_elsewhere(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) -> vector<4xf64> {
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  %c = arith.addf %a, %a : vector<4xf64>
  %d = arith.addf %b, %b : vector<4xf64>
  %e = arith.mulf %a, %x : vector<4xf64>
  pvec.write_in_turns (%c, %d), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return %e : vector<4xf64>
}

// CHECK-LABEL: func.func @needed_elsewhere(
// CHECK-NEXT:    [[X:%.*]] = pvec.read %A[%v * 2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    pvec.read %A[%v * 2 + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[A:%.*]] = pvec.read %A[%v * 2] by [2] within [0, 1]
// CHECK-NEXT:    [[E:%.*]] = arith.mulf [[A]], %x
// CHECK-NOT:     pvec.write_in_turns
// CHECK:         func.return [[E]]

// Each is read, and computed, once; in front of all that is written.
func.func @twice(%A : memref<?xf64>, %B : memref<?xf64>, %v : index) {
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<2xf64>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<2xf64>
  %c = arith.mulf %a, %a : vector<2xf64>
  %d = arith.mulf %b, %b : vector<2xf64>
  pvec.write_in_turns (%c, %d), %B[%v * 2] : memref<?xf64>, vector<2xf64>
  %e = arith.addf %c, %a : vector<2xf64>
  %f = arith.addf %d, %b : vector<2xf64>
  pvec.write_in_turns (%e, %f), %A[%v * 2] : memref<?xf64>, vector<2xf64>
  func.return
}

// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    [[A:%.*]] = pvec.read %A[%v * 2] : memref<?xf64>, vector<2xf64>
// CHECK-NEXT:    [[B:%.*]] = pvec.read %A[%v * 2 + 2] : memref<?xf64>, vector<2xf64>
// CHECK-NEXT:    [[C:%.*]] = arith.mulf [[A]], [[A]]
// CHECK-NEXT:    [[D:%.*]] = arith.mulf [[B]], [[B]]
// CHECK-NEXT:    pvec.write [[C]], %B[%v * 2]
// CHECK-NEXT:    pvec.write [[D]], %B[%v * 2 + 2]
// CHECK-NEXT:    [[E:%.*]] = arith.addf [[C]], [[A]]
// CHECK-NEXT:    [[F:%.*]] = arith.addf [[D]], [[B]]
// CHECK-NEXT:    pvec.write [[E]], %A[%v * 2]
// CHECK-NEXT:    pvec.write [[F]], %A[%v * 2 + 2]
// CHECK-NEXT:    func.return
