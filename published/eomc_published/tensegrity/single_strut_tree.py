"""Cases of the single strut as a tree with loop joints: 13, 16 to 18, 20, 25.

States are set in the five coordinates y = (phi, psi, eps_1, eps_2, eps_3) by the closed form of a
block that follows its cable. Where equations in y are asked for they are those of the compiled
model, G^T (M u' + c - tau), with the natural orthogonal complement G that it tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.constraints import IndependentSpeeds, assemble, independent_coordinates
from eomc.runtime.linearization import linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.tensegrity.single_strut import BRANCHES, RADIUS
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.tensegrity.manipulator_tree_model import manipulator_tree
from eomc_published.tensegrity.single_strut import (
    AREA,
    PLACE,
    RATES,
    TORQUES,
    branch,
    cables,
    torques,
)
from eomc_published.tensegrity.single_strut import state as without_ends
from eomc_published.tensegrity.single_strut_tree_model import single_strut_tree

#: The five coordinates of the model whose strains are coordinates.
CHOSEN = ("phi", "psi", *(f"unwound{i}_strain" for i in BRANCHES))
VARIANTS = ("strain", "elongation", "length")


@cache
def tree(variant: str = "strain", form: str = "work") -> CompiledModel:
    """The compiled model."""
    return build(single_strut_tree(variant=variant, form=form), tunable="all")


def state(y: Any, rates: Any, variant: str = "strain") -> tuple[dict[str, float], dict[str, float]]:
    """(q, u) of the model by name; the rates by complex steps."""
    q, u = without_ends(y, rates)
    moved = np.asarray(y) + 1e-30j * np.asarray(rates)
    for i in BRANCHES:
        _, _, _, taut = branch(i, moved)
        free = taut / (1 + moved[1 + i])
        second = {"strain": moved[1 + i], "elongation": taut - free, "length": taut}[variant]
        for name, value in (("angle", free / RADIUS), (variant, second)):
            q[f"unwound{i}_{name}"], u[f"unwound{i}_{name}"] = value.real, value.imag * 1e30
    return q, u


def values(model: CompiledModel, named: dict[str, float], names: Any) -> Array:
    """An array of named values in the model's order."""
    return np.array([named[name] for name in names])


class StrutEquations:
    """The equations of a compiled model in y, at one state."""

    def __init__(self, y: Any, rates: Any, form: str = "work") -> None:
        self.model = tree(form=form)
        named, speeds = state(y, rates)
        self.q = values(self.model, named, self.model.coordinates)
        self.u = values(self.model, speeds, self.model.speeds)
        self.partition: IndependentSpeeds = independent_coordinates(
            self.model, self.q, chosen=CHOSEN
        )
        self.g = self.partition.K
        jacobian = np.asarray(self.model.function("constraint_jacobian")(self.q))
        bias = np.asarray(
            self.model.function("constraint_bias")(
                self.q, self.u, np.zeros(3), parameters=cables(2e8)
            )
        )
        bound = list(self.partition.order[len(CHOSEN) :])
        self.drift = np.zeros(self.model.nu)  # the accelerations with y'' = 0
        self.drift[bound] = np.linalg.solve(jacobian[:, bound], -bias)

    def forces(self, u: Array, a: Array, given: dict[str, float]) -> Array:
        """M a + c less what acts but for the torques."""
        call = self.model.function("inverse_dynamics")
        return np.asarray(call(self.q, u, a, np.zeros(3), parameters=given))

    @property
    def mass(self) -> Array:
        """G^T M G"""
        full = np.asarray(self.model.function("mass_matrix")(self.q))
        return np.asarray(self.g.T @ full @ self.g)

    @property
    def bias(self) -> Array:
        """G^T (M g + c) of the motion alone: what moves less what rests, with cables too weak to
        pull."""
        weak = cables(1e-300)
        zero = np.zeros(self.model.nu)
        moving, resting = self.forces(self.u, self.drift, weak), self.forces(zero, zero, weak)
        return np.asarray(self.g.T @ (moving - resting))

    @property
    def elastic(self) -> Array:
        """e over all 14 coordinates, at 200 MPa."""
        zero = np.zeros(self.model.nu)
        pulled, slack = (self.forces(zero, zero, cables(e)) for e in (2e8, 1e-300))
        return np.asarray(pulled - slack)


