"""What is said to dissipate never drives: the power of every such law over its whole domain."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest
from losses.lossy_models import FRICTIONS, MODELS, NORMALS, weights
from verification.faults import Derivation, mutated

from eomc.derive.cables.friction import over_bearing
from eomc.derive.contacts.friction import FRICTION_LAWS
from eomc.derive.contacts.normal_laws import NORMAL_LAWS
from eomc.derive.elements.element import ForceElement
from eomc.derive.elements.kinds import element_kinds
from eomc.derive.forces.dissipation import RATE, REACTION, dissipated
from eomc.derive.graph import Graph, evaluate, forward_derivative, symbol, symbols
from eomc.derive.graph.traverse import reachable
from eomc.derive.language.value import value_of
from eomc.derive.model import Model
from eomc.derive.system import System

COUNT, ROUNDING = 600, 1e-13


def drawn(system: System, seed: int) -> dict[Any, Any]:
    """Values of all symbols: displaced by 1e-3 to 30 rad or m, at speeds of 1e-9 to 1e4 and at
    rest, states of elements up to their bounds and at them, any reactions of joints."""
    rng = np.random.default_rng(seed)

    def sized(low: float, high: float) -> Any:
        return rng.normal(size=COUNT) * 10.0 ** rng.uniform(low, high, size=COUNT)

    du = symbols(system.graph, "drawn displacement", system.nu)
    moved = {entry.node: sized(-3, 1.5) for entry in du}
    moved |= {entry.node: x for entry, x in zip(system.q, system.neutral, strict=True)}
    q = evaluate(system.graph, [x.node for x in system.integrated(system.q, du)], moved)
    at: dict[Any, Any] = dict(zip((x.node for x in system.q), q, strict=True))
    fast, moves = 10.0 ** rng.uniform(-9, 4, size=COUNT), rng.uniform(size=COUNT) < 0.95
    at |= {entry.node: fast * sized(-3, 0) * moves for entry in system.u}
    at |= {entry.node: rng.normal(size=COUNT) / 9 for entry in system.r}
    for entry, state in zip(system.z, system.model.element_states().values(), strict=True):
        bound = 1.0 if state.within is None else value_of(state.within, system.model.defaults())
        at[entry.node] = bound * np.clip(rng.normal(size=COUNT), -1, 1)
    at |= {name: sized(-3, 5) for name in REACTION} | {RATE: sized(-9, 4)}
    return at


def rows(graph: Graph, nodes: Iterable[int], at: dict[Any, Any]) -> Any:
    """(nodes, states)"""
    found = [np.broadcast_to(row, (COUNT,)) for row in evaluate(graph, nodes, at)]
    return np.array(found).reshape(-1, COUNT)


def domain(system: System, at: dict[Any, Any]) -> Any:
    """States in which functions have a value, and no cable is wound up beyond its length."""
    lengths = [
        value.node
        for table in system.model.acting().values()
        for element in table.values()
        if element.outputs()
        for told, value in zip(element.outputs(), element.output_values(system.scene), strict=True)
        if told.name == "rest_length"
    ]
    needed = [n for n in reachable(system.graph, lengths) if n in system.graph.required]
    return (rows(system.graph, [*needed, *lengths], at) > 0).all(axis=0)


def powers(model: Model) -> dict[str, tuple[Any, Any]]:
    """By name the power, and what its rounding is of: its terms, and by how much it changes with
    relative changes of the state by 1. No numbers outside of the domain."""
    model.validate()
    system = System(model)
    at, found = drawn(system, 7), {}
    inside = np.where(domain(system, at), 1.0, np.nan)
    signs = np.random.default_rng(1)
    moved = {at_: x * (1 + 1e-8 * signs.choice([-1, 1], COUNT)) for at_, x in at.items()}
    for name, terms in dissipated(system.scene, model, model.defaults()).items():
        here, there = (rows(system.graph, [term.node for term in terms], x) for x in (at, moved))
        power = inside * here.sum(axis=0)
        change = np.abs(power - there.sum(axis=0)) / 1e-8
        found[name] = power, np.abs(here).sum(axis=0) + change
    return found


def driving(model: Model) -> list[str]:
    """Names of what gives power in some state."""
    return [
        name
        for name, (power, size) in powers(model).items()
        if (power[np.isfinite(power)] > ROUNDING * size[np.isfinite(power)]).any()
    ]


@cache
def judged(name: str) -> dict[str, tuple[Any, Any]]:
    return powers(MODELS[name]())


@pytest.mark.parametrize("name", MODELS)
def test_no_loss_drives(name: str) -> None:
    for what, (power, size) in judged(name).items():
        valued = np.isfinite(power)
        assert valued.mean() > 0.2, what
        worst = np.max(power[valued] / np.where(size[valued] > 0, size[valued], 1))
        assert worst <= ROUNDING, (what, worst)
        if ":" not in what:  # of rigid laws, some have no friction
            assert (power[valued] < 0).any(), f"{what}: loses nothing in any state"


#: Kinds that act and do not declare that they dissipate, and why.
WITHOUT_LOSSES = {
    "algebraic": "holds an equation, or acts by its energy",
    "force": "is a force from outside",
    "torque": "is a torque from outside",
    "catenary": "has a potential and nothing else",
    "central_gravity": "has a potential and nothing else",
    "generalized_force": "is a force from outside",
    "lag": "is a drive",
    "output": "acts on nothing",
    "potential": "has a potential and nothing else",
    "state": "acts on nothing",
}
#: They act by impulses of steps alone; the energy of these is judged by published cases of steps.
IN_STEPS = {"dry_friction", "compliant"}
WITHOUT_LOSSES_OF_CONTACTS = {
    "law": "is the user's own expression",
    "bristles": "store energy by a stiffness that grows with the normal force",
}


def acting_kinds() -> dict[str, type[ForceElement]]:
    """Those of the package; other tests declare kinds of their own."""
    return {
        word: kind
        for word, kind in element_kinds().items()
        if issubclass(kind, ForceElement) and kind.__module__.startswith("eomc.derive.")
    }


def declares(kind: type[ForceElement]) -> bool:
    return kind.dissipates is not ForceElement.dissipates


def test_every_kind_declares_or_has_a_reason() -> None:
    acting = acting_kinds()
    assert {word for word, kind in acting.items() if not declares(kind)} == set(WITHOUT_LOSSES)
    laws = {**NORMAL_LAWS, **FRICTION_LAWS}
    silent = {word for word, law in laws.items() if not law.dissipates}
    assert silent == set(WITHOUT_LOSSES_OF_CONTACTS)
    assert {*NORMALS, *(given["kind"] for given in FRICTIONS.values())} >= {
        *laws
    } - silent - IN_STEPS


def test_every_kind_that_declares_is_judged() -> None:
    """By an element of the kind, a joint, a body in one of the models."""
    told = {what.split()[0] for name in MODELS for what in judged(name)}
    words = {word for word, kind in acting_kinds().items() if declares(kind)}
    assert told == {*words, "joint", "body"} - IN_STEPS


@pytest.mark.parametrize(
    "given", [{"damping": 0}, {"damping": 20, "viscous": 20}, {"damping": 20, "viscous": 1}]
)
def test_bristles_that_drive_do_not_declare(given: dict[str, float]) -> None:
    """Barabanov and Ortega: with s2 < s1 (Fs/Fc - 1) what is bent gives power at high speed."""
    model = Model("one", gravity=(0, 0, 0))
    model.body("a", mass=1)
    model.joint("way", "prismatic", parent="world", child="a", axis=(1, 0, 0))
    model.bristle(
        "rub", speed="way", stiffness=1e3, coulomb=2, static=4, stribeck_speed=0.1, **given
    )
    passive = given.get("viscous", 0) >= given["damping"]
    (element,) = model.acting()["bristle"].values()
    assert element.dissipates(model, {}) == passive
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(element), "dissipates", lambda *_: True)
        assert driving(model) == ([] if passive else ["bristle 'rub'"])


@pytest.mark.parametrize(
    "more",
    [
        {"elasticity": "work"},
        {"dissipation": "elongation", "viscosity": 30},
        {"law": "20*x + 3*v"},
        {"damping": "pushes", "viscosity": 30},
    ],
)
@pytest.mark.parametrize("kind", ["friction", "bearing"])
def test_friction_takes_power_from_every_form_of_the_tension(
    kind: str, more: dict[str, Any]
) -> None:
    """Against the same cable on a pulley without friction."""
    given = {"modulus": 0, **more} if "law" in more else more
    found, sizes = [], []
    for pulley in ({kind: 0.4, "turns": 1}, {"turns": 1}):
        system = System(weights(pulley, **given))
        forces = [
            system.all_generalized(share).free
            for share in (system.loads.conservative, system.loads.other)
        ]
        terms = [(q * u).node for share in forces for q, u in zip(share, system.u, strict=True)]
        table = rows(system.graph, terms, drawn(system, 3))
        found.append(table.sum(axis=0))
        sizes.append(np.abs(table).sum(axis=0))
    taken = found[1] - found[0]
    valued = np.isfinite(taken)
    assert (taken >= -ROUNDING * sum(sizes))[valued].all() and (taken[valued] > 0).any()


@pytest.mark.parametrize("wrap", [-0.5, 0.0, 0.3, math.pi, 5.0, 2 * math.pi, 7.5, 11.0, 30.0])
@pytest.mark.parametrize("sliding", [-1.0, 1.0])
def test_the_moment_of_a_bearing_balances(wrap: float, sliding: float) -> None:
    """|F1 - F2| = kappa |F1 e1 - F2 e2| with the directions of the spans, of any number of turns;
    no friction where the cable has left the pulley; a slope that is a number everywhere."""
    graph = Graph()
    bend = symbol(graph, "bend")
    ratio = over_bearing(bend * 0 + 0.3 * sliding, bend)
    (slope,) = forward_derivative(graph, [ratio.node], {bend.node: (bend * 0 + 1).node})
    x, by_bend = map(float, evaluate(graph, [ratio.node, slope], {"bend": wrap}))
    assert np.isfinite(by_bend)
    if wrap <= 0:
        assert x == 1
        return
    pressed = abs(1 - x * complex(math.cos(wrap), math.sin(wrap)))
    assert 1 - x == pytest.approx(0.3 * sliding * pressed, abs=1e-15)


_CABLES = "eomc.derive.cables.friction"
FAULTS = (
    Derivation("sine with its sign", f"{_CABLES}:over_bearing", '.unary("abs")', "", "bearing 1"),
    Derivation(
        "friction where it has lifted off",
        f"{_CABLES}:_touching",
        'bend.binary("max", bend * 0)',
        "bend",
        "friction 0",
    ),
    Derivation(
        "slips as its first span stretches",
        f"{_CABLES}:ratios",
        "drawn - stretching * (behind / total)",
        "drawn",
        "friction 0",
    ),
    Derivation(
        "friction drives", f"{_CABLES}:over_edge", "(-(friction", "((friction", "friction 0"
    ),
    Derivation(
        "a drum that feels the mean",
        "eomc.derive.cables.rest_length:RestLength.act",
        "(ratios[0 if winding.first else 1] - 1)",
        "0",
        "hoist",
    ),
    Derivation(
        "half of the reaction of a contact",
        "eomc.derive.contacts.meeting:Meeting.push",
        "-force",
        "-force * 0.5",
        "contacts",
    ),
    Derivation(
        "damping of half the force",
        "eomc.derive.forces.joint_losses:joint_losses",
        "force - scene.scalar(joint.damping[k])",
        "force + scene.scalar(joint.damping[k])",
        "joints of trees",
    ),
    Derivation(
        "losses of cut joints drive",
        "eomc.derive.forces.cut_joint_losses:_loss",
        "return -(damping * rate)",
        "return damping * rate",
        "joints of loops",
    ),
    Derivation(
        "bodies are driven",
        "eomc.derive.forces.elasticity:elasticity",
        "-Expression(tree.graph, slope)",
        "Expression(tree.graph, slope)",
        "bodies",
    ),
    Derivation(
        "strings are driven",
        "eomc.derive.cables.tension:damped",
        "taut(strain, width)[1] * rate",
        "-taut(strain, width)[1] * rate",
        "strings",
    ),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_laws_that_drive_are_found(fault: Derivation) -> None:
    with mutated(fault):
        assert driving(MODELS[fault.model]())
