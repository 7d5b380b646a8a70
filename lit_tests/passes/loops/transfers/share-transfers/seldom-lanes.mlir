// What is only for lanes that data choose runs where any lane is chosen: reads, what is computed of
// them, and the writes; not what is needed elsewhere, nor what a later write may change, nor a write
// that reads nothing of its own; and not where a mask says where the loop ends.
// RUN: polyopt-opt %s -p 'share-transfers' | filecheck %s

func.func @seldom(%A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}, %n : index, %zero : vector<4xf64>) {
  affine.for %v = 0 to %n step 4 {
    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
    %m = pvec.cmpf "olt", %a, %zero : vector<4xf64> -> vector<4xi1>
    %b = pvec.read %B[%v] masked %m : memref<?xf64>, vector<4xf64>
    %c = pvec.read %C[%v] masked %m : memref<?xf64>, vector<4xf64>
    %s = arith.mulf %b, %c : vector<4xf64>
    pvec.write %s, %B[%v] masked %m : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @seldom(
// CHECK:           [[ANY:%.*]] = vector.reduction <or>, %m : vector<4xi1> into i1
// CHECK-NEXT:      scf.if [[ANY]] {
// CHECK-NEXT:        pvec.read %B[%v] masked %m
// CHECK-NEXT:        pvec.read %C[%v] masked %m
// CHECK-NEXT:        arith.mulf
// CHECK-NEXT:        pvec.write {{.*}}, %B[%v] masked %m
// CHECK-NEXT:      }

// Several vectors in a step, each with a mask of its own: each gets its branch, with all that only it needs.
func.func @in_a_step(%A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}, %n : index, %zero : vector<4xf64>) {
  affine.for %v = 0 to %n step 12 {
    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
    %m = pvec.cmpf "olt", %a, %zero : vector<4xf64> -> vector<4xi1>
    %b = pvec.read %B[%v] masked %m : memref<?xf64>, vector<4xf64>
    pvec.write %b, %C[%v] masked %m : memref<?xf64>, vector<4xf64>
    %a2 = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
    %m2 = pvec.cmpf "olt", %a2, %zero : vector<4xf64> -> vector<4xi1>
    %b2 = pvec.read %B[%v + 4] masked %m2 : memref<?xf64>, vector<4xf64>
    pvec.write %b2, %C[%v + 4] masked %m2 : memref<?xf64>, vector<4xf64>
    %a3 = pvec.read %A[%v + 8] : memref<?xf64>, vector<4xf64>
    %m3 = pvec.cmpf "olt", %a3, %zero : vector<4xf64> -> vector<4xi1>
    %b3 = pvec.read %B[%v + 8] masked %m3 : memref<?xf64>, vector<4xf64>
    pvec.write %b3, %C[%v + 8] masked %m3 : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @in_a_step(
// CHECK-NOT:       pvec.read %B
// CHECK:           scf.if
// CHECK-NEXT:        pvec.read %B[%v] masked %m
// CHECK-NEXT:        pvec.write {{.*}}, %C[%v] masked %m
// CHECK-NEXT:      }
// CHECK-NEXT:      vector.reduction <or>, %m2
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        pvec.read %B[%v + 4] masked %m2
// CHECK-NEXT:        pvec.write {{.*}}, %C[%v + 4] masked %m2
// CHECK-NEXT:      }
// CHECK-NEXT:      vector.reduction <or>, %m3
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        pvec.read %B[%v + 8] masked %m3
// CHECK-NEXT:        pvec.write {{.*}}, %C[%v + 8] masked %m3

func.func @nothing_read(%A : memref<?xf64> {llvm.noalias}, %n : index, %zero : vector<4xf64>) {
  affine.for %v = 0 to %n step 4 {
    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
    %m = pvec.cmpf "olt", %a, %zero : vector<4xf64> -> vector<4xi1>
    pvec.write %zero, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @nothing_read(
// CHECK-NOT:     scf.if

func.func @at_the_end(%A : memref<?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %n : index) {
  affine.for %v = 0 to %n step 4 {
    %m = vector.create_mask %v : vector<4xi1>
    %b = pvec.read %B[%v] masked %m : memref<?xf64>, vector<4xf64>
    pvec.write %b, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @at_the_end(
// CHECK-NOT:     scf.if

// The element behind is written by all lanes before: the read stays in front of that.
func.func @changed_between(%A : memref<?xf64>, %B : memref<?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}, %n : index, %zero : vector<4xf64>) {
  affine.for %v = 0 to %n step 4 {
    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
    %m = pvec.cmpf "olt", %a, %zero : vector<4xf64> -> vector<4xi1>
    %b = pvec.read %A[%v + 1] masked %m : memref<?xf64>, vector<4xf64>
    pvec.write %zero, %A[%v] : memref<?xf64>, vector<4xf64>
    %c = pvec.read %C[%v] masked %m : memref<?xf64>, vector<4xf64>
    %s = arith.mulf %b, %c : vector<4xf64>
    pvec.write %s, %B[%v] masked %m : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @changed_between(
// CHECK:           [[B:%.*]] = pvec.read %A[%v + 1] masked %m
// CHECK:           pvec.write %zero, %A[%v]
// CHECK:           scf.if
// CHECK-NEXT:        [[C:%.*]] = pvec.read %C[%v] masked %m
// CHECK-NEXT:        arith.mulf [[B]], [[C]]

// Under one mask after a write under another one: what memory holds, and what waits over it; both
// are written at once.
func.func @two_masks(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %m : vector<4xi1>, %o : vector<4xi1>) {
  pvec.write %x, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  %a = pvec.read %A[%v] masked %o : memref<?xf64>, vector<4xf64>
  %y = arith.addf %a, %x : vector<4xf64>
  pvec.write %y, %A[%v] masked %o : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @two_masks(
// CHECK-NEXT:    [[HELD:%.*]] = pvec.read %A[%v] masked %o
// CHECK-NEXT:    [[NOW:%.*]] = pvec.select %m, %x, [[HELD]]
// CHECK-NEXT:    [[Y:%.*]] = arith.addf [[NOW]], %x
// CHECK-NEXT:    [[BOTH:%.*]] = pvec.select %o, [[Y]], %x
// CHECK-NEXT:    [[EITHER:%.*]] = arith.ori %m, %o
// CHECK-NEXT:    pvec.write [[BOTH]], %A[%v] masked [[EITHER]]
