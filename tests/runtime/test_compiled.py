"""The face of a compiled model: names, limits, batches, random configurations, what it imports."""

import subprocess
import sys

import numpy as np
import pytest

import eomc


def test_names_and_sizes(tumbler: eomc.CompiledModel, driven: eomc.CompiledModel) -> None:
    assert (tumbler.nq, tumbler.nu) == (7, 6)
    assert tumbler.coordinates[3:] == ("base_qw", "base_qx", "base_qy", "base_qz")
    assert tumbler.speeds[:3] == ("base_vx", "base_vy", "base_vz")
    assert (driven.coordinates, driven.prescribed, driven.inputs) == (
        ("arm",),
        ("table",),
        ("thrust",),
    )
    assert driven.inputs_of("bias") == ("q", "u", "r", "s", "s_rate", "s_acceleration")
    assert tumbler.manifest["name"] == "tumbler"
    assert tumbler.operations_of("normalize") > 0 == driven.operations_of("normalize")
    assert repr(tumbler).startswith("<CompiledModel 'tumbler': nq = 7, nu = 6")
    assert {"forward_dynamics_derivatives", "frame", "mass_matrix", "nq"} <= set(dir(tumbler))


def test_limits_and_parameters(chain: eomc.CompiledModel, swing: eomc.CompiledModel) -> None:
    assert chain.lower.tolist() == [-2.0, -np.inf]
    assert chain.upper.tolist() == [1.0, np.inf]
    assert chain.velocity_limits.tolist() == [3.0, np.inf]
    assert chain.effort_limits.tolist() == [40.0, np.inf]
    assert dict(swing.parameters) == {"m": 1.5}
    with pytest.raises(TypeError):
        swing.parameters["m"] = 2.0  # type: ignore[index]


def test_batches_broadcast(chain: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(0)
    q, u, a = rng.normal(size=(5, 1, 2)), rng.normal(size=(3, 2)), rng.normal(size=2)
    tau = chain.inverse_dynamics(q, u, a)
    assert tau.shape == (5, 3, 2)
    for i in range(5):
        for j in range(3):
            assert np.array_equal(tau[i, j], chain.inverse_dynamics(q[i, 0], u[j], a))
    assert chain.mass_matrix(q).shape == (5, 1, 2, 2)
    assert chain.kinetic_energy(q, u).shape == (5, 3)
    assert isinstance(float(chain.kinetic_energy(q[0, 0], u[0])), float)
    assert chain.frame("tip").jacobian_rate(q, u).shape == (5, 3, 6, 2)
    first, second, third = chain.inverse_dynamics_derivatives(q, u, a)
    assert first.shape == second.shape == third.shape == (5, 3, 2, 2)


def test_configurations_integrate_and_differ(tumbler: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(3)
    q0, q1 = tumbler.random_configuration(rng, 2)
    du = tumbler.difference(q0, q1)
    reached = tumbler.integrate(q0, du)
    # A quaternion and its negative are one rotation.
    reached[3:] *= np.sign(reached[3:] @ q1[3:])
    assert reached == pytest.approx(q1, abs=1e-12)
    assert tumbler.neutral().tolist() == [0, 0, 0, 1, 0, 0, 0]


def test_random_configurations_stay_within_the_limits(chain: eomc.CompiledModel) -> None:
    q = chain.random_configuration(7, (50, 20))
    assert q.shape == (50, 20, 2)
    assert (q >= [-2.0, -np.pi]).all() and (q <= [1.0, np.pi]).all()
    # Uniform: mean and variance of 1000 draws, at five standard errors.
    assert abs(q[..., 0].mean() + 0.5) < 5 * (3 / 12**0.5) / 1000**0.5
    assert np.array_equal(q, chain.random_configuration(7, (50, 20)))
    assert chain.random_configuration().shape == (2,)


def test_random_quaternions_are_uniform_rotations(tumbler: eomc.CompiledModel) -> None:
    q = tumbler.random_configuration(5, 4000)
    quaternions = q[:, 3:]
    assert np.linalg.norm(quaternions, axis=1) == pytest.approx(np.ones(4000))
    # The second moment of a uniform direction in four dimensions is a quarter of the identity.
    moment = quaternions.T @ quaternions / 4000
    assert np.abs(moment - np.eye(4) / 4).max() < 0.02
    assert np.abs(q[:, :3]).max() <= 1.0


def test_the_runtime_needs_neither_sympy_nor_derivation_nor_compiler(
    swing: eomc.CompiledModel,
) -> None:
    program = f"""
import sys
import eomc.runtime
model = eomc.runtime.load({str(swing.library)!r})
run = eomc.runtime.simulate(model, {{"hinge": 0.5}}, t_span=1.0)
rk4 = eomc.runtime.simulate(model, [0.5], t_span=1.0, method="rk4", step=1e-3)
assert abs(run.q[-1, 0] - rk4.q[-1, 0]) < 1e-7
assert run.energy.shape == run.t.shape
foreign = ("sympy", "mpmath", "eomc.derive", "eomc.codegen", "matplotlib", "rich")
loaded = [name for name in sys.modules if name.startswith(foreign)]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == done.stderr == ""
