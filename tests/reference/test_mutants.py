"""Faults planted in the models of each group of cases: the case that is named for it must fail.

A mutant changes what a system's builder declares: half a force, no damper, a term left out.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from eomc.codegen.external import casadi as in_casadi
from eomc.derive.finite_elements import Structure
from eomc.derive.functions import adjoints, directions, second_order
from eomc.derive.model import Model, Point
from eomc.derive.rods.exponential import Exponential
from eomc.derive.rods.magnus import StrainJet
from eomc.runtime.control.flexible import SlowFast
from eomc.systems import beam_robot
from eomc.systems.flexible_manipulator import model as manipulator
from eomc_published import reference
from eomc_published.boutin import control_runs as runs
from eomc_published.case import Case

Change = Callable[[Any], Any]
SLOW = pytest.mark.slow
differentiable = importlib.import_module("eomc.derive.equations.differentiable")
symbolic_function = importlib.import_module("eomc.derive.equations.symbolic_function")
crane = importlib.import_module("eomc.systems.truss_crane.crane")
fast = importlib.import_module("eomc.runtime.control.flexible.fast_regulator")
boom_modes = importlib.import_module("eomc_published.boutin.modes")
meeting = importlib.import_module("eomc.derive.contacts.meeting")
oval = importlib.import_module("eomc.derive.contacts.shapes.oval")
ring = importlib.import_module("eomc.derive.contacts.shapes.rings")
crane_boom = importlib.import_module("eomc.systems.truss_crane.boom")
lines = importlib.import_module("eomc.runtime.picture.lines")
shown = importlib.import_module("eomc.runtime.picture.placed")
strut = importlib.import_module("eomc.systems.tensegrity.single_strut")


@dataclass(frozen=True)
class Mutant:
    """What is changed: arguments of a call that declares something, by word or place; of `of` only
    if that is given."""

    name: str
    case: int
    call: str
    changes: dict[str | int, Change]
    of: str = ""
    owner: Any = field(default=Model)
    marks: tuple[pytest.MarkDecorator, ...] = ()


def half(value: Any) -> Any:
    """Of a number, an expression, or every entry."""
    if isinstance(value, list | tuple):
        return type(value)(half(entry) for entry in value)
    return f"({value}) / 2" if isinstance(value, str) else value / 2


def doubled(value: Any) -> Any:
    """Every entry of nested tuples."""
    return tuple(map(doubled, value)) if isinstance(value, tuple) else 2 * value


def gone(value: Any) -> Any:
    """Zero of the same shape."""
    return type(value)(0 for _ in value) if isinstance(value, list | tuple) else 0


def gone_place(_: Any) -> None:
    """At the origin, not turned."""


def the_standard(_: Any) -> str:
    """Of tables of joints."""
    return "standard"


def bare(_: Any) -> str:
    """The shapes of a beam that carries nothing."""
    return "clamped-free"


def of(word: str, change: Change) -> Change:
    """The change at a word of a mapping that has it."""
    return lambda value: {**value, word: change(value[word])} if word in value else value


def backward(vector: Any) -> Any:
    """The other way."""
    return -vector


def halves_of_places(place: Any) -> Any:
    """A place half as far."""
    return place * 0.5


def each(change: Change) -> Change:
    """The change at every mapping of a list."""
    return lambda value: [change(v) if isinstance(v, dict) else v for v in value]


def planted(original: Callable[..., Any], mutant: Mutant) -> Callable[..., Any]:
    """The call with changed arguments."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if not mutant.of or mutant.of in args:
            places = dict(enumerate(args))
            for key, change in mutant.changes.items():
                given: dict[Any, Any] = places if isinstance(key, int) else kwargs
                if key in given:
                    given[key] = change(given[key])
            args = tuple(places.values())
        return original(*args, **kwargs)

    return call


