// At the edges: two writes of one place, a write of what was read, vectors of one lane, a call
// between two reads, and places that touch without meeting.
// RUN: polyopt-opt %s -p 'share-transfers' | filecheck %s

func.func private @changes() -> ()

// Nobody can see the first.
func.func @twice(%A : memref<?xf64>, %v : index, %x : vector<4xf64>, %y : vector<4xf64>) {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  pvec.write %y, %A[%v] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @twice(
// CHECK-NEXT:    pvec.write %y, %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return

func.func @itself(%A : memref<?xf64>, %v : index) {
  %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  pvec.write %a, %A[%v] : memref<?xf64>, vector<4xf64>
  func.return
}

// CHECK-LABEL: func.func @itself(
// CHECK-NEXT:    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    pvec.write %a, %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return

func.func @one_lane(%A : memref<?xf64>, %v : index, %x : vector<1xf64>) -> vector<1xf64> {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<1xf64>
  %a = pvec.read %A[%v] : memref<?xf64>, vector<1xf64>
  func.return %a : vector<1xf64>
}

// CHECK-LABEL: func.func @one_lane(
// CHECK-NEXT:    pvec.write %x, %A[%v] : memref<?xf64>, vector<1xf64>
// CHECK-NEXT:    func.return %x : vector<1xf64>

// It may have written.
func.func @call(%A : memref<?xf64>, %v : index) -> (vector<4xf64>, vector<4xf64>) {
  %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  func.call @changes() : () -> ()
  %b = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
  func.return %a, %b : vector<4xf64>, vector<4xf64>
}

// CHECK-LABEL: func.func @call(
// CHECK-NEXT:    %a = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.call @changes() : () -> ()
// CHECK-NEXT:    %b = pvec.read %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return %a, %b : vector<4xf64>, vector<4xf64>

// Lanes v + 4 and on are behind those that are written: the read does not wait.
func.func @next(%A : memref<?xf64>, %v : index, %x : vector<4xf64>) -> vector<4xf64> {
  pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
  %a = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
  %b = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
  %c = arith.addf %a, %b : vector<4xf64>
  func.return %c : vector<4xf64>
}

// CHECK-LABEL: func.func @next(
// CHECK-NEXT:    %a = pvec.read %A[%v + 4] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    %c = arith.addf %a, %a : vector<4xf64>
// CHECK-NEXT:    pvec.write %x, %A[%v] : memref<?xf64>, vector<4xf64>
// CHECK-NEXT:    func.return %c : vector<4xf64>
