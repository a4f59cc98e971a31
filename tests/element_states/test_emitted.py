"""States of elements in emitted C: compiled without warnings, in float, on lanes."""

import numpy as np
import pytest
from element_states.conftest import arm, loop
from small_programs.c_library import COMPILERS, WARNINGS, compile_c

import eomc
from eomc.codegen import emit, write

pytestmark = pytest.mark.variants


@pytest.mark.parametrize("make", [arm, loop])
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compiles_without_warnings(tmp_path, make, real, compiler):
    sources = emit(eomc.equations(make()).program(), real, lanes=4)
    header = next(text for name, text in sources.items() if name.endswith(".h"))
    assert "element_state_rates" in header and "behind them" in header
    folder = write(sources, tmp_path / "model")
    for file in sources.c_files:
        compile_c(folder, [file], "model.o", compiler, *WARNINGS, "-O1", "-c")


def test_float_follows_double(compiled_arm):
    start = ([0.2, 0.3], [0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0], [0.5])
    single = eomc.build(arm(), real="float")
    for got, expected in zip(
        single.rk4(*start, 1e-3, 200), compiled_arm.rk4(*start, 1e-3, 200), strict=True
    ):
        assert got.dtype == np.float32
        assert np.abs(got[-1] - expected[-1]).max() < 1e-4


@pytest.mark.parametrize("feedback", [False, True])
def test_rollouts_are_runs(compiled_arm, feedback):
    model = eomc.build(arm(), lanes=4)
    rng = np.random.default_rng(3)
    q, u, z = (0.3 * rng.normal(size=(6, n)) for n in (2, 2, 3))
    z[:, 0] *= 0.01
    tau, c, h, steps = np.zeros(2), np.array([0.5]), 1e-3, 50
    more = {}
    if feedback:
        more = {"q_ref": np.zeros(2), "kp": 3.0, "kd": [1.0, 2.0], "computed_torque": True}
    found = model.rk4_rollouts(q, u, z, tau, c, h, steps, **more)
    assert [part.shape for part in found] == [(6, 51, 2), (6, 51, 2), (6, 51, 3)]
    for k in range(6):
        state = [q[k], u[k], z[k]]
        for _ in range(steps):
            force = tau
            if feedback:
                wanted = 3.0 * -state[0] + np.array([1.0, 2.0]) * -state[1]
                force = tau + compiled_arm.inverse_dynamics(*state, wanted, c)
            state = [part[-1] for part in compiled_arm.rk4(*state, force, c, h, 1)]
        for rows, expected in zip(found, state, strict=True):
            assert np.abs(rows[k, -1] - expected).max() < 1e-12


def test_batches_take_them(compiled_arm):
    q, u, z = np.zeros((5, 2)), np.ones((5, 2)), np.arange(15.0).reshape(5, 3)
    found = compiled_arm.element_state_rates(q, u, z, [0.5])
    each = [compiled_arm.element_state_rates(*row, [0.5]) for row in zip(q, u, z, strict=True)]
    assert np.array_equal(found, each)


def test_integrators_name_what_is_wrong(compiled_arm):
    with pytest.raises(ValueError, match="argument 'z' has shape"):
        compiled_arm.rk4([0.0] * 2, [0.0] * 2, [0.0], [0.0] * 2, [0.0], 1e-3, 1)


def test_small_code_has_the_same_values():
    model = arm()
    small, plain = (eomc.equations(model).program(small=size) for size in (True, False))
    del plain
    compiled, reference = eomc.build(small), eomc.build(model)
    values = ([0.2, 0.3], [0.4, -0.5], [0.1, 0.2, 0.005], [0.7, -0.3], [0.5])
    got, expected = compiled.forward_dynamics(*values), reference.forward_dynamics(*values)
    assert np.abs(got - expected).max() < 1e-12
