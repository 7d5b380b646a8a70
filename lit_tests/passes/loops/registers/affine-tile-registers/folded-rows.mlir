// Rows shorter than a vector: as many as there is room for are one.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v4"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v3"}' | filecheck %s --check-prefix=NARROW
// Nor is there room in half a line, of which two take no longer than one line.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="znver4+avx512dq"}' | filecheck %s --check-prefix=NARROW

// A vector of 8 holds two rows of 4: A's elements are picked out of both rows, B's row is repeated.
// CHECK-LABEL: func.func @two_rows
// CHECK:         [[A:%\d+]] = cmem.view {{.*}} : memref<?xf64>
// CHECK:         affine.for %q
// CHECK:           [[X:%\d+]] = pvec.read [[A]][%q * 16 + %i * 4] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      vector.shuffle [[X]], [[X]] [0, 0, 0, 0, 4, 4, 4, 4] : vector<8xf64>, vector<8xf64>
// CHECK-NEXT:      [[B:%\d+]] = pvec.read %B[%q, 0, %j] : memref<?x4x4xf64>, vector<4xf64>
// CHECK-NEXT:      vector.shuffle [[B]], [[B]] [0, 1, 2, 3, 0, 1, 2, 3] : vector<4xf64>, vector<4xf64>
// CHECK:           vector.shuffle [[X]], [[X]] [3, 3, 3, 3, 7, 7, 7, 7] : vector<8xf64>, vector<8xf64>
// CHECK:           pvec.write {{.*}}[%q * 16 + %i * 4 + %j] : memref<?xf64>, vector<8xf64>
// CHECK-NOT:       affine.load
// A vector of 4 holds one.
// NARROW-LABEL: func.func @two_rows
// NARROW-NOT:     vector<8xf64>
func.func @two_rows(%n : index, %A : memref<?x4x4xf64> {llvm.noalias},
                    %B : memref<?x4x4xf64> {llvm.noalias}, %C : memref<?x4x4xf64> {llvm.noalias}) {
  affine.for %q = 0 to %n {
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 4 {
        %a0 = affine.load %A[%q, %i, 0] : memref<?x4x4xf64>
        %b0 = affine.load %B[%q, 0, %j] : memref<?x4x4xf64>
        %p0 = arith.mulf %a0, %b0 fastmath<contract> : f64
        %a1 = affine.load %A[%q, %i, 1] : memref<?x4x4xf64>
        %b1 = affine.load %B[%q, 1, %j] : memref<?x4x4xf64>
        %p1 = arith.mulf %a1, %b1 fastmath<contract> : f64
        %s1 = arith.addf %p0, %p1 fastmath<contract> : f64
        %a2 = affine.load %A[%q, %i, 2] : memref<?x4x4xf64>
        %b2 = affine.load %B[%q, 2, %j] : memref<?x4x4xf64>
        %p2 = arith.mulf %a2, %b2 fastmath<contract> : f64
        %s2 = arith.addf %s1, %p2 fastmath<contract> : f64
        %a3 = affine.load %A[%q, %i, 3] : memref<?x4x4xf64>
        %b3 = affine.load %B[%q, 3, %j] : memref<?x4x4xf64>
        %p3 = arith.mulf %a3, %b3 fastmath<contract> : f64
        %s3 = arith.addf %s2, %p3 fastmath<contract> : f64
        affine.store %s3, %C[%q, %i, %j] : memref<?x4x4xf64>
      }
    }
  }
  func.return
}

// Of the last row only the first elements are read: nobody knows that there are others.
// CHECK-LABEL: func.func @part_of_a_row
// CHECK-NOT:     vector<8xf64>
// CHECK:         func.return
func.func @part_of_a_row(%n : index, %A : memref<?x4xf64> {llvm.noalias},
                         %m : memref<4x4xf64> {llvm.noalias}, %C : memref<?x4xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 4 {
      %a0 = affine.load %A[%i, 0] : memref<?x4xf64>
      %b0 = affine.load %m[0, %j] : memref<4x4xf64>
      %p0 = arith.mulf %a0, %b0 : f64
      %a1 = affine.load %A[%i, 1] : memref<?x4xf64>
      %b1 = affine.load %m[1, %j] : memref<4x4xf64>
      %p1 = arith.mulf %a1, %b1 : f64
      %s1 = arith.addf %p0, %p1 : f64
      affine.store %s1, %C[%i, %j] : memref<?x4xf64>
    }
  }
  func.return
}

