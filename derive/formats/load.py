"""Models from files, in the format that the suffix tells."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, check_snap, format_of
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.model.model import Model
from eomc.derive.model.options import with_options

__all__ = ["load"]


def load(
    path: str | Path,
    *,
    base: str | None = None,
    locked: Iterable[str] | Mapping[str, Any] | None = None,
    mimic: bool = True,
    damping: bool = True,
    friction: bool = True,
    inertia: str | None = None,
    snap: float = SNAP,
    arguments: Mapping[str, Any] | None = None,
    packages: str | Path | Iterable[str | Path] = (),
    contacts: str | Iterable[str] | None = None,
    contact_laws: Mapping[str, Any] | None = None,
    collisions: bool = False,
) -> Model:
    """The model in the file `path`, in the format that its suffix tells (.toml, ...), checked.

    - `base`: "fixed" welds the root body to the world, "floating" lets it move freely by a joint
      "root" that turns by a quaternion, "floating_euler" by three angles; by default a URDF robot
      is fixed and other models are as the file says.
    - `locked`: joints to freeze, by name (at their neutral position) or as {name: value}; their
      bodies merge.
    - `mimic=False`: mimic joints move freely.
    - `damping=False`, `friction=False` leave the losses of the file's joints out.
    - `inertia`: what to do about an inertia that no body has: "error", "warn" or "ignore"; by
      default as a TOML file says, and "warn" for formats of robots, where files of real ones have
      some. "ignore" also takes a robot whose last links have no inertia. The model keeps it:
      `validate`, `eomc.equations`, `eomc.build` and `write_toml` go by it.
    - `snap`: entries of rotations in a file of numbers this close to 0 or +-1 are taken so.
    - `arguments`: values of the arguments that a xacro file declares, by name.
    - `packages`: folders of packages, or folders that hold some, in which ``package://`` names of
      meshes and ``$(find ...)`` of xacro files are looked for; pictures read meshes from there
      besides the folder of the file.
    - `contacts`: collision shapes of a robot's file that become contacts: "ground" for all of them
      on the ground (planes of the file's world, else z = 0), "ONE:OTHER" for pairs of links, shapes
      ``<link>_<n>``, patterns such as ``*_foot``, or "ground"; one text or several. Of meshes it is
      the convex hull, with at most 64 vertices.
    - `contact_laws`: `normal`, `friction`, `width` and `smoothing` of these contacts as `contact`
      of a model takes them; by default rigid without restitution, with dry friction as the file
      says, or a coefficient of 1.
    - `collisions`: keep the collision shapes of a robot's file, as `convert` does, which writes
      them; a simulation has the contacts of `contacts` alone.

    Raises `ModelError` with file and line.
    """
    if not isinstance(path, str | Path):
        raise ModelError(f"path: give the name of a file, not {type(path).__name__}")
    check_snap(snap)
    found = format_of(path)
    folders = (packages,) if isinstance(packages, str | Path) else tuple(packages)
    asked = (contacts,) if isinstance(contacts, str) else contacts or ()
    if not isinstance(asked, Iterable):
        raise ModelError(f'contacts: give "ground" or "ONE:OTHER", not {contacts!r}')
    asked = tuple(asked)
    further = {"arguments": arguments, "packages": folders, "collisions": bool(asked) or collisions}
    if arguments and "arguments" not in found.further:
        raise ModelError(
            f"arguments: {found.name} files have none; xacro files do", Source(str(path))
        )
    if asked and "collisions" not in found.further:
        raise ModelError(
            f"contacts: {found.name} files have no collision shapes; declare contacts in the model",
            Source(str(path)),
        )
    model = found.read(path, snap=snap, **{word: further[word] for word in found.further})
    model.packages = tuple(Path(folder).absolute() for folder in folders)
    model.inertia = found.inertia or model.inertia
    connected = {joint.child for joint in model.joints.values()} >= set(model.bodies)
    model = with_options(
        model,
        base=base or (None if connected else found.base),
        locked=locked,
        mimic=mimic,
        damping=damping,
        friction=friction,
    )
    model.inertia = inertia or model.inertia
    if asked:
        from eomc.derive.formats.collision_contacts import declare_contacts

        if told := declare_contacts(model, asked, contact_laws):
            warnings.warn(told, UserWarning, stacklevel=2)
    elif contact_laws:
        raise ModelError("contact_laws: of contacts; say which by contacts=", Source(str(path)))
    model.validate()
    return model
