"""Links while the tree is built: frames and inertias may still move."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.bodies.shape import DeformedShape
from eomc.derive.geometry import Inertia, MatrixRotation, Rotation, Symmetric, Vector
from eomc.derive.motions.motion import Motion
from eomc.derive.tree.link import LinkCoordinate
from eomc.derive.tree.scalars import Scalars


def declared_inertia(body: MassProperties, scalars: Scalars) -> Inertia:
    """Mass, first and second moment in body axes about the origin of the body's frame."""
    mass = scalars(body.mass)
    entries = Symmetric(*(scalars(entry) for entry in body.inertia))
    center = scalars.vector(body.com)
    if body.inertia_about == "com":
        return Inertia.of_body(mass, center, entries)
    about_origin = Inertia.of_body(mass, Vector(*(mass * 0,) * 3), entries)
    return Inertia(mass, scalars.vector(body.first_moment), about_origin.second)


@dataclass
class LinkFrame:
    """A frame fixed in a link (`WORLD`: in the base): rotation to link axes and origin."""

    link: int
    rotation: MatrixRotation
    origin: Vector

    def carried(self, inertia: Inertia) -> Inertia:
        """Inertia given in this frame, in the link's frame."""
        return inertia.carried(Rotation([self.rotation]), self.origin)

    def moved(self, rotation: MatrixRotation, origin: Vector) -> LinkFrame:
        """The frame placed at (rotation, origin) in this one."""
        axes = product(self.rotation, rotation)
        return LinkFrame(self.link, axes, self.origin + self.rotation.to_parent(origin))


@dataclass
class Draft:
    """One link: its motion frame in the parent link, its motion, and the inertia it carries.

    `form` is the shape of a deformable body, whose frame is that of the link.
    """

    name: str
    parent: int
    rotation: MatrixRotation
    offset: Vector
    motion: Motion
    coordinates: tuple[LinkCoordinate, ...]
    speeds: tuple[LinkCoordinate, ...]
    inertia: Inertia
    form: DeformedShape | None = None

    @property
    def is_placed_by_numbers(self) -> bool:
        """True if the placement in the parent holds no parameter."""
        return self.offset.is_constant and all(row.is_constant for row in self.rotation.rows)


def product(a: MatrixRotation, b: MatrixRotation) -> MatrixRotation:
    """A B, with entries within rounding of 0 and +-1 made exact when they are numbers."""
    columns = [a.to_parent(column) for column in b.columns]
    matrix = MatrixRotation((columns[0], columns[1], columns[2]))
    first, second, third = matrix.columns
    return MatrixRotation((_tidied(first), _tidied(second), _tidied(third)))


def _tidied(row: Vector) -> Vector:
    entries = []
    for entry in row:
        number = entry.graph.number(entry.node)
        if isinstance(number, float):
            nearest = round(number)
            if abs(number - nearest) < 4e-16:
                entry = entry * 0 + nearest
        entries.append(entry)
    return Vector(*entries)
