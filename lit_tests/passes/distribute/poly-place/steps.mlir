// RUN: polyopt-opt %s -p 'poly-place{grid="4"}' | filecheck %s
// RUN: polyopt-opt %s -p 'poly-place{grid="2" map=cyclic}' | filecheck %s --check-prefix=TURNS
// RUN: polyopt-opt %s -p 'poly-place{map=lattice generators=1,1,0,3 size=2 all=true}' | filecheck %s --check-prefix=CLASSES

// Two sweeps in a loop over time: each is a SCoP of the rows that the next sweep reads elsewhere, the
// first and the last of this process, and while these travel one of the rows between.

// CHECK-LABEL: func.func @relax
// CHECK:       func.call @__polyopt_mpi_agree
// CHECK:       func.call @__polyopt_mpi_rest
// CHECK:       "mpi.comm.rank"
// CHECK:       scf.for %step =
// CHECK:         poly.scop "relax" params(%n, %own_end0, %own_first0, %step)
// CHECK:           poly.stmt "S" domain <"{{.*}}S[t = step_0, i = own_first0_0]{{.*}}S[t = step_0, i = -1 + own_end0_0]
// CHECK:         "mpi.irecv"
// CHECK:         "mpi.isend"
// CHECK:         poly.scop "relax"
// CHECK:           poly.stmt "S" domain <"{{.*}}S[t = step_0, i] : {{.*}}i > own_first0_0 and {{.*}}i <= -2 + own_end0_0
// CHECK:         "mpi.waitall"
// CHECK:         memref.store %{{.*}}, %B[
// CHECK:         poly.scop "relax"
// CHECK:           poly.stmt "T"
// CHECK:         "mpi.irecv"
// CHECK:         "mpi.isend"
// CHECK:         poly.scop "relax"
// CHECK:           poly.stmt "T"
// CHECK:         "mpi.waitall"
// CHECK:         memref.store %{{.*}}, %A[
// CHECK:       }

// Behind the loop everybody gets the rest of A, then of B.

// CHECK:       "mpi.irecv"
// CHECK:       memref.load %A
// CHECK:       "mpi.isend"
// CHECK:       "mpi.irecv"
// CHECK:       memref.load %B
// CHECK:       "mpi.isend"
// CHECK:       "mpi.waitall"({{.*}}-> ()
// CHECK-NOT:   "mpi.
// CHECK:       func.return

// TURNS: S[t = step_0, i] : {{.*}}(own_place0 + i) mod 2 = 0

// Of a lattice in two dimensions an array of one has its own blocks: here the classes are those of
// `2 * block of i + block of j` modulo 3.

// CLASSES: S[t = step_0, i] : (-floor((i)/2)) mod 3 = own_place0

func.func @relax(%n: index, %A: memref<1000xf64>, %B: memref<1000xf64>) {
  poly.scop "relax" params(%n) ["n"] arrays(%A, %B : memref<1000xf64>, memref<1000xf64>) ["A", "B"]
    context <"[n] -> { : 0 < n <= 1000 }">
    schedule <"{ domain: \"[n] -> { S[t, i] : 0 <= t < 100 and 0 < i < 999; T[t, i] : 0 <= t < 100 and 0 < i < 999 }\", child: { schedule: \"[{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }]\", child: { sequence: [ { filter: \"{ S[t, i] }\", child: { schedule: \"[{ S[t, i] -> [(i)] }]\" } }, { filter: \"{ T[t, i] }\", child: { schedule: \"[{ T[t, i] -> [(i)] }]\" } } ] } } }"> {
    poly.stmt "S" domain <"[n] -> { S[t, i] : 0 <= t < 100 and 0 < i < 999 }"> {
    ^bb0(%t: index, %i: index):
      %x = poly.read %A <"{ S[t, i] -> A[i - 1] }"> : memref<1000xf64>
      %y = poly.read %A <"{ S[t, i] -> A[i + 1] }"> : memref<1000xf64>
      %z = arith.addf %x, %y : f64
      poly.write %z, %B <"{ S[t, i] -> B[i] }"> : memref<1000xf64>
    }
    poly.stmt "T" domain <"[n] -> { T[t, i] : 0 <= t < 100 and 0 < i < 999 }"> {
    ^bb0(%t: index, %i: index):
      %x = poly.read %B <"{ T[t, i] -> B[i - 1] }"> : memref<1000xf64>
      %y = poly.read %B <"{ T[t, i] -> B[i + 1] }"> : memref<1000xf64>
      %z = arith.addf %x, %y : f64
      poly.write %z, %A <"{ T[t, i] -> A[i] }"> : memref<1000xf64>
    }
  }
  func.return
}
