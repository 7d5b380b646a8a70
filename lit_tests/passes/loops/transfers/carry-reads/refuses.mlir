// Rows that may be written to, vectors of half a line, bytes, loops too short, gaps between the reads.
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v4}' | filecheck %s
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v3}' | filecheck %s
// CHECK-NOT: vector.shuffle

// Nobody says that these are two arrays.
func.func @may_be_one(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %A[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %A[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %B[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// The row that is read is the one that is written, if %i is %k.
func.func @row(%A : memref<?x?xf64>, %i : index, %k : index, %n : index) {
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %A[%i, %v + -1] : memref<?x?xf64>, vector<8xf64>
    %y = pvec.read %A[%i, %v + 1] : memref<?x?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %A[%k, %v] : memref<?x?xf64>, vector<8xf64>
  }
  func.return
}

// A call may write to anything.
func.func private @any()
func.func @calls(%A : memref<?xf64>, %n : index) {
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %A[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %A[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    func.call @any() : () -> ()
  }
  func.return
}

// A vector of bytes takes three operations to be put together.
func.func @bytes(%A : memref<?xi8>, %B : memref<?xi8>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xi8>, memref<?xi8> -> memref<?xi8>, memref<?xi8>
  affine.for %v = 1 to %n step 64 {
    %x = pvec.read %a[%v + -1] : memref<?xi8>, vector<64xi8>
    %y = pvec.read %a[%v + 1] : memref<?xi8>, vector<64xi8>
    %s = arith.addi %x, %y : vector<64xi8>
    pvec.write %s, %b[%v] : memref<?xi8>, vector<64xi8>
  }
  func.return
}

// Loads of half a line are split half of the time.
func.func @half(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to %n step 4 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<4xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<4xf64>
    %s = arith.addf %x, %y : vector<4xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<4xf64>
  }
  func.return
}

// Two steps do not pay for what is read in front of them.
func.func @short(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to 17 step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// Nor do eight, where the bounds do not show them: a fact says so.
func.func @at_most(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  } {poly.loop = #poly.loop<at_most = 8>}
  func.return
}

// Between the first read and the second lie elements that the loop may never read.
func.func @gap(%A : memref<?xf64>, %B : memref<?xf64>, %n : index) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to %n step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 11] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}
