"""Small models that together hold every kind that declares that it dissipates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from joints.test_involutes import KINDS as STRINGS
from joints.test_involutes import ends

from eomc.derive.finite_elements import Section, Structure
from eomc.derive.finite_elements.modal_reduction import from_structure
from eomc.derive.joints.joint_kind import joint_kind, joint_kinds
from eomc.derive.model import Model, Point
from eomc.systems.vehicles import PASSENGER_TYRE

Y, Z = (0, 1, 0), (0, 0, 1)
LOSSES = {"damping": 0.2, "friction": 0.3, "friction_speed": 1e-2}
WORDS = {"axis": (1, 2, 2), "axis_2": (2, 0, -1), "pitch": 0.3, "radius": 0.2}


def free(*names: str) -> Model:
    """Bodies that are free."""
    model = Model("losses", gravity=(0, 0, 0))
    for name in names:
        model.body(name, mass=1, inertia=(1, 2, 2.5))
        model.joint(name, "floating", parent="world", child=name)
    return model


def weights(more: dict[str, Any], **cable: Any) -> Model:
    """Two weights on a pulley over which they can be lifted, so that the cable leaves it."""
    model = Model("weights", gravity=(0, 0, 0))
    for name, x in (("left", -0.1), ("right", 0.1)):
        model.body(name, mass=5, inertia=(1, 1, 1))
        model.joint(name, "planar", parent="world", child=name, axis=Y, placement=(x, 0, -2))
    pulley = {"kind": "pulley", "at": "world", "axis": Y, "radius": 0.1, "sense": 1, **more}
    given: dict[str, Any] = {"length": 3, "modulus": 1e4, "area": 1e-2, **cable}
    model.cable("rope", ["left", pulley, "right"], **given)
    return model


def hoist() -> Model:
    """From a drum over a bolt, a bearing and an eyelet to a load; damped; its length is given."""
    model = free("load")
    model.body("drum", mass=1, inertia=(1, 1, 1))
    model.joint("drum", "revolute", parent="world", child="drum", axis=Y)
    model.input("let_out")
    groove = {"axis": Y, "radius": 0.2, "sense": 1}
    pulleys = [
        {"kind": "pulley", "at": {"body": "world", "xyz": (x, 0, 1)}, **groove, **more}
        for x, more in ((1, {"friction": 0.2}), (3, {"bearing": 0.3, "near": "drum"}))
    ]
    drum = {"kind": "winch", "at": "world", "turn": "drum", "zero": (1, 0, 0), **groove}
    eyelet = {"kind": "eyelet", "at": {"body": "world", "xyz": (4, 0.2, 0)}, "friction": 0.3}
    model.cable(
        "rope",
        [drum, *pulleys, eyelet, "load"],
        length="4 + let_out + 0.1*drum",
        modulus=1e3,
        viscosity=5,
        width=0.01,
        damping="pushes",
    )
    return model


def lines() -> Model:
    """Springs, and cables without friction, of coordinates and of bodies."""
    model = free("a", "b")
    model.spring("damper", a="a", b=Point("b", (0.1, 0.2, 0.3)), stiffness=3, damping=2)
    model.body("c", mass=1)
    model.joint("way", "prismatic", parent="a", child="c", axis=(1, 0, 0), **LOSSES)
    model.joint_spring("across", joint="way", stiffness=2, damping=0.4)
    model.cable("stay", [Point("a", (0.3, 0, 0)), "b"], length="1 + way/9", modulus=20, viscosity=3)
    model.bristle(
        "rub",
        speed="way",
        stiffness=1e4,
        coulomb=3,
        static=5,
        stribeck_speed=0.1,
        damping=20,
        viscous=14,
    )
    model.bristle("dry", speed="way", stiffness=1e3, coulomb=2, damping=20)
    model.bearing("guide", speed="way", friction=0.2, span=0.5, width=0.3, preload=2)
    model.stop(
        "soft",
        "way",
        {"kind": "spring", "stiffness": 1e3, "dissipation": 3},
        lower=-0.5,
        upper=0.7,
        width=0.1,
    )
    model.stop("hard", "way", {"kind": "rigid", "restitution": 0.4}, lower=-0.7)
    model.tether("leash", route=["world", Point("a", (0.1, 0, 0))], length=1)
    return model


NORMALS: dict[str, dict[str, Any]] = {
    "spring": {"kind": "spring", "stiffness": 1e3, "exponent": 1.5, "dissipation": 2},
    "hertz": {"kind": "hertz", "modulus": 1e5, "radius": 0.1, "restitution": 0.6, "speed": 0.5},
    "kelvin_voigt": {"kind": "kelvin_voigt", "stiffness": 1e3, "damping": 40},
    "rigid": {"kind": "rigid", "restitution": 0.5},
}
FRICTIONS: dict[str, dict[str, Any]] = {
    "coulomb": {"kind": "coulomb", "coefficient": 0.3, "across": 0.6, "slip_speed": 0.1},
    "tanh": {"kind": "coulomb", "coefficient": 0.3, "regularization": "tanh"},
    "stribeck": {
        "kind": "stribeck",
        "kinetic": 0.2,
        "static": 0.4,
        "speed": 0.1,
        "viscous": 0.3,
        "power": "1",
    },
    "creep": {
        "kind": "creep",
        "along": 10,
        "across": 8,
        "load": 20,
        "rolling_speed": 0.2,
        "spin": 2,
        "spin_moment": 0.5,
        "limit": 0.3,
    },
    "dry": {"kind": "dry", "kinetic": 0.3, "static": 0.5, "speed": 0.1},
}
SHAPES: dict[str, dict[str, Any]] = {
    "coulomb": {"kind": "box", "at": "a", "half_sizes": (0.3, 0.2, 0.1)},
    "tanh": {"kind": "sphere", "at": Point("a", (0.1, 0, 0)), "radius": 0.5},
    "stribeck": {"kind": "cylinder", "at": "a", "radius": 0.4, "half_length": 0.3},
    "creep": {"kind": "disc", "at": "a", "radius": 0.4},
    "dry": {"kind": "sphere", "at": "a", "radius": 0.5},
}


def contacts() -> Model:
    """Each law of friction with the laws of the normal force that it goes with."""
    model = free("a", "b")
    for rubs, friction in FRICTIONS.items():
        surface: dict[str, Any] = {"kind": "plane", "at": "b", "normal": (0.1, 0, 1)}
        if rubs == "tanh":
            surface = {"kind": "cylinder", "at": "b", "radius": 0.8}
        for presses, normal in NORMALS.items():
            if (rubs == "dry") <= (presses == "rigid") and (rubs, presses) != ("creep", "rigid"):
                soft = {} if presses == "rigid" else {"width": 0.01 * (rubs != "coulomb")}
                model.contact(
                    f"{rubs}_{presses}",
                    shape=SHAPES[rubs],
                    surface=surface,
                    normal=normal,
                    friction=friction,
                    **soft,
                )
    return model


SLIPS: dict[str, dict[str, Any]] = {
    "linear": {"kind": "linear", "cornering": 12, "slip_stiffness": 20},
    "brush": {"kind": "brush", "cornering": 12, "friction": 0.9, "slip_stiffness": 20},
    "magic_formula": PASSENGER_TYRE,
}


def tyres() -> Model:
    """Each slip law, of a wheel that rolls freely and of one that spins."""
    model = free("axle")
    for k, (word, slip) in enumerate(SLIPS.items()):
        model.body(word, mass=1, inertia=(0.1, 0.2, 0.1))
        model.joint(word, "revolute", parent="axle", child=word, axis=Y, placement=(k, 1, 0))
        for name, y, more in (("rolls", -1, {}), ("spins", 1, {"spin": word, "radius": 0.3})):
            model.tyre(
                f"{word}_{name}",
                at=Point("axle", (k, y, -0.3)),
                normal={"kind": "kelvin_voigt", "stiffness": 1e5, "damping": 50},
                slip=slip,
                free_height=0.1,
                direction=(1, 0.1, 0),
                **more,
            )
    return model


def joints(cut: bool) -> Model:
    """A joint of every kind that moves, with losses; as one of a tree, or as one that is cut."""
    model = free("base", *(["other"] if cut else []))
    for kind in joint_kinds():
        record = joint_kind(kind)
        if not record.speeds or record.rides or (cut and not record.loses_in_loops):
            continue
        takes = {word: value for word, value in WORDS.items() if word in record.takes}
        if not cut:
            model.body(kind, mass=1, inertia=(1, 1, 1))
        between: dict[str, Any] = {"parent": "base", "child": "other" if cut else kind}
        model.joint(
            f"j_{kind}",
            kind,
            **between,
            placement=(0.1, 0.2, 0.3),
            **({"cut": True} if cut else {}),
            **LOSSES,
            **takes,
        )
    if cut:
        model.bearing("rub", speed="j_revolute", friction=0.2, radius=0.1, collar=0.2)
    return model


def bodies() -> Model:
    """A body of every form, damped by modal ratios, by Rayleigh and by retardation."""
    model = Model("bodies", gravity=(0, 0, 0))
    structure = Structure()
    for name, place in (("foot", (0, 0, 0)), ("top", (0.3, 1.0, 0))):
        structure.node(name, place)
    structure.beam("foot", "top", Section.tube(0.02, 0.018, 2700, 7e10, 2.6e10), 1)
    model.deformable("frame", from_structure(structure, 2, stations=["top"], damping=0.01))
    model.deformable(
        "beam",
        "beam",
        length=2,
        mass_per_length=1.5,
        EI=60,
        modes=(2, 0),
        damping={"y1": 0.01},
        rayleigh=(0.1, 0.02),
    )
    model.deformable(
        "rod",
        "rod",
        length=1.3,
        mass_per_length=0.7,
        EI=(1, 2),
        GJ=1.5,
        damping=0.02,
        strains={"bend_y": 1, "bend_z": 1},
        points=2,
    )
    model.deformable(
        "modes",
        "modal_body",
        mass=2,
        first=(0, 0, 0),
        inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        internal=((4, 1), (1, 3)),
        stiffness=((9, 2), (2, 5)),
        damping=0.2,
        linear=((0, 0, 0),) * 2,
        angular=((0, 0, 0),) * 2,
    )
    for name in model.deformables:
        model.joint(name, "revolute", parent="world", child=name, axis=Z)
    model.tendon("flexor", body="rod", offset=(0.05, 0.01), stiffness=30, damping=2, width=0.01)
    return model


def models() -> Iterator[tuple[str, Callable[[], Model]]]:
    """Each by what is in it."""
    for kind in ("friction", "bearing"):
        for turns in (0, 1, 2):
            yield f"{kind} {turns}", lambda k=kind, n=turns: weights({k: 0.2, "turns": n})
    yield "bearing near", lambda: weights({"bearing": 0.9, "near": "3 + left_theta"})
    yield "hoist", hoist
    yield "lines", lines
    yield "contacts", contacts
    yield "tyres", tyres
    yield "joints of trees", lambda: joints(False)
    yield "joints of loops", lambda: joints(True)
    yield "strings", lambda: ends(*STRINGS)
    yield "bodies", bodies


MODELS = dict(models())
