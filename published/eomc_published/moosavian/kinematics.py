"""Cases of kinematics: 1, 2 and 15."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.geometry import Vector
from eomc.systems.free_flyer import PLANAR, SPATIAL, to_tree, tree_model
from eomc.systems.free_flyer.tree_model import tree_order
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.moosavian.formulation.angular_velocity_formats import (
    formula_derivatives,
    swept_derivatives,
)
from eomc_published.moosavian.formulation.chain import BASE, Body, Chain
from eomc_published.moosavian.formulation.kinematics import Kinematics
from eomc_published.moosavian.formulation.momenta import mass_center
from eomc_published.moosavian.formulations import (
    direct_and_barycentric,
    largest,
    matrix_values,
    tree,
    vector_values,
)
from eomc_published.moosavian.states import random_states

INITIAL_ANGLES = np.radians([-30, 45, 90, 135, -90, 30])
"""theta_0 and the joint angles of the planar free-flyer at the start (section 4.4.2)."""


def _base_position() -> Iterator[CaseCheck]:
    printed = [-0.0485, -0.0659]
    _, barycentric = direct_and_barycentric(PLANAR)
    q = np.concatenate([[0.0, 0.0], INITIAL_ANGLES])
    rho = vector_values(barycentric.chain.graph, [barycentric.position[BASE]], q=q)[0]
    yield agrees(
        "planar: C_0 from the system's CM, barycentric vectors [m]", printed, rho[:2], 5e-5
    )
    at_base = np.concatenate([rho[:2], INITIAL_ANGLES])
    center = tree(PLANAR).center_of_mass.evaluate(q=at_base)
    yield agrees("planar: system's CM with the base there, tree [m]", [0, 0], center[:2], 1e-12)
    for flyer, mass in ((PLANAR, 69.0), (SPATIAL, 365.0)):
        first = tree(flyer).mass_matrix.evaluate(q=np.zeros(flyer.degrees_of_freedom))[0, 0]
        yield agrees(f"{flyer.name}: total mass [kg]", mass, first, 1e-9)


def _both_paths() -> Iterator[CaseCheck]:
    direct, barycentric = direct_and_barycentric(SPATIAL)
    q, rates = random_states(SPATIAL, 10)
    center = vector_values(direct.chain.graph, mass_center(direct), q=q, u=rates)
    # The same motion, told from the system's centre of mass.
    q_cm, rates_cm = q.copy(), rates.copy()
    q_cm[:, :3] += center[:, 0]
    rates_cm[:, :3] += center[:, 1]
    points = [_points(k, c) for k, c in ((direct, q), (barycentric, q_cm))]
    moving = [
        _velocities(k, c, v) for k, c, v in ((direct, q, rates), (barycentric, q_cm, rates_cm))
    ]
    yield at_most("positions of all C_i and ends [m]", largest(points[0] - points[1]), 1e-12)
    yield at_most("their velocities [m/s]", largest(moving[0] - moving[1]), 1e-12)
    difference = largest(_jacobians(direct, q) - _jacobians(barycentric, q_cm, to_base=True))
    yield at_most("Jacobians of all ends", difference, 1e-12)
    equations, q_tree = tree(SPATIAL), to_tree(SPATIAL, q)
    poses = [
        getattr(equations, f"frame_{arm.name}_tip_pose").evaluate(q=q_tree)
        for arm in SPATIAL.manipulators
    ]
    ends = np.stack([pose[:, :3, 3] for pose in poses], axis=1)
    own = points[0][:, -len(SPATIAL.manipulators) :]
    yield at_most("ends, direct path and tree [m]", largest(own - ends), 1e-12)


def _places(chain: Chain) -> list[tuple[Body, Vector]]:
    """All centres of mass, then all ends."""
    still = Vector(chain.zero, chain.zero, chain.zero)
    return [*((body, still) for body in chain.bodies), *_ends(chain)]


def _ends(chain: Chain) -> list[tuple[Body, Vector]]:
    return [(body, chain.r(body)) for body in chain.tips]


def _points(kinematics: Kinematics, q: Array) -> Array:
    chain = kinematics.chain
    points = [kinematics.point(body, at) for body, at in _places(chain)]
    return vector_values(chain.graph, points, q=q)


def _velocities(kinematics: Kinematics, q: Array, rates: Array) -> Array:
    chain = kinematics.chain
    moving = [kinematics.point_velocity(body, at) for body, at in _places(chain)]
    return vector_values(chain.graph, moving, q=q, u=rates)


def _jacobians(kinematics: Kinematics, q: Array, *, to_base: bool = False) -> Array:
    """(batch, ends, 6, 6 + K) by (R', omega_0, theta'); `to_base` by those of C_0 from the CM's."""
    chain = kinematics.chain
    rows = [
        row for body, at in _ends(chain) for row in kinematics.jacobian(body, at).rows(chain.zero)
    ]
    found = matrix_values(chain.graph, rows, q=q).reshape(len(q), len(chain.tips), 6, -1)
    if not to_base:
        return found
    # R_C0' = R_CM' + J1(0) omega_0 + J2(0) theta' (2.16), solved for R_CM'.
    still = Vector(chain.zero, chain.zero, chain.zero)
    base = matrix_values(chain.graph, kinematics.jacobian(BASE, still).rows(chain.zero)[:3], q=q)
    size = base.shape[-1]
    change = np.broadcast_to(np.eye(size), (len(q), size, size)).copy()
    change[:, :3, 3:] = -base[:, :, 3:]
    return found @ change[:, None]


