"""`atomic`: reads, writes and updates of places that other threads see, as operations of `ompx`; of
long doubles, which the machine has none for, under the lock that all of them share."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects.builtin import Float80Type

from polyopt.dialects import cmem, ompx
from polyopt.frontend.emission.statements.emit_openmp import OpenMPEmitter
from polyopt.frontend.emission.stored_elements import Element
from polyopt.frontend.emission.values.emit_elements import load_element, store_element
from polyopt.frontend.tree.openmp_tree import AtomicRead, AtomicUpdate, AtomicWrite
from polyopt.frontend.tree.typed_statements import Statement
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

    @contextmanager
    def _locked(self, statement: Statement) -> Generator[None]:
        """What is added goes where no other thread is in what is locked so, gcc's code too."""
        with self.builder.nested() as region:
            yield
            self.openmp.data.finish_region()
        self.openmp.add(ompx.CriticalOp(ompx.ATOMIC, region), statement)

    def _atomic_read(self, statement: AtomicRead) -> None:
        element = self._place(statement.place)
        self.builder.at(statement.span)
        if _is_too_wide(element):
            with self._locked(statement):
                self.emission.held[statement.value] = load_element(self.emission, element)
                self.emission.expressions.effect(statement.then)
            return
        op = self.builder.add(ompx.AtomicReadOp(element.memref, element.indices))
        self.emission.held[statement.value] = op.result
        self.emission.expressions.effect(statement.then)

    def _atomic_write(self, statement: AtomicWrite) -> None:
        value = self.emission.expressions.value(statement.value)
        element = self._place(statement.place)
        if _is_too_wide(element):
            with self._locked(statement):
                store_element(self.emission, value, element)
            return
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
        if _is_too_wide(element):
            self._locked_update(statement, element)
            return
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

    def _locked_update(self, statement: AtomicUpdate, element: Element) -> None:
        update = statement.update
        expressions = self.emission.expressions
        self.builder.at(statement.span)
        with self._locked(statement):
            old = load_element(self.emission, element)
            self.emission.held[update.old] = old
            new = expressions.value(update.value)
            store_element(self.emission, new, element)
            if statement.value is not None and statement.then is not None:
                self.emission.held[statement.value] = new if statement.captures_new else old
                expressions.effect(statement.then)


def _is_too_wide(element: Element) -> bool:
    return isinstance(cmem.element_type(element.memref), Float80Type)
