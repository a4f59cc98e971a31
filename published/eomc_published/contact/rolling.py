"""Cases 29 to 32: shapes that roll on a plane without slip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.constraints import assemble, multipliers
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.contact.geometry import SHAPES, Array, Z, random_states, rotation, spun, support

G = 9.81
FINE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
HELD = [f"{what}(free_w{axis})" for what in ("displacement", "speed") for axis in "xyz"]


def wheel(shape: Mapping[str, Any], inertia: Sequence[float], mass: float = 1.0) -> Model:
    """A free body "b" with that shape, which rolls on the plane z = 0."""
    model = Model("wheel")
    model.body("b", mass=mass, inertia=tuple(inertia))
    model.joint("free", "floating", parent="world", child="b")
    model.constraint(
        "roll", "rolling_contact", shape=shape, surface={"kind": "plane", "at": "world"}
    )
    return model


def rolled(model: CompiledModel, turn: Array, w: Array, times: Sequence[float]) -> Trajectory:
    """A run from a height and speeds at which it touches and rolls; x and y begin at zero."""
    start = assemble(model, [0, 0, 0.1, *turn / np.linalg.norm(turn)], [0, 0, 0, *w], fixed=HELD)
    return simulate(model, start.q, start.u, t_span=[0, *times], **FINE)


Row = tuple[float, tuple[float, ...], tuple[float, ...], tuple[float, ...]]
"""Time, place, quaternion if it is told, angular velocity."""

ELLIPSOID: tuple[Row, ...] = (
    (
        1,
        (-0.0505635145618257, 0.0908307781622828, 0.1105174999020802),
        (-0.324234007279362, -0.0719775697860325, 0.2031203093544008, 0.9211045966116093),
        (-2.5182812560314036, 3.0021703125615047, 2.329341860498292),
    ),
    (
        2,
        (-0.1176579818884962, -0.0020475035373853, 0.1038305181060368),
        (-0.9097239838697815, 0.0795145287488053, 0.0826169964013720, -0.3990665919311775),
        (-2.9344516344669174, -0.3650891122029647, 3.6543197020258313),
    ),
    (
        5,
        (-0.1240315504575738, -0.0418643740184553, 0.1134819824648508),
        (-0.631326820191068, -0.1959246862445423, 0.1284508284987174, 0.7392836722702633),
        (0.8871216682127858, 2.263265453702534, 2.830890003221363),
    ),
)

TORUS: tuple[Row, ...] = (
    (
        1,
        (-1.9904189107101131, 0.982897146853242, 0.2727854510230465),
        (),
        (0.0610094567267339, -0.5238892771741632, 7.998991230149609),
    ),
    (
        2,
        (-2.2631677394723884, 3.1859506240871625, 0.2725049111160037),
        (),
        (-0.4345022274017584, 0.355179102318882, 7.997798690397025),
    ),
    (
        5,
        (2.210236696273941, 1.8808119549697102, 0.2713348612044659),
        (0.8251230863997752, 0.0918255085003010, 0.5495436526213419, -0.0934972840461099),
        (-0.0807159155783047, 0.6922920089997794, 7.993616939271393),
    ),
)


def _course(name: str, run: Trajectory, rows: Sequence[Row], energy: float) -> Iterator[CaseCheck]:
    for k, (t, place, turn, spin) in enumerate(rows, 1):
        q, expected = run.q[k], [*place, *turn, *spin]
        got = [*q[:3], *q[3 : 3 + len(turn)], *run.u[k, 3:]]
        yield agrees(f"{name} at t = {t}", expected, got, 1e-8)
    energies = run.evaluate("kinetic_energy") + run.evaluate("potential_energy")
    yield agrees(f"{name}: energy", np.full(len(energies), energy), energies, 1e-10)
    gaps = run.evaluate("constraint_residual")
    yield at_most(f"{name}: gap", float(np.abs(gaps).max()), 1e-10)


def _ellipsoid() -> Iterator[CaseCheck]:
    a, b, c = axes = (0.2, 0.15, 0.1)
    inertia = ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
    model = build(wheel({"kind": "ellipsoid", "at": "b", "semi_axes": axes}, inertia))
    run = rolled(model, np.array([0.96, 0.2, 0.1, 0.15]), np.array([1, 2, 3]), (1, 2, 5))
    yield agrees("height at the start", 0.1126805197691483, run.q[0, 2], 1e-12)
    yield from _course("ellipsoid", run, ELLIPSOID, 1.2291427988461816)


def _torus() -> Iterator[CaseCheck]:
    inertia = (0.03225, 0.03225, 0.0637)
    turn, w = np.array([cos(0.6), sin(0.6), 0, 0]), np.array([0.3, 0.4, 8])
    model = build(wheel({"kind": "torus", "at": "b", "radius": 0.25, "tube": 0.04}, inertia))
    run = rolled(model, turn, w, (1, 2, 5))
    yield agrees("height at the start", 0.2730097714918066, run.q[0, 2], 1e-12)
    yield from _course("torus", run, TORUS, 7.3520549105656166)
    coins = [
        rolled(build(wheel(shape, inertia)), turn, w, (1, 2, 5))
        for shape in (
            {"kind": "torus", "at": "b", "radius": 0.25, "tube": 1e-14},
            {"kind": "disc", "at": "b", "radius": 0.25},
        )
    ]
    for k, t in enumerate((1, 2, 5), 1):
        both = [np.concatenate([run.q[k], run.u[k]]) for run in coins]
        yield agrees(f"torus without tube and disc, at t = {t}", both[0], both[1], 1e-12)
    for shape, run in zip(("torus without tube", "disc"), coins, strict=True):
        yield at_most(
            f"{shape}: gap", float(np.abs(run.evaluate("constraint_residual")).max()), 1e-10
        )
        energies = run.evaluate("kinetic_energy") + run.evaluate("potential_energy")
        yield agrees(f"{shape}: energy", np.full(4, energies[0]), energies, 1e-10)


def _coin() -> Iterator[CaseCheck]:
    a, lean, m = 0.05, 0.2, 1.0
    inertia = (m * a * a / 4, m * a * a / 4, m * a * a / 2)
    model = build(wheel({"kind": "disc", "at": "b", "radius": a}, inertia, m))
    rate = sqrt(4 * G / (a * sin(lean)))
    yield agrees("rate of the closed form", 62.8512736307965, rate, 1e-12)
    times = np.linspace(0, 20 * pi / rate, 41)[1:]
    turn, w = np.array([cos(lean / 2), sin(lean / 2), 0, 0]), np.array([0, rate * sin(lean), 0])
    run = rolled(model, turn, w, times.tolist())
    normals = np.array([rotation(q[3:])[:, 2] for q in run.q])
    angle = np.unwrap(np.arctan2(normals[:, 1], normals[:, 0]))
    measured = abs(angle[-1] - angle[0]) / run.t[-1]
    yield agrees("rate of the contact point over ten turns", 1, measured / rate, 1e-9)
    moved = float(np.abs(run.q[:, :3] - run.q[0, :3]).max()) / a
    yield at_most("way of the centre by a", moved, 1e-9)
    press = multipliers(run)
    gap = press.names.index("roll.gap")
    yield agrees("normal force", np.full(len(run.t), m * G), press.values[:, gap], 1e-7)


ROLLING = ("point", "sphere", "ellipsoid", "torus", "disc", "capsule", "cylinder")
MASS, INERTIA = 1.7, np.array([0.01, 0.02, 0.03])


def _rows(name: str, q: Array, w: Array, v: Array) -> dict[str, tuple[Array, Any]]:
    """J = [1, -R [r]x] R of the speeds in body axes and J' (v, omega), by rows, by hand."""
    r, u, found = rotation(q), rotation(q).T @ Z, {}
    ends = ("_1", "_2") if name in ("capsule", "cylinder") else ("",)
    for end in ends:
        centre, _, arm, hessian = support(name + end, u)
        p, pdot = centre + arm, hessian @ np.cross(w, u)
        cross = np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
        rows = r @ np.hstack([np.eye(3), -cross])
        rates = r @ (np.cross(w, v) + np.cross(w, np.cross(w, p) + pdot))
        for label, k in (("slip_1", 0), ("slip_2", 1), ("gap", 2)):
            found[f"roll.{label}{end}"] = rows[k], rates[k]
    return found


