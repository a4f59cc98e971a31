"""Power of what dissipates, on the graph: in no state and no motion is it above zero.

With the power P of the forces that have no potential and the energy W that an element keeps beside
the potential, as bristles do,

    P + W' <= 0

Reference: Willems, *Dissipative dynamical systems*, Arch. Rational Mech. Anal. 45 (1972) 321.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eomc.derive.elements.element import ForceElement, Mechanism
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, symbol
from eomc.derive.graph.columns import swept
from eomc.derive.language.value import value_of
from eomc.derive.scene.loads import AllLoads, Loads, Scene, all_loads
from eomc.derive.tree.link import WORLD

REACTION = tuple(f"{word} {axis} of a joint" for word in ("force", "moment") for axis in "xyz")
RATE = "rate of a cut joint"
"""Symbols that stand in friction under the reaction of a joint, which may have any value."""

Terms = Sequence[Expression]


def dissipated(scene: Scene, model: Mechanism, values: Mapping[str, float]) -> dict[str, Terms]:
    """By name the terms that sum up to P + W' of each element that declares that it dissipates, of
    joints' losses and of damping in bodies; parameters have these `values`."""
    found: dict[str, Terms] = {}
    for table in scene.elements.values():
        for element in table.values():
            if isinstance(element, ForceElement) and element.dissipates(model, values):
                found |= _of_element(scene, element)
    for name, alone in _by_themselves(scene, values):
        found[name] = _power(alone, all_loads(alone).other)
    return {name: terms for name, terms in found.items() if terms}


def _of_element(scene: Scene, element: ForceElement) -> dict[str, Terms]:
    zero = scene.tree.zero
    loads = AllLoads(Loads(zero), Loads(zero))
    element.loads(scene, loads)
    terms, stored = _power(scene, loads.other), element.stored(scene)
    if not stored.is_constant:
        along = dict(scene.passing)
        if element.states():
            own = zip(element.own(scene), element.rates(scene), strict=True)
            along |= {z.node: rate.node for z, rate in own}
        terms += swept(zero.graph, [stored], [along])[0]
    found: dict[str, Terms] = {element.title: terms}
    if (speed := element.reacts_to()) is not None:
        found[f"{element.title} under a reaction"] = [_resisted(scene, element, speed)]
    if element.closes():
        for word, at in zip(element.closes(), element.closing(scene), strict=True):
            name = " ".join(filter(None, (element.title, word)))
            found[f"{name}: friction under 1 N"] = _products(at.traction, at.velocity)
            found[f"{name}: kinetic coefficient"] = [-at.kinetic]
            found[f"{name}: restitution"] = [at.law.restitution - 1]
    return found


def _resisted(scene: Scene, element: ForceElement, speed: str) -> Expression:
    """Power of friction under the force and the moment that a joint transmits."""
    graph, name = scene.tree.zero.graph, f"speed({speed})"
    rate = scene.variables.get(name) or symbol(graph, RATE)
    seen = replace(scene, variables={**scene.variables, name: rate})
    entries = [symbol(graph, entry) for entry in REACTION]
    return element.resistance(seen, Vector(*entries[:3]), Vector(*entries[3:])) * rate


def _by_themselves(scene: Scene, values: Mapping[str, float]) -> Iterator[tuple[str, Scene]]:
    """The scene with one joint or one body that deforms alone; without joints whose damping is
    given as negative."""
    bare = replace(scene, elements={}, joints={}, cuts=(), deformables={})
    cuts = {joint.name for joint in scene.cuts}
    for name, joint in scene.joints.items():
        if all(value_of(entry, values) >= 0 for entry in joint.damping):
            alone = {"cuts": (joint,)} if name in cuts else {"joints": {name: joint}}
            yield f"joint {name!r}", replace(bare, **alone)
    for name, body in scene.deformables.items():
        yield f"body {name!r}", replace(bare, deformables={name: body})


def _power(scene: Scene, loads: Loads) -> list[Expression]:
    """Force times velocity of each component."""
    terms: list[Expression] = []
    for link, wrench in loads.wrenches.items():
        assert link != WORLD
        twist = scene.twists[link]
        terms += _products(wrench.linear, twist.linear)
        terms += _products(wrench.angular, twist.angular)
    for forces, rates in (
        (loads.generalized, scene.state.u),
        (loads.on_prescribed, scene.state.s_rate),
    ):
        terms += [force * rates[index] for index, force in forces.items()]
    return [term for term in terms if not term.is_zero]


def _products(a: Vector, b: Vector) -> list[Expression]:
    return [x * y for x, y in zip(a, b, strict=True)]
