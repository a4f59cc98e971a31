"""Force elements: a kind is found by its decorator, and its file imported when it is used.

What bodies and joints have by themselves is summed first, then kind by kind in the order of files.
"""

from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.state import ElementState
from eomc.derive.fields.field import (
    AtPoint,
    Direction,
    Number,
    body,
    choice,
    direction,
    number,
    point,
)
from eomc.derive.fields.scope import FORCE
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import AllLoads, Loads, Scene, all_loads

# isort: split
from eomc.derive.forces import cut_joint_losses, elasticity, joint_losses

__all__ = [
    "FORCE",
    "AllLoads",
    "AtPoint",
    "Direction",
    "ElementState",
    "ForceElement",
    "Loads",
    "Number",
    "Scene",
    "all_loads",
    "body",
    "choice",
    "cut_joint_losses",
    "direction",
    "elasticity",
    "joint_losses",
    "kind",
    "number",
    "point",
]
