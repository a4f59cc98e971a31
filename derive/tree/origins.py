"""Link origins chosen so that the constant offsets cost the fewest operations.

The origin of a link may slide along the axis of its turn, and go anywhere for a slide, without any
change of the motion. Each is moved to where it leaves the fewest nonzero components in its own
offset and in those of its children: the d and a of Denavit and Hartenberg where they help (Khalil
and Dombre, *Modeling, Identification and Control of Robots*, sec. 3.2). Only placements by numbers
are touched, and only link frames move: bodies, frames and points stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.about_axis import Slide, Turn
from eomc.derive.tree.draft import Draft, LinkFrame
from eomc.derive.tree.link import WORLD

# Components of an offset below this part of its length are the rounding of the sums that made it.
ROUNDING = 1e-14


def canonical_origins(drafts: Sequence[Draft], frames: Mapping[str, LinkFrame]) -> None:
    """Move the origins of the links in place, base to tip; `frames` stay where they are."""
    children: list[list[Draft]] = [[] for _ in drafts]
    for draft in drafts:
        if draft.parent != WORLD:
            children[draft.parent].append(draft)
    for index, draft in enumerate(drafts):
        if not draft.is_placed_by_numbers or not draft.inertia.is_constant:
            continue
        fixed_frames = [frame for frame in frames.values() if frame.link == index]
        if isinstance(draft.motion, Turn):
            shifts = _along_axis(draft, children[index])
        elif isinstance(draft.motion, Slide):
            shifts = [-draft.rotation.to_child(draft.offset)]
        else:
            continue
        best = min(shifts, key=lambda shift: _components(draft, children[index], shift))
        if not best.is_zero:
            _move(draft, children[index], fixed_frames, best)


def _along_axis(draft: Draft, children: Iterable[Draft]) -> list[Vector]:
    """Shifts along z: none, to the foot of the parent's origin, to the level of a child."""
    zero = draft.offset.x * 0
    heights = [zero, -draft.rotation.to_child(draft.offset).z]
    heights += [child.offset.z for child in children if child.offset.z.is_constant]
    return [Vector(zero, zero, height) for height in heights]


def _components(draft: Draft, children: Iterable[Draft], shift: Vector) -> int:
    """Nonzero offset components after the shift; a whole zero offset saves one more sum each."""
    count = 0
    if draft.parent != WORLD:
        count += _nonzero(total(draft.offset, draft.rotation.to_parent(shift)))
    return count + sum(_nonzero(total(child.offset, -shift)) for child in children)


def _nonzero(v: Vector) -> int:
    components = sum(not entry.is_zero for entry in v)
    return 2 * components + (components > 0)


def _move(
    draft: Draft, children: Iterable[Draft], frames: Iterable[LinkFrame], shift: Vector
) -> None:
    draft.offset = total(draft.offset, draft.rotation.to_parent(shift))
    draft.inertia = draft.inertia.shifted(-shift)
    for child in children:
        child.offset = total(child.offset, -shift)
    for frame in frames:
        frame.origin = total(frame.origin, -shift)


def total(a: Vector, b: Vector) -> Vector:
    """a + b, with components that are rounding of the two made exactly zero."""
    v = a + b
    sizes, parts = _sizes(v), (*_sizes(a), *_sizes(b))
    if len(sizes) < 3:
        return v
    limit = ROUNDING * max(sizes + list(parts))
    entries: list[Expression] = [
        entry * 0 if size <= limit else entry for entry, size in zip(v, sizes, strict=True)
    ]
    return Vector(*entries)


def _sizes(v: Vector) -> list[float]:
    """Of the components that are numbers."""
    numbers = [entry.graph.number(entry.node) for entry in v]
    return [abs(float(number)) for number in numbers if number is not None]
