"""Poses, pulls, regressors and reactions of bodies, from the numeric mechanism."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.requested.products import Expected, Judge
from eomc.verifier.requested.slopes import FunctionDerivatives
from eomc.verifier.witness import springs, stops
from eomc.verifier.witness.body_motion import BodyMotion
from eomc.verifier.witness.closing_joint import losses, relative
from eomc.verifier.witness.cut_reaction import closing_forces, cut_reaction
from eomc.verifier.witness.mechanism import WORLD, WitnessBody, WitnessJoint
from eomc.verifier.witness.newton_euler import NewtonEuler


def _reference(slopes: FunctionDerivatives) -> NewtonEuler:
    return slopes.subject.reference(slopes.state)


def _poses(slopes: FunctionDerivatives) -> Expected:
    """Those of bodies, then those of frames."""
    reference, declared = _reference(slopes), slopes.subject.declared
    assert declared is not None
    mechanism = reference.mechanism
    found = {body.name: reference.motions[k].x for k, body in enumerate(mechanism.bodies)}
    for frame in mechanism.frames:
        found.setdefault(frame.name, reference.frame(frame.body, frame.placement).x)
    names = dict.fromkeys([*declared.bodies, *declared.frames])
    unknown = np.full((4, 4), np.nan)
    return {"poses": np.vstack([found.get(name, unknown)[:3] for name in names])}


def _pull(slopes: FunctionDerivatives) -> Expected:
    """Virtual work of the wrench on each body."""
    reference, wrench = _reference(slopes), slopes.state["wrench"]
    inputs = slopes.subject.derived("pull").inputs
    names = next(argument.rows for argument in inputs if argument.name == "wrench")
    places = {body.name: k for k, body in enumerate(reference.mechanism.bodies)}
    tau = np.zeros(reference.directions)
    if not set(names) <= places.keys():
        return {}
    for name, (force, moment) in zip(names, np.reshape(wrench, (-1, 2, 3)), strict=True):
        motion = reference.motions[places[name]]
        tau += motion.units[:, :3, 3] @ force + motion.partial_angular_velocities @ moment
    return {"tau": tau[: slopes.subject.nu]}


def _bodies(slopes: FunctionDerivatives) -> list[WitnessBody]:
    """Those whose numbers stand in the regressor, in its order."""
    (output,) = slopes.subject.derived("inertial_parameters").outputs
    names = dict.fromkeys(row.rpartition(".")[0] for row in output.rows)
    assert slopes.subject.mechanism is not None
    known = {body.name: body for body in slopes.subject.mechanism.bodies}
    return [known[name] for name in names] if set(names) <= known.keys() else []


def _ten(body: WitnessBody) -> Array:
    """m, m c and the inertia about the body's origin."""
    c = body.com
    about = body.inertia + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    beside = about[[0, 0, 1], [1, 2, 2]]
    return np.array([body.mass, *body.mass * c, *np.diag(about), *beside])


def _inertial_parameters(slopes: FunctionDerivatives) -> Expected:
    bodies = _bodies(slopes)
    return {"pi": np.concatenate([*map(_ten, bodies)])} if bodies else {}


def _regressor(slopes: FunctionDerivatives) -> Expected:
    """The rest b, and Y by what it makes of other inertial numbers, which every body draws."""
    subject, nu = slopes.subject, slopes.subject.nu
    found, bodies = slopes.outputs("regressor"), _bodies(slopes)
    if 10 * len(bodies) != found["Y"].shape[1]:
        return {}
    taken = subject.call("inverse_dynamics", slopes.state)
    own = np.concatenate([np.zeros(0), *map(_ten, bodies)])
    rng = np.random.default_rng(subject.seed)
    errors = np.zeros_like(found["Y"])
    for k, body in enumerate(bodies):
        # One draw weighs all ten columns; what is wrong in any shows in the first of them.
        half = rng.normal(size=(3, 3))
        drawn = WitnessBody(body.name, rng.uniform(1, 2), rng.normal(size=3), half @ half.T)
        block = found["Y"][:, 10 * k : 10 * k + 10]
        errors[:, 10 * k] = _alone(slopes, drawn)[:nu] - block @ _ten(drawn)
    return {"Y": found["Y"] + errors, "b": taken - found["Y"] @ own}


def _alone(slopes: FunctionDerivatives, drawn: WitnessBody) -> Array:
    """Forces that the motion of this body alone takes, without rotors."""
    mechanism = slopes.subject.mechanism
    assert mechanism is not None
    nothing = [replace(b, mass=0.0, inertia=np.zeros((3, 3))) for b in mechanism.bodies]
    bodies = [drawn if b.name == drawn.name else b for b in nothing]
    joints = [replace(joint, armature=0.0) for joint in mechanism.joints]
    light = replace(mechanism, bodies=tuple(bodies), joints=tuple(joints))
    return NewtonEuler(light, slopes.state.values).inertial()[0]


