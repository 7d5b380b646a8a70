// As `mlir-opt -mlir-print-op-generic` writes it: linalg with its region, scf.parallel with a
// reduction; loops run in one of the orders that the operations permit.
// RUN: polyopt-opt %s -p raise-to-affine | filecheck %s

// CHECK-LABEL: func.func @product
// CHECK:         affine.for %i = 0 to 16 {
// CHECK-NEXT:      affine.for %j = 0 to {{%.*}} {
// CHECK-NEXT:        [[A:%.*]] = affine.load %{{.*}}[%i, %j] : memref<16x?xf32>
// CHECK-NEXT:        [[X:%.*]] = affine.load %{{.*}}[%j] : memref<?xf32>
// CHECK-NEXT:        [[Y:%.*]] = affine.load %{{.*}}[%i] : memref<16xf32>
// CHECK-NEXT:        [[P:%.*]] = arith.mulf [[A]], [[X]] : f32
// CHECK-NEXT:        [[S:%.*]] = arith.addf [[Y]], [[P]] : f32
// CHECK-NEXT:        affine.store [[S]], %{{.*}}[%i] : memref<16xf32>

// CHECK-LABEL: func.func @sum
// CHECK:         [[R:%.*]] = affine.for %{{.*}} = 0 to {{%.*}} iter_args([[C:%.*]] = {{%.*}}) -> (f32) {
// CHECK-NEXT:      [[X:%.*]] = affine.load
// CHECK-NEXT:      [[S:%.*]] = arith.addf [[C]], [[X]] : f32
// CHECK-NEXT:      affine.yield [[S]] : f32
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x?xf32>, memref<?xf32>, memref<16xf32>) -> (), sym_name = "product"}> ({
  ^bb0(%arg0: memref<16x?xf32>, %arg1: memref<?xf32>, %arg2: memref<16xf32>):
    "linalg.generic"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %1 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %2 = "arith.addf"(%arg5, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%2) : (f32) -> ()
    }) : (memref<16x?xf32>, memref<?xf32>, memref<16xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xf32>, index) -> f32, sym_name = "sum"}> ({
  ^bb0(%arg0: memref<?xf32>, %arg1: index):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "scf.parallel"(%0, %arg1, %1, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
    ^bb0(%arg2: index):
      %4 = "memref.load"(%arg0, %arg2) <{nontemporal = false}> : (memref<?xf32>, index) -> f32
      "scf.reduce"(%4) ({
      ^bb0(%arg3: f32, %arg4: f32):
        %5 = "arith.addf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%5) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    "func.return"(%3) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
