"""Forces and constraints of kinds without formulas here, in the mechanism taken apart.

Every body is free there, placed and moving as Newton's and Euler's equations of the mechanism say,
and coordinates, speeds and inputs are plain numbers: what the author of a kind wrote is asked for
wrenches, energies and residuals at these numbers. Trees, origins, projections on speeds, merged
bodies, Jacobians and everything that follows are judged by it; the law itself, its author knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.constraints.cut_joint import cut_joint
from eomc.derive.dynamics.kinematics import KinematicState
from eomc.derive.forces import Loads, Scene, all_loads
from eomc.derive.geometry import SpatialForce
from eomc.derive.graph import evaluate, symbol
from eomc.derive.graph.traverse import reachable
from eomc.derive.model import Model
from eomc.derive.system import System
from eomc.derive.tree.link import LinkCoordinate
from eomc.verifier.witness.mechanism import MovingPose, OwnLoads, WitnessMechanism

__all__ = ["Apart"]

# On joints' speeds and on shapes of bodies: no element that somebody declares acts so.
_OF_THE_WITNESS = ("joint losses", "elasticity")


class Apart:
    """`model` taken apart; the elements `acting` act, and losses of the cut joints `lossy`."""

    def __init__(
        self,
        model: Model,
        mechanism: WitnessMechanism,
        acting: Mapping[str, Mapping[str, Any]],
        lossy: Sequence[Any],
    ) -> None:
        self.mechanism = mechanism
        apart = Model(f"{model.name}_apart", gravity=(0, 0, 0))
        apart.parameters = dict(model.parameters)
        for k, name in enumerate(model.bodies):
            apart.body(name, mass=1, inertia=(1, 1, 1))
            apart.joint(f"apart_{k}", "floating", parent="world", child=name)
        self.system = System(apart)
        self.graph, self.links = (
            self.system.graph,
            [self.system.tree.pose_of[name][0] for name in model.bodies],
        )
        scene = self._scene(model)
        at_work = replace(scene, elements=acting, cuts=tuple(lossy))
        loads = all_loads(at_work, without=_OF_THE_WITNESS)
        self.kept, self.other = self._entries(loads.conservative), self._entries(loads.other)
        self.state_rates = [
            rate.node
            for table in acting.values()
            for element in table.values()
            if element.states()
            for rate in element.rates(at_work)
        ]
        self.vanishing = [
            condition.node
            for table in acting.values()
            for element in table.values()
            if element.unknowns()
            for condition in element.conditions(at_work)
        ]
        self.energy = loads.conservative.potential.node
        self.acts = any(acting.values()) or bool(lossy)
        self.depends_on_time = self.named["t"].node in reachable(self.graph, [self.energy])
        found = [row for joint in model.cuts() for row in cut_joint(joint, scene)]
        found += [row for entry in model.constraints.values() for row in entry.rows(scene)]
        self.rows = [row for row in found if not row.residual.is_constant]
        telling = [e for table in acting.values() for e in table.values() if e.outputs()]
        self.told = {
            f"{element.name}.{output.name}": value.node
            for element in telling
            for output, value in zip(element.outputs(), element.output_values(at_work), strict=True)
        }

    def _scene(self, model: Model) -> Scene:
        """Scene that elements of the model look at: its declarations, the bodies one by one."""
        system, graph = self.system, self.system.graph
        variables = self.mechanism.variables
        places = [c.name for coordinates, _, _ in variables for c in coordinates]
        rates = [s.name for _, speeds, _ in variables for s in speeds]
        names = [*places, *(f"speed({name})" for name in rates), *self.mechanism.inputs, "t"]
        names += [*self.mechanism.constants, *self.mechanism.states, *self.mechanism.velocities]
        names += [unknown.name for unknown in self.mechanism.unknowns]
        self.named = {name: symbol(graph, f"named {name}") for name in names}
        nq, nu = len(system.q), len(system.u)
        state = KinematicState(
            (*system.configuration, *(self.named[name] for name in places)),
            (*system.u, *(self.named[f"speed({name})"] for name in rates)),
            system.a,
            system.s,
            system.s_rate,
            system.s_acceleration,
        )
        scene = system.scene
        tree = replace(
            system.tree,
            # Elements may hang along it; on the bodies it acts by the mechanism's own formulas.
            gravity=scene.scalars.vector(model.gravity),
            coordinate_of={name: LinkCoordinate(nq + k) for k, name in enumerate(places)},
            speed_of={name: LinkCoordinate(nu + k) for k, name in enumerate(rates)},
            joint_speeds={},
        )
        one = (tree.zero + 1).node

        def directions() -> list[dict[int, int]]:
            own = [{self.named[n].node: one} if n in places else {} for n in rates]
            return [*system.directions(), *own]

        return Scene(
            model.bodies,
            model.deformables,
            model.joints,
            (),
            {},
            tree,
            scene.scalars,
            state,
            scene.pose,
            self.named,
            directions,
        )

    def _entries(self, loads: Loads) -> list[int]:
        """Force and moment of every body, then the forces on the speeds."""
        zero, first = self.system.tree.zero, len(self.system.u)
        none = SpatialForce.zero(self.system.tree.zero_vector())
        wrenches = [x for link in self.links for x in loads.wrenches.get(link, none).entries]
        count = sum(len(speeds) for _, speeds, _ in self.mechanism.variables)
        forces = [loads.generalized.get(first + k, zero) for k in range(count)]
        return [entry.node for entry in (*wrenches, *forces)]

    def loads(self, motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> OwnLoads:
        """Wrenches on all bodies, in their axes about their origins, and forces on all speeds."""
        nodes = [*self.kept, *self.other, self.energy]
        values = np.array(self._evaluate(nodes, motions, named), dtype=float)
        kept, other = values[:-1].reshape(2, -1)
        return OwnLoads(kept, other, float(values[-1]))

    def outputs(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> dict[str, float]:
        """Outputs of the elements, by name."""
        values = self._evaluate([*self.told.values()], motions, named)
        return dict(zip(self.told, map(float, values), strict=True))

    def rates(self, motions: Mapping[int, MovingPose], named: Mapping[str, float]) -> list[float]:
        """z' of the elements with states, in their order."""
        return [float(x) for x in self._evaluate(self.state_rates, motions, named)]

    def conditions(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> list[float]:
        """Values of what vanishes at the unknowns of elements, in their order."""
        return [float(x) for x in self._evaluate(self.vanishing, motions, named)]

    def residuals(
        self, motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Values of all rows by name: of holonomic ones, of those on speeds."""
        nodes = [row.residual.node for row in self.rows]
        values = [float(x) for x in self._evaluate(nodes, motions, named)]
        pairs = list(zip(self.rows, values, strict=True))
        return (
            {row.name: value for row, value in pairs if row.holonomic},
            {row.name: value for row, value in pairs if not row.holonomic},
        )

    def _evaluate(
        self, nodes: Sequence[int], motions: Mapping[int, MovingPose], named: Mapping[str, float]
    ) -> list[Any]:
        at = {entry.node: named[name] for name, entry in self.named.items()}
        links = self.system.tree.links
        for k, link in enumerate(self.links):
            motion = motions[k]
            axes = motion.rotation.T
            q = [*motion.x[:3, 3], *_quaternion(motion.rotation)]
            u = [*(axes @ motion.rate[:3, 3]), *(axes @ motion.angular_velocity)]
            pairs = zip((*links[link].coordinates, *links[link].speeds), (*q, *u), strict=True)
            for place, (reference, value) in enumerate(pairs):
                array = self.system.q if place < len(q) else self.system.u
                at[array[reference.index].node] = float(value)
        return evaluate(self.graph, nodes, at)


def _quaternion(rotation: Array) -> Array:
    """(w, x, y, z) of a rotation: the eigenvector of Bar-Itzhack's matrix for its eigenvalue 3."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    matrix = np.array(
        [
            [a + e + i, h - f, c - g, d - b],
            [h - f, a - e - i, b + d, c + g],
            [c - g, b + d, e - a - i, f + h],
            [d - b, c + g, f + h, i - a - e],
        ]
    )
    found: Array = np.linalg.eigh(matrix)[1][:, -1]
    return found
