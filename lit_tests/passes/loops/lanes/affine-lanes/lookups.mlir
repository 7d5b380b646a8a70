// Scores of two letters: each lane looks up its own. Nothing may be stored where it looks, and its
// subscripts are made of what it has loaded.
// RUN: polyopt-opt %s -p 'affine-lanes{march="x86-64-v3"}' | filecheck %s

func.func @scores(%n : index, %S : memref<?x701xi32>, %T : memref<24x24xi32>, %a : memref<700xi32>, %b : memref<700xi8>) {
  %s, %t, %x, %y = cmem.distinct_objects %S, %T, %a, %b : memref<?x701xi32>, memref<24x24xi32>, memref<700xi32>, memref<700xi8> -> memref<?x701xi32>, memref<24x24xi32>, memref<700xi32>, memref<700xi8>
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 701 {
      %d = affine.load %s[%i - 1, %j - 1] : memref<?x701xi32>
      %l = affine.load %s[%i, %j - 1] : memref<?x701xi32>
      %p = affine.load %x[%i - 1] : memref<700xi32>
      %q = affine.load %y[%j - 1] : memref<700xi8>
      %k = arith.extui %q : i8 to i64
      %row = arith.index_cast %p : i32 to index
      %column = arith.index_cast %k : i64 to index
      %v = memref.load %t[%row, %column] : memref<24x24xi32>
      %z = arith.addi %d, %v : i32
      %m = arith.maxsi %z, %l : i32
      affine.store %m, %s[%i, %j] : memref<?x701xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @scores
// CHECK:         pvec.gather %t[%{{.+}}, %{{.+}}] : memref<24x24xi32>, vector<4xi32>, vector<4xi32> -> vector<4xi32>
// CHECK:         pvec.gather %t[%{{.+}}, %{{.+}}] masked %{{.+}} : vector<4xi1> : memref<24x24xi32>, vector<4xi32>, vector<4xi32> -> vector<4xi32>

func.func @in_one_dimension(%n : index, %S : memref<?x701xi32>, %T : memref<?xi32>, %a : memref<700xi32>, %b : memref<700xi32>) {
  %s, %t, %x, %y = cmem.distinct_objects %S, %T, %a, %b : memref<?x701xi32>, memref<?xi32>, memref<700xi32>, memref<700xi32> -> memref<?x701xi32>, memref<?xi32>, memref<700xi32>, memref<700xi32>
  %length = arith.constant 24 : index
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 701 {
      %d = affine.load %s[%i - 1, %j - 1] : memref<?x701xi32>
      %l = affine.load %s[%i, %j - 1] : memref<?x701xi32>
      %p = affine.load %x[%i - 1] : memref<700xi32>
      %q = affine.load %y[%j - 1] : memref<700xi32>
      %row = arith.index_cast %p : i32 to index
      %begin = arith.muli %row, %length : index
      %column = arith.index_cast %q : i32 to index
      %at = arith.addi %begin, %column : index
      %v = memref.load %t[%at] : memref<?xi32>
      %z = arith.addi %d, %v : i32
      %m = arith.maxsi %z, %l : i32
      affine.store %m, %s[%i, %j] : memref<?x701xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @in_one_dimension
// CHECK:         pvec.gather %t[%{{.+}}] : memref<?xi32>, vector<8xi64> -> vector<8xi32>

func.func @may_be_stored_to(%n : index, %s : memref<?x701xi32>, %t : memref<24x24xi32>, %x : memref<700xi32>, %y : memref<700xi32>) {
  affine.for %i = 1 to %n {
    affine.for %j = 1 to 701 {
      %d = affine.load %s[%i - 1, %j - 1] : memref<?x701xi32>
      %l = affine.load %s[%i, %j - 1] : memref<?x701xi32>
      %p = affine.load %x[%i - 1] : memref<700xi32>
      %q = affine.load %y[%j - 1] : memref<700xi32>
      %row = arith.index_cast %p : i32 to index
      %column = arith.index_cast %q : i32 to index
      %v = memref.load %t[%row, %column] : memref<24x24xi32>
      %z = arith.addi %d, %v : i32
      %m = arith.maxsi %z, %l : i32
      affine.store %m, %s[%i, %j] : memref<?x701xi32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @may_be_stored_to
// CHECK-NOT:     vector<
// CHECK:         func.return