// Rows that do not lie one behind the other: in the result, or in what it is made of.
// CHECK-LABEL: func.func @rows_of_five
// CHECK-NOT:     vector<8xf64>
// CHECK:         func.return
func.func @rows_of_five(%n : index, %A : memref<?x4xf64> {llvm.noalias},
                        %C : memref<?x5xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 4 {
      %a = affine.load %A[%i, %j] : memref<?x4xf64>
      %b = arith.mulf %a, %a : f64
      affine.store %b, %C[%i, %j] : memref<?x5xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @every_other_row
// CHECK-NOT:     vector<8xf64>
// CHECK:         func.return
func.func @every_other_row(%n : index, %A : memref<?x4xf64> {llvm.noalias},
                           %C : memref<?x4xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 4 {
      %a = affine.load %A[%i * 2, %j] : memref<?x4xf64>
      %b = arith.mulf %a, %a : f64
      affine.store %b, %C[%i, %j] : memref<?x4xf64>
    }
  }
  func.return
}

// What iterators count is different in each row: not computed in such vectors.
// CHECK-LABEL: func.func @number_of_the_row
// CHECK-NOT:     vector<16xi32>
// CHECK:         func.return
func.func @number_of_the_row(%n : index, %A : memref<?x4xi32> {llvm.noalias},
                             %C : memref<?x4xi32> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 4 {
      %k = arith.index_cast %i : index to i32
      %a = affine.load %A[%i, %j] : memref<?x4xi32>
      %b = arith.muli %a, %k : i32
      affine.store %b, %C[%i, %j] : memref<?x4xi32>
    }
  }
  func.return
}

// An odd row at the end is a vector of its own.
// CHECK-LABEL: func.func @three_rows
// CHECK:         pvec.write {{.*}} : memref<?xf32>, vector<8xf32>
// CHECK:         pvec.write {{.*}} vector<4xf32>
func.func @three_rows(%A : memref<3x4xf32> {llvm.noalias}, %C : memref<3x4xf32> {llvm.noalias}) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %a = affine.load %A[%i, %j] : memref<3x4xf32>
      %b = arith.mulf %a, %a : f32
      affine.store %b, %C[%i, %j] : memref<3x4xf32>
    }
  }
  func.return
}

// Rows of 8 floats: to bring an element to a row that is two parts of the register takes more steps
// than to load it into all lanes, so that rows stay apart.
// CHECK-LABEL: func.func @two_parts
// CHECK-NOT:     vector<16xf32>
// CHECK:         func.return
func.func @two_parts(%A : memref<8x8xf32> {llvm.noalias}, %B : memref<8x8xf32> {llvm.noalias},
                     %C : memref<8x8xf32> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a0 = affine.load %A[%i, 0] : memref<8x8xf32>
      %b0 = affine.load %B[0, %j] : memref<8x8xf32>
      %p0 = arith.mulf %a0, %b0 fastmath<contract> : f32
      %a1 = affine.load %A[%i, 1] : memref<8x8xf32>
      %b1 = affine.load %B[1, %j] : memref<8x8xf32>
      %p1 = arith.mulf %a1, %b1 fastmath<contract> : f32
      %s1 = arith.addf %p0, %p1 fastmath<contract> : f32
      %a2 = affine.load %A[%i, 2] : memref<8x8xf32>
      %b2 = affine.load %B[2, %j] : memref<8x8xf32>
      %p2 = arith.mulf %a2, %b2 fastmath<contract> : f32
      %s2 = arith.addf %s1, %p2 fastmath<contract> : f32
      %a3 = affine.load %A[%i, 3] : memref<8x8xf32>
      %b3 = affine.load %B[3, %j] : memref<8x8xf32>
      %p3 = arith.mulf %a3, %b3 fastmath<contract> : f32
      %s3 = arith.addf %s2, %p3 fastmath<contract> : f32
      %a4 = affine.load %A[%i, 4] : memref<8x8xf32>
      %b4 = affine.load %B[4, %j] : memref<8x8xf32>
      %p4 = arith.mulf %a4, %b4 fastmath<contract> : f32
      %s4 = arith.addf %s3, %p4 fastmath<contract> : f32
      %a5 = affine.load %A[%i, 5] : memref<8x8xf32>
      %b5 = affine.load %B[5, %j] : memref<8x8xf32>
      %p5 = arith.mulf %a5, %b5 fastmath<contract> : f32
      %s5 = arith.addf %s4, %p5 fastmath<contract> : f32
      %a6 = affine.load %A[%i, 6] : memref<8x8xf32>
      %b6 = affine.load %B[6, %j] : memref<8x8xf32>
      %p6 = arith.mulf %a6, %b6 fastmath<contract> : f32
      %s6 = arith.addf %s5, %p6 fastmath<contract> : f32
      %a7 = affine.load %A[%i, 7] : memref<8x8xf32>
      %b7 = affine.load %B[7, %j] : memref<8x8xf32>
      %p7 = arith.mulf %a7, %b7 fastmath<contract> : f32
      %s7 = arith.addf %s6, %p7 fastmath<contract> : f32
      affine.store %s7, %C[%i, %j] : memref<8x8xf32>
    }
  }
  func.return
}