CARON = [
    Mutant("joint spring", 17, "flexible_joint", {"stiffness": half}),
    Mutant("bending stiffness of the platform", 16, "Beam", {"EI": half}, owner=manipulator),
    Mutant("bending stiffness of units", 19, "TelescopicBeam", {"EI": half}, owner=manipulator),
    Mutant("payload", 17, "TelescopicBeam", {"payload": gone}, owner=manipulator),
    Mutant(
        "shapes without tip mass",
        19,
        "TelescopicBeam",
        {"shapes": bare, "tip_mass_ratio": gone},
        owner=manipulator,
    ),
    Mutant(
        "damping of units",
        22,
        "TelescopicBeam",
        {"damping": half},
        owner=manipulator,
        marks=(SLOW,),
    ),
    Mutant("rotor inertia", 43, "flexible_joint", {"rotor_inertia": half}, marks=(SLOW,)),
    Mutant("extra inertia", 43, "body", {"inertia": half}, "unit2", marks=(SLOW,)),
    Mutant("mass of the actuator", 7, "flexible_joint", {"rotor_mass": gone}, marks=(SLOW,)),
    Mutant("attraction by the Earth", 7, "central_gravity", {"mu": half}, marks=(SLOW,)),
    Mutant("offset of the base", 7, "joint", {"placement": gone}, "d2", marks=(SLOW,)),
    Mutant("joint spring under control", 54, "flexible_joint", {"stiffness": half}, marks=(SLOW,)),
    Mutant("beam of the platform", 54, "Beam", {"EI": half}, owner=manipulator, marks=(SLOW,)),
    Mutant(
        "payloads in flight",
        13,
        "TelescopicBeam",
        {"payload": gone},
        owner=manipulator,
        marks=(SLOW,),
    ),
]
TROM = [
    Mutant("damper of the slider", 5, "joint_spring", {"damping": half}),
    Mutant("spring of the slider", 1, "joint_spring", {"stiffness": half}),
    Mutant("centre of mass of the pendulum", 1, "body", {"com": half}, "pendulum"),
    Mutant("weight", 1, "__init__", {"gravity": half}),
    Mutant("damper of the four-bar", 12, "joint", {"damping": half}),
    Mutant("mass of the coupler", 9, "body", {"mass": half}, "coupler"),
    Mutant("inertia of the right crank", 8, "body", {"inertia": half}, "right"),
    Mutant("centre of mass of the left crank", 9, "body", {"com": half}, "left"),
    Mutant("springs between points", 28, "spring", {"stiffness": half}, marks=(SLOW,)),
    Mutant("dampers between points", 28, "spring", {"damping": gone}, marks=(SLOW,)),
    Mutant("damper of a joint of the chain", 28, "joint_spring", {"damping": half}, marks=(SLOW,)),
]
MOOSAVIAN = [
    Mutant("inertia of the base", 7, "body", {"inertia": half}, "base"),
    Mutant("mass of the base", 6, "body", {"mass": half}, "base"),
    Mutant("mass of links", 6, "body", {"mass": half}),
    Mutant("inertia of links", 7, "body", {"inertia": gone}),
    Mutant("centres of mass", 7, "body", {"com": gone}),
    Mutant("place of a joint", 6, "joint", {"placement": lambda _: (0, 0, 0)}),
    Mutant("places of the ends", 2, "frame", {"placement": lambda _: (0, 0, 0)}),
    Mutant("thrust", 10, "force", {"magnitude": half}),
    Mutant("torque of the thrusters", 10, "torque", {"magnitude": half}),
    Mutant("thrust in inertial axes", 10, "force", {"frame": lambda _: "world"}),
]

