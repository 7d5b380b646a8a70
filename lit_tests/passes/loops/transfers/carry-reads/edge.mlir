// At the edges: no step, the most steps that do not pay for what is read in front of them, one more, and
// reads that are a whole vector from each other, which are carried without a shuffle or not at all.
// RUN: polyopt-opt %s -p 'carry-reads{march=x86-64-v4}' | filecheck %s

func.func @never(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to 1 step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @never(
// CHECK-NEXT:    %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
// CHECK-NEXT:    affine.for %v = 1 to 1 step 8 {
// CHECK-NEXT:      %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %s = arith.addf %x, %y : vector<8xf64>
// CHECK-NEXT:      pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @too_few(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to 193 step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @too_few(
// CHECK-NEXT:    %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
// CHECK-NEXT:    affine.for %v = 1 to 193 step 8 {
// CHECK-NEXT:      %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %s = arith.addf %x, %y : vector<8xf64>
// CHECK-NEXT:      pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @enough(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 1 to 201 step 8 {
    %x = pvec.read %a[%v + -1] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @enough(
// CHECK-NEXT:    %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
// CHECK-NEXT:    [[V0:%\d+]] = arith.constant 6 : index
// CHECK-NEXT:    [[V1:%\d+]] = arith.constant 8 : index
// CHECK-NEXT:    [[V2:%\d+]] = pvec.range_mask [[V0]] to [[V1]] : vector<8xi1>
// CHECK-NEXT:    [[V3:%\d+]] = pvec.read %a[-6] masked [[V2]] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    [[V4:%\d+]] = affine.for %v = 1 to 201 step 8 iter_args([[V5:%\d+]] = [[V3]]) -> (vector<8xf64>) {
// CHECK-NEXT:      %y = pvec.read %a[%v + 1] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %x = vector.shuffle %y, [[V5]] [14, 15, 0, 1, 2, 3, 4, 5] : vector<8xf64>, vector<8xf64>
// CHECK-NEXT:      %s = arith.addf %x, %y : vector<8xf64>
// CHECK-NEXT:      pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      affine.yield %y : vector<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @whole(%A : memref<?xf64>, %B : memref<?xf64>) {
  %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
  affine.for %v = 0 to 800 step 8 {
    %x = pvec.read %a[%v + 0] : memref<?xf64>, vector<8xf64>
    %y = pvec.read %a[%v + 8] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %x, %y : vector<8xf64>
    pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// CHECK-LABEL: func.func @whole(
// CHECK-NEXT:    %a, %b = cmem.distinct_objects %A, %B : memref<?xf64>, memref<?xf64> -> memref<?xf64>, memref<?xf64>
// CHECK-NEXT:    affine.for %v = 0 to 800 step 8 {
// CHECK-NEXT:      %x = pvec.read %a[%v] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %y = pvec.read %a[%v + 8] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:      %s = arith.addf %x, %y : vector<8xf64>
// CHECK-NEXT:      pvec.write %s, %b[%v] : memref<?xf64>, vector<8xf64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