def _acceleration(name: str, names: Sequence[str], q: Array, u: Array, tau: Array) -> Array:
    """M u' + c = tau + J^T lambda, J u' + g = 0 of a free body, by hand; complex arguments too."""
    v, w, r = u[:3], u[3:], rotation(q)
    held = _rows(name, q, w, v)
    j = np.array([held[row][0] for row in names])
    g = np.array([held[row][1] for row in names])
    bias = [*MASS * (np.cross(w, v) + G * r.T @ Z), *np.cross(w, INERTIA * w)]
    mass = np.diag([*np.full(3, MASS), *INERTIA])
    k = len(names)
    whole = np.block([[mass, -j.T], [j, np.zeros((k, k))]])
    return np.asarray(np.linalg.solve(whole, np.concatenate([tau - np.array(bias), -g]))[:6])


def _language() -> Iterator[CaseCheck]:
    h = 1e-30
    for name in ROLLING:
        model = build(wheel(SHAPES[name], INERTIA.tolist(), MASS))
        jacobian, bias = model.function("constraint_jacobian"), model.function("constraint_bias")
        slopes = model.function("forward_dynamics_derivatives")
        names = model.output_names("constraint_jacobian")
        off = np.zeros(3)
        for k, (x, turn, v, w) in enumerate(random_states(20)):
            q, u, tau = np.array([*x, *turn]), np.array([*v, *w]), np.array([*w, *v])
            held = _rows(name, turn, w, v)
            j, g = (np.array([held[row][part] for row in names]) for part in (0, 1))
            off[0] = max(off[0], float(np.abs(jacobian(q) - j).max()))
            scale = max(1, float(np.abs(g).max()))
            off[1] = max(off[1], float(np.abs(bias(q, u) - g).max()) / scale)
            if k >= 5:
                continue
            wanted = np.empty((6, 12))
            for column, e in enumerate(np.eye(12)):
                there = turn + 1j * h * spun(turn, e[3:6])
                stepped = _acceleration(name, names, there, u + 1j * h * e[6:], tau)
                wanted[:, column] = stepped.imag / h
            got = np.hstack([np.asarray(part) for part in slopes(q, u, tau)[:2]])
            off[2] = max(off[2], float(np.abs(got - wanted).max() / np.abs(wanted).max()))
        yield at_most(f"{name}: J", off[0], 1e-12)
        yield at_most(f"{name}: J' (v, omega)", off[1], 1e-12)
        yield at_most(f"{name}: linearization and complex step", off[2], 1e-10)


CASES = (
    Case(
        29,
        "A rolling ellipsoid",
        "4, 4.1",
        "a run, and energy and gap along it",
        _ellipsoid,
        provenance="reconstructed",
    ),
    Case(
        30,
        "A rolling torus",
        "4, 4.2",
        "a run, and that of a coin",
        _torus,
        provenance="reconstructed",
        note="A torus has a tube: one of 1e-14 m stands for none.",
    ),
    Case(
        31,
        "A coin that settles",
        "4, 4.3",
        "a run over ten turns",
        _coin,
        provenance="reconstructed",
    ),
    Case(
        32,
        "Rows of rolling",
        "4",
        "compiled Jacobian, bias and derivatives of accelerations",
        _language,
        provenance="reconstructed",
        slow=True,
    ),
)
