// RUN: polyopt-opt %s -p 'poly-export-dot{dir="-"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-export-dot{dir="-" graph=dependences}' | filecheck %s --check-prefix=DEPENDENCES
// RUN: polyopt-opt %s -p 'poly-export-dot{dir="-" graph=scop}' | filecheck %s --check-prefix=SCOP

func.func @two(%A : memref<?xf64>, %B : memref<?xf64>, %C : memref<?x20xf32>, %n : index) {
  poly.scop "two" params(%n) ["n"] arrays(%A, %B, %C : memref<?xf64>, memref<?xf64>, memref<?x20xf32>) ["A", "B", "C"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < 20 }\", child: { sequence: [ { filter: \"{ S[i] }\", child: { schedule: \"[{ S[i] -> [i] }]\" } }, { filter: \"{ T[i, j] }\", child: { schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\" } } ] } }">
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

// CHECK:      digraph "two" {
// CHECK:        [label="sequence\l", shape="diamond"];
// CHECK:        [label="band\lT[i, j] -> [(i)]\lT[i, j] -> [(j)]\l", shape="box"];

// DEPENDENCES:      "S" [label="S\ltwo.c:3:5\l", shape="ellipse"];
// DEPENDENCES:      "S" -> "T" [label="flow", color="blue"];

// SCOP:      subgraph cluster_0 {
// SCOP-NEXT:   label="two   n > 0\nA[], B[], C[][20]";
// SCOP-NEXT:   subgraph cluster_1 {
// SCOP-NEXT:     label="for S[i] -> [(i)]";
// SCOP-NEXT:     "S" [label="S(i)\ltwo.c:3:5\l

