"""Bodies of bars and beams, of modes, and beams of every way to be held."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.derive.bodies import ModalBody, ModalStation
from eomc.derive.model import Model

_BAR = {"area": 2e-4, "density": 2700, "E": 7e10}
_TUBE = {**_BAR, "Iz": 3e-8, "Iy": 2e-8, "G": 2.6e10, "torsion": 4e-8}
# As much stretch as bending, and sections whose turning counts, to the second order too.
_STOUT = {
    "area": 2e-3,
    "density": 2700,
    "E": 7e8,
    "Iz": 6e-4,
    "Iy": 3e-4,
    "G": 2.6e8,
    "torsion": 5e-4,
}
_TETRA = {"a": (0, 0, 0), "b": (1, 0.1, 0), "c": (0.3, 0.9, 0.1), "d": (0.4, 0.3, 0.8)}
_EDGES = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
_ROOF = {"a": (0, 0), "b": (1, 0), "c": (2, 0), "d": (0.5, 0.8), "e": (1.5, 0.7)}
_STRUTS = [("a", "b"), ("b", "c"), ("a", "d"), ("b", "d"), ("b", "e"), ("c", "e"), ("d", "e")]


def _carried(name: str, form: str, at: str = "", **arguments: Any) -> Callable[[], Model]:
    """A form on a hinge, with a load on it."""

    def make() -> Model:
        model = Model(name, gravity=(0.4, -9.81, 0.3))
        model.deformable("arm", form, **arguments)
        model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 0.6, 0.8))
        if at:
            model.body("load", mass=0.8, com=(0.1, 0.05, 0), inertia=(0.02, 0.03, 0.025))
            model.joint("grip", "attachment", parent="arm", child="load", at=at)
        return model

    return make


def _frame(name: str, **more: Any) -> Callable[[], Model]:
    """Two beams in a row, bent in space."""
    nodes = {"foot": (0, 0, 0), "top": (0.1, 1.0, 0.05), "end": (1.2, 1.1, 0.4)}
    given: dict[str, Any] = {
        "nodes": nodes,
        "sections": {"tube": {**_TUBE, "retardation": 1e-5}},
        "modes": 1,
        "members": [("foot", "top", "tube", "beam", 1), ("top", "end", "tube", "beam", 2)],
        "root": "foot",
        "stations": ["end"],
    }
    return _carried(name, "structure", "end", **{**given, **more})


def _truss(name: str, at: str = "e", **more: Any) -> Callable[[], Model]:
    """A plane roof of bars on two supports."""
    given: dict[str, Any] = {
        "nodes": _ROOF,
        "members": [(*strut, "rod") for strut in _STRUTS],
        "planar": True,
        "sections": {"rod": _BAR},
        "modes": 1,
        "stations": ["e"],
        "turning": "neighbours",
        "supports": {"a": "pinned", "c": {"along": (1, 0)}},
    }
    return _carried(name, "structure", at, **{**given, **more})


def jig() -> Model:
    """Beams, bars, a spring along and one across, rigid links and masses."""
    return _frame(
        "jig",
        nodes={
            "foot": (0, 0, 0),
            "top": (0.1, 1.0, 0.05),
            "end": (1.2, 1.1, 0.4),
            "pad": (1.2, 1.1, 0.4),
            "tip": (1.3, 1.4, 0.4),
        },
        springs=[("foot", "end", 2e3, 1e-3), ("end", "pad", (9e4, 8e4, 7e4, 6e2, 5e2, 4e2))],
        links=[("pad", "tip")],
        masses=[("top", 0.3), ("tip", 0.5, (0.02, 0.03, 0.01))],
        stations=["tip", "end"],
        stiffening=True,
        members=[("foot", "top", "tube", "beam"), ("top", "end", "tube", "beam", 1, (0, 0, 1))],
        rayleigh=(0.1, 1e-5),
        interfaces=(),
        modes=2,
        sections={"tube": _STOUT},
    )()


def panel() -> Model:
    """A portal held by an interface, its modes damped one by one."""
    return _carried(
        "panel",
        "structure",
        "right",
        planar=True,
        root="left",
        modes=1,
        interfaces=["right"],
        nodes={"left": (0, 0), "mid": (0.5, 1.0), "right": (1.2, 0)},
        sections={"tube": _TUBE},
        damping={"e1": 0.02, "e3": 0.01, "e4": 0.03},
        members=[("left", "mid", "tube", "beam"), ("mid", "right", "tube", "beam")],
    )()


def modal() -> Model:
    """Modes by moments of one's own, damped, one parameter among them."""
    model = Model("modal", gravity=(0.4, -9.81, 0.3))
    model.parameter("m", 3.0)
    pairs = (((0.02, 0.01, 0.0), (0.0, 0.03, 0.01)), ((0.01, 0.0, 0.02), (0.03, 0.01, 0.0)))
    stiff = ((((0.1, 0, 0), (0, 0.2, 0), (0, 0, 0.15)),) * 2,) * 2
    grip = ModalStation(
        (1.0, 0.1, 0.2),
        ((0.1, 0.7, 0), (0.2, 0, 0.9)),
        ((0, 0, 0.8), (0.3, -0.5, 0)),
        (((((0.1, 0.2, 0.0),) * 2,) * 2), ((((0.05, 0.0, 0.1),) * 2,) * 2)),
    )
    body = ModalBody(
        "m",
        (1.0, 0.2, 0.1),
        ((1.2, 0.1, 0.05), (0.1, 1.5, 0.02), (0.05, 0.02, 1.1)),
        ((2.0, 0.1), (0.1, 1.5)),
        ((80.0, 2.0), (2.0, 300.0)),
        linear=((0.1, 0.9, 0), (0.2, 0, 0.7)),
        angular=((0, 0.1, 0.8), (0.05, -0.6, 0)),
        angular_rates=pairs,
        inertia_rates=stiff[0],
        inertia_second=stiff,
        first_second=pairs,
        internal_rates=((((0.1, 0.02), (0.02, 0.05))), (((0.03, 0.0), (0.0, 0.04)))),
        stations={"grip": grip},
        damping={"e1": 0.02, "e2": 0.05},
        rayleigh=(0.1, 1e-3),
        viscous=((0.3, 0.1), (0.1, 0.2)),
    )
    model.deformable("arm", body)
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 0.6, 0.8))
    model.body("load", mass=0.8, com=(0.1, 0.05, 0), inertia=(0.02, 0.03, 0.025))
    model.joint("weld", "attachment", parent="arm", child="load", at="grip")
    return model


