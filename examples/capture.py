"""A free-flyer meets an object, and two arms bring one to a wall.

    python examples/capture.py [folder]

Two maneuvers of Moosavian 1996, as `eomc reproduce moosavian` flies them: the planar free-flyer
chases an object and closes both arms on it under the transpose Jacobian, pushed by its jets; two
arms that hold an object press it against a wall under multiple impedance control, which estimates
the force of the contact. The films show bodies, points of contact and forces, and beside them plan,
error, thrust or torque, and the force of contact. Needs eomc-published: pip install ./published
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from eomc_published.moosavian.maneuvers import capture, touch


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "capture-output")
    folder.mkdir(parents=True, exist_ok=True)
    flown, pressed = capture(), touch()
    flown.film(folder / "capture.gif", fps=5, speed=3.0, dpi=70, progress=False)
    pressed.film(folder / "touch.gif", fps=8, speed=0.8, dpi=70, progress=False)
    met = np.interp(15.0, flown.run.t, flown.curves["arms to object [m]"]["arm 1"])
    print(f"arm 1 after 15 s: {1e3 * met:.1f} mm from the object")
    force = pressed.curves["force of contact [N]"]["wall"]
    print(f"largest force of the wall: {-force.min():.0f} N, after 4 s {-force[-1]:.1f} N")


if __name__ == "__main__":
    main()
