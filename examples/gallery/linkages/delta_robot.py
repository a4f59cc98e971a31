"""A delta robot: three legs move a platform that translates without rotation.

Legs with universal joints close two loops and leave three degrees of freedom. Drag the platform:
it stays level.
"""

import runpy
from pathlib import Path

robot = runpy.run_path(str(Path(__file__).parents[2] / "delta_robot.py"))["robot"]
model = robot()
for k in (1, 2, 3):
    model.joint_spring(f"hold{k}", joint=f"motor{k}", stiffness=60, damping=1.5, free_angle=0.25)
start = {
    "q": {f"motor{k}": 0.3 for k in (1, 2, 3)}
    | {f"elbow{k}_1": 1.4 for k in (1, 2, 3)}
    | {"wrist1_2": -1.7}
}
