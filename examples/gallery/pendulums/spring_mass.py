"""A mass on a spring, the smallest model file there is.

Pull the mass and let go; change stiffness or damping by their sliders.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "spring_mass.toml")
start = {"q": {model.coordinates[0]: 0.3}}
