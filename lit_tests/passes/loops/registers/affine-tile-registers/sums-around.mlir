// A sum around a row of 24 elements: the row stays in registers while the sum runs. Rows that one
// tile has no room for, whose length is not known, or an element of which takes what the step
// before has made of another one, stay inside, and so do those that move with the sum.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"},share-transfers,lower-transfers' | filecheck %s

// CHECK-LABEL:   func.func @row_of_24
// CHECK:           affine.vector_load %C[0]
// CHECK:           vector.maskedload %C
// CHECK-NEXT:      affine.for %k = {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>) {
// CHECK-NEXT:        affine.vector_load %B[%k, 0]
// CHECK:             vector.maskedload %B
// CHECK-NOT:         %C
// CHECK:             affine.yield
// CHECK:           affine.vector_store {{.*}}, %C[0]
// CHECK:           vector.maskedstore %C
// CHECK-LABEL:   func.func @too_long
// CHECK-NOT:       vector
// CHECK-LABEL:   func.func @of_unknown_length
// CHECK-NOT:       vector
// CHECK-LABEL:   func.func @from_the_neighbour
// CHECK-NOT:       vector
// CHECK-LABEL:   func.func @moves_with_the_sum
// CHECK-NEXT:      affine.for %k = 0 to 20 {
// CHECK-NOT:       iter_args

func.func @row_of_24(%n : index, %A : memref<?xf32> {llvm.noalias},
                     %B : memref<?x24xf32> {llvm.noalias}, %C : memref<24xf32> {llvm.noalias}) {
  affine.for %k = 0 to %n {
    affine.for %i = 0 to 24 {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %B[%k, %i] : memref<?x24xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<24xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<24xf32>
    }
  }
  func.return
}

func.func @too_long(%n : index, %A : memref<?xf32> {llvm.noalias},
                    %B : memref<?x65xf32> {llvm.noalias}, %C : memref<65xf32> {llvm.noalias}) {
  affine.for %k = 0 to %n {
    affine.for %i = 0 to 65 {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %B[%k, %i] : memref<?x65xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<65xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<65xf32>
    }
  }
  func.return
}

func.func @of_unknown_length(%n : index, %m : index, %A : memref<?xf32> {llvm.noalias},
                             %B : memref<?x24xf32> {llvm.noalias}, %C : memref<24xf32> {llvm.noalias}) {
  affine.for %k = 0 to %n {
    affine.for %i = 0 to %m {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %B[%k, %i] : memref<?x24xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<24xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<24xf32>
    }
  }
  func.return
}

func.func @from_the_neighbour(%n : index, %A : memref<?xf32> {llvm.noalias}, %C : memref<25xf32> {llvm.noalias}) {
  affine.for %k = 0 to %n {
    affine.for %i = 0 to 24 {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %C[%i + 1] : memref<25xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<25xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<25xf32>
    }
  }
  func.return
}

func.func @moves_with_the_sum(%A : memref<?xf32> {llvm.noalias},
                              %B : memref<?x24xf32> {llvm.noalias}, %C : memref<24xf32> {llvm.noalias}) {
  affine.for %k = 0 to 20 {
    affine.for %i = affine_map<(k) -> (k)>(%k) to affine_map<(k) -> (k + 4)>(%k) {
      %a = affine.load %A[%k] : memref<?xf32>
      %b = affine.load %B[%k, %i] : memref<?x24xf32>
      %ab = arith.mulf %a, %b : f32
      %c = affine.load %C[%i] : memref<24xf32>
      %s = arith.addf %c, %ab : f32
      affine.store %s, %C[%i] : memref<24xf32>
    }
  }
  func.return
}
