// RUN: polyopt-opt %s -p promote-scalars,detect-scops | filecheck %s

// A product of matrices is one static control part with two statements: the subscripts keep
// their dimensions, the C names are kept, and restrict makes a run-time check unnecessary.
//
//     void gemm(int n, int m, int p, double alpha, double C[restrict n][m],
//               double A[restrict n][p], double B[restrict p][m])
//     {
//         for (int i = 0; i < n; i++)
//             for (int j = 0; j < m; j++) {
//                 C[i][j] = 0.0;
//                 for (int k = 0; k < p; k++)
//                     C[i][j] += alpha * A[i][k] * B[k][j];
//             }
//     }

builtin.module {
  func.func @gemm(%n: i32, %m: i32, %p: i32, %alpha: f64, %C: !llvm.ptr {llvm.noalias}, %A: !llvm.ptr {llvm.noalias}, %B: !llvm.ptr {llvm.noalias}) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %f0 = arith.constant 0.0 : f64
    %n_addr = memref.alloca() : memref<i32>
    %i = memref.alloca() : memref<i32>
    %j = memref.alloca() : memref<i32>
    %k = memref.alloca() : memref<i32>
    %C_addr = memref.alloca() : memref<!llvm.ptr>
    memref.store %C, %C_addr[] : memref<!llvm.ptr>
    memref.store %n, %n_addr[] : memref<i32>
    memref.store %zero, %i[] : memref<i32>
    cf.br ^ih
  ^ih:
    %i0 = memref.load %i[] : memref<i32>
    %n0 = memref.load %n_addr[] : memref<i32>
    %ci = arith.cmpi slt, %i0, %n0 : i32
    cf.cond_br %ci, ^ib, ^ie
  ^ib:
    memref.store %zero, %j[] : memref<i32>
    cf.br ^jh
  ^jh:
    %j0 = memref.load %j[] : memref<i32>
    %cj = arith.cmpi slt, %j0, %m : i32
    cf.cond_br %cj, ^jb, ^je
  ^jb:
    %c0 = memref.load %C_addr[] : memref<!llvm.ptr>
    %m0 = arith.index_cast %m : i32 to index
    %cv = cmem.view %c0 [%m0] : memref<?x?xf64>
    %i1 = memref.load %i[] : memref<i32>
    %i1x = arith.index_cast %i1 : i32 to index
    %j1 = memref.load %j[] : memref<i32>
    %j1x = arith.index_cast %j1 : i32 to index
    memref.store %f0, %cv[%i1x, %j1x] : memref<?x?xf64>
    memref.store %zero, %k[] : memref<i32>
    cf.br ^kh
  ^kh:
    %k0 = memref.load %k[] : memref<i32>
    %ck = arith.cmpi slt, %k0, %p : i32
    cf.cond_br %ck, ^kb, ^ke
  ^kb:
    %k1 = memref.load %k[] : memref<i32>
    %k1x = arith.index_cast %k1 : i32 to index
    %p0 = arith.index_cast %p : i32 to index
    %av = cmem.view %A [%p0] : memref<?x?xf64>
    %m1 = arith.index_cast %m : i32 to index
    %bv = cmem.view %B [%m1] : memref<?x?xf64>
    %i2 = memref.load %i[] : memref<i32>
    %i2x = arith.index_cast %i2 : i32 to index
    %j2 = memref.load %j[] : memref<i32>
    %j2x = arith.index_cast %j2 : i32 to index
    %a = memref.load %av[%i2x, %k1x] : memref<?x?xf64>
    %b = memref.load %bv[%k1x, %j2x] : memref<?x?xf64>
    %t = arith.mulf %alpha, %a : f64
    %u = arith.mulf %t, %b : f64
    %c1 = memref.load %C_addr[] : memref<!llvm.ptr>
    %m2 = arith.index_cast %m : i32 to index
    %cv1 = cmem.view %c1 [%m2] : memref<?x?xf64>
    %c = memref.load %cv1[%i2x, %j2x] : memref<?x?xf64>
    %s = arith.addf %c, %u : f64
    memref.store %s, %cv1[%i2x, %j2x] : memref<?x?xf64>
    %k2 = memref.load %k[] : memref<i32>
    %k3 = arith.addi %k2, %one overflow<nsw> : i32
    memref.store %k3, %k[] : memref<i32>
    cf.br ^kh
  ^ke:
    %j3 = memref.load %j[] : memref<i32>
    %j4 = arith.addi %j3, %one overflow<nsw> : i32
    memref.store %j4, %j[] : memref<i32>
    cf.br ^jh
  ^je:
    %i3 = memref.load %i[] : memref<i32>
    %i4 = arith.addi %i3, %one overflow<nsw> : i32
    memref.store %i4, %i[] : memref<i32>
    cf.br ^ih
  ^ie:
    func.return
  }
}

// CHECK-LABEL:   func.func @gemm
// CHECK-NOT:     cf.cond_br
// CHECK:         %[[C:.*]], %[[A:.*]], %[[B:.*]] = cmem.distinct_objects
// CHECK-NOT:     cf.cond_br
// CHECK:         poly.scop "gemm" params(%{{.*}}, %{{.*}}, %{{.*}}) ["n", "m", "p"]
// CHECK-SAME:    ["C", "A", "B"] context <"[n, m, p] -> {  :  }">
// CHECK-NEXT:    poly.stmt "S0" domain <"[n, m, p] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }"> iterators ["i", "j"]
// CHECK:         poly.write %{{.*}}, %[[C]] <"[n, m, p] -> { S0[i, j] -> C[i, j] }">
// CHECK:         poly.stmt "S1" domain <"[n, m, p] -> { S1[i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < p }"> iterators ["i", "j", "k"]
// CHECK:         poly.read %[[A]] <"[n, m, p] -> { S1[i, j, k] -> A[i, k] }">
// CHECK:         poly.read %[[B]] <"[n, m, p] -> { S1[i, j, k] -> B[k, j] }">
// CHECK:         poly.read %[[C]] <"[n, m, p] -> { S1[i, j, k] -> C[i, j] }">
// CHECK:         poly.write %{{.*}}, %[[C]] <"[n, m, p] -> { S1[i, j, k] -> C[i, j] }">
