"""Kernels on a CUDA device: their cases, their resources without a device, their speed with one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.cases import g1
from benchmarks.legged import model, quadruped
from benchmarks.section import Section, Target
from eomc.building.kernels import kernels
from eomc.codegen.cuda.compiler import Resources
from eomc.derive.model import Model
from eomc.runtime.cuda.driver import CudaDriver, CudaError
from eomc.runtime.cuda.kernels import CudaKernels

MODELS = Path(__file__).parent.parent / "examples" / "models"
EVERY = ("sm_80", "sm_90", "sm_100")
_RUN = ("forward_dynamics", "coordinate_rates", "normalize")
_LOOPS = (
    *(*_RUN, "integrate", "inverse_dynamics", "mass_matrix", "bias"),
    *("constraint_jacobian", "constraint_residual", "position_correction"),
    *("constraint_velocity", "velocity_correction", "constraint_bias"),
)


@dataclass(frozen=True)
class KernelCase:
    """Functions of a model whose kernels are compiled for these architectures.

    tested : whether tests hold them to the record; others take longer to compile
    """

    name: str
    make: Callable[[], Model]
    functions: tuple[str, ...]
    real: str
    architectures: tuple[str, ...] = EVERY
    tested: bool = True

    def compiled(self, architecture: str, cache_dir: str | None = None) -> Mapping[str, Resources]:
        """Resources of each kernel, by its name without the model's."""
        equations = eomc.equations(self.make())
        manifest, assemble = kernels(equations, self.functions, real=self.real, cache_dir=cache_dir)
        start = len(manifest["prefix"]) + 1
        return {symbol[start:]: found for symbol, found in assemble(architecture)[1].items()}


def _example(name: str) -> Callable[[], Model]:
    return lambda: eomc.load(MODELS / f"{name}.toml")


def _rigid() -> Model:
    return model(quadruped())


def _giving_way() -> Model:
    return model(quadruped(), gives_way=True)


_SLOPES = ("forward_dynamics_derivatives", "forward_dynamics_vjp")
_STEPS = ("rk4_step", "rk4_step_derivatives", "rk4_step_vjp", "midpoint_step")
CASES = (
    KernelCase("Panda", _example("panda"), (*_RUN, "inverse_dynamics", *_SLOPES), "float"),
    KernelCase("Panda", _example("panda"), (*_RUN, _SLOPES[0]), "double", ("sm_90",)),
    KernelCase("Panda", _example("panda"), (_SLOPES[1], *_STEPS), "double", ("sm_90",), False),
    KernelCase("G1", g1, _RUN, "float"),
    KernelCase("G1", g1, _SLOPES, "float", ("sm_90",), False),
    KernelCase("quadruped, feet give way", _giving_way, _RUN, "float"),
    KernelCase(
        *("quadruped, rigid feet", _rigid, ("contact_equations", "integrate"), "float", ("sm_90",))
    ),
    KernelCase("four-bar", _example("four_bar"), (*_LOOPS, _SLOPES[0]), "double"),
)


@dataclass(frozen=True)
class _Speed:
    """A quantity that is measured with a device.

    goal : a second, on an H200; 0 for none
    steps : of a run, 0 for a function
    """

    case: KernelCase
    kernel: str
    states: int
    goal: float = 0.0
    steps: int = 0


_SPEEDS = (
    _Speed(CASES[0], "forward_dynamics", 1 << 22, 5e9),
    _Speed(CASES[0], "forward_dynamics_derivatives", 1 << 20),
    _Speed(CASES[0], "rk4_rollouts", 1 << 20, 0.0, 100),
    _Speed(CASES[3], "rk4_rollouts", 1 << 18, 1e8, 100),
    _Speed(CASES[5], "rk4_rollouts", 1 << 18, 1e8, 100),
    _Speed(CASES[6], "moreau_rollouts", 1 << 17, 1e8, 100),
    _Speed(CASES[7], "rk4_rollouts", 1 << 18, 0.0, 100),
)
ROUNDS = 5


def section() -> Section:
    """States, or steps of states, a second; without a device what would be measured."""
    try:
        driver: CudaDriver | None = CudaDriver()
        assert driver is not None
        where = f"Measured on {driver.architecture}, the best of {ROUNDS} rounds."
    except CudaError as reason:
        driver, where = None, f"Nothing is measured: {reason}."
    rows, figures, targets = [], [], []
    for each in _SPEEDS:
        rate = None if driver is None else _measured(driver, each)
        what = f"{each.case.name}: {each.kernel}"
        goal = f"{each.goal:.0e}" if each.goal else ""
        rows.append((what, each.case.real, f"{each.states}", f"{rate:.3g}" if rate else "", goal))
        figures.append({**asdict(each, dict_factory=_plain), "rate": rate})
        if rate and each.goal:
            targets.append(Target(f"{what} a second", rate, each.goal))
    return Section(
        "Kernels on a device",
        "`python -m benchmarks --section gpu`: states a second, of runs steps of states a second, "
        f"with all arrays on the device. {where}",
        ("kernel", "scalar", "states", "a second", "goal on an H200"),
        rows,
        figures,
        targets=targets,
    )


def _plain(pairs: Any) -> dict[str, Any]:
    return {name: value for name, value in pairs if not callable(value)}


def _measured(driver: CudaDriver, speed: _Speed) -> float:
    """The best rate of the rounds."""
    equations = eomc.equations(speed.case.make())
    made = CudaKernels(*kernels(equations, speed.case.functions, real=speed.case.real), driver)
    call, count = getattr(made, speed.kernel), speed.states
    start = np.asarray(eomc.build(equations, functions=["neutral"]).neutral())
    rng = np.random.default_rng(0)

    def random(size: int) -> Any:
        return made.to_device(rng.uniform(-0.1, 0.1, (size, count)))

    q = made.to_device(start[:, None] + rng.uniform(-0.1, 0.1, (start.size, count)))
    if speed.steps:
        entry = call.entry
        values = {port["name"]: np.zeros(port["shape"]) for port in entry["zero_order_hold"]}
        if "settings" in values:
            values["settings"] = np.array([50, 1e-6, 1e-2, 1.0, 0.0])
        held = [made.to_device(value.reshape(-1, 1)) for value in values.values()]
        u = np.zeros((entry["nu"] + entry["nz"], count))
        given = [q, made.to_device(u), *held, 1e-3, speed.steps]
        options: dict[str, Any] = {"every": speed.steps, "check": False}
    else:
        ports = made.manifest["functions"][speed.kernel]["inputs"][1:]
        given = [q, *(random(port["shape"][0]) for port in ports)]
        options = {"check": False}
    options["out"] = call(*given, **options)
    best = np.inf
    for _ in range(ROUNDS):
        made.synchronize()
        begin = time.perf_counter()
        call(*given, **options)
        made.synchronize()
        best = min(best, time.perf_counter() - begin)
    return count * max(speed.steps, 1) / best
