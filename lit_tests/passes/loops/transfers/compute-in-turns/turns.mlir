// Groups that are written in turns are computed as they lie in memory.
// RUN: polyopt-opt %s -p 'compute-in-turns' | filecheck %s

// What is the same of all components is one operation on vectors side by side.
func.func @scaled(%A : memref<?xf64>, %v : index, %s : f64) {
  %x = vector.broadcast %s : f64 to vector<4xf64>
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  %c = arith.mulf %a, %x : vector<4xf64>
  %d = arith.mulf %x, %b : vector<4xf64>
  pvec.write_in_turns (%c, %d), %A[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @scaled(
// CHECK-NEXT:    [[X:%.*]] = vector.broadcast
// CHECK-NEXT:    [[A:%.*]] = pvec.read %A[%v * 2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[B:%.*]] = pvec.read %A[%v * 2 + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[C:%.*]] = arith.mulf [[A]], [[X]] : vector<4xf64>
// CHECK-NEXT:    [[D:%.*]] = arith.mulf [[B]], [[X]] : vector<4xf64>
// CHECK-NEXT:    pvec.write [[C]], %A[%v * 2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    pvec.write [[D]], %A[%v * 2 + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return

// Where one component has a difference and the other one a sum, a factor that does not change has
// both signs; the components change places in one shuffle for each vector.
func.func @turned(%A : memref<?xf64>, %B : memref<?xf64>, %v : index, %s : f64, %t : f64) {
  %x = vector.broadcast %s : f64 to vector<4xf64>
  %y = vector.broadcast %t : f64 to vector<4xf64>
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf64>, vector<4xf64>
  %0 = arith.mulf %x, %a : vector<4xf64>
  %1 = arith.mulf %y, %b : vector<4xf64>
  %c = arith.subf %0, %1 : vector<4xf64>
  %2 = arith.mulf %y, %a : vector<4xf64>
  %3 = arith.mulf %x, %b : vector<4xf64>
  %d = arith.addf %2, %3 : vector<4xf64>
  pvec.write_in_turns (%c, %d), %B[%v * 2] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @turned(
// CHECK:         [[A:%.*]] = pvec.read %A[%v * 2] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[B:%.*]] = pvec.read %A[%v * 2 + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    [[L:%.*]] = arith.mulf %x, [[A]] : vector<4xf64>
// CHECK-NEXT:    [[M:%.*]] = arith.mulf %x, [[B]] : vector<4xf64>
// CHECK-NEXT:    [[N:%.*]] = arith.negf %y : vector<4xf64>
// CHECK-NEXT:    [[F:%.*]] = vector.shuffle [[N]], %y [0, 5, 2, 7]
// CHECK-NEXT:    [[P:%.*]] = vector.shuffle [[A]], [[A]] [1, 0, 3, 2]
// CHECK-NEXT:    [[Q:%.*]] = vector.shuffle [[B]], [[B]] [1, 0, 3, 2]
// CHECK-NEXT:    [[R:%.*]] = arith.mulf [[F]], [[P]] : vector<4xf64>
// CHECK-NEXT:    [[S:%.*]] = arith.mulf [[F]], [[Q]] : vector<4xf64>
// CHECK-NEXT:    arith.addf [[L]], [[R]] : vector<4xf64>
// CHECK-NEXT:    arith.addf [[M]], [[S]] : vector<4xf64>

// A sign is a bit, of what is no number, too.
func.func @other_sign(%A : memref<?xf32>, %B : memref<?xf32>, %v : index) {
  %a = pvec.read %A[%v * 2] by [2] within [0, 1] : memref<?xf32>, vector<4xf32>
  %b = pvec.read %A[%v * 2 + 1] by [2] within [-1, 0] : memref<?xf32>, vector<4xf32>
  %c = arith.negf %b : vector<4xf32>
  pvec.write_in_turns (%a, %c), %B[%v * 2] : memref<?xf32>, vector<4xf32>
  func.return
}

// CHECK-LABEL: func.func @other_sign(
// CHECK:         arith.constant dense<[0, -2147483648, 0, -2147483648]> : vector<4xi32>
// CHECK-NEXT:    arith.xori

// One value for all components is spread; a component that has another form than the rest is
// computed in its own lanes.
func.func @four(%A : memref<?xi32>, %B : memref<?xi32>, %w : vector<4xi32>, %v : index) {
  %a = pvec.read %A[%v * 4] by [4] within [0, 1, 2, 3] : memref<?xi32>, vector<4xi32>
  %b = pvec.read %A[%v * 4 + 1] by [4] within [-1, 0, 1, 2] : memref<?xi32>, vector<4xi32>
  %c = pvec.read %A[%v * 4 + 2] by [4] within [-2, -1, 0, 1] : memref<?xi32>, vector<4xi32>
  %d = pvec.read %A[%v * 4 + 3] by [4] within [-3, -2, -1, 0] : memref<?xi32>, vector<4xi32>
  %0 = arith.muli %a, %w : vector<4xi32>
  %1 = arith.muli %b, %w : vector<4xi32>
  %2 = arith.muli %c, %w : vector<4xi32>
  pvec.write_in_turns (%0, %1, %2, %d), %B[%v * 4] : memref<?xi32>, vector<4xi32>
  func.return
}

// CHECK-LABEL: func.func @four(
// CHECK-NEXT:    [[A:%.*]] = pvec.read %A[%v * 4] : memref<?xi32>, vector<4xi32>
// CHECK:         [[S:%.*]] = vector.shuffle %w, %w [0, 0, 0, 0]
// CHECK:         [[M:%.*]] = arith.muli [[A]], [[S]]
// CHECK:         vector.shuffle [[M]], [[A]] [0, 1, 2, 7]
// CHECK:         pvec.write {{.*}}, %B[%v * 4 + 12] : memref<?xi32>, vector<4xi32>
