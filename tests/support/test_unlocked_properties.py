"""Cached properties without a lock are what they are with one. That is for a whole process, so one
is asked, each question before and after."""

import subprocess
import sys

QUESTIONS = '''
from functools import cached_property
from polyopt.support.unlocked_properties import unlock_properties

class Once:
    def __init__(self):
        self.asked = 0

    @cached_property
    def value(self):
        """What it is."""
        self.asked += 1
        return self.asked

    @cached_property
    def nothing(self):
        self.asked += 1

    @cached_property
    def refused(self):
        self.asked += 1
        raise KeyError("refused")

class Slots:
    __slots__ = ()
    value = cached_property(len)

class OfClasses(type):
    value = cached_property(len)
    def __len__(cls):
        return 3

class OfThose(metaclass=OfClasses):
    pass

class Nameless:
    pass

setattr(Nameless, "value", cached_property(len))

def error(ask):
    try:
        return ask()
    except Exception as wrong:
        return type(wrong).__name__, str(wrong)

def asked():
    one = Once()
    said = [one.value, one.value, one.asked, one.nothing, one.nothing, one.asked]
    said += [error(lambda: one.refused), error(lambda: one.refused), one.asked, sorted(vars(one))]
    del one.value
    said += [one.value, type(Once.value).__name__, Once.value.__doc__]
    return said + [error(lambda: cls.value) for cls in (Slots(), OfThose, Nameless())]

before = asked()
unlock_properties()
unlock_properties()
assert before == asked(), (before, asked())
print("as before")
'''


def test_properties_are_as_before() -> None:
    said = subprocess.run(
        [sys.executable, "-c", QUESTIONS], capture_output=True, text=True, check=False
    )
    assert said.stdout.strip() == "as before", said.stderr