def _counts() -> Iterator[CaseCheck]:
    counted = {
        "single strut": (single_strut_tree(), (14, 9, 5)),
        "single strut, cables that do not stretch": (
            single_strut_tree(variant="rigid"),
            (11, 9, 2),
        ),
        "manipulator A": (manipulator_tree("point"), (39, 27, 12)),
        "manipulator B": (manipulator_tree("body"), (39, 27, 12)),
        "manipulator, spherical throughout": (manipulator_tree("spherical"), (48, 27, 21)),
    }
    for name, (model, wanted) in counted.items():
        found = eomc.equations(model).redundancy()
        got = (found.speeds, found.rank, found.freedoms)
        yield agrees(f"{name}: n, rank of K, n_i", wanted, got, 0)
    at = StrutEquations(PLACE, RATES)
    mass = np.asarray(at.model.function("mass_matrix")(at.q))
    rows = np.asarray(at.model.function("constraint_jacobian")(at.q))
    sizes = np.linalg.svd(mass, compute_uv=False)
    yield agrees("rank of M", 8, int((sizes > 1e-12 * sizes[0]).sum()), 0)
    yield agrees("rank of K", 9, int(np.linalg.matrix_rank(rows)), 0)
    whole = np.block([[mass, -rows.T], [rows, np.zeros((9, 9))]])
    yield agrees("rank of M and K together", 23, int(np.linalg.matrix_rank(whole)), 0)
    yield at_most("condition of K_d", 1 / at.partition.condition, 100)


#: Case 15 in the coordinates y.
MASS = np.array(
    [
        [1.27909928, -0.0124179294, -0.003997767871, -0.1587223484, 0.1618187957],
        [-0.0124179294, 1.285098531, 0.1898785165, -0.09325415638, -0.09074683657],
        [-0.003997767871, 0.1898785165, 0.4058955415, 0, 0],
        [-0.1587223484, -0.09325415638, 0, 0.3864155246, 0],
        [0.1618187957, -0.09074683657, 0, 0, 0.276375866],
    ]
)
BIAS = [-0.01722658788, -0.01334868652, 0.004502501856, 0.003208453799, 0.004541216206]
FORCES = {
    "work": [3.329926995, -2.153629458, -9.87869713, -16.96416474, -5.144562108],
    "energy": [3.385748279, -2.130958794, -9.931822568, -17.13551994, -5.16231447],
}
INPUTS = np.array(
    [
        [-0.1966403, 9.339654, 19.964997, 0, 0],
        [-8.0015274, -4.7011382, 0, 19.480019, 0],
        [9.6458611, -5.4093307, 0, 0, 16.474497],
    ]
)


def _reduction() -> Iterator[CaseCheck]:
    given = cables(2e8, 1e6)
    for form, wanted in FORCES.items():
        at = StrutEquations(PLACE, RATES, form)
        acting = at.bias - at.g.T @ at.forces(at.u, at.drift, given)
        yield agrees(f"Q of y, {form}", wanted, acting, 1e-8, relative=True)
    at = StrutEquations(PLACE, RATES)
    places = [at.model.speeds.index(f"theta{i}") for i in BRANCHES]
    yield agrees("M of y", MASS, at.mass, 1e-8, relative=True)
    yield agrees("c of y", BIAS, at.bias, 1e-8, relative=True)
    yield agrees("B of y", INPUTS, at.g[places], 1e-7, relative=True)
    yield from _solutions(at, given)


