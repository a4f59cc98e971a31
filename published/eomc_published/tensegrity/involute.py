"""Case of the motion of an involute joint, 8, and what those of its forces share with it.

The motion of a cable's end in the columns of the end's own axes: S, c_J and T_c, T_a of the four
kinds of joint, with the angular entries first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.joints.pose import pose, pose_and_subspace
from eomc.derive.language.scalar import Scalar
from eomc.derive.model import Model, Point
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, at_most, holds

R = 0.07
AREA = np.pi * 1e-6
#: Of every number below.
FREE, MODULUS, VISCOSITY = 19 * R, 2e9, 1e6


@dataclass(frozen=True)
class Variant:
    """A kind in the symbols r, q1, q2 and their rates."""

    kind: str
    taut: str
    first: tuple[str, str]
    """i and j of the first column of S, whose angular part is k; the second is i times"""
    second: str
    drift: tuple[str, str]
    """i and j of c_J"""
    strain: str
    second_at: str
    """q2 at the strain e"""

    def at(self, angle: float = 19.0, strain: float = 0.01) -> Array:
        """Coordinates there."""
        second = [number(self.second_at, [angle], strain=strain)] if self.second_at else []
        return np.array([angle, *second])

    @property
    def places(self) -> list[int]:
        """Of its coordinates among those of all."""
        first = sum(2 if other.second else 1 for other in VARIANTS[: VARIANTS.index(self)])
        return [first, first + 1] if self.second else [first]


VARIANTS = (
    Variant("involute", "r*q1", ("0", "r*q1"), "", ("0", "r*u1**2"), "0", ""),
    Variant(
        "involute_elongation",
        "r*q1 + q2",
        ("0", "r*q1 + q2"),
        "1",
        ("0", "(r*u1 + u2)*u1"),
        "q2/(r*q1)",
        "e*r*q1",
    ),
    Variant(
        "involute_strain",
        "r*q1*(1 + q2)",
        ("r*q2", "r*q1*(1 + q2)"),
        "r*q1",
        ("2*r*u1*u2", "r*(1 + q2)*u1**2 + r*q1*u1*u2"),
        "q2",
        "e",
    ),
    Variant(
        "involute_length",
        "q2",
        ("-r", "q2"),
        "1",
        ("0", "u1*u2"),
        "(q2 - r*q1)/(r*q1)",
        "(1 + e)*r*q1",
    ),
)
ELASTIC = VARIANTS[1:]


def symbolic(text: str) -> Any:
    """An entry of the tables, with the radius as a number."""
    return sympy.sympify(text).subs(sympy.Symbol("r"), sympy.Rational(7, 100))


def number(text: str, q: Any, u: Any = (), strain: float = 0.0) -> float:
    """The same at coordinates and rates."""
    names = {f"q{k + 1}": x for k, x in enumerate(q)} | {"e": strain}
    names |= {f"u{k + 1}": x for k, x in enumerate(u)}
    return float(symbolic(text).subs(names))


def declared(form: str, width: float) -> Model:
    """Pulleys at rest and the ends of their cables, without weight, one of each kind.

    Damping works on the elongation; with the form "default" cables are as declared without words.
    """
    model = Model(f"ends_{form}", gravity=(0, 0, 0))
    for name, value in (("E", MODULUS), ("mu", VISCOSITY)):
        model.parameter(name, value)
    words: dict[str, Any] = {"elasticity": form, "damping": "pushes", "dissipation": "elongation"}
    for variant in VARIANTS:
        kind = variant.kind
        model.body(kind, mass=1, inertia=(1, 1, 1))
        model.joint(f"j_{kind}", kind, parent="world", child=kind, radius=R)
        if variant.second:
            model.involute_cable(
                kind,
                joint=f"j_{kind}",
                modulus="E",
                viscosity="mu",
                area=AREA,
                width=width,
                **(words if form != "default" else {}),
            )
    return model


@cache
def compiled(form: str = "work", width: float = 0.0) -> CompiledModel:
    """The compiled model."""
    return build(declared(form, width), tunable="all")


@cache
def loops() -> CompiledModel:
    """The same joints where they close loops with free bodies."""
    model = Model("loops", gravity=(0, 0, 0))
    for variant in VARIANTS:
        kind = variant.kind
        model.body(kind, mass=1, inertia=(1, 1, 1))
        model.joint(f"free_{kind}", "floating", parent="world", child=kind)
        model.joint(f"j_{kind}", kind, parent="world", child=kind, radius=R, cut=True)
        for word, value in zip(("x", "y"), (2 * np.pi * R, R), strict=True):
            model.initial_guess(f"free_{kind}_{word}", value)
    return build(model)


@cache
def pushed() -> CompiledModel:
    """Ends on which a moment about z and a force along x act, both in the end's axes."""
    model = Model("pushed", gravity=(0, 0, 0))
    for variant in VARIANTS:
        kind = variant.kind
        model.body(kind, mass=1, inertia=(1, 1, 1))
        model.joint(f"j_{kind}", kind, parent="world", child=kind, radius=R)
        moment, force = model.input(f"m_{kind}"), model.input(f"f_{kind}")
        model.torque(f"m_{kind}", kind, (0, 0, 1), frame="body", magnitude=moment)
        model.force(f"f_{kind}", Point(kind), (1, 0, 0), frame="body", magnitude=force)
    return build(model, functions=("inverse_dynamics",))


