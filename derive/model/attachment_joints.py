"""Joint kinds of places on a deformable body: fixed to a station, or travelling along the body.

The station frame moves with the deformation of the parent: its displacement, and the turns of its
axes. The translation of `placement` is added in the axes of the undeformed body, the rotation of
`placement` and the whole of `child_placement` follow the turned station.
"""

from __future__ import annotations

from eomc.derive.model.joint_kinds import JointKind, register_joint_kind

__all__: list[str] = []

register_joint_kind(JointKind("attachment", (), (), frozenset({"at"})))
register_joint_kind(JointKind("track", ("",), ("",)))
