// What is written, and neither read nor kept by any cache, is marked: by a constant size, or in a
// version of the nest for large sizes.
// RUN: polyopt-opt %s -p 'affine-stream{march="x86-64-v3"}' | filecheck %s

func.func @known(%A : memref<30000x30000xf64> {llvm.noalias}, %B : memref<30000x30000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 30000 {
    affine.for %j = 0 to 30000 {
      %b = affine.load %B[%i, %j] : memref<30000x30000xf64>
      %x = arith.mulf %b, %b : f64
      affine.store %x, %A[%i, %j] : memref<30000x30000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @known
// CHECK-NOT:     scf.if
// CHECK:           affine.store %x, %A[%i, %j]
// CHECK-NEXT:    } {poly.loop = #poly.loop<nontemporal = [0]>}
// CHECK-NOT:     scf.if

func.func @unknown(%n : index, %m : index, %A : memref<?x?xf64> {llvm.noalias}, %b : memref<?xf64> {llvm.noalias}) {
  affine.for %i = 2 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %b[%j] : memref<?xf64>
      %y = arith.mulf %x, %x : f64
      affine.store %y, %A[%i, %j] : memref<?x?xf64>
    }
  }
  func.return
}

// The row %b is read again and again: it does not count.
// CHECK-LABEL: func.func @unknown
// CHECK-NEXT:    [[EACH:%.*]] = arith.constant 8 : index
// CHECK-NEXT:    [[DOWN:%.*]] = affine.apply affine_map<(d0) -> ((d0 + -2))> (%n)
// CHECK-NEXT:    [[SOME:%.*]] = arith.muli [[EACH]], [[DOWN]] : index
// CHECK-NEXT:    [[ALL:%.*]] = arith.muli [[SOME]], %m : index
// CHECK-NEXT:    [[LEAST:%.*]] = arith.constant {{[0-9]+}} : index
// CHECK-NEXT:    [[MUCH:%.*]] = arith.cmpi sge, [[ALL]], [[LEAST]] : index
// CHECK-NEXT:    [[ROW:%.*]] = affine.apply affine_map<(d0) -> ((d0 * 8))> (%m)
// CHECK-NEXT:    [[SHORT:%.*]] = arith.constant 1024 : index
// CHECK-NEXT:    [[LONG:%.*]] = arith.cmpi sge, [[ROW]], [[SHORT]] : index
// CHECK-NEXT:    [[BOTH:%.*]] = arith.andi [[MUCH]], [[LONG]] : i1
// CHECK-NEXT:    scf.if [[BOTH]] {
// CHECK:           affine.store {{%.*}}, %A[{{%.*}}, {{%.*}}] : memref<?x?xf64>
// CHECK-NEXT:      } {poly.loop = #poly.loop<nontemporal = [0]>}
// CHECK:         } else {
// CHECK:           affine.store {{%.*}}, %A[{{%.*}}, {{%.*}}] : memref<?x?xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }

func.func @small(%A : memref<300x300xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to 300 {
    affine.for %j = 0 to 300 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<300x300xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @small
// CHECK-NOT:     nontemporal

func.func @short_rows(%n : index, %A : memref<?x3xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 3 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<?x3xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @short_rows
// CHECK-NOT:     nontemporal

func.func @read_as_well(%A : memref<30000x30000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 30000 {
    affine.for %j = 0 to 30000 {
      %a = affine.load %A[%i, %j] : memref<30000x30000xf64>
      %x = arith.mulf %a, %a : f64
      affine.store %x, %A[%i, %j] : memref<30000x30000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @read_as_well
// CHECK-NOT:     nontemporal

func.func @again_and_again(%A : memref<30000x30000xf64> {llvm.noalias}, %B : memref<30000x30000xf64> {llvm.noalias}) {
  affine.for %t = 0 to 10 {
    affine.for %i = 0 to 30000 {
      affine.for %j = 0 to 30000 {
        %b = affine.load %B[%i, %j] : memref<30000x30000xf64>
        %x = arith.mulf %b, %b : f64
        affine.store %x, %A[%i, %j] : memref<30000x30000xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @again_and_again
// CHECK-NOT:     nontemporal

func.func @perhaps_read(%n : index, %A : memref<30000x30000xf64>, %B : memref<30000x30000xf64>) {
  affine.for %i = 0 to 30000 {
    affine.for %j = 0 to 30000 {
      %b = affine.load %B[%i, %j] : memref<30000x30000xf64>
      %x = arith.mulf %b, %b : f64
      affine.store %x, %A[%i, %j] : memref<30000x30000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @perhaps_read
// CHECK-NOT:     nontemporal

func.func @copied(%A : memref<30000x30000xf64> {llvm.noalias}, %B : memref<30000x30000xf64> {llvm.noalias}) {
  affine.for %i = 0 to 30000 {
    affine.for %j = 0 to 30000 {
      %b = affine.load %B[%i, %j] : memref<30000x30000xf64>
      affine.store %b, %A[%i, %j] : memref<30000x30000xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @copied
// CHECK-NOT:     nontemporal

// A recurrence down columns, in a thread's share of them: what it has just stored it takes as a value, and all
// threads together store as much as both arrays have.
func.func @down_columns(%n : index, %part : index, %rows : index, %A : memref<?x?xf32> {llvm.noalias}, %B : memref<?x?xf32> {llvm.noalias}, %s : memref<?xf32> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %first, %last = team.share %zero to %part of %zero to %n
  affine.for %i = 0 to %rows {
    affine.for %j = %first to %last {
      %b = affine.load %B[%i, %j] : memref<?x?xf32>
      %before = affine.load %s[%j] : memref<?xf32>
      %x = arith.addf %b, %before : f32
      affine.store %x, %A[%i, %j] : memref<?x?xf32>
      %y = affine.load %A[%i, %j] : memref<?x?xf32>
      affine.store %y, %s[%j] : memref<?xf32>
    } {poly.loop = #poly.loop<parallel>}
  }
  func.return
}

// CHECK-LABEL: func.func @down_columns
// CHECK:         [[FIRST:%.*]], [[LAST:%.*]] = team.share
// CHECK-NEXT:    [[EACH:%.*]] = arith.constant 8 : index
// CHECK-NEXT:    [[DOWN:%.*]] = arith.muli [[EACH]], %rows : index
// CHECK-NEXT:    [[ALL:%.*]] = arith.muli [[DOWN]], %n : index
// CHECK:         [[ROW:%.*]] = affine.apply affine_map<{{.*}}> ([[LAST]], [[FIRST]])
// CHECK:         scf.if
// CHECK:           affine.store [[X:%.*]], %A[{{%.*}}, {{%.*}}] : memref<?x?xf32>
// CHECK-NEXT:      affine.store [[X]], %s[{{%.*}}] : memref<?xf32>
// CHECK-NEXT:    } {poly.loop = #poly.loop<parallel, nontemporal = [0]>}
// CHECK:       } else {
// CHECK:         affine.load %A
