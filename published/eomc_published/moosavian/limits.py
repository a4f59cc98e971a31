"""Cases of the fixed base as a limit: 8 and 9."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.derive.graph import Expression, nodes, reachable
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer, to_tree
from eomc.systems.two_link_arm import two_link_arm
from eomc_published.case import Case, CaseCheck, agrees, holds
from eomc_published.moosavian.formulation import FreeFlyerFormulation
from eomc_published.moosavian.formulation.chain import Chain
from eomc_published.moosavian.formulation.fixed_base import (
    fixed_base_mass_matrix,
    fixed_base_nonlinear_terms,
)
from eomc_published.moosavian.formulations import formulation, matrix_values, tree, values
from eomc_published.moosavian.states import random_states

HEAVY = 1e12


def _anchored(flyer: FreeFlyer) -> FreeFlyer:
    return replace(flyer, mass=HEAVY, inertia=(HEAVY, HEAVY, HEAVY))


def _joint_block(flyer: FreeFlyer, q: Array, rates: Array) -> tuple[Array, Array]:
    """(H, C) of the joints by (3.50), manipulator by manipulator, (batch, K, K) and (batch, K)."""
    chain = Chain(flyer)
    mass = np.zeros((len(q), flyer.joints, flyer.joints))
    terms = np.zeros((len(q), flyer.joints))
    for m, arm in enumerate(flyer.manipulators, 1):
        first = chain.joint_of[m, 1]
        own = slice(first, first + len(arm.links))
        rows = fixed_base_mass_matrix(chain, m)
        mass[:, own, own] = matrix_values(chain.graph, rows, q=q)
        nonlinear = fixed_base_nonlinear_terms(chain, m)
        terms[:, own] = values(chain.graph, nonlinear, (len(nonlinear),), q=q, u=rates)
    return mass, terms


def _heavy_base() -> Iterator[CaseCheck]:
    for flyer in (PLANAR, SPATIAL):
        heavy = _anchored(flyer)
        q, rates = random_states(flyer, 10)
        rates[:, : -flyer.joints] = 0.0  # the base at rest
        mass, terms = _joint_block(flyer, q, rates)
        name = flyer.name
        for path in ("direct", "barycentric"):
            own = FreeFlyerFormulation(heavy, path=path)
            block = own.quantity("mass_matrix").evaluate(q=q)[:, -flyer.joints :, -flyer.joints :]
            nonlinear = own.quantity("bias").evaluate(q=q, u=rates)[:, -flyer.joints :]
            yield agrees(f"{name}, {path}: joint block of H", mass, block, 1e-6, relative=True)
            yield agrees(f"{name}, {path}: C of the joints", terms, nonlinear, 1e-6, relative=True)
        torque = np.random.default_rng(8).uniform(-1, 1, (len(q), flyer.joints))
        fixed = np.linalg.solve(mass, (torque - terms)[..., None])[..., 0]
        full = np.concatenate([np.zeros((len(q), q.shape[1] - flyer.joints)), torque], axis=1)
        a = tree(heavy).forward_dynamics.evaluate(
            q=to_tree(flyer, q), u=to_tree(flyer, rates), tau=full
        )
        yield agrees(
            f"{name}, tree: joint accelerations", fixed, a[:, -flyer.joints :], 1e-6, relative=True
        )
    yield from _two_link_arm()


def _two_link_arm() -> Iterator[CaseCheck]:
    """The first arm of the planar system by the textbook's formula."""
    q, rates = random_states(PLANAR, 10)
    mass, _ = _joint_block(PLANAR, q, rates)
    inner, outer = PLANAR.manipulators[0].links
    (m1, i1), (m2, i2) = ((link.mass, link.inertia[2]) for link in (inner, outer))
    lc1, lc2, l1 = -inner.l[0], -outer.l[0], inner.r[0] - inner.l[0]
    cosine = np.cos(q[:, 4])
    h11 = i1 + i2 + m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * cosine)
    h12 = i2 + m2 * (lc2**2 + l1 * lc2 * cosine)
    h22 = np.full_like(h12, i2 + m2 * lc2**2)
    got = [mass[:, 0, 0], mass[:, 0, 1], mass[:, 1, 1]]
    yield agrees("two-link arm: H11, H12, H22", [h11, h12, h22], got, 1e-6, relative=True)


