// At the edges: a product of no depth, of which nothing is read or written, and one row of one vector.
// RUN: polyopt-opt %s -p 'affine-tile-registers{march="x86-64-v3"}' | filecheck %s

func.func @no_depth(%n : index, %A : memref<?x?xf64> {llvm.noalias},
                    %B : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      affine.for %p = 0 to 0 {
        %a = affine.load %A[%i, %p] : memref<?x?xf64>
        %b = affine.load %B[%p, %j] : memref<?x?xf64>
        %ab = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %s = arith.addf %c, %ab : f64
        affine.store %s, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @no_depth(
// CHECK-NEXT:    affine.for %i = 0 to 5 step 4 {
// CHECK-NEXT:      affine.for %j = 0 to 13 step 4 {
// CHECK-NEXT:        "affine.if"() <{condition = affine_set<() : (-1 >= 0)>}> ({
// CHECK-NEXT:          [[V0:%\d+]] = pvec.read %C[%i, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[V1:%\d+]] = pvec.read %C[%i + 1, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[V2:%\d+]] = pvec.read %C[%i + 2, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[V3:%\d+]] = pvec.read %C[%i + 3, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[V4:%\d+]], [[V5:%\d+]], [[V6:%\d+]], [[V7:%\d+]] = affine.for %p = 0 to 0 iter_args([[V8:%\d+]] = [[V0]], [[V9:%\d+]] = [[V1]], [[V10:%\d+]] = [[V2]], [[V11:%\d+]] = [[V3]]) -> (vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>) {
// CHECK-NEXT:            [[V12:%\d+]] = pvec.read %B[%p, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V13:%\d+]] = pvec.read %B[%p, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V14:%\d+]] = pvec.read %B[%p, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V15:%\d+]] = pvec.read %B[%p, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V16:%\d+]] = pvec.read %A[%i, %p] by [0, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V17:%\d+]] = arith.mulf [[V16]], [[V12]] : vector<4xf64>
// CHECK-NEXT:            [[V18:%\d+]] = pvec.read %A[%i + 1, %p] by [0, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V19:%\d+]] = arith.mulf [[V18]], [[V13]] : vector<4xf64>
// CHECK-NEXT:            [[V20:%\d+]] = pvec.read %A[%i + 2, %p] by [0, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V21:%\d+]] = arith.mulf [[V20]], [[V14]] : vector<4xf64>
// CHECK-NEXT:            [[V22:%\d+]] = pvec.read %A[%i + 3, %p] by [0, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V23:%\d+]] = arith.mulf [[V22]], [[V15]] : vector<4xf64>
// CHECK-NEXT:            [[V24:%\d+]] = arith.addf [[V8]], [[V17]] : vector<4xf64>
// CHECK-NEXT:            [[V25:%\d+]] = arith.addf [[V9]], [[V19]] : vector<4xf64>
// CHECK-NEXT:            [[V26:%\d+]] = arith.addf [[V10]], [[V21]] : vector<4xf64>
// CHECK-NEXT:            [[V27:%\d+]] = arith.addf [[V11]], [[V23]] : vector<4xf64>
// CHECK-NEXT:            affine.yield [[V24]], [[V25]], [[V26]], [[V27]] : vector<4xf64>, vector<4xf64>, vector<4xf64>, vector<4xf64>
// CHECK-NEXT:          }
// CHECK-NEXT:          pvec.write [[V4]], %C[%i, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          pvec.write [[V5]], %C[%i + 1, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          pvec.write [[V6]], %C[%i + 2, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          pvec.write [[V7]], %C[%i + 3, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          affine.yield
// CHECK-NEXT:        }, {
// CHECK-NEXT:          affine.yield
// CHECK-NEXT:        }) : () -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

func.func @one_row(%n : index, %A : memref<?x?xf64> {llvm.noalias},
                    %B : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 4 {
      affine.for %p = 0 to %n {
        %a = affine.load %A[%i, %p] : memref<?x?xf64>
        %b = affine.load %B[%p, %j] : memref<?x?xf64>
        %ab = arith.mulf %a, %b : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %s = arith.addf %c, %ab : f64
        affine.store %s, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @one_row(
// CHECK-NEXT:    affine.for %i = 0 to 1 {
// CHECK-NEXT:      affine.for %j = 0 to 1 step 4 {
// CHECK-NEXT:        "affine.if"(%n) <{condition = affine_set<(d0) : ((d0 + -1) >= 0)>}> ({
// CHECK-NEXT:          [[V0:%\d+]] = pvec.read %C[%i, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          [[V1:%\d+]] = affine.for %p = 0 to affine_map<(d0) -> (d0)>(%n) iter_args([[V2:%\d+]] = [[V0]]) -> (vector<4xf64>) {
// CHECK-NEXT:            [[V3:%\d+]] = pvec.read %B[%p, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V4:%\d+]] = pvec.read %A[%i, %p] by [0, 0] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:            [[V5:%\d+]] = arith.mulf [[V4]], [[V3]] : vector<4xf64>
// CHECK-NEXT:            [[V6:%\d+]] = arith.addf [[V2]], [[V5]] : vector<4xf64>
// CHECK-NEXT:            affine.yield [[V6]] : vector<4xf64>
// CHECK-NEXT:          }
// CHECK-NEXT:          pvec.write [[V1]], %C[%i, %j] : memref<?x?xf64>, vector<4xf64>
// CHECK-NEXT:          affine.yield
// CHECK-NEXT:        }, {
// CHECK-NEXT:          affine.yield
// CHECK-NEXT:        }) : (index) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// What has been loaded outside of a nest is taken as it is, in all lanes.
func.func @loaded_outside(%n : index, %x : memref<?xf64> {llvm.noalias}, %A : memref<?x?xf64> {llvm.noalias}, %C : memref<?xf64> {llvm.noalias}) {
  %a = affine.load %x[0] : memref<?xf64>
  affine.for %j = 0 to %n {
    affine.for %p = 0 to %n {
      %b = affine.load %A[%p, %j] : memref<?x?xf64>
      %ab = arith.mulf %a, %b : f64
      %c = affine.load %C[%j] : memref<?xf64>
      %s = arith.addf %c, %ab : f64
      affine.store %s, %C[%j] : memref<?xf64>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @loaded_outside
// CHECK:         %[[A:.*]] = affine.load %x[0]
// CHECK:         %[[LANES:.*]] = vector.broadcast %[[A]]
// CHECK:         arith.mulf %[[LANES]]

// What straight code hands on to a serial loop, not through memory, is computed once for each row:
// the same in all lanes, or another one in each.
func.func @handed_on(%n : index, %x : memref<?xf64> {llvm.noalias}, %y : memref<?xf64> {llvm.noalias}, %A : memref<?x?xf64> {llvm.noalias}, %B : memref<?x?xf64> {llvm.noalias}, %C : memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %xi = affine.load %x[%i] : memref<?xf64>
      %yj = affine.load %y[%j] : memref<?xf64>
      affine.store %yj, %C[%i, %j] : memref<?x?xf64>
      affine.for %p = 0 to %n {
        %a = affine.load %A[%i, %p] : memref<?x?xf64>
        %b = affine.load %B[%p, %j] : memref<?x?xf64>
        %ab = arith.mulf %a, %b : f64
        %abx = arith.mulf %ab, %xi : f64
        %abxy = arith.subf %abx, %yj : f64
        %c = affine.load %C[%i, %j] : memref<?x?xf64>
        %s = arith.addf %c, %abxy : f64
        affine.store %s, %C[%i, %j] : memref<?x?xf64>
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @handed_on
// CHECK:         affine.for %[[I:.*]] = 0 to {{.*}} step
// CHECK:           %[[X:.*]] = pvec.read %x[%[[I]]] by [0]
// CHECK:           %[[Y:.*]] = pvec.read %y[%{{.*}}] :
// CHECK:           affine.for %p
// CHECK:             %[[ABX:.*]] = arith.mulf %{{.*}}, %[[X]]
// CHECK:             arith.subf %[[ABX]], %[[Y]]
