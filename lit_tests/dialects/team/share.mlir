// RUN: polyopt-opt %s | polyopt-opt | filecheck %s
// RUN: polyopt-opt %s --print-op-generic | polyopt-opt | filecheck %s

// A member's share of a range, and the whole of which it is one.

// CHECK-LABEL: func.func @share
// CHECK-NEXT:    %first, %last = team.share %a to %b of %b to %a
// CHECK-NEXT:    func.return %first, %last
func.func @share(%a: index, %b: index) -> (index, index) {
  %first, %last = team.share %a to %b of %b to %a
  func.return %first, %last : index, index
}
