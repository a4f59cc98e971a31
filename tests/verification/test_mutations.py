"""Every fault put into the derivation or into the emitted C is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from verification.c_module import c_module
from verification.faults import CHECKS, MODELS, Derivation, Emission, edited, mutated, verified
from verification.witnesses import arm

import eomc
from eomc.codegen import emit
from eomc.runtime import CompiledModel
from eomc.verifier import procedure

pytestmark = pytest.mark.in_thirds

DERIVATION = (
    Derivation(
        "sign of gravity in the forces",
        "eomc.derive.system:System.against_gravity",
        "-self.tree.gravity",
        "self.tree.gravity",
    ),
    Derivation(
        "Coriolis term halved",
        "eomc.derive.geometry.pose:LinkPose.acceleration",
        "(turned * 2 + w_r).cross(v_r)",
        "(turned + w_r).cross(v_r)",
    ),
    Derivation(
        "centrifugal term dropped",
        "eomc.derive.geometry.pose:LinkPose.acceleration",
        "parent.a + parent.u @ self.origin",
        "parent.a + parent.alpha.cross(self.origin)",
    ),
    Derivation(
        "gyroscopic term dropped",
        "eomc.derive.geometry.pose:LinkPose.acceleration",
        " + turned.cross(w_r) + change.angular",
        " + change.angular",
    ),
    Derivation(
        "rotation transposed",
        "eomc.derive.geometry.rotation:PlaneRotation.to_child",
        "product_sum((self.c, x), (self.s, y)), product_difference(self.c, y, self.s, x)",
        "product_difference(self.c, x, self.s, y), product_sum((self.c, y), (self.s, x))",
    ),
    Derivation(
        "wrong parent",
        "eomc.derive.system.build:_Builder._add_motions",
        "frame.link,\n                    frame.rotation",
        "max(frame.link - 1, WORLD),\n                    frame.rotation",
    ),
    Derivation(
        "moments of inertia swapped",
        "eomc.derive.tree.draft:declared_inertia",
        "for entry in body.inertia",
        "for entry in (*body.inertia[1::-1], *body.inertia[2:])",
    ),
    Derivation(
        "products of inertia negated",
        "eomc.derive.geometry.inertia:Inertia.of_body",
        "-j.xy, -j.xz, -j.yz",
        "j.xy, j.xz, j.yz",
    ),
    Derivation(
        "parallel-axis term missing",
        "eomc.derive.geometry.inertia:Inertia.of_body",
        "second + Symmetric.square(center, mass)",
        "second",
    ),
    Derivation(
        "sign of damping",
        "eomc.derive.forces.joint_losses:joint_losses",
        "force - scene.scalar(joint.damping[k]) * u",
        "force + scene.scalar(joint.damping[k]) * u",
    ),
    Derivation(
        "free length of a spring added",
        "eomc.derive.forces.point_spring:PointSpring._stretch",
        "length - scene.scalar(self.free_length)",
        "length + scene.scalar(self.free_length)",
    ),
    Derivation(
        "energy of a spring doubled",
        "eomc.derive.forces.stretch:tensions",
        "k * x * x / 2",
        "k * x * x",
    ),
    Derivation(
        "reaction of a spring missing",
        "eomc.derive.forces.point_spring:PointSpring.loads",
        "share.add_force(a, e * tension)",
        "share.add_force(a, e * 0)",
    ),
    Derivation(
        "gear ratio not squared",
        "eomc.derive.system.build:_Builder._add_armature",
        "self.scalars(joint.gear_ratio) ** 2",
        "self.scalars(joint.gear_ratio)",
    ),
    Derivation(
        "pair of a follower counted once",
        "eomc.derive.dynamics.mass_matrix:_Entries.add",
        "value = 2 * value",
        "value = 1 * value",
    ),
    Derivation(
        "force on the wrong axes",
        "eomc.derive.forces.applied:PointForce.loads",
        "axes.to_parent(vector)",
        "axes.to_child(vector)",
    ),
    Derivation(
        "sign of the weight's potential",
        "eomc.derive.dynamics.momentum:gravitational_energy",
        "return -tree.gravity",
        "return tree.gravity",
    ),
    Derivation(
        "losses feed power",
        "eomc.derive.functions.energy:power",
        "(tau + force) * u",
        "(tau - force) * u",
    ),
    Derivation(
        "sign in the triangular solution",
        "eomc.derive.dynamics.factor:Factor.solve",
        "x[k] = x[k] - entry * x[i]",
        "x[k] = x[k] + entry * x[i]",
    ),
    Derivation(
        "loads missing in the derivatives",
        "eomc.derive.system.partials:_less",
        "entries.get((i, k), zero) - load",
        "entries.get((i, k), zero)",
    ),
    Derivation(
        "quaternion rate in world axes",
        "eomc.derive.motions.quaternion:rates",
        "product(q, [zero, omega.x * half, omega.y * half, omega.z * half])",
        "product([zero, omega.x * half, omega.y * half, omega.z * half], q)",
        "spinner",
    ),
    Derivation(
        "velocity of the base not turned",
        "eomc.derive.motions.free:Free.rates",
        "quaternion.rotation(quaternion.normalized(q[3:])).to_parent(Vector(*u[:3]))",
        "Vector(*u[:3])",
        "spinner",
    ),
    Derivation(
        "sign in the rotation of a quaternion",
        "eomc.derive.motions.quaternion:rotation",
        "wx, wy, wz = w * x2, w * y2, w * z2",
        "wx, wy, wz = -(w * x2), -(w * y2), -(w * z2)",
        "spinner",
    ),
    Derivation(
        "second-order term of a step dropped",
        "eomc.derive.motions.quaternion:translation_of_twist",
        "return v + once * (2 * factor * factor) + phi.cross(once) * c",
        "return v + once * (2 * factor * factor)",
        "spinner",
    ),
    Derivation(
        "angular momentum about the wrong point",
        "eomc.derive.geometry.inertia:Inertia.shifted",
        "Symmetric.outer(self.first + half, r)",
        "Symmetric.outer(self.first, r)",
        "spinner",
    ),
    Derivation(
        "gravity-gradient moment reversed",
        "eomc.derive.forces.point_mass_field:pull",
        "(s @ d).cross(d)",
        "d.cross(s @ d)",
        "orbiter",
    ),
    Derivation(
        "gravity gradient over a distance dropped",
        "eomc.derive.forces.point_mass_field:pull",
        "d if offset is None else d + _gradient(at, offset)",
        "d",
        "orbiter",
    ),
    Derivation(
        "third-order force dropped",
        "eomc.derive.forces.central_gravity:_about_each_body",
        "(force + third_order(at, body.inertia)) * mu",
        "force * mu",
        "orbiter",
    ),
    Derivation(
        "share of the point of expansion dropped",
        "eomc.derive.forces.central_gravity:_about_one_body",
        "share.add_wrench(link, SpatialForce(linear=force, angular=origin.cross(force)))",
        "pass",
        "orbiter",
    ),
    Derivation(
        "second-order energy doubled",
        "eomc.derive.forces.point_mass_field:potential",
        "* Fraction(1, 2)",
        "* 1",
        "orbiter",
    ),
)

EMISSION = (
    Emission("sine for cosine", "inverse_dynamics", r"(&sin_\w+), (&cos_\w+)\);", r"\2, \1);"),
    Emission("difference reversed", "mass_matrix", r"= (\w+) - (\w+);", r"= \2 - \1;"),
    Emission("term dropped", "bias", r"= (\w+) \+ (\w+);", r"= \1;"),
    Emission("outputs exchanged", "gravity", r"g\[0\] = ", "g[1] = "),
    Emission("wrong parameter", "forward_dynamics", r"p->m1", "p->m2"),
    Emission("wrong coordinate", "frame_tool_pose", r"\(q\[2\],", "(q[0],"),
    Emission("literal of ten digits", "inverse_dynamics", r"(\d\.\d{9})\d{4,}", r"\1"),
    Emission("no number", "mass_matrix", r"M\[6\] = .*?;", "M[6] = NAN;"),
    Emission("sign of an output", "coordinate_rates", r"\] = (\w)", r"] = -\1", "spinner"),
)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_sound_models_pass(model: str, tmp_path: Path) -> None:
    report = verified(model, tmp_path)
    assert report.ok, str(report)
    verdicts = {outcome.check.name: outcome.verdict for outcome in report.outcomes}
    skipped = {name for name, verdict in verdicts.items() if verdict == "skipped"}
    # None of these models has a constraint to check.
    of_constraints = {"constraints", "loops", "multipliers", "rows", "solvers"}
    # Modules without Python's wrapper have no integrators.
    of_constraints |= {"integrators", "lanes", "laws", "small code", "single precision", "calls"}
    of_constraints |= {"functions on request", "sampled control", "near-rigid control"}
    of_constraints |= {"vectors", "limits", "singular constraints"}
    of_constraints.add("given equations")  # nor are they given in SymPy
    of_elements = {"states of elements", "element outputs", "contacts", "rigid contacts"}
    of_elements |= {"switches", "rod reach", "contact steps"}
    other = {"momentum", "structures", "deformation", "composites", "losses"}
    assert skipped <= other | of_elements | of_constraints


@pytest.mark.slow
@pytest.mark.parametrize("fault", DERIVATION, ids=lambda fault: fault.name.replace(" ", "-"))
def test_faults_of_the_derivation_are_found(fault: Derivation, tmp_path: Path) -> None:
    # The C is true to the wrong equations: something else must notice.
    others = [name for name in CHECKS if name != "emitted C"]
    with mutated(fault):
        report = verified(fault.model, tmp_path, checks=others)
    assert report.breaches
    print(f"{fault.name}: {', '.join(report.breaches)}")


@pytest.mark.parametrize("fault", EMISSION, ids=lambda fault: fault.name.replace(" ", "-"))
def test_faults_of_the_emission_are_found(fault: Emission, tmp_path: Path) -> None:
    report = verified(
        fault.model, tmp_path, lambda sources: edited(fault, sources), checks=["emitted C"]
    )
    assert report.breaches == ("emitted C",)
    print(f"{fault.name}: {', '.join(report.breaches)}")


@pytest.mark.slow
def test_module_of_another_parameter_value_is_found(tmp_path: Path) -> None:
    """As if a cache had given the module of an earlier version of the model."""
    other = arm()
    other.parameters["m2"] = replace(other.parameters["m2"], value=0.7654321099)
    program = procedure._program(eomc.equations(other), small=False)

    def build(_: Any, **options: Any) -> CompiledModel:
        return CompiledModel(c_module(emit(program), tmp_path))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(procedure, "build", build)
        report = eomc.verify(arm(), quick=True, checks=["emitted C", "Newton-Euler"])
    assert report.breaches == ("emitted C", "Newton-Euler")
