"""Cases of attitude: 10, 12 and 13."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Expression
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer, to_tree
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.moosavian.formulation import FreeFlyerFormulation
from eomc_published.moosavian.formulation.attitude import parameter_rates_matrix
from eomc_published.moosavian.formulation.barycentric import Barycentric
from eomc_published.moosavian.formulation.chain import BASE, Chain
from eomc_published.moosavian.formulation.differentiation import Derivatives, gradient
from eomc_published.moosavian.formulation.euler_parameters import rate_map, speed_map
from eomc_published.moosavian.formulation.kinetic_energy import kinetic_energy
from eomc_published.moosavian.formulations import (
    compiled_tree,
    formulation,
    largest,
    matrix_values,
    tree,
    values,
)
from eomc_published.moosavian.states import (
    euler_rates_matrix,
    parameter_coordinates,
    quasi_speeds,
    random_states,
)


def _actuator_map() -> Iterator[CaseCheck]:
    for flyer in (PLANAR, SPATIAL):
        q, rates = random_states(flyer, 10)
        matrix = formulation(flyer).quantity("generalized_force_matrix").evaluate(q=q)
        base = flyer.degrees_of_freedom - flyer.joints
        actuated = _forces_of_unit_wrenches(flyer, q, rates)
        yield at_most(
            f"{flyer.name}: J_Q against the tree's forces of thrusters",
            largest(matrix[:, :, :base] - actuated),
            1e-12,
        )
        joints = np.broadcast_to(
            np.eye(flyer.degrees_of_freedom)[:, base:], matrix[:, :, base:].shape
        )
        yield agrees(f"{flyer.name}: J_Q of the joints' torques", joints, matrix[:, :, base:], 0.0)
    q, _ = random_states(SPATIAL, 10)
    j_q = formulation(SPATIAL).quantity("generalized_force_matrix")
    determinant = np.linalg.det(j_q.evaluate(q=q))
    expected = np.linalg.det(euler_rates_matrix(q[:, 3:6]))
    yield agrees("det J_Q = det S_0", expected, determinant, 1e-12)
    yield agrees("det S_0 = cos(beta)", np.cos(q[:, 4]), expected, 1e-12)
    for degrees in (-90.0, 90.0):
        q[:, 4] = np.radians(degrees)
        singular = largest(np.linalg.det(j_q.evaluate(q=q)))
        yield at_most(f"|det J_Q| at beta = {degrees:g} degrees", singular, 1e-15)


def _forces_of_unit_wrenches(flyer: FreeFlyer, q: Array, rates: Array) -> Array:
    """Columns: generalized forces of the tree's thrusters, one unit input each."""
    equations = tree(flyer, "euler_angles", True)
    q_tree, u = to_tree(flyer, q)[:, None], to_tree(flyer, rates)[:, None]
    inputs = len(equations.model.inputs)
    zero = np.zeros(inputs)
    driven = equations.bias.evaluate(q=q_tree, u=u, r=np.eye(inputs))
    coasting = equations.bias.evaluate(q=q_tree, u=u, r=zero)
    return np.swapaxes(to_tree(flyer, coasting - driven), -1, -2)


def _quasi_coordinates() -> Iterator[CaseCheck]:
    yield from _single_body()
    q, rates = random_states(SPATIAL, 10)
    speeds = quasi_speeds(q, rates)
    own = formulation(SPATIAL)
    a = _free_acceleration(own, q, rates)
    # v' = (R'', S_0 delta_0'' + S_0' delta_0', theta'')
    expected = a.copy()
    expected[:, 3:6] = _base_acceleration(q[:, 3:6], rates[:, 3:6], a[:, 3:6])
    for form, coordinates in (
        ("quasi_coordinates", q),
        ("euler_parameters", parameter_coordinates(q)),
    ):
        got = _free_acceleration(formulation(SPATIAL, form), coordinates, speeds)
        yield agrees(f"spatial: free v' of {form}, against (3.14)", expected, got, 1e-10)
    recursive = tree(SPATIAL, "quasi_coordinates")
    kappa = to_tree(SPATIAL, parameter_coordinates(q), "quasi_coordinates")
    got = recursive.forward_dynamics.evaluate(q=kappa, u=speeds, tau=np.zeros_like(speeds))
    yield agrees("spatial: free v' of the tree, against (3.14)", expected, got, 1e-10)
    barycentric = Barycentric(Chain(SPATIAL, speeds="quasi"))
    energy, chain = kinetic_energy(barycentric), barycentric.chain
    slope = values(chain.graph, gradient(energy, chain.attitude), (3,), q=q, u=speeds)
    yield at_most(
        "spatial, barycentric: |dT/ddelta_0| at fixed omega_0 (3.32) [J]",
        largest(slope),
        1e-12 * 365,
    )