def _solutions(at: StrutEquations, given: dict[str, float]) -> Iterator[CaseCheck]:
    """u'' of the model with multipliers and with independent coordinates, and by M, c, K, k put
    together."""
    own = assemble(at.model, at.q, at.u, inputs=torques(TORQUES), parameters=given)
    step, found = 1e-6, {}
    for formulation in ("multipliers", "independent"):
        run = simulate(
            at.model,
            at.q,
            at.u,
            t_span=[0.0, step],
            inputs=torques(TORQUES),
            method="rk4",
            step=step,
            parameters=given,
            formulation=formulation,
        )
        found[formulation] = (run.u[-1] - run.u[0]) / step
    yield agrees("u'' by a step with multipliers", own.a, found["multipliers"], 1e-5, relative=True)
    yield agrees(
        "u'' by a step in independent coordinates",
        found["multipliers"],
        found["independent"],
        1e-9,
        relative=True,
    )
    rows = np.asarray(at.model.function("constraint_jacobian")(at.q))
    k = -np.asarray(at.model.function("constraint_bias")(at.q, at.u, np.zeros(3), parameters=given))
    by_differences = -_turned(at) @ at.u
    yield agrees("k, by differences of K along the motion", by_differences, k, 1e-8, relative=True)
    yield agrees("K u'' - k", np.zeros(9), rows @ own.a - k, 1e-9)
    torque = np.zeros(at.model.nu)
    torque[[at.model.speeds.index(f"theta{i}") for i in BRANCHES]] = TORQUES
    mass = np.asarray(at.model.function("mass_matrix")(at.q))
    rest = at.forces(at.u, np.zeros(at.model.nu), given)
    whole = np.block([[mass, -rows.T], [rows, np.zeros((9, 9))]])
    together = np.linalg.solve(whole, np.concatenate([torque - rest, k]))[: at.model.nu]
    yield agrees("u'' by M and K together", own.a, together, 1e-9, relative=True)
    y = [at.model.speeds.index(name) for name in CHOSEN]
    expected = [-0.6187668001, -2.884426122, 173.7442181, 207.2005944, 159.6114856]
    yield agrees("y''", expected, own.a[y], 1e-8, relative=True)


def _turned(at: StrutEquations, h: float = 1e-4) -> Array:
    """K' by fourth-order differences along the motion."""

    def jacobian(step: float) -> Array:
        return np.asarray(at.model.function("constraint_jacobian")(at.q + step * at.u))

    near, far = (jacobian(k * h) - jacobian(-k * h) for k in (1, 2))
    return np.asarray((8 * near - far) / (12 * h))


def _power() -> Iterator[CaseCheck]:
    """c = M' y' - d(y'^T M y')/dy / 2"""

    def mass(step: Array) -> Array:
        return StrutEquations(PLACE + step, RATES).mass

    def slope(direction: Array, h: float = 2e-4) -> Array:
        one, two = (mass(k * h * direction) - mass(-k * h * direction) for k in (1, 2))
        return np.asarray((8 * one - two) / (12 * h))

    by_y = [RATES @ slope(direction) @ RATES for direction in np.eye(5)]
    expected = slope(RATES) @ RATES - np.array(by_y) / 2
    yield agrees("c", expected, StrutEquations(PLACE, RATES).bias, 1e-8)


def _accumulation() -> Iterator[CaseCheck]:
    at, stiffness = StrutEquations(PLACE, 0 * RATES), 2e8 * AREA

    def longer(y: Any, i: int) -> Any:
        _, _, _, taut = branch(i, y)
        return taut * y[1 + i] / (1 + y[1 + i])

    slopes = np.array(
        [[longer(PLACE + 1e-30j * e, i).imag * 1e30 for e in np.eye(5)] for i in BRANCHES]
    )
    strains = PLACE[2:]
    yield agrees("G^T e", stiffness * strains @ slopes, at.g.T @ at.elastic, 1e-10, relative=True)
    found = []
    for i in BRANCHES:
        own = np.array([name.startswith(f"unwound{i}") for name in at.model.speeds])
        found.append(at.g.T @ (at.elastic * own) / strains[i - 1])
    yield agrees("G^T A", stiffness * slopes, found, 1e-10, relative=True)


