"""Cases of the single strut: 14, 15, 19 to 24, 26.

Expected values in the coordinates y = (phi, psi, eps_1, eps_2, eps_3) come from a model in these
five coordinates written independently of this program; here the state is set and read through the
closed form of a block that follows its cable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.constraints import assemble
from eomc.runtime.equilibria import Equilibrium, equilibrium
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.tensegrity.single_strut import BRANCHES, single_strut
from eomc_published.case import Case, CaseCheck, agrees, at_most

RADIUS, LENGTH = 0.07, 1.0
AREA = np.pi * 1e-6
#: The state of case 15.
PLACE = np.array([0.21, -0.13, 0.011, 0.02, 0.007])
RATES = np.array([0.3, -0.2, 0.05, -0.04, 0.02])
TORQUES = (4.0, 5.0, 3.0)


@cache
def strut(form: str = "work") -> CompiledModel:
    """The compiled model."""
    return build(single_strut(form=form), tunable="all")


def cables(modulus: float, viscosity: float = 0.0) -> dict[str, float]:
    """Parameters of the cables."""
    return {"E": modulus, "mu": viscosity}


def torques(values: Sequence[float]) -> dict[str, float]:
    """Inputs u1, u2, u3."""
    return {f"u{i}": value for i, value in zip(BRANCHES, values, strict=True)}


def branch(i: int, y: Any) -> tuple[Any, Any, Any, Any]:
    """(beta, gamma, theta, l) of a branch, of real or complex y."""
    phi, psi, strain = y[0], y[1], y[1 + i]
    at = 2 * np.pi * (i - 1) / 3
    base = (LENGTH - np.sqrt(2) * RADIUS) * np.array([np.cos(at), np.sin(at), 0])
    tip = LENGTH * np.array([np.sin(psi), -np.sin(phi) * np.cos(psi), np.cos(phi) * np.cos(psi)])
    w = tip - base
    inward, aside = -np.array([np.cos(at), np.sin(at)]), np.array([np.sin(at), -np.cos(at)])
    x, y_ = inward @ w[:2], aside @ w[:2]
    rho = np.sqrt(x * x + y_ * y_)
    length = np.sqrt(rho**2 + w[2] ** 2 - RADIUS**2)
    gamma = np.arctan(w[2] / rho) - np.arctan(RADIUS / length)
    return np.arctan(y_ / x), gamma, gamma - length / (RADIUS * (1 + strain)), length


def state(y: Any, rates: Any) -> tuple[dict[str, float], dict[str, float]]:
    """(q, u) of the model by name."""

    def places(y: Any) -> dict[str, Any]:
        found = {"phi": y[0], "psi": y[1]}
        for i in BRANCHES:
            found[f"beta{i}"], _, found[f"theta{i}"], _ = branch(i, y)
        return found

    h = 1e-30
    moved = places(np.asarray(y) + 1j * h * np.asarray(rates))
    return (
        {name: float(np.real(value)) for name, value in moved.items()},
        {name: float(np.imag(value)) / h for name, value in moved.items()},
    )


#: Radii of pulleys for which the geometry is asked [m].
RADII = (0.03, 0.07, 0.12)


def _geometry() -> Iterator[CaseCheck]:
    """The straight part of each cable, from the pulley to the strut's tip, as it is drawn."""
    for radius in RADII:
        model = build(single_strut(radius=radius), functions=("element_lines", "element_outputs"))
        q = np.zeros(model.nq)
        points = np.asarray(model.function("element_lines")(q, np.zeros(3)))
        strut_tip = np.array([0, 0, LENGTH])
        last = np.flatnonzero(np.abs(points - strut_tip).max(axis=1) < 1e-12)
        straight = points[last] - points[last - 1]
        lengths = np.linalg.norm(straight, axis=1)
        slopes = np.arctan2(straight[:, 2], np.linalg.norm(straight[:, :2], axis=1))
        name, upright = f"R = {radius:g} m", np.sqrt(2) * LENGTH - radius
        yield agrees(f"{name}: slopes [rad]", [np.pi / 4] * 3, slopes, 1e-13)
        yield agrees(f"{name}: straight lengths [m]", [upright] * 3, lengths, 1e-13)
        rows = model.output_names("element_outputs")
        told = model.function("element_outputs")(q, np.zeros(model.nu), np.zeros(3))
        of_cables = [float(told[rows.index(f"cable{i}.length")]) for i in BRANCHES]
        yield agrees(f"{name}: lengths that the cables tell [m]", [upright] * 3, of_cables, 1e-13)