def _single_body() -> Iterator[CaseCheck]:
    """I omega' + omega x I omega = n."""
    body = FreeFlyer("single_body", 300.0, (8.5, 10.25, 6.25), ())
    q, rates = random_states(body, 10)
    speeds = quasi_speeds(q, rates)
    own = FreeFlyerFormulation(body, "quasi_coordinates")
    moments = np.array(body.inertia)
    expected = np.diag([300.0] * 3 + [*body.inertia])
    mass = own.quantity("mass_matrix").evaluate(q=q)
    yield agrees("single body: H = diag(m, I)", np.broadcast_to(expected, mass.shape), mass, 1e-12)
    omega = speeds[:, 3:]
    gyroscopic = np.cross(omega, moments * omega)
    bias = own.quantity("bias").evaluate(q=q, u=speeds)
    yield agrees("single body: C = omega x I omega", gyroscopic, bias[:, 3:], 1e-12)


def _free_acceleration(own: FreeFlyerFormulation, q: Array, u: Array) -> Array:
    mass = own.quantity("mass_matrix").evaluate(q=q)
    bias = own.quantity("bias").evaluate(q=q, u=u)
    return np.asarray(np.linalg.solve(mass, -bias[..., None])[..., 0], dtype=np.float64)


def _base_acceleration(angles: Array, rates: Array, second: Array) -> Array:
    """^0omega_0' of Euler angles, S_0' by hand."""
    alpha, beta = angles[:, 0], angles[:, 1]
    da, db, dg = rates.T
    ca, sa, cb, sb = np.cos(alpha), np.sin(alpha), np.cos(beta), np.sin(beta)
    drift = np.stack(
        [
            -cb * db * dg,
            -sa * da * db + (ca * cb * da - sa * sb * db) * dg,
            -ca * da * db - (sa * cb * da + ca * sb * db) * dg,
        ],
        axis=-1,
    )
    acceleration: Array = np.einsum("bij,bj->bi", euler_rates_matrix(angles), second) + drift
    return acceleration


def _euler_parameters() -> Iterator[CaseCheck]:
    chain = Chain(SPATIAL, "euler_parameters", "quasi")
    q, rates = random_states(SPATIAL, 20)
    q, speeds = parameter_coordinates(q), quasi_speeds(q, rates)
    kappa = q[:, 3:7]
    one3, one4 = np.eye(3), np.eye(4)
    forms = {
        name: matrix_values(
            chain.graph, parameter_rates_matrix(chain.attitude, in_base_axes=in_base), q=q
        )
        for name, in_base in (("E", False), ("E_b", True))
    }
    for name, e in forms.items():
        turned = np.swapaxes(e, -1, -2)
        yield at_most(f"{name} {name}^T = 4 1", largest(e @ turned - 4 * one3), 1e-12)
        yield at_most(f"{name} kappa = 0", largest(e @ kappa[..., None]), 1e-12)
        projector = one4 - kappa[:, :, None] * kappa[:, None, :]
        yield at_most(
            f"{name}^T {name} = 4 (1 - kappa kappa^T)", largest(turned @ e - 4 * projector), 1e-12
        )
    axes = np.swapaxes(_axes(chain, q), -1, -2)
    product = forms["E"] @ np.swapaxes(forms["E_b"], -1, -2) / 4
    yield at_most("T_0 = E E_b^T / 4", largest(axes - product), 1e-12)
    yield at_most("T_0^T T_0 = 1", largest(np.swapaxes(axes, -1, -2) @ axes - one3), 1e-12)
    yield from _complement(chain, q, kappa)
    yield at_most("E_b' E_b^T / 4 = -[omega_0]x / 2", _half_turning(chain, q, speeds), 1e-12)
    yield from _compiled_attitude(q, forms["E_b"])


