"""The calls of CUDA's driver that kernels need, by ``cuda.bindings``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Packed = NDArray[Any]
"""Numbers of any type, as their bytes go to a device."""


class CudaError(RuntimeError):
    """A device is missing, too small, of another kind, or refuses a call."""


class DeviceDriver(Protocol):
    """One device and its calls; addresses, modules, functions and streams are plain handles."""

    number: int
    architecture: str

    def load(self, binary: bytes) -> Any:
        """Machine code of this device's architecture, made ready."""

    def function(self, module: Any, symbol: str) -> Any:
        """A kernel of a module."""

    def launch(
        self, function: Any, states: int, threads: int, stream: int, arguments: Sequence[Packed]
    ) -> None:
        """Start a kernel on at least so many threads; arguments are arrays of their bytes."""

    def free_memory(self) -> int:
        """Bytes."""

    def allocate(self, size: int) -> int:
        """Address of so many bytes."""

    def release(self, address: int) -> None:
        """Free them."""

    def to_device(self, address: int, host: Packed, stream: int) -> None:
        """Copy from the host; returns once it is done."""

    def to_host(self, host: Packed, address: int, stream: int) -> None:
        """Copy to the host; returns once it is done."""

    def copy(self, to: int, address: int, size: int, stream: int) -> None:
        """Copy bytes on the device, in the order of the stream."""

    def synchronize(self, stream: int) -> None:
        """Wait for all that the stream holds."""


class CudaDriver:
    """The driver of one device, in its primary context, which other libraries share.

    Raises CudaError where there is no driver or no such device.
    """

    def __init__(self, number: int = 0) -> None:
        try:
            from cuda.bindings import driver
        except ImportError:
            raise CudaError(
                "kernels run by cuda.bindings, which is not here: pip install 'eomc[cuda]'"
            ) from None
        self._calls: Any = driver
        self.number = number
        try:
            self._done(driver.cuInit(0))
            count = self._done(driver.cuDeviceGetCount())
        except CudaError as error:
            raise CudaError(f"there is no CUDA device: {error}") from None
        except RuntimeError:
            raise CudaError("there is no CUDA device: NVIDIA's driver is not installed") from None
        if not 0 <= number < count:
            raise CudaError(f"there is no CUDA device {number}; there are {count}, from 0 on")
        device = self._done(driver.cuDeviceGet(number))
        names = driver.CUdevice_attribute
        major, minor = (
            self._done(driver.cuDeviceGetAttribute(name, device))
            for name in (
                names.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                names.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            )
        )
        self.architecture = f"sm_{major}{minor}"
        self._context = self._done(driver.cuDevicePrimaryCtxRetain(device))

    def _done(self, result: tuple[Any, ...]) -> Any:
        """Result of a call. Raises CudaError with the driver's own words."""
        if int(result[0]):
            words = self._calls.cuGetErrorString(result[0])[1]
            raise CudaError(words.decode() if words else str(result[0]))
        return result[1] if len(result) > 1 else None

    def _call(self, name: str, *arguments: Any) -> Any:
        """A call in this device's context."""
        self._done(self._calls.cuCtxSetCurrent(self._context))
        return self._done(getattr(self._calls, name)(*arguments))

    def load(self, binary: bytes) -> Any:
        return self._call("cuModuleLoadData", binary)

    def function(self, module: Any, symbol: str) -> Any:
        return self._call("cuModuleGetFunction", module, symbol.encode())

    def launch(
        self, function: Any, states: int, threads: int, stream: int, arguments: Sequence[Packed]
    ) -> None:
        addresses = np.array([argument.ctypes.data for argument in arguments], np.uint64)
        grid, block = (-(-states // threads), 1, 1), (threads, 1, 1)
        self._call("cuLaunchKernel", function, *grid, *block, 0, stream, addresses.ctypes.data, 0)

    def free_memory(self) -> int:
        self._done(self._calls.cuCtxSetCurrent(self._context))
        error, free, _ = self._calls.cuMemGetInfo()
        self._done((error,))
        return int(free)

    def allocate(self, size: int) -> int:
        return int(self._call("cuMemAlloc", max(size, 1)))

    def release(self, address: int) -> None:
        self._call("cuMemFree", address)

    def to_device(self, address: int, host: Packed, stream: int) -> None:
        self._call("cuMemcpyHtoDAsync", address, host.ctypes.data, host.nbytes, stream)
        self.synchronize(stream)

    def to_host(self, host: Packed, address: int, stream: int) -> None:
        self._call("cuMemcpyDtoHAsync", host.ctypes.data, address, host.nbytes, stream)
        self.synchronize(stream)

    def copy(self, to: int, address: int, size: int, stream: int) -> None:
        self._call("cuMemcpyDtoDAsync", to, address, size, stream)

    def synchronize(self, stream: int) -> None:
        self._call("cuStreamSynchronize", stream)
