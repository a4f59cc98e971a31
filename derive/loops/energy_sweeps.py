"""Calls for energy, momentum and centre of mass (see `sweeps`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from eomc.derive.geometry import unit
from eomc.derive.graph import Array, Call, Loop, Piece, Step
from eomc.derive.loops import energy_steps, steps
from eomc.derive.loops.sketch import Numbers
from eomc.derive.loops.sweeps import Sweeps

Make = Callable[[str, int, Numbers, Numbers], Step]
_BASE = Piece("composite", (0,))


class EnergySweeps(Sweeps):
    """The calls of the dynamics, and those of energy, momentum and centre of mass."""

    # -- twists ----------------------------------------------------------------------------------

    @property
    def twist_arrays(self) -> tuple[Array, ...]:
        """Twists, and what they are made of."""
        size = energy_steps.TWIST
        return (
            *self.pose_arrays,
            self._zeros("twist", size * (self.count + 1), size),
            *self.rows.inertia[1].arrays,
            *self.rows.subspace[1].arrays,
        )

    def _moving(self, found: list[Step]) -> Call:
        pieces = {
            "pose": self.rows.pose,
            "parent": self.rows.parent("twist", energy_steps.TWIST),
            "twist": self.rows.own("twist", energy_steps.TWIST),
            "u": Piece("u", self.rows.speed_places),
            "subspace": self.rows.subspace[1].piece,
            "inertia": self.rows.inertia[1].piece,
            "wrench": self.rows.own("wrench", steps.WRENCH),
            "energy": Piece("T", (0,) * self.count),
        }
        return self._each_link(found, pieces)

    def _of_kinds(self, make: Make) -> list[Step]:
        subspaces, bodies = self.rows.subspace[0], self.rows.inertia[0]
        return [
            make(kind.name, self.tree.links[kind.links[0]].motion.speeds, own, body)
            for kind, own, body in zip(self.rows.kinds, subspaces, bodies, strict=True)
        ]

    @cached_property
    def kinetic(self) -> Call:
        """Twist and energy of each link."""
        return self._moving(self._of_kinds(energy_steps.kinetic_step))

    @cached_property
    def moving(self) -> Call:
        """Twist and momentum of each link."""
        return self._moving(self._of_kinds(energy_steps.moving_step))

    @cached_property
    def rotor_energy(self) -> list[Loop]:
        """Energy of the rotors."""
        speeds = tuple(self.tree.armature)
        if not speeds:
            return []
        pieces = {
            "u": Piece("u", speeds),
            "rotor": self.armature.piece,
            "energy": Piece("T", (0,) * len(speeds)),
        }
        call = Call((energy_steps.rotor_energy_step(),), (0,) * len(speeds), pieces)
        return [Loop(len(speeds), (call,))]

    @cached_property
    def show_momentum(self) -> Loop:
        """What has come to the base, to the output."""
        pieces = {"wrench": Piece("wrench", (0,)), "h": Piece("h", (0,))}
        return Loop(1, (Call((energy_steps.show_momentum_step(),), (0,), pieces),))

    # -- centre of mass --------------------------------------------------------------------------

    @cached_property
    def total_arrays(self) -> tuple[Array, ...]:
        """Inertias of the bodies, that of the ground at the base."""
        return (*self.pose_arrays, *self.composite_arrays(self.tree.ground))

    @cached_property
    def total(self) -> tuple[Loop, ...]:
        """The inertia of the whole mechanism comes to the base."""
        outward = Loop(self.count, (self.pose, self.own_composite))
        return (outward, Loop(self.count, (self.carry_composite,), backward=True))

    @cached_property
    def weight_energy(self) -> Loop:
        """From the first moment of the whole."""
        pieces = {
            "composite": _BASE,
            "gravity": Piece("gravity", (0,)),
            "V": Piece("V", (0,)),
        }
        return Loop(1, (Call((energy_steps.weight_energy_step(),), (0,), pieces),))

    @cached_property
    def center(self) -> Loop:
        """From the first moment of the whole."""
        pieces = {"composite": _BASE, "c": Piece("c", (0,))}
        return Loop(1, (Call((energy_steps.center_step(),), (0,), pieces),))

    @cached_property
    def turn_array(self) -> Array:
        """Rotations to the world, whose own is the identity."""
        size, zero = energy_steps.TURN, self.tree.zero
        rows = [entry.node for axis in range(3) for entry in unit(zero, axis)]
        return Array("turn", size * (self.count + 1), dict(enumerate(rows)))

    @cached_property
    def turn(self) -> Call:
        """Rotation of each link to the world."""
        pieces = {
            "pose": self.rows.pose,
            "parent": self.rows.parent("turn", energy_steps.TURN),
            "turn": self.rows.own("turn", energy_steps.TURN),
        }
        return self._all_links(energy_steps.turn_step(), pieces)

    @cached_property
    def center_column(self) -> Call:
        """A column of the Jacobian."""
        nu, still = self.tree.nu, (0,) * self.speed_count
        pieces = {
            "wrench": Piece("carried", still),
            "turn": self._of_link("turn", energy_steps.TURN),
            "composite": Piece("composite", still),
        }
        for row, axis in enumerate("xyz"):
            pieces[axis] = Piece("J", tuple(row * nu + speed for speed in self.speeds))
        return Call((energy_steps.center_column_step(),), still, pieces)
