"""A document as MuJoCo compiled it, with names and places, and the model that is made of it."""

from __future__ import annotations

import keyword
import re
import warnings
from collections.abc import Container
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import sympy

from eomc.derive.formats.mjcf.document import MjcfDocument
from eomc.derive.formats.numeric_pose import numeric_placement, quaternion_matrix
from eomc.derive.joints.joint_kind import joint_kind
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.grammar import RESERVED, coordinate_symbol
from eomc.derive.language.naming import WORLD
from eomc.derive.model.model import Model
from eomc.derive.placement.placement import Placement, Point

__all__ = ["CompiledDocument", "word_of"]


@dataclass
class CompiledDocument:
    """Numbers of the compiled document `m`, the `model` that they become, what is left out."""

    mujoco: Any
    m: Any
    document: MjcfDocument
    model: Model
    snap: float
    left_out: list[str] = field(default_factory=list)
    #: True if geoms that collide are kept as collision shapes of the model.
    keeps_collisions: bool = False

    def name(self, kind: str, index: int) -> str:
        """Of a "body", "joint", "site", "tendon", ...; that of the world for body 0."""
        if kind == "body" and index == 0:
            return WORLD
        if kind == "joint":
            return self._joint_names[index]
        return self._name(kind, index)

    @cached_property
    def _joint_names(self) -> list[str]:
        """As the file has them; coordinates of free joints and balls must not be other joints."""
        names = [self._name("joint", index) for index in range(self.m.njnt)]
        kinds = {
            self.code("mjtJoint", "FREE"): "floating",
            self.code("mjtJoint", "BALL"): "spherical",
        }
        for index, code in enumerate(self.m.jnt_type):
            kind = joint_kind(kinds.get(int(code), "revolute"))
            while kind.names(names[index]) & {*names[:index], *names[index + 1 :]}:
                names[index] += "_"
        return names

    def _name(self, kind: str, index: int) -> str:
        objects = self.mujoco.mjtObj
        objtype = (
            objects.mjOBJ_EQUALITY
            if kind == "equality"
            else getattr(objects, f"mjOBJ_{kind.upper()}")
        )
        return self.mujoco.mj_id2name(self.m, objtype, index) or f"{kind}_{index}"

    def code(self, enumeration: str, word: str) -> int:
        """Number of MuJoCo's constant, such as code("mjtTrn", "SITE")."""
        prefix = {"mjtJoint": "mjJNT", "mjtDisableBit": "mjDSBL"}.get(
            enumeration, f"mj{enumeration[3:].upper()}"
        )
        return int(getattr(getattr(self.mujoco, enumeration), f"{prefix}_{word}"))

    def disabled(self, *words: str) -> bool:
        """True if <flag> switches one of these off."""
        flags = int(self.m.opt.disableflags)
        return any(flags & self.code("mjtDisableBit", word) for word in words)

    def source(self, kind: str, index: int) -> Source:
        """Place in the document of the part of a kind with this index."""
        kinds = {"tendon": ("fixed", "spatial")}.get(kind, (kind,))
        name = self._name(kind, index)
        return next(
            (
                self.document.source(word, name)
                for word in kinds
                if self.document.element(word, name) is not None
            ),
            Source(self.document.file),
        )

    def coordinate(self, joint: int) -> sympy.Symbol:
        """The coordinate of a hinge or slide in expressions."""
        name = self.name("joint", joint)
        return coordinate_symbol(name) if name == "t" else sympy.Symbol(name)

    def placement(self, xyz: Any, rotation: Any) -> Placement:
        """Of a position (3,) and a quaternion (4,) or a matrix (3, 3)."""
        turned = np.asarray(rotation, dtype=float)
        matrix = turned if turned.ndim == 2 else quaternion_matrix(turned)
        return numeric_placement(xyz, matrix, self.snap)

    def point(self, body: int, xyz: Any) -> Point:
        """Of a body, at `xyz` in its frame."""
        x, y, z = (float(entry) for entry in xyz)
        return Point(self.name("body", body), (x, y, z))

    def site(self, index: int) -> Point:
        """The point of a site on its body."""
        return self.point(self.m.site_bodyid[index], self.m.site_pos[index])

    def unused(self, table: Any, name: str) -> str:
        """`name`, with a number if an element of `table` has it already."""
        return next(
            new for k in count(1) if (new := name if k == 1 else f"{name}_{k}") not in table
        )

    def leave_out(self, what: str, source: Source, why: str) -> None:
        """Told when the model is read."""
        self.left_out.append(f"{source}: {what} is left out: {why}")

    def tell(self) -> None:
        """One warning of everything that is left out."""
        if self.left_out:
            warnings.warn("\n".join(self.left_out), UserWarning, stacklevel=6)

    def error(self, kind: str, index: int, message: str) -> ModelError:
        """Told of an element."""
        return ModelError(
            f"{kind} {self.name(kind, index)[:80]!r}: {message}", self.source(kind, index)
        )


def word_of(name: str, taken: Container[str]) -> str:
    """`name` as a word of expressions that is not `taken`."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    reserved = word in RESERVED or word == "t" or keyword.iskeyword(word)
    if not word or word[0].isdigit() or reserved:
        word = f"u_{word}"
    if word in taken:
        word += "_control"
    return next(new for k in count(1) if (new := word if k == 1 else f"{word}_{k}") not in taken)
