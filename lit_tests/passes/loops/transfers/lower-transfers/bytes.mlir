// Bytes in turns are looked up in one register, where the machine has that and the stretch fits.
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4+avx512vbmi"}' | filecheck %s
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4"}' | filecheck %s --check-prefix=PAIRS
// RUN: polyopt-opt %s -p 'lower-transfers{march="x86-64-v4+avx512vbmi+prefer256"}' | filecheck %s --check-prefix=PAIRS

// 48 bytes are loaded as 64, and nothing behind them is touched.
// CHECK-LABEL: func.func @triples
// CHECK:         [[MASK:%.*]] = arith.constant dense<[true, {{.*}}, true, false, {{.*}}]> : vector<64xi1>
// CHECK:         [[ALL:%.*]] = vector.maskedload %A[{{.*}}], [[MASK]], {{.*}} vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [0, 3, 6, {{.*}}, 45] : vector<64xi8>, vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [1, 4, 7, {{.*}}, 46] : vector<64xi8>, vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [2, 5, 8, {{.*}}, 47] : vector<64xi8>, vector<64xi8>
// CHECK-NEXT:    func.return
// PAIRS-LABEL: func.func @triples
// PAIRS-COUNT-3: affine.vector_load %A{{.*}} vector<16xi8>
func.func @triples(%A : memref<?xi8>, %v : index) {
  %x = pvec.read %A[%v * 3] by [3] within [0, 1, 2] : memref<?xi8>, vector<16xi8>
  %y = pvec.read %A[%v * 3 + 1] by [3] within [-1, 0, 1] : memref<?xi8>, vector<16xi8>
  %z = pvec.read %A[%v * 3 + 2] by [3] within [-2, -1, 0] : memref<?xi8>, vector<16xi8>
  func.return
}

// All of the register is wanted.
// CHECK-LABEL: func.func @fours
// CHECK-NEXT:    [[ALL:%.*]] = affine.vector_load %A[%v * 4] : memref<?xi8>, vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [0, 4, 8, {{.*}}, 60]
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [3, 7, 11, {{.*}}, 63]
func.func @fours(%A : memref<?xi8>, %v : index) {
  %x = pvec.read %A[%v * 4] by [4] within [0, 3] : memref<?xi8>, vector<16xi8>
  %y = pvec.read %A[%v * 4 + 3] by [4] within [-3, 0] : memref<?xi8>, vector<16xi8>
  func.return
}

// Backward, from the lowest byte on.
// CHECK-LABEL: func.func @backward
// CHECK:         [[ALL:%.*]] = vector.maskedload %A[{{.*}}], {{.*}} vector<32xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [30, 28, 26, {{.*}}, 0]
func.func @backward(%A : memref<?xi8>, %v : index) {
  %x = pvec.read %A[%v * -2 + 30] by [-2] within [0] : memref<?xi8>, vector<16xi8>
  func.return
}

// Masked, one load has the mask of the bytes that are wanted.
// CHECK-LABEL: func.func @masked
// CHECK:         [[HERE:%.*]] = vector.shuffle %m, {{%.*}} [0, 16, 1, 16, {{.*}}, 15, 16] : vector<16xi1>
// CHECK:         [[ALL:%.*]] = vector.maskedload %A[{{.*}}], [[HERE]], {{.*}} vector<32xi8>
// CHECK-NEXT:    vector.shuffle [[ALL]], [[ALL]] [0, 2, 4, {{.*}}, 30]
func.func @masked(%A : memref<?xi8>, %v : index, %m : vector<16xi1>) {
  %x = pvec.read %A[%v * 2] by [2] within [0, 1] masked %m : memref<?xi8>, vector<16xi8>
  func.return
}

// 96 bytes are more than a register, and shorts are looked up as quickly in two.
// CHECK-LABEL: func.func @long
// CHECK-COUNT-3: affine.vector_load %A{{.*}} vector<32xi8>
// CHECK-COUNT-2: affine.vector_load %B{{.*}} vector<16xi16>
// CHECK-NOT:     maskedload
func.func @long(%A : memref<?xi8>, %B : memref<?xi16>, %v : index) {
  %x = pvec.read %A[%v * 3] by [3] within [0, 1, 2] : memref<?xi8>, vector<32xi8>
  %y = pvec.read %B[%v * 2] by [2] within [0, 1] : memref<?xi16>, vector<16xi16>
  func.return
}

// Stretches that begin at one place: the longer one is not in what was loaded for the other.
// CHECK-LABEL: func.func @begin_together
// CHECK:         [[SHORT:%.*]] = vector.maskedload %A{{.*}} vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[SHORT]], [[SHORT]] [0, 3, 6, {{.*}}, 45]
// CHECK:         [[LONG:%.*]] = vector.maskedload %A{{.*}} vector<64xi8>
// CHECK-NEXT:    vector.shuffle [[LONG]], [[LONG]] [0, 4, 8, {{.*}}, 60]
// CHECK-NEXT:    func.return
func.func @begin_together(%A : memref<?xi8>, %v : index) {
  %x = pvec.read %A[%v] by [3] within [0] : memref<?xi8>, vector<16xi8>
  %y = pvec.read %A[%v] by [4] within [0] : memref<?xi8>, vector<16xi8>
  func.return
}

// Six vectors in turns are put side by side first, in one register and a half, and looked up there.
// CHECK-LABEL: func.func @six_in_turns
// CHECK-NEXT:    [[AB:%.*]] = vector.shuffle %a, %b [0, 1, {{.*}}, 31]
// CHECK-NEXT:    [[CA:%.*]] = vector.shuffle %c, %a [0, 1, {{.*}}, 31]
// CHECK-NEXT:    [[A:%.*]] = vector.shuffle [[AB]], [[CA]] [0, 1, {{.*}}, 63]
// CHECK-NEXT:    [[BC:%.*]] = vector.shuffle %b, %c [0, 1, {{.*}}, 31]
// CHECK-NEXT:    [[B:%.*]] = vector.shuffle [[BC]], [[BC]] [0, 1, {{.*}}, 31, -1, {{.*}}]
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle [[A]], [[B]] [0, 16, 32, 48, 64, 80, 1, {{.*}}]
// CHECK-NEXT:    [[REST:%.*]] = vector.shuffle [[A]], [[B]] [74, {{.*}}, 95, -1, {{.*}}]
// CHECK-NEXT:    [[HIGH:%.*]] = vector.shuffle [[REST]], [[REST]] [0, 1, {{.*}}, 31]
// CHECK-NEXT:    affine.vector_store [[LOW]], %A[%v * 6] : memref<?xi8>, vector<64xi8>
// CHECK-NEXT:    affine.vector_store [[HIGH]], %A[%v * 6 + 64] : memref<?xi8>, vector<32xi8>
// PAIRS-LABEL: func.func @six_in_turns
// PAIRS-COUNT-6: affine.vector_store {{.*}} vector<16xi8>
func.func @six_in_turns(%A : memref<?xi8>, %v : index, %a : vector<16xi8>, %b : vector<16xi8>, %c : vector<16xi8>) {
  pvec.write_in_turns (%a, %b, %c, %a, %b, %c), %A[%v * 6] : memref<?xi8>, vector<16xi8>
  func.return
}

// Whole registers take turns step by step.
// CHECK-LABEL: func.func @whole_registers
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: affine.vector_store
func.func @whole_registers(%A : memref<?xi8>, %v : index, %a : vector<64xi8>, %b : vector<64xi8>, %c : vector<64xi8>) {
  pvec.write_in_turns (%a, %b, %c, %a), %A[%v * 4] : memref<?xi8>, vector<64xi8>
  func.return
}