def _compiled_attitude(q: Array, e_b: Array) -> Iterator[CaseCheck]:
    """kappa' = E_b^T omega_0 / 4 and T_0 = E E_b^T / 4 of the compiled tree, order (eta, eps)."""
    model = compiled_tree(SPATIAL, "quasi_coordinates")
    q_tree = to_tree(SPATIAL, q, "quasi_coordinates")
    place = model.coordinates.index("base_qw")
    turns = np.eye(model.nu)[3:6]
    rates = model.coordinate_rates(q_tree[:, None], turns)[:, :, place : place + 4]
    own = 4 * np.concatenate([rates[:, :, 1:], rates[:, :, :1]], axis=-1)
    yield at_most("compiled: E_b", largest(own - e_b), 1e-12)
    yield at_most("compiled: E_b E_b^T = 4 1", largest(own @ np.swapaxes(own, 1, 2) - _FOUR), 1e-12)
    kappa = q[:, 3:7]
    projector = np.eye(4) - kappa[:, :, None] * kappa[:, None, :]
    difference = np.swapaxes(own, 1, 2) @ own - 4 * projector
    yield at_most("compiled: E_b^T E_b = 4 (1 - kappa kappa^T)", largest(difference), 1e-12)
    axes = model.function("frame_base_pose")(q_tree)[:, :3, :3]
    # E of inertial axes is T_0 E_b: that T_0 = E E_b^T / 4 needs E as (3.35) prints it.
    x, y, z, w = kappa.T
    printed = 2 * np.stack(
        [np.stack(row, -1) for row in ((w, -z, y, -x), (z, w, -x, -y), (-y, x, w, -z))], -2
    )
    difference = axes - printed @ np.swapaxes(own, 1, 2) / 4
    yield at_most("compiled: T_0 = E E_b^T / 4", largest(difference), 1e-12)


_FOUR = 4 * np.eye(3)


def _axes(chain: Chain, q: Array) -> Array:
    """Columns of T_0 as rows, (batch, 3, 3)."""
    return matrix_values(chain.graph, [list(column) for column in chain.axes[BASE].columns], q=q)


def _complement(chain: Chain, q: Array, kappa: Array) -> Iterator[CaseCheck]:
    phi, psi = (matrix_values(chain.graph, m(chain), q=q) for m in (speed_map, rate_map))
    n = SPATIAL.degrees_of_freedom
    yield at_most("Psi Phi = 1_N", largest(psi @ phi - np.eye(n)), 1e-12)
    product = phi @ psi
    projector = np.broadcast_to(np.eye(n + 1), product.shape).copy()
    projector[:, 3:7, 3:7] -= kappa[:, :, None] * kappa[:, None, :]
    yield at_most("Phi Psi = 1 - kappa kappa^T in its block", largest(product - projector), 1e-12)
    ranks = set(np.linalg.matrix_rank(product).tolist())
    yield agrees("rank of Phi Psi", n, float(max(ranks)) if len(ranks) == 1 else np.nan, 0.0)
    a = np.zeros((len(q), n + 1))
    a[:, 3:7] = kappa
    yield at_most("a^T Phi = 0", largest(np.einsum("bi,bij->bj", a, phi)), 1e-12)


def _half_turning(chain: Chain, q: Array, speeds: Array) -> float:
    rows = parameter_rates_matrix(chain.attitude, in_base_axes=True)
    flat: list[Expression] = [entry for row in rows for entry in row]
    rate = Derivatives(flat).along(dict(zip(chain.attitude, chain.attitude_rates, strict=True)))
    e_rate = values(chain.graph, rate, (3, 4), q=q, u=speeds)
    e = matrix_values(chain.graph, rows, q=q)
    x, y, z = speeds[:, 3:6].T
    o = np.zeros_like(x)
    cross = np.stack([np.stack(r, -1) for r in ((o, -z, y), (z, o, -x), (-y, x, o))], -2)
    return largest(e_rate @ np.swapaxes(e, -1, -2) / 4 + cross / 2)


CASES = (
    Case(
        10,
        "J_Q = blockdiag(T_0, S_0^T, 1); singular with S_0",
        "equations 3.24 - 3.26",
        "J_Q against the tree's generalized forces of body-fixed thrusters; determinants at "
        "random states and at beta = +-90 degrees",
        _actuator_map,
    ),
    Case(
        12,
        "Quasi-coordinates: Euler's equations, and the same motion as Euler-angle rates",
        "equations 3.27 - 3.32",
        "a single body in closed form; free accelerations of the spatial system in three sets of "
        "speeds, 10 random states",
        _quasi_coordinates,
        note="With the direct path T depends on delta_0 and (3.31) is needed; (3.32) is exact "
        "with barycentric vectors.",
    ),
    Case(
        13,
        "Identities of Euler parameters and of the orthogonal complement",
        "equations 3.35 - 3.40",
        "matrices on the graph at 20 random attitudes",
        _euler_parameters,
        note="(3.35) prints E for ^0omega_0; E gives omega_0 in inertial axes, E_b (with "
        "-[epsilon]x) in base axes. (3.39) prints Phi Psi = 1_{N+1}; it is a projector of rank N.",
    ),
)
