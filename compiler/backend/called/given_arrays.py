"""The array that an object of Python is, or gives a view of: never a copy.

What says where its memory is, in one of five ways, is taken like an array of NumPy:

    NumPy's arrays                  as they are
    `__array_interface__`           xarray's, PIL's, many libraries' own
    the buffer protocol             memoryview, bytearray, array.array, mmap, Cython's views
    `__dlpack__`                    arrays of PyTorch, JAX, CuPy, on the processor
    `__array__`                     columns of pandas: only to be read, where nothing is copied
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray

_INTERFACES = ("__array_interface__", "__array_struct__")
_EXCHANGE = ("__dlpack__", "__dlpack_device__")


def array_of(value: Any) -> NDArray[Any] | None:
    """The same memory as an array of NumPy; None of what is no array. Raises BufferError, with the
    reason, of what is one and does not give its memory."""
    import numpy as np

    if isinstance(value, np.ndarray):
        array = cast("NDArray[Any]", value)
        is_plain = type(array) is np.ndarray
        if not is_plain and isinstance(array, np.ma.MaskedArray) and _is_masked(array):
            raise BufferError("some elements are masked: its .data, or .filled(), is what C sees")
        return array
    if isinstance(value, type):
        return None
    is_number = isinstance(value, np.generic)
    other: Any = value
    try:
        if not is_number and any(hasattr(other, name) for name in _INTERFACES):
            return np.asarray(other)
        view = _view(other)
        if view is not None:
            return np.asarray(view)
        if all(hasattr(other, name) for name in _EXCHANGE):
            return np.from_dlpack(other)
        if not is_number and hasattr(other, "__array__"):
            return _seen(other)
    except BufferError:
        raise
    except (TypeError, ValueError, RuntimeError) as error:
        raise BufferError(str(error)) from error
    return None


def _seen(value: Any) -> NDArray[Any]:
    """What an object shows of itself as an array. Whether it would see what is written there,
    nobody says."""
    import numpy as np

    try:
        array = np.asarray(value, copy=False).view()
    except ValueError as error:
        raise BufferError("NumPy has to copy it, as numpy.asarray does") from error
    array.flags.writeable = False
    return array


def _is_masked(array: NDArray[Any]) -> bool:
    """Is an element masked, or a member of one?"""
    import numpy as np

    return b"\1" in np.ma.getmask(array).tobytes()


def _view(value: Any) -> memoryview | None:
    """By the buffer protocol, if the object knows it."""
    try:
        return memoryview(value)
    except TypeError:
        return None