def _beam(name: str, shapes: Any, **more: Any) -> Callable[[], Model]:
    """A beam whose ends are held otherwise."""
    given: dict[str, Any] = {
        "length": 1.4,
        "mass_per_length": 0.9,
        "EI": (30, 45),
        "modes": (2, 0),
        "shapes": shapes,
        "damping": {"y": 0.02},
    }
    return _carried(name, "beam", **{**given, **more})


def crane() -> Model:
    """Telescoping links that bend both ways and shorten by it, and let go of one amplitude."""
    model = Model("crane", gravity=(0.4, -9.81, 0.3))
    model.parameter("load", 0.4, tunable=True)
    model.deformable(
        "jib",
        "telescopic_beam",
        slewing_length=2,
        slewing_mass=1.5,
        deployable_length=1.8,
        deployable_mass=1,
        EI=((60, 50), 40),
        length=3,
        modes=(1, 1),
        payload="load",
        shapes={"y": "clamped-free polynomials", "z": ["s**3"]},
        stiffening=True,
        rayleigh=(0.1, 1e-3),
        fixed={"z1": 0.02},
    )
    model.joint("slew", "revolute", parent="world", child="jib", axis=(0.36, 0.48, 0.8))
    model.body("hook", mass=0.3, com=(0, 0.1, 0), inertia=(0.01, 0.02, 0.015))
    model.joint("end", "attachment", parent="jib", child="hook", at="sleeve")
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "frame": _frame("frame", stiffening=True),
    "kept_length": _frame("kept_length", lumped=True, second_order=False),
    "free_frame": _frame("free_frame", root=None, modes={"below": 40.0}),
    "jig": jig,
    "panel": panel,
    "roof": _truss("roof", stiffening=True),
    "roller": _truss(
        "roller",
        modes={"error": 0.6},
        lumped=True,
        turning="secant",
        supports={"a": ["ux", "uy"], "c": {"normal": (0.2, 1)}},
    ),
    "tetra": _carried(
        "tetra",
        "structure",
        "d",
        nodes=_TETRA,
        sections={"rod": _BAR},
        members=[(*edge, "rod") for edge in _EDGES],
        modes=1,
        root="a",
        stations=["d"],
        strainless="left out",
        turning="secant",
    ),
    "modal": modal,
    "propped": _beam(
        "propped",
        "clamped-pinned",
        damping={"y": 0.02, "z1": 0.03},
        origin="middle",
        stiffening=True,
        modes=(1, 1),
    ),
    "floating": _beam(
        "floating",
        "free-free",
        origin=0.5,
        point_masses=(("tip", 0.4), (0.2, 0.3)),
        rayleigh=(0.1, 1e-3),
        section_inertia=(0, 1e-3, 2e-3),
    ),
    "hub": _beam(
        "hub",
        {"y": "hub", "z": "tip-mass"},
        hub_inertia_ratio=0.4,
        tip_mass_ratio=0.7,
        modes=(1, 1),
        origin="root",
    ),
    "polynomials": _beam(
        "polynomials",
        "pinned-free polynomials",
        EA=4e3,
        GJ=9,
        modes=(1, 0, 1, 1),
        section_inertia=(0.03, 0.01, 0.02),
        damping=0.01,
    ),
    "crane": crane,
}
