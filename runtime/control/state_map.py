"""From the state of a plant to that of a controller's model, by the names of coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, initial_state, vector
from eomc.runtime.names.near_names import require_known

Law = float | Callable[[Array, Array], float]


class StateMap:
    """A controller's model sees what it knows of a plant.

    Coordinates and speeds that both have, by name, are passed on; of those that only the
    controller's model has, the map must say how they are found; those that only the plant has, such
    as vibrations, are not seen. Forces go back on the speeds of the same names.

    Parameters
    ----------
    plant, model : CompiledModel
        The simulated model and the controller's.
    coordinates, speeds : mapping of names of the controller's model to laws
        Numbers, or functions of the plant's (q, u); they also replace what has the same name.

    Raises ValueError for unknown names and for coordinates that nothing gives a value to.
    """

    def __init__(
        self,
        plant: CompiledModel,
        model: CompiledModel,
        coordinates: Mapping[str, Law] | None = None,
        speeds: Mapping[str, Law] | None = None,
    ) -> None:
        self.plant, self.model = plant, model
        neutral = initial_state(model, None, None)
        self._q = _StateRow(
            "coordinate", plant.coordinates, model.coordinates, coordinates, neutral.q
        )
        self._u = _StateRow("speed", plant.speeds, model.speeds, speeds, neutral.u)
        shared = [name for name in model.speeds if name in plant.speeds]
        self._from = [model.speeds.index(name) for name in shared]
        self._to = [plant.speeds.index(name) for name in shared]

    @classmethod
    def identity(cls, model: CompiledModel) -> StateMap:
        """The plant is the controller's model."""
        return cls(model, model)

    @property
    def is_identity(self) -> bool:
        """True if the controller's model has the plant's state as it is."""
        return self._q.is_identity and self._u.is_identity

    def state(self, q: Array, u: Array) -> State:
        """State of the controller's model in the plant's state (q, u)."""
        return State(self._q(q, u, q), self._u(q, u, u))

    def forces(self, tau: Array) -> Array:
        """Generalized forces (nu,) on the plant's speeds."""
        wanted = np.zeros(self.plant.nu)
        wanted[self._to] = tau[self._from]
        return wanted

    def known(self, tau: Array) -> Array:
        """Forces on the plant's speeds as the controller's model sees them."""
        seen = np.zeros(self.model.nu)
        seen[self._from] = tau[self._to]
        return seen


class _StateRow:
    """Entries of one vector of the controller's model."""

    def __init__(
        self,
        what: str,
        given: tuple[str, ...],
        wanted: tuple[str, ...],
        laws: Mapping[str, Law] | None,
        default: Array,
    ) -> None:
        self._laws: list[tuple[int, Callable[[Array, Array], float]]] = []
        self._default = default.copy()
        laws = {} if laws is None else laws
        if not isinstance(laws, Mapping):
            raise ValueError(f"{what}s: give a mapping of names to laws, not {type(laws).__name__}")
        require_known(laws, wanted, f"the controller's model has no {what}")
        for name, law in laws.items():
            if callable(law):
                self._laws.append((wanted.index(name), law))
            else:
                self._default[wanted.index(name)] = vector(f"{what} {name!r}", law, 1)[0]
        replaced = set(laws)
        shared = [name for name in wanted if name in given and name not in replaced]
        for name in wanted:
            if name not in given and name not in replaced:
                raise ValueError(
                    f"{what} {name!r} of the controller's model is none of the plant's; say how it "
                    f"is found ({what}s=)"
                )
        self._from = [given.index(name) for name in shared]
        self._to = [wanted.index(name) for name in shared]
        self.is_identity = given == wanted and not replaced

    def __call__(self, q: Array, u: Array, values: Array) -> Array:
        row = self._default.astype(np.asarray(values).dtype)
        row[self._to] = values[self._from]
        for place, law in self._laws:
            row[place] = law(q, u)
        return row
