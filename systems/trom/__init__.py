"""Systems of the literature on automated linearization of multibody equations.

    slider_pendulum()       two coordinates, closed form
    chain()                 seven coordinates in space: rods, springs, universal joints
    rotating_pendulum()     steady motion with a speed
    planar_truck()          steady turn with speeds and accelerations, linear tyres
    semitrailer()           five axles, nineteen coordinates, tyres

After J. D. Trom, *Automated linearization of nonlinear coupled differential and algebraic
equations*, Ph.D. thesis, Iowa State University, 1990; where it prints no data, the data here are
chosen and said to be so.
"""

from __future__ import annotations

from eomc.systems.trom.chain import chain
from eomc.systems.trom.planar_truck import planar_truck
from eomc.systems.trom.rotating_pendulum import rotating_pendulum
from eomc.systems.trom.semitrailer import semitrailer
from eomc.systems.trom.slider_pendulum import slider_pendulum

__all__ = ["chain", "planar_truck", "rotating_pendulum", "semitrailer", "slider_pendulum"]
