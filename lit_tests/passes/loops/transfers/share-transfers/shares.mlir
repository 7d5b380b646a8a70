// Each vector is read once; writes wait, and what they write is taken from registers.
// RUN: polyopt-opt %s -p share-transfers | filecheck %s

// CHECK-LABEL: func.func @reads
// CHECK-NEXT:    %a = pvec.read %A[%v] :
// CHECK-NEXT:    arith.addf %a, %a
// CHECK-NEXT:    func.return
func.func @reads(%A : memref<?xf64>, %v : index) {
  %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  %s = arith.addf %a, %b : vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @forwards
// CHECK-NEXT:    [[S:%.*]] = arith.addf %x, %x
// CHECK-NEXT:    pvec.write [[S]], %A[%v] :
// CHECK-NEXT:    func.return
func.func @forwards(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  %s = arith.addf %x, %b : vector<4xf64>
  pvec.write %s, %A[%v] : memref<?xf64>, vector<4xf64>
  func.return
}

// Behind a write in turns each of its vectors is known; what lies in between, as before.
// CHECK-LABEL: func.func @in_turns
// CHECK-NEXT:    %a = pvec.read %A[%v * 4 + 1]
// CHECK-NEXT:    %b = pvec.read %A[%v * 4 + 2]
// CHECK-NEXT:    pvec.write_in_turns (%x, %y), %A[%v * 4] by [4] at [0, 2]
// CHECK-NEXT:    arith.addf %y, %a
// CHECK-NEXT:    func.return
func.func @in_turns(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>) {
  %a = pvec.read %A[%v * 4 + 1] by [4] within [0, 1] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v * 4 + 2] by [4] within [-1, 0] : memref<?xf64>, vector<4xf64>
  pvec.write_in_turns (%x, %y), %A[%v * 4] by [4] at [0, 2] : memref<?xf64>, vector<4xf64>
  %c = pvec.read %A[%v * 4 + 2] by [4] within [-1, 0] : memref<?xf64>, vector<4xf64>
  %d = pvec.read %A[%v * 4 + 1] by [4] within [0, 1] : memref<?xf64>, vector<4xf64>
  %s = arith.addf %c, %d : vector<4xf64>
  func.return
}

// All lanes are known: those of a mask are, too. A write of some lanes goes over those of all.
// CHECK-LABEL: func.func @some_lanes
// CHECK-NEXT:    [[S:%.*]] = arith.addf %x, %y
// CHECK-NEXT:    [[B:%.*]] = pvec.select %m, [[S]], %x
// CHECK-NEXT:    pvec.write [[B]], %A[%v] :
// CHECK-NEXT:    func.return
func.func @some_lanes(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>, %m : vector<4xi1>) {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  %s = arith.addf %b, %y : vector<4xf64>
  pvec.write %s, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  func.return
}

// Of two masks, either.
// CHECK-LABEL: func.func @either
// CHECK-NEXT:    [[V:%.*]] = pvec.select %n, %y, %x
// CHECK-NEXT:    [[E:%.*]] = arith.ori %m, %n
// CHECK-NEXT:    pvec.write [[V]], %A[%v] masked [[E]]
func.func @either(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>, %m : vector<4xi1>, %n : vector<4xi1>) {
  pvec.write %x, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  pvec.write %y, %A[%v] masked %n : memref<?xf64>, vector<4xf64>
  func.return
}

// The next row, the next vector, elements in between: they cannot meet, and writes wait on.
// CHECK-LABEL: func.func @apart
// CHECK-NEXT:    pvec.read %A[%i + 1, %v]
// CHECK-NEXT:    pvec.read %A[%i, %v + 4]
// CHECK-NEXT:    pvec.read %B[%v * 2 + 1]
// CHECK-NEXT:    pvec.write %x, %A[%i, %v]
// CHECK-NEXT:    pvec.write %x, %B[%v * 2] by [2]
func.func @apart(%A : memref<?x?xf64> {llvm.noalias}, %B : memref<?xf64> {llvm.noalias}, %i : index, %v : index, %x : vector<4xf64>) {
  pvec.write %x, %A[%i, %v] : memref<?x?xf64>, vector<4xf64>
  pvec.write %x, %B[%v * 2] by [2] : memref<?xf64>, vector<4xf64>
  %a = pvec.read %A[%i + 1, %v] : memref<?x?xf64>, vector<4xf64>
  %b = pvec.read %A[%i, %v + 4] : memref<?x?xf64>, vector<4xf64>
  %c = pvec.read %B[%v * 2 + 1] by [2] : memref<?xf64>, vector<4xf64>
  func.return
}
