"""Forces on single speeds as steps: rotors, losses and springs of joints, and other loads."""

from __future__ import annotations

from dataclasses import dataclass, field

from eomc.derive.graph import Expression, RolledStep
from eomc.derive.language.scalar import is_zero
from eomc.derive.rolled.layouts import NUMBER
from eomc.derive.rolled.step_builder import RowConstants, StepBuilder
from eomc.derive.system import System

NUMBERS = "force_numbers"
"""Name of the constants among the arguments of steps."""

ROTOR, DAMPING, FRICTION, SPRING, LOAD = "rotor", "damping", "friction", "spring", "load"


@dataclass
class SpeedForces:
    """Constants of one speed by the kind of force, in the order in which steps take them; index of
    the coordinate that a spring acts on."""

    numbers: dict[str, list[Expression]] = field(default_factory=dict)
    coordinate: int = 0

    def add(self, kind: str, values: list[Expression]) -> bool:
        """False if there is such a force already."""
        return self.numbers.setdefault(kind, values) is values


def losses(system: System) -> list[SpeedForces] | None:
    """Losses of all joints by speed; None if several act on one, or on that of a mimic joint."""
    found = [SpeedForces() for _ in range(system.tree.nu)]
    for joint in system.model.joints.values():
        for k, speed in enumerate(system.tree.joint_speeds.get(joint.name, ())):
            own = found[speed.index]
            if k < len(joint.damping) and not is_zero(joint.damping[k]):
                values = [system.scene.scalar(joint.damping[k])]
                if speed.factor is not None or not own.add(DAMPING, values):
                    return None
            if k < len(joint.friction) and not is_zero(joint.friction[k]):
                scale = 1 / system.scene.scalar(joint.friction_speed)
                values = [system.scene.scalar(joint.friction[k]), scale]
                if speed.factor is not None or not own.add(FRICTION, values):
                    return None
    return found


def springs(system: System) -> list[SpeedForces] | None:
    """Linear springs across coordinates: stiffness, free position, damping; None as above."""
    found = [SpeedForces() for _ in range(system.tree.nu)]
    for spring in system.model.joint_springs.values():
        coordinate = system.tree.coordinate_of.get(spring.joint)
        if coordinate is None:  # locked: no force, but energy
            return None
        speed = system.tree.speed_of[spring.joint]
        if spring.law is not None or coordinate.factor is not None or coordinate.offset is not None:
            return None
        entries = (spring.stiffness, spring.free_angle, spring.damping)
        values = [system.scene.scalar(entry) for entry in entries]
        if not found[speed.index].add(SPRING, values):
            return None
        found[speed.index].coordinate = coordinate.index
    return found


def force_step(
    name: str, kinds: tuple[str, ...], numbers: RowConstants, *, driven: bool
) -> RolledStep:
    """Forces that a motion takes on one speed, added to what the links take.

    With `driven`, what is left of the force tau on the speed: tau less all of them, without the
    rotor, whose inertia the mass matrix holds.
    """
    what = "What is left of the force on a speed." if driven else "What one speed takes by itself."
    step = StepBuilder(name, what)
    constants = iter(step.constants(NUMBERS, numbers))
    total = step.zero
    u = step.take("u", NUMBER) if {DAMPING, FRICTION, SPRING} & set(kinds) else step.zero
    for kind in kinds:
        if kind == ROTOR:
            total = total + next(constants) * step.take("a", NUMBER)
        elif kind == DAMPING:
            total = total + next(constants) * u
        elif kind == FRICTION:
            size, scale = next(constants), next(constants)
            total = total + size * (scale * u).unary("tanh")
        elif kind == SPRING:
            stiffness, free, damping = (next(constants) for _ in range(3))
            total = total + stiffness * (step.take("q", NUMBER) - free) + damping * u
        else:
            total = total - step.take("load", NUMBER)
    force = step.take("force", NUMBER)
    if driven:
        step.give("left", NUMBER, force - total)
    else:
        step.give("force", NUMBER, total, onto=force)
    return step.step()
