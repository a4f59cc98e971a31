"""A chain of eight cylinders whose hinges alternate between two directions.

Pull its end sideways: neighbours turn about one axis only, but the chain follows in any direction.
The benchmarks use this chain.
"""

from eomc.systems.pendulum import spatial_pendulum

model = spatial_pendulum(8, length=0.25, radius=0.03, mass=0.3, damping=2e-3)
start = {"q": {"q1": -0.9, "q2": -0.9}}