def whole(variant: Variant, q: Any) -> Array:
    """Coordinates of all joints, the others at the sample."""
    at = np.concatenate([other.at() for other in VARIANTS])
    at[variant.places] = q
    return at


def moving(variant: Variant, u: Any) -> Array:
    """Speeds of all joints, the others at rest."""
    rates = np.zeros(7)
    rates[variant.places] = u
    return rates


def states(variant: Variant, seed: int = 8, count: int = 5) -> Iterator[tuple[Array, Array]]:
    """Coordinates about those of the sample, taut, and rates."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        q = variant.at(*(np.array([19.0, 0.01]) * rng.uniform(0.6, 1.4, 2)))
        yield q, rng.normal(size=len(q))


def subspace(variant: Variant, q: Array) -> Array:
    """S (6, n), angular first, by the tables."""
    i, j = (number(text, q) for text in variant.first)
    columns = [[0, 0, 1, i, j, 0]]
    if variant.second:
        columns.append([0, 0, 0, number(variant.second, q), 0, 0])
    return np.array(columns).T


def told(variant: Variant, q: Array, u: Array) -> tuple[Array, Array]:
    """S and c_J of the compiled model, in the end's axes."""
    model = compiled()
    tip, at, rates = model.frame(variant.kind), whole(variant, q), moving(variant, u)
    axes = np.asarray(tip.pose(at))[:3, :3]
    jacobian = np.asarray(tip.jacobian(at))[:, variant.places]
    s = np.vstack([axes.T @ jacobian[3:], axes.T @ jacobian[:3]])
    bias = np.asarray(tip.acceleration(at, rates, 0 * rates))
    twist = s @ u
    linear = axes.T @ bias[:3] - np.cross(twist[:3], twist[3:])
    return s, np.concatenate([axes.T @ bias[3:], linear])


def placed(variant: Variant, q: Array) -> Array:
    """Pose (4, 4) of the end."""
    return np.asarray(compiled().frame(variant.kind).pose(whole(variant, q)))