def _accelerations(form: str) -> Array:
    """(phi'', psi'', eps'') of case 15; strains by differences of their rates along the motion."""
    model, given = strut(form), cables(2e8, 1e6)
    q, u = state(PLACE, RATES)
    at = assemble(model, q, u, inputs=torques(TORQUES), parameters=given)
    names = model.speeds
    a = dict(zip(names, at.a, strict=True))

    def strains(t: float) -> Array:
        values = model.outputs(
            at.q + t * at.u + t * t / 2 * at.a, at.u, np.zeros(3), parameters=given
        )
        return np.array([values[f"cable{i}.strain"] for i in BRANCHES])

    h = 4e-4
    second = (
        -strains(2 * h) + 16 * strains(h) - 30 * strains(0) + 16 * strains(-h) - strains(-2 * h)
    ) / (12 * h * h)
    return np.array([a["phi"], a["psi"], *second])


def _generic() -> Iterator[CaseCheck]:
    model, given = strut(), cables(2e8, 1e6)
    q, u = state(PLACE, RATES)
    at = assemble(model, q, u, inputs=torques(TORQUES), parameters=given)
    yield at_most(
        "the state closes",
        float(np.abs(at.q - np.array([q[n] for n in model.coordinates])).max()),
        1e-12,
    )
    cable = model.outputs(at.q, at.u, np.zeros(3), parameters=given)
    lengths = [cable[f"cable{i}.length"] for i in BRANCHES]
    slopes = [cable[f"cable{i}.rest_length"] / RADIUS + q[f"theta{i}"] for i in BRANCHES]
    tensions = [cable[f"cable{i}.tension"] for i in BRANCHES]
    yield agrees("l", [1.428464958, 1.418690845, 1.169416288], lengths, 1e-9)
    yield agrees("gamma", [0.6961849609, 0.702207599, 0.9153912919], slopes, 1e-9)
    yield agrees("F [N]", [7.068583471, 12.44070691, 4.461061568], tensions, 1e-8, relative=True)
    yield agrees(
        "y'' of the work form",
        [-0.6187668001, -2.884426122, 173.7442181, 207.2005944, 159.6114856],
        _accelerations("work"),
        1e-8,
        relative=True,
    )
    yield agrees(
        "y'' of the energy form",
        [-0.622961494, -2.884112748, 173.6131457, 206.755499, 159.5498118],
        _accelerations("energy"),
        1e-8,
        relative=True,
    )


def upright(form: str, modulus: float, strain: float) -> tuple[CompiledModel, Any, float]:
    """The model, the upright strut at rest with that strain, and the torque that holds it."""
    model = strut(form)
    q, u = state([0, 0, strain, strain, strain], np.zeros(5))
    at = assemble(model, q, u)
    force = np.asarray(
        model.function("inverse_dynamics")(
            at.q, at.u, 0 * at.u, np.zeros(3), parameters=cables(modulus)
        )
    )
    return model, at, float(force[model.speeds.index("theta1")])


def _at_rest(form: str, modulus: float, **asked: Any) -> Equilibrium:
    """The upright strut in the equilibrium that is asked for."""
    q, _ = state([0, 0, 0.01, 0.01, 0.01], np.zeros(5))
    return equilibrium(strut(form), q, parameters=cables(modulus), **asked)


def _holding() -> Iterator[CaseCheck]:
    expected = {"work": [4.398230] * 3, "energy": [4.618141, 4.420221, 4.400429]}
    for form, torque in expected.items():
        for modulus, wanted in zip((2e8, 2e9, 2e10), torque, strict=True):
            # At the strain 20 MPa/E.
            at = _at_rest(
                form,
                modulus,
                targets={f"cable{i}.strain": 20e6 / modulus for i in BRANCHES},
                adjust=[f"u{i}" for i in BRANCHES],
            )
            name = f"{form}, {modulus:g} Pa"
            pulls = [at.outputs[f"cable{i}.tension"] for i in BRANCHES]
            yield agrees(f"{name}: tensions [N]", [62.83185] * 3, pulls, 1e-5)
            held = [at.inputs[f"u{i}"] for i in BRANCHES]
            yield agrees(f"{name}: torques [N m]", [wanted] * 3, held, 1e-6)
    # The other way: by torques of 0.1 N m on all pulleys.
    at = _at_rest("work", 50e6, inputs=torques([0.1] * 3))
    pulls, strains = (
        [at.outputs[f"cable{i}.{what}"] for i in BRANCHES] for what in ("tension", "strain")
    )
    yield agrees("0.1 N m: tensions [N]", [1.428571] * 3, pulls, 1e-6)
    yield agrees("0.1 N m: strains", [9.094568e-3] * 3, strains, 1e-9)


