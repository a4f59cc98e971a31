"""Kernels compiled for devices without one: by NVRTC and ptxas, held to recorded resources."""

import json
from pathlib import Path
from typing import Any

import pytest

import eomc
from eomc.codegen.cuda.compiler import assembled, occupancy
from eomc.codegen.plan.errors import BuildError

pytest.importorskip("cuda.bindings")
pytest.importorskip("nvidia.cuda_nvcc")

from benchmarks.contender import Unavailable
from benchmarks.gpu import CASES, EVERY, KernelCase

HERE = Path(__file__).parents[2]
MODELS = HERE / "examples" / "models"
TESTED = [(case, name) for case in CASES if case.tested for name in case.architectures]
RECORD = "`python docs/kernel_tables.py` writes the record anew"


def recorded(case: KernelCase, architecture: str) -> dict[str, Any]:
    record = json.loads((HERE / "docs" / "kernels.json").read_text(encoding="utf-8"))
    key = {"model": case.name, "real": case.real, "architecture": architecture}
    of_case = [entry["kernels"] for entry in record if key.items() <= entry.items()]
    found: dict[str, Any] = {name: each for kernels in of_case for name, each in kernels.items()}
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "architecture"), TESTED, ids=[f"{c.name}-{c.real}-{a}" for c, a in TESTED]
)
def test_kernels_stay_within_their_recorded_resources(
    case: KernelCase, architecture: str, tmp_path: Path
) -> None:
    try:
        found = case.compiled(architecture, str(tmp_path))
    except Unavailable as reason:
        pytest.skip(str(reason))
    budgets = recorded(case, architecture)
    assert found.keys() <= budgets.keys(), RECORD
    for name, each in found.items():
        budget = budgets[name]
        # Another version of the compilers allots a few registers otherwise.
        assert each.registers <= budget["registers"] + 8, f"{name}: {RECORD}"
        assert each.stack <= 1.05 * budget["stack"] + 64, f"{name}: {RECORD}"
        assert each.spills <= budget["spills"], f"{name}: {RECORD}"


@pytest.mark.parametrize("architecture", EVERY)
def test_kernels_become_code_of_the_device(architecture: str, tmp_path: Path) -> None:
    functions = ("forward_dynamics", "coordinate_rates", "normalize")
    folder = eomc.emit(
        MODELS / "pendulum.toml", tmp_path, functions=functions, real="float", target="cuda"
    )
    made = assembled((folder / "pendulum.cu").read_text(), architecture)
    assert made.binary[:4] == b"\x7fELF"
    assert set(made.resources) == {f"pendulum_{name}" for name in (*functions, "rk4_rollouts")}
    assert all(0 < each.registers <= 128 for each in made.resources.values())
    assert not any(each.spills for each in made.resources.values())


def test_errors_of_the_compilers_are_reported() -> None:
    with pytest.raises(BuildError, match=r"NVRTC cannot compile the kernels: .*\bnumber\b"):
        assembled("__device__ int f() { return number; }", "sm_90")
    with pytest.raises(BuildError, match="'90' is not an architecture; valid are sm_80"):
        assembled("", "90")


def test_occupancy_is_that_of_nvidia_s_tables() -> None:
    """Registers a thread, blocks of 128 threads: warps of the CUDA occupancy calculator for 9.0."""
    warps = {32: 64, 40: 48, 48: 40, 64: 32, 80: 24, 96: 20, 128: 16, 168: 12, 255: 8}
    assert {n: round(64 * occupancy(n, "sm_90")) for n in warps} == warps