def _by_pose(variant: Variant, q: Array, h: float = 2e-3) -> Array:
    """S by fourth-order differences of the pose."""
    at, columns = placed(variant, q), []
    for step in h * np.eye(len(q)):
        ends = [placed(variant, q + m * step) for m in (1, -1, 2, -2)]
        slope = (8 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / (12 * h)
        turn = at[:3, :3].T @ slope[:3, :3]
        columns.append([turn[2, 1], turn[0, 2], turn[1, 0], *(at[:3, :3].T @ slope[:3, 3])])
    return np.array(columns).T


def declared_joint(variant: Variant) -> tuple[Any, Any, Any, Any]:
    """(q, axes, origin, columns of S) of the product's joint, in symbols."""
    model = Model("one")
    model.body("end", mass=1)
    radius = sympy.Rational(7, 100)
    model.joint("j", variant.kind, parent="world", child="end", radius=radius)
    joint = model.joints["j"]
    q = sympy.symbols("q1 q2")[: len(variant.places)]
    _, columns = pose_and_subspace(joint, q)
    at = pose(joint, q)
    return q, sympy.Matrix(at.matrix), sympy.Matrix(at.xyz), columns


def _symbolic_gap(variant: Variant) -> Scalar:
    """Sum of the gaps from S of the table: of S by SymPy's derivative, and of S of the joint."""
    q, axes, origin, columns = declared_joint(variant)
    left = sympy.Integer(0)
    i, j = map(symbolic, variant.first)
    table = [(i, j), (symbolic(variant.second or "0"), 0)]
    for k, (x, column) in enumerate(zip(q, columns, strict=True)):
        v = axes.T * origin.diff(x)
        w = (axes.T * axes.diff(x))[1, 0]
        wanted = [*table[k], 0, 0, 0, int(k == 0)]
        by_pose = [*v, 0, 0, w]
        for a, b, c in zip(wanted, by_pose, column, strict=True):
            left += abs(sympy.nsimplify(sympy.simplify(a - b), rational=True))
            left += abs(sympy.nsimplify(sympy.simplify(a - c), rational=True))
    return sympy.simplify(left)


def _kinematics() -> Iterator[CaseCheck]:
    for variant in VARIANTS:
        name = variant.kind
        gap = _symbolic_gap(variant)
        yield holds(f"{name}: S by symbols", "0", str(gap), gap == 0)
        worst: dict[str, float] = {}

        def meet(what: str, gap: Any, worst: dict[str, float] = worst) -> None:
            worst[what] = max(worst.get(what, 0.0), float(np.abs(gap).max()))

        for q, u in states(variant):
            wanted = subspace(variant, q)
            s, drift = told(variant, q, u)
            meet("S", s - wanted)
            meet("S by differences", _by_pose(variant, q) - wanted)
            i, j = (number(text, q, u) for text in variant.drift)
            meet("c_J", drift - [0, 0, 0, i, j, 0])
            length = number(variant.taut, q)
            t_c = np.array(
                [
                    [1, 0, 0, 0, 0, 0],
                    [0, 1, 0, 0, 0, 0],
                    [0, 0, 0, 0, 0, 1],
                    [0, 0, -length, 0, 1, 0],
                    *[[0, 0, 0, 1, 0, 0]] * (len(q) == 1),
                ]
            ).T
            residual, rows = _closed(variant, q)
            meet("residual", residual)
            meet("S^T T_c", s.T @ t_c)
            meet("rows", rows @ s)  # what the joint holds where it closes a loop spans T_c
            meet("rows", rows.T - t_c @ np.linalg.lstsq(t_c, rows.T, rcond=None)[0])
            meet("rank", int(np.linalg.matrix_rank(rows)) - t_c.shape[1])
            meet("S^T T_a", _acting(variant, q) @ active(variant, q) - np.eye(len(q)))
        for what, gap in worst.items():
            yield at_most(f"{name}: {what}", gap, 1e-8 if "differences" in what else 1e-12)


def active(variant: Variant, q: Array) -> Array:
    """T_a by the slopes l_1, l_2 of the taut length, its rows the moment about z and the force
    along x: m_z, and -(l_1 - r)/l_2 m_z + f_x/l_2."""
    if not variant.second:
        return np.array([[1.0], [0.0]])
    taut = symbolic(variant.taut)
    l_1, l_2 = (number(str(taut.diff(x)), q) for x in sympy.symbols("q1 q2"))
    return np.array([[1, -(l_1 - R) / l_2], [0, 1 / l_2]])


def _acting(variant: Variant, q: Array) -> Array:
    """Generalized forces (n, 2) of a unit moment about z and a unit force along x on the end."""
    model = pushed()
    call, at, rest = model.function("inverse_dynamics"), whole(variant, q), np.zeros(model.nu)
    still = np.zeros(len(model.inputs))
    columns = []
    for letter in ("m", "f"):
        unit = still.copy()
        unit[model.inputs.index(f"{letter}_{variant.kind}")] = 1.0
        columns.append(np.asarray(call(at, rest, rest, still) - call(at, rest, rest, unit)))
    return np.array(columns).T[variant.places]


def _closed(variant: Variant, q: Array) -> tuple[Array, Array]:
    """Residuals and rows of the joint that closes a loop, by the twist of the free body, angular
    first."""
    model = loops()
    at, place = np.array(model.neutral()), placed(variant, q)
    first = model.coordinates.index(f"free_{variant.kind}_x")
    at[first : first + 7] = [*place[:3, 3], np.cos(q[0] / 2), 0, 0, np.sin(q[0] / 2)]
    names = model.output_names("constraint_jacobian")
    own = np.array([name.startswith(f"j_{variant.kind}.") for name in names])
    residual = np.asarray(model.function("constraint_residual")(at))[own]
    speeds = model.speeds.index(f"free_{variant.kind}_vx") + np.array([3, 4, 5, 0, 1, 2])
    return residual, np.asarray(model.function("constraint_jacobian")(at))[own][:, speeds]


CASES = (
    Case(
        8,
        "Motion of a cable's end",
        "3.1",
        "symbols, compiled frames, differences of poses",
        _kinematics,
        slow=True,
    ),
)