def _linear() -> Iterator[CaseCheck]:
    expected: dict[str, tuple[float, float, Array]] = {
        "work": (
            -40.90646,
            8279.524,
            np.array([[0, 36.11171, -36.11171], [-41.69821, 20.84911, 20.84911]]),
        ),
        "energy": (-40.87028, 8362.320, np.zeros((2, 3))),
    }
    mass = np.diag([1.293115] * 2 + [0.3608534] * 3)
    mass[:2, 2:] = [[0, -0.1661214, 0.1661214], [0.1918205, -0.0959102, -0.0959102]]
    mass[2:, :2] = mass[:2, 2:].T
    for form, (tilt, stretch, coupling) in expected.items():
        model, given = tree(form=form), cables(2e9)
        at = StrutEquations([0, 0, 0.01, 0.01, 0.01], np.zeros(5), form)
        asked = at.g.T @ at.forces(at.u, 0 * at.u, given)
        places = [model.speeds.index(f"theta{i}") for i in BRANCHES]
        torques_held = np.linalg.lstsq(at.g[places].T, asked, rcond=None)[0]
        linear = linearize(
            model,
            q=at.q,
            u=at.u,
            inputs=torques(torques_held.tolist()),
            parameters=given,
            independent=list(CHOSEN),
        )
        stiffness = np.diag([tilt] * 2 + [stretch] * 3)
        stiffness[:2, 2:] = coupling
        names = list(linear.coordinates)
        order = np.ix_(*([names.index(name) for name in CHOSEN],) * 2)
        yield agrees(f"M, {form}", mass, linear.mass[order], 1e-5, relative=True)
        for what, block in (
            ("tilt", np.s_[:2, :2]),
            ("coupling", np.s_[:2, 2:]),
            ("strains", np.s_[2:, 2:]),
            ("below", np.s_[2:, :2]),
        ):
            size = max(float(np.abs(stiffness[block]).max()), 40.0)
            got = linear.stiffness[order][block]
            yield agrees(f"K, {what}, {form}", stiffness[block], got, 1e-5 * size)


@cache
def histories(variant: str) -> tuple[Array, Array]:
    """Times, and (phi, psi, three strains) of a variant of the joint along the run of 5.2."""
    q, u = state([0, 0, *[9.0945682e-3] * 3], np.zeros(5), variant)
    run = simulate(
        tree(variant),
        q,
        u,
        t_span=1.0,
        inputs=torques([0.1001, 0.1, 0.1]),
        method="rk4",
        step=1e-4,
        parameters=cables(50e6),
        assemble=True,
    )
    strains = [_strain(run, i, variant) for i in BRANCHES]
    return run.t, np.array([run["phi"], run["psi"], *strains])


def _variants() -> Iterator[CaseCheck]:
    _, reference = histories("strain")
    for variant in VARIANTS:
        t, _ = histories(variant)
        yield agrees(f"steps, {variant}", 10000, len(t) - 1, 0)
    yield agrees("psi at 1 s", 1.0496632e-3, float(reference[1, -1]), 1e-6, relative=True)
    for variant in VARIANTS[1:]:
        apart = np.abs(histories(variant)[1] - reference)
        yield at_most(f"psi, {variant}", float(apart[1].max()), 1e-12)
        yield at_most(f"strains, {variant}", float(apart[2:].max()), 1e-12)


def _strain(run: Any, i: int, variant: str) -> Array:
    free, second = run[f"unwound{i}_angle"] * RADIUS, run[f"unwound{i}_{variant}"]
    by = {"strain": second, "elongation": second / free, "length": (second - free) / free}
    return np.asarray(by[variant])


CASES = (
    Case(
        13,
        "Counts of the trees with loop joints",
        "5.1",
        "ranks at closed configurations",
        _counts,
        slow=True,
    ),
    Case(
        16,
        "All coordinates and independent ones",
        "2.1, 2.2",
        "both formulations of a run; compiled M, c, K, k put together; K' by differences",
        _reduction,
        provenance="reconstructed",
        slow=True,
    ),
    Case(17, "The bias and the rate of M", "2.2", "fourth-order differences", _power),
    Case(
        18,
        "Tensions in independent coordinates",
        "3.3",
        "closed form of the elongations",
        _accumulation,
    ),
    Case(
        20,
        "Mass and stiffness about the upright strut",
        "5.1",
        "linearize",
        _linear,
        provenance="reconstructed",
    ),
    Case(25, "Three variants of one joint", "5.2", "rk4, 0.1 ms", _variants, slow=True),
)
