"""The kernels as a compiler for devices reads them, down to the assembly of the device."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import eomc

MODELS = Path(__file__).parents[2] / "examples" / "models"

# What CUDA's own headers say, which need not be here.
DEVICE = """
#define __CUDACC__ 1
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __noinline__ __attribute__((noinline))
struct three { unsigned x, y, z; };
extern const __device__ three blockIdx, blockDim, threadIdx, gridDim;
extern "C" {
__device__ void sincos(double, double *, double *);
__device__ void sincosf(float, float *, float *);
__device__ double sqrt(double);
__device__ float sqrtf(float);
}
"""
FLAGS = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_60", "-nocudainc", "-nocudalib"]


@pytest.mark.parametrize("real", ["double", "float"])
def test_kernels_become_assembly_of_the_device(real: str, tmp_path: Path) -> None:
    clang = shutil.which("clang++") or shutil.which("clang")
    if clang is None:
        pytest.skip("clang is not here")
    functions = ("forward_dynamics", "mass_matrix")
    model = MODELS / "panda.toml"
    folder = eomc.emit(
        model, tmp_path / "panda", functions=functions, real=real, target="cuda", piece_size=400
    )
    (folder / "device.h").write_text(DEVICE)
    (folder / "include").mkdir()
    (folder / "include" / "math.h").write_text("")
    command = [clang, *FLAGS, "-isystem", "include", "-include", "device.h", "-std=c++17", "-O1"]
    command += ["-Wno-unknown-cuda-version", "-S", "panda.cu", "-o", "panda.ptx"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if "unable to create target" in result.stderr or "No available targets" in result.stderr:
        pytest.skip("this clang has no code for such devices")
    assert result.returncode == 0, result.stderr
    kernels = re.findall(r"\.entry (\w+)\(", (folder / "panda.ptx").read_text())
    assert kernels == ["panda_forward_dynamics", "panda_mass_matrix"]
