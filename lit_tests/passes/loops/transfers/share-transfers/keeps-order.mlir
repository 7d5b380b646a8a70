// What may meet, or is not known, comes in the order of the program.
// RUN: polyopt-opt %s -p share-transfers | filecheck %s

// One element on: seven of eight lanes are the same, and so are none of the values.
// CHECK-LABEL: func.func @overlaps
// CHECK-NEXT:    %a = pvec.read %A[%v + 1]
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    %b = pvec.read %A[%v + 1]
// CHECK-NEXT:    pvec.write %a, %A[%v + 8]
// CHECK-NEXT:    pvec.write %b, %A[%v + 9]
func.func @overlaps(%A : memref<?xf64>, %v : index, %x : vector<8xf64>) {
  %a = pvec.read %A[%v + 1] : memref<?xf64>, vector<8xf64>
  pvec.write %x, %A[%v] : memref<?xf64>, vector<8xf64>
  %b = pvec.read %A[%v + 1] : memref<?xf64>, vector<8xf64>
  pvec.write %a, %A[%v + 8] : memref<?xf64>, vector<8xf64>
  pvec.write %b, %A[%v + 9] : memref<?xf64>, vector<8xf64>
  func.return
}

// Of another mask's lanes memory may know more than the register: lanes of both are the register's.
// CHECK-LABEL: func.func @other_lanes
// CHECK-NEXT:    [[HELD:%.*]] = pvec.read %A[%v] masked %n
// CHECK-NEXT:    pvec.select %m, %x, [[HELD]]
func.func @other_lanes(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %m : vector<4xi1>, %n : vector<4xi1>) {
  pvec.write %x, %A[%v] masked %m : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v] masked %n : memref<?xf64>, vector<4xf64>
  func.return
}

// Arrays that may be one.
// CHECK-LABEL: func.func @arrays
// CHECK-NEXT:    pvec.read %B[%v]
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    pvec.read %B[%v]
func.func @arrays(%A : memref<?xf64>, %B : memref<?xf64>, %v : index, %x : vector<4xf64>) {
  %a = pvec.read %B[%v] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %B[%v] : memref<?xf64>, vector<4xf64>
  func.return
}

// A scalar load sees what was written; what gathers does too; a call may do anything.
// CHECK-LABEL: func.func @others
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    affine.load %A[%v]
// CHECK-NEXT:    pvec.read %A[%v + 4]
// CHECK-NEXT:    affine.store %s, %A[%v + 5]
// CHECK-NEXT:    pvec.read %A[%v + 4]
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    pvec.gather %A[%k]
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    func.call @any()
// CHECK-NEXT:    pvec.read %A[%v]
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    affine.for
func.func private @any()
func.func @others(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %s : f64, %k : vector<4xi64>) {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %a = affine.load %A[%v] : memref<?xf64>
  %b = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
  affine.store %s, %A[%v + 5] : memref<?xf64>
  %c = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %g = pvec.gather %A[%k] : memref<?xf64>, vector<4xi64> -> vector<4xf64>
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  func.call @any() : () -> ()
  %d = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  affine.for %i = 0 to 4 {
    affine.store %s, %A[%i] : memref<?xf64>
  }
  func.return
}

// A subscript that divides says nothing of where it is.
// CHECK-LABEL: func.func @halves
// CHECK-NEXT:    pvec.write %x, %A[%v]
// CHECK-NEXT:    pvec.read %A[%v floordiv 2]
func.func @halves(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v floordiv 2] : memref<?xf64>, vector<4xf64>
  func.return
}
