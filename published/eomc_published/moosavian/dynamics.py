"""Cases of the explicit dynamics: 3 to 7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.graph import Expression, nodes, reachable
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer, to_tree
from eomc.systems.free_flyer.tree_model import tree_order
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.direct_path import DirectPath
from eomc_published.moosavian.formulation.energy_lagrange import energy_lagrange
from eomc_published.moosavian.formulation.explicit_dynamics import ExplicitDynamics
from eomc_published.moosavian.formulations import (
    Uncut,
    compiled_tree,
    formulation,
    largest,
    matrix_values,
    tree,
    values,
    vector_values,
)
from eomc_published.moosavian.states import random_states

STATES = 12
# Largest rounding of an entry that is zero by geometry [kg m^2].
_ZERO = 1e-12


def two_derivations(count: int = STATES) -> tuple[Array, Array]:
    """(dH, dC) of the explicit model and of the energy's derivatives; (count, 14, 14), (count, 14).

    The explicit C is C1 q' + C2 as printed, the matrix C1 evaluated entry by entry.
    """
    q, rates = random_states(SPATIAL, count)
    explicit = formulation(SPATIAL).explicit
    graph = explicit.chain.graph
    mass = matrix_values(graph, explicit.mass_matrix, q=q)
    first = matrix_values(graph, explicit.nonlinear_matrix, q=q, u=rates)
    second = values(graph, explicit.nonlinear_vector, (14,), q=q, u=rates)
    plain = DirectPath(Chain(SPATIAL))
    rows, terms = energy_lagrange(plain)
    own = plain.chain.graph
    mass_difference = mass - matrix_values(own, rows, q=q)
    nonlinear = np.einsum("...ij,...j->...i", first, rates) + second
    return mass_difference, nonlinear - values(own, terms, (14,), q=q, u=rates)


def _two_derivations() -> Iterator[CaseCheck]:
    mass, nonlinear = two_derivations()
    yield at_most("max |dH| [kg, kg m, kg m^2]", largest(mass), 1e-12)
    yield at_most("max |dC| [N, N m]", largest(nonlinear), 1e-12)
    q, rates = random_states(SPATIAL, STATES)
    q_tree, u_tree = to_tree(SPATIAL, q), to_tree(SPATIAL, rates)
    bias = formulation(SPATIAL).quantity("bias").evaluate(q=q, u=rates)
    compiled = compiled_tree(SPATIAL)
    difference = to_tree(SPATIAL, bias) - compiled.bias(q_tree, u_tree)
    yield at_most("C against the compiled tree [N, N m]", largest(difference), 1e-11)
    own = formulation(SPATIAL).quantity("mass_matrix").evaluate(q=q)
    order = tree_order(SPATIAL)
    difference = own[:, order][:, :, order] - compiled.mass_matrix(q_tree)
    yield at_most("H against the compiled tree [kg, kg m, kg m^2]", largest(difference), 1e-11)


def _energy() -> Iterator[CaseCheck]:
    for flyer in (PLANAR, SPATIAL):
        q, rates = random_states(flyer, 100)
        own = formulation(flyer)
        mass = own.quantity("mass_matrix").evaluate(q=q)
        columns = _columns_of_inverse_dynamics(flyer, q[:5])
        asymmetry = largest(columns - np.swapaxes(columns, -1, -2))
        yield at_most(f"{flyer.name}: asymmetry of H, column by column", asymmetry, 1e-11)
        smallest = float(np.linalg.eigvalsh(mass).min())
        yield holds(
            f"{flyer.name}: smallest eigenvalue of H, 100 states",
            "> 0",
            f"{smallest:.4g}",
            smallest > 0,
        )
        energy = own.quantity("kinetic_energy").evaluate(q=q, u=rates)
        quadratic = np.einsum("bi,bij,bj->b", rates, mass, rates) / 2
        yield agrees(
            f"{flyer.name}: T = q'^T H q' / 2 [J]", quadratic, energy, 1e-12, relative=True
        )
        used = _dependence(own.lower, own.chain.q[: own.chain.translations])
        yield holds(f"{flyer.name}: entries of H that depend on R_C0", "0", str(used), used == 0)


def _columns_of_inverse_dynamics(flyer: FreeFlyer, q: Array) -> Array:
    """tau(q, 0, e_j) by the tree's recursion: columns of H that nothing has made symmetric."""
    n = flyer.degrees_of_freedom
    zero = np.zeros((len(q), 1, n))
    inverse = tree(flyer).inverse_dynamics
    tau = inverse.evaluate(q=to_tree(flyer, q)[:, None], u=zero, a=np.eye(n))
    return np.swapaxes(tau, -1, -2)


