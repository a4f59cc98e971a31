"""Ten of MuJoCo's classic models, as the package gymnasium brings them."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from pathlib import Path

from eomc.derive.formats.load import load
from eomc.derive.model.model import Model

#: Chains, trees with a free root, closed by nothing; damping, springs, armature, motors.
ROBOTS = (
    "ant",
    "half_cheetah",
    "hopper",
    "inverted_double_pendulum",
    "inverted_pendulum",
    "point",
    "pusher_v5",
    "reacher",
    "swimmer",
    "walker2d_v5",
)


def robot_file(name: str) -> Path:
    """Of one of them. Raises FileNotFoundError without the package."""
    found = find_spec("gymnasium")
    if found is None or found.origin is None:
        raise FileNotFoundError("the package gymnasium, which brings MuJoCo's models, is missing")
    return Path(found.origin).parent / "envs" / "mujoco" / "assets" / f"{name}.xml"


def robot(path: Path) -> Model:
    """Without dry friction, which MuJoCo has as a constraint; what is left out is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return load(path, friction=False)