def _formats() -> Iterator[CaseCheck]:
    chain = Chain(SPATIAL)
    q, rates = random_states(SPATIAL, 10)
    differences = []
    for body in chain.links:
        formula, swept = formula_derivatives(chain, body), swept_derivatives(chain, body)
        differences.append(
            [
                largest(
                    vector_values(chain.graph, a, q=q, u=rates)
                    - vector_values(chain.graph, b, q=q, u=rates)
                )
                for a, b in zip(formula, swept, strict=True)
            ]
        )
    by_q, by_rates = np.max(differences, axis=0)
    yield at_most("derivatives by q, sigma_1 to sigma_3 (all links)", by_q, 1e-12)
    yield at_most("derivatives by q', sigma_1' to sigma_3' (all links)", by_rates, 1e-12)
    yield from _compiled_formats(chain, q, rates)


def _compiled_formats(chain: Chain, q: Array, rates: Array) -> Iterator[CaseCheck]:
    """The formulas against angular velocities of the compiled tree, in the axes of each link.

    In world axes omega = T ^komega: domega/dq_i = T (d(^komega)/dq_i + (T^T j_i) x ^komega), with
    j_i = domega/dq'_i the axis about which q_i turns the link.
    """
    parts = ("pose", "velocity", "jacobian", "velocity_derivatives")
    links = {
        body: f"{SPATIAL.manipulators[body[0] - 1].name}_link{body[1]}" for body in chain.links
    }
    model = build(
        tree_model(SPATIAL, "euler_angles"),
        functions=[f"frame_{name}_{part}" for name in links.values() for part in parts],
    )
    q_tree, u_tree, order = to_tree(SPATIAL, q), to_tree(SPATIAL, rates), tree_order(SPATIAL)
    worst = [0.0, 0.0]
    for body, name in links.items():
        pose, velocity, jacobian, slopes = (
            model.function(f"frame_{name}_{part}") for part in parts
        )
        turned = np.swapaxes(pose(q_tree)[:, :3, :3], -1, -2)
        axes = turned @ jacobian(q_tree)[:, 3:, order]
        omega = turned @ velocity(q_tree, u_tree)[:, 3:, None]
        by_q = turned @ slopes(q_tree, u_tree)[0][:, 3:, order]
        own = by_q - np.cross(axes, omega, axisa=1, axisb=1, axisc=1)
        for k, (vectors, found) in enumerate(
            zip(formula_derivatives(chain, body), (own, axes), strict=True)
        ):
            expected = vector_values(chain.graph, vectors, q=q, u=rates)
            worst[k] = max(worst[k], largest(np.swapaxes(expected, -1, -2) - found))
    yield at_most("compiled: derivatives by q", worst[0], 1e-12)
    yield at_most("compiled: derivatives by q'", worst[1], 1e-12)


CASES = (
    Case(
        1,
        "Base position and total mass of both free-flyers",
        "section 4.4.2; tables 4.2, 4.3",
        "barycentric vectors and the tree's centre of mass against the printed position",
        _base_position,
        note="The mount directions of the planar system stand in a figure only; the printed "
        "position is what fixed the antenna's.",
    ),
    Case(
        2,
        "Barycentric vectors and direct path tell the same motion",
        "equations 2.5 - 2.29",
        "positions, velocities and Jacobians of both kinematics, 10 random states of the spatial "
        "system; ends also against the tree",
        _both_paths,
        note="The outer sum of (2.10b) and (2.11b) runs over the other manipulators, j != m.",
    ),
    Case(
        15,
        "Derivatives of the angular velocities by formula",
        "equations 3.54 - 3.58",
        "the formulas for a numerical program against differentiation on the graph, 10 random "
        "states",
        _formats,
    ),
)
