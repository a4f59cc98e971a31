"""Arrays on a device: eomc's own, and those of other libraries, looked at in place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.cuda.driver import CudaError, DeviceDriver

_CUDA = (2, 13)
"""Devices of DLPack: memory of a CUDA device, and memory that the host shares with it."""


class DeviceArray:
    """Numbers on a device, row by row, released with the object.

    Libraries read it in place by ``__cuda_array_interface__``: ``torch.as_tensor``,
    ``cupy.asarray``.
    """

    def __init__(self, driver: DeviceDriver, shape: Sequence[int], dtype: Any) -> None:
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self.nbytes = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        self._driver = driver
        self.address = 0
        if self.nbytes > (free := driver.free_memory()):
            raise CudaError(
                f"an array of shape {self.shape} takes {self.nbytes / 1e9:.3g} GB, and device "
                f"{driver.number} has {free / 1e9:.3g} GB free"
            )
        self.address = driver.allocate(self.nbytes)

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            self._driver.release(self.address)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        data = (self.address, False)
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "data": data}

    def numpy(self, stream: int = 0) -> Array:
        """A copy on the host."""
        host = np.empty(self.shape, self.dtype)
        self._driver.to_host(host, self.address, stream)
        return host


@dataclass(frozen=True)
class DeviceView:
    """Place and layout of an array; strides in numbers."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    keep: object


def viewed(driver: DeviceDriver, dtype: Any, where: str, array: Any, stream: int) -> DeviceView:
    """An array of this device and type, as it is.

    Raises ValueError for one on the host, on another device or of another type; nothing is copied.
    """
    if isinstance(array, DeviceArray):
        device, found = array._driver.number, array.dtype
        strides = _contiguous(array.shape)
        view = DeviceView(array.address, array.shape, strides, array)
    else:
        view, device, found = _foreign(driver, where, array, stream)
    if device != driver.number:
        raise ValueError(
            f"{where} is on device {device}, and the kernels run on device {driver.number}; "
            "arrays are not copied"
        )
    if found != dtype:
        raise ValueError(
            f"{where} is of type {found}, and the kernels take {np.dtype(dtype)}; arrays are not "
            "converted"
        )
    return view


def _foreign(
    driver: DeviceDriver, where: str, array: Any, stream: int
) -> tuple[DeviceView, int, Any]:
    """An array of another library, by DLPack or its CUDA interface."""
    kind = array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else None
    is_interface = kind is None and hasattr(array, "__cuda_array_interface__")
    if not is_interface and (kind is None or int(kind[0]) not in _CUDA):
        raise ValueError(
            f"{where} is on the host, and the kernels run on device {driver.number}; copy it by "
            "to_device, or give an array of PyTorch or CuPy on that device"
        )
    from cuda.core.utils import StridedMemoryView

    # -1 would leave it to the caller that the numbers are there; the legacy stream is 1 in DLPack.
    found = StridedMemoryView.from_any_interface(array, stream_ptr=stream or 1)
    strides = found.strides or _contiguous(found.shape)
    view = DeviceView(int(found.ptr), tuple(found.shape), tuple(strides), (array, found))
    return view, int(kind[1]) if kind else int(found.device_id), found.dtype


def _contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return tuple(reversed(strides))


def is_contiguous(view: DeviceView) -> bool:
    """True if the numbers stand row by row without gaps."""
    pairs = zip(view.shape, view.strides, _contiguous(view.shape), strict=True)
    return all(extent == 1 or stride == expected for extent, stride, expected in pairs)


def empty_like(driver: DeviceDriver, array: Any, shape: Sequence[int], dtype: Any) -> Any:
    """A new array of the library of `array`: PyTorch or CuPy; else a `DeviceArray`."""
    library = type(array).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].empty(tuple(shape), dtype=array.dtype, device=array.device)
    if library == "cupy":
        return sys.modules["cupy"].empty(tuple(shape), dtype=array.dtype)
    return DeviceArray(driver, shape, dtype)


def stream_of(stream: Any) -> int:
    """Handle of a stream: of a number, of PyTorch or CuPy, or by ``__cuda_stream__``."""
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream or 0)
