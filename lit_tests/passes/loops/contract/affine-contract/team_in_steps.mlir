// A product in a loop that all members of a team run: they pack its columns together, each time. The panel is
// there before the team is, large enough for any time.
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v3"},contract-plan{march="x86-64-v3"},contract-block,contract-place' | filecheck %s --check-prefix=BLOCKS

// CHECK-LABEL: func.func @behind
// CHECK:         affine.for %t
// CHECK:           %first, %last = team.share
// CHECK:           contract.nest ["rows", "columns", "depth"]
// CHECK-SAME:        shared {
// CHECK:           }) {team.in_step}

// BLOCKS-LABEL: func.func @behind
// BLOCKS:         [[PANEL:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<{{[0-9]+}}x64x8xf64>
// BLOCKS-NEXT:    "omp.parallel"
// BLOCKS:           affine.for %t
// BLOCKS:             team.barrier
// BLOCKS-NEXT:        contract.pack [[PANEL]]
// BLOCKS:         "omp.terminator"
// BLOCKS:         memref.dealloc [[PANEL]]
func.func @behind(%size: index, %n: index, %C : memref<?x2000xf64> {llvm.noalias}, %A : memref<?x2000xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "omp.parallel"(%size) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    affine.for %t = 0 to %n step 64 {
      %from = affine.apply affine_map<(d0) -> (d0 + 64)>(%t)
      "omp.wsloop"() <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
        "omp.loop_nest"(%zero, %size, %one) ({
        ^bb0(%part: index):
          %to = arith.addi %part, %one : index
          %first, %last = team.share %part to %to of %from to %n
          affine.for %i = max affine_map<(d0)[s0] -> (d0 + 64, s0)>(%t)[%first] to %last {
            affine.for %j = affine_map<(d0) -> (d0 + 64)>(%t) to %n {
              affine.for %k = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 64)>(%t) {
                %x = affine.load %C[%i, %j] : memref<?x2000xf64>
                %p = affine.load %A[%i, %k] : memref<?x2000xf64>
                %q = affine.load %A[%k, %j] : memref<?x2000xf64>
                %s = arith.mulf %p, %q : f64
                %y = arith.addf %x, %s : f64
                affine.store %y, %C[%i, %j] : memref<?x2000xf64>
              }
            }
          }
          omp.yield
        }) : (index, index, index) -> ()
      }) : () -> ()
      team.barrier
    }
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

// Not where members may run that loop less often than others, by a number that the region has read from memory.

// CHECK-LABEL: func.func @of_its_own
// CHECK:         contract.nest
// CHECK-NOT:     shared
// CHECK-NOT:     in_step
func.func @of_its_own(%size: index, %n: index, %many: memref<1xindex>, %C : memref<?x200xf64> {llvm.noalias},
                      %A : memref<?x200xf64> {llvm.noalias}, %B : memref<200x200xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "omp.parallel"(%size) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    %times = memref.load %many[%zero] : memref<1xindex>
    affine.for %t = 0 to %times {
      "omp.wsloop"() <{nowait, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
        "omp.loop_nest"(%zero, %size, %one) ({
        ^bb0(%part: index):
          %to = arith.addi %part, %one : index
          %first, %last = team.share %part to %to of %zero to %n
          affine.for %i = %first to %last {
            affine.for %j = 0 to 200 {
              affine.for %k = 0 to 200 {
                %x = affine.load %C[%i, %j] : memref<?x200xf64>
                %p = affine.load %A[%i, %k] : memref<?x200xf64>
                %q = affine.load %B[%k, %j] : memref<200x200xf64>
                %s = arith.mulf %p, %q : f64
                %y = arith.addf %x, %s : f64
                affine.store %y, %C[%i, %j] : memref<?x200xf64>
              }
            }
          }
          omp.yield
        }) : (index, index, index) -> ()
      }) : () -> ()
    }
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}
