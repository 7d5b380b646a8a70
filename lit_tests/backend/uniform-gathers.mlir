// What all lanes of a gather begin at is one pointer, and where one index of 32 bits says how far each lane
// goes from there, it stays so narrow: one instruction gathers 16 lanes. The same under a mask.
// RUN: polyopt-opt %s -t 'polyopt-llvm{march="x86-64-v4"}' | filecheck %s

// CHECK-LABEL: @in_a_row(
// CHECK: [[ROW:%[a-z0-9.]+]] = mul i64 %i, 200
// CHECK-NEXT: [[FIRST:%[a-z0-9.]+]] = getelementptr float, ptr %A, i64 [[ROW]]
// CHECK-NEXT: [[ALL:%[a-z0-9.]+]] = getelementptr float, ptr [[FIRST]], <16 x i32> %at
// CHECK-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 [[ALL]], <16 x i1> %m,
func.func @in_a_row(%A : memref<200x200xf32>, %i : i64, %at : vector<16xi32>, %m : vector<16xi1>, %B : memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %r = vector.broadcast %i : i64 to vector<16xi64>
  %v = pvec.gather %A[%r, %at] masked %m : vector<16xi1> : memref<200x200xf32>, vector<16xi64>, vector<16xi32> -> vector<16xf32>
  vector.store %v, %B[%c0] : memref<16xf32>, vector<16xf32>
  func.return
}

// Down a column the rows are far apart: places have 64 bits. The column is where all lanes begin.
// CHECK-LABEL: @in_a_column(
// CHECK: [[COLUMN:%[a-z0-9.]+]] = sext i32 %j to i64
// CHECK: [[FIRST:%[a-z0-9.]+]] = getelementptr float, ptr %A, i64 [[COLUMN]]
// CHECK: [[WIDE:%[a-z0-9.]+]] = sext <16 x i32> %at to <16 x i64>
// CHECK: [[FAR:%[a-z0-9.]+]] = mul <16 x i64> [[WIDE]],
// CHECK-NEXT: getelementptr float, ptr [[FIRST]], <16 x i64> [[FAR]]
func.func @in_a_column(%A : memref<200x200xf32>, %j : i32, %at : vector<16xi32>, %B : memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c = vector.broadcast %j : i32 to vector<16xi32>
  %v = pvec.gather %A[%at, %c] : memref<200x200xf32>, vector<16xi32>, vector<16xi32> -> vector<16xf32>
  vector.store %v, %B[%c0] : memref<16xf32>, vector<16xf32>
  func.return
}

// All lanes at one place; two indices that differ.
// CHECK-LABEL: @at_one_place(
// CHECK: getelementptr float, ptr {{%.*}}, <16 x i64> zeroinitializer
// CHECK-LABEL: @anywhere(
// CHECK: [[SUM:%[a-z0-9.]+]] = add <16 x i64>
// CHECK-NEXT: getelementptr float, ptr %A, <16 x i64> [[SUM]]
func.func @at_one_place(%A : memref<200xf32>, %i : i32, %B : memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %r = vector.broadcast %i : i32 to vector<16xi32>
  %v = pvec.gather %A[%r] : memref<200xf32>, vector<16xi32> -> vector<16xf32>
  vector.store %v, %B[%c0] : memref<16xf32>, vector<16xf32>
  func.return
}
func.func @anywhere(%A : memref<200x200xf32>, %i : vector<16xi32>, %j : vector<16xi32>, %B : memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %v = pvec.gather %A[%i, %j] : memref<200x200xf32>, vector<16xi32>, vector<16xi32> -> vector<16xf32>
  vector.store %v, %B[%c0] : memref<16xf32>, vector<16xf32>
  func.return
}
