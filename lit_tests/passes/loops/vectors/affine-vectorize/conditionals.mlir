// With AVX-512, conditionals are masks: of loads too, since what is not loaded need not be there.
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v4"},affine-peel-masks{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-vectorize{march="x86-64-v3"},affine-peel-masks{march="x86-64-v3"},share-transfers,lower-transfers' | filecheck %s --check-prefix=NARROW

func.func @positive(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %b = affine.load %B[%i] : memref<?xf64>
    %is = arith.cmpf ogt, %b, %zero : f64
    scf.if %is {
      %c = affine.load %C[%i] : memref<?xf64>
      %s = arith.mulf %b, %c : f64
      affine.store %s, %A[%i] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @positive
// CHECK:         affine.for %v
// CHECK-NEXT:      [[B:%.*]] = affine.vector_load %B[%v]
// CHECK-NEXT:      [[ZERO:%.*]] = vector.broadcast %zero
// CHECK-NEXT:      [[IS:%.*]] = pvec.cmpf "ogt", [[B]], [[ZERO]]
// CHECK:           [[C:%.*]] = vector.maskedload %C[%v], [[IS]]
// CHECK-NEXT:      [[S:%.*]] = arith.mulf [[B]], [[C]]
// CHECK-NEXT:      vector.maskedstore %A[%v], [[IS]], [[S]]
// CHECK:         affine.for %v_1
// CHECK:           [[LEFT:%.*]] = vector.create_mask
// CHECK:           [[BOTH:%.*]] = arith.andi [[LEFT]], {{%.*}} : vector<8xi1>
// CHECK:           vector.maskedstore %A[%v_1], [[BOTH]]
// NARROW-LABEL: func.func @positive
// NARROW:         scf.if
// NARROW-NOT:     vector<

func.func @bytes(%n : index, %A : memref<?xi8> {llvm.noalias}, %B : memref<?xi8> {llvm.noalias}) {
  %zero = arith.constant 0 : i8
  affine.for %i = 0 to %n {
    %b = affine.load %B[%i] : memref<?xi8>
    %is = arith.cmpi ne, %b, %zero : i8
    scf.if %is {
      %s = arith.muli %b, %b : i8
      affine.store %s, %A[%i] : memref<?xi8>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @bytes
// CHECK:         [[IS:%.*]] = pvec.cmpi "ne"
// CHECK:         vector.maskedstore %A[%v], [[IS]], {{%.*}} : memref<?xi8>, vector<64xi1>, vector<64xi8>
// NARROW-LABEL: func.func @bytes
// NARROW:         scf.if
// NARROW-NOT:     vector<

// What a conditional gives is chosen from both arms, of which each has loaded what is there for it.

func.func @either(%n : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf64>
    %is = arith.cmpf ogt, %a, %zero : f64
    %v = scf.if %is -> (f64) {
      %b = affine.load %B[%i] : memref<?xf64>
      %w = arith.mulf %b, %a : f64
      scf.yield %w : f64
    } else {
      %isnt = arith.cmpf olt, %a, %zero : f64
      %u = scf.if %isnt -> (f64) {
        %c = affine.load %C[%i] : memref<?xf64>
        scf.yield %c : f64
      } else {
        scf.yield %zero : f64
      }
      scf.yield %u : f64
    }
    affine.store %v, %A[%i] : memref<?xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @either
// CHECK:         [[A:%.*]] = affine.vector_load %A[%v]
// CHECK:         [[IS:%.*]] = pvec.cmpf "ogt", [[A]]
// CHECK:         [[B:%.*]] = vector.maskedload %B[%v], [[IS]]
// CHECK:         [[W:%.*]] = arith.mulf [[B]], [[A]]
// CHECK:         [[ISNT:%.*]] = pvec.cmpf "olt", [[A]]
// CHECK:         [[BOTH:%.*]] = arith.andi
// CHECK:         [[C:%.*]] = vector.maskedload %C[%v], [[BOTH]]
// CHECK:         [[U:%.*]] = pvec.select [[ISNT]], [[C]]
// CHECK:         [[V:%.*]] = pvec.select [[IS]], [[W]], [[U]]
// CHECK:         affine.vector_store [[V]], %A[%v]
// NARROW-LABEL: func.func @either
// NARROW:         scf.if
// NARROW-NOT:     vector<

// What is the same for all lanes is not loaded in front of the loop, either.

func.func @last(%n : index, %p : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %b = affine.load %B[%i] : memref<?xf64>
    %is = arith.cmpf ogt, %b, %zero : f64
    scf.if %is {
      %c = affine.load %C[%p] : memref<?xf64>
      %s = arith.mulf %b, %c : f64
      affine.store %s, %A[%i] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @last
// CHECK-NOT:     affine.load %C
// CHECK:         affine.for %v
// CHECK:           [[IS:%.*]] = pvec.cmpf "ogt"
// CHECK:           vector.reduction <or>, [[IS]]
// CHECK:           vector.maskedload %C[%p]
// CHECK:           vector.maskedstore %A[%v], [[IS]]

// Nor is one element stored to by some of them.

func.func @one(%n : index, %p : index, %A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n {
    %b = affine.load %B[%i] : memref<?xf64>
    %is = arith.cmpf ogt, %b, %zero : f64
    scf.if %is {
      affine.store %b, %A[%p] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @one
// CHECK-NOT:     vector<
// CHECK:         func.return
