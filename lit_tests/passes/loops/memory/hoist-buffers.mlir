// Buffers of a loop's iterations are allocated once before it; those that live together are parts
// of one piece, each at a multiple of 64 bytes.
// RUN: polyopt-opt %s -p hoist-buffers | filecheck %s

// CHECK-LABEL: @out_of_two_loops
// CHECK:         %size = affine.min affine_map<(d0) -> (d0, 100)> (%n)
// CHECK-NEXT:    [[ZERO:%\S+]] = arith.constant 0 : index
// CHECK-NEXT:    [[SIZE:%\S+]] = arith.maxsi %size, [[ZERO]] : index
// CHECK-NEXT:    %b = memref.alloc([[SIZE]]) : memref<?x4xf64>
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK:           affine.for %j = 0 to %n {
// CHECK-NOT:         memref.alloc
// CHECK:         memref.dealloc %b
// CHECK-NEXT:    func.return
func.func @out_of_two_loops(%n : index, %x : f64) {
  affine.for %i = 0 to %n {
    "affine.if"(%n) <{condition = affine_set<(d0) : (d0 - 8 >= 0)>}> ({
      affine.for %j = 0 to %n {
        %size = affine.min affine_map<(d0) -> (d0, 100)>(%n)
        %b = memref.alloc(%size) : memref<?x4xf64>
        affine.store %x, %b[%j, 0] : memref<?x4xf64>
        memref.dealloc %b : memref<?x4xf64>
      }
      affine.yield
    }, {}) : (index) -> ()
  }
  func.return
}

// The size is that of the row: the buffer stays in the loop over rows.
// CHECK-LABEL: @size_of_the_row
// CHECK:         affine.for %i = 0 to %n {
// CHECK-NEXT:      [[ZERO:%\S+]] = arith.constant 0 : index
// CHECK-NEXT:      [[SIZE:%\S+]] = arith.maxsi %i, [[ZERO]] : index
// CHECK-NEXT:      %b = memref.alloc([[SIZE]])
// CHECK-NEXT:      affine.for %j
// CHECK:           }
// CHECK-NEXT:      memref.dealloc %b
func.func @size_of_the_row(%n : index, %x : f64) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %i {
      %b = memref.alloc(%i) : memref<?xf64>
      affine.store %x, %b[%j] : memref<?xf64>
      memref.dealloc %b : memref<?xf64>
    }
  }
  func.return
}

// A loop without iterations must not divide.
// CHECK-LABEL: @quotient
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %size = arith.divsi %n, %m : index
// CHECK-NEXT:      %b = memref.alloc(%size)
func.func @quotient(%n : index, %m : index, %x : f64) {
  affine.for %i = 0 to %n {
    %size = arith.divsi %n, %m : index
    %b = memref.alloc(%size) : memref<?xf64>
    affine.store %x, %b[0] : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  func.return
}

// Freed on one way only, or by somebody else: nothing is known of these.
// CHECK-LABEL: @not_freed_here
// CHECK-NEXT:    affine.for %i = 0 to %n {
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf64>
// CHECK-NEXT:      %c = memref.alloc() : memref<8xf64>
func.func @not_freed_here(%n : index, %x : f64) {
  affine.for %i = 0 to %n {
    %b = memref.alloc() : memref<8xf64>
    %c = memref.alloc() : memref<8xf64>
    affine.store %x, %c[0] : memref<8xf64>
    "affine.if"(%i) <{condition = affine_set<(d0) : (d0 - 8 >= 0)>}> ({
      memref.dealloc %b : memref<8xf64>
      affine.yield
    }, {}) : (index) -> ()
  }
  func.return
}

// CHECK-LABEL: @neighbours
// CHECK:         %buffers = memref.alloc({{%\S+}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NEXT:    [[A:%\S+]] = memref.view %buffers[{{%\S+}}][%n] : memref<?xi8> to memref<?x3xf32>
// CHECK-NEXT:    [[B:%\S+]] = memref.view %buffers[{{%\S+}}][%m] : memref<?xi8> to memref<?xf64>
// CHECK-NEXT:    [[P:%\S+]], [[Q:%\S+]] = cmem.distinct_objects [[A]], [[B]] : memref<?x3xf32>, memref<?xf64>
// CHECK-NEXT:    %c = memref.alloc(%m) : memref<?xf64>
// CHECK-NEXT:    affine.store %y, [[P]][0, 0]
// CHECK-NEXT:    affine.store %x, [[Q]][0]
// CHECK-NEXT:    memref.dealloc %buffers
// CHECK-NEXT:    affine.store
// CHECK-NEXT:    memref.dealloc %c
// CHECK-NEXT:    func.return
func.func @neighbours(%n : index, %m : index, %x : f64, %y : f32) {
  %a = memref.alloc(%n) : memref<?x3xf32>
  %b = memref.alloc(%m) : memref<?xf64>
  %c = memref.alloc(%m) : memref<?xf64>
  affine.store %y, %a[0, 0] : memref<?x3xf32>
  affine.store %x, %b[0] : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  memref.dealloc %a : memref<?x3xf32>
  affine.store %x, %c[0] : memref<?xf64>
  memref.dealloc %c : memref<?xf64>
  func.return
}