TENSEGRITY = [
    Mutant("elastic modulus", 19, "cable", {"modulus": half}),
    Mutant("section of cables", 19, "cable", {"area": half}),
    Mutant("damping of cables", 15, "cable", {"viscosity": gone}),
    Mutant("damping of the strain", 15, "cable", {"dissipation": lambda _: "strain"}),
    Mutant("form of the energy", 21, "cable", {"elasticity": lambda _: "energy"}),
    Mutant("mass of the strut", 20, "body", {"mass": half}, "strut", marks=(SLOW,)),
    Mutant("centre of mass of the strut", 20, "body", {"com": half}, "strut", marks=(SLOW,)),
    Mutant("inertia of pulleys", 20, "body", {"inertia": half}, "pulley1", marks=(SLOW,)),
    Mutant("inertia of blocks", 20, "body", {"inertia": half}, "block1", marks=(SLOW,)),
    Mutant("torque on pulleys", 29, "generalized_force", {"expression": half}, marks=(SLOW,)),
    Mutant("radius of pulleys", 19, "Winch", {"radius": half}, owner=strut),
    Mutant("side on which cables leave", 14, "Winch", {"sense": lambda s: -s}, owner=strut),
]
CABLES = [
    Mutant("offset of a block", 33, "cable", {2: each(of("offset", half))}, "led"),
    Mutant("radius in a block", 33, "cable", {2: each(of("radius", half))}, "led"),
    Mutant("friction of pulleys", 35, "cable", {2: each(of("friction", half))}),
    Mutant("radius of pulleys", 34, "cable", {2: each(of("radius", half))}),
    Mutant("inertia of a drum", 34, "body", {"inertia": half}, "drum"),
    Mutant("length of a rope", 36, "constraint", {"length": half}),
    Mutant("stiffness of members", 37, "cable", {"modulus": half}),
    Mutant("mass of a platform", 38, "body", {"mass": half}, "platform"),
    Mutant("length of a catenary", 39, "catenary", {"length": half}),
    Mutant("stretch of a catenary", 39, "catenary", {"modulus": half}),
    Mutant("masses on ropes", 40, "body", {"mass": lambda m: m + 1}),
    Mutant("elastic belt", 41, "cable", {"modulus": half}),
]
REACTIONS = [
    Mutant("radius of a journal", 1, "bearing", {"radius": half}),
    Mutant("arm on a journal", 1, "body", {"mass": half}, "arm"),
    Mutant("span of a guide", 2, "bearing", {"span": half}),
    Mutant("friction of a guide", 2, "bearing", {"friction": half}),
    Mutant("collar", 3, "bearing", {"collar": gone}),
    Mutant("preload", 3, "bearing", {"preload": gone}),
    Mutant("width of a slide", 3, "bearing", {"width": doubled}),
    Mutant("energy of a slider", 4, "algebraic", {"energy": half}),
    Mutant("creep across", 5, "contact", {"friction": of("across", half)}),
    Mutant("radius of wheels", 5, "contact", {"shape": of("radius", half)}),
    Mutant("limit of creep", 6, "contact", {"friction": of("limit", half)}),
    Mutant("load of creep", 6, "contact", {"friction": of("load", half)}),
    Mutant("radius of a rolling wheel", 7, "constraint", {"length": half}, "front_wheel_rolls"),
    Mutant("rider", 7, "body", {"inertia": half}, "frame"),
    Mutant("journal of a tree in a loop", 8, "bearing", {"radius": half}, "journal_A"),
    Mutant("journal that closes a loop", 8, "bearing", {"friction": half}, "journal_D"),
    Mutant("guide that closes a loop", 9, "bearing", {"friction": half}),
]
CONTACT = [
    Mutant("radius of a shape", 1, "contact", {"shape": of("radius", half)}),
    Mutant("Hertz' stiffness", 6, "contact", {"normal": of("stiffness", half)}),
    Mutant(
        "exponent of the indentation", 6, "contact", {"normal": of("exponent", lambda n: n + 1)}
    ),
    Mutant("masses of balls", 6, "body", {"mass": half}),
    Mutant("dissipation", 7, "contact", {"normal": of("dissipation", half)}),
    Mutant("damper", 9, "contact", {"normal": of("damping", half)}),
    Mutant("dry friction", 10, "contact", {"friction": of("coefficient", half)}),
    Mutant("bristles", 11, "contact", {"friction": of("stiffness", half)}),
    Mutant("viscous friction", 11, "contact", {"friction": of("viscous", gone)}),
    Mutant("mass in a cradle", 22, "body", {"mass": half}, "ball3_1"),
    Mutant("stiffness of a stop", 25, "stop", {"normal": of("stiffness", half)}),
    Mutant("damper of a stop", 25, "stop", {"normal": of("damping", half)}),
    Mutant("semi-axes of an ellipsoid", 1, "contact", {"shape": of("semi_axes", half)}),
    Mutant("tube of a torus", 1, "contact", {"shape": of("tube", half)}),
    Mutant("a point of a body that turns", 3, "fixed_at", {2: halves_of_places}, owner=meeting),
    Mutant("semi-axes of what is met", 4, "contact", {"surface": of("semi_axes", half)}),
    Mutant("area of an oval that is seen", 4, "Shadow", {2: half}, owner=oval),
    Mutant("tube of an oval", 4, "Oval", {2: half}, owner=ring),
    Mutant("an oval turned", 4, "support", {1: backward}, owner=oval.Oval),
    Mutant("semi-axes of what rolls", 29, "constraint", {"shape": of("semi_axes", half)}),
    Mutant("tube of what rolls", 30, "constraint", {"shape": of("tube", half)}),
    Mutant("radius of a coin", 31, "constraint", {"shape": of("radius", half)}),
]
VIBRATION = [
    Mutant("stiffness of members", 27, "Section", {2: half}, owner=crane_boom),
    Mutant("density of members", 27, "Section", {1: half}, owner=crane_boom),
    Mutant("weights of the regulator", 27, "regulator", {2: half}, owner=fast),
    Mutant("mass of rods in gains", 28, "cylinder", {"rod_mass": gone}, marks=(SLOW,)),
    Mutant("triangle in gains", 28, "body", {"inertia": doubled}, "triangle", marks=(SLOW,)),
    Mutant("geometry of actuators", 34, "cylinder", {"length": half}),
    Mutant("stroke of the maneuver", 34, "SineRamp", {1: half}, owner=crane),
    Mutant("acceleration of the rigid motion", 34, "rigid", {4: half}, owner=SlowFast),
    Mutant("bending stiffness of beams", 35, "Beam", {"EI": half}, owner=beam_robot, marks=(SLOW,)),
    Mutant("hub of a motor", 35, "body", {"inertia": half}, "hub1", marks=(SLOW,)),
    Mutant("damping of extensions", 31, "CompositeControl", {2: half}, owner=runs, marks=(SLOW,)),
]