def _mass_propagation() -> Iterator[CaseCheck]:
    for flyer in (PLANAR, SPATIAL):
        chain = Chain(flyer, symbolic=True)
        counts = {"H": 0, "C": 0}
        for m, arm in enumerate(flyer.manipulators, 1):
            mass, terms = fixed_base_mass_matrix(chain, m), fixed_base_nonlinear_terms(chain, m)
            n = range(len(arm.links))
            for i in n:
                counts["C"] += _uses_inner(chain, terms[i], m, i)
                counts["H"] += sum(_uses_inner(chain, mass[i][j], m, max(i, j)) for j in n)
        for what, count in counts.items():
            index = "max(i, j)" if what == "H" else "i"
            yield holds(
                f"{flyer.name}, fixed base: entries of {what} with mass properties of links "
                f"k < {index}",
                "0",
                str(count),
                count == 0,
            )
        untouched = _untouched_elements(flyer)
        yield holds(
            f"{flyer.name}, free-floating: elements of the joint block that some link's mass does "
            "not change",
            "0",
            str(untouched),
            untouched == 0,
        )
    yield from _derived_arm()


def _derived_arm() -> Iterator[CaseCheck]:
    """Entries of H of a fixed arm, as eomc derives it, that a tenth more of one link changes."""
    mass = eomc.equations(two_link_arm()).mass_matrix
    q, data = np.array([0.3, 0.7]), {"m1": 4.0, "I1": 0.333, "m2": 3.0, "I2": 0.3}
    for link, wanted in (("1", [[1, 0], [0, 0]]), ("2", [[1, 1], [1, 1]])):
        more = {name: 1.1 * value for name, value in data.items() if name.endswith(link)}
        changed = mass.evaluate(q=q, values=more) != mass.evaluate(q=q)
        yield agrees(
            f"two-link arm, derived: entries of H that link {link} changes", wanted, changed, 0
        )


def _uses_inner(chain: Chain, entry: Expression, m: int, outermost: int) -> bool:
    """True if `entry` depends on mass or inertia of links 1 .. `outermost` of manipulator m."""
    inner = [
        e for k in range(1, outermost + 1) for e in (chain.mass((m, k)), *chain.inertia((m, k)))
    ]
    symbols = {e.node for e in inner if not e.is_constant}
    return bool(symbols & set(reachable(chain.graph, nodes([entry]))))


def _untouched_elements(flyer: FreeFlyer) -> int:
    """Elements of H_tt - H_tb H_bb^-1 H_bt that a tenth more mass of some link leaves alone."""
    q, _ = random_states(flyer, 3)
    own = FreeFlyerFormulation(flyer, symbolic=True).quantity("mass_matrix")
    reference = _free_floating_block(
        flyer, formulation(flyer).quantity("mass_matrix").evaluate(q=q)
    )
    untouched = 0
    for m, arm in enumerate(flyer.manipulators, 1):
        for i, link in enumerate(arm.links, 1):
            mass = own.evaluate(q=q, values={f"m_{m}_{i}": 1.1 * link.mass})
            change = np.abs(_free_floating_block(flyer, mass) - reference).max(axis=0)
            untouched += int((change < 1e-9).sum())
    return untouched


def _free_floating_block(flyer: FreeFlyer, mass: Array) -> Array:
    """Inertia of the joints with the unactuated base eliminated."""
    b = flyer.degrees_of_freedom - flyer.joints
    coupling = mass[:, :b, b:]
    return mass[:, b:, b:] - np.swapaxes(coupling, -1, -2) @ np.linalg.solve(
        mass[:, :b, :b], coupling
    )


CASES = (
    Case(
        8,
        "A very heavy base is a fixed base",
        "sections 3.4.3 and 3.5, equations 3.50, 3.51",
        f"base mass and inertia {HEAVY:g}: joint block of H, C, accelerations against the "
        "fixed-base arm and the two-link formula, 10 random states",
        _heavy_base,
    ),
    Case(
        9,
        "Where mass properties appear: backward only on a fixed base, everywhere in space",
        "equations 3.52, 3.53",
        "dependence on the graph; change of the joint block with the base eliminated when one "
        "link's mass grows by a tenth",
        _mass_propagation,
    ),
)
