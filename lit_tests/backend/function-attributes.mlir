// What holds for the values of a whole function stands on the function, so that LLVM may say it of the
// operations that it makes itself; and the widest vector that is to be one register: none where only
// LLVM makes vectors, else the widest of the function's own; all there are where bytes are widened, but for
// those that are looked up, by data or quotients.
// RUN: polyopt-opt %s -t polyopt-llvm | filecheck %s

builtin.module attributes {polyopt.fastmath = #arith.fastmath<nnan,nsz,afn>} {
  func.func @scalars(%a : f64, %b : f64) -> f64 {
    %c = arith.addf %a, %b : f64
    func.return %c : f64
  }
  func.func @vectors(%A : memref<?xf32>, %B : memref<?xf32>, %i : index) {
    %v = vector.load %A[%i] : memref<?xf32>, vector<8xf32>
    %w = vector.load %A[%i] : memref<?xf32>, vector<16xf32>
    %m = arith.cmpf olt, %w, %w : vector<16xf32>
    vector.store %w, %B[%i] : memref<?xf32>, vector<16xf32>
    func.return
  }
  func.func @masks(%A : memref<?xi8>, %B : memref<?xi8>, %i : index) {
    %v = vector.load %A[%i] : memref<?xi8>, vector<32xi8>
    %m = arith.cmpi slt, %v, %v : vector<32xi8>
    func.return
  }
  func.func @bytes(%A : memref<?xi8>, %B : memref<?xi32>, %i : index) {
    %x = memref.load %A[%i] : memref<?xi8>
    %y = arith.extui %x : i8 to i32
    memref.store %y, %B[%i] : memref<?xi32>
    func.return
  }
  func.func @table(%A : memref<?xi8>, %T : memref<64xi8>, %i : index) {
    %x = memref.load %A[%i] : memref<?xi8>
    %k = arith.index_cast %x : i8 to index
    %y = memref.load %T[%k] : memref<64xi8>
    memref.store %y, %A[%i] : memref<?xi8>
    func.return
  }
  func.func @nearest(%A : memref<?xi8>, %B : memref<?xi8>, %i : index, %n : i32, %w : i32) {
    %variable = memref.alloca() : memref<i32>
    %m = arith.muli %n, %w : i32
    %q = arith.divsi %m, %w : i32
    memref.store %q, %variable[] : memref<i32>
    %again = memref.load %variable[] : memref<i32>
    %k = arith.index_cast %again : i32 to index
    %x = memref.load %A[%k] : memref<?xi8>
    memref.store %x, %B[%i] : memref<?xi8>
    func.return
  }
  func.func @counted(%A : memref<?xi8>, %B : memref<?xi8>, %n : i32) {
    %variable = memref.alloca() : memref<i32>
    %i = memref.load %variable[] : memref<i32>
    %next = arith.addi %i, %n : i32
    memref.store %next, %variable[] : memref<i32>
    %k = arith.index_cast %i : i32 to index
    %x = memref.load %A[%k] : memref<?xi8>
    memref.store %x, %B[%k] : memref<?xi8>
    func.return
  }
}

// CHECK:     @scalars({{.*}}) [[SCALARS:#\d+]] {
// CHECK:     @vectors({{.*}}) [[VECTORS:#\d+]] {
// CHECK:     @masks({{.*}}) [[MASKS:#\d+]] {
// CHECK:     @bytes({{.*}}) [[VECTORS]] {
// CHECK:     @table({{.*}}) [[SCALARS]] {
// CHECK:     @nearest({{.*}}) [[SCALARS]] {
// CHECK:     @counted({{.*}}) [[VECTORS]] {
// CHECK:     attributes [[SCALARS]] = { {{.*}}"min-legal-vector-width"="0" "no-nans-fp-math"="true" "no-signed-zeros-fp-math"="true" }
// CHECK:     attributes [[VECTORS]] = { {{.*}}"min-legal-vector-width"="512" {{.*}} }
// CHECK:     attributes [[MASKS]] = { {{.*}}"min-legal-vector-width"="256" {{.*}} }
