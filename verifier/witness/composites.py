"""Elements that one word declares together, against that word: places, masses and laws.

A chain by a Denavit-Hartenberg table has its links at the products of

    Rz(theta) Tz(d) Tx(a) Rx(alpha)     or, modified,     Rx(alpha) Tx(a) Rz(theta) Tz(d);

a flexible joint a rotor between two turns about one axis; a cylinder a barrel that turns about its
foot and a rod that slides in it; a lumped cable its mass in points on a line. The words and their
arguments are kept by the model as they were given, beside the elements that were made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement, parse_expression
from eomc.verifier.witness.joint_motion import homogeneous, rotation_about
from eomc.verifier.witness.mechanism import WitnessMechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

Found = Iterator[tuple[str, Any, Any]]
"""Names of quantities, each as it is and as the word says."""

_X, _Y, _Z = np.eye(3)


class Composing:
    """Arguments of a composite as numbers, and the mechanism that was made of them."""

    def __init__(self, model: Model, mechanism: WitnessMechanism, reader: Any) -> None:
        self.model, self.mechanism, self.declared = model, mechanism, reader
        self.places = {name: k for k, name in enumerate(model.bodies)} | {"world": -1}

    def number(self, value: Any) -> float:
        """A scalar, in text too."""
        return float(self.declared.numbers(Placement(xyz=(value, 0, 0)).xyz[0]))

    def vector(self, values: Any) -> Array:
        """Three of them."""
        return np.array([self.number(value) for value in values])

    def point(self, given: Any) -> tuple[str, Array]:
        """Body and place of a point, of the name of a body, or of a mapping."""
        if isinstance(given, str):
            return given, np.zeros(3)
        if isinstance(given, Mapping):
            return given["body"], self.vector(given.get("xyz", (0, 0, 0)))
        return given.body, self.vector(given.xyz)

    def pose(self, given: Any) -> Array:
        """(4, 4) of a placement, a mapping, a place or nothing."""
        if given is None:
            return np.eye(4)
        if isinstance(given, Mapping):
            given = Placement(**given)
        elif not isinstance(given, Placement):
            given = Placement(xyz=tuple(given))
        found: Array = self.declared.placement(given)
        return found

    def within(self, state: NewtonEuler, body: str, of: str) -> Array:
        """Pose of a body in another."""
        outer = state.motions[self.places[of]].x
        found: Array = np.linalg.inv(outer) @ state.motions[self.places[body]].x
        return found

    def coordinate(self, state: NewtonEuler, name: str) -> float:
        """Its value."""
        return float(state.named[name])

    def mass(self, body: str, mass: Any, com: Array, inertia: Array) -> Found:
        """Mass, centre and inertia about it of a body."""
        made = self.mechanism.bodies[self.places[body]]
        yield f"mass of {body}", made.mass, self.number(mass)
        yield f"centre of mass of {body}", made.com, com
        yield f"inertia of {body}", made.inertia, inertia


def _turn(axis: Array, angle: float) -> Array:
    return homogeneous(rotation_about(axis, angle), np.zeros(3))


def _shift(r: Array) -> Array:
    return homogeneous(np.eye(3), r)


def _chain(reader: Composing, name: str, given: Mapping[str, Any], state: NewtonEuler) -> Found:
    """Links one after the other."""
    parent, pose = given.get("parent", "world"), reader.pose(given.get("base"))
    last = parent
    for k, row in enumerate(given["links"], 1):
        link, joint = row.get("link", f"{name}_link_{k}"), row.get("name", f"{name}_{k}")
        a, alpha, d, theta = (reader.number(row.get(w, 0)) for w in ("a", "alpha", "d", "theta"))
        if row.get("kind", "revolute") == "revolute":
            theta += reader.coordinate(state, joint)
        else:
            d += reader.coordinate(state, joint)
        own, cross = _turn(_Z, theta) @ _shift(d * _Z), _shift(a * _X) @ _turn(_X, alpha)
        pose = pose @ (own @ cross if given["convention"] == "standard" else cross @ own)
        yield f"pose of {link}", reader.within(state, link, parent), pose
        made = reader.mechanism.bodies[reader.places[link]]
        mass, com = reader.number(row.get("mass", 0)), reader.vector(row.get("com", (0, 0, 0)))
        yield f"mass of {link}", made.mass, mass
        if mass:
            yield f"centre of mass of {link}", made.com, com
        if "damping" in row and np.ndim(row["damping"]) == 0:
            losses = reader.model.joints[joint].damping
            yield f"damping of {joint}", reader.number(losses[0]), reader.number(row["damping"])
        last = link
    if given.get("tool") is not None:
        frame = reader.model.frames[f"{name}_tool"]
        yield f"body of {name}_tool", float(frame.body == last), 1.0
        made_pose = reader.declared.placement(frame.placement)
        yield f"place of {name}_tool", made_pose, reader.pose(given["tool"])


def _flexible(reader: Composing, name: str, given: Mapping[str, Any], state: NewtonEuler) -> Found:
    """A rotor that is a disc, and a spring behind it."""
    n = reader.declared.unit([Placement(xyz=(x, 0, 0)).xyz[0] for x in given["axis"]])
    rotor, twist = f"{name}_rotor", f"{name}_twist"
    disc = reader.number(given.get("rotor_inertia", 0)) / 2 * (np.eye(3) + np.outer(n, n))
    yield from reader.mass(rotor, given.get("rotor_mass", 0), np.zeros(3), disc)
    alpha, beta = (reader.coordinate(state, joint) for joint in (name, twist))
    before, after = (reader.pose(given.get(w)) for w in ("placement", "child_placement"))
    turned = before @ _turn(n, alpha)
    yield f"pose of {rotor}", reader.within(state, rotor, given["parent"]), turned
    child = turned @ _turn(n, beta) @ np.linalg.inv(after)
    yield f"pose of {given['child']}", reader.within(state, given["child"], given["parent"]), child
    spring = reader.model.joint_springs[twist]
    for word in ("stiffness", "damping"):
        made, told = getattr(spring, word), given.get(word, 0)
        yield f"{word} of {name}", reader.number(made), reader.number(told)
    yield f"free angle of {name}", reader.number(spring.free_angle), 0.0


def _cylinder(reader: Composing, name: str, given: Mapping[str, Any], state: NewtonEuler) -> Found:
    """Foot, barrel, rod and head, and what drives the rod."""
    (body, foot), (held, head) = (reader.point(given[word]) for word in "ab")
    z, x = (np.asarray(given.get(w, _X), dtype=float) for w in ("axis", "direction"))
    z, x = z / np.linalg.norm(z), x / np.linalg.norm(x)
    length = reader.number(given["length"])
    barrel, rod = f"{name}_barrel", f"{name}_rod"
    for part, sign in ((barrel, 1), (rod, -1)):
        mass = reader.number(given.get(f"{part.rpartition('_')[2]}_mass", 0))
        across = np.diag([0, 1, 1]) * mass * length**2 / 12
        yield from reader.mass(part, mass, sign * length / 2 * _X, across)
    axes = homogeneous(np.array([x, np.cross(z, x), z]).T, foot)
    turned = axes @ _turn(_Z, reader.coordinate(state, f"{name}_foot"))
    yield f"pose of {barrel}", reader.within(state, barrel, body), turned
    slid = turned @ _shift((length + reader.coordinate(state, name)) * _X)
    yield f"pose of {rod}", reader.within(state, rod, body), slid
    joint = reader.model.joints[f"{name}_head"]
    end = reader.declared.placement(joint.child_placement)
    yield f"head of {name}", end[:3, 3], head
    yield f"axis of the head of {name}", end[:3, 2], z
    yield f"rod's end of {name}", reader.declared.placement(joint.placement), np.eye(4)
    ends = float((joint.parent, joint.child) == (rod, held)), float(joint.cut)
    yield f"sides of the head of {name}", ends, (1.0, 1.0)
    yield from _drive(reader, name, given, state)


def _drive(reader: Composing, name: str, given: Mapping[str, Any], state: NewtonEuler) -> Found:
    """The force within limits, through a lag or a column of oil."""
    kind, model, law = given.get("drive", "force"), reader.model, reader.declared.numbers.law
    if kind == "extension":
        yield f"extension of {name}", float(name in model.prescribed_coordinates()), 1.0
        return
    command, limits = given.get("command"), given.get("force_limits")
    asked = state.named[f"{name}_{kind}"] if command is None else _told(reader, command, state)
    low, high = (-np.inf, np.inf) if limits is None else map(reader.number, limits)
    lag = reader.number(given.get("lag", 0))
    if kind == "force":
        within = float(np.clip(asked, low, high))
        if lag:
            behind = model.lags[f"{name}_drive"]
            yield f"lag of {name}", reader.number(behind.time_constant), lag
            yield f"command of {name}", law(behind.command)(state.named), within
            return
        made = model.generalized_forces[f"{name}_drive"]
        yield f"force of {name}", law(made.expression)(state.named), within
        return
    thrust, flow = state.named[f"{name}_thrust"], asked
    if lag:
        flow = state.named[f"{name}_flow"]
        rate = law(model.states[f"{name}_flow"].rate)(state.named)
        yield f"flow of {name}", rate, (asked - flow) / lag
    relieved = 10_000 * (max(thrust - high, 0.0) + min(thrust - low, 0.0))
    expected = reader.number(given["stiffness"]) * (flow - state.named[f"speed({name})"]) - relieved
    rate = law(model.states[f"{name}_thrust"].rate)(state.named)
    yield f"thrust of {name}", rate / (1 + abs(expected)), expected / (1 + abs(expected))
    made = model.generalized_forces[f"{name}_drive"]
    yield f"force of {name}", law(made.expression)(state.named), thrust


def _told(reader: Composing, expression: Any, state: NewtonEuler) -> float:
    if isinstance(expression, str):
        expression = parse_expression(expression)
    return float(reader.declared.numbers.law(expression)(state.named))


def _lumped(reader: Composing, name: str, given: Mapping[str, Any], state: NewtonEuler) -> Found:
    """Points of one mass on a line, half of it at the ends on bodies."""
    lumps, model = given["lumps"], reader.model
    length = reader.number(given["length"])
    mass = reader.number(given["line_mass"]) * length / lumps
    none = np.zeros((3, 3))
    for k in range(1, lumps):
        yield from reader.mass(f"{name}_{k}", mass, np.zeros(3), none)
        yield (
            f"rest of link {k} of {name}",
            reader.number(_link(model, name, k).length),
            length / lumps,
        )
    places = [
        reader.declared.placement(model.joints[f"{name}_{k}"].placement)[:3, 3]
        for k in range(1, lumps)
    ]
    if given.get("ends") is not None:
        first, last = map(reader.vector, given["ends"])
        for k, place in enumerate(places, 1):
            yield f"place of point {k} of {name}", place, first + (last - first) * k / lumps
    for word, line in (("a", places), ("b", places[::-1])):
        end = given[word]
        if not isinstance(end, str | Mapping) and not hasattr(end, "xyz"):
            continue
        if isinstance(end, Mapping) and "body" not in end:
            continue
        body, place = reader.point(end)
        if body == "world":
            if given.get("ends") is None and lumps > 2:
                # The points are evenly spaced on a line that begins at the end.
                yield f"line of {name} from {word}", 2 * line[0] - line[1], place
        else:
            held = f"{name}_{word}"
            yield from reader.mass(held, mass / 2, np.zeros(3), none)
            yield f"place of {held}", reader.within(state, held, body), _shift(place)


def _link(model: Model, name: str, k: int) -> Any:
    return model.cables[f"{name}_link{k}"]


KINDS: dict[str, Callable[[Composing, str, Mapping[str, Any], NewtonEuler], Found]] = {
    "dh_chain": _chain,
    "flexible_joint": _flexible,
    "cylinder": _cylinder,
    "lumped_cable": _lumped,
}
"""By the word that declares them."""
