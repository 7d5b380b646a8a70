// Threads that share out the rows of a product pack its columns together: the form is the same for all of
// them, by the extents of the whole, and they run as many parts as each other.
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v3"}' | filecheck %s
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v3"},contract-plan{march="x86-64-v3"},contract-block,contract-place' | filecheck %s --check-prefix=BLOCKS
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v3"},contract-plan{march="x86-64-v3"},contract-block,contract-to-affine' | filecheck %s --check-prefix=LOOPS
// RUN: polyopt-opt %s -p 'affine-contract{smallest=10 march="x86-64-v4"},contract-plan{march="x86-64-v4"},contract-block,contract-to-affine' | filecheck %s --check-prefix=LINES

// CHECK-LABEL: func.func @rows
// CHECK:         %first, %last = team.share
// CHECK-NEXT:    "affine.if"(%n, %m) <{condition = affine_set<(d0, d1) : ((d0 + -10) >= 0, (d1 + -10) >= 0, {{.*}})>}> ({
// CHECK-NEXT:      contract.nest ["rows", "columns", "depth"]
// CHECK-SAME:        with(%first, %last, %m)
// CHECK-SAME:        shared {
// CHECK:         omp.yield
// CHECK:       }) {team.in_step}

// The panel is there before the team is, and for all of it; the blocks are those of the whole. Who has packed
// its share waits for the others, and for them to be done with a panel before the next one takes its place.

// Vectors that are cache lines are stored non-temporally: the other members still have the lines of the panel that was there
// before. They are on their way to memory when the share is packed.

// LINES-LABEL:  func.func @rows
// LINES:          team.barrier
// LINES:          "omp.wsloop"
// LINES:            vector.store {{.*}}nontemporal{{.*}} vector<8xf64>
// LINES:            pvec.stream_fence
// LINES-NEXT:       omp.yield
// LINES-NOT:        nontemporal
// LINES:          "omp.terminator"

// BLOCKS-LABEL: func.func @rows
// BLOCKS:         [[PANEL:%.*]] = memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x200x8xf64>
// BLOCKS-NEXT:    "omp.parallel"
// BLOCKS:           memref.alloc({{.*}}) {alignment = 64 : i64} : memref<?x200x6xf64>
// BLOCKS-NEXT:      affine.for %kb
// BLOCKS:             affine.for %jb = 0 to affine_map<(d0) -> (d0)>(%m)
// BLOCKS-NEXT:          team.barrier
// BLOCKS-NEXT:          contract.pack [[PANEL]]
// BLOCKS-SAME:            lanes 4 shared {
// BLOCKS:               affine.for %ib = affine_map<(d0) -> (d0)>(%first) to affine_map<(d0) -> (d0)>(%last)
// BLOCKS-NEXT:            contract.pack
// BLOCKS-NOT:             shared
// BLOCKS:         "omp.terminator"
// BLOCKS:         memref.dealloc [[PANEL]]
// BLOCKS-NEXT:    func.return

