"""Forces that depend on reactions, variables without inertia, rolling: exact mechanics.

Friction of joints under their own load, creep forces of wheels, and the bicycle of the benchmark.
"""

from __future__ import annotations

from eomc_published.reactions import bearings, loops, rolling, slider
from eomc_published.work import PublishedWork

_FILES = (bearings, slider, rolling, loops)

REFERENCE = PublishedWork(
    name="reactions",
    title="Forces that depend on reactions, and rolling",
    citation="closed forms of friction under reactions, of creep and of variables without inertia; "
    "Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007) 1955",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
)