def _reactions(slopes: FunctionDerivatives) -> tuple[list[Array], list[Array]]:
    """(force and moment in the joint frame of the child; place, force and moment in the world) of
    each joint whose reaction is told, and of those that move something and are left out."""
    subject, state = slopes.subject, slopes.state
    mechanism = subject.mechanism
    assert mechanism is not None
    told = subject.derived("joint_reactions").outputs[0].rows
    moving = [j.name for j in mechanism.joints if any(speed.array for speed in j.speeds)]
    names = (*told, *(name for name in moving if name not in told))
    values = dict(state.values)
    # A constraint of a kind that is not known here pulls at bodies, too.
    is_whole = not subject.model.is_constrained or bool(subject.known_rows.all())
    if subject.model.is_constrained:
        values["held"] = subject.carried(state, values["multipliers"] * subject.known_rows)
    known: dict[str, tuple[int, WitnessJoint]] = {
        j.name: (k, j) for k, j in enumerate(mechanism.joints)
    }
    local, world = [], []
    for name in names:
        if name not in known or not is_whole:
            mine, outside = _in_cut(slopes, name)
            local.append(mine)
            world.append(outside)
            continue
        k, joint = known[name]
        loosened = NewtonEuler(mechanism, values, k)
        kept, lost, _ = loosened.loads()
        reaction = loosened.inertial()[0] - kept - lost
        if mechanism.closing or mechanism.holds:
            reaction = reaction - _closing(slopes, loosened)
        at = loosened.motions[joint.child].x @ np.linalg.inv(joint.after)
        force, moment = (at[:3, :3] @ part for part in (reaction[-6:-3], reaction[-3:]))
        if _is_turned_round(slopes, joint):
            other = loosened.motions[joint.parent].x @ joint.before
            moment = -moment - np.cross(at[:3, 3] - other[:3, 3], force)
            force, at = -force, other
        axes = at[:3, :3].T
        local.append(np.concatenate([axes @ force, axes @ moment]))
        world.append(np.concatenate([at[:3, 3], force, moment]))
    return local, world


def _is_turned_round(slopes: FunctionDerivatives, joint: WitnessJoint) -> bool:
    """True if the world is reached through what is declared as the child."""
    declared, mechanism = slopes.subject.declared, slopes.subject.mechanism
    assert declared is not None and mechanism is not None
    child = mechanism.bodies[joint.child].name if joint.child != WORLD else "world"
    return bool(declared.joints[joint.name].child != child)


def _closing(slopes: FunctionDerivatives, loosened: NewtonEuler) -> Array:
    """Forces of what closes loops along all directions; of over-constrained ones, whose forces on
    the speeds do not tell their wrenches, by their multipliers one by one."""
    if not slopes.subject.model.redundant:
        return loosened.closing.forces(loosened.directions)
    total: Array = np.zeros(loosened.directions)
    for hold in loosened.mechanism.holds:
        if isinstance(hold, WitnessJoint):
            bodies = loosened.motions[hold.parent], loosened.motions[hold.child]
            found = closing_forces(hold, _multipliers(slopes, hold.name), *bodies)
            total = total + (np.nan if found is None else found)
        else:
            total = total + np.nan
    return total


def _multipliers(slopes: FunctionDerivatives, name: str) -> dict[str, float]:
    """Those of the rows of a joint, by their labels."""
    rows = [row.rpartition(".") for row in slopes.subject.model.output_names("constraint_jacobian")]
    numbers = zip(rows, slopes.state["multipliers"], strict=True)
    return {label: float(number) for (of, _, label), number in numbers if of == name}


def _in_cut(slopes: FunctionDerivatives, name: str) -> tuple[Array, Array]:
    """The same of one that closes a loop; no numbers where it is not known here."""
    reference = _reference(slopes)
    mechanism = reference.mechanism
    holds = [
        hold for hold in mechanism.holds if hold.name == name and isinstance(hold, WitnessJoint)
    ]
    if not holds:
        return np.full(6, np.nan), np.full(9, np.nan)
    joint = holds[0]
    bearings = [bearing for bearing in mechanism.bearings if bearing.cut == name]
    parent, child = (reference.motions[body] for body in (joint.parent, joint.child))
    wrench = cut_reaction(joint, _multipliers(slopes, name), parent, child, bearings)
    if wrench is None:
        rubs = sum((reference.closing.friction(bearing) for bearing in bearings), np.zeros(1))
        wrench = _by_power(slopes, joint, losses(joint, parent, child) + rubs)
    at = child.x @ np.linalg.inv(joint.after)
    outside = [at[:3, :3] @ part for part in (wrench[:3], wrench[3:])]
    return wrench, np.concatenate([at[:3, 3], *outside])


