"""The explicit formulation of a free-flyer's equations, independent of the recursions over trees.

Kinematics by direct paths or barycentric vectors, kinetic energy, and the equations of motion in
Euler angles, quasi-coordinates or Euler parameters. Moosavian 1996, chapters 2 and 3.
"""

from eomc_published.moosavian.formulation.formulation import Form, FreeFlyerFormulation, Path

__all__ = ["Form", "FreeFlyerFormulation", "Path"]