def linear_model(modulus: float, viscosity: float, form: str, strain: float) -> Any:
    """Small motions of the upright strut under constant torques."""
    model, at, torque = upright(form, modulus, strain)
    return linearize(
        model,
        q=at.q,
        u=at.u,
        inputs=torques([torque] * 3),
        parameters=cables(modulus, viscosity),
        independent=["phi", "psi", "theta1", "theta2", "theta3"],
    )


#: Form, modulus, viscosity, strain; real pairs (twice), the single pair, the double pair.
EIGENVALUES: tuple[tuple[str, float, float, float, tuple[complex, ...]], ...] = (
    ("work", 50e6, 0, 0.1 / (0.07 * AREA * 50e6), (3.649168, 23.92863j, 25.46408j)),
    ("work", 2e8, 0, 0.1, (5.651073, 52.168533j, 55.295505j)),
    ("work", 2e9, 0, 0.01, (5.621727, 151.4737j, 161.3911j)),
    ("work", 2e10, 0, 0.001, (5.618460, 474.7336j, 506.1099j)),
    ("work", 2e9, 10e6, 0.01, (5.62171, -57.360725 + 140.1929j, -65.128415 + 147.6665j)),
    ("energy", 50e6, 0, 9.094568e-3, (3.650874, 24.03719j, 25.56710j)),
    ("energy", 2e8, 0, 0.1, (5.652556, 54.714819j, 57.722206j)),
    ("energy", 2e9, 0, 0.01, (5.622380, 152.229211j, 162.105513j)),
    ("energy", 2e10, 0, 0.001, (5.618531, 474.970956j, 506.334103j)),
)


def _eigenvalues() -> Iterator[CaseCheck]:
    for form, modulus, viscosity, strain, (real, single, double) in EIGENVALUES:
        found = linear_model(modulus, viscosity, form, strain).modes().eigenvalues
        upper = sorted((v for v in found if v.imag > 1), key=lambda v: float(v.imag))
        got = [*sorted(v.real for v in found if abs(v.imag) <= 1 and v.real > 0)]
        name = f"{form}, {modulus:g} Pa, {viscosity:g} Pa s"
        yield agrees(f"{name}: real", [real.real] * 2, got, 1e-4, relative=True)
        yield agrees(
            f"{name}: pairs, Im",
            [single.imag, double.imag, double.imag],
            [v.imag for v in upper],
            1e-4,
            relative=True,
        )
        if viscosity:
            yield agrees(
                f"{name}: pairs, Re",
                [single.real, double.real, double.real],
                [v.real for v in upper],
                1e-4,
                relative=True,
            )


def _locked() -> Iterator[CaseCheck]:
    expected = {"work": [17.43853, 55.41844, 175.3386], "energy": [17.49829, 55.43332, 175.3432]}
    for form, wanted in expected.items():
        got = []
        for modulus in (2e8, 2e9, 2e10):
            linear = linear_model(modulus, 0.0, form, 20e6 / modulus)
            mass, stiffness = linear.mass[:2, :2], linear.stiffness[:2, :2]
            got.append(np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness))).real)
        yield agrees(f"{form} [rad/s]", np.repeat(wanted, 2), np.ravel(got), 1e-4, relative=True)


def variant_run(form: str, duration: float) -> Any:
    """From rest, upright, with torques 0.1001, 0.1, 0.1 N m at 50 MPa."""
    q, u = state([0, 0, *[9.0945682e-3] * 3], np.zeros(5))
    return simulate(
        strut(form),
        q,
        u,
        t_span=duration,
        inputs=torques([0.1001, 0.1, 0.1]),
        method="rk4",
        step=1e-4,
        parameters=cables(50e6),
        assemble=True,
    )


def _at(run: Any, name: str, times: Sequence[float]) -> list[float]:
    return [float(run[name][np.argmin(np.abs(run.t - t))]) for t in times]


def _run() -> Iterator[CaseCheck]:
    run = variant_run("work", 2.8)
    expected = [1.2552643e-4, 1.0496632e-3, 6.8027052e-3, 4.2450571e-2]
    got = np.array(_at(run, "psi", [0.5, 1.0, 1.5, 2.0])) / expected
    yield agrees("psi at 0.5, 1, 1.5, 2 s", np.ones(4), got, 1e-6)
    # The strut falls: what is 1e-6 at 2 s has grown by exp(3.65/2) there.
    yield agrees("psi at 2.5 s", 0.26221008, _at(run, "psi", [2.5])[0], 1e-5, relative=True)
    yield at_most("phi", float(np.abs(run["phi"]).max()), 1e-12)
    strains = _strains(run, 1.0)
    wanted = [9.0841167e-3, 9.1027012e-3, 9.1027012e-3]
    yield agrees("strains at 1 s", wanted, strains, 1e-6, relative=True)
    late = run.t > 2.4
    first = [
        strut("work").outputs(q, u, np.zeros(3), parameters=cables(50e6))
        for q, u in zip(run.q[late][::50], run.u[late][::50], strict=True)
    ]
    slack = np.array([values["cable1.strain"] <= 0 for values in first])
    yield at_most(
        "cable 1: taut and slack, less than 2 states of each",
        slack.sum() < 2 or (~slack).sum() < 2,
        0,
    )
    yield agrees("cable 1: slack from [s]", 2.7, float(run.t[late][::50][slack.argmax()]), 0.05)
    pulls = [values["cable1.tension"] for values in np.array(first)[slack]]
    yield agrees("cable 1: tension while slack [N]", np.zeros(len(pulls)), pulls, 0)


