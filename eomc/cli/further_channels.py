"""Columns of a record beside the state: energies, frames, what elements tell, reactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from eomc.cli.errors import CommandError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from eomc.runtime import Trajectory

    Columns = dict[str, NDArray[np.float64]]


def _energies(run: Trajectory) -> Columns:
    return {f"{name} [J]": run[name] for name in ("kinetic_energy", "potential_energy", "energy")}


def _frames(run: Trajectory) -> Columns:
    """Positions of bodies and frames in the world."""
    model = run.model
    if model is None or not model.has_function("poses"):
        return {}
    import numpy as np

    from eomc.runtime.picture.description import known_picture

    names = known_picture(model)["poses"]["rows"]
    rows = np.asarray(run.evaluate("poses")).reshape(-1, len(names), 3, 4)
    return {
        f"{name}.{axis} [m]": np.broadcast_to(rows[:, k, i, 3], run.t.shape)
        for k, name in enumerate(names)
        for i, axis in enumerate("xyz")
    }


def _outputs(run: Trajectory) -> Columns:
    """Forces of springs, tensions of cables, and what else elements tell."""
    model = run.model
    if model is None or not model.has_function("element_outputs"):
        return {}
    from eomc.runtime.record.units import with_unit

    found = run.evaluate("element_outputs")
    rows = model.output_names("element_outputs")
    heads = [with_unit(name, run.units.get(name, "")) for name in rows]
    return {head: found[:, k] for k, head in enumerate(heads)}


def _reactions(run: Trajectory) -> Columns:
    from eomc.runtime import joint_reactions

    if run.model is None or not run.model.has_function("joint_reactions"):
        return {}
    found = joint_reactions(run)
    return {
        f"{what}({joint}).{axis} [{unit}]": found.values[:, k, 3 * part + i]
        for k, joint in enumerate(found.joints)
        for part, (what, unit) in enumerate((("force", "N"), ("moment", "N m")))
        for i, axis in enumerate("xyz")
    }


GROUPS: dict[str, Callable[..., Columns]] = {
    "energy": _energies,
    "frames": _frames,
    "outputs": _outputs,
    "reactions": _reactions,
}
"""Groups of columns that ``--output`` takes, by name."""


def asked_groups(texts: Sequence[str] | None) -> list[str]:
    """Names of `GROUPS`; "all" are all. Raises `CommandError` for others."""
    from eomc.runtime.names.near_names import near_names

    names = [name.strip() for text in texts or () for name in text.split(",") if name.strip()]
    for name in names:
        if name != "all" and name not in GROUPS:
            raise CommandError(f"--output {name}: {near_names(name, [*GROUPS, 'all'])}")
    return list(GROUPS) if "all" in names else list(dict.fromkeys(names))


def further_channels(run: Trajectory, names: Sequence[str]) -> Columns:
    """The columns of these groups, by their heads."""
    return {head: column for name in names for head, column in GROUPS[name](run).items()}
