// RUN: polyopt-opt %s -p if-convert | filecheck %s
//
// A count that loops hand on as an argument is always added to: with nothing, where the condition
// does not hold; so is one that is subtracted from, and where the condition is the other way round.

// CHECK-LABEL: func.func @counted
// CHECK:         %[[NOTHING:.*]] = arith.constant 0 : i32
// CHECK-NEXT:    %[[TERM:.*]] = arith.select %c, %one, %[[NOTHING]] : i32
// CHECK-NEXT:    %{{.*}} = arith.addi %n, %[[TERM]] overflow<nsw> : i32
func.func @counted(%c : i1, %zero : i32, %one : i32, %end : i32) -> i32 {
  cf.br ^loop(%zero, %zero : i32, i32)
^loop(%n : i32, %i : i32):
  cf.cond_br %c, ^then, ^join(%n : i32)
^then:
  %more = arith.addi %n, %one overflow<nsw> : i32
  cf.br ^join(%more : i32)
^join(%m : i32):
  %next = arith.addi %i, %one : i32
  %goes_on = arith.cmpi slt, %next, %end : i32
  cf.cond_br %goes_on, ^loop(%m, %next : i32, i32), ^out
^out:
  func.return %m : i32
}

// CHECK-LABEL: func.func @taken_away
// CHECK:         %[[NOTHING:.*]] = arith.constant 0 : i32
// CHECK-NEXT:    %[[TERM:.*]] = arith.select %c, %[[NOTHING]], %x : i32
// CHECK-NEXT:    %{{.*}} = arith.subi %n, %[[TERM]] : i32
func.func @taken_away(%c : i1, %n : i32, %x : i32) -> i32 {
  cf.cond_br %c, ^join(%n : i32), ^else
^else:
  %less = arith.subi %n, %x : i32
  cf.br ^join(%less : i32)
^join(%m : i32):
  func.return %m : i32
}

// What is counted from another number is no count that goes on.
// CHECK-LABEL: func.func @another
// CHECK:         %[[SUM:.*]] = arith.addi %other, %one : i32
// CHECK-NEXT:    %{{.*}} = arith.select %c, %[[SUM]], %n : i32
func.func @another(%c : i1, %n : i32, %other : i32, %one : i32) -> i32 {
  cf.cond_br %c, ^then, ^join(%n : i32)
^then:
  %sum = arith.addi %other, %one : i32
  cf.br ^join(%sum : i32)
^join(%m : i32):
  func.return %m : i32
}

// `x - n` is no count, whichever way it goes.
// CHECK-LABEL: func.func @turned_round
// CHECK:         %[[LEFT:.*]] = arith.subi %x, %n : i32
// CHECK-NEXT:    %{{.*}} = arith.select %c, %[[LEFT]], %n : i32
func.func @turned_round(%c : i1, %n : i32, %x : i32) -> i32 {
  cf.cond_br %c, ^then, ^join(%n : i32)
^then:
  %left = arith.subi %x, %n : i32
  cf.br ^join(%left : i32)
^join(%m : i32):
  func.return %m : i32
}
