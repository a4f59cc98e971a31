"""Models from OpenUSD scenes by the schema UsdPhysics (optional dependency `eomc[usd]`).

Rigid bodies become bodies at the poses where the scene draws them, joints become joints with zero
coordinates there. A body that no joint connects to the world moves freely.
"""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.formats.format import SNAP, Format, Written, check_snap, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.numeric_pose import exact_zero, numeric_placement, quaternion_matrix
from eomc.derive.formats.usd.library import usd_modules
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model
from eomc.derive.placement.rotation import rotate_inertia

__all__ = ["read_usd"]

#: The schema stores single precision: rotation entries this close to 0 or +-1 are meant so.
_SINGLE = 1e-7
_KINDS = {
    "PhysicsRevoluteJoint": "revolute",
    "PhysicsPrismaticJoint": "prismatic",
    "PhysicsSphericalJoint": "spherical",
    "PhysicsFixedJoint": "fixed",
}
_EARTH = 9.81
_AXES = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1)}


def read_usd(path: str | Path, *, snap: float = SNAP) -> Model:
    """The model in the OpenUSD file at `path`, text or binary, which refers to no other file.

    Raises `ModelError` with the path of the prim for anything that is not read.
    """
    check_snap(snap)
    pxr, source = usd_modules(), Source(str(path))
    read_bytes(path)
    try:
        layer = pxr.Sdf.Layer.OpenAsAnonymous(str(path))
    except Exception as error:
        raise ModelError(f"no valid OpenUSD: {str(error).splitlines()[-1][:200]}", source) from None
    if layer.GetCompositionAssetDependencies():
        raise ModelError("it refers to other files; flatten it: usdcat --flatten", source)
    return _Reader(pxr, pxr.Usd.Stage.Open(layer), source, max(snap, _SINGLE)).model


