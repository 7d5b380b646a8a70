// What is also read, what is written down its columns, and rows shorter than a kilobyte are stored as ever.
// RUN: polyopt-opt %s -p 'affine-stream{march="x86-64-v3" bytes=1048576}' | filecheck %s

// Rows of 960 bytes.
func.func @short_rows(%A : memref<?x120xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 120 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<?x120xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @short_rows(
// CHECK-NEXT:    affine.for %i = 0 to 2000 {
// CHECK-NEXT:      affine.for %j = 0 to 120 {
// CHECK-NEXT:        %x = arith.mulf %c, %c : f64
// CHECK-NEXT:        affine.store %x, %A[%i, %j] : memref<?x120xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// What is loaded is in the caches.
func.func @read_too(%A : memref<?x1024xf64> {llvm.noalias}, %c : f64) {
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to 1024 {
      %a = affine.load %A[%i, %j] : memref<?x1024xf64>
      %b = arith.addf %a, %c : f64
      affine.store %b, %A[%i, %j] : memref<?x1024xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @read_too(
// CHECK-NEXT:    affine.for %i = 0 to 200 {
// CHECK-NEXT:      affine.for %j = 0 to 1024 {
// CHECK-NEXT:        %a = affine.load %A[%i, %j] : memref<?x1024xf64>
// CHECK-NEXT:        %b = arith.addf %a, %c : f64
// CHECK-NEXT:        affine.store %b, %A[%i, %j] : memref<?x1024xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// No row is written side by side.
func.func @columns(%A : memref<?x1024xf64> {llvm.noalias}, %c : f64) {
  affine.for %j = 0 to 1024 {
    affine.for %i = 0 to 200 {
      %x = arith.mulf %c, %c : f64
      affine.store %x, %A[%i, %j] : memref<?x1024xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    affine.for %j = 0 to 1024 {
// CHECK-NEXT:      affine.for %i = 0 to 200 {
// CHECK-NEXT:        %x = arith.mulf %c, %c : f64
// CHECK-NEXT:        affine.store %x, %A[%i, %j] : memref<?x1024xf64>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// What one plane writes the next one reads: a condition around it does not make a nest of it.
// CHECK-LABEL: func.func @under_a_condition(
// CHECK-NOT:     nontemporal
// CHECK:         func.return
func.func @under_a_condition(%A : memref<9x900x900xf64>, %B : memref<9x900x900xf64>, %c : f64) {
  affine.for %i = 1 to 9 {
    "affine.if"(%i) ({
      affine.for %j = 0 to 900 {
        affine.for %k = 0 to 900 {
          %x = arith.mulf %c, %c : f64
          affine.store %x, %A[%i, %j, %k] : memref<9x900x900xf64>
        } {poly.loop = #poly.loop<parallel>}
      } {poly.loop = #poly.loop<parallel>}
      "affine.yield"() : () -> ()
    }, {}) {condition = affine_set<(d0) : (7 - d0 >= 0)>} : (index) -> ()
    affine.for %j = 0 to 900 {
      affine.for %k = 0 to 900 {
        %y = affine.load %A[%i - 1, %j, %k] : memref<9x900x900xf64>
        affine.store %y, %B[%i, %j, %k] : memref<9x900x900xf64>
      } {poly.loop = #poly.loop<parallel>}
    } {poly.loop = #poly.loop<parallel>}
  } {poly.loop = #poly.loop<serial>}
  func.return
}
