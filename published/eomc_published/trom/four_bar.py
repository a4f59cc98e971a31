"""Cases of closed loops: 8 to 14, 30, 41."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Placement
from eomc.derive.system.redundancy import redundancy
from eomc.runtime.derivatives.operating_point import Surroundings
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import Steps, linearize, unreduced_eigenvalues
from eomc.runtime.model.errors import LinearizationError
from eomc.systems.trom import semitrailer
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.trom.cartesian import Axis, CartesianBody
from eomc_published.trom.cartesian.equations import differenced_stiffness
from eomc_published.trom.cartesian.kinematics import GROUND
from eomc_published.trom.models import bars, circle, five_axles, seven, strut
from eomc_published.trom.slider import steps_report

MASS = [[25.0, 7.5, 0, 0], [7.5, 7.5, 0, 0], [0, 0, 7.5, 0], [0, 0, 0, 7.5]]
STIFFNESS = np.diag([147.15, 0.0, 0.0, 49.05])
NULL = "null space"
THIRD = 1 / np.sqrt(3)
BASIS = np.array([THIRD, -THIRD, 0.0, THIRD])


def tree_matrices(damping: float = 0.0, unequal: bool = False) -> tuple[Array, Array, Array]:
    """(M, C, K) of the tree with its loop open, without curvature."""
    model = bars(damping, unequal)
    rest = np.zeros(4)
    mass, damped, stiffness, _, _ = model.function("linearization")(rest, rest, rest)
    return np.asarray(mass), np.asarray(damped), np.asarray(stiffness)


def _matrices() -> Iterator[CaseCheck]:
    mass, _, stiffness = tree_matrices()
    yield agrees("M_l of (4.18)", MASS, mass, 1e-10)
    yield agrees("K_l of (4.18)", STIFFNESS, stiffness, 1e-10)
    linear = linearize(bars(), independent=NULL)
    got = linear.basis[:, 0]
    yield agrees("Q_2 of (4.19)", BASIS, got * np.sign(got[0]), 1e-8)
    # Here G = -Phi_q: forces of the cut joint have the opposite sign of the thesis's lambda.
    yield agrees("forces of the cut joint [N]", [0, 0, -49.05], linear.multipliers, 1e-10)


def _reduced() -> Iterator[CaseCheck]:
    linear = linearize(bars(), independent=NULL)
    got = [linear.mass[0, 0], linear.stiffness[0, 0], linear.stiffness[0, 0] / linear.mass[0, 0]]
    yield agrees("mass, stiffness, lambda", [25 / 3, 65.4, 7.848], got, 1e-9, relative=True)
    closed = linearize(bars(), independent=["phi2"])
    yield agrees(
        "closed form in phi2", [25.0, 196.2], [closed.mass[0, 0], closed.stiffness[0, 0]], 1e-9
    )
    ratio = closed.mass[0, 0] / linear.mass[0, 0], closed.stiffness[0, 0] / linear.stiffness[0, 0]
    yield agrees("ratios to the closed form", [3.0, 3.0], ratio, 1e-12)


def _bodies() -> tuple[CartesianBody, ...]:
    five = ((5.0, 0.0, 0.0), (0.0, 5.0, 0.0), (0.0, 0.0, 5.0))
    x, z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    turn = Axis("turn", x)
    return (
        CartesianBody(GROUND, (turn,), (0, 0, 0), (0, 0, -0.5), 10.0, five),
        CartesianBody(0, (turn, Axis("turn", z)), (0, 0, -0.5), (0, 0.5, 0), 10.0, five),
        CartesianBody(GROUND, (turn,), (0, 1, 0), (0, 0, -0.5), 10.0, five),
    )


def _differences() -> Iterator[CaseCheck]:
    stiffness = differenced_stiffness(_bodies(), (), np.zeros(4), 1e-4)
    reduced = BASIS @ stiffness @ BASIS
    yield agrees("stiffness, B and f differenced", 65.3999999, reduced, 1e-7)
    yield agrees("lambda", 7.84799999, reduced / (25 / 3), 1e-8)
    steps = Steps("one-sided", fixed=1e-4)
    linear = linearize(bars(), independent=NULL, method="one-sided", steps=steps)
    got = linear.stiffness[0, 0] / linear.mass[0, 0]
    yield agrees("lambda, residual differenced", 7.84799999, got, 1e-8)


def _pencil() -> Iterator[CaseCheck]:
    found = unreduced_eigenvalues(bars())
    yield agrees("finite eigenvalues, Re", [0, 0], found.real, 1e-9)
    yield agrees("finite eigenvalues, Im", [2.8014282072, -2.8014282072], found.imag, 1e-9)
    reduced = linearize(bars(), independent=NULL).modes().eigenvalues
    yield agrees("reduced eigenvalues, Im", found.imag, reduced.imag, 1e-9)
    unequal = unreduced_eigenvalues(bars(unequal=True))
    own = linearize(bars(unequal=True), independent=NULL).modes().eigenvalues
    yield agrees("unequal four-bar, both ways", unequal.imag, own.imag, 1e-9)


def _damped() -> Iterator[CaseCheck]:
    linear = linearize(bars(20.0), independent=NULL)
    got = [linear.mass[0, 0], linear.damping[0, 0], linear.stiffness[0, 0]]
    yield agrees("mass, damping, stiffness", [25 / 3, 20 / 3, 65.4], got, 1e-9)
    value = linear.modes().eigenvalues[0]
    expected = [-0.4, 2.7727242921]
    yield agrees("eigenvalue (Re, Im)", expected, [value.real, abs(value.imag)], 1e-9)
    found = unreduced_eigenvalues(bars(20.0))[0]
    yield agrees("by the pencil", expected, [found.real, abs(found.imag)], 1e-9)


def _unequal() -> Iterator[CaseCheck]:
    linear = linearize(bars(unequal=True), independent=NULL)
    mass, stiffness = linear.mass[0, 0], linear.stiffness[0, 0]
    _, _, tree = tree_matrices(unequal=True)
    basis = linear.basis[:, 0]
    projected = basis @ tree @ basis
    yield agrees("basis", np.array([2, -2, 0, 1]) / 3, basis * np.sign(basis[0]), 1e-9)
    yield agrees("reduced mass", 85 / 9, mass, 1e-9, relative=True)
    yield agrees("Q_2^T K_l Q_2", 76.3, projected, 1e-9, relative=True)
    yield agrees("curvature term", -10.9, stiffness - projected, 1e-9, relative=True)
    yield agrees("lambda", 6.9247058824, stiffness / mass, 1e-9, relative=True)
    wrong = projected / mass
    yield holds(
        "not (4.13) alone",
        "not 8.0788235",
        f"{stiffness / mass:.7f} (alone {wrong:.7f})",
        abs(stiffness / mass - 8.0788235) > 1 and abs(wrong - 8.0788235) < 1e-6,
    )
    own = linearize(bars(unequal=True), independent=["phi2"])
    energy = [own.stiffness[0, 0], own.mass[0, 0]]
    yield agrees("V'', T of the energy in phi2", [147.15, 21.25], energy, 1e-9, relative=True)


def _circle() -> Iterator[CaseCheck]:
    state = (np.array([0.0, -2.0]), np.zeros(2))
    linear = linearize(circle(), state, independent=NULL)
    squared = linear.stiffness[0, 0] / linear.mass[0, 0]
    yield agrees("omega^2 = g / l", 4.905, squared, 1e-12, relative=True)
    yield holds("not (4.13)", "not 0", f"{squared:.6f}", squared > 1)
    # Away from the bottom the particle accelerates, and the speed curves its path further.
    angle, rate = 0.4, 1.3
    q = 2 * np.array([np.sin(angle), -np.cos(angle)])
    u = 2 * rate * np.array([np.cos(angle), np.sin(angle)])
    moving = linearize(circle(), (q, u), independent=["y"])
    # z = y: y = 2 sin(a), so that by a'' = -(g/l) sin(a) the flow is known.
    expected = _circle_flow(angle, rate)
    yield agrees("A of a moving particle in y", expected, moving.A, 1e-9)


def _circle_flow(angle: float, rate: float) -> Array:
    """d(y', w')/d(y, w) with y = l sin a, w = l a' cos a, w' = l (a'' cos a - a'^2 sin a)."""
    s, c, length, g = np.sin(angle), np.cos(angle), 2.0, 9.81
    # At fixed w, a' = w / (l cos a) changes with a as a' tan a.
    by_angle = -g * (c * c - s * s) - length * rate**2 * (2 * s * s / c + c)
    return np.array([[0.0, 1.0], [by_angle / (length * c), -2 * rate * s / c]])


def _decomposition() -> Iterator[CaseCheck]:
    for name, model in (("four-bar", bars()), ("unequal", bars(unequal=True)), ("strut", strut())):
        rest = equilibrium(model)
        around = Surroundings.of(model)
        rows = around.constraints_at(around.values(0.0, rest.q, rest.u, rest.a))
        basis = linearize(model, rest, independent=NULL).basis
        yield at_most(f"{name}: |Phi_q Q_2|", np.abs(rows.J @ basis).max(), 1e-12)
        product = basis.T @ basis - np.eye(basis.shape[1])
        yield at_most(f"{name}: |Q_2^T Q_2 - 1|", np.abs(product).max(), 1e-12)
        left = model.nu - int(np.linalg.matrix_rank(rows.J))
        yield holds(f"{name}: n_gc - rank", "1", str(left), left == basis.shape[1] == 1)
    yield from _redundant()
    yield from _refused()


def _overconstrained() -> Model:
    """The same bars with four parallel revolute joints: three of five cut constraints depend."""
    model = Model("parallel_four_bar", gravity=(0, 0, -9.81))
    inertia, x = (5.0, 5.0, 5.0), (1, 0, 0)
    for name, center in (("left", (0, 0, -0.5)), ("coupler", (0, 0.5, 0)), ("right", (0, 0, -0.5))):
        model.body(name, mass=10.0, com=center, inertia=inertia)
    model.joint("a", "revolute", parent="world", child="left", axis=x)
    at = Placement(xyz=(0, 0, -1))
    model.joint("b", "revolute", parent="left", child="coupler", axis=x, placement=at)
    at = Placement(xyz=(0, 1, 0))
    model.joint("d", "revolute", parent="world", child="right", axis=x, placement=at)
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="right",
        axis=x,
        cut=True,
        placement=at,
        child_placement=Placement(xyz=(0, 0, -1)),
    )
    return model


