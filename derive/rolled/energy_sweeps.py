"""Calls for energy, momentum and centre of mass (see `sweeps`)."""

from __future__ import annotations

from functools import cached_property

from eomc.derive.geometry import unit
from eomc.derive.graph import Call, ForLoop, RolledArgument, RolledArray
from eomc.derive.rolled import energy_steps
from eomc.derive.rolled.sweeps import SharedSweeps

_BASE = RolledArgument("composite", (0,))


class EnergySweeps(SharedSweeps):
    """The calls of the dynamics, and those of energy, momentum and centre of mass."""

    # -- twists ----------------------------------------------------------------------------------

    @property
    def twist_arrays(self) -> tuple[RolledArray, ...]:
        """Twists, and what they are made of."""
        return (*self.pose_arrays, self._link_array("twist"), *self.body_arrays)

    @cached_property
    def kinetic(self) -> Call:
        """Twist and energy of each link."""
        return self._each_link(
            self.of_kinds(energy_steps.kinetic_step), parent=self._parent("twist")
        )

    @cached_property
    def moving(self) -> Call:
        """Twist and momentum of each link."""
        return self._each_link(
            self.of_kinds(energy_steps.moving_step), parent=self._parent("twist")
        )

    @cached_property
    def rotor_energy(self) -> list[ForLoop]:
        """Energy of the rotors."""
        speeds = tuple(self.tree.armature)
        if not speeds:
            return []
        pieces = {
            "u": RolledArgument("u", speeds),
            "rotor": self.armature.piece,
            "energy": RolledArgument("T", (0,) * len(speeds)),
        }
        call = Call((energy_steps.rotor_energy_step(),), (0,) * len(speeds), pieces)
        return [ForLoop(len(speeds), (call,))]

    @cached_property
    def total_momentum(self) -> ForLoop:
        """Momentum that has come to the base, to the output."""
        pieces = {"wrench": RolledArgument("wrench", (0,)), "h": RolledArgument("h", (0,))}
        return ForLoop(1, (Call((energy_steps.total_momentum_step(),), (0,), pieces),))

    # -- centre of mass --------------------------------------------------------------------------

    @cached_property
    def total_arrays(self) -> tuple[RolledArray, ...]:
        """Inertias of the bodies, that of the ground at the base."""
        return (*self.pose_arrays, *self.composite_arrays(self.tree.ground))

    @cached_property
    def total(self) -> tuple[ForLoop, ...]:
        """The inertia of the whole mechanism comes to the base."""
        outward = ForLoop(self.count, (self.pose, self.own_composite))
        return (outward, ForLoop(self.count, (self.carry_composite,), backward=True))

    @cached_property
    def weight_energy(self) -> ForLoop:
        """From the first moment of the whole."""
        pieces = {
            "composite": _BASE,
            "gravity": RolledArgument("gravity", (0,)),
            "V": RolledArgument("V", (0,)),
        }
        return ForLoop(1, (Call((energy_steps.weight_energy_step(),), (0,), pieces),))

    @cached_property
    def center(self) -> ForLoop:
        """From the first moment of the whole."""
        pieces = {"composite": _BASE, "c": RolledArgument("c", (0,))}
        return ForLoop(1, (Call((energy_steps.center_step(),), (0,), pieces),))

    @cached_property
    def turn_array(self) -> RolledArray:
        """Rotations to the world, whose own is the identity."""
        rows = [entry.node for axis in range(3) for entry in unit(self.tree.zero, axis)]
        return RolledArray("turn", self._link_array("turn").size, dict(enumerate(rows)))

    @cached_property
    def turn(self) -> Call:
        """Rotation of each link to the world."""
        return self._all_links(energy_steps.turn_step(), parent=self._parent("turn"))

    @cached_property
    def center_column(self) -> Call:
        """A column of the Jacobian."""
        pieces = {**self._by_speed, "wrench": self._single("carried")}
        pieces["composite"] = self._single("composite")
        for row, axis in enumerate("xyz"):
            pieces[axis] = RolledArgument(
                "J", tuple(row * self.tree.nu + speed for speed in self.speeds)
            )
        return Call((energy_steps.center_column_step(),), (0,) * self.speed_count, pieces)
