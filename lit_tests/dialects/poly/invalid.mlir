// One broken invariant in each SCoP; the verifier says which.
// RUN: polyopt-opt %s --split-input-file --verify-diagnostics | filecheck %s

// A parameter without a name.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n, %k) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: expected one name for each of the 2 parameters, got 1

// -----

// Two parameters of one name.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n, %k) ["n", "n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: parameter name 'n' is used twice

// -----

// An array without a name.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A, %B : memref<?xf64>, memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: expected one name for each of the 2 arrays, got 1

// -----

// Two arrays of one name.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A, %B : memref<?xf64>, memref<?xf64>) ["A", "A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: array name 'A' is used twice

// -----

// One array under two names.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A, %A : memref<?xf64>, memref<?xf64>) ["A", "B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: expected each array once

// -----

// A local array that is none of the SCoP's.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"] local ["B"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: local array 'B' is not an array of the SCoP

// -----

// The context is no set of parameter values.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { S[i] : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: context is not a set of parameter values

// -----

// The context speaks of an unknown parameter.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[m] -> { : m > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: context speaks of 'm', which is no parameter of the SCoP

// -----

// So does what is assumed.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }"> assumed <"[m] -> { : m > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: assumed speaks of 'm', which is no parameter of the SCoP

// -----

// Two statements of one name.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement name 'S' is used twice

// -----

// The domain is in another statement's space.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { T[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the domain of 'S' is not a set of S[…] with 1 dimensions

// -----

// The domain has more dimensions than the iteration vector.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i, j] : 0 <= i, j < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the domain of 'S' is not a set of S[…] with 1 dimensions

// -----

// The domain speaks of an unknown parameter.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[m] -> { S[i] : 0 <= i < m }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the domain of 'S' speaks of 'm', which is no parameter of the SCoP

// -----

// The iteration vector is not of type index.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : i32):
    }
  }
  func.return
}

// CHECK: statement 'S': an iteration vector is of type index

// -----

// Iterators are named, but not all of them.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> iterators ["i", "j"] {
    ^bb0(%i : index):
    }
  }
  func.return
}

// CHECK: statement 'S': expected one iterator name for each dimension

// -----

// Something that is no statement.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    %c = arith.constant 1 : index
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: expected only poly.stmt in a SCoP, got arith.constant

// -----

// A side effect in a statement.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      "test.op"() : () -> ()
    }
  }
  func.return
}

// CHECK: statement 'S': test.op may have side effects

// -----

// An access to memory besides those of the SCoP.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = memref.load %A[%i] : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': memref.load may have side effects

// -----

// An array that is not the SCoP's.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %B <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: the array is not one of the SCoP's

// -----

// A relation from another statement.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ T[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: expected a relation from S (1 dimensions) to A (1 dimensions)

// -----

// A relation to another array.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> B[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: expected a relation from S (1 dimensions) to A (1 dimensions)

// -----

// A relation to more dimensions than the array has.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i, i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: expected a relation from S (1 dimensions) to A (1 dimensions)

// -----

// A relation speaks of an unknown parameter.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"[m] -> { S[i] -> A[i + m] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: the relation speaks of 'm', which is no parameter of the SCoP

// -----

// An instance that touches no element.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] : i > 0 }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: some instance touches no element

// -----

// Several elements, and nothing says which.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[o0] : o0 >= i }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: an access that does not always touch exactly one element carries the run-time index

// -----

// A may-access, and nothing says where.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> may : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: an access that does not always touch exactly one element carries the run-time index

// -----

// A run-time index of too many dimensions.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> may at [%i, %i] : memref<?xf64>
    }
  }
  func.return
}

// CHECK: statement 'S': poly.read: expected one run-time index for each of 1 dimensions

// -----

// The schedule leaves instances out.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 < i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the schedule's domain is not the union of the statements' domains

// -----

// The schedule runs an instance that is none.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i <= n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the schedule's domain is not the union of the statements' domains

// -----

// The schedule speaks of an unknown parameter.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n, m] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      %x = poly.read %A <"{ S[i] -> A[i] }"> : memref<?xf64>
    }
  }
  func.return
}

// CHECK: the schedule speaks of 'm', which is no parameter of the SCoP

// -----

// Data decide on an access that is told to be made always.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64, %c : i1) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      scf.if %c {
        poly.write %v, %A <"{ S[i] -> A[i] }"> : memref<?xf64>
      }
    }
  }
  func.return
}

// CHECK: statement 'S': poly.write: data decide on it, so that it is a may access

// -----

// Only accesses may have effects, also under a condition.
func.func @f(%A : memref<?xf64>, %B : memref<?xf64>, %n : index, %k : index, %v : f64, %c : i1) {
  poly.scop "k" params(%n) ["n"] arrays(%A : memref<?xf64>) ["A"]
    context <"[n] -> { : n > 0 }">
    schedule <"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }"> {
    poly.stmt "S" domain <"[n] -> { S[i] : 0 <= i < n }"> {
    ^bb0(%i : index):
      scf.if %c {
        memref.store %v, %A[%i] : memref<?xf64>
      }
    }
  }
  func.return
}

// CHECK: statement 'S': memref.store may have side effects
