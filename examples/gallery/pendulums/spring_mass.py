"""A mass on a spring, the smallest model file.

Pull the mass and let go. Change stiffness or damping with their sliders.
"""

from pathlib import Path

import eomc

model = eomc.load(Path(__file__).parents[2] / "models" / "spring_mass.toml")
start = {"q": {model.coordinates[0]: 0.3}}
