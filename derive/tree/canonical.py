"""Link frames chosen so that their constant placements cost the fewest operations.

A link frame must keep its joint axis on z, but may slide along it and turn about it. Sliding puts zeros
into the offsets of the link and of its children, as the Denavit-Hartenberg convention does
(Khalil and Dombre, *Modeling, Identification and Control of Robots*, sec. 3.2). Only placements by numbers are touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.tree.draft import Draft, Frame


def canonical_frames(drafts: Sequence[Draft], frames: Mapping[str, Frame]) -> None:
    """Move the link frames in place; `frames` stay where they are in space."""
