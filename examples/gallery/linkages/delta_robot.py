"""A delta robot: three legs carry a platform that translates and does not turn.

Legs of universal joints close two loops and leave three freedoms. Drag the platform: it stays level
wherever it goes.
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