// LOOPS-LABEL:  func.func @rows
// LOOPS:          affine.for %jb
// LOOPS-NEXT:       team.barrier
// LOOPS:            "omp.wsloop"
// LOOPS-NEXT:         "omp.loop_nest"
// LOOPS-NEXT:         ^bb0(%t_1: index):
// LOOPS:                affine.for %k
// LOOPS:              omp.yield
// LOOPS:            affine.for %ib = affine_map<(d0) -> (d0)>(%first)
func.func @rows(%t: index, %n: index, %m: index, %C : memref<?x200xf64> {llvm.noalias}, %A : memref<?x200xf64> {llvm.noalias},
                %B : memref<200x200xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  "omp.parallel"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %t, %one) ({
      ^bb0(%part: index):
        %a = memref.load %C[%part, %part] : memref<?x200xf64>
        %from = arith.muli %part, %part : index
        %to = arith.addi %from, %one : index
        %first, %last = team.share %from to %to of %zero to %n
        affine.for %i = %first to %last {
          affine.for %j = 0 to %m {
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
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

// Not where the columns are shared out, where a loop around runs the product (others may run it another time),
// where two loops are shared out as one, or where the number of the part is used for something else: there may be
// more parts than work.

// CHECK-LABEL: func.func @columns
// CHECK:         contract.nest
// CHECK-NOT:     shared
// CHECK-LABEL: func.func @again
// CHECK:         contract.nest
// CHECK-NOT:     shared
// CHECK-NOT:     in_step
// CHECK-LABEL: func.func @flat
// CHECK:         contract.nest
// CHECK-NOT:     shared
// CHECK-NOT:     in_step
// CHECK-LABEL: func.func @numbered
// CHECK:         contract.nest
// CHECK-NOT:     shared
// CHECK-NOT:     in_step
func.func @columns(%t: index, %C : memref<200x200xf64> {llvm.noalias}, %A : memref<200x200xf64> {llvm.noalias},
                   %B : memref<200x200xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 200 : index
  "omp.parallel"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %t, %one) ({
      ^bb0(%part: index):
        %to = arith.addi %part, %one : index
        %first, %last = team.share %part to %to of %zero to %n
        affine.for %j = %first to %last {
          affine.for %i = 0 to 200 {
            affine.for %k = 0 to 200 {
              %x = affine.load %C[%i, %j] : memref<200x200xf64>
              %p = affine.load %A[%i, %k] : memref<200x200xf64>
              %q = affine.load %B[%k, %j] : memref<200x200xf64>
              %s = arith.mulf %p, %q : f64
              %y = arith.addf %x, %s : f64
              affine.store %y, %C[%i, %j] : memref<200x200xf64>
            }
          }
        }
        omp.yield
      }) : (index, index, index) -> ()
    }) : () -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

func.func @again(%t: index, %C : memref<9x200x200xf64> {llvm.noalias}, %A : memref<200x200xf64> {llvm.noalias},
                 %B : memref<200x200xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 200 : index
  "omp.parallel"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %t, %one) ({
      ^bb0(%part: index):
        %to = arith.addi %part, %one : index
        %first, %last = team.share %part to %to of %zero to %n
        affine.for %r = 0 to %first {
          affine.for %i = %first to %last {
            affine.for %j = 0 to 200 {
              affine.for %k = 0 to 200 {
                %x = affine.load %C[0, %i, %j] : memref<9x200x200xf64>
                %p = affine.load %A[%i, %k] : memref<200x200xf64>
                %q = affine.load %B[%k, %j] : memref<200x200xf64>
                %s = arith.mulf %p, %q : f64
                %y = arith.addf %x, %s : f64
                affine.store %y, %C[0, %i, %j] : memref<9x200x200xf64>
              }
            }
          }
          "test.op"() : () -> ()
        }
        omp.yield
      }) : (index, index, index) -> ()
    }) : () -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

func.func @flat(%t: index, %C : memref<9x200x200xf64> {llvm.noalias}, %A : memref<200x200xf64> {llvm.noalias},
                %B : memref<200x200xf64> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 200 : index
  "omp.parallel"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %zero, %t, %t, %one, %one) ({
      ^bb0(%part: index, %other: index):
        %to = arith.addi %part, %one : index
        %first, %last = team.share %part to %to of %zero to %n
        affine.for %i = %first to %last {
          affine.for %j = 0 to 200 {
            affine.for %k = 0 to 200 {
              %x = affine.load %C[0, %i, %j] : memref<9x200x200xf64>
              %p = affine.load %A[%i, %k] : memref<200x200xf64>
              %q = affine.load %B[%k, %j] : memref<200x200xf64>
              %s = arith.mulf %p, %q : f64
              %y = arith.addf %x, %s : f64
              affine.store %y, %C[0, %i, %j] : memref<9x200x200xf64>
            }
          }
        }
        omp.yield
      }) : (index, index, index, index, index, index) -> ()
    }) : () -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}

func.func @numbered(%t: index, %C : memref<200x200xf64> {llvm.noalias}, %A : memref<200x200xf64> {llvm.noalias},
                    %B : memref<200x200xf64> {llvm.noalias}, %f : f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 200 : index
  "omp.parallel"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0>}> ({
    "omp.wsloop"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0>}> ({
      "omp.loop_nest"(%zero, %t, %one) ({
      ^bb0(%part: index):
        %to = arith.addi %part, %one : index
        memref.store %f, %A[%part, %to] : memref<200x200xf64>
        %first, %last = team.share %part to %to of %zero to %n
        affine.for %i = %first to %last {
          affine.for %j = 0 to 200 {
            affine.for %k = 0 to 200 {
              %x = affine.load %C[%i, %j] : memref<200x200xf64>
              %p = affine.load %A[%i, %k] : memref<200x200xf64>
              %q = affine.load %B[%k, %j] : memref<200x200xf64>
              %s = arith.mulf %p, %q : f64
              %y = arith.addf %x, %s : f64
              affine.store %y, %C[%i, %j] : memref<200x200xf64>
            }
          }
        }
        omp.yield
      }) : (index, index, index) -> ()
    }) : () -> ()
    "omp.terminator"() : () -> ()
  }) : (index) -> ()
  func.return
}
