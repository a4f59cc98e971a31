"""Cases of finite elements and modes: 1 to 6."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.finite_elements.reduction_order import reduction_report
from eomc.derive.finite_elements.structure import Structure
from eomc.systems.truss_crane.boom import NODES, SUPPORTS, boom_structure, triangle_structure
from eomc_published.boutin.table_8_1 import PRINTED
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

#: (12000 + 10 t / (A 5 m)) to the printed digits.
_PRINTED_DENSITY = 8.49e6


def shapes(structure: Structure, modes: int) -> tuple[Array, Array]:
    """(squares of frequencies, displacements (nodes, 2, modes)) of the boom on its supports."""
    body = from_structure(structure, modes, "1", supports=SUPPORTS, stations=list(NODES))
    stations = dict(body.stations)
    moved = np.array([np.array(stations[name][1], float)[:, :2].T for name in NODES])
    return np.diag(np.array(body.stiffness, float)), moved


def _mass() -> Iterator[CaseCheck]:
    structure = boom_structure()
    yield agrees("nodes, bars", [39, 75], [len(structure.nodes), len(structure.members)], 0)
    boom = float(from_structure(structure, 0).mass)
    triangle = float(from_structure(triangle_structure(), 0).mass)
    yield agrees("boom [kg]", 1095.18, boom, 0.005)
    yield agrees("boom and triangle [kg]", 1106, boom + triangle, 0.5)


def _eigenvalues() -> Iterator[CaseCheck]:
    squares, _ = shapes(boom_structure(), 2)
    yield agrees("first eigenvalue", 11.139, squares[0], 0.0005)
    yield agrees("second eigenvalue", 598.182, squares[1], 0.002)
    report = reduction_report(boom_structure(), 2, "1", supports=SUPPORTS)
    yield agrees("frequencies [Hz]", [0.531, 3.893], report.frequencies[:2], 0.0005)
    lumped, _ = shapes(boom_structure(lumped=True), 2)
    yield holds(
        "lumped masses tell",
        "11.12, 588",
        f"{lumped[0]:.2f}, {lumped[1]:.0f}",
        abs(lumped[0] - 11.12) < 0.005 and abs(lumped[1] - 588) < 0.5,
    )


def _vectors() -> Iterator[CaseCheck]:
    _, moved = shapes(boom_structure(), 2)
    found = np.column_stack([moved[:, 0, 0], moved[:, 1, 0], moved[:, 0, 1], moved[:, 1, 1]])
    rounded = np.array([[float(f"{entry:.3e}") for entry in row] for row in found])
    units = 10.0 ** (np.floor(np.log10(np.where(PRINTED == 0, 1, np.abs(PRINTED)))) - 3)
    digits = np.abs(rounded - PRINTED) / units
    yield agrees("number of entries", 156, PRINTED.size, 0)
    yield at_most("entries that differ in the fourth digit", int(np.count_nonzero(digits > 0.5)), 0)


def _orthogonal() -> Iterator[CaseCheck]:
    body = from_structure(boom_structure(), 4, "1", supports=SUPPORTS)
    mass, stiffness = np.array(body.internal, float), np.array(body.stiffness, float)
    yield at_most("B'MB - 1", np.abs(mass - np.eye(4)).max(), 1e-10)
    squares = reduction_report(boom_structure(), 4, "1", supports=SUPPORTS).frequencies[:4]
    expected = np.diag((2 * np.pi * squares) ** 2)
    share = np.abs(stiffness - expected).max() / expected.max()
    yield at_most("B'KB - eigenvalues, relative", share, 1e-10)
    # By the matrices themselves, not by the moments of the body.
    structure = boom_structure()
    _, moved = shapes(structure, 4)
    rows = moved.reshape(-1, 4)
    product = rows.T @ structure.mass_matrix() @ rows
    yield at_most("B'MB - 1 of the matrices", np.abs(product - np.eye(4)).max(), 1e-10)


def _determinate() -> Iterator[CaseCheck]:
    structure = boom_structure()
    values = np.linalg.eigvalsh(structure.stiffness())
    yield agrees("bars, freedoms", [75, 78], [len(structure.members), len(structure.freedoms)], 0)
    none = int(np.count_nonzero(np.abs(values) < 1e-9 * values.max()))
    yield agrees("eigenvalues of K that are zero", 3, none, 0)
    yield holds(
        "the next",
        "> 1e-7 of the largest",
        f"{values[3] / values[-1]:.2g}",
        values[3] > 1e-7 * values[-1],
    )


def _printed_density() -> Iterator[CaseCheck]:
    structure = boom_structure(end_density=_PRINTED_DENSITY)
    mass = float(from_structure(structure, 0).mass)
    yield agrees("mass [kg]", 10796, mass, 1)
    report = reduction_report(structure, 2, "1", supports=SUPPORTS)
    yield agrees("first frequency [Hz]", 0.1168, report.frequencies[0], 0.00005)
    yield agrees("second frequency [Hz]", 2.414, report.frequencies[1], 0.0005)


CASES = (
    Case(1, "Boom: nodes, bars and mass", "table E.1, section 8.1", "sums over the members", _mass),
    Case(
        2, "Boom: eigenvalues", "table 8.1", "modes on a pin and an inclined roller", _eigenvalues
    ),
    Case(3, "Boom: eigenvectors", "table 8.1", "all entries rounded to four digits", _vectors),
    Case(
        4,
        "Modes are orthonormal",
        "equations 4.58 to 4.62",
        "moments of the reduced body",
        _orthogonal,
    ),
    Case(
        5,
        "The truss is determinate",
        "figure E.1",
        "rank of the stiffness matrix",
        _determinate,
        "reconstructed",
    ),
    Case(
        6,
        "The printed density of the end batten",
        "table E.1",
        "mass and frequencies with 8.49e6 kg/m^3",
        _printed_density,
        "reconstructed",
        note="It would be 10 t; the text's 300 kg reproduce table 8.1 and the mass of 1106 kg.",
    ),
)
