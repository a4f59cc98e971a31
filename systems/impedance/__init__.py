"""Robots that touch: systems for the control of impedance.

    three_masses()   an actuator drives an object against a wall, through two springs
    two_arms()       two planar arms move an object to a wall, one through a compliant wrist
    holding_robot()  a free-flying base whose arms hold one object

Source: S. A. A. Moosavian, *Dynamics and Control of Free-Flying Manipulators Capturing Space
Objects*, Ph.D. thesis, McGill University, 1996, chapter 6.
"""

from __future__ import annotations

from eomc.systems.impedance.space_robot import free_robot, holding_robot
from eomc.systems.impedance.three_masses import controlled_masses, three_masses
from eomc.systems.impedance.two_arms import arms, two_arms

__all__ = ["arms", "controlled_masses", "free_robot", "holding_robot", "three_masses", "two_arms"]