def _dependence(entries: Sequence[Expression], on: Sequence[Expression]) -> int:
    """Number of entries that depend on one of the symbols."""
    graph, symbols = on[0].graph, set(nodes(on))
    return sum(bool(symbols & set(reachable(graph, [entry.node]))) for entry in entries)


def _structure() -> Iterator[CaseCheck]:
    for flyer in (PLANAR, SPATIAL):
        mass, _ = formulation(flyer).equations
        arms = _arm_ranges(flyer)
        between = [mass[i][j] for a in arms for b in arms if a is not b for i in a for j in b]
        nonzero = sum(not entry.is_zero for entry in between)
        yield holds(
            f"{flyer.name}, direct path: nonzero entries between arms",
            "0",
            str(nonzero),
            nonzero == 0,
        )
        own = formulation(flyer, path="barycentric")
        rows, _ = own.equations
        size, n = own.chain.translations, len(rows)
        graph = own.graph
        first = matrix_values(graph, rows[:size], q=np.zeros((1, n)))[0]
        expected = np.hstack([flyer.total_mass * np.eye(size), np.zeros((size, n - size))])
        yield agrees(f"{flyer.name}, barycentric: rows of R_CM", expected, first, 1e-12)
        yield from uncoupled(flyer)
        yield from _compiled_structure(flyer, arms)
        yield from _joint_block_is_full(flyer)


def uncoupled(flyer: FreeFlyer) -> Iterator[CaseCheck]:
    """Rows of R_CM in numbers: nothing is left out beforehand because it vanishes."""
    q, rates = random_states(flyer, 4)
    dynamics = ExplicitDynamics(Uncut(Chain(flyer)))
    size, graph, n = dynamics.chain.translations, dynamics.chain.graph, q.shape[1]
    mass = matrix_values(graph, dynamics.mass_matrix[:size], q=q)
    mass[:, :, :size] -= flyer.total_mass * np.eye(size)
    yield at_most(f"{flyer.name}, barycentric: |H - M 1| of rows R_CM", largest(mass), _ZERO * n)
    terms = values(graph, dynamics.nonlinear_terms[:size], (size,), q=q, u=rates)
    yield at_most(f"{flyer.name}, barycentric: |C| of rows R_CM [N]", largest(terms), _ZERO * n)


def _compiled_structure(flyer: FreeFlyer, arms: list[range]) -> Iterator[CaseCheck]:
    """The compiled tree's H: zero between arms, and with speeds of the system's CM uncoupled."""
    q, _ = random_states(flyer, 4)
    compiled, size = compiled_tree(flyer), 2 if flyer.planar else 3
    mass = compiled.mass_matrix(to_tree(flyer, q))
    between = [mass[:, i, j] for a in arms for b in arms if a is not b for i in a for j in b]
    nonzero = int(np.count_nonzero(between))
    yield holds(
        f"{flyer.name}, compiled: nonzero entries of H between arms",
        "0",
        str(nonzero),
        nonzero == 0,
    )
    change = np.broadcast_to(np.eye(mass.shape[-1]), mass.shape).copy()
    change[:, :size] = compiled.center_of_mass_jacobian(to_tree(flyer, q))[:, :size]
    back = np.linalg.inv(change)
    central = np.swapaxes(back, -1, -2) @ mass @ back
    central[:, :size, :size] -= flyer.total_mass * np.eye(size)
    yield at_most(
        f"{flyer.name}, compiled, about the CM: |H - M 1| of those rows",
        largest(central[:, :size]),
        1e-11,
    )


def _joint_block_is_full(flyer: FreeFlyer) -> Iterator[CaseCheck]:
    """Every entry between arms, and within an arm those that the direct path has, too."""
    q, _ = random_states(flyer, 4)
    blocks = {}
    for path in ("direct", "barycentric"):
        mass = formulation(flyer, path=path).quantity("mass_matrix").evaluate(q=q)
        blocks[path] = np.abs(mass[:, -flyer.joints :, -flyer.joints :]).max(axis=0)
    arm_of = [m for m, arm in enumerate(flyer.manipulators) for _ in arm.links]
    apart = np.not_equal.outer(arm_of, arm_of)
    wanted = apart | (blocks["direct"] > _ZERO)
    smallest = float(blocks["barycentric"][wanted].min())
    yield holds(
        f"{flyer.name}, barycentric: smallest entry of the joint block",
        f"> {_ZERO:g}",
        f"{smallest:.3g}",
        smallest > _ZERO,
    )
    absent = int((blocks["barycentric"][~wanted] > _ZERO).sum())
    if not wanted.all():
        yield holds(
            f"{flyer.name}, barycentric: entries that the geometry of an arm makes zero in both",
            "0 nonzero",
            f"{absent} nonzero of {int((~wanted).sum())}",
            absent == 0,
        )


