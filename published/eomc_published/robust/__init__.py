"""Robust laws on one bench: LQG, loop recovery and H-infinity on plants that bend.

J. C. Doyle and G. Stein, IEEE Trans. Automatic Control 26 (1981) 4; J. C. Doyle, K. Glover,
P. P. Khargonekar and B. A. Francis, IEEE Trans. Automatic Control 34 (1989) 831; M. J. Balas, IEEE
Trans. Automatic Control 23 (1978) 673.
"""

from __future__ import annotations

from eomc_published.robust import cases
from eomc_published.robust.figures import FIGURES
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="robust",
    title="Robust laws on one bench",
    citation="J. C. Doyle and G. Stein, IEEE Trans. Automatic Control 26 (1981) 4; J. C. Doyle, "
    "K. Glover, P. P. Khargonekar and B. A. Francis, IEEE Trans. Automatic Control 34 (1989) 831; "
    "M. J. Balas, IEEE Trans. Automatic Control 23 (1978) 673",
    cases=cases.CASES,
    figures=FIGURES,
)
