"""Models from MJCF files, compiled by MuJoCo (optional dependency `eomc[mjcf]`).

MuJoCo applies defaults, classes, angles, frames and inertia from geoms; what it compiled is read,
and the equations are our own. Mechanics follows its documentation: a body may have several joints,
each turns or slides about an anchor in the body's frame, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from eomc.derive.formats.format import SNAP, Format, Written, check_snap, register_format
from eomc.derive.formats.mjcf.actuators import declare_actuators
from eomc.derive.formats.mjcf.collisions import keep_collisions
from eomc.derive.formats.mjcf.compiled import CompiledDocument
from eomc.derive.formats.mjcf.document import MjcfDocument
from eomc.derive.formats.mjcf.equalities import declare_equalities
from eomc.derive.formats.mjcf.surroundings import declare_surroundings
from eomc.derive.formats.mjcf.switches import apply_switches
from eomc.derive.formats.mjcf.tendons import declare_tendons
from eomc.derive.formats.mjcf.tree import declare_tree
from eomc.derive.formats.mjcf.visuals import declare_visuals
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.model.model import Model

__all__ = ["parse_mjcf", "read_mjcf"]

#: In this order: what is declared stands before what names it.
_PARTS: tuple[Callable[[CompiledDocument], None], ...] = (
    declare_tree,
    declare_equalities,
    declare_tendons,
    declare_actuators,
    declare_surroundings,
    declare_visuals,
    keep_collisions,
)


def read_mjcf(path: str | Path, *, snap: float = SNAP, collisions: bool = False) -> Model:
    """The model in the MJCF file at `path`, with files that it includes and meshes.

    With `collisions` it keeps the geoms that collide. What the model cannot say is left out with a
    warning that names it. Raises
    `ModelError` with file and line for anything that is no valid MJCF.
    """
    return parse_mjcf(read_bytes(path), str(path), snap=snap, collisions=collisions)


def parse_mjcf(
    data: bytes, file: str = "<mjcf>", *, snap: float = SNAP, collisions: bool = False
) -> Model:
    """The model in the MJCF text `data`; see `read_mjcf`."""
    check_snap(snap)
    mujoco = _reader()
    document = MjcfDocument(data, file)
    m = _compiled(mujoco, document)
    name = document.root.get("model", "").strip() or Path(file).stem
    model = Model(name, inertia="warn", source=Source(file, 1))
    compiled = CompiledDocument(mujoco, m, document, model, snap, keeps_collisions=collisions)
    apply_switches(compiled)
    x, y, z = map(float, m.opt.gravity)
    model.gravity = (x, y, z)
    for part in _PARTS:
        part(compiled)
    compiled.tell()
    return model


def _reader() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise ModelError(
            f"reading MJCF needs the package {error.name}; install it with pip install 'eomc[mjcf]'"
        ) from None
    return mujoco


def _compiled(mujoco: Any, document: MjcfDocument) -> Any:
    told: list[str] = []
    mujoco.set_mju_user_warning(told.append)  # else it writes a log beside the user's files
    try:
        m = mujoco.MjModel.from_xml_string(document.text)
    except Exception as error:
        # Whatever MuJoCo stumbles over is a fault of the document.
        raise document.error(str(error)) from None
    finally:
        mujoco.set_mju_user_warning(None)
    if m.nbody < 2:
        raise ModelError("the model has no body", Source(document.file))
    numbers = (m.body_pos, m.body_quat, m.body_ipos, m.body_inertia, m.body_mass, m.jnt_pos)
    if not all(np.isfinite(array).all() for array in numbers):
        raise ModelError("a position, mass or inertia is not finite", Source(document.file))
    return m


def _write(model: Model) -> Written:
    from eomc.derive.formats.mjcf.write import mjcf_text

    return mjcf_text(model)


register_format(Format("MJCF", (".xml", ".mjcf"), read_mjcf, None, "warn", ("collisions",), _write))
