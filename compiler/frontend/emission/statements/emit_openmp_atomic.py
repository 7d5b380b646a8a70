"""`atomic`: reads, writes and updates of places that other threads see, as operations of `ompx`."""

from __future__ import annotations

from polyopt.dialects import cmem, ompx
from polyopt.frontend.emission.statements.emit_openmp import OpenMPEmitter
from polyopt.frontend.emission.stored_elements import Element
from polyopt.frontend.tree.openmp_tree import AtomicRead, AtomicUpdate, AtomicWrite
from polyopt.frontend.tree.typed_tree import Expr


class AtomicEmitter:
    def __init__(self, openmp: OpenMPEmitter):
        self.openmp = openmp
        self.emission = openmp.emission
        self.builder = openmp.builder
        openmp.emitters |= {
            AtomicRead: self._atomic_read,
            AtomicWrite: self._atomic_write,
            AtomicUpdate: self._atomic_update,
        }

    def _place(self, place: Expr) -> Element:
        element = self.emission.places.element(place)
        assert isinstance(element, Element)  # no bit-field: the checker refuses those
        return element

    def _atomic_read(self, statement: AtomicRead) -> None:
        element = self._place(statement.place)
        self.builder.at(statement.span)
        op = self.builder.add(ompx.AtomicReadOp(element.memref, element.indices))
        self.emission.held[statement.value] = op.result
        self.emission.expressions.effect(statement.then)

    def _atomic_write(self, statement: AtomicWrite) -> None:
        value = self.emission.expressions.value(statement.value)
        element = self._place(statement.place)
        self.openmp.add(ompx.AtomicWriteOp(value, element.memref, element.indices), statement)

    def _atomic_update(self, statement: AtomicUpdate) -> None:
        update = statement.update
        expressions = self.emission.expressions
        if update.operand is not None:
            assert update.right is not None
            self.emission.held[update.right] = expressions.value(update.operand)
        for held, value in statement.given:
            self.emission.held[held] = expressions.value(value)
        element = self._place(update.place)
        with self.builder.nested() as region:
            assert self.builder.block is not None
            old = self.builder.block.insert_arg(cmem.element_type(element.memref), 0)
            self.emission.held[update.old] = old
            self.builder.add(ompx.YieldOp(expressions.value(update.value)))
        self.builder.at(statement.span)
        op = self.builder.add(ompx.AtomicUpdateOp(element.memref, element.indices, region))
        if statement.value is not None and statement.then is not None:
            captured = op.after if statement.captures_new else op.before
            self.emission.held[statement.value] = captured
            expressions.effect(statement.then)