def _redundant() -> Iterator[CaseCheck]:
    model = _overconstrained()
    found = redundancy(eomc.equations(model).system(()).constraints)
    text = f"rank {found.rank}, {found.freedoms} free, redundant: {', '.join(found.redundant)}"
    good = found.rank == 2 and found.freedoms == 1 and len(found.redundant) == 3
    yield holds("parallel revolute joints", "rank 2 of 5, 3 redundant", text, good)
    linear = linearize(build(model), independent=NULL)
    squared = linear.stiffness[0, 0] / linear.mass[0, 0]
    yield agrees("its lambda", 7.848, squared, 1e-9, relative=True)


def _refused() -> Iterator[CaseCheck]:
    for name, independent, words in (
        ("a dependent coordinate", ["phi3_2"], ("rank 2 of 3", "phi3_2")),
        ("two coordinates", ["phi2", "phi4"], ("leave 1 independent",)),
    ):
        try:
            linearize(bars(), independent=independent)
            told = "linearized"
        except LinearizationError as error:
            told = str(error)
        passed = all(word in told for word in words)
        yield holds(f"{name} declared independent", "refused", told, passed)


def _counts() -> Iterator[CaseCheck]:
    for name, model, text, wanted in (("four-bar", bars(), "4 - 3", 1), ("chain", seven(), "7", 7)):
        linear = linearize(model)
        got = len(linear.coordinates)
        yield holds(f"{name}: {text}", str(wanted), str(got), got == wanted)
    # The semitrailer on a quaternion: 7 + 13 coordinates less one normalization.
    model = five_axles()
    counted = (7 + 13) - 1
    got = model.nu
    yield holds("semitrailer: 7 + 13 - 1", str(counted), str(got), got == counted)
    free = build(_floating_truck())
    dimension = f"{free.nq} coordinates, {free.nu} speeds"
    right = (free.nq, free.nu) == (20, 19)
    yield holds("semitrailer with Euler parameters", "20 coordinates, 19 speeds", dimension, right)


