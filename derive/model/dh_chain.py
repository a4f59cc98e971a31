"""Serial chains from Denavit-Hartenberg tables, in both conventions.

    standard   A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i)           frame i at the end of link i
    modified   A_i = Rx(alpha_{i-1}) Tx(a_{i-1}) Rz(theta_i) Tz(d_i)   frame i at joint i

A joint turns about, or slides along, the z axis between: its coordinate is added to theta or d of
its row. Denavit and Hartenberg 1955; Craig, Introduction to Robotics, section 3.4 (modified);
Corke, Robotics, Vision and Control, section 7.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eomc.derive.language.errors import ModelError
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import Scalar, is_number, scalar
from eomc.derive.placement.placement import Placement, placement

if TYPE_CHECKING:
    from eomc.derive.language.errors import Source
    from eomc.derive.model.model import Model

__all__ = ["CONVENTIONS", "JOINT_WORDS", "LINK_WORDS", "NUMBERS", "declare_dh_chain"]

CONVENTIONS = ("standard", "modified")
_KINDS = ("revolute", "prismatic")
#: What a row has of the table itself, of its link and of its joint.
NUMBERS = ("a", "alpha", "d", "theta")
LINK_WORDS = ("mass", "com", "inertia", "inertia_about")
JOINT_WORDS = (
    *("damping", "friction", "rotor_inertia", "gear_ratio", "lower", "upper"),
    *("velocity_limit", "effort_limit"),
)
_WORDS = ("name", "link", "kind", *NUMBERS, *LINK_WORDS, *JOINT_WORDS)


def declare_dh_chain(
    model: Model,
    name: str,
    *,
    links: Sequence[Mapping[str, Any]],
    convention: str,
    parent: str = WORLD,
    base: Any = None,
    tool: Any = None,
    source: Source | None = None,
) -> None:
    """Declare a body and a joint of each row, joints <name>_1, ... and bodies <name>_link_1, ...

    Parameters
    ----------
    links : sequence of mappings
        From the base on: `a`, `d` [m], `alpha`, `theta` [rad], 0 by default, the joint's `kind`
        ("revolute" or "prismatic"), its `name` and losses, drive and limits as of
        `eomc.Model.joint`, the body's name `link` and `mass`, `com`, `inertia`, `inertia_about` as
        of `eomc.Model.body`, in frame i of the convention.
    convention : str
        "standard" or "modified".
    parent : str
        The body that carries the chain.
    base, tool : Placement, optional
        Of frame 0 in the parent; of the frame <name>_tool in the last link's.

    Examples
    --------
    >>> from eomc.derive.model import Model
    >>> model = Model("arm", gravity=(0, -9.81, 0))
    >>> link = {"a": 0.5, "mass": 1, "com": (-0.25, 0, 0), "inertia": (0, 0.02, 0.02)}
    >>> model.dh_chain("arm", links=[link, link], convention="standard")
    >>> model.coordinates, list(model.bodies)
    (('arm_1', 'arm_2'), ['arm_link_1', 'arm_link_2'])

    Raises
    ------
    ModelError
        Naming the row and the argument.
    """
    if convention not in CONVENTIONS:
        known = near_names(str(convention), CONVENTIONS)
        raise _told(name, f"convention: no {convention!r}; {known}", source)
    if isinstance(links, str | Mapping) or not hasattr(links, "__iter__") or not list(links):
        raise _told(name, "links: give a list of rows, each {a, alpha, d, theta, ...}", source)
    place, carrier = placement(base), parent
    for number, row in enumerate(links, 1):
        try:
            here, there = _frames(row, convention)
        except ModelError as error:
            raise _told(f"{name}", f"row {number}: {error.message}", source) from None
        body, joint = row.get("link", f"{name}_link_{number}"), row.get("name", f"{name}_{number}")
        model.body(body, source=source, **{w: row[w] for w in LINK_WORDS if w in row})
        model.joint(
            joint,
            row.get("kind", "revolute"),
            parent=carrier,
            child=body,
            axis=(0, 0, 1),
            placement=place @ here,
            child_placement=there,
            source=source,
            **{w: row[w] for w in JOINT_WORDS if w in row},
        )
        place, carrier = Placement(), body
    if tool is not None:
        model.frame(f"{name}_tool", body=carrier, placement=placement(tool), source=source)


def _frames(row: Mapping[str, Any], convention: str) -> tuple[Placement, Placement]:
    """The joint's frame in the last link's, and in its own link's."""
    if not isinstance(row, Mapping):
        raise ModelError("give a mapping {a, alpha, d, theta, ...}")
    for word in row:
        if word not in _WORDS:
            raise ModelError(f"unknown key {word!r}; {near_names(str(word), _WORDS)}")
    kind = row.get("kind", "revolute")
    if kind not in _KINDS:
        raise ModelError(f"kind: no {kind!r}; {near_names(str(kind), _KINDS)}")
    a, alpha, d, theta = (_quarter(scalar(row.get(w, 0), w), w) for w in NUMBERS)
    turn = Placement((0, 0, d), rpy=(0, 0, theta))
    twist = Placement((a, 0, 0), rpy=(alpha, 0, 0))
    return (turn, twist.inverse()) if convention == "standard" else (twist @ turn, Placement())


def _quarter(value: Scalar, word: str) -> Scalar:
    """An angle that is a multiple of a quarter turn to eleven digits is meant so."""
    if word not in ("alpha", "theta") or not is_number(value) or not isinstance(value, float):
        return value
    turns = value / (math.pi / 2)
    whole = round(turns) if math.isfinite(turns) else 0
    return whole * math.pi / 2 if abs(turns - whole) < 1e-11 else value


def _told(name: str, message: str, source: Source | None) -> ModelError:
    return ModelError(f"dh_chain {name!r}: {message}", source)
