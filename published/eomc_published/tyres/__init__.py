"""Tyres with saturation, rough roads, ride and critical speeds.

H. B. Pacejka, *Tire and Vehicle Dynamics*, 3rd ed., Elsevier 2012; ISO 8608:2016, *Mechanical
vibration - Road surface profiles*; ISO 2631-1:1997, *Evaluation of human exposure to whole-body
vibration*. The truck is that of the work `trom`.
"""

from __future__ import annotations

from eomc_published.tyres import handling, ride, slip
from eomc_published.tyres.figures import FIGURES
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="tyres",
    title="Tyres, roads and ride",
    citation="H. B. Pacejka, Tire and Vehicle Dynamics, 3rd ed., Elsevier 2012; ISO 8608:2016; "
    "ISO 2631-1:1997",
    cases=(*slip.CASES, *handling.CASES, *ride.CASES),
    figures=FIGURES,
)
