"""Automated linearization of multibody equations.

J. D. Trom, *Automated linearization of nonlinear coupled differential and algebraic equations*,
Ph.D. thesis, Iowa State University, 1990.
"""

from __future__ import annotations

from eomc_published.trom import (
    car,
    chain,
    eigenvectors,
    four_bar,
    functions_of_time,
    performance,
    rotating,
    slider,
    suspensions,
    tables,
    truck,
)
from eomc_published.trom.figures import FIGURES
from eomc_published.work import PublishedWork

_FILES = (
    slider,
    four_bar,
    rotating,
    chain,
    tables,
    truck,
    performance,
    suspensions,
    functions_of_time,
    car,
    eigenvectors,
)

REFERENCE = PublishedWork(
    name="trom",
    title="Automated linearization",
    citation="J. D. Trom, Automated linearization of nonlinear coupled differential and algebraic "
    "equations, Ph.D. thesis, Iowa State University, 1990",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=FIGURES,
)
