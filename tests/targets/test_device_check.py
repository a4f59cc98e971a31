"""`eomc verify --device`: what it compares, that it finds a fault, and what it says without one."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from targets.device_on_the_processor import on_processor

import eomc
from eomc.runtime.cuda.driver import CudaDriver, CudaError
from eomc.verifier.device import on_device
from eomc.verifier.subject import DerivedSubject, test_states

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = ("forward_dynamics", "coordinate_rates", "mass_matrix", "inverse_dynamics")


@cache
def subject() -> DerivedSubject:
    equations = eomc.equations(MODELS / "double_pendulum.toml")
    program = equations.program(functions=(*FUNCTIONS, "neutral"))
    model = eomc.build(program)
    return DerivedSubject(model, test_states(model, 3, 0), program, equations.model)


@cache
def kernels() -> Any:
    return on_processor(subject().program)


def compared(made: Any) -> dict[str, float]:
    """The largest ratio of error to what is allowed, by what is compared."""
    found: dict[str, float] = {}
    for each in on_device(lambda program: made, subject()):
        found[each.what] = max(found.get(each.what, 0.0), each.ratio)
    return found


def test_all_functions_and_runs_are_compared() -> None:
    found = compared(kernels())
    assert set(found) == {*FUNCTIONS, "rk4_rollouts"}
    assert max(found.values()) == 0.0  # the same text in the same arithmetic


def test_a_fault_of_one_kernel_is_found() -> None:
    class Broken:
        """Torques of forward dynamics are 0.1 % too small."""

        def __init__(self, made: Any) -> None:
            self.made = made

        def __getattr__(self, name: str) -> Any:
            return getattr(self.made, name)

        def forward_dynamics(self, q: Any, u: Any, tau: Any) -> Any:
            return self.made.forward_dynamics(q, u, self.made.to_device(0.999 * tau.numpy()))

    found = compared(Broken(kernels()))
    assert found.pop("forward_dynamics") > 1e3
    assert max(found.values()) == 0.0


def test_without_a_device_one_sentence_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        CudaDriver()
    except CudaError:
        with pytest.raises(CudaError):
            eomc.verify(MODELS / "pendulum.toml", device="cuda")
    else:
        pytest.skip("there is a device")
    with pytest.raises(ValueError, match="device is 'gpu'; valid are cuda"):
        eomc.verify(MODELS / "pendulum.toml", device="gpu")


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["panda", "quadcopter", "four_bar"])
def test_kernels_agree_with_the_processor(name: str) -> None:
    try:
        CudaDriver()
    except CudaError as reason:
        pytest.skip(str(reason))
    report = eomc.verify(MODELS / f"{name}.toml", device="cuda")
    assert report.ok, report
