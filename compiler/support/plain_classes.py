"""Abstract classes of which nothing is an instance but what derives from them.

`isinstance` of an `abc.ABC` asks in Python whether some other class was registered as one of its
own, and keeps tables of the answers. All of xDSL's classes are abstract in this way, none of them
has such members, and a compilation asks a hundred thousand times and more, a twentieth of its time.
Made plain, they are still abstract, and the question is one that the interpreter answers by itself.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from importlib import import_module
from typing import Any

_OF_PROTOCOLS: type = getattr(import_module("typing"), "_ProtocolMeta")
"""Python's metaclass of protocols, an `ABCMeta`: a class may derive from one beside a plain one."""


def _register(cls: type, subclass: type) -> type:
    """What is asked of the class, and of those that it derives from, is no longer plain."""
    for one in cls.__mro__:
        if isinstance(one, PlainMeta):
            setattr(one, "__class__", ABCMeta)
    return getattr(cls, "register")(subclass)


PlainMeta = type(
    "PlainMeta",
    (_OF_PROTOCOLS,),
    {
        "__module__": __name__,
        "__doc__": "Of abstract classes without registered members, and what derives from them.",
        "__instancecheck__": type.__instancecheck__,
        "__subclasscheck__": type.__subclasscheck__,
        "register": _register,
    },
)


def make_plain(package: str) -> None:
    """Make the abstract classes of the package plain that are loaded by now; those that are derived
    from them later are so by themselves. Left as they are: classes with registered members, and
    with an opinion of their own on what is one."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != package:
            continue
        for cls in list(vars(module).values()):
            if type(cls) is ABCMeta and cls.__module__ == name and _has_only_derived(cls):
                setattr(cls, "__class__", PlainMeta)


def _has_only_derived(cls: ABCMeta) -> bool:
    dump: Any = getattr(import_module("_abc"), "_get_dump")
    registered: set[object] = dump(cls)[0]
    return not registered and "__subclasshook__" not in vars(cls)