def softer(section: Any) -> Any:
    """Half of its modulus."""
    return replace(section, E=half(section.E))


def wider(place: Any) -> Any:
    """A place a hundredth further out."""
    return tuple(1.01 * entry for entry in place)


BOUTIN = [
    Mutant("modulus of bars", 2, "bar", {3: softer}, owner=Structure),
    Mutant("places of nodes", 3, "node", {2: wider}, owner=Structure),
    Mutant("masses at nodes", 3, "__init__", {"lumped": lambda _: True}, owner=Structure),
    Mutant("masses of tables", 1, "Section", {1: half}, owner=crane_boom),
    Mutant("mass of rods", 13, "cylinder", {"rod_mass": half}),
    Mutant("mass of barrels", 13, "cylinder", {"barrel_mass": gone}),
    Mutant("length of actuators", 7, "cylinder", {"length": half}),
    Mutant("inertia of the boom", 10, "body", {"inertia": doubled}, "boom"),
    Mutant("centre of mass of the boom", 11, "body", {"com": half}, "boom3"),
    Mutant("inertia of the triangle", 15, "body", {"inertia": doubled}, "triangle"),
    Mutant("force of actuators", 16, "generalized_force", {"expression": half}),
    Mutant(
        "density of the end batten", 6, "boom_structure", {"end_density": half}, owner=boom_modes
    ),
    Mutant(
        "roller of node 2",
        3,
        "from_structure",
        {"supports": lambda _: {"1": "fixed", "2": ["uy"]}},
        owner=boom_modes,
    ),
    Mutant("structural damping", 26, "boom_structure", {"retardation": half}, owner=crane_boom),
    Mutant(
        "structural damping in a run",
        25,
        "boom_structure",
        {"retardation": half},
        owner=crane_boom,
        marks=(SLOW,),
    ),
]


