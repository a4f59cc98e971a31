"""Kernels to machine code, and what they take of a device; no device is needed.

NVRTC compiles CUDA C++ to PTX, and ptxas that to the code of one architecture; both are wheels of
the extra ``cuda``. ptxas also says how many registers and how much stack each kernel takes.
"""

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eomc.codegen.plan.errors import BuildError

EXTRA = "pip install 'eomc[cuda]'"
BLOCK = 128
"""Threads of a block."""
_REGISTERS, _REGISTERS_AT_ONCE, _WARP = 65536, 256, 32
"""Registers of a multiprocessor; how many of them a warp takes at once; threads of a warp."""
_WARPS = {(8, 0): 64, (9, 0): 64, (10, 0): 64, (10, 3): 64}
_FEWER_WARPS = 48
"""Warps that a multiprocessor holds, and of architectures that are not listed."""

_KERNEL = re.compile(r"Compiling entry function '(\w+)'(.*?)(?=Compiling entry|\Z)", re.DOTALL)
_USED = re.compile(r"Used (\d+) registers(?:.*?(\d+) bytes cumulative stack size)?")
_SPILLED = re.compile(r"(\d+) bytes spill (?:stores|loads)")


@dataclass(frozen=True)
class Resources:
    """Registers and memory that one thread of a kernel takes.

    registers : number of 4 bytes each
    stack, spills : bytes of local memory, and of those that registers were moved to
    occupancy : share of a multiprocessor's warps that its registers allow in blocks of `BLOCK`
    """

    registers: int
    stack: int
    spills: int
    occupancy: float


@dataclass(frozen=True)
class Assembled:
    """Machine code of kernels for one architecture, and the resources of each."""

    binary: bytes
    resources: Mapping[str, Resources]


def number_of(architecture: str) -> tuple[int, int]:
    """Compute capability of an architecture.

    >>> number_of("sm_90"), number_of("sm_100")
    ((9, 0), (10, 0))

    Raises BuildError for a name that is none.
    """
    found = re.fullmatch(r"sm_(\d+)(\d)", architecture)
    if found is None:
        raise BuildError(f"{architecture!r} is not an architecture; valid are sm_80, sm_90, ...")
    return int(found[1]), int(found[2])


def assembled(source: str, architecture: str, *, fused: bool = True) -> Assembled:
    """Machine code of the kernels in `source` for an architecture such as ``"sm_90"``.

    fused : whether multiplications may be fused with additions; without that the device gives the
        bits of the processor

    Raises BuildError without the compilers, or with what they said.
    """
    number_of(architecture)
    return _assembled(_ptx(source, architecture, fused), architecture)


def _ptx(source: str, architecture: str, fused: bool) -> bytes:
    if find_spec("cuda") is None or find_spec("cuda.bindings") is None:
        raise BuildError(f"kernels are compiled by NVRTC, which is not here: {EXTRA}")
    from cuda.bindings import nvrtc

    def done(result: tuple[Any, ...]) -> Any:
        if int(result[0]):
            raise BuildError(f"NVRTC: {nvrtc.nvrtcGetErrorString(result[0])[1].decode()}")
        return result[1] if len(result) == 2 else None

    options = [f"--gpu-architecture=compute_{architecture[3:]}", f"--fmad={str(fused).lower()}"]
    program = done(nvrtc.nvrtcCreateProgram(source.encode(), b"kernels.cu", 0, [], []))
    try:
        (failed,) = nvrtc.nvrtcCompileProgram(
            program, len(options), [option.encode() for option in options]
        )
        if int(failed):
            log = bytearray(done(nvrtc.nvrtcGetProgramLogSize(program)))
            done(nvrtc.nvrtcGetProgramLog(program, log))
            raise BuildError(f"NVRTC cannot compile the kernels: {log.decode().strip(chr(0))}")
        text = bytearray(done(nvrtc.nvrtcGetPTXSize(program)))
        done(nvrtc.nvrtcGetPTX(program, text))
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return bytes(text).rstrip(b"\0")


def _ptxas() -> Path:
    spec = find_spec("nvidia.cuda_nvcc") if find_spec("nvidia") else None
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for name in ("ptxas", "ptxas.exe"):
            if (file := Path(folder) / "bin" / name).is_file():
                return file
    raise BuildError(f"kernels are assembled by ptxas, which is not here: {EXTRA}")


def _assembled(ptx: bytes, architecture: str) -> Assembled:
    command = [str(_ptxas()), "-v", f"-arch={architecture}", "kernels.ptx", "-o", "kernels.cubin"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "kernels.ptx").write_bytes(ptx)
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ran.returncode:
            raise BuildError(f"ptxas cannot assemble the kernels: {ran.stderr.strip()}")
        binary = (folder / "kernels.cubin").read_bytes()
    found = {}
    for kernel, said in _KERNEL.findall(ran.stderr):
        ((registers, stack),) = _USED.findall(said)
        spills = sum(map(int, _SPILLED.findall(said)))
        share = occupancy(int(registers), architecture)
        found[kernel] = Resources(int(registers), int(stack or 0), spills, share)
    return Assembled(binary, found)


def occupancy(registers: int, architecture: str) -> float:
    """Share of a multiprocessor's warps that so many registers a thread allow.

    >>> occupancy(128, "sm_90")
    0.25
    """
    a_warp = -(-max(registers, 1) * _WARP // _REGISTERS_AT_ONCE) * _REGISTERS_AT_ONCE
    block = BLOCK // _WARP
    most = _WARPS.get(number_of(architecture), _FEWER_WARPS)
    return min(_REGISTERS // (a_warp * block) * block, most) / most