def _floating_truck() -> Model:
    """The semitrailer's topology, its tractor on a floating joint with Euler parameters."""
    declared = semitrailer()
    model = Model("floating_semitrailer")
    for body in declared.bodies.values():
        model.body(body.name, mass=body.mass, com=body.com, inertia=body.inertia)
    for joint in declared.joints.values():
        if joint.name == "tractor":
            model.joint("tractor", "floating", parent="world", child="tractor")
        else:
            model.joints[joint.name] = joint
    return model


def adaptive() -> Iterator[CaseCheck]:
    """Controlled steps on the four-bar, for case 39."""
    exact = linearize(bars(), independent=NULL)
    found = linearize(bars(), independent=NULL, method="one-sided")
    yield from steps_report(found, exact, "four-bar, one-sided")


CASES = (
    Case(
        8,
        "Four-bar: M, K and null space",
        "equations 4.18 and 4.19",
        "tree matrices and QR decomposition of the Jacobian",
        _matrices,
    ),
    Case(
        9,
        "Four-bar: reduced mass, stiffness, eigenvalue",
        "table 4.1",
        "projection, and the closed form in one crank",
        _reduced,
        note="A basis of length 1 gives a third of the closed form's mass and stiffness.",
    ),
    Case(
        10,
        "Four-bar: the thesis's differences",
        "table 4.1",
        "dB/dq and df/dq of (3.10) differenced with a dither of 1e-4",
        _differences,
        note="The printed 65.3999989 lacks a digit: it contradicts the printed lambda.",
    ),
    Case(11, "Four-bar: unreduced pencil", "section 4.1", "QZ against the reduced form", _pencil),
    Case(
        12,
        "Four-bar with a damper",
        "data of section 4.5, damper added",
        "25 s^2 + 20 s + 196.2 = 0",
        _damped,
        "reconstructed",
    ),
    Case(
        13,
        "Unequal four-bar: curvature of the constraint",
        "equations 4.12 and 4.13",
        "closed form by energy",
        _unequal,
        "reconstructed",
        note="(4.13) drops d(Phi_q^T lambda)/dq, which vanishes for the parallelogram only; it "
        "would give 8.0788.",
    ),
    Case(
        14,
        "Particle on a circle: curvature alone",
        "equations 4.12 and 4.13",
        "omega^2 = g / l; and the flow of the moving particle",
        _circle,
        "reconstructed",
        note="(4.13) would give no stiffness at all. Moving loops need the terms of Q_2' besides.",
    ),
    Case(
        30,
        "QR decomposition, rank, redundancy, refusals",
        "sections 4.2 to 4.4",
        "residuals of the null space; redundant and impossible requests",
        _decomposition,
        slow=True,
    ),
    Case(
        41,
        "Degrees of freedom",
        "equation 2.13",
        "counted",
        _counts,
        note="The constraint of the Euler parameters is subtracted once.",
    ),
)
