// A schedule tree in YAML, edited with sed and taken back; what its bands promise is found out.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: polyopt-opt %s -p 'poly-export-schedule{dir="-"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-export-schedule{dir=trees}' -o module.mlir
// RUN: sed -e 's/\[(i)\] }, { T/[(-i)] }, { T/' -e 's/coincident: .*/permutable: 1/' -i trees/two___two.schedule
// RUN: polyopt-opt %s -p 'poly-import-schedule{dir=trees}' | filecheck %s --check-prefix=EDITED
// RUN: sed 's/filter: "{ S\[i\] }"/filter: "{ S[i }"/' trees/two___two.schedule > bad.schedule
// RUN: not polyopt-opt %s -p 'poly-import-schedule{file="bad.schedule"}' 2>&1 | filecheck %s --check-prefix=BAD
// RUN: not polyopt-opt %s -p 'poly-import-schedule{dir=nowhere}' 2>&1 | filecheck %s --check-prefix=NOWHERE

func.func @two(%A : memref<?xf64>, %B : memref<?xf64>, %C : memref<?x20xf32>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B, %C : memref<?xf64>, memref<?xf64>, memref<?x20xf32>) ["A", "B", "C"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < 20 }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\", coincident: [ 1, 0 ] } } ] } }">
  {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i"] {
    ^bb0(%i : index):
      %a = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      poly.write %a, %B <"{ S[i] -> B[i] }"> : memref<?xf64>
    } loc("two.c":3:5)
    poly.stmt "T" domain <"[n] -> { T[i, j] : 0 <= i < n and 0 <= j < 20 }"> iterators ["i", "j"] {
    ^bb0(%i : index, %j : index):
      %b = poly.read %B <"{ T[i, j] -> B[i] }"> : memref<?xf64>
      %c = arith.truncf %b : f64 to f32
      poly.write %c, %C <"{ T[i, j] -> C[i, j] }"> : memref<?x20xf32>
    } loc("two.c":6:7)
  } loc("two.c":2:3)
  func.return
}

// CHECK:      domain: "[n] -> { {{.*}} }"
// CHECK-NEXT: child:
// CHECK-NEXT:   sequence:
// CHECK-NEXT:   - filter: "{ S[i] }"
// CHECK:            schedule: "[{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }]"
// CHECK-NEXT:       coincident: [ 1, 0 ]
// CHECK-NEXT: builtin.module {

// EDITED: schedule <"{ {{.*}} -> [(-i)] }, { T[i, j] -> [(j)] }]\22, permutable: 1, coincident: [ 1, 1 ] }

// BAD: bad.schedule:4:13: error: no filter of a schedule: syntax error
// BAD-NEXT: filter: "{ S[i }"

// NOWHERE: error: no file to import in 'nowhere'