def fewer(_: Any) -> dict[str, int]:
    """Half of the functions."""
    return {"bend_z": 5}


def negative(jet: Any) -> Any:
    """The other sign."""
    return jet * -1


def still(twist: Any) -> Any:
    """No motion."""
    return type(twist)(linear=twist.linear * 0, angular=twist.angular * 0)


RODS = [
    Mutant("bending stiffness", 1, "deformable", {"EI": half}),
    Mutant("fewer functions", 1, "deformable", {"strains": fewer}),
    Mutant("order of the expansion", 8, "deformable", {"order": lambda _: 2}),
    Mutant("sign of the bracket", 4, "bracket", {1: negative}, owner=StrainJet),
    Mutant("torsion", 3, "deformable", {"GJ": half}, marks=(SLOW,)),
    Mutant("mass", 8, "deformable", {"mass_per_length": half}),
    Mutant("a load that does not follow", 9, "force", {"frame": lambda _: "world"}),
    Mutant("uniform stiffness", 12, "deformable", {"EI": lambda _: 1}, marks=(SLOW,)),
    Mutant("round shaft", 17, "deformable", {"EI": lambda _: (1.0, 1.0)}, marks=(SLOW,)),
    Mutant("no losses", 18, "deformable", {"damping": gone}, marks=(SLOW,)),
    Mutant("stretch", 19, "deformable", {"EA": half}),
    Mutant("offset of a tendon", 13, "tendon", {"offset": half}),
    Mutant("power of the drift", 25, "tangent_rate", {1: still}, owner=Exponential),
    Mutant("mass of stiff rods", 27, "deformable", {"mass_per_length": half}),
    Mutant("stiffness at small loads", 28, "deformable", {"EI": half}),
    Mutant("shear of an arc", 5, "deformable", {"GA": half}, marks=(SLOW,)),
    Mutant("stiffness of a strip", 10, "deformable", {"GJ": lambda GJ: 0.99 * GJ}, marks=(SLOW,)),
    Mutant("inertia of sections", 16, "deformable", {"section_inertia": half}, marks=(SLOW,)),
    Mutant("no drift", 22, "tangent_rate", {1: still}, owner=Exponential, marks=(SLOW,)),
]


def shifted(place: Any) -> Any:
    """A place, somewhere else."""
    return (place[0] + 0.1, *place[1:])


def shrunk(shape: Any) -> dict[str, Any]:
    """A shape before it is drawn, in another place."""
    at = shape.get("placement", {"xyz": (0, 0, 0)})
    return {**shape, "placement": {**at, "xyz": [1.5 * x for x in at["xyz"]]}}


PICTURES = [
    Mutant("places of shapes", 14, "visual", {"placement": shifted}),
    Mutant("colours of shapes", 14, "visual", {"color": lambda _: "#808080"}),
    Mutant("place of a hinge", 14, "joint", {"placement": shifted}, "lower_hinge"),
    Mutant("axis of a hinge", 14, "joint", {"axis": lambda _: (0, 0, 1)}, "lower_hinge"),
    Mutant("shapes in their axes", 14, "surface", {0: shrunk}, owner=shown),
    Mutant("outline of a coil", 14, "_across", {0: half}, owner=lines),
    Mutant("end of a spring", 14, "spring", {3: lambda p: Point(p.body, shifted(p.xyz))}),
    Mutant("stations of a beam", 20, "attachment", {"at": half}),
    Mutant(
        "place of a pulley",
        20,
        "cable",
        {
            2: each(
                lambda v: (
                    {**v, "at": {**v["at"], "xyz": shifted(v["at"]["xyz"])}}
                    if v.get("kind") == "pulley"
                    else v
                )
            )
        },
    ),
    Mutant(
        "file of a mesh",
        30,
        "visual",
        {"shape": lambda _: {"kind": "mesh", "file": "package://kit/no.obj"}},
    ),
    Mutant("body without extent", 30, "body", {"com": gone}),
    Mutant("kind of joint", 30, "joint", {2: lambda _: "prismatic"}),
]
FORMATS = [
    Mutant("a spring of a joint", 101, "joint_spring", {"stiffness": half}),
    Mutant("no armature", 101, "joint", {"rotor_inertia": gone}, of="yaw"),
    Mutant("anchors at the origin", 101, "joint", {"child_placement": gone_place}, of="yaw"),
    Mutant("half a gear", 101, "generalized_force", {"expression": half}, of="x"),
    Mutant("half the compensated gravity", 101, "force", {"direction": half}, of="foot_gravcomp"),
    Mutant("a rope at half its pull", 101, "cable", {"law": half}, of="rope"),
    Mutant("no damping", 103, "joint", {"damping": gone}),
    Mutant("no pose of a joint", 103, "joint", {"placement": gone_place}, of="shoulder"),
    Mutant("half the motors", 104, "joint", {"rotor_inertia": half}),
    Mutant("the other convention", 105, "dh_chain", {"convention": the_standard}),
]


