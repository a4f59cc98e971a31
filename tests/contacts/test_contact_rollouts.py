"""Many runs at once in steps with rigid contacts, and sampled loops over such steps."""

from functools import cache

import numpy as np
import pytest

import eomc
from eomc.runtime import contact_rollouts
from eomc.runtime.control import PD, Sampled
from eomc_published.steps.contact_modes import states, walker

FUNCTIONS = (
    *("contact_equations", "integrate", "position_correction", "velocity_correction"),
    *("rigid_contacts", "constraint_residual", "constraint_jacobian"),
)
PLANE = {"kind": "plane", "at": "world"}


@cache
def on_lanes():
    """A loop, a stop, a dry joint and two feet, their friction tunable."""
    return walker(lanes=4, functions=FUNCTIONS)


@pytest.mark.parametrize("method", ["moreau", "stewart_trinkle"])
def test_runs_on_lanes_are_single_runs(method):
    made = on_lanes()
    q, u = (np.array(rows) for rows in zip(*states(made, 6), strict=True))
    push = np.random.default_rng(1).normal(size=(6, 20, made.nu))
    given = {"step": 1e-3, "steps": 20, "every": 5, "method": method, "parameters": {"mu": 0.3}}
    found = contact_rollouts(made, q, u, push, **given)
    assert not found.failed
    assert found.residual[:, 1:].max() < 1e-10
    call, names = made.integrator(method)
    settings, zero = [100, 1e-12, 1e-2, 1, 0], np.zeros(made.integrator_record(method)["nz"])
    for k in range(6):
        values = {"q": q[k], "u": u[k], "z": zero, "tau": push[k], "settings": settings}
        rows = call(*(values[name] for name in names), 1e-3, 20, parameters={"mu": 0.3})
        assert np.abs(found.q[k] - rows[0][::5]).max() < 1e-11
        assert np.abs(found.u[k] - rows[1][::5]).max() < 1e-9
        slip = np.hypot(rows[2][1:, 1], rows[2][1:, 2])
        assert (slip <= 0.3 * rows[2][1:, 0] + 1e-12).all()


def test_a_run_that_fails_leaves_those_beside_it_alone():
    made = on_lanes()
    q, u = (np.array(rows) for rows in zip(*states(made, 4), strict=True))
    push = np.zeros((4, 10, made.nu))
    alone = contact_rollouts(made, q, u, push, step=1e-3, steps=10)
    push[2, 4:] = np.nan
    found = contact_rollouts(made, q, u, push, step=1e-3, steps=10)
    assert list(found.failed) in ([], [2])
    assert np.isfinite(found.u[2, :5]).all()
    assert not np.isfinite(found.u[2, 6:]).any()
    for k in (0, 1, 3):
        assert (found.q[k] == alone.q[k]).all()
        assert (found.impulses[k, 1:] == alone.impulses[k, 1:]).all()


def hopper():
    model = eomc.Model("hopper", gravity=(0, 0, -9.81))
    model.body("base", mass=2.0, inertia=(0.1, 0.1, 0.1))
    model.body("leg", mass=0.5, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
    model.joint("z", "prismatic", parent="world", child="base", axis=(0, 0, 1))
    model.joint("knee", "revolute", parent="base", child="leg", axis=(0, 1, 0), damping=0.2)
    model.contact(
        "foot",
        shape={"kind": "point", "at": eomc.Point("leg", (0, 0, -0.4))},
        surface=PLANE,
        normal={"kind": "rigid", "restitution": 0},
        friction={"kind": "dry", "kinetic": 0.5},
    )
    return model


@cache
def controlled():
    """It with a sampled law of its knee."""
    made = eomc.build(hopper())
    law = PD(made, [0, 0.3], [0, 20], [0, 0.5], actuators=["knee"])
    return made, Sampled(law, period=4e-3, delay=1e-3)


def test_a_sampled_loop_steps_contacts_as_python_does():
    made, controller = controlled()
    loop = eomc.sampled_loop(hopper(), controller, method="stewart_trinkle")
    times = np.linspace(0, 0.4, 401)
    given = {"t_span": times, "step": 1e-3}
    run = loop.run([0.45, 0.2], **given)
    python = eomc.simulate(
        made, [0.45, 0.2], method="stewart_trinkle", controller=controller, **given
    )
    assert np.abs(run.q - python.q).max() < 1e-12
    assert np.abs(run.u - python.u).max() < 1e-11
    assert (python.contacts.forces["foot"][:, 0] > 0).any()
    runs = loop.rollouts([[0.45, 0.2], [0.5, 0.1]], [0, 0], contacts={"sweeps": 50}, **given)
    assert np.abs(runs.q[0] - run.q).max() < 1e-12
    assert runs.impulses[0, :, 0] == pytest.approx(
        python.contacts.impulses["foot"][:, 0], abs=1e-12
    )
    with pytest.raises(ValueError, match="dopri"):
        loop.run(method="dopri", t_span=0.1)
    with pytest.raises(ValueError, match="sweeps"):
        loop.run(contacts={"sweps": 3}, t_span=0.1)


def test_a_sampled_loop_that_would_ignore_contacts_is_refused():
    _, controller = controlled()
    with pytest.raises(eomc.ModelError, match="'rk4' knows nothing of"):
        eomc.sampled_loop(hopper(), controller)
