"""Pictures: that models look like themselves, and that what is drawn is where it is.

The cases are numbered as in the project's list of pictures and live pages.
"""

from __future__ import annotations

from eomc_published.pictures import drawn, meshes, poses, shapes
from eomc_published.work import PublishedWork

_FILES = (drawn, poses, shapes, meshes)

REFERENCE = PublishedWork(
    name="pictures",
    title="Pictures of models",
    citation="kinematics, joint by joint, beside what pictures draw",
    cases=tuple(case for file in _FILES for case in file.CASES),
)