def halves(values: Any) -> Any:
    """Of expressions, or of arrays of them by name."""
    if isinstance(values, dict):
        return {name: halves(entries) for name, entries in values.items()}
    return [value / 2 for value in values]


def backwards(values: Any) -> Any:
    """In the other order."""
    return values[::-1]


AUTODIFF = [
    Mutant("weights", 36, "product", {1: halves}, owner=adjoints),
    Mutant("costate", 36, "respond", {1: halves}, owner=adjoints),
    Mutant("accelerations put in", 36, "at_solution", {1: halves}, owner=adjoints),
    Mutant("tangent directions", 36, "tangent", {1: halves}, owner=directions),
    Mutant("second derivatives", 36, "_blocks", {1: halves}, owner=second_order),
    Mutant("along a direction", 36, "_change", {1: halves}, owner=second_order),
    Mutant("gradient by parameters", 22, "reverse_gradient", {2: backwards}, owner=differentiable),
    Mutant(
        "entries of a block",
        22,
        "_block",
        {0: lambda block: replace(block, entries=backwards(block.entries))},
        owner=in_casadi,
    ),
    Mutant("order of entries", 24, "in_casadi", {2: backwards}, owner=symbolic_function),
    Mutant("order of entries in JAX", 26, "in_jax", {2: backwards}, owner=symbolic_function),
]
GROUPS = {
    "autodiff": AUTODIFF,
    "caron": CARON,
    "trom": TROM,
    "moosavian": MOOSAVIAN,
    "tensegrity": TENSEGRITY,
    "cables": CABLES,
    "contact": CONTACT,
    "boutin": [*BOUTIN, *VIBRATION],
    "rods": RODS,
    "reactions": REACTIONS,
    "pictures": PICTURES,
    "formats": FORMATS,
}


def parameters() -> Iterator[Any]:
    """Each mutant with the name of its group of cases."""
    for work, mutants in GROUPS.items():
        for mutant in mutants:
            yield pytest.param(work, mutant, id=f"{work}-{mutant.name}", marks=mutant.marks)


def forget() -> None:
    """Models and runs that the cases keep."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("eomc.systems.", "eomc_published.")):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


@pytest.fixture(autouse=True)
def _kept_apart() -> Iterator[None]:
    forget()
    yield
    forget()


def fails(case: Case) -> bool:
    """A check does not hold, or the run or the assembly stops with the product's own error."""
    try:
        return any(not check.passed for check in case.evaluate())
    except ArithmeticError:
        return True


@pytest.mark.in_thirds
@pytest.mark.parametrize(("work", "mutant"), list(parameters()))
def test_a_case_fails(work: str, mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        mutant.owner, mutant.call, planted(getattr(mutant.owner, mutant.call), mutant)
    )
    (case,) = reference(work).select([mutant.case])
    if case.unavailable:
        pytest.skip(case.unavailable)
    assert fails(case), f"case {case.number} is blind to it"


def test_ten_of_each_group() -> None:
    assert min(map(len, GROUPS.values())) >= 10