def _strains(run: Any, t: float) -> list[float]:
    place = int(np.argmin(np.abs(run.t - t)))
    values = strut("work").outputs(run.q[place], run.u[place], np.zeros(3), parameters=cables(50e6))
    return [values[f"cable{i}.strain"] for i in BRANCHES]


def _balance(form: str, run: Any, times: Sequence[float]) -> list[float]:
    """T + V less what the torques have done since the start, the cables' energy included [J]."""
    model, given = strut(form), cables(50e6)
    works = [
        run[f"theta{i}"] * torque for i, torque in zip(BRANCHES, (0.1001, 0.1, 0.1), strict=True)
    ]
    found = []
    for t in (0.0, *times):
        k = int(np.argmin(np.abs(run.t - t)))
        energy = float(model.function("kinetic_energy")(run.q[k], run.u[k]))
        energy += float(model.function("potential_energy")(run.q[k], parameters=given))
        if form == "work":  # which has no potential: that of the strains all the same
            values = model.outputs(run.q[k], run.u[k], np.zeros(3), parameters=given)
            energy += sum(
                25e6 * AREA * values[f"cable{i}.strain"] ** 2 * values[f"cable{i}.rest_length"]
                for i in BRANCHES
            )
        found.append(energy - sum(float(work[k]) for work in works))
    return [value - found[0] for value in found[1:]]


def _energy() -> Iterator[CaseCheck]:
    run = variant_run("energy", 2.0)
    got = np.array(_at(run, "psi", [1.0, 2.0])) / [1.0426015e-3, 4.2223985e-2]
    yield agrees("psi at 1 and 2 s", np.ones(2), got, 1e-6)
    drift = _balance("energy", run, [0.5, 1.0, 1.5, 2.0])
    yield at_most("energy less work, energy form [J]", float(np.abs(drift).max()), 1e-13)
    first, second = _balance("work", variant_run("work", 2.0), [1.0, 2.0])
    yield agrees("the same at 1 s, work form [J]", 5.0e-8, first, 0.05e-8)
    yield agrees("the same at 2 s, work form [J]", -1.2e-5, second, 0.05e-5)


def _plane() -> Iterator[CaseCheck]:
    run = variant_run("work", 2.0)
    for name in ("phi", "beta1"):
        yield at_most(name, float(np.abs(run[name]).max()), 1e-12)
    _, second, third = _strains(run, 2.0)
    yield at_most("difference of the other two strains", abs(second - third), 1e-12)
    yield at_most("1e-2/psi at 2 s", 1e-2 / abs(_at(run, "psi", [2.0])[0]), 1.0)


CASES = (
    Case(
        14,
        "Geometry of the upright strut",
        "5.1",
        "straight parts of the cables, three radii",
        _geometry,
    ),
    Case(
        15,
        "A generic state",
        "3.2, 3.3",
        "the model's accelerations, strains by differences",
        _generic,
        provenance="reconstructed",
    ),
    Case(
        19,
        "Holding torques",
        "3.5",
        "equilibria with wanted strains, and under given torques",
        _holding,
        provenance="reconstructed",
    ),
    Case(
        21,
        "Eigenvalues under constant torques",
        "5.1",
        "linearize",
        _eigenvalues,
        provenance="reconstructed",
    ),
    Case(
        22,
        "Modes with locked pulleys",
        "5.1",
        "linearize, pulleys held",
        _locked,
        provenance="reconstructed",
    ),
    Case(
        23,
        "Forward dynamics of the variants",
        "5.2",
        "rk4, 0.1 ms",
        _run,
        provenance="reconstructed",
    ),
    Case(26, "A rotation about y alone", "5.2", "rk4, 0.1 ms", _plane),
    Case(
        24,
        "The form derived from the energy",
        "5.2",
        "rk4, 0.1 ms",
        _energy,
        provenance="reconstructed",
    ),
)
