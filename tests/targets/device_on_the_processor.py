"""A device that is the processor: the emitted kernels as C++, behind the calls of CUDA's driver.

It stands in for `eomc.runtime.cuda.driver.CudaDriver`, so what is tested with it is the text of the
kernels, the order and layout of their arguments, and what is refused; not a device.
"""

import atexit
import ctypes
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from numpy.typing import NDArray
from small_programs.c_library import compile_c

from eomc.codegen import emit, write
from eomc.derive.graph import Program
from eomc.runtime.cuda.driver import CudaError
from eomc.runtime.cuda.kernels import CudaKernels

Array = NDArray[Any]
NUMBERS = {
    "float64": ctypes.c_double,
    "float32": ctypes.c_float,
    "int32": ctypes.c_int,
    "uint64": ctypes.c_uint64,
    "uint8": ctypes.c_ubyte,
}


class ProcessorDriver:
    """Addresses are those of the process, streams and the number of threads mean nothing."""

    def __init__(self, number: int = 0, memory: int = 10**9) -> None:
        self.number, self.architecture = number, "sm_90"
        self.memory, self.arrays = memory, dict[int, Array]()
        self.refuses = ""

    def load(self, binary: bytes) -> ctypes.CDLL:
        return ctypes.CDLL(binary.decode())

    def function(self, module: ctypes.CDLL, symbol: str) -> Any:
        return getattr(module, symbol)

    def launch(
        self, function: Any, states: int, threads: int, stream: int, arguments: Sequence[Array]
    ) -> None:
        if self.refuses:
            raise CudaError(self.refuses)
        function.restype = None
        function(*map(by_value, arguments))

    def free_memory(self) -> int:
        return self.memory - sum(array.nbytes for array in self.arrays.values())

    def allocate(self, size: int) -> int:
        array = np.full(size, 255, np.uint8)
        self.arrays[array.ctypes.data] = array
        return int(array.ctypes.data)

    def release(self, address: int) -> None:
        del self.arrays[address]

    def to_device(self, address: int, host: Array, stream: int) -> None:
        ctypes.memmove(address, host.ctypes.data, host.nbytes)

    def to_host(self, host: Array, address: int, stream: int) -> None:
        ctypes.memmove(host.ctypes.data, address, host.nbytes)

    def copy(self, to: int, address: int, size: int, stream: int) -> None:
        ctypes.memmove(to, address, size)

    def synchronize(self, stream: int) -> None:
        pass


def by_value(argument: Array) -> Any:
    """A number, or a struct of these bytes."""
    kind = NUMBERS[argument.dtype.name]
    if argument.ndim == 0:
        return kind(argument.item())
    fields = [(f"f{k}", kind) for k in range(argument.size)]
    struct = type("Struct", (ctypes.Structure,), {"_fields_": fields})
    return struct.from_buffer_copy(argument.tobytes())


def on_processor(program: Program, real: Any = "double") -> CudaKernels:
    """The kernels of a program, in a folder that goes with the process."""
    made = emit(program, real, target="cuda")
    folder = Path(mkdtemp(prefix="eomc_kernels_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    write(made, folder)
    manifest = json.loads(made[f"{made.name}.json"])
    return CudaKernels(manifest, compiled_by(made.name, folder), ProcessorDriver())


def compiled_by(name: str, folder: Path) -> Callable[[str], tuple[bytes, Mapping[str, Any]]]:
    """Compile as C++ that has the bits of the C."""
    flags = ("-x", "c++", "-std=c++17", "-O0", "-ffp-contract=off", "-fPIC", "-shared", "-Wall")
    flags += ("-Wextra", "-Werror")

    def assemble(architecture: str) -> tuple[bytes, Mapping[str, Any]]:
        path = compile_c(folder, [f"{name}.cu"], "kernels.so", "g++", *flags)
        return str(path).encode(), {}

    return assemble


class Foreign:
    """An array of another library on a device, known by DLPack alone."""

    def __init__(self, array: Array, device: tuple[int, int] = (2, 0)) -> None:
        self.array, self.device, self.shape = array, device, array.shape

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        """NumPy's capsule, with the device written over."""
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        address = pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)
        ctypes.memmove(address, np.array(self.device, np.int32).ctypes.data, 8)
        return capsule
