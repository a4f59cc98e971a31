"""Contacts: every pair of shape and surface, every law, small."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from eomc.derive.model import Model

_SPRING = {"kind": "spring", "stiffness": 100}
_TILTED = (0.1, 0.2, 1)

Side = dict[str, Any]


def _at(word: str, xyz: tuple[float, float, float] = (0.1, 0.05, -0.02), **sizes: Any) -> Side:
    return {"kind": word, "at": {"body": "stone", "xyz": xyz}, **sizes}


def _on(word: str, xyz: tuple[float, float, float] = (0.3, -2.5, -2.2), **sizes: Any) -> Side:
    return {"kind": word, "at": {"body": "world", "xyz": xyz}, **sizes}


def touching(name: str, shape: Side, surface: Side, **laws: Any) -> Model:
    """A body that slides and turns beside a surface of the world."""
    model = Model(name, gravity=(0.3, 0.2, -9.81))
    model.body("stone", mass=1, com=(0.05, 0, 0.02), inertia=(0.1, 0.2, 0.25))
    model.joint(
        "way", "planar", parent="world", child="stone", axis=(0.3, 1, 0.2), placement=(0.1, 0.2, 0)
    )
    given = {"normal": _SPRING, "width": 5.0, **laws}
    model.contact("at", shape=shape, surface=surface, **given)
    return model


_EGG = _at("ellipsoid", semi_axes=(0.3, 0.2, 0.15), axis=(0.1, 0.2, 1), first=(1, 0.2, 0))
_RIM = _at("disc", radius=0.3, axis=(0.2, 1, 0.1), flat=0.1)
_TUBE = _at("torus", radius=0.3, tube=0.05, axis=(0.2, 1, 0.1))
_DRUM = _at("cylinder", radius=0.2, half_length=0.15, axis=(0.2, 1, 0.1), flat=0.1)
_PILL = _at("capsule", radius=0.1, half_length=0.2, axis=(1, 0.3, 0.2))
_BALL = _at("sphere", radius=0.2)
_FACE = _on("face", (0.3, 0.2, -2.2), half_sizes=(0.3, 0.2, 0), normal=_TILTED, first=(1, 0.1, 0))
_ROOM = {"xyz": (0.3, 0.4, 0.1), "side": "inside"}
_PLANE = _on("plane", normal=_TILTED)
_AMONG = _on("plane", (0.1, 0.2, 0), normal=_TILTED)
_BUMP = "z - 0.1*x**2 + 0.05*x*y - 0.03*y**3"
_FEW = _at("point")

PAIRS: dict[str, tuple[Side, Side]] = {
    "egg_on_plane": (_EGG, _PLANE),
    "rim_on_plane": (_RIM, _PLANE),
    "drum_on_plane": (_DRUM, _PLANE),
    "egg_on_sphere": (_EGG, _on("sphere", radius=0.5)),
    "egg_in_sphere": (_EGG, _on("sphere", radius=8, **_ROOM)),
    "tube_on_sphere": (_TUBE, _on("sphere", radius=0.5)),
    "tube_in_sphere": (_TUBE, _on("sphere", radius=8, **_ROOM)),
    "ball_in_sphere": (_BALL, _on("sphere", radius=8, **_ROOM)),
    "ball_on_cylinder": (_BALL, _on("cylinder", radius=0.4, axis=_TILTED)),
    "ball_in_cylinder": (_BALL, _on("cylinder", radius=8, axis=_TILTED, **_ROOM)),
    "egg_on_cylinder": (_EGG, _on("cylinder", radius=0.4, axis=_TILTED)),
    "egg_in_cylinder": (_EGG, _on("cylinder", radius=8, axis=_TILTED, **_ROOM)),
    "tube_on_cylinder": (_TUBE, _on("cylinder", radius=0.05, axis=_TILTED)),
    "rim_on_rod": (_RIM, _on("cylinder", (0.1, 0.2, 0), radius=0.02, axis=(0.3, 1, 0.2))),
    "ball_on_capsule": (_BALL, _on("capsule", radius=0.2, half_length=0.4, axis=_TILTED)),
    "egg_on_capsule": (_EGG, _on("capsule", radius=0.2, half_length=1.4, axis=_TILTED)),
    "ball_on_torus": (_BALL, _on("torus", radius=0.6, tube=0.1, axis=_TILTED)),
    "ball_on_egg": (_BALL, _on("ellipsoid", semi_axes=(0.5, 0.4, 0.3), axis=_TILTED)),
    "point_by_egg": (
        _FEW,
        _on("ellipsoid", (0.2, 0.1, -1.2), semi_axes=(0.5, 0.4, 0.3), axis=_TILTED),
    ),
    "egg_on_egg": (_EGG, _on("ellipsoid", semi_axes=(0.5, 0.4, 0.3), axis=_TILTED)),
    "rim_on_egg": (_RIM, _on("ellipsoid", semi_axes=(0.5, 0.4, 0.3), axis=_TILTED)),
    "ball_on_face": (_BALL, _FACE),
    "egg_on_face": (_EGG, _FACE),
    "point_on_level": (_FEW, _on("implicit", (0, 0, 0), expression=_BUMP)),
    "ball_near_level": (
        _BALL,
        _on("implicit", expression="x**2 + 2*y**2 + z**2 - 1", gap="distance"),
    ),
    "egg_near_level": (
        _EGG,
        _on("implicit", expression="x**2 + 2*y**2 + z**2 - 1", gap="distance"),
    ),
    "pill_on_ball": (_PILL, _on("sphere", radius=0.5)),
}

_BRISTLES = {"kind": "bristles", "stiffness": 10, "kinetic": 0.3, "viscous": 0.2, "damping": 0.1}
_FADING = {"kind": "stribeck", "kinetic": 0.2, "static": 0.4, "speed": 1, "viscous": 0.1}

LAWS: dict[str, dict[str, Any]] = {
    "hertz": {
        "normal": {"kind": "hertz", "modulus": 100, "radius": 0.3, "dissipation": 0.2},
        "smoothing": "softplus",
    },
    "side_by_side": {
        "normal": {"kind": "kelvin_voigt", "stiffness": 80, "damping": 3, "exponent": 1.3}
    },
    "own_law": {"normal": {"kind": "law", "expression": "50*x + 8*v*x + 0.3*sin(way_x)"}},
    "kinked": {"width": 0, "normal": {"kind": "spring", "stiffness": 90, "dissipation": 0.1}},
    "kinked_pair": {"width": 0, "normal": {"kind": "kelvin_voigt", "stiffness": 80, "damping": 3}},
    "rough": {
        "friction": {
            "kind": "coulomb",
            "coefficient": 0.4,
            "slip_speed": 0.9,
            "regularization": "tanh",
        }
    },
    "grained": {
        "friction": {"kind": "coulomb", "coefficient": 0.4, "across": 0.2, "slip_speed": 0.3}
    },
    "fading": {"friction": {**_FADING, "slip_speed": 0.2}},
    "fading_linearly": {
        "friction": {**_FADING, "slip_speed": 0.9, "power": "1", "regularization": "tanh"}
    },
    "bristled": {"friction": _BRISTLES},
    "stiff_bristles": {
        "friction": {
            **_BRISTLES,
            "kind": "bristles",
            "stiffness": 1,
            "static": 0.5,
            "stribeck_speed": 0.8,
        }
    },
    "creeping": {"friction": {"kind": "creep", "along": 10, "load": 20, "rolling_speed": 0.4}},
    "hard": {
        "normal": {"kind": "rigid", "restitution": 0.4, "rest_speed": 0.01},
        "width": 0,
        "friction": {"kind": "dry", "kinetic": 0.3, "static": 0.5, "speed": 0.7},
    },
    "hard_and_fading": {
        "normal": {"kind": "rigid", "restitution": 0.4},
        "width": 0,
        "friction": {"kind": "dry", "kinetic": 0.3, "static": 0.5, "speed": 0.7, "power": "1"},
    },
    "hard_and_smooth": {
        "normal": {"kind": "rigid", "restitution": 0.4},
        "width": 0,
        "friction": {"kind": "coulomb", "coefficient": 0.3, "slip_speed": 0.2},
    },
}


def stopped() -> Model:
    """A slide between ends, soft ones and hard ones."""
    model = Model("stopped", gravity=(0.3, 0.2, -9.81))
    model.body("sledge", mass=1.2)
    model.joint("way", "prismatic", parent="world", child="sledge", axis=(1, 0, 0.3))
    model.body("arm", mass=0.4, com=(0.1, 0, 0.3), inertia=(0.1, 0.2, 0.1))
    model.joint("hinge", "revolute", parent="sledge", child="arm", axis=(0, 1, 0))
    model.stop(
        "soft",
        "way",
        {"kind": "kelvin_voigt", "stiffness": 90, "damping": 4},
        lower=-0.3,
        upper=0.2,
        width=0.5,
        smoothing="softplus",
    )
    model.stop("law", "hinge", {"kind": "law", "expression": "70*x + 3*x*v"}, upper=0.1)
    model.stop(
        "hard",
        "hinge",
        {"kind": "rigid", "restitution": 0.3, "rest_speed": 1e-3},
        lower=-0.5,
        upper=0.9,
    )
    return model


MODELS: dict[str, Callable[[], Any]] = {
    **{name: partial(touching, name, *pair) for name, pair in PAIRS.items()},
    **{
        name: partial(touching, name, _BALL, _AMONG if laws.get("width") == 0 else _PLANE, **laws)
        for name, laws in LAWS.items()
    },
    "stopped": stopped,
}
