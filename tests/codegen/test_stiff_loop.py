"""Sampled loops around stiff mechanisms take implicit steps."""

import numpy as np
import pytest

import eomc
from eomc.codegen import EmissionError
from eomc.runtime.control import PD, Sampled


def _arm() -> eomc.Model:
    """A crank, and a link on a spring whose rate is a hundred times that of the samples."""
    model = eomc.Model("sprung", gravity=(0, 0, -9.81))
    model.body("crank", mass=1, com=(0, 0, -0.5))
    model.joint("crank", "revolute", parent="world", child="crank", axis=(0, 1, 0))
    model.body("link", mass=1)
    model.joint("slide", "prismatic", parent="crank", child="link", axis=(0, 0, -1))
    model.joint_spring("spring", joint="slide", stiffness=1e8)
    return model


@pytest.mark.parametrize("method", ["rodas4p", "midpoint", "generalized_alpha"])
def test_the_loop_of_a_stiff_mechanism_is_the_run_of_python(method: str) -> None:
    """One step a sample: what a method keeps is passed from sample to sample."""
    arm = eomc.build(_arm())
    digital = Sampled(PD(arm, [0.5, 0.0], kp=[20.0, 0.0], kd=[5.0, 0.0]), 0.01)
    loop = eomc.sampled_loop(_arm(), digital, method=method)
    fast = loop.run([0.1, 0.0], t_span=0.5, step=0.01)
    slow = eomc.simulate(
        arm, [0.1, 0.0], t_span=fast.t, controller=digital, method=method, step=0.01
    )
    assert fast.method == method
    assert np.abs(fast.q - slow.q).max() < 1e-12
    assert 0.1 < fast.q[-1, 0] < 0.6
    with pytest.raises(
        ValueError, match=f"method is 'rk4'; this compiled loop has {method}, dopri"
    ):
        loop.run(t_span=0.1, method="rk4")


def test_a_method_that_no_loop_has_is_named() -> None:
    digital = Sampled(PD(eomc.build(_arm()), [0.5, 0.0], kp=20.0, kd=5.0), 0.01)
    with pytest.raises(EmissionError, match="no method 'rodas'; valid: rk4"):
        eomc.sampled_loop(_arm(), digital, method="rodas")