def _by_power(slopes: FunctionDerivatives, joint: WitnessJoint, lost: Array) -> Array:
    """The wrench nearest to that of the program whose power at all unit speeds is that of the
    multipliers, by the compiled gradients, and of what is lost: for rows not known here."""
    model, nu = slopes.subject.model, slopes.subject.nu
    motions = _reference(slopes).motions
    told = slopes.subject.derived("joint_reactions").outputs[0].rows
    found = np.reshape(slopes.outputs("joint_reactions")["reactions"], (-1, 6))[
        told.index(joint.name)
    ]
    motion = relative(joint, motions[joint.parent], motions[joint.child])
    turned = motion.rotation
    twists = np.hstack(
        [part[:nu] @ turned for part in (motion.units[:, :3, 3], motion.partial_angular_velocities)]
    )
    rows = [row.rpartition(".")[0] for row in model.output_names("constraint_jacobian")]
    own = slopes.state["multipliers"] * [row == joint.name for row in rows]
    power = slopes.subject.carried(slopes.state, own) + lost[:nu]
    nearest: Array = found + np.linalg.lstsq(twists, power - twists @ found, rcond=None)[0]
    return nearest


def _joint_reactions(slopes: FunctionDerivatives) -> Expected:
    return {"reactions": np.reshape(_reactions(slopes)[0], (-1, 6))}


def _joint_forces(slopes: FunctionDerivatives) -> Expected:
    return {"forces": np.reshape(_reactions(slopes)[1], (-1, 9))}


def _acting_forces(slopes: FunctionDerivatives) -> Expected:
    """Of tau and stops on joints of one speed, of springs between points, and applied ones by their
    wrench, wherever it is told."""
    reference, nu = _reference(slopes), slopes.subject.nu
    (output,) = slopes.subject.derived("acting_forces").outputs
    known = _of_springs(reference)
    single = [j for j in reference.mechanism.joints if len(j.speeds) == 1]
    joints = {j.speeds[0].name: j for j in single if j.speeds[0].array == "u"}
    for name, joint in joints.items():
        if joint.speeds[0].factor != 1.0:
            continue
        k = reference.direction(joint.speeds[0])
        known[f"tau({name})"] = _along(reference, joint, float(slopes.state["tau"][k % nu]))
        for stop in reference.mechanism.stops:
            if stop.speed.name == name:
                known[stop.name] = _along(reference, joint, stops.pressed(reference, stop))
    (found,) = slopes.outputs("acting_forces").values()
    told = dict(zip(output.rows, np.reshape(found, output.shape), strict=True))
    for force in reference.mechanism.forces:
        if force.name in told:
            vector, place = reference.applied(force), told[force.name][:3]
            arm = reference.motions[force.at.body].position(force.at.xyz) - place
            wrench = [0 * vector, vector] if force.is_torque else [vector, np.cross(arm, vector)]
            known[force.name] = np.concatenate([place, *wrench])
    unknown = np.full(output.shape[1], np.nan)
    acting = [f.name for f in reference.mechanism.forces if f.at.body != WORLD]
    names = (*output.rows, *(name for name in acting if name not in told))
    return {"forces": np.array([known.get(name, unknown) for name in names])}


def _along(reference: NewtonEuler, joint: WitnessJoint, force: float) -> Array:
    """Place, force and moment: along the unit velocity between the two bodies of the joint."""
    k = reference.direction(joint.speeds[0])
    child, parent = (reference.motions[body] for body in (joint.child, joint.parent))
    place = (child.x @ np.linalg.inv(joint.after))[:3, 3]
    turn = (child.partial_angular_velocities - parent.partial_angular_velocities)[k]
    slide = _at(child, place)[k] - _at(parent, place)[k]
    turns = float(np.abs(turn).max()) > 1e-9
    pushed = [0 * turn, turn * force] if turns else [slide * force, 0 * slide]
    return np.concatenate([place, *pushed])


def _of_springs(reference: NewtonEuler) -> dict[str, Array]:
    """Place, force and moment of each spring, where it pulls at a body."""
    found = {}
    for spring in reference.mechanism.springs:
        pull = springs.pull(reference, spring)
        ends = [point for point in (spring.a, spring.b) if point.body != WORLD]
        for count, point in enumerate(ends, 1):
            name = spring.name if count == 1 else f"{spring.name}_{count}"
            sign = 1.0 if point is spring.a else -1.0
            place = reference.motions[point.body].position(point.xyz)
            found[name] = np.concatenate([place, sign * pull, np.zeros(3)])
    return found


def _at(motion: BodyMotion, place: Array) -> Array:
    """Unit velocities of what is at a place of the world."""
    return motion.partial_velocities(motion.rotation.T @ (place - motion.x[:3, 3]))


JUDGES: dict[str, Judge] = {
    "poses": _poses,
    "pull": _pull,
    "inertial_parameters": _inertial_parameters,
    "regressor": _regressor,
    "joint_reactions": _joint_reactions,
    "joint_forces": _joint_forces,
    "acting_forces": _acting_forces,
}
"""By function: what its outputs must be; NaN where nothing is known."""
