"""A car on one front and one rear tyre that saturate.

It drives at 25 m/s and is pushed aside. Steer further, and the tyres let go: their force has a
largest value, by the magic formula.
"""

from eomc.systems.vehicles import single_track_car

model = single_track_car(relaxation_length=0.3)
model.visual("hull", body="car", shape={"kind": "box", "size": (3.4, 1.4, 0.5)}, color="#3a6ea5")
start = {"u": {"ride_vx": 25.0, "ride_vy": 1.0}, "inputs": {"steer": 0.02}}