def _arm_ranges(flyer: FreeFlyer) -> list[range]:
    start, ranges = flyer.degrees_of_freedom - flyer.joints, []
    for arm in flyer.manipulators:
        ranges.append(range(start, start + len(arm.links)))
        start += len(arm.links)
    return ranges


_PLANAR_Q = [-0.04849557, -0.06588084, *np.radians([-30, 45, 90, 135, -90, 30])]
_PLANAR_RATES = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, -0.7, 0.8]


def _planar_anchor() -> Iterator[CaseCheck]:
    q, rates = np.array(_PLANAR_Q), np.array(_PLANAR_RATES)
    own, recursive = formulation(PLANAR), tree(PLANAR)
    for name, mass, bias, energy in (
        (
            "explicit",
            own.quantity("mass_matrix").evaluate(q=q),
            own.quantity("bias").evaluate(q=q, u=rates),
            own.quantity("kinetic_energy").evaluate(q=q, u=rates),
        ),
        (
            "tree",
            recursive.mass_matrix.evaluate(q=q),
            recursive.bias.evaluate(q=q, u=rates),
            recursive.kinetic_energy.evaluate(q=q, u=rates),
        ),
    ):
        yield from _planar_values(name, mass, bias, float(energy))
    mass = formulation(PLANAR, path="barycentric").quantity("mass_matrix").evaluate(q=q)
    got = [mass[2, 2], mass[3, 3], mass[3, 5], mass[3, 6], mass[4, 4], mass[7, 7]]
    expected = [33.633024, 5.105072, -0.217391, -0.108696, 0.967391, 2.289855]
    yield agrees("barycentric: H33, H44, H46, H47, H55, H88", expected, got, 1e-6)


def _planar_values(name: str, mass: Array, bias: Array, energy: float) -> Iterator[CaseCheck]:
    row1 = [69, 0, -4.545778, -2.742984, -1.448889, -5.217858, -0.388229, 1.25]
    row2 = [0, 69, 3.346194, 4.441401, -0.388229, 0.154794, 1.448889, 0]
    row3 = [34.094779, 6.737437, 0.46967, 6.737437, 0.46967, 2.853766]
    yield agrees(f"{name}: row 1 of H", row1, mass[0], 1e-6)
    yield agrees(f"{name}: row 2 of H", row2, mass[1], 1e-6)
    yield agrees(f"{name}: H33 to H38", row3, mass[2, 2:], 1e-6)
    arm = [[5.5, 1.0], [1.0, 1.0]]
    yield agrees(f"{name}: arm blocks", [arm, arm], [mass[3:5, 3:5], mass[5:7, 5:7]], 1e-6)
    yield agrees(f"{name}: H88", 2.3125, mass[7, 7], 1e-6)
    yield agrees(f"{name}: det H", 2154116.03, np.linalg.det(mass), 5e-3)
    yield agrees(f"{name}: T [J]", 6.9461371, energy, 1e-6)
    expected = [-1.248228, -2.912235, -0.264315, 0.881829, 0.78273, -1.361829, -1.26273, 0.028125]
    yield agrees(f"{name}: C [N, N m]", expected, bias, 1e-6)


_SPATIAL_Q = [0.1, 0.2, 0.3, 0.2, -0.3, 0.4, 0.3, 0.6, 0.9, -0.2, -0.5, -1.0, 0.4, 0.7]
_SPATIAL_RATES = [*(0.1, -0.1, 0.2, 0.05, -0.04, 0.03, 0.2, -0.3, 0.4, -0.2, 0.3, -0.4, 0.1, -0.2)]