class _Reader:
    def __init__(self, pxr: Any, stage: Any, source: Source, snap: float) -> None:
        self.pxr, self.stage, self.source, self.snap = pxr, stage, source, snap
        self.notes: list[str] = []
        self.metre = float(pxr.UsdGeom.GetStageMetersPerUnit(stage))
        self.kilogram = float(pxr.UsdPhysics.GetStageKilogramsPerUnit(stage))
        root = stage.GetDefaultPrim()
        name = self.name(root) if root else Path(source.file).stem
        self.model = Model(name, gravity=self._gravity(), inertia="warn", source=source)
        self.names: dict[Any, str] = {}
        self.poses: dict[str, Array] = {WORLD: np.eye(4)}
        prims = list(stage.Traverse())
        for prim in prims:
            if prim.HasAPI(pxr.UsdPhysics.RigidBodyAPI):
                self._body(prim)
        for prim in prims:
            if prim.IsA(pxr.UsdPhysics.Joint):
                self._joint(prim)
        self._floating()
        if self.notes:
            warnings.warn("\n".join(self.notes), UserWarning, stacklevel=5)

    def name(self, prim: Any) -> str:
        """The display name, or that of the prim."""
        return str(prim.GetDisplayName() or prim.GetName())

    def error(self, prim: Any, message: str) -> ModelError:
        """Told of a prim."""
        return ModelError(f"{prim.GetPath()}: {message}", self.source)

    def _gravity(self) -> tuple[float, float, float]:
        scenes = [p for p in self.stage.Traverse() if p.IsA(self.pxr.UsdPhysics.Scene)]
        up = self.pxr.UsdGeom.GetStageUpAxis(self.stage)
        direction = -np.array(_AXES[str(up)], dtype=float)
        size = _EARTH
        if scenes:
            scene = self.pxr.UsdPhysics.Scene(scenes[0])
            given = np.array(scene.GetGravityDirectionAttr().Get(), dtype=float)
            magnitude = float(scene.GetGravityMagnitudeAttr().Get())
            size = (
                _EARTH if not math.isfinite(magnitude) or magnitude < 0 else magnitude * self.metre
            )
            direction = given / np.linalg.norm(given) if given.any() else direction
        x, y, z = (exact_zero(entry) for entry in size * direction)
        return float(x), float(y), float(z)

    def _body(self, prim: Any) -> None:
        matrix = np.array(self.pxr.UsdGeom.XformCache().GetLocalToWorldTransform(prim)).T
        axes = matrix[:3, :3]
        if np.abs(axes.T @ axes - np.eye(3)).max() > 1e-6:
            raise self.error(prim, "its transform scales; bodies are read at their own size")
        name = self.name(prim)
        self.names[prim.GetPath()] = name
        self.poses[name] = matrix
        self.poses[name][:3, 3] *= self.metre
        mass = self.pxr.UsdPhysics.MassAPI(prim)
        if not prim.HasAPI(self.pxr.UsdPhysics.MassAPI):
            if any(
                p.HasAPI(self.pxr.UsdPhysics.CollisionAPI) for p in self.pxr.Usd.PrimRange(prim)
            ):
                self.notes.append(
                    f"{prim.GetPath()}: the mass of its shapes is left out; give it one"
                )
            self.model.body(name, source=self.source)
            return
        com = np.array(mass.GetCenterOfMassAttr().Get(), dtype=float)
        com = np.where(np.isfinite(com), com, 0.0) * self.metre
        moments = np.array(mass.GetDiagonalInertiaAttr().Get(), dtype=float)
        given = mass.GetPrincipalAxesAttr().Get()
        quat = np.array([given.GetReal(), *given.GetImaginary()])
        place = numeric_placement(
            com, quaternion_matrix(quat) if quat.any() else np.eye(3), self.snap
        )
        scale = self.kilogram * self.metre**2
        xx, yy, zz = (exact_zero(entry * scale) for entry in moments)
        self.model.body(
            name,
            mass=exact_zero(float(mass.GetMassAttr().Get()) * self.kilogram),
            com=place.xyz,
            inertia=rotate_inertia(place.matrix, (xx, yy, zz, 0, 0, 0)),
            source=self.source,
        )

    def _joint(self, prim: Any) -> None:
        kind, joint = _KINDS.get(str(prim.GetTypeName())), self.pxr.UsdPhysics.Joint(prim)
        if kind is None:
            raise self.error(prim, f"joints of type {prim.GetTypeName()} are not read")
        ends, places = [], []
        for body, xyz, rotation in (
            (joint.GetBody0Rel(), joint.GetLocalPos0Attr(), joint.GetLocalRot0Attr()),
            (joint.GetBody1Rel(), joint.GetLocalPos1Attr(), joint.GetLocalRot1Attr()),
        ):
            targets = body.GetTargets()
            if any(target not in self.names for target in targets):
                raise self.error(prim, f"{targets[0]} is no rigid body")
            ends.append(self.names[targets[0]] if targets else WORLD)
            turn = rotation.Get()
            axes = quaternion_matrix([turn.GetReal(), *turn.GetImaginary()])
            position = np.array(xyz.Get(), dtype=float) * self.metre
            places.append(numeric_placement(position, axes, self.snap))
        if ends[1] == WORLD:
            ends, places = ends[::-1], places[::-1]
        given: dict[str, Any] = {}
        if kind in ("revolute", "prismatic"):
            given = self._along(prim, kind)
        name = self.name(prim)
        self.model.joint(
            name,
            kind,
            parent=ends[0],
            child=ends[1],
            placement=places[0],
            child_placement=places[1],
            cut=bool(joint.GetExcludeFromArticulationAttr().Get()),
            source=self.source,
            **given,
        )
        self._drive(prim, name, kind)

    def _along(self, prim: Any, kind: str) -> dict[str, Any]:
        """Axis and limits."""
        made = getattr(self.pxr.UsdPhysics, f"{kind.capitalize()}Joint")(prim)
        scale = math.pi / 180 if kind == "revolute" else self.metre
        limits = {"lower": made.GetLowerLimitAttr().Get(), "upper": made.GetUpperLimitAttr().Get()}
        finite = {word: float(x) * scale for word, x in limits.items() if math.isfinite(x)}
        return {"axis": _AXES[str(made.GetAxisAttr().Get())], **finite}

    def _drive(self, prim: Any, name: str, kind: str) -> None:
        token = {"revolute": "angular", "prismatic": "linear"}.get(kind, "")
        if not token or not prim.HasAPI(self.pxr.UsdPhysics.DriveAPI, token):
            return
        drive = self.pxr.UsdPhysics.DriveAPI(prim, token)
        angle = 180 / math.pi if kind == "revolute" else 1 / self.metre
        force = self.kilogram * (self.metre**2 if kind == "revolute" else self.metre) * angle
        stiffness = float(drive.GetStiffnessAttr().Get() or 0) * force
        damping = float(drive.GetDampingAttr().Get() or 0) * force
        target = float(drive.GetTargetPositionAttr().Get() or 0) / angle
        if stiffness or damping:
            self.model.joint_spring(
                f"{name}_drive",
                joint=name,
                stiffness=exact_zero(stiffness),
                damping=exact_zero(damping),
                free_angle=exact_zero(target),
                source=self.source,
            )

    def _floating(self) -> None:
        """A free joint at each body that no joint carries."""
        held = {joint.child for joint in self.model.joints.values() if not joint.cut}
        loose = [name for name in self.model.bodies if name not in held]
        for name in reversed(loose):
            place = numeric_placement(self.poses[name][:3, 3], self.poses[name][:3, :3], self.snap)
            joint = "root" if len(loose) == 1 else f"{name}_root"
            while joint in self.model.joints:
                joint += "_"
            joints = dict(self.model.joints)
            self.model.joint(
                joint, "floating", parent=WORLD, child=name, placement=place, source=self.source
            )
            self.model.joints = {joint: self.model.joints[joint], **joints}


def _write(model: Model) -> Written:
    from eomc.derive.formats.usd.write import usd_text

    return usd_text(model)


register_format(Format("OpenUSD", (".usda", ".usd"), read_usd, inertia="warn", write=_write))
