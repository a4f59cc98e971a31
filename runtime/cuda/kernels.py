"""Functions and runs of a model on a device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.runtime.cuda.arrays import (
    DeviceArray,
    DeviceView,
    empty_like,
    is_contiguous,
    stream_of,
    viewed,
)
from eomc.runtime.cuda.driver import CudaError, DeviceDriver, Packed
from eomc.runtime.names.near_names import near_names

THREADS = 128
"""Of a block."""

Assemble = Callable[[str], tuple[bytes, Mapping[str, Any]]]
"""Machine code for an architecture, and what each kernel takes of it."""


class CudaKernels:
    """Functions of a model for many states, one a thread; the states are the last dimension.

    An argument of n entries is an array (n, count), a matrix (m, n, count), row by row, of the type
    and on the device of the kernels: of PyTorch, CuPy or any library with DLPack, or made by
    `to_device`. Nothing is copied or converted. Results go to ``out=``, or are arrays of PyTorch or
    CuPy like the first argument, else `DeviceArray`. Kernels start on ``stream=``, by
    default the legacy default stream; with ``check=True`` the call waits for the return codes of
    functions that can fail, and raises FloatingPointError for the first state that failed.

    Made by ``compiled.cuda()``.

    Attributes
    ----------
    name : str
    functions, runs : tuples of str
        Names of the functions, and of runs such as ``rk4_rollouts``; each is a method.
    architecture : str
        Of the machine code, such as ``"sm_90"``.
    resources : mapping
        Registers, stack, spills [bytes] and occupancy of each kernel, by its symbol.
    dtype : numpy.dtype
    """

    def __init__(
        self,
        manifest: Mapping[str, Any],
        assemble: Assemble,
        driver: DeviceDriver,
        architecture: str = "",
    ) -> None:
        self.name: str = manifest["name"]
        self.manifest = manifest
        self.driver = driver
        self.architecture = architecture or driver.architecture
        if self.architecture != driver.architecture:
            raise CudaError(
                f"the kernels of {self.name!r} are compiled for {self.architecture}, and device "
                f"{driver.number} is {driver.architecture}; compile them for that"
            )
        self.dtype = np.dtype(np.float64 if manifest["real"] == "double" else np.float32)
        self.functions = tuple(manifest["functions"])
        self.runs = tuple(entry["name"] for entry in manifest.get("rollouts", ()))
        binary, self.resources = assemble(self.architecture)
        self._module = driver.load(binary)
        self._kernels: dict[str, Any] = {}
        self._codes: dict[int, DeviceArray] = {}
        for name in (*self.functions, *self.runs):
            setattr(self, name, self._method(name))

    def _method(self, name: str) -> Callable[..., Any]:
        from eomc.runtime.cuda.rollouts import CudaRun

        if name in self.runs:
            return CudaRun(self, next(e for e in self.manifest["rollouts"] if e["name"] == name))
        return CudaFunction(self, name, self.manifest["functions"][name])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        known = (*self.functions, *self.runs)
        raise AttributeError(f"{self.name!r} has no kernel {name!r}; {near_names(name, known)}")

    # -- arrays ----------------------------------------------------------------------------------

    def to_device(self, values: Any, stream: Any = None) -> DeviceArray:
        """A copy on the device, converted to the type of the kernels."""
        host = np.ascontiguousarray(values, self.dtype)
        array = DeviceArray(self.driver, host.shape, self.dtype)
        self.driver.to_device(array.address, host, stream_of(stream))
        return array

    def empty(self, *shape: int) -> DeviceArray:
        """A new array whose numbers are not set."""
        return DeviceArray(self.driver, shape, self.dtype)

    def synchronize(self, stream: Any = None) -> None:
        """Wait for all kernels of the stream."""
        self.driver.synchronize(stream_of(stream))

    # -- calls -----------------------------------------------------------------------------------

    def view(self, where: str, array: Any, stream: int) -> DeviceView:
        """An argument in place. Raises ValueError as the class says."""
        return viewed(self.driver, self.dtype, where, array, stream)

    def whole(self, where: str, array: Any, shape: Sequence[int], stream: int) -> DeviceView:
        """The same, of this shape and without gaps."""
        view = self.view(where, array, stream)
        if view.shape != tuple(shape) or not is_contiguous(view):
            raise ValueError(
                f"{where} has shape {view.shape} and strides {view.strides}; expected "
                f"{tuple(shape)}, the states last, without gaps"
            )
        return view

    def parameters(self, given: Any) -> list[Packed]:
        """The tunable parameters, the same of all states; none if the model has none."""
        entries = self.manifest["parameters"]
        if given is None:
            given = {}
        if not isinstance(given, Mapping):
            given = dict(zip([e["name"] for e in entries], np.asarray(given).tolist(), strict=True))
        names = [entry["name"] for entry in entries]
        for name in given:
            if name not in names:
                raise ValueError(
                    f"{self.name!r} has no parameter {name!r}; {near_names(name, names)}"
                )
        values = [given.get(entry["name"], entry["default"]) for entry in entries]
        return [np.array(values, self.dtype)] if entries else []

    def start(
        self, symbol: str, arguments: Sequence[Packed], count: int, stream: int, check: bool
    ) -> None:
        """Launch a kernel; with `check`, wait and raise FloatingPointError if a state failed."""
        if count == 0:
            return
        codes = self._codes.get(stream)
        if codes is None or codes.shape[0] < count:
            codes = self._codes[stream] = DeviceArray(self.driver, (count,), np.int32)
        if symbol not in self._kernels:
            self._kernels[symbol] = self.driver.function(self._module, symbol)
        ends = [np.array(codes.address, np.uint64), np.array(count, np.uint64)]
        try:
            self.driver.launch(self._kernels[symbol], count, THREADS, stream, [*arguments, *ends])
        except CudaError as error:
            stack = getattr(self.resources.get(symbol), "stack", 0)
            raise CudaError(
                f"{symbol} with {stack} bytes of stack a thread does not start: {error}"
            ) from None
        if not check:
            return
        found = codes.numpy(stream)[:count]
        if failed := np.flatnonzero(found).tolist():
            words = {value: code for code, value in self.manifest["return_codes"].items()}
            raise FloatingPointError(
                f"{symbol}: {words.get(int(found[failed[0]]))} in state {failed[0]}, one of "
                f"{len(failed)} that failed"
            )


class CudaFunction:
    """One function of a model; see `CudaKernels`."""

    def __init__(self, kernels: CudaKernels, name: str, entry: Mapping[str, Any]) -> None:
        self.kernels, self.__name__, self.entry = kernels, name, entry
        self.__doc__ = entry["description"]

    def __call__(
        self,
        *arguments: Any,
        out: Any = None,
        parameters: Any = None,
        stream: Any = None,
        check: bool = True,
    ) -> Any:
        """The outputs, one array or a tuple."""
        kernels, inputs, handle = self.kernels, self.entry["inputs"], stream_of(stream)
        if len(arguments) != len(inputs):
            names = ", ".join(port["name"] for port in inputs)
            raise TypeError(f"{self.__name__} takes ({names}); {len(arguments)} were given")
        if not arguments:
            raise TypeError(f"{self.__name__} depends on no state; call it on the processor")
        count = kernels.view(self._where(inputs[0]), arguments[0], handle).shape[-1:]
        packed: list[Packed] = []
        for port, array in zip(inputs, arguments, strict=True):
            view = kernels.whole(self._where(port), array, (*port["shape"], *count), handle)
            packed.append(np.array(view.address, np.uint64))
        packed += kernels.parameters(parameters)
        outputs = self.entry["outputs"]
        results = self._results(out, arguments[0], count)
        for port, array in zip(outputs, results, strict=True):
            view = kernels.whole(self._where(port), array, (*port["shape"], *count), handle)
            packed.append(np.array(view.address, np.uint64))
        check = check and bool(self.entry["return_codes"])
        kernels.start(self.entry["symbol"], packed, count[0], handle, check)
        return results[0] if len(outputs) == 1 else tuple(results)

    def _where(self, port: Mapping[str, Any]) -> str:
        return f"{self.__name__}: argument {port['c_name']!r}"

    def _results(self, out: Any, first: Any, count: Sequence[int]) -> Sequence[Any]:
        outputs = self.entry["outputs"]
        if out is not None:
            return [out] if len(outputs) == 1 else list(out)
        kernels = self.kernels
        return [
            empty_like(kernels.driver, first, (*port["shape"], *count), kernels.dtype)
            for port in outputs
        ]