def _spatial_anchor() -> Iterator[CaseCheck]:
    q, rates = np.array(_SPATIAL_Q), np.array(_SPATIAL_RATES)
    own, recursive = formulation(SPATIAL), tree(SPATIAL)
    q_tree, u_tree = to_tree(SPATIAL, q), to_tree(SPATIAL, rates)
    mass = own.quantity("mass_matrix").evaluate(q=q)
    yield from _spatial_values(
        "explicit",
        mass,
        own.quantity("bias").evaluate(q=q, u=rates),
        float(own.quantity("kinetic_energy").evaluate(q=q, u=rates)),
    )
    # The tree lists the angles the other way round; the exchange undoes itself.
    by_tree = to_tree(SPATIAL, recursive.mass_matrix.evaluate(q=q_tree))
    yield from _spatial_values(
        "tree",
        to_tree(SPATIAL, by_tree.T).T,
        to_tree(SPATIAL, recursive.bias.evaluate(q=q_tree, u=u_tree)),
        float(recursive.kinetic_energy.evaluate(q=q_tree, u=u_tree)),
    )
    direct = DirectPath(Chain(SPATIAL))
    chain = direct.chain
    shown = [direct.position[1, 3], chain.body_rates[1, 3]]
    got = vector_values(chain.graph, shown, q=q[None], u=rates[None])[0]
    yield agrees(
        "CM of arm 1 link 3 from C_0 [m]", [0.50136254, -0.12520882, 1.60478393], got[0], 1e-7
    )
    yield agrees(
        "its angular velocity, own axes [rad/s]",
        [0.23872184, -0.02952138, 0.14940814],
        got[1],
        1e-7,
    )


def _spatial_values(name: str, mass: Array, bias: Array, energy: float) -> Iterator[CaseCheck]:
    diagonal = [
        *(83.21124088, 91.01110919, 21.19326118, 4.95449013, 9.90063489, 0.845, 5.57688553),
        *(9.61605807, 0.845, 0.13679869, 0.16),
    ]
    nonlinear = [
        *(-2.57643099, 0.36912498, -1.1692983, -1.47094604, -2.80167386, -0.51246263),
        *(0.48389853, 0.33236224, 0.15917952, -0.47043664, -0.336248, -0.17028018),
        *(0.00254052, 0.0014869),
    ]
    yield agrees(f"{name}: trace H", 1322.45047855, np.trace(mass), 1e-7)
    yield agrees(f"{name}: sum of H", 1497.58892306, mass.sum(), 1e-7)
    yield agrees(f"{name}: T [J]", 10.280629066, energy, 1e-7)
    yield agrees(f"{name}: diagonal of H, 4 to 14", diagonal, np.diagonal(mass)[3:], 1e-7)
    yield agrees(f"{name}: C [N, N m]", nonlinear, bias, 1e-7)


CASES = (
    Case(
        3,
        "Two independent derivations agree to rounding",
        "section 3.4.3, table 3.1",
        "H and C = C1 q' + C2 of (3.21), (3.22) against Lagrange's equations of the energy "
        f"(3.10), spatial system, {STATES} random states",
        _two_derivations,
        note="Printed differences at one state: |dH| <= 1.4e-14, |dC| <= 4.7e-15, in double "
        "precision. The second bracket of (3.19) begins with domega/dq_1.",
    ),
    Case(
        4,
        "H is symmetric, positive definite, independent of the position; T = q'^T H q' / 2",
        "equation 3.8",
        "eigenvalues and energies at 100 random states, dependence on the graph",
        _energy,
    ),
    Case(
        5,
        "Structure of H: arms uncoupled by the direct path, translation by barycentric vectors",
        "equations 3.12, 3.13 and the comparison that follows",
        "structural zeros on the graph, entries at random states",
        _structure,
        note="The joint block is full but for joints of one arm that its geometry uncouples in "
        "both forms: the spatial arms lie in a plane with the axis of their first joint.",
    ),
    Case(
        6,
        "Planar system: H, C, T at its initial configuration",
        "data of tables 4.2-a, 4.2-b",
        "explicit formulation and tree against recomputed values",
        _planar_anchor,
        "reconstructed",
    ),
    Case(
        7,
        "Spatial system: H, C, T at a state",
        "data of tables 4.3-a, 4.3-b; frames of section 4.4.3",
        "explicit formulation and tree against recomputed values",
        _spatial_anchor,
        "reconstructed",
        note="The Euler set is not printed; z-y-x is used here. ^{i-1}T_i = Rot_x Rot_z is the one "
        "reading that agrees with z joint axes and the link vectors of table 4.3-b.",
    ),
)
