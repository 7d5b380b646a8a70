// RUN: polyopt-opt %s -p 'affine-stage-tables{march="icelake-server"}' | filecheck %s

// What lies between the least and the greatest place that is read comes into a table, if there are
// iterations enough for that.
// CHECK-LABEL: func.func @translate
// CHECK:         %t_1 = memref.alloca() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NEXT:    "affine.if"(%n) <{condition = affine_set<(d0) : ((d0 + -192) >= 0)>}> ({
// CHECK-NEXT:      %[[LOW:.*]] = memref.alloca() : memref<i8>
// CHECK-NEXT:      %[[HIGH:.*]] = memref.alloca() : memref<i8>
// CHECK-NEXT:      %{{.*}} = arith.constant -1 : i8
// CHECK-NEXT:      affine.store %{{.*}}, %[[LOW]][] : memref<i8>
// CHECK-NEXT:      %{{.*}} = arith.constant 0 : i8
// CHECK-NEXT:      affine.store %{{.*}}, %[[HIGH]][] : memref<i8>
// CHECK-NEXT:      affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) {
// CHECK-NEXT:        %[[K:.*]] = affine.load %s[%i] : memref<?xi8>
// CHECK-NEXT:        affine.load %[[LOW]][]
// CHECK-NEXT:        arith.minui %{{.*}}, %[[K]] : i8
// CHECK:             arith.maxui %{{.*}}, %[[K]] : i8
// CHECK:           } {poly.loop = #poly.loop<reduces = ["least", "greatest"]>}
// CHECK:           affine.for %k = affine_map<(d0) -> (d0)>(%{{.*}}) to affine_map<(d0) -> ((d0 + 1))>(%{{.*}}) {
// CHECK-NEXT:        %[[B:.*]] = affine.load %t[%k] : memref<?xi8>
// CHECK-NEXT:        affine.store %[[B]], %t_1[%k] : memref<256xi8>
// CHECK-NEXT:      } {poly.loop = #poly.loop<parallel>}
// CHECK-NEXT:      affine.for
// CHECK:             %v = memref.load %t_1[%{{.*}}] : memref<256xi8>
// CHECK:           affine.yield
// CHECK-NEXT:    }, {
// CHECK-NEXT:      affine.for
// CHECK:             %v_1 = memref.load %t[%{{.*}}] : memref<?xi8>
func.func @translate(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias},
                     %t: memref<?xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %v = memref.load %t[%k] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// In place, rows of a picture: all of it is gone through in front of it, where it has an element.
// A member of a struct begins somewhere; of high nibbles there are 16.
// CHECK-LABEL: func.func @picture
// CHECK:         %m_1 = memref.alloca() {alignment = 64 : i64} : memref<16xi8>
// CHECK-NEXT:    "affine.if"(%h, %w) <{condition = affine_set<(d0, d1) : ((d0 + -1) >= 0, (d1 + -1) >= 0)>}> ({
// CHECK:           affine.for %i
// CHECK-NEXT:        affine.for %j
// CHECK-NEXT:          %[[P:.*]] = affine.load %p[%i, %j]
// CHECK-NEXT:          %[[FOUR:.*]] = arith.constant 4 : i8
// CHECK-NEXT:          %[[N:.*]] = arith.shrui %[[P]], %[[FOUR]] : i8
// CHECK:           affine.for %k
// CHECK-NEXT:        affine.load %m[%k + 24] : memref<?xi8>
// CHECK:         affine.for
// CHECK-NEXT:      affine.for
// CHECK:             memref.load %m_1[%{{.*}}] : memref<16xi8>
func.func @picture(%p: memref<?x?xi8> {llvm.noalias}, %m: memref<?xi8> {llvm.noalias},
                   %h: index, %w: index) {
  affine.for %i = 0 to %h {
    affine.for %j = 0 to %w {
      %b = affine.load %p[%i, %j] : memref<?x?xi8>
      %x = arith.extui %b : i8 to i64
      %n = arith.index_cast %x : i64 to index
      %c16 = arith.constant 16 : index
      %q = arith.floordivsi %n, %c16 : index
      %c24 = arith.constant 24 : index
      %k = arith.addi %q, %c24 : index
      %v = memref.load %m[%k] : memref<?xi8>
      affine.store %v, %p[%i, %j] : memref<?x?xi8>
    }
  }
  func.return
}

// An object that is known to be as long is looked up itself.
// CHECK-LABEL: func.func @known
// CHECK:         %[[AT:.*]] = cmem.address %g[%{{.*}}] : memref<?xi8>
// CHECK-NEXT:    %g_1 = cmem.view %[[AT]][] : memref<256xi8>
// CHECK-NEXT:    affine.for
// CHECK:           memref.load %g_1
// CHECK-NOT:     affine.for
cmem.global "external" @table size 300 align 1
func.func @known(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi8> {llvm.noalias}, %n: index) {
  %a = cmem.address_of @table
  %g = cmem.view %a[] : memref<?xi8>
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi8>
    %w = arith.extui %b : i8 to i64
    %k = arith.index_cast %w : i64 to index
    %c44 = arith.constant 44 : index
    %at = arith.addi %k, %c44 : index
    %v = memref.load %g[%at] : memref<?xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}

// Of a table that is in registers anyway, places become bytes.
// CHECK-LABEL: func.func @masked
// CHECK:         %[[W:.*]] = affine.load %s
// CHECK:         %[[LOW:.*]] = arith.trunci %[[W]] : i16 to i8
// CHECK:         %[[BYTE:.*]] = arith.andi %[[LOW]], %{{.*}} : i8
// CHECK-NEXT:    arith.extui %[[BYTE]] : i8 to i64
func.func @masked(%d: memref<?xi8> {llvm.noalias}, %s: memref<?xi16> {llvm.noalias},
                  %t: memref<64xi8> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to %n {
    %b = affine.load %s[%i] : memref<?xi16>
    %x = arith.index_cast %b : i16 to index
    %c64 = arith.constant 64 : index
    %q = arith.floordivsi %x, %c64 : index
    %p = arith.muli %q, %c64 : index
    %k = arith.subi %x, %p : index
    %v = memref.load %t[%k] : memref<64xi8>
    affine.store %v, %d[%i] : memref<?xi8>
  }
  func.return
}
