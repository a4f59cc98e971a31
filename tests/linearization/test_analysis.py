"""Modes, sensitivities, responses, exchange with python-control, pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from constraints.mechanisms import four_bar as linkage
from constraints.test_nonholonomic import _wheel

import eomc
from eomc.runtime import equilibrium, linearize
from eomc.runtime.errors import LinearizationError
from eomc.runtime.linearization import undamped_modes, unreduced_eigenvalues
from eomc.runtime.linearization.modes import canonical_order
from eomc.runtime.linearization.sensitivity import sensitivities
from eomc.systems.trom import four_bar


def test_modes_satisfy_their_equation(drone: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(0)
    linear = linearize(drone, (drone.random_configuration(rng), rng.normal(size=drone.nu)))
    modes = linear.modes()
    residual = linear.A @ modes.vectors - modes.vectors * modes.eigenvalues
    assert np.abs(residual).max() < 1e-11
    assert np.abs(modes.magnitude.max(axis=0) - 1).max() < 1e-12
    pairs = modes.eigenvalues[modes.eigenvalues.imag > 0]
    assert np.isin(np.round(pairs.conj(), 9), np.round(modes.eigenvalues, 9)).all()


def test_modes_come_in_order() -> None:
    values = np.array([3 - 4j, -2, 1j, 0, 3 + 4j, -1j])
    assert values[canonical_order(values)].tolist() == [0, 1j, -1j, -2, 3 + 4j, 3 - 4j]


def test_phases_of_a_damped_mode(slider: eomc.CompiledModel) -> None:
    modes = linearize(slider).modes()
    shape = modes.shape(0)
    assert abs(shape[modes.dominant(0)]) == pytest.approx(1.0)
    ratio = modes.component("theta")[0] / modes.component("y")[0]
    value = modes.eigenvalues[0]
    # Second row of the equations: (20 lambda^2) y + (35 lambda^2 + 196.2) theta = 0.
    assert ratio == pytest.approx(-20 * value**2 / (35 * value**2 + 196.2))


def test_circulatory_forces_have_no_undamped_modes() -> None:
    with pytest.raises(LinearizationError, match="circulatory"):
        undamped_modes(np.eye(2), [[1, 2], [-2, 1]], ["x", "y"])


def test_sensitivities_follow_the_equilibrium() -> None:
    """A pendulum held aside by a torque: the angle moves with the mass, K = m g l cos(theta)."""
    model = eomc.Model("swing", gravity=(0, 0, -9.81))
    model.parameter("m", 2.0, tunable=True)
    model.body("bob", mass="m", com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    compiled = eomc.build(model)
    torque, m, g, length = 4.0, 2.0, 9.81, 0.5
    found = sensitivities(compiled, equilibrium(compiled, tau={"hinge": torque}))
    # omega^2 = (g/l) cos(theta), sin(theta) = torque / (m g l).
    sine = torque / (m * g * length)
    cosine = np.sqrt(1 - sine**2)
    omega = np.sqrt(g / length * cosine)
    slope = g / length * (sine**2 / cosine) / m / (2 * omega)
    assert found.natural_frequency_rates[0] == pytest.approx([slope, slope])
    held = sensitivities(compiled, (found.linear.point.q, [0.0], [0.0]))
    assert held.natural_frequency_rates[0] == pytest.approx([0.0, 0.0], abs=1e-12)


def test_sensitivities_of_a_loop() -> None:
    """The parallelogram's omega^2 = (M g)/(I) by its crank's damping and a mass."""
    model = four_bar(damping=20.0)
    model.parameter("load", 1.0, tunable=True)
    model.body("weight", mass="load")
    place = eomc.Placement(xyz=(0, 0, -1))
    model.joint("weld", "fixed", parent="left", child="weight", placement=place)
    compiled = eomc.build(model)
    found = sensitivities(compiled, equilibrium(compiled), independent=["phi2"])
    # (25 + load) s^2 + 20 s + (196.2 + 9.81 load) = 0
    value = found.eigenvalues[0]
    slope = -(value**2 + 9.81) / (2 * 26 * value + 20)
    assert found.of("load", 0) == pytest.approx(slope, rel=1e-10)


def test_sensitivities_by_the_geometry_of_constraints() -> None:
    """A particle on a rod, omega^2 = g / length: it hangs elsewhere when the length changes."""
    model = eomc.Model("rod", gravity=(0, 0, -9.81))
    length = model.parameter("length", 2.0, tunable=True)
    model.body("slide", mass=0)
    model.body("particle", mass=3)
    model.joint("y", "prismatic", parent="world", child="slide", axis=(0, 1, 0))
    model.joint("z", "prismatic", parent="slide", child="particle", axis=(0, 0, 1))
    model.constraint(
        "rod", "distance", a=eomc.Point("particle"), b=eomc.Point("world"), length=length
    )
    compiled = eomc.build(model)
    hanging = equilibrium(compiled, {"z": -2.0})
    found = sensitivities(compiled, hanging, independent=["y"])
    slope = -np.sqrt(9.81 / 2.0) / (2 * 2.0)
    assert found.natural_frequency_rates[0] == pytest.approx([slope, slope], rel=1e-10)
    with pytest.raises(LinearizationError, match="sensitivities are those of an Equilibrium"):
        sensitivities(compiled, (hanging.q, hanging.u), independent=["y"])


def test_repeated_eigenvalues_have_no_sensitivity() -> None:
    model = eomc.Model("free", gravity=(0, 0, 0))
    model.parameter("m", 2.0, tunable=True)
    model.body("ball", mass="m")
    model.joint("x", "prismatic", parent="world", child="ball", axis=(1, 0, 0))
    compiled = eomc.build(model)
    found = sensitivities(compiled)
    assert not found.simple.any()
    assert np.isfinite(found.eigenvalue_rates).all()
    with pytest.raises(LinearizationError, match="repeated"):
        found.of("m", 0)


def test_the_pencil_of_an_open_chain(slider: eomc.CompiledModel) -> None:
    ours = linearize(slider).modes().eigenvalues
    assert np.abs(unreduced_eigenvalues(slider) - ours).max() < 1e-10


@pytest.mark.parametrize("independent", [["phi2"], ["phi4"], "null space", None])
def test_the_pencil_of_a_moving_loop(
    bars: eomc.CompiledModel, independent: list[str] | str | None
) -> None:
    start = eomc.assemble(bars, {"phi2": 0.3}, {"phi2": 2.0}, fixed=["phi2", "speed(phi2)"])
    state = start.q, start.u
    ours = linearize(bars, state, independent=independent).modes().eigenvalues
    found = unreduced_eigenvalues(bars, state, independent=independent)
    assert np.abs(found - ours).max() < 1e-11


@pytest.mark.parametrize("speed", [0.0, 1.5])
def test_the_pencil_of_constraints_on_speeds(sled: eomc.CompiledModel, speed: float) -> None:
    """A knife edge: three displacements, two speeds."""
    start = eomc.assemble(sled, {"p_theta": 0.7}, {"p_x": speed, "p_theta": 0.4 * speed})
    _same_by_the_pencil(sled, (start.q, start.u))


@pytest.mark.slow
def test_the_pencil_of_a_rolling_disc() -> None:
    """Body rates of a floating joint under constraints of positions and of speeds."""
    disc = eomc.build(_wheel("disc"), flags=("-O0",))
    rng = np.random.default_rng(3)
    near = disc.integrate(disc.neutral(), 0.4 * rng.normal(size=disc.nu))
    start = eomc.assemble(disc, near, rng.normal(size=disc.nu))
    assert 0 < len(disc.constraint_residual(start.q)) < len(disc.constraint_jacobian(start.q))
    _same_by_the_pencil(disc, (start.q, start.u))


@pytest.mark.slow
def test_modes_of_a_loop_wherever_it_is_cut() -> None:
    """A hanging four-bar with losses in every joint, the cut one too."""
    losses = {name: {"damping": 0.4} for name in "abcd"}
    first = eomc.build(linkage("c", **losses), flags=("-O0",))
    near = eomc.assemble(first, {"a": -0.8, "b": 0.3, "d": -1.6})
    rest = equilibrium(first, near.q)
    crank, coupler, rocker = rest["a"], rest["a"] + rest["b"], rest["d"]
    angles = {"a": crank, "b": coupler - crank, "c": rocker - coupler, "d": rocker}
    modes = linearize(first, rest).modes().eigenvalues
    assert (modes.real < 0).all() and (np.abs(modes.imag) > 1).all()
    for cut in "abd":
        model = eomc.build(linkage(cut, **losses), flags=("-O0",))
        there = {name: angles[name] for name in model.coordinates}
        for found in (
            linearize(model, q=there, independent="null space").modes().eigenvalues,
            unreduced_eigenvalues(model, equilibrium(model, there)),
        ):
            assert np.abs(found - modes).max() < 1e-9


def _same_by_the_pencil(model: eomc.CompiledModel, state: tuple[np.ndarray, np.ndarray]) -> None:
    linear = linearize(model, state)
    found = unreduced_eigenvalues(model, state)
    assert len(found) == len(linear.states)
    # By the characteristic polynomial: eigenvalues that are zero several times are ill-conditioned.
    wanted = np.poly(linear.A)
    assert np.abs(np.poly(found) - wanted).max() < 1e-10 * np.abs(wanted).max()


def test_python_control_keeps_names(slider: eomc.CompiledModel) -> None:
    control = pytest.importorskip("control")
    linear = linearize(slider, outputs=["mass_center.y", "theta"]).select(inputs=["tau(y)"])
    system = linear.to_control()
    assert isinstance(system, control.StateSpace)
    assert system.state_labels == ["y", "theta", "speed(y)", "speed(theta)"]
    assert system.output_labels == ["mass_center_y", "theta"]
    omega = 1.7
    ours = linear.frequency_response([omega]).H[0]
    assert np.abs(system(1j * omega).reshape(2, 1) - ours).max() < 1e-12


@pytest.mark.slow
def test_pictures(slider: eomc.CompiledModel, tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    linear = linearize(slider)
    modes = linear.modes()
    bars, phases = modes.plot(0)
    assert [patch.get_height() for patch in bars.patches] == pytest.approx(modes.magnitude[:, 0])
    assert phases.get_ylabel() == "phase [deg]"
    upper, _ = linear.frequency_response(np.geomspace(0.1, 10, 50)).plot("theta", "tau(y)")
    assert len(upper.lines[0].get_xdata()) == 50
    modes.animate(0, tmp_path / "mode.gif", slider, seconds=0.4)
    assert (tmp_path / "mode.gif").stat().st_size > 1000
    pyplot.close("all")


def test_a_mode_in_motion_is_the_mode(slider: eomc.CompiledModel) -> None:
    from eomc.runtime.linearization.mode_animation import mode_motion

    modes = linearize(slider).modes()
    run = mode_motion(modes, 2, slider, amplitude=0.1)
    quarter = run.count // 4
    assert run.q[0] == pytest.approx(0.1 * modes.shapes[:, 2].real)
    assert run.q[quarter] == pytest.approx(-0.1 * modes.shapes[:, 2].imag, abs=1e-12)
    assert run.t[-1] == pytest.approx(2 * np.pi / modes.eigenvalues[2].imag)
