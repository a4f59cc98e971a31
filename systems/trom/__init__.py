"""Systems of the literature on automated linearization of multibody equations.

    slider_pendulum()       two coordinates, closed form
    chain()                 seven coordinates in space: rods, springs, universal joints
    rotating_pendulum()     steady motion with a speed
    planar_truck()          steady turn with speeds and accelerations, linear tyres
    semitrailer()           five axles, nineteen coordinates, tyres
    four_bar()              a spatial loop, one degree of freedom
    circle_particle()       two coordinates on a circle
    mcpherson_strut()       a front wheel: two loops, one degree of freedom
    passenger_car()         four of them under a body: ten degrees of freedom
    twist_axle()            a rear axle: one loop, two close modes

After J. D. Trom, *Automated linearization of nonlinear coupled differential and algebraic
equations*, Ph.D. thesis, Iowa State University, 1990; where it prints no data, the data here are
chosen and said to be so.
"""

from __future__ import annotations

from eomc.systems.trom.chain import chain
from eomc.systems.trom.four_bar import circle_particle, four_bar
from eomc.systems.trom.passenger_car import passenger_car
from eomc.systems.trom.planar_truck import planar_truck
from eomc.systems.trom.rotating_pendulum import rotating_pendulum
from eomc.systems.trom.semitrailer import semitrailer
from eomc.systems.trom.slider_pendulum import slider_pendulum
from eomc.systems.trom.suspensions import mcpherson_strut, twist_axle

__all__ = [
    "chain",
    "circle_particle",
    "four_bar",
    "mcpherson_strut",
    "passenger_car",
    "planar_truck",
    "rotating_pendulum",
    "semitrailer",
    "slider_pendulum",
    "twist_axle",
]
