"""A model as the text of an OpenUSD scene with the schema UsdPhysics.

Bodies stand in the world at zero coordinates; a joint has a frame in each of its two bodies, whose
x axis it turns about or slides along. The schema has single precision, and angles in degrees.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.format import Written
from eomc.derive.formats.numeric_model import (
    NumericJoint,
    NumericModel,
    homogeneous,
    inverse,
    split,
)
from eomc.derive.formats.numeric_pose import quaternion_of
from eomc.derive.formats.usd.library import usd_modules
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model

__all__ = ["usd_text"]

_TYPES = {"turn": "RevoluteJoint", "slide": "PrismaticJoint", "ball": "SphericalJoint"}
_SHAPES: dict[str, tuple[str, ...]] = {
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "box": ("size",),
}
_DEGREES = 180 / math.pi


def usd_text(model: Model) -> Written:
    """The scene, and what it does not say. Raises `ModelError` for joints that the schema lacks."""
    scene = UsdScene(NumericModel(model, "OpenUSD"), usd_modules())
    text: str = scene.stage.GetRootLayer().ExportToString()
    return Written(text, scene.numbers.unsaid())


class UsdScene:
    """The stage, with a prim for each body."""

    def __init__(self, numbers: NumericModel, pxr: Any) -> None:
        numbers.refuse((*_TYPES, "free"))
        self.numbers, self.pxr = numbers, pxr
        self.springs = numbers.joint_springs()
        self.stage = pxr.Usd.Stage.CreateInMemory()
        self.root = f"/{pxr.Tf.MakeValidIdentifier(numbers.model.name)}"
        self.paths: dict[str, str] = {}
        self.drawn: dict[str, Array] = {WORLD: np.eye(4)}
        self._head()
        for joint in numbers.tree:
            for part in split(joint):
                self.drawn[part.child] = self.drawn[part.parent] @ part.place @ part.back
                self._body(part.child)
                self._joint(part)
        for cut in numbers.cuts:
            if len(cut.freedoms) > 1 or not {f.motion for f in cut.freedoms} <= set(_TYPES):
                numbers.leave_out(f"loop joint {cut.name!r}", f"it is {cut.kind}")
            else:
                self._joint(cut).CreateExcludeFromArticulationAttr(True)
        for name, frame in numbers.model.frames.items():
            body, place = numbers.frame(frame)
            self._xform(f"{self.paths.get(body, self.root)}/{self._word(name)}", place)
            numbers.take("frame", name)
        for name, visual in numbers.model.visuals.items():
            self._visual(name, visual)
        self._collisions()

    def _head(self) -> None:
        geometry, physics = self.pxr.UsdGeom, self.pxr.UsdPhysics
        geometry.SetStageUpAxis(self.stage, geometry.Tokens.z)
        geometry.SetStageMetersPerUnit(self.stage, 1.0)
        physics.SetStageKilogramsPerUnit(self.stage, 1.0)
        root = geometry.Xform.Define(self.stage, self.root).GetPrim()
        root.SetDisplayName(self.numbers.model.name)
        physics.ArticulationRootAPI.Apply(root)
        self.stage.SetDefaultPrim(root)
        size = float(np.linalg.norm(self.numbers.gravity))
        scene = physics.Scene.Define(self.stage, f"{self.root}/physics_scene")
        scene.CreateGravityMagnitudeAttr(size)
        direction = self.numbers.gravity / size if size else np.array([0.0, 0.0, -1.0])
        scene.CreateGravityDirectionAttr(self.pxr.Gf.Vec3f(*map(float, direction)))

    def _word(self, name: str) -> str:
        return str(self.pxr.Tf.MakeValidIdentifier(name))

    def _path(self, name: str) -> str:
        path = f"{self.root}/{self._word(name)}"
        while self.stage.GetPrimAtPath(path):
            path += "_"
        return path

    def _xform(self, path: str, place: Array) -> Any:
        made = self.pxr.UsdGeom.Xform.Define(self.stage, path)
        made.AddTranslateOp().Set(self.pxr.Gf.Vec3d(*map(float, place[:3, 3])))
        orient = made.AddOrientOp(self.pxr.UsdGeom.XformOp.PrecisionDouble)
        orient.Set(self.pxr.Gf.Quatd(*quaternion_of(place[:3, :3])))
        return made.GetPrim()

    def _body(self, name: str) -> None:
        physics, gf = self.pxr.UsdPhysics, self.pxr.Gf
        path = self.paths[name] = self._path(name)
        prim = self._xform(path, self.drawn[name])
        prim.SetDisplayName(name)
        physics.RigidBodyAPI.Apply(prim)
        body = self.numbers.bodies.get(name)
        if body is None or body.is_massless:
            self.numbers.left_out.append(f"body {name!r} has no mass, for which programs put some")
            return
        moments, axes = np.diag(body.inertia), np.eye(3)
        if np.any(body.inertia != np.diag(moments)):
            moments, axes = np.linalg.eigh(body.inertia)
            axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        mass = physics.MassAPI.Apply(prim)
        mass.CreateMassAttr(body.mass)
        mass.CreateCenterOfMassAttr(gf.Vec3f(*map(float, body.com)))
        mass.CreateDiagonalInertiaAttr(gf.Vec3f(*map(float, moments)))
        mass.CreatePrincipalAxesAttr(gf.Quatf(*quaternion_of(axes)))

    def _joint(self, joint: NumericJoint) -> Any:
        """The schema's joint; none for a body that floats."""
        physics, gf, numbers = self.pxr.UsdPhysics, self.pxr.Gf, self.numbers
        motion = joint.freedoms[0].motion if joint.freedoms else "fixed"
        if motion == "free":
            if joint.parent != WORLD:
                numbers.leave_out(
                    f"the parent of joint {joint.name!r}", "bodies float in the world"
                )
            return None
        made = getattr(physics, _TYPES.get(motion, "FixedJoint")).Define(
            self.stage, self._path(joint.name)
        )
        made.GetPrim().SetDisplayName(joint.name)
        turned = np.eye(4)
        if motion in ("turn", "slide"):
            turned = homogeneous(np.zeros(3), _x_along(joint.freedoms[0].axis))
            made.CreateAxisAttr("X")
        for number, body, place in (
            (0, joint.parent, joint.place @ turned),
            (1, joint.child, inverse(joint.back) @ turned),
        ):
            if body != WORLD:
                getattr(made, f"CreateBody{number}Rel")().SetTargets([self.paths[body]])
            xyz, rotation = (
                gf.Vec3f(*map(float, place[:3, 3])),
                gf.Quatf(*quaternion_of(place[:3, :3])),
            )
            getattr(made, f"CreateLocalPos{number}Attr")(xyz)
            getattr(made, f"CreateLocalRot{number}Attr")(rotation)
        if motion in ("turn", "slide"):
            self._along(made, joint)
        elif motion == "ball" and any(joint.freedoms[0].damping + joint.freedoms[0].friction):
            numbers.lacks("damping", joint.name, "a ball of the schema has none")
        return made

    def _along(self, made: Any, joint: NumericJoint) -> None:
        """Limits, springs and dampers of a turn or a slide."""
        (freedom,), turns = joint.freedoms, joint.freedoms[0].motion == "turn"
        scale = _DEGREES if turns else 1.0
        for word, limit in (("Lower", freedom.lower), ("Upper", freedom.upper)):
            if math.isfinite(limit):
                getattr(made, f"Create{word}LimitAttr")(limit * scale)
        stiffness, damping, rest = self.springs.get(freedom.name, (0.0, 0.0, 0.0))
        damping += sum(freedom.damping)
        if stiffness or damping:
            token = "angular" if turns else "linear"
            drive = self.pxr.UsdPhysics.DriveAPI.Apply(made.GetPrim(), token)
            drive.CreateStiffnessAttr(stiffness / scale)
            drive.CreateDampingAttr(damping / scale)
            drive.CreateTargetPositionAttr(rest * scale)
        for what, there in (
            ("rotor_inertia", freedom.armature),
            ("friction", any(freedom.friction)),
            ("mimic", freedom.mimic),
            ("velocity_limit", math.isfinite(freedom.speed)),
            ("effort_limit", math.isfinite(freedom.effort)),
        ):
            if there:
                self.numbers.lacks(what, joint.name, "the schema has none")

    def _visual(self, name: str, visual: Any) -> None:
        if visual.shape.word not in _SHAPES:
            return
        shape = {"kind": visual.shape.word} | visual.shape.numbers(self.numbers.values)
        made = self._shape(name, visual.body, shape, self.numbers.pose(visual.placement))
        *rgb, _ = self.numbers.rgba(visual)
        made.CreateDisplayColorAttr([self.pxr.Gf.Vec3f(*rgb)])
        self.numbers.take("visual", name)

    def _shape(self, name: str, body: str, shape: Mapping[str, Any], place: Array) -> Any:
        """A shape in the words of pictures, under the prim of its body."""
        kind, path = shape["kind"], f"{self.paths.get(body, self.root)}/{self._word(name)}_shape"
        self._xform(path, place)
        define = getattr(self.pxr.UsdGeom, "Cube" if kind == "box" else kind.capitalize()).Define
        made = define(self.stage, f"{path}/geometry")
        if kind == "box":
            made.CreateSizeAttr(1.0)
            made.AddScaleOp().Set(self.pxr.Gf.Vec3f(*shape["size"]))
        else:
            made.CreateRadiusAttr(shape["radius"])
        if kind in ("cylinder", "capsule"):
            made.CreateHeightAttr(shape["length"])
        return made

    def _collisions(self) -> None:
        """Invisible shapes that collide."""
        for body in (WORLD, *self.numbers.bodies):
            for collision, shape, place in self.numbers.collisions(body, _SHAPES):
                made = self._shape(f"{collision.name}_collision", body, shape, place)
                self.pxr.UsdPhysics.CollisionAPI.Apply(made.GetPrim())
                made.CreatePurposeAttr(self.pxr.UsdGeom.Tokens.guide)
                if collision.friction is not None:
                    self._rub(made.GetPrim(), collision.friction)

    def _rub(self, prim: Any, mu: float) -> None:
        """Give a shape a material with the coefficient of friction mu."""
        shading = self.pxr.UsdShade
        path = self.root + "/" + self._word(f"friction_{mu:.6g}")
        material = shading.Material.Define(self.stage, path)
        physics = self.pxr.UsdPhysics.MaterialAPI.Apply(material.GetPrim())
        physics.CreateStaticFrictionAttr(mu)
        physics.CreateDynamicFrictionAttr(mu)
        binding = shading.MaterialBindingAPI.Apply(prim)
        binding.Bind(material, shading.Tokens.weakerThanDescendants, "physics")


def _x_along(axis: Array) -> Array:
    """Axes (3, 3) whose x is along a unit vector."""
    y = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    y /= np.linalg.norm(y)
    return np.column_stack([axis, y, np.cross(axis, y)])
